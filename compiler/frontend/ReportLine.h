// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TRITONRT_COMPILER_FRONTEND_REPORTLINE_H
#define TRITONRT_COMPILER_FRONTEND_REPORTLINE_H

#include "mlir/IR/Operation.h"

#include <string>

namespace tritonrt::compiler {

/// Is `op` a tt.print or a tt.assert?
bool isReport(mlir::Operation *op);

/// What the metadata says of such an op behind `report=`, as kernel_abi.h describes it.
std::string reportLine(mlir::Operation *op);

/// LINE OP of an op that waits for other programs, as the metadata's `wait=` says it.
std::string waitText(mlir::Operation *op);

} // namespace tritonrt::compiler

#endif // TRITONRT_COMPILER_FRONTEND_REPORTLINE_H
