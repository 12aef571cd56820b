// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions of compiler/math on plain floats of this machine, without compiler or device: tells
// a wrong algorithm from wrong code. math_sweep tries the same on devices.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <functional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "compiler/math/Bessel.h"
#include "compiler/math/ErrorFunction.h"
#include "compiler/math/Exponential.h"
#include "compiler/math/Gamma.h"
#include "compiler/math/InverseTrigonometric.h"
#include "compiler/math/Logarithm.h"
#include "compiler/math/Power.h"
#include "compiler/math/Roots.h"
#include "compiler/math/Trigonometric.h"
#include "tests/math/arguments.h"
#include "tests/math/native.h"
#include "tests/math/reference.h"
#include "tests/math/ulps.h"

namespace tritonrt::testing {
namespace {

struct Algorithm {
  std::string name;
  std::function<float(const float*)> f32;
  std::function<double(const double*)> f64;
};
void PrintTo(const Algorithm& algorithm, std::ostream* os) { *os << algorithm.name; }

template <class R, class T, class F, size_t... i>
T value_of(F function, const T* x, std::index_sequence<i...>) {
  return function(R{x[i]}...).value;
}

/// A function of so many operands.
template <size_t arity, class F>
Algorithm algorithm(std::string name, F function) {
  using Operands = std::make_index_sequence<arity>;
  return {std::move(name),
          [=](const float* x) { return value_of<mathlib::Native<32>>(function, x, Operands()); },
          [=](const double* x) { return value_of<mathlib::Native<64>>(function, x, Operands()); }};
}
#define TRITONRT_ALGORITHM(arity, name) \
  algorithm<arity>(#name, [](auto... x) { return mathlib::name(x...); })

class Algorithms : public ::testing::TestWithParam<Algorithm> {
 protected:
  ~Algorithms() override { mathlib::contraction = mathlib::Contraction::kNone; }
};

template <class T, class F>
void check(const Reference& f, const F& function, double allowed, double absolute) {
  size_t arity = std::strlen(f.signature) - 1;
  Arguments<T> source(f, /*stride=*/100003, /*count=*/1000);
  std::vector<std::vector<char>> operands(arity, std::vector<char>(size_t{1} << 20));
  double worst = 0;
  std::string at;
  size_t n = 0;
  while ((n = source.fill(operands, (size_t{1} << 20) / sizeof(T))) != 0) {
    for (size_t i = 0; i < n; ++i) {
      T x[4] = {};
      Quad exact[4] = {};
      for (size_t k = 0; k < arity; ++k) {
        x[k] = reinterpret_cast<const T*>(operands[k].data())[i];
        exact[k] = x[k];
      }
      T got = function(x);
      Quad expected = f.exact(exact);
      if (absolute && std::fabs(x[0]) > 8 && std::fabs(double(got - expected)) <= absolute)
        continue;
      double error = ulps<T>(got, expected);
      if (error <= worst) continue;
      worst = error;
      std::ostringstream text;
      for (size_t k = 0; k < arity; ++k) text << double(x[k]) << ", ";
      text << "got " << double(got) << ", expected " << double(expected);
      at = std::move(text).str();
    }
  }
  EXPECT_LE(worst, allowed) << f.name << (sizeof(T) == 4 ? " f32 of " : " f64 of ") << at;
}

void check_both(const Algorithm& algorithm) {
  for (const Reference& f : references()) {
    if (algorithm.name != f.name) continue;
    check<float>(f, algorithm.f32, f.f32, f.absolute32);
    check<double>(f, algorithm.f64, f.f64, f.absolute64);
    return;
  }
  FAIL() << "no reference for " << algorithm.name;
}

TEST_P(Algorithms, AreWithinTheirBounds) { check_both(GetParam()); }

// Whichever products and sums a target's compiler makes one fma of.
TEST_P(Algorithms, BearContraction) {
  using mathlib::Contraction;
  for (Contraction how : {Contraction::kFirst, Contraction::kSecond, Contraction::kSome}) {
    SCOPED_TRACE(int(how));
    mathlib::contraction = how;
    check_both(GetParam());
  }
}

INSTANTIATE_TEST_SUITE_P(
    Math, Algorithms,
    ::testing::Values(
        TRITONRT_ALGORITHM(1, acos), TRITONRT_ALGORITHM(1, acosh), TRITONRT_ALGORITHM(1, asin),
        TRITONRT_ALGORITHM(1, asinh), TRITONRT_ALGORITHM(1, atan), TRITONRT_ALGORITHM(2, atan2),
        TRITONRT_ALGORITHM(1, atanh), TRITONRT_ALGORITHM(1, cbrt), TRITONRT_ALGORITHM(1, cos),
        TRITONRT_ALGORITHM(1, cosh), TRITONRT_ALGORITHM(1, cospi), TRITONRT_ALGORITHM(1, erf),
        TRITONRT_ALGORITHM(1, erfc), TRITONRT_ALGORITHM(1, erfcinv), TRITONRT_ALGORITHM(1, erfcx),
        TRITONRT_ALGORITHM(1, erfinv), TRITONRT_ALGORITHM(1, exp), TRITONRT_ALGORITHM(1, exp10),
        TRITONRT_ALGORITHM(1, exp2), TRITONRT_ALGORITHM(1, expm1), TRITONRT_ALGORITHM(2, hypot),
        TRITONRT_ALGORITHM(1, cyl_bessel_i0), TRITONRT_ALGORITHM(1, cyl_bessel_i1),
        TRITONRT_ALGORITHM(1, lgamma), TRITONRT_ALGORITHM(1, log), TRITONRT_ALGORITHM(1, log10),
        TRITONRT_ALGORITHM(1, log1p), TRITONRT_ALGORITHM(1, log2), TRITONRT_ALGORITHM(1, normcdf),
        TRITONRT_ALGORITHM(1, normcdfinv), TRITONRT_ALGORITHM(2, pow), TRITONRT_ALGORITHM(1, rcbrt),
        TRITONRT_ALGORITHM(2, rhypot), TRITONRT_ALGORITHM(1, rsqrt), TRITONRT_ALGORITHM(1, sin),
        TRITONRT_ALGORITHM(1, sinh), TRITONRT_ALGORITHM(1, sinpi), TRITONRT_ALGORITHM(1, tan),
        TRITONRT_ALGORITHM(1, tanh), TRITONRT_ALGORITHM(1, tgamma), TRITONRT_ALGORITHM(1, j0),
        TRITONRT_ALGORITHM(1, j1), TRITONRT_ALGORITHM(1, y0), TRITONRT_ALGORITHM(1, y1),
        TRITONRT_ALGORITHM(3, norm3d), TRITONRT_ALGORITHM(3, rnorm3d),
        TRITONRT_ALGORITHM(4, norm4d), TRITONRT_ALGORITHM(4, rnorm4d)),
    [](const ::testing::TestParamInfo<Algorithm>& info) { return info.param.name; });

}  // namespace
}  // namespace tritonrt::testing
