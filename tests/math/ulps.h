// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TRITONRT_TESTS_MATH_ULPS_H
#define TRITONRT_TESTS_MATH_ULPS_H

#include <algorithm>
#include <cmath>
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

}  // namespace tritonrt::testing

#endif  // TRITONRT_TESTS_MATH_ULPS_H
