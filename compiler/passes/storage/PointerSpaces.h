// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TRITONRT_COMPILER_PASSES_STORAGE_POINTERSPACES_H
#define TRITONRT_COMPILER_PASSES_STORAGE_POINTERSPACES_H

#include "mlir/IR/Value.h"

namespace tritonrt::compiler {

/// Gives `pointer` and what is made from it the type of another space. Fails with a diagnostic
/// where it is used in a way that does not say what becomes of it.
mlir::LogicalResult retypePointer(mlir::Value pointer, mlir::Type type);

} // namespace tritonrt::compiler

#endif // TRITONRT_COMPILER_PASSES_STORAGE_POINTERSPACES_H
