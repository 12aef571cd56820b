// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TRITONRT_COMPILER_FRONTEND_CALLGRAPH_H
#define TRITONRT_COMPILER_FRONTEND_CALLGRAPH_H

#include "compiler/dialect/tt/TtOps.h"

#include "mlir/IR/BuiltinOps.h"

namespace tritonrt::compiler {

/// The functions of `module`, each after all those that it calls. Emits an error and fails if a
/// call names no function with a body, or if functions call each other in a circle, which the error
/// names.
mlir::FailureOr<llvm::SmallVector<tt::FuncOp>> calleesFirst(mlir::ModuleOp module);

} // namespace tritonrt::compiler

#endif // TRITONRT_COMPILER_FRONTEND_CALLGRAPH_H
