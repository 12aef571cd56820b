// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In which types products are made.
#ifndef TRITONRT_COMPILER_PASSES_STRIPS_PRODUCTS_H
#define TRITONRT_COMPILER_PASSES_STRIPS_PRODUCTS_H

#include "compiler/dialect/tt/TtOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace tritonrt::compiler {

/// On a product whose operands are words of the sum's type: each holds two neighbours along K, as
/// mem.pair_product takes them.
inline constexpr llvm::StringLiteral kPairsAttr = "tritonrt.pairs";

/// The type in which `dot` multiplies and sums.
inline mlir::Type productType(tt::DotOp dot) {
  mlir::Type sum = mlir::getElementTypeOrSelf(dot.getC().getType());
  if (mlir::isa<mlir::FloatType>(sum) && sum.getIntOrFloatBitWidth() < 32)
    return mlir::Float32Type::get(dot.getContext());
  return sum;
}

/// A scalar or tensor with elements of `type`, which is no narrower than what they have.
inline mlir::Value widened(mlir::OpBuilder &b, mlir::Location loc, mlir::Value value,
                           mlir::Type type) {
  if (mlir::getElementTypeOrSelf(value) == type)
    return value;
  mlir::Type result = type;
  if (auto tensor = mlir::dyn_cast<mlir::RankedTensorType>(value.getType()))
    result = tensor.clone(type);
  if (mlir::isa<mlir::FloatType>(type))
    return mlir::arith::ExtFOp::create(b, loc, result, value);
  return mlir::arith::ExtSIOp::create(b, loc, result, value);
}

} // namespace tritonrt::compiler

#endif // TRITONRT_COMPILER_PASSES_STRIPS_PRODUCTS_H
