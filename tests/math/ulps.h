// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TRITONRT_TESTS_MATH_ULPS_H
#define TRITONRT_TESTS_MATH_ULPS_H

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

#include "tests/math/reference.h"

namespace tritonrt::testing {

/// The error of a NaN, an infinity or the sign of a zero where something else is right.
constexpr double kWrong = 1e30;

inline int exponent_of(double x) { return std::ilogb(x); }
inline int exponent_of(Quad x) {
  // Numbers beyond f64 do not come here: their results are infinite or 0.
  return std::ilogb(double(x));
}

/// Distance of `got` from the exact value in units of the last place that a T has there.
template <class T, class Exact>
double ulps(T got, Exact exact) {
  if (exact != exact) return got != got ? 0 : kWrong;
  T rounded = T(exact);
  if (std::isnan(got)) return kWrong;
  if (std::isinf(rounded) || std::isinf(got)) {
    if (got == rounded) return 0;
    // The largest number is next to infinity.
    bool next = std::fabs(got) == std::numeric_limits<T>::max() ||
                std::fabs(rounded) == std::numeric_limits<T>::max();
    return next && std::signbit(got) == std::signbit(rounded) ? 1 : kWrong;
  }
  if (exact == 0 && got == 0) return std::signbit(got) == std::signbit(rounded) ? 0 : kWrong;
  constexpr int kLeast = std::numeric_limits<T>::min_exponent - 1;
  constexpr int kDigits = std::numeric_limits<T>::digits - 1;
  int exponent = rounded == 0 ? kLeast : std::max(exponent_of(exact), kLeast);
  Exact error = Exact(got) - exact;
  // In two steps, each of which is a normal number.
  double unit = std::ldexp(1.0, exponent / 2),
         rest = std::ldexp(1.0, exponent - exponent / 2 - kDigits);
  return std::fabs(double(error / Exact(unit) / Exact(rest)));
}

/// The same for f32 against an f64, fast where both are ordinary numbers.
inline double quick_ulps(float got, double exact) {
  uint64_t bits = 0;
  std::memcpy(&bits, &exact, sizeof(bits));
  uint64_t exponent = bits >> 52 & 2047;  // 897 is that of the least normal f32
  if (exponent < 897 || exponent > 1149 || !(std::fabs(got) < 0x1p126f))
    return ulps<float>(got, exact);
  uint64_t inverse = (2046 + 23 - exponent) << 52;  // 2^23 / 2^exponent
  double scale = 0;
  std::memcpy(&scale, &inverse, sizeof(scale));
  return std::fabs((got - exact) * scale);
}

}  // namespace tritonrt::testing

#endif  // TRITONRT_TESTS_MATH_ULPS_H
