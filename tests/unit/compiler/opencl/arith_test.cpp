// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs every arithmetic op on an OpenCL device, as a scalar and on vectors, over pairs of difficult
// operands, and compares with C++.
#include "tests/unit/compiler/opencl/device.h"

#include "gtest/gtest.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <regex>

namespace tritonrt::testing {
namespace {

/// An op on operands %x and %y of type $T that gives %r of type `result`, on bits kept in 64.
struct OpCase {
  std::string text;
  std::string result;
  std::function<uint64_t(uint64_t, uint64_t)> expected;
  /// Greatest relative error of a float result in units in the last place of its type; < 0: the
  /// same bits, any NaN for a NaN.
  double ulps = -1;
  /// Another right result, where the op leaves a choice.
  std::function<uint64_t(uint64_t, uint64_t)> alternative = nullptr;
};

unsigned bytesOf(const std::string &type) {
  return type == "i1" ? 1 : std::stoi(type.substr(type[0] == 'b' ? 2 : 1)) / 8;
}

std::string replaceAll(std::string text, const std::string &from, const std::string &to) {
  for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

std::string vectorOf(const std::string &type, int lanes) {
  return lanes == 1 ? type : "vector<" + std::to_string(lanes) + "x" + type + ">";
}

/// One kernel that applies all `cases` to elements of `type` and stores each result in its own rows
/// of 8 bytes an element.
std::string kernelText(const std::string &type, const std::vector<OpCase> &cases, int lanes,
                       size_t count) {
  std::string v = vectorOf(type, lanes);
  std::string ir = "func.func @ops(%a: !mem.ptr<global>, %b: !mem.ptr<global>, %o: "
                   "!mem.ptr<global>) {\n"
                   "  %c0 = arith.constant 0 : i64\n  %n = arith.constant " +
                   std::to_string(count) + " : i64\n  %w = arith.constant " +
                   std::to_string(lanes) + " : i64\n  scf.for %j = %c0 to %n step %w : i64 {\n" +
                   "    %x = mem.load %a[%j] : !mem.ptr<global> -> " + v + "\n" +
                   "    %y = mem.load %b[%j] : !mem.ptr<global> -> " + v + "\n";
  for (size_t i = 0; i < cases.size(); ++i) {
    std::string n = std::to_string(i), r = vectorOf(cases[i].result, lanes);
    std::string body = replaceAll(cases[i].text, "$T", v);
    if (lanes == 1) // a scalar constant has no list
      body = std::regex_replace(body, std::regex("dense<([^>]*)>"), "$1");
    // The longer names first: $i1 is the beginning of $i16.
    for (const char *other : {"i16", "i32", "i64", "i8", "i1", "f32", "f64"})
      body = replaceAll(body, "$" + std::string(other), vectorOf(other, lanes));
    // Values that the text defines are its own.
    for (const char *name : {"%r", "%s", "%t", "%u"})
      body = replaceAll(body, name, std::string(name) + n + "_");
    ir += "    " + body + "\n    %d" + n + " = arith.constant " + std::to_string(i * count * 8) +
          " : i64\n    %p" + n + " = mem.offset %o, %d" + n + " : !mem.ptr<global>\n" +
          "    mem.store %r" + n + "_, %p" + n + "[%j] : " + r + ", !mem.ptr<global>\n";
  }
  return ir + "  }\n  return\n}\n";
}

double asDouble(uint64_t bits, const std::string &type) {
  return type == "f32" ? std::bit_cast<float>(static_cast<uint32_t>(bits))
                       : std::bit_cast<double>(bits);
}

bool matches(uint64_t got, uint64_t expected, const OpCase &op) {
  if (got == expected)
    return true;
  if (op.result[0] != 'f')
    return false;
  double a = asDouble(got, op.result), b = asDouble(expected, op.result);
  if (std::isnan(a) || std::isnan(b))
    return std::isnan(a) && std::isnan(b);
  if (op.ulps < 0 || std::isinf(a) || std::isinf(b))
    return false;
  double epsilon = op.result == "f32" ? 0x1p-23 : 0x1p-52;
  double smallest = op.result == "f32" ? 0x1p-149 : 0x1p-1074;
  return std::abs(a - b) <= op.ulps * std::max(std::abs(b) * epsilon, smallest);
}

class OpenCLArith : public ::testing::Test {
protected:
  static void SetUpTestSuite() { device = new OpenCLDevice; }
  static void TearDownTestSuite() {
    delete device;
    device = nullptr;
  }
  void SetUp() override {
    if (!device->available())
      GTEST_SKIP() << "no OpenCL device";
  }

  /// Runs all pairs of `values` through `cases` with every number of lanes in `widths`.
  void check(const std::string &type, const std::vector<uint64_t> &values,
             const std::vector<OpCase> &cases, const std::vector<int> &widths = {1, 4, 16}) {
    std::vector<std::pair<uint64_t, uint64_t>> pairs;
    for (uint64_t x : values)
      for (uint64_t y : values)
        pairs.emplace_back(x, y);
    while (pairs.size() % 16)
      pairs.push_back(pairs.front());
    for (int lanes : widths)
      checkLanes(type, pairs, cases, lanes);
  }

private:
  void checkLanes(const std::string &type, const std::vector<std::pair<uint64_t, uint64_t>> &pairs,
                  const std::vector<OpCase> &cases, int lanes) {
    SCOPED_TRACE(type + " x " + std::to_string(lanes));
    unsigned bytes = bytesOf(type);
    std::vector<uint8_t> a(pairs.size() * 8), b(a.size()), out(cases.size() * pairs.size() * 8);
    for (size_t i = 0; i < pairs.size(); ++i) {
      std::memcpy(&a[i * bytes], &pairs[i].first, bytes);
      std::memcpy(&b[i * bytes], &pairs[i].second, bytes);
    }
    Emitted emitted = emitMapped(kernelText(type, cases, lanes, pairs.size()), device->target());
    ASSERT_EQ(emitted.error, "");
    ASSERT_EQ(device->run(emitted.source, emitted.entry, {{&a, 0, {}}, {&b, 0, {}}, {&out, 0, {}}}),
              "")
        << emitted.source;
    for (size_t c = 0; c < cases.size(); ++c) {
      unsigned size = bytesOf(cases[c].result);
      uint64_t keep = size == 8 ? ~uint64_t{0} : (uint64_t{1} << (8 * size)) - 1;
      unsigned shown = 0;
      for (size_t i = 0; i < pairs.size() && shown < 3; ++i) {
        uint64_t got = 0;
        std::memcpy(&got, &out[c * pairs.size() * 8 + i * size], size);
        uint64_t expected = cases[c].expected(pairs[i].first, pairs[i].second) & keep;
        if (matches(got, expected, cases[c]))
          continue;
        if (cases[c].alternative &&
            matches(got, cases[c].alternative(pairs[i].first, pairs[i].second) & keep, cases[c]))
          continue;
        ++shown;
        ADD_FAILURE() << cases[c].text << "\n  x = 0x" << std::hex << pairs[i].first << ", y = 0x"
                      << pairs[i].second << ": got 0x" << got << ", expected 0x" << expected;
      }
    }
  }

protected:
  static OpenCLDevice *device;
};

OpenCLDevice *OpenCLArith::device = nullptr;

//===----------------------------------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------------------------------===//

int64_t signedValue(uint64_t bits, unsigned width) {
  return static_cast<int64_t>(bits << (64 - width)) >> (64 - width);
}

std::vector<uint64_t> integerValues(unsigned width) {
  uint64_t keep = width == 64 ? ~uint64_t{0} : (uint64_t{1} << width) - 1;
  uint64_t smallest = uint64_t{1} << (width - 1);
  std::vector<uint64_t> values;
  for (uint64_t v : {uint64_t{0}, uint64_t{1}, uint64_t{2}, uint64_t{3}, uint64_t{7}, uint64_t{8},
                     uint64_t{width - 1}, uint64_t{width}, uint64_t{width + 1}, uint64_t{100},
                     ~uint64_t{0}, ~uint64_t{1}, ~uint64_t{6}, smallest, smallest - 1, smallest + 1,
                     uint64_t{0xdeadbeefcafef00d}, uint64_t{0x123456789abcdef0}})
    values.push_back(v & keep);
  return values;
}

std::vector<OpCase> integerCases(unsigned width) {
  auto s = [width](uint64_t v) { return signedValue(v, width); };
  std::string type = "i" + std::to_string(width);
  int64_t smallest = s(uint64_t{1} << (width - 1));
  auto traps = [=](uint64_t x, uint64_t y) { return y == 0 || (s(x) == smallest && s(y) == -1); };
  auto op = [](const std::string &name) { return "%r = arith." + name + " %x, %y : $T"; };
  auto keep = [width](uint64_t v) { return width == 64 ? v : v & ((uint64_t{1} << width) - 1); };
  std::vector<OpCase> cases = {
      {op("addi"), type, [](auto x, auto y) { return x + y; }},
      {op("subi"), type, [](auto x, auto y) { return x - y; }},
      {op("muli"), type, [](auto x, auto y) { return x * y; }},
      {op("andi"), type, [](auto x, auto y) { return x & y; }},
      {op("ori"), type, [](auto x, auto y) { return x | y; }},
      {op("xori"), type, [](auto x, auto y) { return x ^ y; }},
      // Division by zero has no value: only that nothing traps. It is left out by `or`.
      {"%s = arith.constant dense<1> : $T\n%t = arith.ori %y, %s : $T\n"
       "%r = arith.divsi %x, %t : $T",
       type, [=](auto x, auto y) { return traps(x, y | 1) ? x : uint64_t(s(x) / s(y | 1)); }},
      {"%s = arith.constant dense<1> : $T\n%t = arith.ori %y, %s : $T\n"
       "%r = arith.remsi %x, %t : $T",
       type, [=](auto x, auto y) { return traps(x, y | 1) ? 0 : uint64_t(s(x) % s(y | 1)); }},
      {"%s = arith.constant dense<1> : $T\n%t = arith.ori %y, %s : $T\n"
       "%r = arith.divui %x, %t : $T",
       type, [](auto x, auto y) { return x / (y | 1); }},
      {"%s = arith.constant dense<1> : $T\n%t = arith.ori %y, %s : $T\n"
       "%r = arith.remui %x, %t : $T",
       type, [](auto x, auto y) { return x % (y | 1); }},
      {"%s = arith.divsi %x, %y : $T\n%t = arith.remsi %x, %y : $T\n%u = arith.divui %x, %y : $T\n"
       "%u2 = arith.remui %x, %y : $T\n%s2 = arith.ori %s, %t : $T\n%t2 = arith.ori %u, %u2 : $T\n"
       "%s3 = arith.ori %s2, %t2 : $T\n%r = arith.xori %s3, %s3 : $T",
       type, [](auto, auto) { return uint64_t{0}; }},
      {"%s = arith.constant dense<3> : $T\n%r = arith.divsi %x, %s : $T", type,
       [=](auto x, auto) { return uint64_t(s(x) / 3); }},
      {"%s = arith.constant dense<-1> : $T\n%r = arith.divsi %x, %s : $T", type,
       [=](auto x, auto) { return 0 - x; }},
      {op("shli"), type, [=](auto x, auto y) { return y < width ? x << y : 0; }},
      {op("shrui"), type, [=](auto x, auto y) { return y < width ? x >> y : 0; }},
      {op("shrsi"), type,
       [=](auto x, auto y) { return uint64_t(s(x) >> std::min<uint64_t>(y, width - 1)); }},
      {op("maxsi"), type, [=](auto x, auto y) { return s(x) > s(y) ? x : y; }},
      {op("minsi"), type, [=](auto x, auto y) { return s(x) < s(y) ? x : y; }},
      {op("maxui"), type, [](auto x, auto y) { return std::max(x, y); }},
      {op("minui"), type, [](auto x, auto y) { return std::min(x, y); }},
      {"%r, %s = arith.mulsi_extended %x, %y : $T", type, [](auto x, auto y) { return x * y; }},
      {"%s, %r = arith.mulsi_extended %x, %y : $T", type,
       [=](auto x, auto y) { return uint64_t((__int128(s(x)) * s(y)) >> width); }},
      {"%s, %r = arith.mului_extended %x, %y : $T", type,
       [=](auto x, auto y) { return uint64_t((static_cast<unsigned __int128>(x) * y) >> width); }},
      {"%s, %r = arith.addui_extended %x, %y : $T, $i1", "i1",
       [=](auto x, auto y) { return uint64_t(keep(x + y) < x); }},
      {"%r = math.absi %x : $T", type, [=](auto x, auto) { return s(x) < 0 ? 0 - x : x; }},
      {"%r = math.ctpop %x : $T", type, [](auto x, auto) { return uint64_t(std::popcount(x)); }},
      {"%r = math.ctlz %x : $T", type,
       [=](auto x, auto) { return uint64_t(std::countl_zero(x) - (64 - int(width))); }},
      {"%r = math.cttz %x : $T", type,
       [=](auto x, auto) { return std::min<uint64_t>(std::countr_zero(x), width); }},
  };
  struct Compare {
    const char *name;
    std::function<bool(uint64_t, uint64_t)> holds;
  };
  std::vector<Compare> compares = {
      {"eq", [](auto x, auto y) { return x == y; }},
      {"ne", [](auto x, auto y) { return x != y; }},
      {"ult", [](auto x, auto y) { return x < y; }},
      {"ule", [](auto x, auto y) { return x <= y; }},
      {"ugt", [](auto x, auto y) { return x > y; }},
      {"uge", [](auto x, auto y) { return x >= y; }},
      {"slt", [=](auto x, auto y) { return s(x) < s(y); }},
      {"sle", [=](auto x, auto y) { return s(x) <= s(y); }},
      {"sgt", [=](auto x, auto y) { return s(x) > s(y); }},
      {"sge", [=](auto x, auto y) { return s(x) >= s(y); }},
  };
  for (const Compare &compare : compares) {
    std::string text = std::string("arith.cmpi ") + compare.name + ", %x, %y : $T";
    auto holds = compare.holds;
    cases.push_back({"%r = " + text, "i1", [=](auto x, auto y) { return uint64_t(holds(x, y)); }});
    cases.push_back({"%s = " + text + "\n%r = arith.select %s, %x, %y : $i1, $T", type,
                     [=](auto x, auto y) { return holds(x, y) ? x : y; }});
  }
  // Widths of the other integers, through the ops that change them.
  for (unsigned to : {8u, 16u, 32u, 64u}) {
    std::string other = "i" + std::to_string(to);
    if (to > width) {
      cases.push_back({"%r = arith.extsi %x : $T to $" + other, other,
                       [=](auto x, auto) { return uint64_t(s(x)); }});
      cases.push_back(
          {"%r = arith.extui %x : $T to $" + other, other, [](auto x, auto) { return x; }});
    } else if (to < width) {
      cases.push_back(
          {"%r = arith.trunci %x : $T to $" + other, other, [](auto x, auto) { return x; }});
    }
    cases.push_back({"%s = arith.cmpi slt, %x, %y : $T\n%r = arith.extui %s : $i1 to $" + other,
                     other, [=](auto x, auto y) { return uint64_t(s(x) < s(y)); }});
    cases.push_back({"%s = arith.cmpi slt, %x, %y : $T\n%r = arith.extsi %s : $i1 to $" + other,
                     other, [=](auto x, auto y) { return s(x) < s(y) ? ~uint64_t{0} : 0; }});
    cases.push_back({"%s = arith.cmpi slt, %x, %y : $T\n%t = arith.constant dense<5> : $" + other +
                         "\n%u = arith.constant dense<-7> : $" + other +
                         "\n%r = arith.select %s, %t, %u : $i1, $" + other,
                     other, [=](auto x, auto y) { return s(x) < s(y) ? 5 : uint64_t(-7); }});
  }
  cases.push_back({"%r = arith.trunci %x : $T to $i1", "i1", [](auto x, auto) { return x & 1; }});
  return cases;
}

/// i1 ops on the conditions x < y (unsigned) and x & 1, in lanes of two different widths.
std::vector<OpCase> boolCases() {
  auto with = [](const std::string &op, std::function<bool(bool, bool)> f) {
    return OpCase{"%s = arith.cmpi ult, %x, %y : $T\n%u = arith.extui %x : $T to $i64\n"
                  "%t = arith.trunci %u : $i64 to $i1\n" +
                      op,
                  "i1", [f](auto x, auto y) { return uint64_t(f(x < y, x & 1)); }};
  };
  return {
      with("%r = arith.andi %s, %t : $i1", [](bool a, bool b) { return a && b; }),
      with("%r = arith.ori %s, %t : $i1", [](bool a, bool b) { return a || b; }),
      with("%r = arith.xori %s, %t : $i1", [](bool a, bool b) { return a != b; }),
      with("%r = arith.addi %s, %t : $i1", [](bool a, bool b) { return a != b; }),
      with("%r = arith.muli %s, %t : $i1", [](bool a, bool b) { return a && b; }),
      with("%r = arith.maxsi %s, %t : $i1", [](bool a, bool b) { return a && b; }),
      with("%r = arith.maxui %s, %t : $i1", [](bool a, bool b) { return a || b; }),
      with("%r = arith.minsi %s, %t : $i1", [](bool a, bool b) { return a || b; }),
      with("%r = arith.minui %s, %t : $i1", [](bool a, bool b) { return a && b; }),
      with("%r = arith.cmpi eq, %s, %t : $i1", [](bool a, bool b) { return a == b; }),
      with("%r = arith.cmpi ne, %s, %t : $i1", [](bool a, bool b) { return a != b; }),
      with("%r = arith.cmpi ult, %s, %t : $i1", [](bool a, bool b) { return a < b; }),
      with("%r = arith.cmpi uge, %s, %t : $i1", [](bool a, bool b) { return a >= b; }),
      with("%r = arith.cmpi slt, %s, %t : $i1", [](bool a, bool b) { return a > b; }),
      with("%r = arith.cmpi sle, %s, %t : $i1", [](bool a, bool b) { return a >= b; }),
      with("%r = arith.select %s, %t, %s : $i1, $i1", [](bool a, bool b) { return a ? b : a; }),
  };
}

TEST_F(OpenCLArith, I8) { check("i8", integerValues(8), integerCases(8)); }
TEST_F(OpenCLArith, I16) { check("i16", integerValues(16), integerCases(16)); }
TEST_F(OpenCLArith, I32) { check("i32", integerValues(32), integerCases(32)); }
TEST_F(OpenCLArith, I64) { check("i64", integerValues(64), integerCases(64)); }
TEST_F(OpenCLArith, I1) { check("i32", integerValues(32), boolCases()); }

//===----------------------------------------------------------------------------------------------===//
// Floats
//===----------------------------------------------------------------------------------------------===//

template <typename T> using BitsOf = std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>;

template <typename T> T number(uint64_t bits) {
  return std::bit_cast<T>(static_cast<BitsOf<T>>(bits));
}
template <typename T> uint64_t bits(T value) { return std::bit_cast<BitsOf<T>>(value); }

template <typename T> std::vector<uint64_t> floatValues() {
  using Limits = std::numeric_limits<T>;
  std::vector<uint64_t> values;
  for (double v : {0.0, -0.0, 1.0, -1.0, 0.5, 1.5, 2.5, -2.5, 3.25, 1e-3, 100.0, -77.7, 126.5,
                   2147483648.0, -2147483649.0, 4294967296.0, 9.3e18, -1e20, 1.9e19})
    values.push_back(bits(static_cast<T>(v)));
  for (T v : {Limits::infinity(), -Limits::infinity(), Limits::quiet_NaN(), Limits::max(),
              Limits::min(), Limits::denorm_min()})
    values.push_back(bits(v));
  return values;
}

/// What a saturating conversion gives; NaN is 0. To a short integer it goes through an int.
template <typename I, typename T> uint64_t saturated(T value) {
  if constexpr (sizeof(I) < 4)
    return saturated<int32_t>(value);
  if (std::isnan(value))
    return 0;
  if (value <= static_cast<T>(std::numeric_limits<I>::min()))
    return static_cast<uint64_t>(std::numeric_limits<I>::min());
  // The largest integer may round up when it becomes a float.
  if (value >= static_cast<T>(std::numeric_limits<I>::max()))
    return static_cast<uint64_t>(std::numeric_limits<I>::max());
  return static_cast<uint64_t>(static_cast<I>(value));
}

template <typename T> std::vector<OpCase> floatCases(const std::string &type) {
  auto binary = [&](const std::string &name, std::function<T(T, T)> f, double ulps = -1) {
    return OpCase{"%r = " + name + " %x, %y : $T", type,
                  [f](auto x, auto y) { return bits(f(number<T>(x), number<T>(y))); }, ulps};
  };
  auto unary = [&](const std::string &name, std::function<T(T)> f, double ulps = -1) {
    return OpCase{"%r = " + name + " %x : $T", type,
                  [f](auto x, auto) { return bits(f(number<T>(x))); }, ulps};
  };
  std::vector<OpCase> cases = {
      binary("arith.addf", [](T x, T y) { return x + y; }),
      binary("arith.subf", [](T x, T y) { return x - y; }),
      binary("arith.mulf", [](T x, T y) { return x * y; }),
      binary("arith.divf", [](T x, T y) { return x / y; }),
      binary("arith.remf", [](T x, T y) { return std::fmod(x, y); }),
      binary("math.copysign", [](T x, T y) { return std::copysign(x, y); }),
      unary("arith.negf", [](T x) { return -x; }),
      unary("math.absf", [](T x) { return std::fabs(x); }),
      unary("math.floor", [](T x) { return std::floor(x); }),
      unary("math.ceil", [](T x) { return std::ceil(x); }),
      unary("math.trunc", [](T x) { return std::trunc(x); }),
      unary("math.round", [](T x) { return std::round(x); }),
      unary("math.roundeven", [](T x) { return std::nearbyint(x); }),
      unary("math.sqrt", [](T x) { return std::sqrt(x); }),
      unary("math.rsqrt", [](T x) { return T(1 / std::sqrt(static_cast<long double>(x))); }),
      unary(
          "math.exp", [](T x) { return T(std::exp(double(x))); }, 4),
      unary(
          "math.exp2", [](T x) { return T(std::exp2(double(x))); }, 4),
      unary(
          "math.log", [](T x) { return T(std::log(double(x))); }, 4),
      unary(
          "math.log2", [](T x) { return T(std::log2(double(x))); }, 4),
      unary(
          "math.sin", [](T x) { return T(std::sin(double(x))); }, 5),
      unary(
          "math.cos", [](T x) { return T(std::cos(double(x))); }, 5),
      unary(
          "math.tanh", [](T x) { return T(std::tanh(double(x))); }, 6),
      unary(
          "math.erf", [](T x) { return T(std::erf(double(x))); }, 17),
      unary(
          "math.log1p", [](T x) { return T(std::log1p(double(x))); }, 4),
      unary(
          "math.expm1", [](T x) { return T(std::expm1(double(x))); }, 4),
      {"%r = math.fma %x, %y, %x : $T", type,
       [](auto x, auto y) { return bits(std::fma(number<T>(x), number<T>(y), number<T>(x))); }},
      // A product and a sum may be rounded once or twice.
      {"%s = arith.mulf %x, %y : $T\n%r = arith.addf %s, %x : $T", type,
       [](auto x, auto y) { return bits(std::fma(number<T>(x), number<T>(y), number<T>(x))); }, -1,
       [](auto x, auto y) {
         volatile T product = number<T>(x) * number<T>(y);
         return bits(T(product + number<T>(x)));
       }},
  };
  // Zeros of either sign are equal here: which one a maximum gives is not said.
  auto extremum = [&](const std::string &name, bool isMax, bool propagates) {
    cases.push_back({"%t = arith." + name +
                         " %x, %y : $T\n%s = arith.constant dense<0.0> : $T\n"
                         "%r = arith.addf %t, %s : $T",
                     type, [=](auto xb, auto yb) {
                       T x = number<T>(xb), y = number<T>(yb);
                       if (std::isnan(x) || std::isnan(y)) {
                         T other = std::isnan(x) ? y : x;
                         return bits((propagates ? std::numeric_limits<T>::quiet_NaN() : other) +
                                     T(0));
                       }
                       return bits((isMax ? std::max(x, y) : std::min(x, y)) + T(0));
                     }});
  };
  extremum("maxnumf", true, false);
  extremum("minnumf", false, false);
  extremum("maximumf", true, true);
  extremum("minimumf", false, true);

  struct Compare {
    const char *name;
    std::function<bool(T, T)> ordered;
    bool unordered;
  };
  const std::vector<Compare> compares = {{"false", [](T, T) { return false; }, false},
                                         {"true", [](T, T) { return true; }, true},
                                         {"oeq", [](T x, T y) { return x == y; }, false},
                                         {"ueq", [](T x, T y) { return x == y; }, true},
                                         {"ogt", [](T x, T y) { return x > y; }, false},
                                         {"ugt", [](T x, T y) { return x > y; }, true},
                                         {"oge", [](T x, T y) { return x >= y; }, false},
                                         {"uge", [](T x, T y) { return x >= y; }, true},
                                         {"olt", [](T x, T y) { return x < y; }, false},
                                         {"ult", [](T x, T y) { return x < y; }, true},
                                         {"ole", [](T x, T y) { return x <= y; }, false},
                                         {"ule", [](T x, T y) { return x <= y; }, true},
                                         {"one", [](T x, T y) { return x != y; }, false},
                                         {"une", [](T x, T y) { return x != y; }, true},
                                         {"ord", [](T, T) { return true; }, false},
                                         {"uno", [](T, T) { return false; }, true}};
  for (const Compare &compare : compares)
    cases.push_back({std::string("%r = arith.cmpf ") + compare.name + ", %x, %y : $T", "i1",
                     [compare](auto xb, auto yb) {
                       T x = number<T>(xb), y = number<T>(yb);
                       bool unordered = std::isnan(x) || std::isnan(y);
                       return uint64_t(unordered ? compare.unordered : compare.ordered(x, y));
                     }});

  auto convert = [&](const std::string &op, const std::string &to, auto f) {
    cases.push_back({"%r = arith." + op + " %x : $T to $" + to, to,
                     [f](auto x, auto) { return uint64_t(f(number<T>(x))); }});
  };
  convert("fptosi", "i8", saturated<int8_t, T>);
  convert("fptosi", "i16", saturated<int16_t, T>);
  convert("fptosi", "i32", saturated<int32_t, T>);
  convert("fptosi", "i64", saturated<int64_t, T>);
  convert("fptoui", "i8", saturated<uint8_t, T>);
  convert("fptoui", "i16", saturated<uint16_t, T>);
  convert("fptoui", "i32", saturated<uint32_t, T>);
  convert("fptoui", "i64", saturated<uint64_t, T>);
  if (sizeof(T) == 4)
    convert("extf", "f64", [](T x) { return bits(double(x)); });
  else
    convert("truncf", "f32", [](T x) { return bits(float(x)); });
  convert("bitcast", sizeof(T) == 4 ? "i32" : "i64", [](T x) { return bits(x); });
  for (const char *constant : {"0x7FC00000", "0x7F800000", "0xFF800000", "0.1", "-3.0e38", "1.5",
                               "1.0e-45", "16777216.0"}) {
    if (sizeof(T) != 4)
      continue;
    bool isBits = constant[1] == 'x';
    uint32_t value = isBits ? static_cast<uint32_t>(std::stoul(constant, nullptr, 16))
                            : std::bit_cast<uint32_t>(std::strtof(constant, nullptr));
    cases.push_back({std::string("%r = arith.constant dense<") + constant + "> : $T", type,
                     [value](auto, auto) { return uint64_t{value}; }});
  }
  return cases;
}

template <typename I> std::vector<OpCase> fromInteger(const std::string &op) {
  return {
      {"%r = arith." + op + " %x : $T to $f32", "f32",
       [](auto x, auto) { return bits(float(static_cast<I>(x))); }},
      {"%r = arith." + op + " %x : $T to $f64", "f64",
       [](auto x, auto) { return bits(double(static_cast<I>(x))); }},
      {"%s = arith.cmpi ult, %x, %y : $T\n%r = arith." + op + " %s : $i1 to $f32", "f32",
       [](auto x, auto y) { return bits(x < y ? (std::is_signed_v<I> ? -1.0f : 1.0f) : 0.0f); }}};
}

TEST_F(OpenCLArith, F32) { check("f32", floatValues<float>(), floatCases<float>("f32")); }

TEST_F(OpenCLArith, F64) {
  if (!device->has("cl_khr_fp64"))
    GTEST_SKIP() << "no cl_khr_fp64";
  check("f64", floatValues<double>(), floatCases<double>("f64"), {1, 8});
}

TEST_F(OpenCLArith, FromInteger) {
  if (!device->has("cl_khr_fp64"))
    GTEST_SKIP() << "no cl_khr_fp64";
  check("i8", integerValues(8), fromInteger<int8_t>("sitofp"));
  check("i32", integerValues(32), fromInteger<int32_t>("sitofp"));
  check("i32", integerValues(32), fromInteger<uint32_t>("uitofp"));
  check("i64", integerValues(64), fromInteger<int64_t>("sitofp"));
  check("i64", integerValues(64), fromInteger<uint64_t>("uitofp"));
}

} // namespace
} // namespace tritonrt::testing
