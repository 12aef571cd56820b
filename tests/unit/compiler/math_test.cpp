// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The f32 functions of the compiler against the C library's in double precision, over arguments
// that are spread evenly over all bit patterns.

#include "tests/unit/compiler/loaded_kernel.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <limits>
#include <string>
#include <vector>

namespace tritonrt::compiler {
namespace {

/// out[i] = op(x[i], y[i]), 16 lanes at a time; `type` is a vector or the element alone.
std::string kernelOf(const std::string &op, bool binary, bool vector) {
  std::string type = vector ? "vector<16xf32>" : "f32";
  std::string apply = binary ? op + " %a, %b : " + type : op + " %a : " + type;
  return "func.func @f(%x: !mem.ptr<global>, %y: !mem.ptr<global>, %out: !mem.ptr<global>,"
         " %n: i64) {\n"
         "  %c0 = arith.constant 0 : i64\n"
         "  %step = arith.constant " +
         std::string(vector ? "16" : "1") +
         " : i64\n"
         "  scf.for %i = %c0 to %n step %step : i64 {\n"
         "    %a = mem.load %x[%i] : !mem.ptr<global> -> " +
         type + "\n    %b = mem.load %y[%i] : !mem.ptr<global> -> " + type + "\n    %r = " + apply +
         "\n    mem.store %r, %out[%i] : " + type + ", !mem.ptr<global>\n  }\n  return\n}\n";
}

float fromBits(uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, 4);
  return value;
}

/// Distance from the true value in units of the last place of an f32 there.
double ulps(float got, double expected) {
  float rounded = float(expected);
  if (std::isnan(expected))
    return std::isnan(got) ? 0 : 1e30;
  if (std::isinf(rounded) || std::isinf(got))
    return got == rounded ? 0 : 1e30;
  int exponent = std::max(std::ilogb(std::fabs(expected)), -126);
  if (expected == 0)
    exponent = -126;
  return std::fabs(double(got) - expected) / std::ldexp(1.0, exponent - 23);
}

struct Worst {
  double ulps = 0;
  float x = 0, y = 0, got = 0;
  double expected = 0;
};

using Reference = std::function<double(double, double)>;

Worst worstOver(const std::vector<float> &x, const std::vector<float> &y, const std::string &op,
                bool binary, bool vector, const Reference &reference, const std::string &target) {
  LoadedKernel kernel(kernelOf(op, binary, vector), "", "", target);
  std::vector<float> out(x.size());
  kernel.run({1}, x.data(), y.data(), out.data(), int64_t(x.size()));
  Worst worst;
  for (size_t i = 0; i < x.size(); ++i) {
    double expected = reference(x[i], y[i]);
    double error = ulps(out[i], expected);
    if (error > worst.ulps)
      worst = {error, x[i], y[i], out[i], expected};
  }
  return worst;
}

/// Arguments of every magnitude, and the special ones. TRITONRT_MATH_STRIDE=1 takes all there are.
std::vector<float> arguments() {
  const char *text = std::getenv("TRITONRT_MATH_STRIDE");
  uint64_t stride = text ? std::strtoull(text, nullptr, 10) : 3001;
  std::vector<float> x;
  for (uint64_t bits = 0; bits < (uint64_t{1} << 32); bits += stride)
    x.push_back(fromBits(uint32_t(bits)));
  const float inf = std::numeric_limits<float>::infinity();
  for (float special : {0.0f,          1.0f,          0.5f,        2.0f,
                        inf,           std::nanf(""), 1e-45f,      1.17549435e-38f,
                        3.4028235e38f, 88.72284f,     88.7f,       -87.3f,
                        -103.9f,       -104.5f,       0.70710677f, 0.99999994f,
                        1.0000001f,    131072.0f,     131073.0f,   1.5707964f,
                        3.1415927f,    16777216.0f,   1e22f}) {
    x.push_back(special);
    x.push_back(-special);
  }
  while (x.size() % 16)
    x.push_back(1.0f);
  return x;
}

struct Function {
  const char *op;
  double limit;
  double (*reference)(double);
};
// Names tests by what they test.
void PrintTo(const Function &function, std::ostream *os) { *os << function.op; }

class UnaryMath : public testing::TestWithParam<Function> {};

TEST_P(UnaryMath, IsWithinItsError) {
  const Function &f = GetParam();
  std::vector<float> x = arguments();
  Reference reference = [&](double a, double) { return f.reference(a); };
  std::vector<float> scalars;
  for (size_t i = 0; i < x.size(); i += 37)
    scalars.push_back(x[i]);
  for (const char *target : {"", "cpu=haswell\n", "cpu=x86-64\n"}) {
    Worst worst = worstOver(x, x, f.op, false, true, reference, target);
    RecordProperty("ulps", std::to_string(worst.ulps));
    EXPECT_LE(worst.ulps, f.limit)
        << target << " x " << worst.x << " got " << worst.got << " expected " << worst.expected;
    Worst scalar = worstOver(scalars, scalars, f.op, false, false, reference, target);
    EXPECT_LE(scalar.ulps, f.limit)
        << "scalar x " << scalar.x << " got " << scalar.got << " expected " << scalar.expected;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Functions, UnaryMath,
    testing::Values(Function{"math.exp", 1.0, [](double x) { return std::exp(x); }},
                    Function{"math.exp2", 1.0, [](double x) { return std::exp2(x); }},
                    Function{"math.expm1", 1.0, [](double x) { return std::expm1(x); }},
                    Function{"math.log", 1.0, [](double x) { return std::log(x); }},
                    Function{"math.log2", 1.0, [](double x) { return std::log2(x); }},
                    Function{"math.log10", 1.0, [](double x) { return std::log10(x); }},
                    Function{"math.log1p", 1.0, [](double x) { return std::log1p(x); }},
                    Function{"math.sin", 1.6, [](double x) { return std::sin(x); }},
                    Function{"math.cos", 1.6, [](double x) { return std::cos(x); }},
                    Function{"math.tan", 2.0, [](double x) { return std::tan(x); }},
                    Function{"math.tanh", 1.0, [](double x) { return std::tanh(x); }},
                    Function{"math.erf", 1.0, [](double x) { return std::erf(x); }},
                    Function{"math.rsqrt", 0.51, [](double x) { return 1.0 / std::sqrt(x); }},
                    Function{"math.atan", 1.0, [](double x) { return std::atan(x); }}),
    [](const testing::TestParamInfo<Function> &info) {
      return std::string(info.param.op).substr(5);
    });

TEST(BinaryMath, PowIsWithinItsError) {
  const float inf = std::numeric_limits<float>::infinity();
  std::vector<float> special = {0.0f,  -0.0f, 1.0f,  -1.0f,       2.0f,    -2.0f,  0.5f,
                                -0.5f, inf,   -inf,  3.0f,        -3.0f,   1e-45f, std::nanf(""),
                                1.5f,  4.0f,  1e10f, 16777217.0f, 3.4e38f, -1e30f};
  std::vector<float> x, y;
  for (float a : special)
    for (float b : special) {
      x.push_back(a);
      y.push_back(b);
    }
  uint64_t state = 1;
  auto next = [&] {
    return uint32_t((state = state * 6364136223846793005u + 1442695040888963407u) >> 33) /
           2147483648.0;
  };
  for (int i = 0; i < 400000; ++i) {
    x.push_back(float(std::exp((next() - 0.5) * 170)));
    y.push_back(float((next() - 0.5) * 100 / (std::fabs(std::log(x.back())) + 1e-3)));
  }
  while (x.size() % 16) {
    x.push_back(1);
    y.push_back(1);
  }
  Worst worst = worstOver(
      x, y, "math.powf", true, true, [](double a, double b) { return std::pow(a, b); }, "");
  EXPECT_LE(worst.ulps, 0.6) << worst.x << " ^ " << worst.y << " got " << worst.got << " expected "
                             << worst.expected;
}

TEST(BinaryMath, ExtremaTreatNanAsTheirNamesSay) {
  const float nan = std::nanf("");
  std::vector<float> x = {1, nan, 2, nan, -1, 5, nan, 0, 1, nan, 2, nan, -1, 5, nan, 0};
  std::vector<float> y = {nan, 3, 1, nan, -2, 6, -4, 0, nan, 3, 1, nan, -2, 6, -4, 0};
  struct {
    const char *op;
    bool propagates, isMax;
  } cases[] = {{"arith.maxnumf", false, true},
               {"arith.minnumf", false, false},
               {"arith.maximumf", true, true},
               {"arith.minimumf", true, false}};
  for (auto &c : cases)
    for (bool vector : {true, false}) {
      LoadedKernel kernel(kernelOf(c.op, true, vector));
      std::vector<float> out(16);
      kernel.run({1}, x.data(), y.data(), out.data(), int64_t(16));
      for (int i = 0; i < 16; ++i) {
        float expected = c.isMax ? std::fmax(x[i], y[i]) : std::fmin(x[i], y[i]);
        if (c.propagates && (std::isnan(x[i]) || std::isnan(y[i])))
          expected = nan;
        if (std::isnan(expected))
          EXPECT_TRUE(std::isnan(out[i])) << c.op << " " << x[i] << " " << y[i];
        else
          EXPECT_EQ(out[i], expected) << c.op << " " << x[i] << " " << y[i];
      }
    }
}

} // namespace
} // namespace tritonrt::compiler
