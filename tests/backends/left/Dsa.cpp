// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Dsa.h"

#include "mlir/IR/Builders.h"

#include "DsaDialect.cpp.inc"
#define GET_OP_CLASSES
#include "DsaOps.cpp.inc"

namespace left::dsa {

void DsaDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "DsaOps.cpp.inc"
      >();
}

} // namespace left::dsa
