// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What mapped IR says of its pointers and loops.
#ifndef TRITONRT_COMPILER_ANALYSIS_MAPPED_H
#define TRITONRT_COMPILER_ANALYSIS_MAPPED_H

#include "mlir/Dialect/SCF/IR/SCF.h"

#include <optional>

namespace tritonrt::compiler {

/// The block argument (a kernel's parameter or what a loop carries) that an address is derived from
/// by adding bytes, or null.
mlir::Value rootOf(mlir::Value base);

/// Rounds of a loop, at most.
std::optional<int64_t> mostRounds(mlir::scf::ForOp loop);

} // namespace tritonrt::compiler

#endif // TRITONRT_COMPILER_ANALYSIS_MAPPED_H
