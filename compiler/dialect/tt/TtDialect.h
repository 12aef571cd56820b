// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TRITONRT_TT_DIALECT_H
#define TRITONRT_TT_DIALECT_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"

#include "compiler/dialect/tt/TtDialect.h.inc"
#include "compiler/dialect/tt/TtEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "compiler/dialect/tt/TtAttrs.h.inc"

#endif // TRITONRT_TT_DIALECT_H
