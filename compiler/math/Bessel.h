// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bessel functions. Below 8 they are polynomials from root to root, with the roots taken out in two
// words so that values near them are right too; from there on they are Hankel's asymptotic forms.
// In f32 they go through f64.
#ifndef TRITONRT_COMPILER_MATH_BESSEL_H
#define TRITONRT_COMPILER_MATH_BESSEL_H

#include "compiler/math/ErrorFunction.h"
#include "compiler/math/Trigonometric.h"

#include <array>
#include <cmath>

namespace tritonrt::mathlib {

/// A root in two words.
struct Root {
  double high, low;
};

/// x - root.
template <class R> R from(R x, Root root) { return (x - root.high) - root.low; }
/// x^2 - root^2.
template <class R> R fromSquare(R x, Root root) { return from(x, root) * (x + root.high); }

inline constexpr double kTwoOverPiReal = 0x1.45f306dc9c883p-1;

/// J0 and J1 for 0 <= x < 8.
template <class R> R besselJ0Near(R x) {
  constexpr Root first{0x1.33d152e971b4p+1, -0x1.0f539d7da258ep-53};
  constexpr Root second{0x1.6148f5b2c2e45p+2, 0x1.75054cd60a517p-54};
  R low = polynomial(fma(x * x, 1.0 / 8, -1.0),
                     {-0x1.6b2948e843e2bp-4, 0x1.08d902d0bf62p-4, -0x1.17057235d9c2bp-6,
                      0x1.33fa04134f0abp-9, -0x1.a4b2380ccc27ap-13, 0x1.87a4ac4403e53p-17,
                      -0x1.08c62125cdd58p-21, 0x1.0fff1f8054886p-26, -0x1.b72e6570adc95p-32,
                      0x1.1e14037c21a68p-37, -0x1.331d6a446db45p-43, 0x1.1485f32f03892p-49,
                      -0x1.a5bc5bac804ddp-56});
  R high = polynomial(fma(x, 0.5, -3.0),
                      {0x1.416dc96e57c0dp-2, -0x1.3d97028754e31p-3, -0x1.63c76276a6db6p-3,
                       0x1.15618767e5ecap-4, 0x1.bb360f4da51efp-6, -0x1.307fa1bf1714ap-7,
                       -0x1.104aed82bc6b3p-9, 0x1.52a757da4e52fp-11, 0x1.949f14c2f60b7p-14,
                       -0x1.cd44d3a12983dp-16, -0x1.950fbbe872366p-19, 0x1.aab560126ef5p-21,
                       0x1.246112a3882f6p-24, -0x1.1dffaf36c1da4p-26, -0x1.3db00de9fd82ap-30,
                       0x1.14c59ccb7de7ap-32, 0x1.e4ec9c14a88dcp-37});
  return select(x < 4.0, fromSquare(x, first) * low, from(x, second) * high);
}
template <class R> R besselJ1Near(R x) {
  constexpr Root first{0x1.ea75575af6f09p+1, -0x1.60155a9d1b256p-53};
  constexpr Root second{0x1.c0ff5f3b4725p+2, -0x1.b226d9d243827p-54};
  R low = polynomial(fma(x * x, 0.08, -1.0),
                     {-0x1.041c9423ec767p-6, 0x1.acf566aaededbp-7, -0x1.15e32ff822fa4p-8,
                      0x1.8bf87b5439002p-11, -0x1.686a2a3c3f229p-14, 0x1.c95360babe43cp-18,
                      -0x1.ac92400b199b3p-22, 0x1.35278ce082b1ap-26, -0x1.623701daccd01p-31,
                      0x1.4a45c52b94574p-36, -0x1.ff29de760017cp-42, 0x1.4da7e5f0c8bfdp-47,
                      -0x1.74ac42e839ff1p-53, 0x1.65c52a589097fp-59});
  R high = polynomial(fma(x, 1 / 1.5, -6.5 / 1.5),
                      {0x1.318ace8aae253p-2, 0x1.5c67b06e36c0ap-5, -0x1.bd6b6f2354171p-4,
                       -0x1.3993bd7c84c55p-8, 0x1.73c697d432bdap-7, 0x1.66de7168c411ep-13,
                       -0x1.25d41485e1cc7p-11, -0x1.06b59e1e40df5p-19, 0x1.102a5295c1071p-16,
                       -0x1.0a91fae07b2e8p-25, -0x1.4c3b3a37a5e97p-22, 0x1.8a4cde723e843p-30,
                       0x1.1fb4a555cb104p-28, -0x1.bb9bfca83fafbp-36, -0x1.690fd26faa926p-35,
                       0x1.177a7838db5fdp-42});
  return select(x < 5.0, x * (fromSquare(x, first) * low), from(x, second) * high);
}

/// log(x / root), also near the root.
template <class R> R logOfRatio(R x, Root root) {
  R offset = from(x, root) / root.high;
  return select(abs(offset) < 0.25, log1p(offset), log(x) - std::log(root.high));
}

/// Y0 and Y1 for 0 < x < 8. About 0 they hold 2/pi log(x) times J0 and J1.
template <class R> R besselY0Near(R x) {
  constexpr Root first{0x1.c982eb8d417eap-1, 0x1.ea9d270347f83p-56};
  constexpr Root second{0x1.fa9534d98569cp+1, -0x1.f06ae7804384ep-54};
  constexpr Root third{0x1.c581dc4e72103p+2, -0x1.9774a495f56cfp-54};
  R rest = polynomial(fma(x * x, 1 / 2.88, -1.0),
                      {0x1.1b576332b11ap-3, -0x1.444891f4ca0a2p-5, 0x1.05b970f15c17bp-8,
                       -0x1.b4b29cbf1de4fp-13, 0x1.bef6f5ee66beap-18, -0x1.35deb551aea94p-23,
                       0x1.369ac2c00c292p-29, -0x1.d76ee9397067ap-36, 0x1.18630a92e8299p-42,
                       -0x1.0c7e6ad917e8ap-49, 0x1.a6f635ac3e7f4p-57, -0x1.16a4f57d4cb1bp-64});
  R low = fma(besselJ0Near(x) * kTwoOverPiReal, logOfRatio(x, first), fromSquare(x, first) * rest);
  R middle = polynomial(fma(x, 1 / 1.55, -3.95 / 1.55),
                        {-0x1.9c999b312dbe2p-2,  0x1.3d29102785d06p-4,   0x1.20ba92d83820dp-3,
                         -0x1.9dfd68f3daa6fp-6,  -0x1.9e64d168b71c2p-7,  0x1.c472ef9650e2ep-10,
                         0x1.7423e3a3413a8p-11,  -0x1.b78853fffd34p-14,  -0x1.4658998bc4032p-17,
                         -0x1.433e56dc6e344p-20, 0x1.9d640f53aa044p-20,  -0x1.f0a855d36ee35p-22,
                         0x1.447e90037af6cp-23,  -0x1.e8ef6f86dedfbp-25, 0x1.6c1c4bea107d1p-26,
                         -0x1.0d78403248a5ap-27, 0x1.8f7ed715b4d0bp-29,  -0x1.20590f4e08953p-30,
                         0x1.addce62cf8aabp-32,  -0x1.85eb017b27bdap-33, 0x1.24952b96fdd2dp-34,
                         -0x1.870d592cdb868p-38, 0x1.1fa3dda09b101p-39,  -0x1.10f7a7693b171p-37,
                         0x1.9ce5ba649f89fp-39});
  R high = polynomial(fma(x, 0.8, -5.4),
                      {0x1.34eee4b2f27c7p-2, 0x1.e6eea30e390bp-7, -0x1.3f0b6a143d0e3p-4,
                       0x1.150879f13dd6fp-11, 0x1.7503673705618p-8, -0x1.11fcc03869668p-13,
                       -0x1.9337e0e7b168dp-13, 0x1.50ab14797fd56p-18, 0x1.015dfadcb1ab3p-18,
                       -0x1.be5e136b4a2a9p-24, -0x1.ab9c08ae80647p-25, 0x1.5487518de9aap-30,
                       0x1.05f070c20c45ep-31, -0x1.d067c55d45cabp-37, -0x1.9fb9ad029e3ccp-39,
                       0x1.a54c4216f257bp-46, 0x1.f8c55c1479ef3p-46, -0x1.4b7a52c2a7338p-49});
  R beyond = select(x < 5.5, from(x, second) * middle, from(x, third) * high);
  return select(x < 2.4, low, beyond);
}
template <class R> R besselY1Near(R x) {
  constexpr Root first{0x1.193bed4dff243p+1, -0x1.bd1e50d219bfdp-55};
  constexpr Root second{0x1.5b7fe4e87b02ep+2, 0x1.dfe7bac228e8cp-52};
  R rest = polynomial(fma(x * x, 1 / 6.48, -1.0),
                      {0x1.7b0a90de45282p-3, 0x1.8317e9f9ff4d2p-7, -0x1.0ea617df740a7p-5,
                       0x1.eb27e87c31868p-8, -0x1.a4fc7484ac375p-11, 0x1.b534d69428dbcp-15,
                       -0x1.3463fd8d8e20ap-19, 0x1.3c7af3d1cb1bcp-24, -0x1.ef1ad7a50ed31p-30,
                       0x1.3170d5a3c7ee9p-35, -0x1.3121618a0849ep-41, 0x1.f7fdd3b2b4ddap-48,
                       -0x1.5e160e30f4637p-54, 0x1.9ecf790a9fe2ap-61});
  R low =
      fma(besselJ1Near(x) * kTwoOverPiReal, logOfRatio(x, first), fromSquare(x, first) * rest / x);
  R high = polynomial(fma(x, 1 / 2.2, -5.8 / 2.2),
                      {-0x1.49b44947e762ap-2,  0x1.2d972f3037083p-3,   0x1.ba65dec9dd691p-3,
                       -0x1.36a3329263455p-4,  -0x1.5a553583a1258p-5,  0x1.957e9abfa5dfp-7,
                       0x1.136b832feba56p-8,   -0x1.1acf3717056f6p-10, -0x1.ef0247cc4cedfp-13,
                       0x1.b69698aeee73ap-15,  0x1.64ab10eea6d7bp-17,  -0x1.3e00890b30526p-19,
                       -0x1.bf01c42a99053p-24, -0x1.bf05c64c8632ep-27, 0x1.fd9321cab5a75p-26,
                       -0x1.5ca7d026477c4p-27, 0x1.d754fa2edd586p-29,  -0x1.6c76706653ab8p-30,
                       0x1.0e33846d037b3p-31,  -0x1.a220fbfd797d2p-33, 0x1.90e37e1335f1ap-34,
                       -0x1.1fc301af26aabp-35, 0x1.8ce24142e3976p-40,  -0x1.5e03193e61d4fp-40,
                       0x1.2a82fa477d52ep-38,  -0x1.a66cb7e443185p-40});
  return select(x < 3.6, low, from(x, second) * high);
}

/// Of x >= 8: sqrt(2 / (pi x)) (P cos - Q sin), and with the other function for Y. The angle is x
/// less pi/4 (order 0) or 3 pi/4 (order 1).
template <class R> R besselFar(R x, int order, bool second) {
  R inverse = 8.0 / x;
  R z = inverse * inverse;
  R p, q;
  if (order == 0) {
    p = polynomial(z, {0x1.fffffffffffffp-1, -0x1.1fffffffde05cp-10, 0x1.cb5ffe9b7c16ap-16,
                       -0x1.251e2f2843845p-19, 0x1.848af90bcf9e5p-22, -0x1.b3fadbbcae218p-24,
                       0x1.5fcb6efdc5928p-25, -0x1.4a4b3616c47b2p-26, 0x1.189a71bc2fff7p-27,
                       -0x1.4e70c58a40ec2p-29, 0x1.84fff7075f76fp-32});
    q = polynomial(z, {-0x1.fffffffffffbcp-4, 0x1.2bfffffef5bdfp-10, -0x1.d11dfa860a48fp-15,
                       0x1.ba497f19ecb8dp-18, -0x1.85b2f0840b4b9p-20, 0x1.0f8ff75314799p-21,
                       -0x1.00c7868cf7fcp-22, 0x1.0af630532c23cp-23, -0x1.e11c610d56a82p-25,
                       0x1.286daf2cf5c83p-26, -0x1.5fa3137ce1ce8p-29});
  } else {
    p = polynomial(z, {0x1.0000000000001p+0, 0x1.dfffffffdbd3ap-10, -0x1.274fff42433efp-15,
                       0x1.5a69934eb014ep-19, -0x1.b85cb9e88c204p-22, 0x1.e20b75426fa13p-24,
                       -0x1.7f13462f99096p-25, 0x1.64842e6b4c435p-26, -0x1.2d75d0778bbfdp-27,
                       0x1.6665a8c5715d1p-29, -0x1.a045d0d1d53c3p-32});
    q = polynomial(z, {0x1.7ffffffffffeep-2, -0x1.a3fffffee5412p-10, 0x1.1c3cfd17c4281p-14,
                       -0x1.fe55113e70444p-18, 0x1.b391670fbdaap-20, -0x1.29917becaedadp-21,
                       0x1.15e74d6cd4b2bp-22, -0x1.1edf355ed645ap-23, 0x1.01817d8b03c29p-24,
                       -0x1.3ca76050d20eep-26, 0x1.772d4cc92437ap-29});
  }
  q = q / x;
  constexpr double kRootHalf = 0x1.6a09e667f3bcdp-1;
  Angle<R> angle = angleOf(x, /*exact=*/false);
  R s = sinOfAngle(angle, angle.quadrant.integer(0)) * kRootHalf;
  R c = cosOfAngle(angle) * kRootHalf;
  R sine = order == 0 ? s - c : -(s + c), cosine = order == 0 ? c + s : s - c;
  R wave = second ? fma(p, sine, q * cosine) : fma(p, cosine, -(q * sine));
  R result = sqrt(kTwoOverPiReal / x) * wave;
  return select(x == kInf, 0.0, result);
}

template <class R> R j0(R x) {
  if constexpr (R::kBits == 32)
    return throughWide(x, [](auto wide) { return j0(wide); });
  R magnitude = abs(x);
  R near = besselJ0Near(atMost(magnitude, 8));
  return select(magnitude < 8.0, near, besselFar(atLeast(magnitude, 8), 0, false));
}
template <class R> R j1(R x) {
  if constexpr (R::kBits == 32)
    return throughWide(x, [](auto wide) { return j1(wide); });
  R magnitude = abs(x);
  R near = besselJ1Near(atMost(magnitude, 8));
  R far = besselFar(atLeast(magnitude, 8), 1, false);
  R result = select(magnitude < 8.0, near, far);
  return select(x < 0.0, -result, select(x == 0.0, x, result));
}

/// The value at 0 and below of functions that have a pole there.
template <class R> R withPole(R x, R result) {
  return select(x == 0.0, -kInf, select(x < 0.0, kNan, result));
}
template <class R> R y0(R x) {
  if constexpr (R::kBits == 32)
    return throughWide(x, [](auto wide) { return y0(wide); });
  R near = besselY0Near(atMost(x, 8));
  return withPole(x, select(x < 8.0, near, besselFar(atLeast(x, 8), 0, true)));
}
template <class R> R y1(R x) {
  if constexpr (R::kBits == 32)
    return throughWide(x, [](auto wide) { return y1(wide); });
  R near = besselY1Near(atMost(x, 8));
  return withPole(x, select(x < 8.0, near, besselFar(atLeast(x, 8), 1, true)));
}

/// By recurrence from Y0 and Y1, which is stable upwards.
template <class R, class I> R yn(I n, R x) {
  if constexpr (R::kBits == 32)
    return throughWide(x, [&](auto wide) { return yn(n, wide); });
  R order = R::fromInt32(n), zero = x.number(0.0);
  R inside = atLeast(x, 0);
  // Index, its function and the one before.
  std::array<R, 3> start = {x.number(1.0), y1(inside), y0(inside)};
  std::array<R, 3> end = repeatWhile(
      start, [&](auto &s) { return (s[0] < order) & (s[1] > -kInf) & (x < kInf); },
      [&](auto &s) {
        return std::array<R, 3>{s[0] + 1.0, fma(s[0] * 2.0 / inside, s[1], -s[2]), s[1]};
      });
  R result = select(order == 0.0, end[2], end[1]);
  result = select(x == kInf, zero, result);
  return select(order < 0.0, kNan, withPole(x, result));
}

/// Upwards where the order is at most x; else downwards from an order so large that its value does
/// not matter, scaled by J0 + 2 J2 + 2 J4 + ... = 1 (Miller).
template <class R, class I> R jn(I n, R x) {
  if constexpr (R::kBits == 32)
    return throughWide(x, [&](auto wide) { return jn(n, wide); });
  R order = R::fromInt32(n), magnitude = abs(x), zero = x.number(0.0);
  auto isUp = order <= magnitude;
  // Below this its powers are enough, and steps of the recurrence would overflow.
  auto isTiny = magnitude < 0x1p-500;
  R twice = 2.0 / select(isTiny, 1.0, magnitude);
  std::array<R, 3> up = repeatWhile(
      std::array<R, 3>{x.number(1.0), j1(magnitude), j0(magnitude)},
      [&](auto &s) { return isUp & (s[0] < order) & (magnitude < kInf); },
      [&](auto &s) { return std::array<R, 3>{s[0] + 1.0, fma(s[0] * twice, s[1], -s[2]), s[1]}; });
  R upwards = select(order == 0.0, up[2], up[1]);
  // An even order to start from.
  R distance = order + floor(sqrt(order * 160.0)) + 16.0;
  R start = select(isUp | isTiny, zero, floor(distance * 0.5) * 2.0);
  // Order, its function, the one above, the sum of those of even order, and that asked for.
  std::array<R, 5> down = repeatWhile(
      std::array<R, 5>{start, x.number(1.0), zero, zero, zero}, [&](auto &s) { return s[0] > 0.0; },
      [&](auto &s) {
        R below = fma(s[0] * twice, s[1], -s[2]);
        R scale = select(abs(below) > 0x1p500, x.number(0x1p-500), 1.0);
        // s[0] - 1 is even
        R half = s[0] * 0.5;
        R even = select(floor(half) == half, zero, below);
        R found = select(s[0] == order, s[1], s[4]);
        return std::array<R, 5>{s[0] - 1.0, below * scale, s[1] * scale, (s[3] + even) * scale,
                                found * scale};
      });
  R downwards = down[4] / fma(down[3], 2.0, -down[1]);
  R tiny = select(order == 1.0, magnitude * 0.5,
                  select(order == 2.0, magnitude * magnitude * 0.125, zero));
  R result = select(isUp, upwards, select(isTiny, tiny, downwards));
  result = select(magnitude == kInf, zero, result);
  R halfOrder = order * 0.5;
  auto isOdd = !(floor(halfOrder) == halfOrder);
  result = select(isOdd & (x < 0.0), -result, result);
  return select((order < 0.0) | isNan(x), kNan, result);
}

/// exp(|x|) / sqrt(|x|) times a polynomial; in two halves, since exp overflows first.
template <class R> R besselIFar(R magnitude, std::initializer_list<double> coefficients) {
  R inside = clamped(magnitude, 8, 720);
  R half = exp(Pair<R>{inside * 0.5, inside.number(0.0)});
  R p = polynomial(fma(8.0 / inside, 2.0, -1.0), coefficients);
  return half * (p / sqrt(inside)) * half;
}
template <class R> R cyl_bessel_i0(R x) {
  if constexpr (R::kBits == 32)
    return throughWide(x, [](auto wide) { return cyl_bessel_i0(wide); });
  R magnitude = abs(x), a = atMost(magnitude, 8);
  R near = polynomial(a * a * (1.0 / 64), {0x1p+0,
                                           0x1p+4,
                                           0x1p+6,
                                           0x1.c71c71c71c71cp+6,
                                           0x1.c71c71c71c71cp+6,
                                           0x1.23456789abcdfp+6,
                                           0x1.02e85c0898b7p+5,
                                           0x1.522a43f654879p+3,
                                           0x1.522a43f6546b7p+1,
                                           0x1.0b313289c03dp-1,
                                           0x1.5601885e1f7e2p-4,
                                           0x1.69ca9cfa156eep-7,
                                           0x1.4197a780695b1p-10,
                                           0x1.e7256630baacp-14,
                                           0x1.3e224b3521153p-17,
                                           0x1.6a00de197839dp-21,
                                           0x1.698917e152be9p-25,
                                           0x1.4475275ac3462p-29,
                                           0x1.cd241b7557e42p-34,
                                           0x1.041392ca46662p-37});
  R far =
      besselIFar(magnitude, {0x1.9bd428ad249a6p-2,   0x1.b87969bb93a74p-9,   0x1.1daa72b56ea72p-13,
                             0x1.75e5ee7767953p-17,  0x1.8e5143ca428cap-20,  0x1.3f4995135899cp-22,
                             0x1.7d05a2ce229cbp-24,  0x1.51d56c1b408bp-25,   0x1.736e9ecb99b19p-26,
                             0x1.02db01ef18d1p-27,   -0x1.e7fb73455a71dp-28, -0x1.c9ce4c1f99843p-27,
                             -0x1.27e3db9801ccap-28, 0x1.f7d0abf7c6945p-28,  0x1.64cae0d0a898dp-28,
                             -0x1.ae051bb7777dcp-29, -0x1.93375bdceb108p-29, 0x1.2e7c1e3e40f61p-30,
                             0x1.0b9f04b6b76ecp-30,  -0x1.31f9e7711a0dcp-32, -0x1.4603431414c0bp-33,
                             0x1.3bcc99c36c57cp-35});
  return select(magnitude < 8.0, near, far);
}
template <class R> R cyl_bessel_i1(R x) {
  if constexpr (R::kBits == 32)
    return throughWide(x, [](auto wide) { return cyl_bessel_i1(wide); });
  R magnitude = abs(x), a = atMost(magnitude, 8);
  R near = a * polynomial(a * a * (1.0 / 64), {0x1p-1,
                                               0x1p+2,
                                               0x1.5555555555555p+3,
                                               0x1.c71c71c71c71cp+3,
                                               0x1.6c16c16c16c17p+3,
                                               0x1.845c8a0ce5129p+2,
                                               0x1.27e4fb7789f5cp+1,
                                               0x1.522a43f654872p-1,
                                               0x1.2c9758daf5bedp-3,
                                               0x1.ab81ea75ff10dp-6,
                                               0x1.f17697cedb1ecp-9,
                                               0x1.e2637bf58a22dp-12,
                                               0x1.8bce58270fef7p-15,
                                               0x1.165e81cf7214ap-18,
                                               0x1.5357e5b545741p-22,
                                               0x1.69ff59c71f867p-26,
                                               0x1.5452ee324bcfp-30,
                                               0x1.200e7c40272d9p-34,
                                               0x1.8708935a03724p-39,
                                               0x1.9b53ce9bafccp-43});
  R far =
      besselIFar(magnitude, {0x1.8ebe783a8402fp-2,   -0x1.3f796198ee6p-7,    -0x1.cbc54df1704dep-13,
                             -0x1.f89c230a1af29p-17, -0x1.ec8e1a2a19db5p-20, -0x1.761371dae8b95p-22,
                             -0x1.ad837cee8786dp-24, -0x1.727f59f536decp-25, -0x1.92d868dffd465p-26,
                             -0x1.21024b985c015p-27, 0x1.e8114bc33e7cbp-28,  0x1.dfd8c32495e96p-27,
                             0x1.4bf624f8645cdp-28,  -0x1.00452e51f1e69p-27, -0x1.7e03a1d06b986p-28,
                             0x1.aac062234e04p-29,   0x1.aa2d698be1186p-29,  -0x1.272e216dfd751p-30,
                             -0x1.1939064fcfe6dp-30, 0x1.28a8c4e537267p-32,  0x1.558fb40e8b79cp-33,
                             -0x1.32c0e28e13e97p-35});
  return copySign(select(magnitude < 8.0, near, far), x);
}

} // namespace tritonrt::mathlib

#endif // TRITONRT_COMPILER_MATH_BESSEL_H
