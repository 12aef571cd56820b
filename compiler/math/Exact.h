// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions whose results are exact or rounded once: parts of a number, and arithmetic in a
// direction.
#ifndef TRITONRT_COMPILER_MATH_EXACT_H
#define TRITONRT_COMPILER_MATH_EXACT_H

#include "compiler/math/DoubleWord.h"
#include "compiler/math/Format.h"

namespace tritonrt::mathlib {

template <class R> struct ExponentParts {
  R mantissa; // in [1, 2), with the sign
  typename R::Int exponent;
};

/// x = mantissa * 2^exponent for finite x that is not 0.
template <class R> ExponentParts<R> exponentParts(R x) {
  auto isSmall = abs(x) < kSmallestNormal<R>;
  constexpr int64_t kUp = R::kBits == 32 ? 24 : 54;
  auto bits = bitsOf(select(isSmall, x * kBits<R>(0x1p24, 0x1p54), x));
  constexpr int64_t kField = (int64_t{1} << (R::kBits - 1 - kMantissaBits<R>)) - 1;
  auto exponent = (shiftRight(bits, kMantissaBits<R>) & kField) - kBias<R>;
  exponent = exponent - select(isSmall, bits.integer(kUp), 0);
  constexpr int64_t kOthers = (int64_t{1} << kMantissaBits<R>)-1;
  auto mantissa = (bits & (kOthers | kSignBit<R>)) | (kBias<R> << kMantissaBits<R>);
  return {R::ofBits(mantissa), exponent};
}

template <class R> auto isPlain(R x) { return (abs(x) > 0.0) & (abs(x) < kInf); }

/// x * 2^n, rounded once.
template <class R, class I> R ldexp(R x, I n) {
  ExponentParts<R> parts = exponentParts(x);
  // Beyond these the result is 0 or infinity all the same.
  constexpr int64_t kFar = R::kBits == 32 ? 300 : 2200, kEnd = R::kBits == 32 ? 200 : 1100;
  auto bounded = [](auto i, int64_t end) {
    i = select(i < -end, -end, i);
    return select(i > end, end, i);
  };
  auto exponent = bounded(parts.exponent + R::extended(bounded(n, kFar)), kEnd);
  R result = timesPowerOfTwo(parts.mantissa, R::ofInteger(exponent), exponent);
  return select(isPlain(x), result, x);
}

template <class R> R logb(R x) {
  R result = R::ofInteger(exponentParts(x).exponent);
  return select(isPlain(x), result, select(x == 0.0, -kInf, x * x));
}

template <class R> auto ilogb(R x) {
  auto exponent = R::toInt32(exponentParts(x).exponent);
  auto end = select(abs(x) == kInf, exponent.integer(INT32_MAX), INT32_MIN);
  return select(isPlain(x), exponent, end);
}

template <class R> R nextUp(R x) {
  auto bits = bitsOf(x);
  auto step = select(bits < 0, bits.integer(-1), 1);
  R next = R::ofBits(bits + step);
  next = select(x == 0.0, R::ofBits(bits.integer(1)), next);
  return select(x < kInf, next, x);
}
template <class R> R nextDown(R x) { return -nextUp(-x); }

template <class R> R nextafter(R x, R y) {
  R next = select(x < y, nextUp(x), nextDown(x));
  next = select(x == y, y, next);
  return select(isNan(x, y), kNan, next);
}

template <class R> R fdim(R x, R y) { return select(x <= y, 0.0, x - y); }

/// x - n y for the integer n nearest to x / y, where `rest` is |x| modulo 2 |y|.
template <class R> R remainderFromRest(R x, R y, R rest) {
  R divisor = abs(y);
  // Twice the rest or half the divisor: one of both is exact.
  auto isSmall = divisor < 4 * kSmallestNormal<R>;
  auto exceeds = [&](R r, auto compare) {
    R left = select(isSmall, r + r, r), right = select(isSmall, divisor, divisor * 0.5);
    return compare(left, right);
  };
  R once = select(exceeds(rest, [](R a, R b) { return a > b; }), rest - divisor, rest);
  auto isTwice = exceeds(rest, [](R a, R b) { return a > b; }) &
                 exceeds(once, [](R a, R b) { return a >= b; });
  R result = select(isTwice, once - divisor, once);
  result = R::ofBits(bitsOf(result) ^ (bitsOf(x) & kSignBit<R>));
  result = select(result == 0.0, copySign(result, x), result);
  result = select(divisor == kInf, x, result);
  return select(isNan(x, y) | !(abs(x) < kInf), kNan, result);
}

enum class Direction { Nearest, Zero, Down, Up };

/// The number next to a rounded result where the exact one is `error` more. `isFinite` says that
/// the operands were finite: an infinite result is then one of rounding.
template <class R, class T> R directed(R rounded, R error, T isFinite, Direction direction) {
  if (direction == Direction::Nearest)
    return rounded;
  auto isOverflow = isFinite & (abs(rounded) == kInf);
  error = select(isOverflow, -rounded, error);
  R down = select(error < 0.0, nextDown(rounded), rounded);
  R up = select(error > 0.0, nextUp(rounded), rounded);
  if (direction == Direction::Down)
    // An exact zero of two signs is negative in this direction.
    return down;
  if (direction == Direction::Up)
    return up;
  return select(rounded < 0.0, up, select(rounded > 0.0, down, rounded));
}

template <class R> R addIn(R x, R y, Direction direction) {
  Pair<R> sum = exactSum(x, y);
  auto isFinite = (abs(x) < kInf) & (abs(y) < kInf);
  R result = directed(sum.high, sum.low, isFinite, direction);
  if (direction == Direction::Down)
    result = select((result == 0.0) & !(x == y), -0.0, result);
  return result;
}

template <class R> R mulIn(R x, R y, Direction direction) {
  R product = x * y;
  // The error of a small product is taken of larger ones.
  constexpr double kUp = R::kBits == 32 ? 0x1p100 : 0x1p600;
  auto isSmall = abs(product) < kBits<R>(0x1p-90, 0x1p-900);
  auto isFirst = abs(x) < abs(y);
  R scale = select(isSmall, x.number(kUp), 1.0);
  R least = select(isFirst, x, y) * scale, most = select(isFirst, y, x);
  R error = fma(least, most, -(product * scale));
  // Smaller still, only its sign is left.
  auto isLost = (product == 0.0) & !(x == 0.0) & !(y == 0.0);
  error = select(isLost, copySign(x.number(1.0), product), error);
  auto isFinite = (abs(x) < kInf) & (abs(y) < kInf);
  return directed(product, error, isFinite, direction);
}

/// x / y less `quotient` has the sign of this.
template <class R> R divIn(R x, R y, Direction direction) {
  R quotient = x / y;
  // In the middle of the range nothing of the residual is lost.
  auto isSmall =
      (abs(x) < kBits<R>(0x1p-80, 0x1p-900)) | (abs(quotient) < kBits<R>(0x1p-80, 0x1p-900));
  R scale = select(isSmall, x.number(kBits<R>(0x1p60, 0x1p200)), 1.0);
  R residual = fma(-(quotient * scale), y, x * scale);
  R error = R::ofBits(bitsOf(residual) ^ (bitsOf(y) & kSignBit<R>));
  auto isFinite = (abs(x) < kInf) & (abs(y) < kInf) & (abs(y) > 0.0);
  return directed(quotient, error, isFinite, direction);
}

template <class R> R sqrtIn(R x, Direction direction) {
  R root = sqrt(x);
  R scale = select(x < kBits<R>(0x1p-80, 0x1p-900), x.number(kBits<R>(0x1p60, 0x1p400)), 1.0);
  R residual = fma(-(root * scale), root * scale, x * scale * scale);
  return directed(root, residual, x < 0.0, direction);
}

/// The error is taken of operands that are scaled where their product would lose bits or overflow.
template <class R> R fmaIn(R x, R y, R z, Direction direction) {
  R result = fma(x, y, z);
  R size = abs(x * y), one = x.number(1.0);
  auto isSmall = size < kBits<R>(0x1p-90, 0x1p-900);
  auto isLarge = size > kBits<R>(0x1p120, 0x1p1000);
  // A sum that a product so small cannot change, but for its error's sign.
  auto isFar = isSmall & (abs(z) > kBits<R>(0x1p-60, 0x1p-840));
  R scale = select(isSmall & !isFar, kBits<R>(0x1p100, 0x1p600) * one, one);
  scale = select(isLarge, 0x1p-10, scale);
  auto isFirst = abs(x) < abs(y);
  // The larger of both is scaled down, the smaller one up.
  R least = select(isFirst, x, y), most = select(isFirst, y, x);
  least = select(isLarge, least, least * scale);
  most = select(isLarge, most * scale, most);
  Pair<R> product = exactProduct(least, most);
  R addend = z * select(isLarge & (abs(z) < 1.0), one, scale);
  Pair<R> sum = exactSum(product.high, addend);
  R error = (sum.high - result * scale) + (sum.low + product.low);
  auto isLost = (error == 0.0) & isSmall & (isFar | (product.high == 0.0));
  isLost = isLost & !(x == 0.0) & !(y == 0.0);
  error = select(isLost, copySign(one, product.high), error);
  auto isFinite = (abs(x) < kInf) & (abs(y) < kInf) & (abs(z) < kInf);
  R rounded = directed(result, error, isFinite, direction);
  if (direction == Direction::Down) {
    auto isNegative = ((bitsOf(x) ^ bitsOf(y)) | bitsOf(z)) < 0;
    rounded = select((result == 0.0) & (error == 0.0) & isNegative, -0.0, rounded);
  }
  return rounded;
}

template <class R> R saturate(R x) { return select(x > 0.0, atMost(x, 1.0), 0.0); }

} // namespace tritonrt::mathlib

#endif // TRITONRT_COMPILER_MATH_EXACT_H
