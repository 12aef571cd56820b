// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What stands in an operation.
#ifndef TRITONRT_COMPILER_ANALYSIS_HOLDS_H
#define TRITONRT_COMPILER_ANALYSIS_HOLDS_H

#include "mlir/IR/Operation.h"
#include "mlir/IR/Visitors.h"

namespace tritonrt::compiler {

/// Is `op`, or anything in it, one of these?
template <typename... Ops> bool holds(mlir::Operation *op) {
  return op
      ->walk([](mlir::Operation *inner) {
        return mlir::isa<Ops...>(inner) ? mlir::WalkResult::interrupt()
                                        : mlir::WalkResult::advance();
      })
      .wasInterrupted();
}

} // namespace tritonrt::compiler

#endif // TRITONRT_COMPILER_ANALYSIS_HOLDS_H
