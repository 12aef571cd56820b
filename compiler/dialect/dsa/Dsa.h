// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TRITONRT_DSA_H
#define TRITONRT_DSA_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "compiler/dialect/dsa/DsaDialect.h.inc"

#define GET_OP_CLASSES
#include "compiler/dialect/dsa/DsaOps.h.inc"

#endif // TRITONRT_DSA_H
