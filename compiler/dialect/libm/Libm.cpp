// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/dialect/libm/Libm.h"

#include "compiler/dialect/libm/LibmDialect.cpp.inc"

void tritonrt::libm::LibmDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "compiler/dialect/libm/LibmOps.cpp.inc"
      >();
}

#define GET_OP_CLASSES
#include "compiler/dialect/libm/LibmOps.cpp.inc"
