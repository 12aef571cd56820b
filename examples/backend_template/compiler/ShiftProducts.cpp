// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ShiftProducts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace chip {

// In a namespace of its own rather than an anonymous one: MLIR knows passes by their names.
struct ShiftProductsPass : PassWrapper<ShiftProductsPass, OperationPass<func::FuncOp>> {
  StringRef getArgument() const override { return "shift-products"; }

  void runOnOperation() override {
    getOperation().walk([](arith::MulIOp op) {
      llvm::APInt factor;
      if (!matchPattern(op.getRhs(), m_ConstantInt(&factor)) || !factor.isPowerOf2())
        return;
      OpBuilder builder(op);
      TypedAttr bits =
          builder.getIntegerAttr(getElementTypeOrSelf(op.getType()), factor.logBase2());
      if (auto vector = dyn_cast<VectorType>(op.getType()))
        bits = DenseElementsAttr::get(vector, bits);
      Value amount = arith::ConstantOp::create(builder, op.getLoc(), bits);
      op.replaceAllUsesWith(
          arith::ShLIOp::create(builder, op.getLoc(), op.getLhs(), amount).getResult());
      op.erase();
    });
  }
};

std::unique_ptr<Pass> createShiftProductsPass() { return std::make_unique<ShiftProductsPass>(); }

} // namespace chip
