// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// sin, cos and tan: the argument less the nearest multiple of pi/2, in two words, then a polynomial
// on [-pi/4, pi/4]. Arguments too large for that (Cody and Waite's reduction) are multiplied by the
// bits of 2/pi that matter (Payne and Hanek's).
#ifndef TRITONRT_COMPILER_MATH_TRIGONOMETRIC_H
#define TRITONRT_COMPILER_MATH_TRIGONOMETRIC_H

#include "compiler/math/DoubleWord.h"
#include "compiler/math/Format.h"

#include <array>

namespace tritonrt::mathlib {

/// |x| = quadrant * pi/2 + rest.
template <class R> struct Angle {
  Pair<R> rest;
  typename R::Int quadrant; // in the low two bits
  /// The low word is 0: in f32 the reduction by sums keeps one word.
  bool isShort = false;
};

/// Largest magnitude for which the parts of pi/2 keep the rest right.
template <class R> inline constexpr double kLargestReduced = R::kBits == 32 ? 0x1p17 : 0x1p20;

/// `exact` asks for both words in f32 too.
template <class R> Angle<R> reduceSmall(R magnitude, bool exact) {
  R magic = fma(magnitude, kBits<R>(0x1.45f306p-1, 0x1.45f306dc9c883p-1), kMagic<R>);
  R n = magic - kMagic<R>;
  if constexpr (R::kBits == 32) {
    // The first step is exact: both its terms are multiples of 2^-24 and their difference is
    // below 1.
    R first = fma(n, -0x1.921fb6p+0, magnitude);
    if (!exact) {
      R rest = fma(n, 0x1.ee59dap-50, fma(n, 0x1.777a5cp-25, first));
      return {{rest, n.number(0.0)}, bitsOf(magic), /*isShort=*/true};
    }
    Pair<R> product = exactProduct(n, n.number(0x1.777a5cp-25));
    Pair<R> second = exactSum(first, product.high);
    R low = fma(n, 0x1.ee59dap-50, second.low + product.low);
    return {quickSum(second.high, low), bitsOf(magic)};
  } else {
    // Each part but the last has 33 bits: its multiples are exact.
    R first = fma(n, -0x1.921fb544p+0, magnitude);
    Pair<R> second = exactSum(first, n * -0x1.0b4611a6p-34);
    Pair<R> third = exactSum(second.high, n * -0x1.3198a2ep-69);
    R low = fma(n, -0x1.b839a252049c1p-104, second.low + third.low);
    return {quickSum(third.high, low), bitsOf(magic)};
  }
}

/// 64 zeros, then the bits of 2/pi: 1216 of them.
inline constexpr uint64_t kTwoOverPi[] = {
    0x0000000000000000, 0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041,
    0xfe5163abdebbc561, 0xb7246e3a424dd2e0, 0x06492eea09d1921c, 0xfe1deb1cb129a73e,
    0xe88235f52ebb4484, 0xe99c7026b45f7e41, 0x3991d639835339f4, 0x9c845f8bbdf9283b,
    0x1ff897ffde05980f, 0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7, 0x4f463f669e5fea2d,
    0x7527bac7ebe5f17b, 0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08, 0x56033046fc7b6bab};

/// Four words of the table that begins with one word of zeros, from word `index` on. One bit of the
/// index after the other halves the words in question.
template <class Int> std::array<Int, 4> wordsOfTwoOverPi(Int index) {
  constexpr bool isShort = Int::kBits == 32;
  // f32 needs bits up to 2^104 / 2^32 words beyond the first, f64 up to 2^971.
  constexpr int kStages = isShort ? 3 : 5;
  constexpr int kWords = (1 << kStages) + 3;
  auto word = [](int i) -> int64_t {
    if (!isShort)
      return i < 20 ? int64_t(kTwoOverPi[i]) : 0;
    return int64_t(uint32_t(kTwoOverPi[(i + 1) / 2] >> (i % 2 ? 32 : 0)));
  };
  std::array<Int, kWords> words;
  for (int i = 0; i < kWords; ++i)
    words[i] = index.integer(word(i));
  for (int stage = kStages - 1; stage >= 0; --stage) {
    int half = 1 << stage;
    auto isUpper = (index & half) != 0;
    for (int i = 0; i < half + 3; ++i)
      words[i] = select(isUpper, words[i + half], words[i]);
  }
  return {words[0], words[1], words[2], words[3]};
}

template <class R> Angle<R> reduceLarge(R magnitude) {
  using Int = typename R::Int;
  constexpr int W = R::kBits;
  auto bits = bitsOf(magnitude);
  // magnitude = mantissa * 2^exponent
  Int mantissa = (bits & ((int64_t{1} << kMantissaBits<R>)-1)) | (int64_t{1} << kMantissaBits<R>);
  Int exponent = shiftRight(bits, kMantissaBits<R>) - (kBias<R> + kMantissaBits<R>);
  // Bits of 2/pi before this one only give multiples of 4.
  Int start = exponent + (W - 2);
  constexpr int kWordBits = W == 32 ? 5 : 6;
  std::array<Int, 4> words = wordsOfTwoOverPi(shiftRight(start, kWordBits));
  Int shift = start & (W - 1), back = W - shift;
  std::array<Int, 3> window;
  for (int i = 0; i < 3; ++i)
    window[i] = (words[i] << shift) | shiftRight(words[i + 1], back);
  // mantissa * window modulo 2^(3 W), of which the first two bits are the quadrant.
  Int low = mantissa * window[2];
  Int middlePart = mantissa * window[1];
  Int middle = middlePart + highProduct(mantissa, window[2]);
  Int carry = select(unsignedLess(middle, middlePart), low.integer(1), 0);
  Int high = mantissa * window[0] + highProduct(mantissa, window[1]) + carry;
  Int quadrant = shiftRight(high + (int64_t{1} << (W - 3)), W - 2);
  Int sign = shiftRightSigned(high - (quadrant << (W - 2)), W - 1);
  // The magnitude of the rest, but for one in its last place.
  high = (high - (quadrant << (W - 2))) ^ sign;
  middle = middle ^ sign;
  low = low ^ sign;
  // Three pieces that the format holds exactly.
  constexpr int kPiece = W == 32 ? 24 : 52, kFirst = W == 32 ? 8 : 12, kKeep = kPiece - kFirst;
  Int first = shiftRight(high, kFirst);
  Int second = ((high & ((1 << kFirst) - 1)) << kKeep) | shiftRight(middle, W - kKeep);
  Int third = ((middle << (kPiece - W + kKeep)) & ((int64_t{1} << kPiece) - 1)) |
              shiftRight(low, 2 * W - kKeep - kPiece);
  constexpr double kUnit = W == 32 ? 0x1p-22 : 0x1p-50, kBelow = W == 32 ? 0x1p-24 : 0x1p-52;
  Pair<R> fraction = exactSum(R::ofInteger(first) * kUnit, R::ofInteger(second) * (kUnit * kBelow));
  fraction = fraction + R::ofInteger(third) * (kUnit * kBelow * kBelow);
  Pair<R> halfPi = {magnitude.number(kBits<R>(0x1.921fb6p+0, 0x1.921fb54442d18p+0)),
                    magnitude.number(kBits<R>(-0x1.777a5cp-25, 0x1.1a62633145c07p-54))};
  Pair<R> rest = fraction * halfPi;
  auto signBit = sign & kSignBit<R>;
  return {{R::ofBits(bitsOf(rest.high) ^ signBit), R::ofBits(bitsOf(rest.low) ^ signBit)},
          quadrant};
}

/// (sin(r) - r) / r for a rest, but for its low word.
template <class R> R sinTail(R square) {
  if constexpr (R::kBits == 32)
    return square * polynomial(square, {-0x1.555544p-3, 0x1.1106d6p-7, -0x1.992462p-13});
  else
    return square * polynomial(square, {-0x1.555555555554cp-3, 0x1.111111110fc21p-7,
                                        -0x1.a01a019c711fdp-13, 0x1.71de35be4ef5bp-19,
                                        -0x1.ae5e96a327b15p-26, 0x1.5d9f883bb9857p-33});
}

template <class R> R sinOfRest(const Angle<R> &a) {
  R r = a.rest.high, square = r * r;
  if (a.isShort)
    return fma(sinTail(square), r, r);
  // d sin = cos, where 1 - r^2 / 2 is near enough.
  R low = fma(square * -0.5, a.rest.low, a.rest.low);
  return r + fma(sinTail(square), r, low);
}

template <class R> R cosOfRest(const Angle<R> &a) {
  R r = a.rest.high, square = r * r;
  if (a.isShort) {
    R p = polynomial(square, {-0.5, 0x1.55554ap-5, -0x1.6c0c1ep-10, 0x1.99e334p-16});
    return fma(p, square, 1.0);
  }
  R p = R::kBits == 32 ? polynomial(square, {0x1.55554ap-5, -0x1.6c0c1ep-10, 0x1.99e334p-16})
                       : polynomial(square, {0x1.5555555555554p-5, -0x1.6c16c16c16217p-10,
                                             0x1.a01a019e33f86p-16, -0x1.27e4f90f2676fp-22,
                                             0x1.1eea9302fbc45p-29, -0x1.90006d508658p-37});
  R half = square * 0.5, main = 1.0 - half;
  R lost = (1.0 - main) - half;
  // What the square lost counts where the format has few bits.
  if constexpr (R::kBits == 32)
    lost = fma(fma(r, r, -square), -0.5, lost);
  return main + fma(p, square * square, fma(-r, a.rest.low, lost));
}

template <class R> Pair<R> tanOfRest(const Angle<R> &a) {
  R r = a.rest.high, square = r * r;
  R p;
  if constexpr (R::kBits == 32)
    p = polynomial(square, {0x1.55555cp-2, 0x1.110e68p-3, 0x1.babd62p-5, 0x1.5db47ep-6,
                            0x1.5e8f5ep-7, 0x1.fb6a88p-13, 0x1.1a6c88p-8});
  else
    p = polynomial(square, {0x1.555555555553ap-2, 0x1.111111111473fp-3, 0x1.ba1ba1b6ac194p-5,
                            0x1.664f494e0bc07p-6, 0x1.226e1adfb9f38p-7, 0x1.d6d827a52b57cp-9,
                            0x1.7d669bd550af2p-10, 0x1.37a5ec0c2b634p-11, 0x1.d5f5cdbe9102bp-13,
                            0x1.178fa017afa52p-13, -0x1.74c36f44f4bdcp-16, 0x1.685a606fb621dp-14,
                            -0x1.6995306d16763p-15, 0x1.575c27c0f3799p-16});
  R tail = (p * square) * r;
  if (a.isShort)
    return quickSum(r, tail);
  // d tan = 1 + tan^2.
  R tangent = r + tail;
  return quickSum(r, tail + fma(tangent * tangent, a.rest.low, a.rest.low));
}

template <class R> R sinOfAngle(Angle<R> a, typename R::Int sign) {
  auto isOdd = (a.quadrant & 1) != 0;
  R value = select(isOdd, cosOfRest(a), sinOfRest(a));
  return R::ofBits(bitsOf(value) ^ ((a.quadrant & 2) << (R::kBits - 2)) ^ sign);
}

template <class R> R cosOfAngle(Angle<R> a) {
  return sinOfAngle(Angle<R>{a.rest, a.quadrant + 1, a.isShort}, a.quadrant.integer(0));
}

template <class R> R tanOfAngle(Angle<R> a, typename R::Int sign) {
  auto isOdd = (a.quadrant & 1) != 0;
  Pair<R> t = tanOfRest(a);
  R cotangent = quotient(Pair<R>{t.high.number(-1.0), t.high.number(0.0)}, t);
  R value = select(isOdd, cotangent, sum(t));
  return R::ofBits(bitsOf(value) ^ sign);
}

/// The angle of |x|, by the reduction that it needs; `exact` as above.
template <class R> Angle<R> angleOf(R x, bool exact) {
  R magnitude = abs(x);
  // Infinity less itself is NaN in the usual reduction, and stays with it.
  auto isLarge = (magnitude > kLargestReduced<R>)&(magnitude < kInf);
  Angle<R> usual = reduceSmall(magnitude, exact);
  std::array<R, 3> parts = {usual.rest.high, R::ofBits(usual.quadrant), usual.rest.low};
  parts = unlessAny(
      isLarge,
      [&] {
        Angle<R> large = reduceLarge(magnitude);
        return std::array<R, 3>{select(isLarge, large.rest.high, parts[0]),
                                select(isLarge, R::ofBits(large.quadrant), parts[1]),
                                usual.isShort ? parts[2]
                                              : select(isLarge, large.rest.low, parts[2])};
      },
      parts);
  return {{parts[0], parts[2]}, bitsOf(parts[1]), usual.isShort};
}

template <class R> R sin(R x) {
  return sinOfAngle(angleOf(x, /*exact=*/false), bitsOf(x) & kSignBit<R>);
}
template <class R> R cos(R x) { return cosOfAngle(angleOf(x, /*exact=*/false)); }
template <class R> R tan(R x) {
  return tanOfAngle(angleOf(x, /*exact=*/true), bitsOf(x) & kSignBit<R>);
}

/// x * pi, from which the multiples of pi/2 go before the product is made.
template <class R> Angle<R> reduceTimesPi(R magnitude) {
  // From here on there are even numbers only.
  auto isEven = (magnitude >= kBits<R>(0x1p24, 0x1p53)) & (magnitude < kInf);
  magnitude = select(isEven, 0.0, magnitude);
  R steps = roundEven(magnitude + magnitude);
  R rest = fma(steps, -0.5, magnitude);
  R inTurn = fma(floor(steps * 0.25), -4.0, steps);
  Pair<R> product = exactProduct(rest, rest.number(kBits<R>(0x1.921fb6p+1, 0x1.921fb54442d18p+1)));
  R low = fma(rest, kBits<R>(-0x1.777a5cp-24, 0x1.1a62633145c07p-53), product.low);
  return {quickSum(product.high, low), bitsOf(inTurn + kMagic<R>)};
}

/// sin and cos of pi x. A zero has the sign of x, and is positive.
template <class R> R sinpi(R x) {
  R result = sinOfAngle(reduceTimesPi(abs(x)), bitsOf(x) & kSignBit<R>);
  return select(result == 0.0, copySign(x.number(0.0), x), result);
}
template <class R> R cospi(R x) {
  R result = cosOfAngle(reduceTimesPi(abs(x)));
  return select(result == 0.0, 0.0, result);
}

} // namespace tritonrt::mathlib

#endif // TRITONRT_COMPILER_MATH_TRIGONOMETRIC_H
