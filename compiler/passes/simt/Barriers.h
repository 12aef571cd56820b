// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TRITONRT_COMPILER_PASSES_SIMT_BARRIERS_H
#define TRITONRT_COMPILER_PASSES_SIMT_BARRIERS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseSet.h"

namespace tritonrt::compiler {

/// The sync points of a function, with its buffers where they are, that have to be barriers.
/// Fails, and says nothing, where an access needs one and there is no place for it.
mlir::FailureOr<llvm::DenseSet<mlir::Operation *>> neededBarriers(mlir::func::FuncOp function,
                                                                  bool disjoint);

} // namespace tritonrt::compiler

#endif // TRITONRT_COMPILER_PASSES_SIMT_BARRIERS_H
