// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Masks as boxes: the elements of a tensor that a mask enables, as bounds of each dimension, one
// scalar condition, and a residual tensor for what no box describes.
#ifndef TRITONRT_COMPILER_ANALYSIS_BOX_H
#define TRITONRT_COMPILER_ANALYSIS_BOX_H

#include "compiler/analysis/Facts.h"
#include "compiler/analysis/Forms.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace tritonrt::compiler {

/// enabled(i) = condition and lo_d <= i_d < hi_d for all d, and residual[i]. What is null holds.
struct Box {
  explicit Box(llvm::ArrayRef<int64_t> shape) : shape(shape), lo(shape.size()), hi(shape.size()) {}

  /// Nothing but the residual is known.
  bool isResidual() const;

  llvm::SmallVector<int64_t, 2> shape;
  /// i64, not clamped to the shape.
  llvm::SmallVector<mlir::Value, 2> lo, hi;
  mlir::Value condition;
  /// A tensor of the box's shape.
  mlir::Value residual;
};

class Boxes {
public:
  Boxes(Scalars &scalars, Forms &forms, Facts &facts)
      : scalars(scalars), forms(forms), facts(facts) {}

  /// Nothing where the comparison of two tensors is no box.
  std::optional<Box> compare(mlir::arith::CmpIPredicate predicate, const Form &a, const Form &b);
  Box residual(mlir::Value mask);
  Box splat(mlir::Value condition, llvm::ArrayRef<int64_t> shape);
  Box intersect(const Box &a, const Box &b);

  Box expandDims(const Box &a, int64_t axis);
  Box broadcast(const Box &a, llvm::ArrayRef<int64_t> shape);
  Box transpose(const Box &a, llvm::ArrayRef<int32_t> order);

  /// Bounds of one dimension that a block of `size` at `index` must keep to lie in [0, extent).
  void clip(Box &box, int64_t dim, const Linear &index, const Linear &extent);

  /// The bounds as a memory op takes them: both for each bounded dimension, not clamped to it.
  struct Bounds {
    llvm::SmallVector<int64_t> dims;
    llvm::SmallVector<mlir::Value> lo, hi;
  };
  Bounds bounds(const Box &box);

private:
  mlir::Value atLeast(mlir::Value a, mlir::Value b);
  mlir::Value atMost(mlir::Value a, mlir::Value b);
  /// Keeps the elements of `dim` with slope * i < limit.
  void bound(Box &box, int64_t dim, int64_t slope, const Linear &limit);

  Scalars &scalars;
  Forms &forms;
  Facts &facts;
};

} // namespace tritonrt::compiler

#endif // TRITONRT_COMPILER_ANALYSIS_BOX_H
