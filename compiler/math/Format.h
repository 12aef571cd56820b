// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions of this folder are templates over a type R of real numbers, f32 or f64 by
// R::kBits, so that the same text builds a kernel's arithmetic (Builder.h) and runs in tests on
// plain floats. R has +, -, *, / and comparisons with other R and with numbers, fma, abs, sqrt,
// floor, trunc, roundEven, copySign, select, and R::Int with the integers of the same width.
// A number that stands in a formula is rounded to the format of R.
//
// No product is added to something unless either rounding does, one or two: a target may contract
// those (R's `contracts` says whether), in some uses of a product and not in others. Where one
// rounding matters, fma says so, and where two do, `rounded` (DoubleWord.h).
#ifndef TRITONRT_COMPILER_MATH_FORMAT_H
#define TRITONRT_COMPILER_MATH_FORMAT_H

#include <cstdint>
#include <initializer_list>
#include <limits>

namespace tritonrt::mathlib {

inline constexpr double kInf = std::numeric_limits<double>::infinity();
inline constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

/// One of two constants, by format.
template <class R> constexpr double kBits(double f32, double f64) {
  return R::kBits == 32 ? f32 : f64;
}

template <class R> inline constexpr int64_t kMantissaBits = R::kBits == 32 ? 23 : 52;
template <class R> inline constexpr int64_t kBias = R::kBits == 32 ? 127 : 1023;
template <class R> inline constexpr int64_t kSignBit = R::kBits == 32 ? 0x80000000 : INT64_MIN;
/// The smallest normal number.
template <class R> inline constexpr double kSmallestNormal = R::kBits == 32 ? 0x1p-126 : 0x1p-1022;
template <class R>
inline constexpr double kLargest = R::kBits == 32 ? 0x1.fffffep127 : 0x1.fffffffffffffp1023;

/// The square of a number below this is nothing beside the number.
template <class R> inline constexpr double kTiny = R::kBits == 32 ? 0x1p-27 : 0x1p-56;

/// A number whose last place is 1: added to another, it rounds that to an integer, which then
/// stands in the low bits of the sum.
template <class R> inline constexpr double kMagic = R::kBits == 32 ? 0x1.8p23 : 0x1.8p52;
template <class R>
inline constexpr int64_t kMagicBits = R::kBits == 32 ? 0x4b400000 : 0x4338000000000000;

/// x, but no more (less) than a bound; NaN stays NaN.
template <class R> R atMost(R x, double bound) { return select(x > bound, bound, x); }
template <class R> R atLeast(R x, double bound) { return select(x < bound, bound, x); }
template <class R> R clamped(R x, double low, double high) { return atLeast(atMost(x, high), low); }

/// c[0] + c[1] x + c[2] x^2 + ... by Horner's rule.
template <class R> R polynomial(R x, std::initializer_list<double> c) {
  const double *at = c.end();
  R result = x.number(*--at);
  while (at != c.begin())
    result = fma(result, x, *--at);
  return result;
}

/// Is a number that is finite an integer?
template <class R> auto isWhole(R x) { return floor(x) == x; }

} // namespace tritonrt::mathlib

#endif // TRITONRT_COMPILER_MATH_FORMAT_H
