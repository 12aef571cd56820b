// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// |x|^y as exp(y log |x|), with the logarithm in two words, then the signs and the cases of C's
// pow.
#ifndef TRITONRT_COMPILER_MATH_POWER_H
#define TRITONRT_COMPILER_MATH_POWER_H

#include "compiler/math/Exponential.h"
#include "compiler/math/Logarithm.h"

namespace tritonrt::mathlib {

/// log(x) for positive finite x, relative error 2^-40 and 2^-64.
///
/// With s = f / (2 + f): log(1 + f) = 2 s + s^3 (2/3 + s^2 (2/5 + ...)).
template <class R> Pair<R> logPair(R x) {
  LogParts<R> parts = logParts(x);
  Pair<R> f = {parts.f, x.number(0.0)};
  Pair<R> s = f / quickSum(x.number(2.0), parts.f);
  Pair<R> z = s * s;
  R q;
  if constexpr (R::kBits == 32)
    q = polynomial(z.high, {0x1.999998p-2, 0x1.2493acp-2, 0x1.c644a4p-3, 0x1.8fee1ap-3});
  else
    q = polynomial(z.high, {0x1.999999999999ap-2, 0x1.249249249246dp-2, 0x1.c71c71c722ae8p-3,
                            0x1.745d174160fddp-3, 0x1.3b13b31b4c31cp-3, 0x1.1110927156155p-3,
                            0x1.e20bf0b89031dp-4, 0x1.aae4aa71e4931p-4, 0x1.c34e67befdbddp-4});
  Pair<R> inner = quickSum(x.number(kBits<R>(0x1.555556p-1, 0x1.5555555555555p-1)), q * z.high);
  inner.low = inner.low + kBits<R>(-0x1.555556p-26, 0x1.5555555555555p-55);
  Pair<R> tail = s * z * inner;
  Pair<R> log1 = Pair<R>{s.high + s.high, s.low + s.low} + tail;
  constexpr Step step = kLn2Step<R>;
  Pair<R> logOfPower = exactProduct(parts.exponent, x.number(step.high));
  logOfPower.low = fma(parts.exponent, step.low, logOfPower.low);
  return quickSum(logOfPower.high, logOfPower.low) + log1;
}

/// What pow asks of its exponent.
template <class R> struct Exponent {
  R nearest;
  R low; // what `nearest` lacks
  /// The sign bit where it is an odd integer.
  typename R::Int oddSign;
  decltype(R() == R()) isInteger;
};

template <class R> R powOf(R x, Exponent<R> y) {
  R magnitude = abs(x);
  auto isFinite = (magnitude > 0.0) & (magnitude < kInf);
  // y log x is 0, infinity or NaN in the first word alone: the second must not spoil it.
  Pair<R> logarithm = logPair(select(isFinite, magnitude, 1.0));
  // Beyond these all is infinity, 0 or 1; a product of larger numbers would not fit.
  R exponent = clamped(y.nearest, -kBits<R>(0x1p40, 0x1p80), kBits<R>(0x1p40, 0x1p80));
  Pair<R> product = exactProduct(logarithm.high, exponent);
  product.low = fma(logarithm.low, exponent, product.low) + logarithm.high * y.low;
  product = quickSum(product.high, product.low);
  R result = exp(product);

  // 0 and infinity, by the sign of the exponent.
  auto isBelow = magnitude < 1.0, isInverse = y.nearest < 0.0;
  auto grows = (isBelow & isInverse) | !(isBelow | isInverse);
  result = select(isFinite | isNan(x), result, select(grows, kInf, x.number(0.0)));
  auto sign = bitsOf(x) & y.oddSign;
  result = R::ofBits(bitsOf(result) ^ sign);
  // No root of a negative number.
  auto isRoot = (x < 0.0) & (x > -kInf) & !y.isInteger;
  result = select(isRoot | isNan(x, y.nearest), kNan, result);
  return select((y.nearest == 0.0) | (x == 1.0), 1.0, result);
}

template <class R> R pow(R x, R y) {
  auto isInteger = isWhole(y);
  R half = y * 0.5;
  auto sign = y.integer(kSignBit<R>);
  auto oddSign = select(isInteger & !isWhole(half), sign, 0);
  R inside = clamped(y, -kLargest<R>, kLargest<R>);
  return powOf(x, Exponent<R>{inside, y.number(0.0), oddSign, isInteger});
}

/// x^n for an integer of 32 bits.
template <class R, class I> R powi(R x, I n) {
  // Two halves that every format holds.
  auto lowHalf = n & 0xffff;
  Pair<R> exponent = quickSum(R::fromInt32(n - lowHalf), R::fromInt32(lowHalf));
  auto oddSign = R::extended(n) << (R::kBits - 1);
  return powOf(x, Exponent<R>{exponent.high, exponent.low, oddSign, oddSign == oddSign});
}

} // namespace tritonrt::mathlib

#endif // TRITONRT_COMPILER_MATH_POWER_H
