// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers of twice the precision, as the unevaluated sum of two floats, after Dekker and Knuth.
// Only finite operands keep their meaning: users select the special cases afterwards.
//
// A target may contract a product and a sum into one fma, in some uses of the product and not in
// others. A sum that also takes in what the product lost would then hold that twice. Products whose
// error is accounted for elsewhere are therefore those of `rounded` and `exactProduct`.
#ifndef TRITONRT_COMPILER_MATH_DOUBLEWORD_H
#define TRITONRT_COMPILER_MATH_DOUBLEWORD_H

#include <cstddef>
#include <initializer_list>

namespace tritonrt::mathlib {

template <class R> struct Pair {
  R high, low;
};

/// a + b exactly, where |a| >= |b| or a is 0.
template <class R> Pair<R> quickSum(R a, R b) {
  R sum = a + b;
  return {sum, b - (sum - a)};
}

/// a + b exactly.
template <class R> Pair<R> exactSum(R a, R b) {
  R sum = a + b;
  R fromB = sum - a;
  return {sum, (a - (sum - fromB)) + (b - fromB)};
}

/// a * b exactly. The high word is the rounded product whatever it is added to.
template <class R> Pair<R> exactProduct(R a, R b) {
  R product = a * b;
  R low = fma(a, b, -product);
  // a * b - low is the rounded product once more, and no compiler takes an fma apart.
  return {a.contracts() ? fma(a, b, -low) : product, low};
}

/// a * b, rounded before it is added to anything.
template <class R> R rounded(R a, R b) { return exactProduct(a, b).high; }

template <class R> Pair<R> operator+(Pair<R> a, Pair<R> b) {
  Pair<R> high = exactSum(a.high, b.high);
  return quickSum(high.high, high.low + (a.low + b.low));
}
template <class R> Pair<R> operator+(Pair<R> a, R b) {
  Pair<R> high = exactSum(a.high, b);
  return quickSum(high.high, high.low + a.low);
}
template <class R> Pair<R> operator*(Pair<R> a, Pair<R> b) {
  Pair<R> high = exactProduct(a.high, b.high);
  return quickSum(high.high, fma(a.high, b.low, fma(a.low, b.high, high.low)));
}
template <class R> Pair<R> operator*(Pair<R> a, R b) {
  Pair<R> high = exactProduct(a.high, b);
  return quickSum(high.high, fma(a.low, b, high.low));
}
template <class R> Pair<R> operator-(Pair<R> a) { return {-a.high, -a.low}; }

/// a / b with the error of one rounding and a little.
template <class R> R quotient(Pair<R> a, Pair<R> b) {
  R inverse = 1.0 / b.high;
  R first = a.high * inverse;
  R rest = fma(-first, b.high, a.high) + fma(-first, b.low, a.low);
  return fma(rest, inverse, first);
}

template <class R> Pair<R> operator/(Pair<R> a, Pair<R> b) {
  R inverse = 1.0 / b.high;
  R first = rounded(a.high, inverse);
  R rest = fma(-first, b.high, a.high) + fma(-first, b.low, a.low);
  return quickSum(first, rest * inverse);
}

template <class R> R sum(Pair<R> a) { return a.high + a.low; }

template <class R, class T> Pair<R> select(T truth, Pair<R> a, Pair<R> b) {
  return {select(truth, a.high, b.high), select(truth, a.low, b.low)};
}

template <class R> Pair<R> sqrt(Pair<R> a) {
  R root = sqrt(a.high);
  return quickSum(root, (fma(-root, root, a.high) + a.low) * (0.5 / root));
}

/// x - c, for a constant in two words.
template <class R> Pair<R> less(R x, double high, double low) {
  Pair<R> result = exactSum(x, x.number(-high));
  return quickSum(result.high, result.low - low);
}

/// x * factor + addend.
template <class R> Pair<R> linear(Pair<R> x, double factor, double addend) {
  return x * x.high.number(factor) + x.high.number(addend);
}

/// c[0] + c[1] x + c[2] x^2 + ... as in twice the precision, but for the rounding of those c that
/// have no second word in `lows`, and of what comes of the terms from c[kPrecise] on: Horner's rule
/// that sums up its own errors (Graillat, Langlois, Louvet).
template <class R>
Pair<R> precisePolynomial(Pair<R> x, std::initializer_list<double> c,
                          std::initializer_list<double> lows = {}) {
  constexpr int kPrecise = 8;
  const double *at = c.end();
  R value = x.high.number(*--at), error = x.high.number(0.0);
  while (at - c.begin() > kPrecise)
    value = fma(value, x.high, *--at);
  while (at != c.begin()) {
    Pair<R> product = exactProduct(value, x.high);
    Pair<R> sum = exactSum(product.high, x.high.number(*--at));
    R lost = product.low + sum.low;
    if (size_t(at - c.begin()) < lows.size())
      lost = lost + lows.begin()[at - c.begin()];
    error = fma(error, x.high, fma(value, x.low, lost));
    value = sum.high;
  }
  return quickSum(value, error);
}

} // namespace tritonrt::mathlib

#endif // TRITONRT_COMPILER_MATH_DOUBLEWORD_H
