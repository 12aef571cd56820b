// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "src/replay/compare.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace tritonrt::replay {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInf = std::numeric_limits<float>::infinity();

template <typename T>
std::string bytes_of(const std::vector<T>& values) {
  return std::string(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
}

std::optional<Mismatch> compare_floats(const std::vector<float>& got,
                                       const std::vector<float>& expected,
                                       Tolerance tolerance = {}) {
  return compare_blocks(DType::kF32, bytes_of(got), bytes_of(expected), tolerance);
}

TEST(Compare, ToleranceIsAbsolutePlusRelative) {
  EXPECT_TRUE(within_tolerance(10.25, 10, {0.02, 0.05}));
  EXPECT_FALSE(within_tolerance(10.26, 10, {0.02, 0.05}));
  EXPECT_TRUE(within_tolerance(-9.75, -10, {0.02, 0.05}));
  EXPECT_TRUE(within_tolerance(0, 0, {}));
}

TEST(Compare, NanMatchesNanOnly) {
  EXPECT_FALSE(compare_floats({kNan, 1}, {-kNan, 1}));
  EXPECT_TRUE(compare_floats({kNan}, {1}, {1, 1}));
  EXPECT_TRUE(compare_floats({1}, {kNan}, {1, 1}));
  EXPECT_TRUE(compare_floats({kNan}, {kInf}, {1, 1}));
}

TEST(Compare, InfinitiesMatchInSign) {
  EXPECT_FALSE(compare_floats({kInf, -kInf}, {kInf, -kInf}));
  EXPECT_TRUE(compare_floats({kInf}, {-kInf}, {1, 1}));
  // A huge finite value is not near infinity, whatever the tolerance.
  EXPECT_TRUE(compare_floats({3e38f}, {kInf}, {1, 1}));
  EXPECT_TRUE(compare_floats({kInf}, {3e38f}, {1, 1}));
}

TEST(Compare, ReportsTheFirstAndTheNumber) {
  const auto mismatch = compare_floats({0, 1.5f, 2, 4}, {0, 1, 2, 3});
  ASSERT_TRUE(mismatch);
  EXPECT_EQ(mismatch->index, 1u);
  EXPECT_EQ(mismatch->got, "1.5");
  EXPECT_EQ(mismatch->expected, "1");
  EXPECT_EQ(mismatch->count, 2u);
  EXPECT_EQ(mismatch->total, 4u);
}

TEST(Compare, IntegersAreExactWhereDoublesAreNot) {
  const int64_t big = (int64_t{1} << 53) + 1;
  const auto mismatch =
      compare_blocks(DType::kI64, bytes_of<int64_t>({big}), bytes_of<int64_t>({big - 1}), {});
  ASSERT_TRUE(mismatch);
  EXPECT_EQ(mismatch->got, "9007199254740993");
}

TEST(Compare, IntegersMayHaveATolerance) {
  EXPECT_FALSE(compare_blocks(DType::kI8, bytes_of<int8_t>({-3}), bytes_of<int8_t>({-4}), {0, 1}));
  EXPECT_TRUE(compare_blocks(DType::kU8, bytes_of<uint8_t>({255}), bytes_of<uint8_t>({0}), {0, 1}));
}

TEST(Compare, SmallFloatsByValue) {
  // 1.0 and 1.125 in f8e4nv.
  EXPECT_FALSE(compare_blocks(DType::kF8E4NV, "\x38", "\x39", {0, 0.125}));
  EXPECT_TRUE(compare_blocks(DType::kF8E4NV, "\x38", "\x39", {0, 0.1}));
}

TEST(Compare, UnchangedIsByBits) {
  EXPECT_FALSE(compare_floats({-0.0f}, {0.0f}));
  EXPECT_TRUE(compare_unchanged(DType::kF32, bytes_of<float>({-0.0f}), bytes_of<float>({0.0f})));
  EXPECT_FALSE(compare_unchanged(DType::kF32, bytes_of<float>({kNan}), bytes_of<float>({kNan})));
}

}  // namespace
}  // namespace tritonrt::replay
