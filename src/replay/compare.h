// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TRITONRT_REPLAY_COMPARE_H_
#define TRITONRT_REPLAY_COMPARE_H_

#include <optional>
#include <string>
#include <string_view>

#include "src/replay/element.h"

namespace tritonrt::replay {

struct Tolerance {
  double rtol = 0;
  double atol = 0;
};

// Where two blocks of one type differ first, and at how many places.
struct Mismatch {
  size_t index = 0;
  std::string got;
  std::string expected;
  size_t count = 0;
  size_t total = 0;
};

// |got - expected| <= atol + rtol * |expected|; NaN matches NaN only, an infinity only itself.
bool within_tolerance(double got, double expected, Tolerance tolerance);

// Compares whole blocks of elements by value; both have the same size. Nothing if they agree.
// Integers without a tolerance are compared exactly.
std::optional<Mismatch> compare_blocks(DType dtype, std::string_view got, std::string_view expected,
                                       Tolerance tolerance);

// Compares bit by bit: for blocks that must be as they were.
std::optional<Mismatch> compare_unchanged(DType dtype, std::string_view got,
                                          std::string_view before);

}  // namespace tritonrt::replay

#endif  // TRITONRT_REPLAY_COMPARE_H_
