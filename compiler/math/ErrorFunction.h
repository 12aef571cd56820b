// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The error function and its relatives. In f32 all but erf go through f64.
#ifndef TRITONRT_COMPILER_MATH_ERRORFUNCTION_H
#define TRITONRT_COMPILER_MATH_ERRORFUNCTION_H

#include "compiler/math/Exponential.h"
#include "compiler/math/Logarithm.h"

namespace tritonrt::mathlib {

/// f(x) in f64, where x has another format.
template <class R, class F> R throughWide(R x, F f) { return R::narrowed(f(widen(x))); }

/// (1 + 2 x) exp(x^2) erfc(x) for x >= 0, as a polynomial in (x - k) / (x + k).
template <class R> Pair<R> scaledErfcx(Pair<R> x) {
  constexpr double k = 3.75;
  R inside = atMost(x.high, 0x1p60);
  Pair<R> whole = {inside, select(inside == x.high, x.low, 0.0)};
  Pair<R> t = (whole + inside.number(-k)) / (whole + inside.number(k));
  return precisePolynomial(t,
                           {0x1.3ccda0b5d5dc2p+0,   -0x1.1f367683f89a7p-3,  0x1.d5f2948162dbbp-9,
                            0x1.510169d096765p-4,   -0x1.bda9309a360a4p-4,  0x1.7a14188a9b747p-4,
                            -0x1.e0d0fa6c0648bp-5,  0x1.d0b0037d5029dp-6,   -0x1.3f603c808e119p-7,
                            0x1.cc3a0e692f1d3p-10,  0x1.33fb5baa40361p-12,  -0x1.303fa38d4e8acp-12,
                            0x1.b13df50faeb7cp-15,  0x1.778b70b6a0179p-16,  -0x1.7fcb295f8040bp-17,
                            -0x1.0553af22bfa2p-20,  0x1.d393125d04f95p-20,  -0x1.ebca10437f729p-25,
                            -0x1.0acb5ff1a7b2bp-22, 0x1.8fee01cd74e8cp-26,  0x1.12558d086ed82p-25,
                            -0x1.0185770f42b49p-28, -0x1.677069c5011c1p-29, 0x1.56332f101ed37p-32});
}

/// erfc(x) exp(x^2) for x >= 0.
template <class R> Pair<R> erfcxOfMagnitude(Pair<R> x) {
  return scaledErfcx(x) / linear(x, 2.0, 1.0);
}

/// exp(-x^2) * 2^shift, for whole numbers `shift` up to 1000.
template <class R> Scaled<R> expMinusSquare(Pair<R> x, R shift) {
  Pair<R> square = exactProduct(x.high, x.high);
  square.low = fma(x.high + x.high, x.low, square.low);
  constexpr Step step = kLn2Step<R>;
  return scaledExp(Pair<R>{shift * step.high, shift * step.low} + -square);
}

/// erfc(|x|) * 2^shift.
template <class R> Scaled<R> erfcOfMagnitude(Pair<R> x, R shift) {
  // Beyond this all is 0.
  R high = atMost(x.high, 30);
  Pair<R> inside = {high, select(high == x.high, x.low, 0.0)};
  Scaled<R> result = expMinusSquare(inside, shift);
  result.power = erfcxOfMagnitude(inside) * result.power;
  return result;
}

/// erf(x) / x - 1 of the square of |x| <= 1.
template <class R> R erfTail(R square) {
  return polynomial(square,
                    {0x1.06eba8214db68p-3, -0x1.812746b0379bcp-2, 0x1.ce2f21a040c67p-4,
                     -0x1.b82ce311f7e11p-6, 0x1.565bccf8d366ap-8, -0x1.c02db030cfafap-11,
                     0x1.f9a2b9742a6cap-14, -0x1.f4ca3b10109b8p-17, 0x1.b97f20131d4bp-20,
                     -0x1.5c02e276523bcp-23, 0x1.d6fdbf70fe19cp-27, -0x1.ab575a2063fa8p-31});
}

/// Below 1 an odd polynomial, from there on 1 - exp(-g(|x|)).
template <class R> R erfShort(R x) {
  R magnitude = abs(x);
  R p = polynomial(x * x, {0x1.06eba8p-3, -0x1.81273ep-2, 0x1.ce2ce6p-4, -0x1.b7f716p-6,
                           0x1.53f1dcp-8, -0x1.a34e26p-11, 0x1.47662ap-14});
  R nearZero = fma(magnitude, p, magnitude);
  R g = polynomial(atMost(magnitude, 3.95),
                   {-0x1.3c66c6p-12, 0x1.215264p+0, 0x1.438d6p-1, 0x1.c27c4p-4, -0x1.b00858p-6,
                    0x1.36d054p-8, -0x1.37255cp-11, 0x1.7f4e32p-15, -0x1.b2f116p-20});
  R far = 1.0 - expInRange(-g);
  return copySign(select(magnitude < 1.0, nearZero, far), x);
}

template <class R> R erf(R x) {
  if constexpr (R::kBits == 32)
    return erfShort(x);
  R magnitude = abs(x);
  R near = fma(erfTail(x * x), magnitude, magnitude);
  Scaled<R> rest = erfcOfMagnitude(Pair<R>{magnitude, x.number(0.0)}, x.number(0.0));
  R far = 1.0 - scaled(sum(rest.power), rest);
  return copySign(select(magnitude < 1.0, near, far), x);
}

/// 1 - erf(x) for |x| < 1/2.
template <class R> Pair<R> erfcNear(Pair<R> x) {
  Pair<R> rest = quickSum(x.high.number(1.0), -x.high);
  return quickSum(rest.high, rest.low - fma(erfTail(x.high * x.high), x.high, x.low));
}

/// erfc(high + low).
template <class R> R erfc(Pair<R> x) {
  R magnitude = abs(x.high);
  Scaled<R> rest = erfcOfMagnitude(Pair<R>{magnitude, x.low * copySign(x.high.number(1.0), x.high)},
                                   x.high.number(0.0));
  R size = scaled(sum(rest.power), rest);
  R near = sum(erfcNear(x));
  R far = select(x.high < 0.0, 2.0 - size, size);
  return select(magnitude < 0.5, near, far);
}

template <class R> R erfc(R x) {
  if constexpr (R::kBits == 32)
    return throughWide(x, [](auto wide) { return erfc(wide); });
  else
    return erfc(Pair<R>{x, x.number(0.0)});
}

/// exp(x^2) erfc(x).
template <class R> R erfcx(R x) {
  if constexpr (R::kBits == 32)
    return throughWide(x, [](auto wide) { return erfcx(wide); });
  R magnitude = abs(x), zero = x.number(0.0);
  R right = sum(erfcxOfMagnitude(Pair<R>{atMost(magnitude, 0x1p60), zero}));
  // From there on the series has one term: 1 / (x sqrt(pi)).
  right = select(magnitude > 0x1p60, 0x1.20dd750429b6dp-1 / magnitude, right);
  R inside = atMost(magnitude, 30);
  Scaled<R> growth = scaledExp(exactProduct(inside, inside));
  R left = fma(scaled(sum(growth.power), growth), 2.0, -right);
  R near = scaled(sum(growth.power * erfcNear(Pair<R>{x, zero})), growth);
  return select(magnitude < 0.5, near, select(x < 0.0, left, right));
}

/// The normal distribution: erfc(-x / sqrt(2)) / 2.
template <class R> R normcdf(R x) {
  if constexpr (R::kBits == 32)
    return throughWide(x, [](auto wide) { return normcdf(wide); });
  constexpr double kHigh = -0x1.6a09e667f3bcdp-1, kLow = 0x1.bdd3413b26456p-55;
  R inside = clamped(x, -60, 60);
  Pair<R> product = exactProduct(inside, x.number(kHigh));
  product.low = fma(inside, kLow, product.low);
  return erfc(product) * 0.5;
}

/// The z at which erf(z) = y and erfc(z) = c, for y = 1 - c >= 0 of which each is exact where it is
/// small: a polynomial in w = -log(1 - y^2), or in sqrt(w), relative error 2^-27, and one step of
/// Halley's.
template <class R> R inverseErf(R y, R c) {
  auto isNear = y < 0.5;
  R w = -select(isNear, log1p(-(y * y)), log(c * (2.0 - c)));
  R s = sqrt(w);
  R nearOverY = polynomial(fma(w, 0.4, -1.0),
                           {0x1.805c5d0533412p+0, 0x1.3bb31702628a6p-1, -0x1.abc256f03bc74p-6,
                            -0x1.40b40ebcd12b7p-6, 0x1.176514a6dc384p-7, -0x1.fbef20029e00bp-12,
                            -0x1.b74fcbec48b8cp-11, 0x1.29f3111f97c86p-12, 0x1.c1de2c95f4aebp-16,
                            -0x1.17f104e9c4d8ap-15, 0x1.d41a02d2aab9bp-19});
  R middle = polynomial(fma(s, 1 / 2.9, -5.1 / 2.9),
                        {0x1.3cdc1dd063486p+2, 0x1.7702cc774e913p+1, -0x1.b61af1b840106p-10,
                         -0x1.29d8dea47d921p-8, 0x1.3433441ca6985p-8, -0x1.d1b700388dbd0p-9,
                         0x1.41ffa1422b421p-9, -0x1.530b138d3d352p-10, 0x1.4d941e39b13dap-12,
                         -0x1.2f0053639c3bcp-11, 0x1.19c5290241a7cp-10, -0x1.bf9cb1e93421bp-13,
                         -0x1.373c7901d322ep-11, 0x1.3b915712f200bp-12});
  R far = polynomial(fma(s, 0.1, -1.8),
                     {0x1.1ec484caa3649p+4, 0x1.40e09463f7a52p+3, -0x1.678ded4061fc8p-7,
                      0x1.28308ed3d6015p-8, -0x1.eaada432bc032p-10, 0x1.9651c5a99e2f8p-11,
                      -0x1.e5efccfdaaeeep-13, 0x1.a9bf406918981p-18, -0x1.acb6731d3e849p-14,
                      0x1.b2d2e4fcaa210p-14, 0x1.18427966cd75dp-14, -0x1.14ebe36b09ba7p-14});
  R z = select(w < 5.0, rounded(y, nearOverY), select(s < 8.0, middle, far));
  Pair<R> at = {z, z.number(0.0)};
  Pair<R> offset = exactSum(z, -y);
  R fromErf = offset.high + fma(erfTail(z * z), z, offset.low);
  // What is too small for a normal number is made larger.
  auto isFar = s > 8.0;
  R shift = select(isFar, y.number(100.0), 0.0);
  Scaled<R> value = erfcOfMagnitude(at, shift);
  R wanted = c * select(isFar, y.number(0x1p100), 1.0);
  R excess = (scaled(value.power.high, value) - wanted) + scaled(value.power.low, value);
  Scaled<R> slope = expMinusSquare(at, shift);
  // f / f', where the derivative of erf is 2 / sqrt(pi) exp(-z^2).
  R newton =
      select(isNear, fromErf, -excess) * 0x1.c5bf891b4ef6bp-1 / scaled(slope.power.high, slope);
  return z - newton / fma(newton, z, 1.0);
}

template <class R> R erfinv(R x) {
  if constexpr (R::kBits == 32)
    return throughWide(x, [](auto wide) { return erfinv(wide); });
  R y = abs(x);
  R z = inverseErf(y, 1.0 - y);
  R result = select(y < 1.0, z, select(y == 1.0, kInf, kNan * y));
  return copySign(select(y < kTiny<R>, y * 0x1.c5bf891b4ef6bp-1, result), x);
}

template <class R> R erfcinv(R x) {
  if constexpr (R::kBits == 32)
    return throughWide(x, [](auto wide) { return erfcinv(wide); });
  auto isLeft = x > 1.0;
  R y = abs(1.0 - x), c = select(isLeft, 2.0 - x, x);
  R z = inverseErf(y, c);
  z = select(c == 0.0, kInf, select(c > 0.0, z, kNan));
  return select(isLeft, -z, z);
}

/// -sqrt(2) erfcinv(2 x).
template <class R> R normcdfinv(R x) {
  if constexpr (R::kBits == 32)
    return throughWide(x, [](auto wide) { return normcdfinv(wide); });
  R z = erfcinv(x + x);
  // An infinite one and 0 have no second product.
  R low = select((abs(z) < kInf) & (abs(z) > 0.0), z * 0x1.bdd3413b26456p-54, -0.0);
  return fma(z, -0x1.6a09e667f3bcdp+0, low);
}

} // namespace tritonrt::mathlib

#endif // TRITONRT_COMPILER_MATH_ERRORFUNCTION_H
