// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TRITONRT_COMPILER_FRONTEND_HEADTESTED_H
#define TRITONRT_COMPILER_FRONTEND_HEADTESTED_H

#include "mlir/IR/Operation.h"

namespace tritonrt::compiler {

/// Every scf.while under `root` whose condition region ends in an scf.if that decides alone whether
/// the loop goes on (what lifting makes of a loop that tests at its head) becomes one that tests
/// first and has its work in the body.
void testAtHead(mlir::Operation *root);

} // namespace tritonrt::compiler

#endif // TRITONRT_COMPILER_FRONTEND_HEADTESTED_H
