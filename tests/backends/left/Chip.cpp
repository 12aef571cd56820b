// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Chip.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/TypeSwitch.h"

#include "ChipDialect.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "ChipAttrs.cpp.inc"
#define GET_OP_CLASSES
#include "ChipOps.cpp.inc"

namespace left::chip {

void ChipDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "ChipAttrs.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "ChipOps.cpp.inc"
      >();
}

} // namespace left::chip
