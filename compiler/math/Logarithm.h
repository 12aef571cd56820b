// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Logarithms and the inverse hyperbolic functions: x = 2^e (1 + f) with 1 + f in [sqrt(1/2),
// sqrt(2)].
#ifndef TRITONRT_COMPILER_MATH_LOGARITHM_H
#define TRITONRT_COMPILER_MATH_LOGARITHM_H

#include "compiler/math/DoubleWord.h"
#include "compiler/math/Format.h"

namespace tritonrt::mathlib {

enum class Base { E, Two, Ten };

/// Bits of sqrt(1/2): where the exponent changes, so that 1 + f is around 1.
template <class R>
inline constexpr int64_t kSqrtHalfBits = R::kBits == 32 ? 0x3f3504f3 : 0x3fe6a09e667f3bcd;

/// (log(1 + f) - f + f^2 / 2) / f^3 in f32.
template <class R> R logTailShort(R f) {
  return polynomial(f, {0x1.55552ep-2, -0x1.000216p-2, 0x1.99b034p-3, -0x1.548186p-3, 0x1.21cd2cp-3,
                        -0x1.0c0eb4p-3, 0x1.0ae6ep-3, -0x1.4c628cp-4});
}

/// log(1 + f) - f, which is below half of f.
template <class R> R logTail(R f) {
  if constexpr (R::kBits == 32) {
    return (f * f) * fma(f, logTailShort(f), -0.5);
  } else {
    // With s = f / (2 + f): log(1 + f) = 2 atanh(s), and 2 s = f - s f.
    R s = f / (2.0 + f);
    R z = s * s;
    R q = polynomial(z, {0x1.5555555555555p-1, 0x1.9999999999a44p-2, 0x1.2492492474f5bp-2,
                         0x1.c71c720491a4fp-3, 0x1.745cf7affb6bp-3, 0x1.3b1c7d05918d3p-3,
                         0x1.0fb7278b39be7p-3, 0x1.0c50acb77556dp-3});
    R half = f * f * 0.5;
    return fma(s, fma(z, q, half), -half);
  }
}

/// log2(1 + f) in f32, with less error than the natural logarithm, whose f needs no factor: f less
/// half its square is kept in two words.
template <class R> R log2OfF(R f, double log2e, double log2eLow) {
  R square = f * f, rest = fma(f, f, -square);
  Pair<R> main = quickSum(f, square * -0.5);
  R low = fma(rest, -0.5, fma(f * square, logTailShort(f), main.low));
  return fma(main.high, log2e, fma(low, log2e, main.high * log2eLow));
}

/// log of 2^exponent * (1 + f).
template <class R> R logOfParts(R exponent, R f, Base base) {
  constexpr double kLn2 = kBits<R>(0x1.62e43p-1, 0x1.62e42fefa2p-1);
  constexpr double kLn2Low = kBits<R>(-0x1.05c61p-29, 0x1.9ef35793c7673p-41);
  constexpr double kLog2e = kBits<R>(0x1.715476p+0, 0x1.71547652b82fep+0);
  constexpr double kLog2eLow = kBits<R>(0x1.4ae0cp-26, 0x1.777d0ffda0d24p-56);
  constexpr double kLog10Of2 = kBits<R>(0x1.344136p-2, 0x1.34413509f6p-2);
  constexpr double kLog10Of2Low = kBits<R>(-0x1.ec10cp-27, 0x1.9fef311f12b36p-42);
  constexpr double kLog10e = kBits<R>(0x1.bcb7b2p-2, 0x1.bcb7b1526e50ep-2);
  constexpr double kLog10eLow = kBits<R>(-0x1.5b235ep-27, 0x1.95355baaafad3p-57);
  if (R::kBits == 32 && base == Base::Two)
    return exponent + log2OfF(f, kLog2e, kLog2eLow);
  R t = logTail(f);
  if (base == Base::E) {
    R low = fma(exponent, kLn2Low, t);
    return fma(exponent, kLn2, f + low);
  }
  if (base == Base::Two) {
    R low = fma(t, kLog2e, f * kLog2eLow);
    return exponent + fma(f, kLog2e, low);
  }
  R low = fma(t, kLog10e, f * kLog10eLow);
  low = fma(exponent, kLog10Of2Low, fma(f, kLog10e, low));
  return fma(exponent, kLog10Of2, low);
}

/// The logarithm's values where `zeroAt`, of which it is taken, is not a positive finite number.
template <class R> R withLogLimits(R result, R x, R zeroAt) {
  result = select(x < kInf, result, x);
  return select(zeroAt <= 0.0, select(zeroAt == 0.0, zeroAt.number(-kInf), kNan), result);
}

template <class R> struct LogParts {
  R exponent, f;
};

template <class R> LogParts<R> logParts(R x) {
  auto isSmall = x < kSmallestNormal<R>;
  R scaled = select(isSmall, x * kBits<R>(0x1p23, 0x1p52), x);
  auto bits = bitsOf(scaled);
  auto exponent = shiftRightSigned(bits - kSqrtHalfBits<R>, kMantissaBits<R>);
  R f = R::ofBits(bits - (exponent << kMantissaBits<R>)) - 1.0;
  return {R::ofInteger(exponent + select(isSmall, bits.integer(-kMantissaBits<R>), 0)), f};
}

template <class R> R logarithm(R x, Base base) {
  LogParts<R> parts = logParts(x);
  return withLogLimits(logOfParts(parts.exponent, parts.f, base), x, x);
}

template <class R> R log(R x) { return logarithm(x, Base::E); }
template <class R> R log2(R x) { return logarithm(x, Base::Two); }
template <class R> R log10(R x) { return logarithm(x, Base::Ten); }

/// log(1 + high + low) for finite high > -1 + low, |low| much below |high|.
///
/// With 1 + x = 2^e (1 + f): f = x 2^-e + (2^-e - 1), where no bit of x is lost.
template <class R> R log1pFinite(Pair<R> x) {
  auto bits = bitsOf(x.high + 1.0);
  auto exponent = shiftRightSigned(bits - kSqrtHalfBits<R>, kMantissaBits<R>);
  R scale = R::ofBits((kBias<R> - exponent) << kMantissaBits<R>);
  Pair<R> f = exactSum(scale - 1.0, x.high * scale);
  f = quickSum(f.high, fma(x.low, scale, f.low));
  // d log(1 + f) = df / (1 + f), where 1 - f is near enough.
  R t = logTail(f.high) + fma(-f.low, f.high, f.low);
  R real = R::ofInteger(exponent);
  R low = fma(real, kBits<R>(-0x1.05c61p-29, 0x1.9ef35793c7673p-41), t);
  return fma(real, kBits<R>(0x1.62e43p-1, 0x1.62e42fefa2p-1), f.high + low);
}

template <class R> R log1p(R x) {
  // The sum is x itself there, and its exponent may be that of the largest numbers.
  constexpr double kLarge = 0x1p60;
  R near = log1pFinite(Pair<R>{atMost(x, kLarge), x.number(0.0)});
  R result = withLogLimits(select(x > kLarge, log(x), near), x, x + 1.0);
  return select(x == 0.0, x, result);
}

} // namespace tritonrt::mathlib

#endif // TRITONRT_COMPILER_MATH_LOGARITHM_H
