// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TRITONRT_LIBM_H
#define TRITONRT_LIBM_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "compiler/dialect/libm/LibmDialect.h.inc"

#define GET_OP_CLASSES
#include "compiler/dialect/libm/LibmOps.h.inc"

#endif // TRITONRT_LIBM_H
