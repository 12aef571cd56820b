// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tt.map_elementwise: scalar code with branches over the elements of tensors. Branches become
// selects: every block is computed for all elements, each block's arguments are chosen by the edge
// on which an element comes.
#include "compiler/passes/totile/Translator.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/RegionGraphTraits.h"
#include "llvm/ADT/PostOrderIterator.h"

using namespace mlir;

namespace tritonrt::compiler {

namespace {

class BranchesToSelects {
public:
  BranchesToSelects(OpBuilder &builder, IRMapping &values, ArrayRef<int64_t> shape)
      : builder(builder), values(values), shape(shape) {}

  FailureOr<SmallVector<Value>> run(tt::MapElementwiseOp op);

private:
  Value tensor(Value scalar);
  LogicalResult copy(Operation &op, Value active);
  void enter(Block *target, Value edge, OperandRange arguments);
  Value conjunction(Value a, Value b) {
    return a ? Value(arith::AndIOp::create(builder, b.getLoc(), a, b)) : b;
  }

  OpBuilder &builder;
  IRMapping &values;
  ArrayRef<int64_t> shape;
  /// By block: the elements that come to it. The entry has none: all do.
  DenseMap<Block *, Value> active;
  DenseSet<Block *> entered;
  SmallVector<Value> results;
};

/// What a scalar of the region is for all elements; scalars from outside are splats.
Value BranchesToSelects::tensor(Value scalar) {
  Value value = values.lookup(scalar);
  if (isa<RankedTensorType>(value.getType()))
    return value;
  auto type = RankedTensorType::get(shape, value.getType());
  return tt::SplatOp::create(builder, scalar.getLoc(), type, value);
}

LogicalResult BranchesToSelects::copy(Operation &op, Value mask) {
  if (!isa<arith::ArithDialect, math::MathDialect>(op.getDialect()) || op.getNumResults() != 1)
    return op.emitOpError("in tt.map_elementwise is not supported");
  auto type = RankedTensorType::get(shape, op.getResult(0).getType());
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    auto splat = DenseElementsAttr::get(type, constant.getValue());
    values.map(constant.getResult(), arith::ConstantOp::create(builder, op.getLoc(), splat));
    return success();
  }
  IRMapping mapping;
  for (Value operand : op.getOperands())
    mapping.map(operand, tensor(operand));
  // Elements that do not come here must not divide by zero.
  if (mask && isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp>(op)) {
    auto one = DenseElementsAttr::get(type, builder.getIntegerAttr(type.getElementType(), 1));
    Value safe = arith::ConstantOp::create(builder, op.getLoc(), one);
    Value divisor = mapping.lookup(op.getOperand(1));
    mapping.map(op.getOperand(1),
                arith::SelectOp::create(builder, op.getLoc(), mask, divisor, safe));
  }
  Operation *wide = builder.clone(op, mapping);
  wide->getResult(0).setType(type);
  values.map(op.getResult(0), wide->getResult(0));
  return success();
}

void BranchesToSelects::enter(Block *target, Value edge, OperandRange arguments) {
  Value &mask = active[target];
  bool first = entered.insert(target).second;
  for (auto [argument, passed] : llvm::zip_equal(target->getArguments(), arguments)) {
    Value value = tensor(passed);
    if (!first && edge)
      value = arith::SelectOp::create(builder, passed.getLoc(), edge, value,
                                      values.lookup(argument));
    values.map(argument, value);
  }
  if (edge)
    mask = mask ? Value(arith::OrIOp::create(builder, edge.getLoc(), mask, edge)) : edge;
}

FailureOr<SmallVector<Value>> BranchesToSelects::run(tt::MapElementwiseOp op) {
  // Every block after all that branch to it; loops are what comes out of order.
  Region &region = op.getScalarOp();
  llvm::ReversePostOrderTraversal<Region *> order(&region);
  DenseSet<Block *> done;
  for (Block *block : order) {
    for (Block *from : block->getPredecessors())
      if (!done.contains(from))
        return op.emitOpError("with a loop is not supported");
    done.insert(block);
    Value mask = active.lookup(block);
    for (Operation &inner : block->without_terminator())
      if (failed(copy(inner, mask)))
        return failure();
    Operation *end = block->getTerminator();
    if (auto branch = dyn_cast<cf::BranchOp>(end)) {
      enter(branch.getDest(), mask, branch.getDestOperands());
    } else if (auto branch = dyn_cast<cf::CondBranchOp>(end)) {
      Value taken = tensor(branch.getCondition());
      Attribute yes = builder.getBoolAttr(true);
      Value all = arith::ConstantOp::create(
          builder, end->getLoc(),
          DenseElementsAttr::get(cast<RankedTensorType>(taken.getType()), yes));
      Value other = arith::XOrIOp::create(builder, end->getLoc(), taken, all);
      enter(branch.getTrueDest(), conjunction(mask, taken), branch.getTrueDestOperands());
      enter(branch.getFalseDest(), conjunction(mask, other), branch.getFalseDestOperands());
    } else if (isa<tt::MapElementwiseReturnOp>(end)) {
      SmallVector<Value> returned;
      for (Value value : end->getOperands())
        returned.push_back(tensor(value));
      if (results.empty() || !mask) {
        results = returned;
        continue;
      }
      for (auto [result, value] : llvm::zip_equal(results, returned))
        result = arith::SelectOp::create(builder, end->getLoc(), mask, value, result);
    } else {
      return end->emitOpError("in tt.map_elementwise is not supported");
    }
  }
  return results;
}

} // namespace

LogicalResult Translator::translateMap(tt::MapElementwiseOp op) {
  if (op.getPack() != 1)
    return op.emitOpError("of several elements at a time is not supported");
  for (auto [argument, source] :
       llvm::zip_equal(op.getScalarOp().getArguments(), op.getSrcs()))
    define(argument, data(source));
  auto type = cast<RankedTensorType>(op.getResultTypes().front());
  FailureOr<SmallVector<Value>> results =
      BranchesToSelects(builder, values, type.getShape()).run(op);
  if (failed(results))
    return failure();
  for (auto [old, value] : llvm::zip_equal(op.getResults(), *results))
    define(old, value);
  return success();
}

} // namespace tritonrt::compiler
