// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the functions of mathematical libraries give, in 128 bits: glibc's functions of that width,
// or series and iterations in it. Errors are far below what f64 could show.
#ifndef TRITONRT_TESTS_MATH_REFERENCE_H
#define TRITONRT_TESTS_MATH_REFERENCE_H

#include <cstdint>
#include <limits>
#include <vector>

namespace tritonrt::testing {

using Quad = __float128;

constexpr double kEverywhere = std::numeric_limits<double>::infinity();

struct Reference {
  /// As libdevice calls it, without `__nv_` and the letter of the type.
  const char* name;
  /// `r` for real operands, `i` for i32; the last letter is the result's.
  const char* signature;
  /// Of the operands; an integer comes as a real one.
  Quad (*exact)(const Quad* x);
  /// The same in f64, or nullptr. Much faster; decides whether `exact` is asked about an f32.
  double (*quick)(double x);
  /// Greatest error in units in the last place that is allowed of f32 and f64.
  double f32, f64;
  /// Finite arguments outside are not tried.
  double low = -kEverywhere, high = kEverywhere;
  /// Greatest absolute error allowed beyond |x| = 8, where that is what a bound is about.
  double absolute32 = 0, absolute64 = 0;
};

const std::vector<Reference>& references();

/// Bessel functions of an order that is not negative.
Quad jn_exact(int order, Quad x);
Quad yn_exact(int order, Quad x);

}  // namespace tritonrt::testing

#endif  // TRITONRT_TESTS_MATH_REFERENCE_H
