// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEST_BACKENDS_RIGHT_CHIP_H
#define TEST_BACKENDS_RIGHT_CHIP_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "ChipDialect.h.inc"
#define GET_ATTRDEF_CLASSES
#include "ChipAttrs.h.inc"
#define GET_OP_CLASSES
#include "ChipOps.h.inc"

#endif // TEST_BACKENDS_RIGHT_CHIP_H
