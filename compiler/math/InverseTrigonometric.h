// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inverse trigonometric and hyperbolic functions.
#ifndef TRITONRT_COMPILER_MATH_INVERSETRIGONOMETRIC_H
#define TRITONRT_COMPILER_MATH_INVERSETRIGONOMETRIC_H

#include "compiler/math/Logarithm.h"

namespace tritonrt::mathlib {

template <class R> Pair<R> halfPi(R like) {
  return {like.number(kBits<R>(0x1.921fb6p+0, 0x1.921fb54442d18p+0)),
          like.number(kBits<R>(-0x1.777a5cp-25, 0x1.1a62633145c07p-54))};
}

/// atan(high + low) for 0 <= high <= 1.
template <class R> Pair<R> atanInOne(Pair<R> x) {
  R square = x.high * x.high;
  R p;
  if constexpr (R::kBits == 32)
    p = polynomial(square,
                   {-0x1.555552p-2, 0x1.99981ep-3, -0x1.247642p-3, 0x1.c5133ep-4, -0x1.695a42p-4,
                    0x1.1517e8p-4, -0x1.70a4e2p-5, 0x1.7568a6p-6, -0x1.e701fcp-8, 0x1.29af5ep-10});
  else
    p = polynomial(square, {-0x1.5555555555554p-2,  0x1.9999999999421p-3,  -0x1.24924924720a7p-3,
                            0x1.c71c71bc4fc3p-4,    -0x1.745d163cc6616p-4, 0x1.3b13a0d4b8a72p-4,
                            -0x1.11105caace4fcp-4,  0x1.e1d693b441491p-5,  -0x1.aee3f60390772p-5,
                            0x1.84d755eb1ddc9p-5,   -0x1.5f87a1a163203p-5, 0x1.39e30c927146fp-5,
                            -0x1.0e1e28fb88777p-5,  0x1.b0c5229b5e7fp-6,   -0x1.35b02d681db42p-6,
                            0x1.7adc01cfabe19p-7,   -0x1.7a1f08949bea5p-8, 0x1.23be106e75b2p-9,
                            -0x1.4388f3c1f8545p-11, 0x1.c817458d395ap-14,  -0x1.31a9f9ee37754p-17});
  // d atan = 1 / (1 + x^2).
  R low = x.low / (square + 1.0);
  return quickSum(x.high, fma(p * square, x.high, low));
}

/// high + low = a / b for finite a, b whose quotient is normal.
template <class R> Pair<R> quotientPair(R a, R b) {
  R q = a / b;
  return {q, fma(-q, b, a) / b};
}

template <class R> R atan(R x) {
  R magnitude = abs(x);
  auto isLarge = magnitude > 1.0;
  R inverse = 1.0 / magnitude;
  // Nothing is lost of 1 / x that matters beside pi/2, but near 1.
  R lost = fma(-inverse, magnitude, 1.0) * inverse;
  lost = select(isLarge & (magnitude < kBits<R>(0x1p24, 0x1p53)), lost, 0.0);
  Pair<R> a = atanInOne(Pair<R>{select(isLarge, inverse, magnitude), lost});
  R result = select(isLarge, sum(halfPi(x) + -a), sum(a));
  return copySign(result, x);
}

/// The angle of the point (x, y), in all quadrants.
template <class R> R atan2(R y, R x) {
  R across = abs(x), up = abs(y);
  auto isSteep = up > across;
  R least = select(isSteep, across, up), most = select(isSteep, up, across);
  // Both infinite count as equal; 0 / 0 is 0.
  auto isDiagonal = (least == kInf) & (most == kInf);
  // Words below the normal numbers are lost: small numbers become large, the largest not too large.
  R scale = select(most < kBits<R>(0x1p-60, 0x1p-500), most.number(kBits<R>(0x1p90, 0x1p900)),
                   kBits<R>(0x1p-30, 0x1p-100));
  scale = select((most < kBits<R>(0x1p60, 0x1p500)) & !(most < kBits<R>(0x1p-60, 0x1p-500)), 1.0,
                 scale);
  R a = least * scale, b = most * scale;
  R ratio = a / b;
  R lost = fma(-ratio, b, a) / b;
  ratio = select(isDiagonal, 1.0, select(most == 0.0, 0.0, ratio));
  auto isPlain = (most > 0.0) & (most < kInf);
  Pair<R> angle = atanInOne(Pair<R>{ratio, select(isPlain, lost, 0.0)});
  Pair<R> quarter = halfPi(x);
  auto choose = [](auto c, Pair<R> p, Pair<R> q) {
    return Pair<R>{select(c, p.high, q.high), select(c, p.low, q.low)};
  };
  Pair<R> folded = choose(isSteep, quarter + -angle, angle);
  auto isLeft = (bitsOf(x) & kSignBit<R>) != 0;
  R left = sum(Pair<R>{quarter.high + quarter.high, quarter.low + quarter.low} + -folded);
  R result = copySign(select(isLeft, left, sum(folded)), y);
  return select(isNan(x, y), kNan, result);
}

/// (asin(x) - x) / x of the square, up to 1/4.
template <class R> R asinTail(R square) {
  if constexpr (R::kBits == 32)
    return square * polynomial(square, {0x1.555552p-3, 0x1.33365ap-4, 0x1.6cf59ep-5, 0x1.02833ep-5,
                                        0x1.f55aeep-7, 0x1.2a38d2p-5});
  else
    return square *
           polynomial(square, {0x1.555555555555ap-3, 0x1.33333333318ddp-4, 0x1.6db6db6fb3daep-5,
                               0x1.f1c71b66e9fd1p-6, 0x1.6e8bc95b919aep-6, 0x1.1c4b5aa9ce2dap-6,
                               0x1.c9ff93d67ac4cp-7, 0x1.767d2ff863c7fp-7, 0x1.5c1583b5b0a25p-7,
                               0x1.1817c89f91b97p-8, 0x1.4e05dac2b3ebep-6, -0x1.3ab30316e8338p-6,
                               0x1.0279a5dd4f4edp-5});
}

/// asin of |x| up to 1/2; of sqrt((1 - |x|) / 2) beyond, of which asin and acos are twice.
template <class R> struct ArcSine {
  decltype(R() == R()) isHalf;
  Pair<R> value;
};

template <class R> ArcSine<R> arcSine(R magnitude) {
  auto isHalf = magnitude <= 0.5;
  R rest = 0.5 - magnitude * 0.5;
  R square = select(isHalf, magnitude * magnitude, rest);
  R root = sqrt(rest);
  R lost = fma(-root, root, rest) * (0.5 / root);
  R s = select(isHalf, magnitude, root);
  lost = select(isHalf | (rest == 0.0), 0.0, lost);
  return {isHalf, quickSum(s, fma(asinTail(square), s, lost))};
}

template <class R> R asin(R x) {
  ArcSine<R> a = arcSine(abs(x));
  Pair<R> twice = {a.value.high * -2.0, a.value.low * -2.0};
  return copySign(select(a.isHalf, sum(a.value), sum(halfPi(x) + twice)), x);
}

template <class R> R acos(R x) {
  ArcSine<R> a = arcSine(abs(x));
  auto isNegative = x < 0.0;
  Pair<R> quarter = halfPi(x);
  R sign = select(isNegative, x.number(1.0), -1.0);
  R middle = sum(quarter + Pair<R>{a.value.high * sign, a.value.low * sign});
  Pair<R> twice = {a.value.high + a.value.high, a.value.low + a.value.low};
  R left = sum(Pair<R>{quarter.high + quarter.high, quarter.low + quarter.low} + -twice);
  return select(a.isHalf, middle, select(isNegative, left, sum(twice)));
}

/// log(|x| + sqrt(x^2 + 1)) = log1p(|x| + x^2 / (1 + sqrt(x^2 + 1))).
template <class R> R asinh(R x) {
  constexpr double kLarge = kBits<R>(0x1p28, 0x1p60);
  R magnitude = abs(x);
  R a = atMost(magnitude, kLarge);
  Pair<R> square = exactProduct(a, a);
  Pair<R> whole = square + a.number(1.0);
  R root = sqrt(whole.high);
  R rootLow = (fma(-root, root, whole.high) + whole.low) * (0.5 / root);
  Pair<R> fraction = square / (quickSum(root, rootLow) + a.number(1.0));
  R near = log1pFinite(fraction + a);
  R far = log(magnitude) + kBits<R>(0x1.62e43p-1, 0x1.62e42fefa39efp-1);
  R result = select(magnitude < kLarge, near, far);
  return select(magnitude < kTiny<R>, x, copySign(result, x));
}

/// With t = x - 1: log1p(t + sqrt(t (t + 2))).
template <class R> R acosh(R x) {
  constexpr double kLarge = kBits<R>(0x1p28, 0x1p60);
  R t = atMost(x, kLarge) - 1.0;
  Pair<R> square = exactProduct(t, t) + Pair<R>{t + t, t.number(0.0)};
  R root = sqrt(square.high);
  R rootLow = (fma(-root, root, square.high) + square.low) * (0.5 / root);
  Pair<R> whole = Pair<R>{root, select(square.high == 0.0, 0.0, rootLow)} + t;
  R far = log(x) + kBits<R>(0x1.62e43p-1, 0x1.62e42fefa39efp-1);
  R result = select(x < kLarge, log1pFinite(whole), far);
  return select(x >= 1.0, result, kNan);
}

/// log1p(2 |x| / (1 - |x|)) / 2.
template <class R> R atanh(R x) {
  R magnitude = abs(x);
  R rest = 1.0 - magnitude;
  // What 1 - |x| lacks.
  R restLow = (1.0 - rest) - magnitude;
  Pair<R> ratio = Pair<R>{magnitude + magnitude, x.number(0.0)} / Pair<R>{rest, restLow};
  R result = log1pFinite(ratio) * 0.5;
  result = select(magnitude == 1.0, kInf, select(magnitude <= 1.0, result, kNan));
  return select(magnitude < kTiny<R>, x, copySign(result, x));
}

} // namespace tritonrt::mathlib

#endif // TRITONRT_COMPILER_MATH_INVERSETRIGONOMETRIC_H
