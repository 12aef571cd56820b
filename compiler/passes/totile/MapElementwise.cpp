// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tt.map_elementwise: scalar code over the elements of tensors, done for all elements at once. Both
// sides of an if are computed, and its results chosen element by element.
#include "compiler/passes/totile/Translator.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace tritonrt::compiler {

namespace {

class ScalarCode {
public:
  ScalarCode(OpBuilder &builder, IRMapping &values, ArrayRef<int64_t> shape)
      : builder(builder), values(values), shape(shape) {}

  /// `active` are the elements that come to the block; null for all.
  LogicalResult copy(Block &block, Value active);
  /// What a scalar is for all elements; scalars from outside are splats.
  Value tensor(Value scalar);

private:
  LogicalResult copyIf(scf::IfOp op, Value active);
  LogicalResult copyOp(Operation &op, Value active);
  Value constant(Location loc, TypedAttr value) {
    auto type = RankedTensorType::get(shape, value.getType());
    return arith::ConstantOp::create(builder, loc, DenseElementsAttr::get(type, Attribute(value)));
  }

  OpBuilder &builder;
  IRMapping &values;
  ArrayRef<int64_t> shape;
};

Value ScalarCode::tensor(Value scalar) {
  Value value = values.lookup(scalar);
  if (isa<RankedTensorType>(value.getType()))
    return value;
  auto type = RankedTensorType::get(shape, value.getType());
  return tt::SplatOp::create(builder, scalar.getLoc(), type, value);
}

LogicalResult ScalarCode::copyOp(Operation &op, Value active) {
  bool known = isa<arith::ArithDialect, math::MathDialect>(op.getDialect());
  if (!known || op.getNumResults() != 1)
    return op.emitOpError("in tt.map_elementwise is not supported");
  if (auto scalar = dyn_cast<arith::ConstantOp>(op)) {
    values.map(scalar.getResult(), constant(op.getLoc(), scalar.getValue()));
    return success();
  }
  auto type = RankedTensorType::get(shape, op.getResult(0).getType());
  IRMapping mapping;
  for (Value operand : op.getOperands())
    mapping.map(operand, tensor(operand));
  // Elements that do not come here must not divide by zero.
  if (active && isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp>(op)) {
    Value one = constant(op.getLoc(), builder.getIntegerAttr(type.getElementType(), 1));
    Value divisor = mapping.lookup(op.getOperand(1));
    mapping.map(op.getOperand(1),
                arith::SelectOp::create(builder, op.getLoc(), active, divisor, one));
  }
  Operation *wide = builder.clone(op, mapping);
  wide->getResult(0).setType(type);
  values.map(op.getResult(0), wide->getResult(0));
  return success();
}

LogicalResult ScalarCode::copyIf(scf::IfOp op, Value active) {
  Location loc = op.getLoc();
  Value taken = tensor(op.getCondition());
  Value other =
      arith::XOrIOp::create(builder, loc, taken, constant(loc, builder.getBoolAttr(true)));
  auto within = [&](Value edge) -> Value {
    return active ? arith::AndIOp::create(builder, loc, active, edge) : edge;
  };
  if (failed(copy(*op.thenBlock(), within(taken))))
    return failure();
  if (op.elseBlock() && failed(copy(*op.elseBlock(), within(other))))
    return failure();
  for (auto [i, result] : llvm::enumerate(op.getResults())) {
    Value yes = tensor(op.thenYield().getOperand(i)), no = tensor(op.elseYield().getOperand(i));
    values.map(result, arith::SelectOp::create(builder, loc, taken, yes, no));
  }
  return success();
}

LogicalResult ScalarCode::copy(Block &block, Value active) {
  for (Operation &op : block.without_terminator()) {
    auto branch = dyn_cast<scf::IfOp>(op);
    if (failed(branch ? copyIf(branch, active) : copyOp(op, active)))
      return failure();
  }
  return success();
}

} // namespace

LogicalResult Translator::translateMap(tt::MapElementwiseOp op) {
  if (op.getPack() != 1)
    return op.emitOpError("of several elements at a time is not supported");
  if (!op.getScalarOp().hasOneBlock())
    return op.emitOpError("with branches that are no ifs is not supported");
  Block &block = op.getScalarOp().front();
  for (auto [argument, source] : llvm::zip_equal(block.getArguments(), op.getSrcs()))
    define(argument, data(source));
  auto type = cast<RankedTensorType>(op.getResultTypes().front());
  ScalarCode code(builder, values, type.getShape());
  if (failed(code.copy(block, Value())))
    return failure();
  for (auto [old, value] : llvm::zip_equal(op.getResults(), block.getTerminator()->getOperands()))
    define(old, code.tensor(value));
  return success();
}

} // namespace tritonrt::compiler
