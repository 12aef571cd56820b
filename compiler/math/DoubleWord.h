// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers of twice the precision, as the unevaluated sum of two floats, after Dekker and Knuth.
// Only finite operands keep their meaning: users select the special cases afterwards.
//
// A target may contract a product and a sum into one fma. Each error term below is therefore taken
// from the value that was really computed, so that the sum of both words stays right. For the same
// reason the high word of a product must go through a sum of these before it is added to anything
// that holds its low word: contracted, it would bring that along a second time.
#ifndef TRITONRT_COMPILER_MATH_DOUBLEWORD_H
#define TRITONRT_COMPILER_MATH_DOUBLEWORD_H

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

/// a * b exactly.
template <class R> Pair<R> exactProduct(R a, R b) {
  R product = a * b;
  return {product, fma(a, b, -product)};
}

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
  R first = a.high * inverse;
  R rest = fma(-first, b.high, a.high) + fma(-first, b.low, a.low);
  return quickSum(first, rest * inverse);
}

template <class R> R sum(Pair<R> a) { return a.high + a.low; }

} // namespace tritonrt::mathlib

#endif // TRITONRT_COMPILER_MATH_DOUBLEWORD_H
