// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions of compiler/math on plain floats of this machine, without compiler or device: tells
// a wrong algorithm from wrong code. math_sweep tries the same on devices.
#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <string>
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

// A function of one operand, or of two.
#define TRITONRT_ALGORITHM(name)                                                          \
  Algorithm {                                                                             \
    #name, [](const float* x) { return mathlib::name(mathlib::Native<32>{x[0]}).value; }, \
        [](const double* x) { return mathlib::name(mathlib::Native<64>{x[0]}).value; }    \
  }
#define TRITONRT_ALGORITHM2(name)                                                           \
  Algorithm {                                                                               \
    #name,                                                                                  \
        [](const float* x) {                                                                \
          return mathlib::name(mathlib::Native<32>{x[0]}, mathlib::Native<32>{x[1]}).value; \
        },                                                                                  \
        [](const double* x) {                                                               \
          return mathlib::name(mathlib::Native<64>{x[0]}, mathlib::Native<64>{x[1]}).value; \
        }                                                                                   \
  }

class Algorithms : public ::testing::TestWithParam<Algorithm> {};

template <class T, class F>
void check(const Reference& f, const F& function, double allowed) {
  size_t arity = std::strlen(f.signature) - 1;
  Arguments<T> source(f, /*stride=*/400009, /*count=*/300);
  std::vector<std::vector<char>> operands(arity, std::vector<char>(size_t{1} << 20));
  size_t n = 0;
  while ((n = source.fill(operands, (size_t{1} << 20) / sizeof(T))) != 0) {
    for (size_t i = 0; i < n; ++i) {
      T x[2] = {};
      Quad exact[2] = {};
      for (size_t k = 0; k < arity; ++k) {
        x[k] = reinterpret_cast<const T*>(operands[k].data())[i];
        exact[k] = x[k];
      }
      T got = function(x);
      Quad expected = f.exact(exact);
      ASSERT_LE(ulps<T>(got, expected), allowed)
          << f.name << " of " << x[0] << " and " << x[1] << ": got " << got << ", expected "
          << double(expected);
    }
  }
}

TEST_P(Algorithms, AreWithinTheirBounds) {
  for (const Reference& f : references()) {
    if (GetParam().name != f.name) continue;
    check<float>(f, GetParam().f32, f.f32);
    check<double>(f, GetParam().f64, f.f64);
    return;
  }
  FAIL() << "no reference for " << GetParam().name;
}

INSTANTIATE_TEST_SUITE_P(
    Math, Algorithms,
    ::testing::Values(
        TRITONRT_ALGORITHM(acos), TRITONRT_ALGORITHM(acosh), TRITONRT_ALGORITHM(asin),
        TRITONRT_ALGORITHM(asinh), TRITONRT_ALGORITHM(atan), TRITONRT_ALGORITHM2(atan2),
        TRITONRT_ALGORITHM(atanh), TRITONRT_ALGORITHM(cbrt), TRITONRT_ALGORITHM(cos),
        TRITONRT_ALGORITHM(cosh), TRITONRT_ALGORITHM(cospi), TRITONRT_ALGORITHM(erf),
        TRITONRT_ALGORITHM(erfc), TRITONRT_ALGORITHM(erfcinv), TRITONRT_ALGORITHM(erfcx),
        TRITONRT_ALGORITHM(erfinv), TRITONRT_ALGORITHM(exp), TRITONRT_ALGORITHM(exp10),
        TRITONRT_ALGORITHM(exp2), TRITONRT_ALGORITHM(expm1), TRITONRT_ALGORITHM2(hypot),
        TRITONRT_ALGORITHM(cyl_bessel_i0), TRITONRT_ALGORITHM(cyl_bessel_i1),
        TRITONRT_ALGORITHM(lgamma), TRITONRT_ALGORITHM(log), TRITONRT_ALGORITHM(log10),
        TRITONRT_ALGORITHM(log1p), TRITONRT_ALGORITHM(log2), TRITONRT_ALGORITHM(normcdf),
        TRITONRT_ALGORITHM(normcdfinv), TRITONRT_ALGORITHM2(pow), TRITONRT_ALGORITHM(rcbrt),
        TRITONRT_ALGORITHM2(rhypot), TRITONRT_ALGORITHM(rsqrt), TRITONRT_ALGORITHM(sin),
        TRITONRT_ALGORITHM(sinh), TRITONRT_ALGORITHM(sinpi), TRITONRT_ALGORITHM(tan),
        TRITONRT_ALGORITHM(tanh), TRITONRT_ALGORITHM(tgamma)),
    [](const ::testing::TestParamInfo<Algorithm>& info) { return info.param.name; });

}  // namespace
}  // namespace tritonrt::testing
