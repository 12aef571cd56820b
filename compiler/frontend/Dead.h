// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TRITONRT_COMPILER_FRONTEND_DEAD_H
#define TRITONRT_COMPILER_FRONTEND_DEAD_H

#include "mlir/IR/Block.h"
#include "mlir/IR/Operation.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace tritonrt::compiler {

/// Erases ops without users and effects, inner ones too; from the last op to the first, so that
/// whole chains go at once.
inline void eraseDead(mlir::Block &block) {
  for (mlir::Operation &op : llvm::make_early_inc_range(llvm::reverse(block))) {
    if (mlir::isOpTriviallyDead(&op)) {
      op.erase();
      continue;
    }
    for (mlir::Region &region : op.getRegions())
      for (mlir::Block &inner : region)
        eraseDead(inner);
  }
}

} // namespace tritonrt::compiler

#endif // TRITONRT_COMPILER_FRONTEND_DEAD_H
