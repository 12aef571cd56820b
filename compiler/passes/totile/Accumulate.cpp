// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums and products of bf16 along an axis: carried in f32 and rounded once, for each result. The
// range is the same, a sum of many is right to the last bit in place of the second digit, and no
// device's arithmetic has fewer steps in bf16.
#include "compiler/passes/totile/Translator.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace tritonrt::compiler {

/// The addition or product that is all of `op`'s region; null for other regions and types.
static Operation *soleArithmetic(Operation *op) {
  if (!isa<tt::ReduceOp, tt::ScanOp>(op) || op->getNumOperands() != 1 ||
      !cast<RankedTensorType>(op->getOperand(0).getType()).getElementType().isBF16())
    return nullptr;
  Region &region = op->getRegion(0);
  if (!region.hasOneBlock() || !llvm::hasNItems(region.front(), 2))
    return nullptr;
  Operation *step = &region.front().front();
  bool both = isa<arith::AddFOp, arith::MulFOp>(step) &&
              llvm::equal(step->getOperands(), region.getArguments()) &&
              region.front().getTerminator()->getOperand(0) == step->getResult(0);
  return both ? step : nullptr;
}

bool Translator::translateAccumulation(Operation *op) {
  Operation *step = soleArithmetic(op);
  if (!step)
    return false;
  Location loc = op->getLoc();
  Type f32 = builder.getF32Type(), type = convertType(op->getResult(0).getType());
  auto wide = [&](Type narrow) -> Type {
    auto tensor = dyn_cast<RankedTensorType>(narrow);
    return tensor ? tensor.clone(f32) : f32;
  };
  Value source = data(op->getOperand(0));
  OperationState state(loc, op->getName());
  state.addOperands(
      arith::ExtFOp::create(builder, loc, wide(source.getType()), source)->getResults());
  state.addTypes(wide(type));
  state.addAttributes(op->getAttrs());
  state.addRegion();
  Operation *sum = builder.create(state);
  {
    OpBuilder::InsertionGuard guard(builder);
    Block *block = builder.createBlock(&sum->getRegion(0), {}, {f32, f32}, {loc, loc});
    IRMapping mapping;
    mapping.map(op->getRegion(0).getArguments(), block->getArguments());
    Operation *wideStep = builder.clone(*step, mapping);
    wideStep->getResult(0).setType(f32);
    builder.clone(*op->getRegion(0).front().getTerminator(), mapping);
  }
  define(op->getResult(0), arith::TruncFOp::create(builder, loc, type, sum->getResult(0)));
  return true;
}

} // namespace tritonrt::compiler
