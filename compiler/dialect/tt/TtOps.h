// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TRITONRT_TT_OPS_H
#define TRITONRT_TT_OPS_H

#include "compiler/dialect/tt/TtDialect.h"
#include "compiler/dialect/tt/TtTypes.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#define GET_OP_CLASSES
#include "compiler/dialect/tt/TtOps.h.inc"

namespace tritonrt::tt {

/// The type of elements of a kind; bytes where they take less.
mlir::Type scaledElementType(mlir::Builder &b, ScaleDotElemType kind);

} // namespace tritonrt::tt

#endif // TRITONRT_TT_OPS_H
