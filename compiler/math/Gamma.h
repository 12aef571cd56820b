// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The gamma function and its logarithm, by Stirling's series and polynomials. In f32 they go
// through f64.
#ifndef TRITONRT_COMPILER_MATH_GAMMA_H
#define TRITONRT_COMPILER_MATH_GAMMA_H

#include "compiler/math/ErrorFunction.h"
#include "compiler/math/Power.h"
#include "compiler/math/Trigonometric.h"

namespace tritonrt::mathlib {

/// log(gamma(x)) for x >= 8: (x - 1/2) log x - x + log(2 pi) / 2 + series in 1 / x.
template <class R> Pair<R> stirling(R x) {
  Pair<R> main = logPair(x) * (x - 0.5) + -x;
  R inverse = 1.0 / x;
  R series = polynomial(inverse * inverse,
                        {0x1.5555555555555p-4, -0x1.6c16c16c14a74p-9, 0x1.a01a017e2c12fp-11,
                         -0x1.38134db1bbbf6p-11, 0x1.b92c6329f3697p-11, -0x1.ef92af4fe9e88p-10,
                         0x1.4c1b9ea338802p-8});
  Pair<R> rest = {x.number(0x1.d67f1c864beb5p-1), x.number(-0x1.65b5a1b7ff5dfp-55)};
  return main + (rest + inverse * series);
}

/// log(gamma(x)) for x > 0.
template <class R> Pair<R> logGammaRight(R x) {
  // gamma(1 + x) / x = gamma(x)
  auto isSmall = x < 0.5;
  R atOne = select(isSmall, x, x - 1.0), atTwo = x - 2.0;
  R zero = x.number(0.0);
  Pair<R> infinity = {x.number(kInf), zero};
  Pair<R> one = precisePolynomial(
      Pair<R>{atOne, zero},
      {-0x1.2788cfc6fb619p-1, 0x1.a51a6625307d2p-1,  -0x1.9a4d55beab2e9p-2, 0x1.151322ac7db4bp-2,
       -0x1.a8b9c17aa4039p-3, 0x1.5b40cb0fcc9bap-3,  -0x1.2703a1dda5242p-3, 0x1.010b36c3034e5p-3,
       -0x1.c806702b8cfebp-4, 0x1.9a01dcca8e4b1p-4,  -0x1.748c397828a4cp-4, 0x1.556b9033f1a57p-4,
       -0x1.3b1d3fe0c1a33p-4, 0x1.248988d73e365p-4,  -0x1.1114f47fdd1ccp-4, 0x1.00a9ae822353ep-4,
       -0x1.e20a8575a4f19p-5, 0x1.bb6a3c9185f9bp-5,  -0x1.ab8e0d4a350fbp-5, 0x1.e2c6d99e51ec2p-5,
       -0x1.a7a0c93c0e0ebp-5, 0x1.ad3f8afc376fap-8,  -0x1.56c468e4dd65ap-6, 0x1.3eb2e5067c65ep-3,
       -0x1.e18ea2aac24aap-4, -0x1.5ab73ea16bb16p-3, 0x1.f5176d2c9ce89p-4,  0x1.d6eb0acd79b9fp-3,
       -0x1.971c905432152p-3});
  one = one * atOne;
  one = select(isSmall, one + -logPair(x), one);
  one = select(x == 0.0, infinity, one);
  Pair<R> two = precisePolynomial(
      Pair<R>{atTwo, zero},
      {0x1.b0ee6072093cep-2, 0x1.4a34cc4a60fa8p-2, -0x1.13e001a557557p-4, 0x1.51322ac7d733bp-6,
       -0x1.e404fc21d89f6p-8, 0x1.7add6eafbbb78p-9, -0x1.38ac5bfd13cebp-10, 0x1.0b36aea9eb4b7p-11,
       -0x1.d3fd6a7917939p-13, 0x1.a12816b02e10ep-14, -0x1.78d8fb8a4c544p-15, 0x1.58000b61fbae4p-16,
       -0x1.3d4cab154ead6p-17, 0x1.26b5b4cc4fa3ap-18, -0x1.08ff14c6facb4p-19, 0x1.e5979a49b50fbp-21,
       -0x1.37f4744e341cdp-21, 0x1.3b054f8d8dee3p-22});
  two = two * atTwo;
  Pair<R> middle = precisePolynomial(
      Pair<R>{x - 3.5, zero},
      {0x1.3373018970a36p+0, 0x1.1a68793defc15p+0, 0x1.52494db9b8cf3p-3, -0x1.27781d4bafcf7p-6,
       0x1.7ff6b372c32fdp-9, -0x1.29143cf3247a5p-11, 0x1.fb192520f73d6p-14, -0x1.cc91754c4b046p-16,
       0x1.b4718e3d11201p-18, -0x1.aa5feae91a24dp-20, 0x1.aa1a10664eddcp-22, -0x1.b12cf8c76655cp-24,
       0x1.be296a8f8e5efp-26, -0x1.d39c61b045861p-28, 0x1.f14227b121c56p-30, -0x1.e615353bd2268p-32,
       0x1.d5b7fc5e44f48p-34, -0x1.a30d58b6c9a94p-35, 0x1.0c7a85b618d1ap-36});
  Pair<R> high =
      precisePolynomial(linear(Pair<R>{x, zero}, 4.0 / 7, -25.0 / 7),
                        {0x1.4e0dfde18c6e9p+2,   0x1.881a01cdbde7ap+1,   0x1.1003f3b7d5f2cp-2,
                         -0x1.b758bcbbf7dc0p-6,  0x1.0975a9b2538d6p-8,   -0x1.8007decce7ae0p-11,
                         0x1.33ed30590f7bdp-13,  -0x1.07efdc8b54ce9p-15, 0x1.da079b37fb3e8p-18,
                         -0x1.b87ccfe782ae9p-20, 0x1.a42152236de91p-22,  -0x1.98fb2a7f7cf60p-24,
                         0x1.9498bc2ed5939p-26,  -0x1.95bc15741456ap-28, 0x1.9daee27c76fa5p-30,
                         -0x1.a7727e960e965p-32, 0x1.95c5de87b9b7dp-34,  -0x1.a4bbc58b856e7p-36,
                         0x1.50694c8a5b793p-37,  -0x1.6228d0554413cp-39},
                        {0x1.58f62fa1aa4f4p-52, 0x1.ac4d98026ba20p-53, 0x1.a006e654d504dp-57});
  // Beyond this it is too large.
  constexpr double kMost = 0x1.754d9278b51a7p+1014;
  Pair<R> far = select(x > kMost, infinity, stirling(clamped(x, 8, kMost)));
  Pair<R> below = select(x < 1.5, one, select(x < 2.5, two, select(x < 4.5, middle, high)));
  // log 1 is a positive zero.
  below.high = below.high + 0.0;
  return select(x < 8.0, below, far);
}

/// log|gamma(x)|; gamma(x) gamma(-x) = -pi / (x sin(pi x)).
template <class R> R lgamma(R x) {
  if constexpr (R::kBits == 32)
    return throughWide(x, [](auto wide) { return lgamma(wide); });
  R magnitude = abs(x);
  Pair<R> logarithm = logGammaRight(magnitude);
  R right = sum(logarithm);
  Pair<R> pi = {x.number(0x1.921fb54442d18p+1), x.number(0x1.1a62633145c07p-53)};
  Pair<R> ratio = pi / exactProduct(magnitude, abs(sinpi(magnitude)));
  R mirrored = sum(logPair(ratio.high) + ratio.low / ratio.high + -logarithm);
  // Numbers this small are poles but for their sign; large negative ones are whole.
  mirrored = select(magnitude < 0x1p-60, right, mirrored);
  mirrored = select(isWhole(x), kInf, mirrored);
  return select(isNan(x), x, select(x < 0.0, mirrored, right));
}

template <class R> R tgamma(R x) {
  if constexpr (R::kBits == 32)
    return throughWide(x, [](auto wide) { return tgamma(wide); });
  R magnitude = abs(x);
  auto isSmall = magnitude < 8.0;
  // gamma(y) = gamma(y + 8) / (y (y + 1) ... (y + 7))
  R inside = atMost(magnitude, 200);
  Pair<R> moved = exactSum(inside, select(isSmall, inside.number(8.0), 0.0));
  Pair<R> logarithm = stirling(moved.high);
  // d log gamma = log(y - 1/2) and a little.
  logarithm = logarithm + moved.low * log(moved.high - 0.5);
  Pair<R> product = {inside, inside.number(0.0)};
  for (int k = 1; k < 8; ++k)
    product = product * exactSum(inside, inside.number(double(k)));
  Pair<R> divisor = {select(isSmall, product.high, 1.0), select(isSmall, product.low, 0.0)};
  // In two halves that are normal numbers where the result is.
  R sign = select(x < 0.0, x.number(-0.5), 0.5);
  Scaled<R> half = scaledExp(Pair<R>{logarithm.high * sign, logarithm.low * sign});
  Pair<R> square = half.power * half.power;
  R right = scaled(scaled(sum(square / divisor), half), half);
  Pair<R> pi = {x.number(0x1.921fb54442d18p+1), x.number(0x1.1a62633145c07p-53)};
  Pair<R> mirror = pi * divisor / (exactProduct(magnitude, sinpi(magnitude)));
  R left = -scaled(scaled(sum(square * mirror), half), half);
  left = select(isWhole(x), kNan, left);
  R result = select(x < 0.0, left, right);
  return select(magnitude < 0x1p-60, 1.0 / x, result);
}

} // namespace tritonrt::mathlib

#endif // TRITONRT_COMPILER_MATH_GAMMA_H
