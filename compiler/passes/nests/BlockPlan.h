// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What form-nests must know of a block before it walks it: which tensor values become tiles where
// they stand, and which are worth keeping once computed.
#ifndef TRITONRT_COMPILER_PASSES_NESTS_BLOCKPLAN_H
#define TRITONRT_COMPILER_PASSES_NESTS_BLOCKPLAN_H

#include "compiler/analysis/Order.h"

#include "mlir/IR/Block.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace tritonrt::compiler {

class BlockPlan {
public:
  /// With `keepLoads` what is loaded, and what is made of it point by point, is worth keeping.
  BlockPlan(const AccessRules &rules, bool fuse, bool keepLoads)
      : rules(rules), fuse(fuse), keepLoads(keepLoads) {}

  /// Plans a block whose enclosing blocks have been planned. Linear in its ops.
  void add(mlir::Block &block);

  /// The value has to be a tile at its own place: a nested block reads it, an op needs it whole, or
  /// a load would have to cross a conflicting write.
  bool mustTile(mlir::Value value) const { return tiles.contains(value); }
  /// Several roots need the value and computing it again costs more than reading it back.
  bool isShared(mlir::Value value) const { return shared.contains(value); }
  /// The shared values whose first root is `root`.
  llvm::ArrayRef<mlir::Value> sharedIn(mlir::Operation *root) const;

private:
  /// The roots that need a value, by position in the block.
  struct Roots {
    unsigned first = ~0u, last = 0;
    bool many = false;
  };

  void cost(mlir::Operation *op);
  Roots rootsOf(mlir::Value value) const;
  void decide(mlir::Operation *op, unsigned conflict);

  const AccessRules &rules;
  bool fuse, keepLoads;
  llvm::DenseMap<mlir::Value, int> costs;
  llvm::DenseSet<mlir::Value> loaded, kept, tiles, shared;
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<mlir::Value>> sharedAt;

  // Of the block being planned.
  mlir::Block *block = nullptr;
  llvm::DenseMap<mlir::Operation *, unsigned> position;
  llvm::SmallVector<mlir::Operation *> ops;
  llvm::DenseMap<mlir::Value, Roots> roots;
};

} // namespace tritonrt::compiler

#endif // TRITONRT_COMPILER_PASSES_NESTS_BLOCKPLAN_H
