// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bessel functions. Below 8 they are polynomials from root to root, with the roots taken out in two
// words so that values near them are right too; from there on they are Hankel's asymptotic forms.
// In f32 they go through f64.
#ifndef TRITONRT_COMPILER_MATH_BESSEL_H
#define TRITONRT_COMPILER_MATH_BESSEL_H

#include "compiler/math/ErrorFunction.h"
#include "compiler/math/Power.h"
#include "compiler/math/Trigonometric.h"

#include <array>
#include <cmath>

namespace tritonrt::mathlib {

/// A root in two words.
struct Root {
  double high, low;
};

/// x - root.
template <class R> Pair<R> from(R x, Root root) { return less(x, root.high, root.low); }
/// x^2 - root^2.
template <class R> Pair<R> fromSquare(R x, Root root) {
  return from(x, root) * less(x, -root.high, -root.low);
}
/// x * factor + addend, and x^2 * factor + addend.
template <class R> Pair<R> linear(R x, double factor, double addend) {
  return linear(Pair<R>{x, x.number(0.0)}, factor, addend);
}
template <class R> Pair<R> linearOfSquare(R x, double factor, double addend) {
  return linear(exactProduct(x, x), factor, addend);
}

inline constexpr double kTwoOverPiReal = 0x1.45f306dc9c883p-1;

/// J0 and J1 for 0 <= x < 8.
template <class R> Pair<R> besselJ0Near(R x) {
  constexpr Root first{0x1.33d152e971b4p+1, -0x1.0f539d7da258ep-53};
  constexpr Root second{0x1.6148f5b2c2e45p+2, 0x1.75054cd60a517p-54};
  Pair<R> low = precisePolynomial(
      linearOfSquare(x, 1.0 / 8, -1.0),
      {-0x1.6b2948e843e2bp-4, 0x1.08d902d0bf62p-4, -0x1.17057235d9c2bp-6, 0x1.33fa04134f0abp-9,
       -0x1.a4b2380ccc27ap-13, 0x1.87a4ac4403e53p-17, -0x1.08c62125cdd58p-21, 0x1.0fff1f8054886p-26,
       -0x1.b72e6570adc95p-32, 0x1.1e14037c21a68p-37, -0x1.331d6a446db45p-43, 0x1.1485f32f03892p-49,
       -0x1.a5bc5bac804ddp-56});
  Pair<R> high = precisePolynomial(
      linear(x, 0.5, -3.0),
      {0x1.416dc96e57c0ep-2, -0x1.3d97028754e56p-3, -0x1.63c76276a6e61p-3, 0x1.15618767e6bd2p-4,
       0x1.bb360f4dabcebp-6, -0x1.307fa1bf6f28fp-7, -0x1.104aed8457de0p-9, 0x1.52a757fbebd2dp-11,
       0x1.949f158694f6fp-14, -0x1.cd44e14cb2c70p-16, -0x1.950feeadc7d5ap-19, 0x1.aab88a4a153f6p-21,
       0x1.246866f28c529p-24, -0x1.1e6ad2a71cf3bp-26, -0x1.3ecb0af8c157bp-30, 0x1.23d75c9bd0560p-32,
       0x1.03d88a290bdf9p-36, -0x1.bfb0b6915c2a0p-39},
      {-0x1.c0a219ce13f8cp-56, 0x1.c0296ba59ebecp-57, 0x1.8958ed3d480cbp-59, -0x1.ab07cb0f64f75p-60,
       -0x1.16b00e58a74a2p-62, 0x1.23ef1713bef2dp-61});
  return select(x < 4.0, fromSquare(x, first) * low, from(x, second) * high);
}
template <class R> Pair<R> besselJ1Near(R x) {
  constexpr Root first{0x1.ea75575af6f09p+1, -0x1.60155a9d1b256p-53};
  constexpr Root second{0x1.c0ff5f3b4725p+2, -0x1.b226d9d243827p-54};
  Pair<R> low = precisePolynomial(
      linearOfSquare(x, 0.08, -1.0),
      {-0x1.041c9423ec767p-6, 0x1.acf566aaededbp-7, -0x1.15e32ff822fa4p-8, 0x1.8bf87b5439002p-11,
       -0x1.686a2a3c3f229p-14, 0x1.c95360babe43cp-18, -0x1.ac92400b199b3p-22, 0x1.35278ce082b1ap-26,
       -0x1.623701daccd01p-31, 0x1.4a45c52b94574p-36, -0x1.ff29de760017cp-42, 0x1.4da7e5f0c8bfdp-47,
       -0x1.74ac42e839ff1p-53, 0x1.65c52a589097fp-59});
  Pair<R> high = precisePolynomial(
      linear(x, 1 / 1.5, -6.5 / 1.5),
      {0x1.318ace8aae253p-2, 0x1.5c67b06e36c0ap-5, -0x1.bd6b6f2354171p-4, -0x1.3993bd7c84c55p-8,
       0x1.73c697d432bdap-7, 0x1.66de7168c411ep-13, -0x1.25d41485e1cc7p-11, -0x1.06b59e1e40df5p-19,
       0x1.102a5295c1071p-16, -0x1.0a91fae07b2e8p-25, -0x1.4c3b3a37a5e97p-22, 0x1.8a4cde723e843p-30,
       0x1.1fb4a555cb104p-28, -0x1.bb9bfca83fafbp-36, -0x1.690fd26faa926p-35,
       0x1.177a7838db5fdp-42});
  return select(x < 5.0, fromSquare(x, first) * low * x, from(x, second) * high);
}

template <class R> Pair<R> twoOverPi(R x) {
  return {x.number(kTwoOverPiReal), x.number(-0x1.6b01ec5417056p-55)};
}

/// log(x / root), also near the root, of which `logarithm` is the logarithm.
template <class R> Pair<R> logOfRatio(R x, Root root, Root logarithm) {
  // At the root and next to it the first terms of the series are enough.
  Pair<R> offset = from(x, root) / Pair<R>{x.number(root.high), x.number(root.low)};
  R t = offset.high;
  R tail = (t * t) * polynomial(t, {-0.5, 1.0 / 3, -0.25, 0.2, -1.0 / 6});
  Pair<R> near = quickSum(offset.high, offset.low + tail);
  Pair<R> far = logPair(x) + -Pair<R>{x.number(logarithm.high), x.number(logarithm.low)};
  return select(abs(t) < 0x1p-9, near, far);
}

/// Y0 and Y1 for 0 < x < 8. About 0 they hold 2/pi log(x) times J0 and J1.
template <class R> Pair<R> besselY0Near(R x) {
  constexpr Root first{0x1.c982eb8d417eap-1, 0x1.ea9d270347f83p-56};
  constexpr Root logarithm{-0x1.cce4b73e6f025p-4, -0x1.4297c34fad727p-58};
  constexpr Root second{0x1.fa9534d98569cp+1, -0x1.f06ae7804384ep-54};
  constexpr Root third{0x1.c581dc4e72103p+2, -0x1.9774a495f56cfp-54};
  Pair<R> rest =
      precisePolynomial(linearOfSquare(x, 1 / 2.88, -1.0),
                        {0x1.1b576332b11ap-3, -0x1.444891f4ca0a2p-5, 0x1.05b970f15c17bp-8,
                         -0x1.b4b29cbf1de4fp-13, 0x1.bef6f5ee66beap-18, -0x1.35deb551aea94p-23,
                         0x1.369ac2c00c292p-29, -0x1.d76ee9397067ap-36, 0x1.18630a92e8299p-42,
                         -0x1.0c7e6ad917e8ap-49, 0x1.a6f635ac3e7f4p-57, -0x1.16a4f57d4cb1bp-64});
  Pair<R> low = besselJ0Near(x) * twoOverPi(x) * logOfRatio(x, first, logarithm) +
                fromSquare(x, first) * rest;
  Pair<R> middle =
      precisePolynomial(linear(x, 1 / 1.55, -3.95 / 1.55),
                        {-0x1.9c999b312dbe2p-2,  0x1.3d29102785d06p-4,   0x1.20ba92d83820dp-3,
                         -0x1.9dfd68f3daa6fp-6,  -0x1.9e64d168b71c2p-7,  0x1.c472ef9650e2ep-10,
                         0x1.7423e3a3413a8p-11,  -0x1.b78853fffd34p-14,  -0x1.4658998bc4032p-17,
                         -0x1.433e56dc6e344p-20, 0x1.9d640f53aa044p-20,  -0x1.f0a855d36ee35p-22,
                         0x1.447e90037af6cp-23,  -0x1.e8ef6f86dedfbp-25, 0x1.6c1c4bea107d1p-26,
                         -0x1.0d78403248a5ap-27, 0x1.8f7ed715b4d0bp-29,  -0x1.20590f4e08953p-30,
                         0x1.addce62cf8aabp-32,  -0x1.85eb017b27bdap-33, 0x1.24952b96fdd2dp-34,
                         -0x1.870d592cdb868p-38, 0x1.1fa3dda09b101p-39,  -0x1.10f7a7693b171p-37,
                         0x1.9ce5ba649f89fp-39});
  Pair<R> high = precisePolynomial(
      linear(x, 0.8, -5.4),
      {0x1.34eee4b2f27c7p-2, 0x1.e6eea30e390bp-7, -0x1.3f0b6a143d0e3p-4, 0x1.150879f13dd6fp-11,
       0x1.7503673705618p-8, -0x1.11fcc03869668p-13, -0x1.9337e0e7b168dp-13, 0x1.50ab14797fd56p-18,
       0x1.015dfadcb1ab3p-18, -0x1.be5e136b4a2a9p-24, -0x1.ab9c08ae80647p-25, 0x1.5487518de9aap-30,
       0x1.05f070c20c45ep-31, -0x1.d067c55d45cabp-37, -0x1.9fb9ad029e3ccp-39, 0x1.a54c4216f257bp-46,
       0x1.f8c55c1479ef3p-46, -0x1.4b7a52c2a7338p-49});
  Pair<R> beyond = select(x < 5.5, from(x, second) * middle, from(x, third) * high);
  return select(x < 2.4, low, beyond);
}
template <class R> Pair<R> besselY1Near(R x) {
  constexpr Root first{0x1.193bed4dff243p+1, -0x1.bd1e50d219bfdp-55};
  constexpr Root logarithm{0x1.930641fe98869p-1, -0x1.86dff1066eceap-58};
  constexpr Root second{0x1.5b7fe4e87b02ep+2, 0x1.dfe7bac228e8cp-52};
  Pair<R> rest = precisePolynomial(
      linearOfSquare(x, 1 / 6.48, -1.0),
      {0x1.7b0a90de45282p-3, 0x1.8317e9f9ff4d2p-7, -0x1.0ea617df740a7p-5, 0x1.eb27e87c31868p-8,
       -0x1.a4fc7484ac375p-11, 0x1.b534d69428dbcp-15, -0x1.3463fd8d8e20ap-19, 0x1.3c7af3d1cb1bcp-24,
       -0x1.ef1ad7a50ed31p-30, 0x1.3170d5a3c7ee9p-35, -0x1.3121618a0849ep-41, 0x1.f7fdd3b2b4ddap-48,
       -0x1.5e160e30f4637p-54, 0x1.9ecf790a9fe2ap-61});
  Pair<R> low = besselJ1Near(x) * twoOverPi(x) * logOfRatio(x, first, logarithm) +
                fromSquare(x, first) * rest / Pair<R>{x, x.number(0.0)};
  Pair<R> high =
      precisePolynomial(linear(x, 1 / 2.2, -5.8 / 2.2),
                        {-0x1.49b44947e762ap-2,  0x1.2d972f3037084p-3,   0x1.ba65dec9dd691p-3,
                         -0x1.36a3329263452p-4,  -0x1.5a553583a1297p-5,  0x1.957e9abfa5be1p-7,
                         0x1.136b832fee557p-8,   -0x1.1acf3716f74f9p-10, -0x1.ef0247d005c0fp-13,
                         0x1.b69698a14507cp-15,  0x1.64ab12787d9e8p-17,  -0x1.3e0084f1aa7fbp-19,
                         -0x1.bf050a53fe54fp-24, -0x1.bf12ac7c4a1e1p-27, 0x1.fdb890bc2c60dp-26,
                         -0x1.5c8c769e1229ap-27, 0x1.d50a104bc9553p-29,  -0x1.6db154136058cp-30,
                         0x1.1a8eebe4dd545p-31,  -0x1.98a6365fdd499p-33, 0x1.36d885df0aa59p-34,
                         -0x1.372c04f425d38p-35, 0x1.d959485c02214p-37,  -0x1.4837b1f0d0871p-42,
                         0x1.f98b3feb5072cp-44,  -0x1.d0a6f48b9870dp-40, 0x1.61028a5be25a9p-41},
                        {0x1.43f24fd10f1cap-56, -0x1.e599ddab05d1ep-57, -0x1.a3bf70e6f44ecp-57,
                         -0x1.e9aa337af37afp-60, -0x1.e50cfd4d72aafp-59, 0x1.55fe43d66c866p-67});
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
  R near = sum(besselJ0Near(atMost(magnitude, 8)));
  return select(magnitude <= 8.0, near, besselFar(atLeast(magnitude, 8), 0, false));
}
template <class R> R j1(R x) {
  if constexpr (R::kBits == 32)
    return throughWide(x, [](auto wide) { return j1(wide); });
  R magnitude = abs(x);
  R near = sum(besselJ1Near(atMost(magnitude, 8)));
  R far = besselFar(atLeast(magnitude, 8), 1, false);
  R result = select(magnitude <= 8.0, near, far);
  return select(x < 0.0, -result, select(x == 0.0, x, result));
}

/// The value at 0 and below of functions that have a pole there.
template <class R> R withPole(R x, R result) {
  return select(x == 0.0, -kInf, select(x < 0.0, kNan, result));
}
template <class R> R y0(R x) {
  if constexpr (R::kBits == 32)
    return throughWide(x, [](auto wide) { return y0(wide); });
  // As of 0 so of negative numbers there is no logarithm.
  R near = sum(besselY0Near(select(x > 0.0, atMost(x, 8), 1.0)));
  return withPole(x, select(x <= 8.0, near, besselFar(atLeast(x, 8), 0, true)));
}
template <class R> R y1(R x) {
  if constexpr (R::kBits == 32)
    return throughWide(x, [](auto wide) { return y1(wide); });
  // Where its second word would be too small it is -2 / (pi x).
  constexpr double kLeast = 0x1p-900;
  R near = sum(besselY1Near(clamped(x, kLeast, 8)));
  near = select(x < kLeast, -kTwoOverPiReal / x, near);
  return withPole(x, select(x <= 8.0, near, besselFar(atLeast(x, 8), 1, true)));
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
template <class R>
R besselIFar(R magnitude, std::initializer_list<double> coefficients,
             std::initializer_list<double> lows) {
  R inside = clamped(magnitude, 8, 720);
  R zero = inside.number(0.0);
  Scaled<R> half = scaledExp(Pair<R>{inside * 0.5, zero});
  Pair<R> size = {inside, zero};
  Pair<R> t = linear(Pair<R>{inside.number(8.0), zero} / size, 2.0, -1.0);
  Pair<R> p = precisePolynomial(t, coefficients, lows) / sqrt(size);
  return scaled(scaled(sum(half.power * half.power * p), half), half);
}
template <class R> R cyl_bessel_i0(R x) {
  if constexpr (R::kBits == 32)
    return throughWide(x, [](auto wide) { return cyl_bessel_i0(wide); });
  R magnitude = abs(x), a = atMost(magnitude, 8);
  R near = sum(precisePolynomial(linearOfSquare(a, 1.0 / 64, 0.0), {0x1p+0,
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
                                                                    0x1.041392ca46662p-37}));
  R far =
      besselIFar(magnitude, {0x1.9bd428ad249a5p-2,   0x1.b87969bb93a48p-9,   0x1.1daa72b5e2366p-13,
                             0x1.75e5ee7822f78p-17,  0x1.8e513accc76a3p-20,  0x1.3f49933733f90p-22,
                             0x1.7d0e5f25bc841p-24,  0x1.51d5f84cd03f6p-25,  0x1.7257db9ed6674p-26,
                             0x1.02cf9254e7670p-27,  -0x1.d3b411548af05p-28, -0x1.c9aa2ffce2ca1p-27,
                             -0x1.62c3f99ada19fp-28, 0x1.f7410b7f70fd0p-28,  0x1.d29741886cb2dp-28,
                             -0x1.ac9afa081a33ep-29, -0x1.4d2b550bd6e76p-28, 0x1.2c4a86bc0bfefp-30,
                             0x1.499ae7b4d59c2p-29,  -0x1.2e287745e1a2ep-32, -0x1.9ae1031554e04p-31,
                             0x1.36172c123f453p-35,  0x1.de985e80c26e1p-34},
                 {-0x1.d5d29a8561441p-56, 0x1.1d842d43d7fcap-66});
  return select(magnitude < 8.0, near, far);
}
template <class R> R cyl_bessel_i1(R x) {
  if constexpr (R::kBits == 32)
    return throughWide(x, [](auto wide) { return cyl_bessel_i1(wide); });
  R magnitude = abs(x), a = atMost(magnitude, 8);
  R near = sum(precisePolynomial(linearOfSquare(a, 1.0 / 64, 0.0), {0x1p-1,
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
                                                                    0x1.9b53ce9bafccp-43}) *
               a);
  R far =
      besselIFar(magnitude, {0x1.8ebe783a84030p-2,   -0x1.3f796198ee5e3p-7,  -0x1.cbc54df1e8a30p-13,
                             -0x1.f89c230c1c6c7p-17, -0x1.ec8e10cda9622p-20, -0x1.76136c8d9dbb3p-22,
                             -0x1.ad8c9576be72ap-24, -0x1.7280f7124367dp-25, -0x1.91b62a0449ae7p-26,
                             -0x1.20dfa102cdc55p-27, 0x1.d2f43270388f8p-28,  0x1.df68969b0012bp-27,
                             0x1.89426861550d7p-28,  -0x1.fec28b5e30e16p-28, -0x1.f053fd33757dcp-28,
                             0x1.a62d3a5241febp-29,  0x1.5e0ee1eae723fp-28,  -0x1.1ff732137576bp-30,
                             -0x1.5873a50ddf275p-29, 0x1.1be99bbf474cep-32,  0x1.ac4bf6a87bc29p-31,
                             -0x1.1f6f8a3689d3bp-35, -0x1.f23ff1f27dca9p-34},
                 {-0x1.464e4ef4e0f22p-58, -0x1.1a6826e2401c6p-61});
  return copySign(select(magnitude < 8.0, near, far), x);
}

} // namespace tritonrt::mathlib

#endif // TRITONRT_COMPILER_MATH_BESSEL_H
