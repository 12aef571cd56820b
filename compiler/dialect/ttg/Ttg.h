// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TRITONRT_TTG_H
#define TRITONRT_TTG_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/InliningUtils.h"

#include "compiler/dialect/ttg/TtgDialect.h.inc"

#define GET_ATTRDEF_CLASSES
#include "compiler/dialect/ttg/TtgAttrs.h.inc"
#define GET_TYPEDEF_CLASSES
#include "compiler/dialect/ttg/TtgTypes.h.inc"
#define GET_OP_CLASSES
#include "compiler/dialect/ttg/TtgOps.h.inc"

#endif // TRITONRT_TTG_H
