// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEST_BACKENDS_LEFT_DSA_H
#define TEST_BACKENDS_LEFT_DSA_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "DsaDialect.h.inc"
#define GET_OP_CLASSES
#include "DsaOps.h.inc"

#endif // TEST_BACKENDS_LEFT_DSA_H
