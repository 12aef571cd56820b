// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Formats that the processor lacks, against LLVM's software floats.

#include "tests/unit/compiler/loaded_kernel.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/bit.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

namespace tritonrt::compiler {
namespace {

using llvm::APFloat;
using llvm::APInt;

struct Format {
  const char *name;
  const llvm::fltSemantics &semantics;
  unsigned bits;
  bool saturates;
};
// Names tests by what they test.
void PrintTo(const Format &format, std::ostream *os) { *os << format.name; }

std::string castKernel(const std::string &op, const std::string &from, const std::string &to,
                       int lanes = 8) {
  auto vector = [&](const std::string &element) {
    return lanes == 1 ? element : "vector<" + std::to_string(lanes) + "x" + element + ">";
  };
  return "func.func @f(%x: !mem.ptr<global>, %out: !mem.ptr<global>, %n: i64) {\n"
         "  %c0 = arith.constant 0 : i64\n  %step = arith.constant " +
         std::to_string(lanes) +
         " : i64\n"
         "  scf.for %i = %c0 to %n step %step : i64 {\n"
         "    %a = mem.load %x[%i] : !mem.ptr<global> -> " +
         vector(from) + "\n    %r = " + op + " %a : " + vector(from) + " to " + vector(to) +
         "\n    mem.store %r, %out[%i] : " + vector(to) + ", !mem.ptr<global>\n  }\n  return\n}\n";
}

/// What a conversion to the format must give, as bits.
uint64_t rounded(const Format &format, double value, bool towardZero) {
  APFloat number(value);
  bool loses;
  number.convert(format.semantics,
                 towardZero ? APFloat::rmTowardZero : APFloat::rmNearestTiesToEven, &loses);
  bool overflowed = std::isinf(value) || number.isInfinity() ||
                    (number.isNaN() && !std::isnan(value)) ||
                    (!std::isnan(value) &&
                     std::fabs(value) > APFloat::getLargest(format.semantics).convertToDouble());
  // PTX's conversion to f16 towards zero, whose high byte this is, keeps an infinity.
  bool keepsInfinity =
      towardZero && std::isinf(value) && APFloat::semanticsHasInf(format.semantics);
  if (format.saturates && overflowed && !keepsInfinity)
    number = APFloat::getLargest(format.semantics, std::signbit(value));
  return number.bitcastToAPInt().getZExtValue();
}

class SmallFloats : public testing::TestWithParam<Format> {};

TEST_P(SmallFloats, WidenExactly) {
  const Format &format = GetParam();
  for (const char *target : {"", "cpu=x86-64\n"}) {
    LoadedKernel kernel(castKernel("arith.extf", format.name, "f32"), "", "", target);
    unsigned count = 1u << format.bits;
    std::vector<uint16_t> codes(count);
    std::vector<uint8_t> bytes(count);
    for (unsigned i = 0; i < count; ++i) {
      codes[i] = uint16_t(i);
      bytes[i] = uint8_t(i);
    }
    std::vector<float> out(count);
    const void *in = format.bits == 8 ? static_cast<const void *>(bytes.data()) : codes.data();
    kernel.run({1}, in, out.data(), int64_t(count));
    for (unsigned i = 0; i < count; ++i) {
      APFloat number(format.semantics, APInt(format.bits, i));
      if (number.isNaN()) {
        ASSERT_TRUE(std::isnan(out[i])) << i;
        continue;
      }
      float expected = number.convertToFloat();
      ASSERT_EQ(llvm::bit_cast<uint32_t>(out[i]), llvm::bit_cast<uint32_t>(expected))
          << target << "code " << i << " got " << out[i] << " expected " << expected;
    }
  }
}

/// Numbers of the format, the middles between them, and their neighbours; then all magnitudes.
std::vector<double> numbersAround(const Format &format) {
  std::vector<double> numbers;
  for (unsigned code = 0; code < (1u << (format.bits - 1)); code += format.bits == 8 ? 1 : 7) {
    APFloat low(format.semantics, APInt(format.bits, code));
    APFloat high(format.semantics, APInt(format.bits, code + 1));
    if (!low.isFinite())
      continue;
    double a = low.convertToDouble();
    double b = high.isFinite() ? high.convertToDouble() : 1.125 * a;
    for (double value : {a, (a + b) / 2, a + (b - a) / 4})
      for (float near : {float(value), std::nextafterf(float(value), 1e38f),
                         std::nextafterf(float(value), -1e38f)})
        numbers.insert(numbers.end(), {double(near), -double(near)});
  }
  for (uint64_t bits = 0; bits < (uint64_t{1} << 32); bits += 50021)
    numbers.push_back(llvm::bit_cast<float>(uint32_t(bits)));
  for (float special : {0.0f, -0.0f, 448.0f, 464.0f, 465.0f, 57344.0f, 61440.0f, 65504.0f, 65520.0f,
                        1e30f, INFINITY, -INFINITY, NAN})
    numbers.push_back(special);
  numbers.resize((numbers.size() + 7) / 8 * 8);
  return numbers;
}

void expectRounded(const Format &format, const std::vector<double> &numbers, bool isDouble,
                   bool towardZero, const char *target) {
  std::string text = castKernel("arith.truncf", isDouble ? "f64" : "f32", format.name);
  if (towardZero)
    text.replace(text.find("truncf %a"), 9, "truncf %a toward_zero");
  LoadedKernel kernel(text, "", "", target);
  std::vector<float> floats(numbers.begin(), numbers.end());
  std::vector<uint8_t> bytes(numbers.size());
  std::vector<uint16_t> halves(numbers.size());
  const void *in = isDouble ? static_cast<const void *>(numbers.data()) : floats.data();
  void *out = format.bits == 8 ? static_cast<void *>(bytes.data()) : halves.data();
  kernel.run({1}, in, out, int64_t(numbers.size()));
  for (size_t i = 0; i < numbers.size(); ++i) {
    uint64_t got = format.bits == 8 ? bytes[i] : halves[i];
    uint64_t expected = rounded(format, numbers[i], towardZero);
    if (std::isnan(numbers[i])) {
      ASSERT_TRUE(APFloat(format.semantics, APInt(format.bits, got)).isNaN());
      continue;
    }
    ASSERT_EQ(got, expected) << format.name << " of " << numbers[i] << " " << target;
  }
}

TEST_P(SmallFloats, RoundOnceFromF32) {
  std::vector<double> numbers = numbersAround(GetParam());
  for (const char *target : {"", "cpu=x86-64\n"})
    expectRounded(GetParam(), numbers, /*isDouble=*/false, /*towardZero=*/false, target);
}

TEST_P(SmallFloats, RoundTowardsZero) {
  expectRounded(GetParam(), numbersAround(GetParam()), false, /*towardZero=*/true, "");
}

TEST_P(SmallFloats, RoundOnceFromF64) {
  std::vector<double> numbers;
  for (double number : numbersAround(GetParam())) {
    numbers.push_back(number);
    numbers.push_back(number * (1 + 0x1p-40));
    numbers.push_back(number * (1 - 0x1p-40));
  }
  numbers.resize((numbers.size() + 7) / 8 * 8);
  expectRounded(GetParam(), numbers, /*isDouble=*/true, false, "");
}

INSTANTIATE_TEST_SUITE_P(Formats, SmallFloats,
                         testing::Values(Format{"f16", APFloat::IEEEhalf(), 16, false},
                                         Format{"bf16", APFloat::BFloat(), 16, false},
                                         Format{"f8E4M3FN", APFloat::Float8E4M3FN(), 8, true},
                                         Format{"f8E5M2", APFloat::Float8E5M2(), 8, true},
                                         Format{"f8E4M3FNUZ", APFloat::Float8E4M3FNUZ(), 8, true},
                                         Format{"f8E5M2FNUZ", APFloat::Float8E5M2FNUZ(), 8, true}),
                         [](const testing::TestParamInfo<Format> &info) {
                           return std::string(info.param.name);
                         });

TEST(SmallFloatArithmetic, RoundsEachResult) {
  LoadedKernel kernel(R"(
    func.func @f(%x: !mem.ptr<global>, %y: !mem.ptr<global>, %out: !mem.ptr<global>, %s: bf16) {
      %c0 = arith.constant 0 : i64
      %c1 = arith.constant 1 : i64
      %c2 = arith.constant 2 : i64
      %c8 = arith.constant 8 : i64
      %c16 = arith.constant 16 : i64
      %half = arith.constant dense<0.5> : vector<8xbf16>
      %a = mem.load %x[%c0] : !mem.ptr<global> -> vector<8xbf16>
      %b = mem.load %y[%c0] : !mem.ptr<global> -> vector<8xbf16>
      %sum = arith.addf %a, %b : vector<8xbf16>
      %product = arith.mulf %sum, %half : vector<8xbf16>
      %is = arith.cmpf ogt, %a, %b : vector<8xbf16>
      %greater = arith.select %is, %a, %b : vector<8xi1>, vector<8xbf16>
      %ss = vector.broadcast %s : bf16 to vector<8xbf16>
      %scaled = arith.divf %greater, %ss : vector<8xbf16>
      mem.store %sum, %out[%c0] : vector<8xbf16>, !mem.ptr<global>
      mem.store %product, %out[%c8] : vector<8xbf16>, !mem.ptr<global>
      mem.store %scaled, %out[%c16] : vector<8xbf16>, !mem.ptr<global>
      return
    })");
  auto code = [](double value) {
    return uint16_t(rounded({"", APFloat::BFloat(), 16, false}, value, false));
  };
  auto value = [](uint16_t bits) { return double(llvm::bit_cast<float>(uint32_t(bits) << 16)); };
  std::vector<uint16_t> x, y, out(24);
  for (int i = 0; i < 8; ++i) {
    x.push_back(code(1.0 + i * 0.37));
    y.push_back(code(100.0 / (i + 1)));
  }
  kernel.run({1}, x.data(), y.data(), out.data(), code(3.0));
  for (int i = 0; i < 8; ++i) {
    uint16_t sum = code(value(x[i]) + value(y[i]));
    EXPECT_EQ(out[i], sum);
    EXPECT_EQ(out[8 + i], code(value(sum) * 0.5));
    EXPECT_EQ(out[16 + i], code(std::max(value(x[i]), value(y[i])) / 3.0));
  }
}

TEST(SmallFloatArithmetic, AtomicsAddInPlace) {
  LoadedKernel kernel(R"(
    func.func @f(%x: !mem.ptr<global>, %old: !mem.ptr<global>) {
      %c0 = arith.constant 0 : i64
      %c1 = arith.constant 1 : i64
      %c2 = arith.constant 2 : i64
      %c3 = arith.constant 3 : i64
      %h = arith.constant 0.5 : f16
      %b = arith.constant 2.0 : bf16
      %pid = mem.program_id 0
      %at = arith.extsi %pid : i32 to i64
      %p = arith.sitofp %pid : i32 to bf16
      %r = mem.atomic_rmw fadd, acq_rel, device, %x[%c0], %h : !mem.ptr<global>, f16
      %s = mem.atomic_rmw fadd, relaxed, device, %x[%c1], %b : !mem.ptr<global>, bf16
      %t = mem.atomic_rmw max, relaxed, device, %x[%c2], %p : !mem.ptr<global>, bf16
      %u = mem.atomic_rmw exch, relaxed, device, %x[%c3], %p : !mem.ptr<global>, bf16
      mem.store %r, %old[%at] : f16, !mem.ptr<global>
      return
    })");
  std::vector<uint16_t> x = {0x3c00, 0, 0, 0}, old(8);
  kernel.run({8}, x.data(), old.data());
  EXPECT_EQ(x[0], 0x4500); // 1 + 8 * 0.5 = 5
  EXPECT_EQ(x[1], 0x4180); // 16
  EXPECT_EQ(x[2], 0x40e0); // 7
  EXPECT_EQ(x[3], 0x40e0);
  EXPECT_EQ(old[0], 0x3c00);
  EXPECT_EQ(old[1], 0x3e00);
  EXPECT_EQ(old[7], 0x4480);
}

} // namespace
} // namespace tritonrt::compiler
