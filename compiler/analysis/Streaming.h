// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stores that go past the caches. Where a launch writes more than the caches hold, and never reads
// it, a store that first loads its line moves a third of the bytes for nothing; where the output is
// small, going past the caches costs dearly. So it is decided at each launch, by its grid.
#ifndef TRITONRT_COMPILER_ANALYSIS_STREAMING_H
#define TRITONRT_COMPILER_ANALYSIS_STREAMING_H

#include "compiler/dialect/mem/Mem.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/DenseSet.h"

#include <algorithm>

namespace tritonrt::compiler {

/// Bytes that a launch must write for its stores to go past the caches.
constexpr int64_t kStreamedBytes = int64_t{32} << 20;

/// An innermost loop without results whose stores, one line each, can do so.
struct StreamedLoop {
  llvm::SmallVector<mem::StoreOp> stores;
  /// Bytes that one program writes here at most.
  int64_t bytes = 0;

  /// Programs from which on a launch writes enough here.
  int64_t fewestPrograms() const {
    return (kStreamedBytes + bytes - 1) / std::max<int64_t>(bytes, 1);
  }
};

class Streaming {
public:
  explicit Streaming(mlir::func::FuncOp kernel);

  /// The stores of `loop` that qualify; none if any store in it does not.
  StreamedLoop analyze(mlir::scf::ForOp loop) const;

private:
  bool isWrittenOnly(mlir::Value base) const;

  mlir::Operation *kernel;
  llvm::DenseSet<mlir::Value> readRoots;
  bool readsUnknown = false;
  bool synchronizes = false;
};

} // namespace tritonrt::compiler

#endif // TRITONRT_COMPILER_ANALYSIS_STREAMING_H
