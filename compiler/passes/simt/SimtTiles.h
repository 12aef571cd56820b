// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TRITONRT_COMPILER_PASSES_SIMT_SIMTTILES_H
#define TRITONRT_COMPILER_PASSES_SIMT_SIMTTILES_H

#include "compiler/analysis/Layout.h"
#include "compiler/analysis/Order.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/EquivalenceClasses.h"

#include <optional>

namespace tritonrt::compiler {

/// Which tiles stay with the items that make them. Tensors that a loop carries or a branch gives
/// share one place, so they stay together or not at all.
class SimtTiles {
public:
  /// The nests of `function` have layouts.
  SimtTiles(mlir::func::FuncOp function, const AccessRules &rules);

  /// The bits of the flat index that an item holds itself, low to high; nullopt for a tile in local
  /// memory.
  std::optional<BitMap> heldBits(mlir::Value tile) const;

  /// The nest has to run once, and its layout has items that do what others do: those sit it out,
  /// and find its results in local memory.
  bool sitsOut(nests::NestOp nest) const;

private:
  void link(mlir::Operation *op);
  void join(mlir::ValueRange a, mlir::ValueRange b);
  void noteMaker(nests::NestOp nest);
  void noteReaders(mlir::Value tile);

  using Key = const void *;
  Key leader(mlir::Value tile) const { return *groups.findLeader(tile.getAsOpaquePointer()); }

  const AccessRules &rules;
  llvm::EquivalenceClasses<Key> groups;
  /// Layout of the tile's bits as its makers leave it, by group; shared ones are in `local`.
  llvm::DenseMap<Key, Layout> made;
  llvm::DenseSet<Key> local;
};

} // namespace tritonrt::compiler

#endif // TRITONRT_COMPILER_PASSES_SIMT_SIMTTILES_H
