// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TRITONRT_COMPILER_REGISTRATION_H
#define TRITONRT_COMPILER_REGISTRATION_H

#include "mlir/IR/DialectRegistry.h"
#include "llvm/ADT/StringSet.h"

namespace tritonrt::compiler {

/// Adds every dialect that our pipelines read, make or print, unless the registry has one of that
/// name.
void registerAllDialects(mlir::DialectRegistry &registry);

/// What a context knows.
struct DialectSet {
  mlir::DialectRegistry registry;
  /// Names of the dialects that are not ours: texts may hold their ops and types too.
  llvm::StringSet<> foreign;
};

/// Ours alone.
const DialectSet &mainDialects();

/// Makes our passes known by name to the developer tools. The pipelines themselves do not need it.
void registerAllPasses();

} // namespace tritonrt::compiler

#endif // TRITONRT_COMPILER_REGISTRATION_H
