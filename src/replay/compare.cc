// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "src/replay/compare.h"

#include <cmath>

namespace tritonrt::replay {
namespace {

// Calls equal(got_bits, expected_bits) for every element and reports the first that is not.
template <typename Equal>
std::optional<Mismatch> first_mismatch(DType dtype, std::string_view got, std::string_view expected,
                                       Equal equal) {
  // Blocks that agree in all bits are the common case, and agree by value too.
  if (got == expected) return std::nullopt;
  const size_t size = size_of(dtype);
  Mismatch mismatch;
  mismatch.total = expected.size() / size;
  for (size_t i = 0; i < mismatch.total; ++i) {
    const uint64_t got_bits = load_bits(dtype, got.data() + i * size);
    const uint64_t expected_bits = load_bits(dtype, expected.data() + i * size);
    if (equal(got_bits, expected_bits)) continue;
    if (mismatch.count++ != 0) continue;
    mismatch.index = i;
    mismatch.got = format_value(dtype, got_bits);
    mismatch.expected = format_value(dtype, expected_bits);
  }
  if (mismatch.count == 0) return std::nullopt;
  return mismatch;
}

}  // namespace

bool within_tolerance(double got, double expected, Tolerance tolerance) {
  if (std::isnan(got) || std::isnan(expected)) return std::isnan(got) && std::isnan(expected);
  if (std::isinf(got) || std::isinf(expected)) return got == expected;
  return std::fabs(got - expected) <= tolerance.atol + tolerance.rtol * std::fabs(expected);
}

std::optional<Mismatch> compare_blocks(DType dtype, std::string_view got, std::string_view expected,
                                       Tolerance tolerance) {
  const bool exact = !is_float(dtype) && tolerance.rtol == 0 && tolerance.atol == 0;
  return first_mismatch(dtype, got, expected, [&](uint64_t got_bits, uint64_t expected_bits) {
    return got_bits == expected_bits ||
           (!exact &&
            within_tolerance(decode(dtype, got_bits), decode(dtype, expected_bits), tolerance));
  });
}

std::optional<Mismatch> compare_unchanged(DType dtype, std::string_view got,
                                          std::string_view before) {
  return first_mismatch(dtype, got, before, [](uint64_t got_bits, uint64_t before_bits) {
    return got_bits == before_bits;
  });
}

}  // namespace tritonrt::replay
