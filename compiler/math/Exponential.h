// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// exp and its relatives: 2^n times a polynomial in the rest, which is at most half a step of n.
#ifndef TRITONRT_COMPILER_MATH_EXPONENTIAL_H
#define TRITONRT_COMPILER_MATH_EXPONENTIAL_H

#include "compiler/math/DoubleWord.h"
#include "compiler/math/Format.h"

namespace tritonrt::mathlib {

/// What is taken off an argument in whole steps: its inverse, and its value in two words.
struct Step {
  double inverse, high, low;
};

/// x = integer * step + rest, |rest| at most half of step but for rounding.
template <class R> struct Reduced {
  typename R::Int integer;
  R real; // the integer
  R rest;
  R before; // the rest without the low word's part
};

template <class R> Reduced<R> reduce(R x, Step step) {
  R magic = fma(x, step.inverse, kMagic<R>);
  R real = magic - kMagic<R>;
  R before = fma(real, -step.high, x);
  return {bitsOf(magic) - kMagicBits<R>, real, fma(real, -step.low, before), before};
}

/// What `rest` lacks.
template <class R> R lowOfRest(const Reduced<R> &reduced, Step step) {
  return fma(reduced.real, -step.low, reduced.before - reduced.rest);
}

/// ln 2 and log10(2), whose high words are so short that their multiples are exact.
template <class R>
inline constexpr Step kLn2Step =
    R::kBits == 32 ? Step{0x1.715476p+0, 0x1.62e4p-1, 0x1.7f7d1cp-20}
                   : Step{0x1.71547652b82fep+0, 0x1.62e42fefa2p-1, 0x1.9ef35793c7673p-41};
template <class R>
inline constexpr Step kLog10Of2Step =
    R::kBits == 32 ? Step{0x1.a934fp+1, 0x1.344p-2, 0x1.3509f8p-18}
                   : Step{0x1.a934f0979a371p+1, 0x1.34413509f6p-2, 0x1.9fef311f12b36p-42};

/// (exp(r) - 1 - r) / r^2 for |r| <= ln 2 / 2; relative errors of exp 2^-28 and 2^-58.
template <class R> R expTail(R r) {
  if constexpr (R::kBits == 32)
    return polynomial(r,
                      {0x1.fffffap-2, 0x1.55548ap-3, 0x1.555a12p-5, 0x1.123f7cp-7, 0x1.696e4ep-10});
  else
    return polynomial(r, {0x1.000000000000bp-1, 0x1.555555555555cp-3, 0x1.55555555502b3p-5,
                          0x1.111111110eb78p-7, 0x1.6c16c1853e767p-10, 0x1.a01a01b3d2ed9p-13,
                          0x1.a0199771732fbp-16, 0x1.71ddef562bdb9p-19, 0x1.28afa54502123p-22,
                          0x1.af6d3b7241a96p-26});
}

/// (exp(r) - 1 - r - r^2 / 2) / r^3; relative errors of exp 2^-31 and 2^-60.
template <class R> R expTailOfThree(R r) {
  if constexpr (R::kBits == 32)
    return polynomial(r,
                      {0x1.555556p-3, 0x1.5554ep-5, 0x1.110ffp-7, 0x1.6d56f2p-10, 0x1.a26eap-13});
  else
    return polynomial(r, {0x1.555555555555cp-3, 0x1.555555555555cp-5, 0x1.111111110eb78p-7,
                          0x1.6c16c16c140ddp-10, 0x1.a01a01b3d2ed9p-13, 0x1.a01a01b11b783p-16,
                          0x1.71ddef562bdb9p-19, 0x1.27e4c5a9b3afcp-22, 0x1.af6d3b7241a96p-26,
                          0x1.1f946fd79f002p-29});
}

/// exp(r) - 1 for a rest in two words, the first of which is at most ln 2 / 2.
template <class R> Pair<R> expm1OfRest(Pair<R> r) {
  R square = r.high * r.high;
  R lost = fma(r.high, r.high, -square);
  R low = fma(lost, 0.5, fma(r.low, r.high, r.low));
  low = fma(expTailOfThree(r.high), square * r.high, low);
  Pair<R> sum = quickSum(r.high, square * 0.5);
  return quickSum(sum.high, sum.low + low);
}

/// exp(r) in f32.
template <class R> R expOfRest(R r) { return fma(fma(expTail(r), r, 1.0), r, 1.0); }

/// 2^k for normal numbers.
template <class R> R powerOfTwo(typename R::Int k) {
  return R::ofBits((k + kBias<R>) << kMantissaBits<R>);
}

/// exp(x) * 2^more for arguments whose result's exponent is in the range of timesPowerOfTwo.
template <class R> R expInRange(R x, int more = 0) {
  Reduced<R> reduced = reduce(x, kLn2Step<R>);
  R power;
  if constexpr (R::kBits == 32) {
    power = expOfRest(reduced.rest);
  } else {
    R low = lowOfRest(reduced, kLn2Step<R>);
    power = (reduced.rest + fma(expTail(reduced.rest), reduced.rest * reduced.rest, low)) + 1.0;
  }
  if (!more)
    return timesPowerOfTwo(power, reduced.real, reduced.integer);
  return timesPowerOfTwo(power, reduced.real + double(more), reduced.integer + more);
}

template <class R> R exp(R x) {
  // Beyond these the result is 0 or infinity all the same.
  return expInRange(clamped(x, kBits<R>(-104, -746), kBits<R>(89, 710)));
}

/// power * 2^integer.
template <class R> struct Scaled {
  Pair<R> power;
  R real; // the integer
  typename R::Int integer;
};

/// a * 2^integer.
template <class R> R scaled(R a, const Scaled<R> &by) {
  return timesPowerOfTwo(a, by.real, by.integer);
}

/// exp(high + low), |low| much below |high|.
template <class R> Scaled<R> scaledExp(Pair<R> x) {
  R inside = clamped(x.high, kBits<R>(-104, -746), kBits<R>(89, 710));
  Reduced<R> reduced = reduce(inside, kLn2Step<R>);
  R low = lowOfRest(reduced, kLn2Step<R>) + select(inside == x.high, x.low, 0.0);
  Pair<R> rest = exactSum(reduced.rest, low);
  Pair<R> power = expm1OfRest(rest) + x.high.number(1.0);
  return {power, reduced.real, reduced.integer};
}
template <class R> R exp(Pair<R> x) {
  Scaled<R> result = scaledExp(x);
  return scaled(sum(result.power), result);
}

template <class R> R exp2(R x) {
  x = clamped(x, kBits<R>(-151, -1076), kBits<R>(129, 1025));
  R magic = x + kMagic<R>;
  R real = magic - kMagic<R>;
  R rest = x - real;
  R power;
  if constexpr (R::kBits == 32)
    power = polynomial(rest, {1.0, 0x1.62e43p-1, 0x1.ebfbd8p-3, 0x1.c6af6ap-5, 0x1.3b307ep-7,
                              0x1.5f13d2p-10, 0x1.3fd238p-13});
  else
    power =
        fma(polynomial(rest, {0x1.62e42fefa39efp-1, 0x1.ebfbdff82c598p-3, 0x1.c6b08d704a0c6p-5,
                              0x1.3b2ab6fba1dd9p-7, 0x1.5d87fe78a3f9bp-10, 0x1.43091309701a7p-13,
                              0x1.ffcbfc6da72aep-17, 0x1.62bfd476c729fp-20, 0x1.b524ebd0ad04p-24,
                              0x1.e60640a3f3efbp-28, 0x1.e9ec20ad87111p-32}),
            rest, 1.0);
  return timesPowerOfTwo(power, real, bitsOf(magic) - kMagicBits<R>);
}

template <class R> R exp10(R x) {
  x = clamped(x, kBits<R>(-46, -325), kBits<R>(39, 309));
  Reduced<R> reduced = reduce(x, kLog10Of2Step<R>);
  R power;
  if constexpr (R::kBits == 32) {
    power = polynomial(reduced.rest, {1.0, 0x1.26bb1cp+1, 0x1.53524cp+1, 0x1.046f98p+1,
                                      0x1.2bd76ep+0, 0x1.156d5cp-1, 0x1.a8f4b6p-3});
  } else {
    R p = polynomial(reduced.rest,
                     {-0x1.f48ad494ea3e9p-53, 0x1.53524c73cea69p+1, 0x1.0470591de2ca8p+1,
                      0x1.2bd7609fd98c8p+0, 0x1.1429ffd1d2defp-1, 0x1.a7ed70847a4c3p-3,
                      0x1.16e4dfcec641p-4, 0x1.4116b06a7513ap-6, 0x1.489786ed4675p-8,
                      0x1.2ea4fa872b2cap-10, 0x1.fbfc73f46b50dp-13, 0x1.85d44f3cda6dap-15});
    constexpr double kLn10 = 0x1.26bb1bbb55516p+1;
    R small = fma(p, reduced.rest, lowOfRest(reduced, kLog10Of2Step<R>) * kLn10);
    power = 1.0 + fma(reduced.rest, kLn10, small);
  }
  return timesPowerOfTwo(power, reduced.real, reduced.integer);
}

/// (exp(x) - 1) / 2 = 2^(n-1) (exp(r) - 1) + (2^(n-1) - 1/2), for x within [-100, 1.02 * ln
/// 2^kBias].
template <class R> Pair<R> halfExpm1(R x, bool isQuick = false) {
  Reduced<R> reduced = reduce(x, kLn2Step<R>);
  R power = powerOfTwo<R>(reduced.integer - 1);
  Pair<R> rest;
  if (isQuick)
    rest = quickSum(reduced.rest, expTail(reduced.rest) * (reduced.rest * reduced.rest));
  else
    rest = expm1OfRest(Pair<R>{reduced.rest, lowOfRest(reduced, kLn2Step<R>)});
  Pair<R> start = quickSum(power, power.number(-0.5));
  Pair<R> whole = exactSum(start.high, rest.high * power);
  return {whole.high, fma(rest.low, power, whole.low + start.low)};
}

template <class R> R expm1(R x) {
  R half = sum(halfExpm1(clamped(x, kBits<R>(-40, -80), kBits<R>(89, 710))));
  // Keeps the sign of zero, and what half of would be lost.
  return select(abs(x) < kTiny<R>, x, half + half);
}

/// h / (h + 1) with h = (exp(2 |x|) - 1) / 2.
template <class R> R tanh(R x) {
  R magnitude = atMost(abs(x), kBits<R>(10, 22));
  Pair<R> half = halfExpm1(magnitude + magnitude, /*isQuick=*/R::kBits == 32);
  return copySign(quotient(half, half + half.high.number(1.0)), x);
}

/// From here on exp(-x) is nothing beside exp(x).
template <class R> inline constexpr double kLargeExponent = R::kBits == 32 ? 10 : 20;

/// exp(|x|) / 2, infinity only where that is too large.
template <class R> R halfExp(R magnitude) {
  return expInRange(atMost(magnitude, kBits<R>(90, 711)), -1);
}

/// h + h / (2 h + 1) with h = (exp(|x|) - 1) / 2.
template <class R> R sinh(R x) {
  R magnitude = abs(x);
  Pair<R> half = halfExpm1(atMost(magnitude, kLargeExponent<R>));
  R near = sum(half + half / (half + half + half.high.number(1.0)));
  R result = select(magnitude < kLargeExponent<R>, near, halfExp(magnitude));
  return select(magnitude < kTiny<R>, x, copySign(result, x));
}

/// h + 1/2 + 1 / (4 (h + 1/2)) with h = (exp(|x|) - 1) / 2.
template <class R> R cosh(R x) {
  R magnitude = abs(x);
  Pair<R> half = halfExpm1(atMost(magnitude, kLargeExponent<R>)) + magnitude.number(0.5);
  R near = sum(half + 0.25 / half.high);
  return select(magnitude < kLargeExponent<R>, near, halfExp(magnitude));
}

} // namespace tritonrt::mathlib

#endif // TRITONRT_COMPILER_MATH_EXPONENTIAL_H
