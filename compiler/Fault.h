// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TRITONRT_COMPILER_FAULT_H
#define TRITONRT_COMPILER_FAULT_H

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/Twine.h"

namespace tritonrt::compiler {

/// An error that no kernel should be able to cause: what the passes before it have to leave is not
/// there.
inline mlir::InFlightDiagnostic emitFault(mlir::Operation *op, const llvm::Twine &what) {
  mlir::InFlightDiagnostic error = op->emitError();
  error << what << "; this is a fault of the compiler, please report it with the kernel";
  return error;
}

} // namespace tritonrt::compiler

#endif // TRITONRT_COMPILER_FAULT_H
