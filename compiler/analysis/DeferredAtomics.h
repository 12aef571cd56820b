// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Atomics that may happen late. An addition whose old value nobody asks for can wait until the
// programs of a range have run: no program of the launch can tell, as none reads that memory or
// orders its accesses by another atomic, and what waits stays behind the stores before it. So many
// additions to one place become one.
#ifndef TRITONRT_COMPILER_ANALYSIS_DEFERREDATOMICS_H
#define TRITONRT_COMPILER_ANALYSIS_DEFERREDATOMICS_H

#include "compiler/dialect/mem/Mem.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tritonrt::compiler {

/// The atomics on the memory of one parameter; all of them do `kind` to values of `type`.
struct DeferredRoot {
  mlir::Value root;
  mem::AtomicKind kind;
  mlir::Type type;
  /// What one program does at most, as far as its loops say.
  int64_t atomics = 0;
  /// Do addresses depend on what was loaded?
  bool isScattered = false;
};

/// Either all atomics of a mapped kernel of one thread a program, by parameter, or nothing.
/// Requires that no parameter that the kernel may write overlaps another one.
llvm::SmallVector<DeferredRoot> deferredAtomics(mlir::func::FuncOp kernel);

} // namespace tritonrt::compiler

#endif // TRITONRT_COMPILER_ANALYSIS_DEFERREDATOMICS_H
