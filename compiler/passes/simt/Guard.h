// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code that runs only if something holds.
#ifndef TRITONRT_COMPILER_PASSES_SIMT_GUARD_H
#define TRITONRT_COMPILER_PASSES_SIMT_GUARD_H

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tritonrt::compiler {

/// Zero, or the null pointer.
mlir::Value zeroValue(mlir::OpBuilder &b, mlir::Location loc, mlir::Type type);

/// Moves `ops`, which lie behind each other in one block, before `before`: into a branch that runs
/// if `taken`, whose values are zeros otherwise, or as they are where nobody can tell. Constants
/// stay what they are. Returns the branch, null where there is none.
mlir::scf::IfOp guardOps(mlir::OpBuilder &b, mlir::ArrayRef<mlir::Operation *> ops,
                         mlir::Value taken, mlir::Operation *before);

} // namespace tritonrt::compiler

#endif // TRITONRT_COMPILER_PASSES_SIMT_GUARD_H
