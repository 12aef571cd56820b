// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TRITONRT_COMPILER_DIALECT_NESTS_H
#define TRITONRT_COMPILER_DIALECT_NESTS_H

#include "compiler/dialect/mem/Mem.h"

#include "mlir/IR/TypeUtilities.h"

#include "compiler/dialect/nests/NestsDialect.h.inc"
#include "compiler/dialect/nests/NestsEnums.h.inc"

#define GET_TYPEDEF_CLASSES
#include "compiler/dialect/nests/NestsTypes.h.inc"
#define GET_ATTRDEF_CLASSES
#include "compiler/dialect/nests/NestsAttrs.h.inc"
#define GET_OP_CLASSES
#include "compiler/dialect/nests/NestsOps.h.inc"

#endif // TRITONRT_COMPILER_DIALECT_NESTS_H
