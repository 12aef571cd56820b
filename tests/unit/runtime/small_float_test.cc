// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/small_float.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace tritonrt::runtime {
namespace {

// Values from IEEE 754-2008 (binary16), and the OCP 8-bit floating point specification, table 1.
TEST(SmallFloat, KnownValues) {
  EXPECT_EQ(encode_float(DType::kF16, 1.0), 0x3c00u);
  EXPECT_EQ(encode_float(DType::kF16, -2.0), 0xc000u);
  EXPECT_EQ(encode_float(DType::kF16, 65504.0), 0x7bffu);
  EXPECT_EQ(encode_float(DType::kF16, 65520.0), 0x7c00u);
  EXPECT_EQ(encode_float(DType::kF16, std::ldexp(1.0, -24)), 0x0001u);
  EXPECT_EQ(encode_float(DType::kF16, std::ldexp(1.0, -14)), 0x0400u);
  EXPECT_EQ(encode_float(DType::kF16, 1.0 / 3.0), 0x3555u);
  EXPECT_EQ(encode_float(DType::kBF16, 1.0), 0x3f80u);
  EXPECT_EQ(encode_float(DType::kBF16, 3.140625), 0x4049u);
  EXPECT_EQ(encode_float(DType::kF8E4NV, 448.0), 0x7eu);
  EXPECT_EQ(encode_float(DType::kF8E4NV, 1.0), 0x38u);
  EXPECT_EQ(encode_float(DType::kF8E4NV, 1e9), 0x7fu);
  EXPECT_EQ(encode_float(DType::kF8E5, 57344.0), 0x7bu);
  EXPECT_EQ(encode_float(DType::kF8E5, 1e9), 0x7cu);
  EXPECT_EQ(encode_float(DType::kF8E5B16, 1.0), 0x40u);
  EXPECT_EQ(encode_float(DType::kF8E4B8, 1.0), 0x40u);
  EXPECT_EQ(encode_float(DType::kF8E4B8, -0.0), 0x00u);
}

TEST(SmallFloat, RoundsToNearestEvenOnce) {
  const double ulp = std::ldexp(1.0, -10);
  EXPECT_EQ(encode_float(DType::kF16, 1.0 + ulp / 2), 0x3c00u);
  EXPECT_EQ(encode_float(DType::kF16, 1.0 + 3 * ulp / 2), 0x3c02u);
  // Halfway but for a bit that float would drop: rounding twice would give 0x3c00.
  EXPECT_EQ(encode_float(DType::kF16, 1.0 + ulp / 2 + std::ldexp(1.0, -40)), 0x3c01u);
  EXPECT_EQ(encode_float(DType::kF16, std::ldexp(1.0, -25)), 0x0000u);
  EXPECT_EQ(encode_float(DType::kF16, 1.5 * std::ldexp(1.0, -24)), 0x0002u);
}

TEST(SmallFloat, SpecialValues) {
  const double infinity = std::numeric_limits<double>::infinity();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(encode_float(DType::kF16, -infinity), 0xfc00u);
  EXPECT_EQ(encode_float(DType::kF16, nan) & 0x7fffu, 0x7e00u);
  EXPECT_EQ(encode_float(DType::kF16, -0.0), 0x8000u);
  EXPECT_EQ(encode_float(DType::kF8E4NV, infinity), 0x7fu);
  EXPECT_EQ(encode_float(DType::kF8E5B16, nan), 0x80u);
}

// Against the compiler's own conversion, over every half.
TEST(SmallFloat, EveryHalfComesBack) {
  for (unsigned bits = 0; bits < 0x10000; ++bits) {
    if ((bits & 0x7c00) == 0x7c00) continue;
    _Float16 half;
    const auto narrow = static_cast<unsigned short>(bits);
    static_assert(sizeof(half) == sizeof(narrow));
    __builtin_memcpy(&half, &narrow, sizeof(half));
    EXPECT_EQ(encode_float(DType::kF16, static_cast<double>(half)), bits);
    EXPECT_EQ(decode_float(DType::kF16, bits), static_cast<double>(half));
  }
}

TEST(SmallFloat, EveryByteComesBack) {
  for (const DType type :
       {DType::kF8E4NV, DType::kF8E5, DType::kF8E4B8, DType::kF8E4B15, DType::kF8E5B16})
    for (unsigned bits = 0; bits < 0x100; ++bits) {
      const double value = decode_float(type, bits);
      if (!std::isnan(value)) EXPECT_EQ(encode_float(type, value), bits) << to_string(type);
    }
  EXPECT_EQ(decode_float(DType::kF8E4NV, 0x7e), 448.0);
  EXPECT_EQ(decode_float(DType::kF8E5, 0x7b), 57344.0);
  EXPECT_EQ(decode_float(DType::kF8E5, 0xfc), -std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isnan(decode_float(DType::kF8E5, 0x7d)));
  EXPECT_TRUE(std::isnan(decode_float(DType::kF8E4NV, 0xff)));
  EXPECT_TRUE(std::isnan(decode_float(DType::kF8E5B16, 0x80)));
  EXPECT_EQ(decode_float(DType::kF8E4B8, 0x7f), 240.0);
}

}  // namespace
}  // namespace tritonrt::runtime
