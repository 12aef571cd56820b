// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TRITONRT_SRC_GRID_EXPRESSION_H_
#define TRITONRT_SRC_GRID_EXPRESSION_H_

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "tritonrt/kernel.h"

namespace tritonrt::runtime {

// The grid that "X[,Y[,Z]]" stands for: expressions of whole numbers and names with + - * / %,
// parentheses, cdiv(a, b), min(a, b), max(a, b); division rounds down, `//` is the same. Throws
// kInvalidInput with the column of what is wrong: a name without a value, a division by zero, a
// number beyond 64 bits, a grid that is none.
Grid evaluate_grid(std::string_view text, const std::map<std::string, std::int64_t>& values);

}  // namespace tritonrt::runtime

#endif  // TRITONRT_SRC_GRID_EXPRESSION_H_
