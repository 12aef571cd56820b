// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "src/replay/element.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "src/replay/file_io.h"

namespace tritonrt::replay {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

TEST(Element, NamesOfBothSpellings) {
  EXPECT_EQ(element_type("f32"), DType::kF32);
  EXPECT_EQ(element_type("fp32"), DType::kF32);
  EXPECT_EQ(element_type("u1"), DType::kI1);
  EXPECT_EQ(element_type("fp8e4nv"), DType::kF8E4NV);
  EXPECT_EQ(element_type("f8e5"), DType::kF8E5);
  EXPECT_EQ(element_type(""), std::nullopt);
  EXPECT_EQ(element_type("?"), std::nullopt);
  EXPECT_EQ(element_type("f128"), std::nullopt);
}

// The values of the bit patterns are those of the formats' definitions (IEEE 754 and the OCP FP8
// specification).
TEST(Element, DecodesHalf) {
  EXPECT_EQ(decode(DType::kF16, 0x3c00), 1.0);
  EXPECT_EQ(decode(DType::kF16, 0xc000), -2.0);
  EXPECT_EQ(decode(DType::kF16, 0x7bff), 65504.0);
  EXPECT_EQ(decode(DType::kF16, 0x0001), std::ldexp(1.0, -24));
  EXPECT_EQ(decode(DType::kF16, 0x0400), std::ldexp(1.0, -14));
  EXPECT_EQ(decode(DType::kF16, 0x7c00), kInf);
  EXPECT_EQ(decode(DType::kF16, 0xfc00), -kInf);
  EXPECT_TRUE(std::isnan(decode(DType::kF16, 0x7e00)));
  EXPECT_TRUE(std::signbit(decode(DType::kF16, 0x8000)));
}

TEST(Element, DecodesBfloat) {
  EXPECT_EQ(decode(DType::kBF16, 0x3f80), 1.0);
  EXPECT_EQ(decode(DType::kBF16, 0x4049), 3.140625);
  EXPECT_EQ(decode(DType::kBF16, 0xff80), -kInf);
  EXPECT_TRUE(std::isnan(decode(DType::kBF16, 0x7fc0)));
  EXPECT_EQ(decode(DType::kBF16, 0x0001), std::ldexp(1.0, -133));
}

TEST(Element, DecodesEightBitFloats) {
  EXPECT_EQ(decode(DType::kF8E4NV, 0x38), 1.0);
  EXPECT_EQ(decode(DType::kF8E4NV, 0x7e), 448.0);
  EXPECT_TRUE(std::isnan(decode(DType::kF8E4NV, 0x7f)));
  EXPECT_TRUE(std::isnan(decode(DType::kF8E4NV, 0xff)));
  EXPECT_EQ(decode(DType::kF8E4NV, 0x78), 256.0);
  EXPECT_EQ(decode(DType::kF8E4NV, 0x01), std::ldexp(1.0, -9));
  EXPECT_EQ(decode(DType::kF8E5, 0x3c), 1.0);
  EXPECT_EQ(decode(DType::kF8E5, 0x7b), 57344.0);
  EXPECT_EQ(decode(DType::kF8E5, 0x7c), kInf);
  EXPECT_TRUE(std::isnan(decode(DType::kF8E5, 0x7d)));
  EXPECT_EQ(decode(DType::kF8E5, 0x01), std::ldexp(1.0, -16));
}

TEST(Element, EveryPatternOfASmallFloatComesBack) {
  for (DType dtype : {DType::kF16, DType::kBF16, DType::kF8E4NV, DType::kF8E5})
    for (uint64_t bits = 0; bits < uint64_t{1} << (8 * size_of(dtype)); ++bits) {
      const double value = decode(dtype, bits);
      if (std::isnan(value)) {
        EXPECT_TRUE(std::isnan(decode(dtype, encode(dtype, value))));
      } else {
        ASSERT_EQ(encode(dtype, value), bits) << to_string(dtype) << " " << value;
      }
    }
}

TEST(Element, IntegersKeepTheirSign) {
  EXPECT_EQ(decode(DType::kI8, 0xff), -1.0);
  EXPECT_EQ(decode(DType::kU8, 0xff), 255.0);
  EXPECT_EQ(decode(DType::kI64, ~uint64_t{0}), -1.0);
  EXPECT_EQ(decode(DType::kU64, ~uint64_t{0}), 18446744073709551616.0);
  EXPECT_EQ(format_value(DType::kU64, ~uint64_t{0}), "18446744073709551615");
  EXPECT_EQ(format_value(DType::kI64, uint64_t{1} << 63), "-9223372036854775808");
}

void expect_refused(DType dtype, const std::string& text, const std::string& says) {
  try {
    parse_value(dtype, text);
    ADD_FAILURE() << text;
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find(says), std::string::npos) << error.what();
  }
}

TEST(Element, ParsesIntegersInRangeOnly) {
  EXPECT_EQ(parse_value(DType::kI32, "-1"), 0xffffffffu);
  EXPECT_EQ(parse_value(DType::kI32, "0x7fffffff"), 0x7fffffffu);
  EXPECT_EQ(parse_value(DType::kI64, "-9223372036854775808"), uint64_t{1} << 63);
  EXPECT_EQ(parse_value(DType::kU64, "18446744073709551615"), ~uint64_t{0});
  EXPECT_EQ(parse_value(DType::kI1, "true"), 1u);
  EXPECT_EQ(parse_value(DType::kI1, "0"), 0u);
  expect_refused(DType::kI32, "2147483648", "'2147483648' is not a value of type i32");
  expect_refused(DType::kI8, "-129", "'-129' is not a value of type i8");
  expect_refused(DType::kU8, "-1", "'-1' is not a value of type u8");
  expect_refused(DType::kI1, "2", "'2' is not a value of type i1");
  for (const char* text : {"", "-", "1.5", "1x", " 1", "0x", "--1"})
    expect_refused(DType::kI32, text, "is not a value of type i32");
}

TEST(Element, ParsesFloats) {
  EXPECT_EQ(parse_value(DType::kF32, "1.5"), 0x3fc00000u);
  EXPECT_EQ(parse_value(DType::kF32, "-inf"), 0xff800000u);
  EXPECT_EQ(parse_value(DType::kF32, "0.1"), 0x3dcccccdu);
  EXPECT_EQ(parse_value(DType::kF32, "1e+2"), 0x42c80000u);
  EXPECT_EQ(parse_value(DType::kF16, "65504"), 0x7bffu);
  EXPECT_EQ(parse_value(DType::kBF16, "1"), 0x3f80u);
  EXPECT_TRUE(std::isnan(decode(DType::kF64, parse_value(DType::kF64, "nan"))));
  for (const char* text : {"", "x", "1.5f", "1e999"})
    expect_refused(DType::kF64, text, "is not a value of type f64");
}

}  // namespace
}  // namespace tritonrt::replay
