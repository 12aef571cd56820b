// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writing a chain of tensor ops for strips of its tensors.
#ifndef TRITONRT_COMPILER_PASSES_STRIPSLICER_H
#define TRITONRT_COMPILER_PASSES_STRIPSLICER_H

#include "compiler/dialect/tile/Tile.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/DenseMap.h"

#include <map>

namespace tritonrt::compiler {

/// A dim of the carried tile that is split: `size` of its `total` indices at a time.
struct Strip {
  int64_t dim, size, total;
};

/// For each dim of a tensor the number of the strip that splits it, or kWhole.
using Spec = llvm::SmallVector<int64_t>;
inline constexpr int64_t kWhole = -1;

class StripSlicer {
public:
  /// `ops`: a loop and the ops after it that hang on its tensors, in order.
  StripSlicer(llvm::ArrayRef<mlir::Operation *> ops, llvm::ArrayRef<Strip> strips)
      : ops(ops), strips(strips), loop(llvm::cast<mlir::scf::ForOp>(ops.front())) {}

  /// Can every op be written for strips of `carried`, none of the costly ones twice? Changes
  /// nothing.
  bool plan(mlir::Value carried);
  /// Writes the loops over the strips in place of the ops.
  void rewrite();

private:
  bool forward();
  bool require(mlir::Value value, const Spec &spec);
  bool requireOperands(mlir::Operation *op, const Spec &spec);
  std::optional<llvm::SmallVector<std::pair<mlir::Value, Spec>>> needs(mlir::Operation *op,
                                                                       const Spec &spec) const;

  void writeStrip(mlir::OpBuilder &builder, bool dropBoxes);
  mlir::Value inside(mlir::OpBuilder &builder);
  mlir::Value slice(mlir::OpBuilder &builder, mlir::Value value, const Spec &spec);
  mlir::Value sliceOp(mlir::OpBuilder &builder, mlir::Operation *op, unsigned result,
                      const Spec &spec);
  mlir::Operation *sliceAccess(mlir::OpBuilder &builder, tile::AddressOp op, const Spec &spec);
  void sliceLoop(mlir::OpBuilder &builder);
  mlir::Type sliced(mlir::Type type, const Spec &spec) const;
  bool isOurs(mlir::Value value) const;

  llvm::ArrayRef<mlir::Operation *> ops;
  llvm::SmallVector<Strip> strips;
  mlir::scf::ForOp loop;
  /// Of the tensors that the loop carries, by number; and of the values after it.
  llvm::DenseMap<unsigned, Spec> carriedSpecs;
  llvm::DenseMap<mlir::Value, Spec> after;
  /// Costly ops, with the one way in which they may be needed.
  llvm::DenseMap<mlir::Operation *, Spec> costly;
  std::map<std::pair<const void *, std::vector<int64_t>>, bool> required;

  // While a strip is written.
  llvm::SmallVector<mlir::Value> offsets; // i64, one a strip
  std::map<std::pair<const void *, std::vector<int64_t>>, mlir::Value> made;
  mlir::IRMapping scalars;
  bool boxesDropped = false;
};

} // namespace tritonrt::compiler

#endif // TRITONRT_COMPILER_PASSES_STRIPSLICER_H
