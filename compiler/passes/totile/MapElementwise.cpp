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

/// The elements of groups of `pack` neighbours along the last dimension: the first of each group,
/// the second of each, and so on.
static SmallVector<Value> unpack(OpBuilder &b, Location loc, Value value, int64_t pack) {
  if (pack == 1)
    return {value};
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<int64_t> half(type.getShape());
  half.back() /= 2;
  SmallVector<int64_t> pairs = half;
  pairs.push_back(2);
  Value paired = tt::ReshapeOp::create(b, loc, type.clone(pairs), value);
  auto parts = tt::SplitOp::create(b, loc, type.clone(half), type.clone(half), paired);
  SmallVector<Value> even = unpack(b, loc, parts.getResult(0), pack / 2);
  SmallVector<Value> odd = unpack(b, loc, parts.getResult(1), pack / 2);
  SmallVector<Value> all;
  for (auto [first, second] : llvm::zip_equal(even, odd))
    llvm::append_values(all, first, second);
  return all;
}

/// The inverse of `unpack`.
static Value joined(OpBuilder &b, Location loc, ArrayRef<Value> parts) {
  if (parts.size() == 1)
    return parts.front();
  SmallVector<Value> even, odd;
  for (size_t i = 0; i < parts.size(); i += 2) {
    even.push_back(parts[i]);
    odd.push_back(parts[i + 1]);
  }
  Value first = joined(b, loc, even), second = joined(b, loc, odd);
  auto type = cast<RankedTensorType>(first.getType());
  SmallVector<int64_t> pairs(type.getShape()), whole = pairs;
  pairs.push_back(2);
  whole.back() *= 2;
  Value paired = tt::JoinOp::create(b, loc, type.clone(pairs), first, second);
  return tt::ReshapeOp::create(b, loc, type.clone(whole), paired);
}

LogicalResult Translator::translateMap(tt::MapElementwiseOp op) {
  if (!op.getScalarOp().hasOneBlock())
    return op.emitOpError("with branches that are no ifs is not supported");
  Block &block = op.getScalarOp().front();
  Location loc = op.getLoc();
  int64_t count = op.getPack();
  SmallVector<int64_t> shape(cast<RankedTensorType>(op.getResultTypes().front()).getShape());
  // Which elements go together is not specified.
  if (shape.empty() || shape.back() % count != 0)
    return op.emitOpError("of more elements at a time than the last dimension has");
  for (auto [i, source] : llvm::enumerate(op.getSrcs()))
    for (auto [j, part] : llvm::enumerate(unpack(builder, loc, data(source), count)))
      define(block.getArgument(i * count + j), part);
  shape.back() /= count;
  ScalarCode code(builder, values, shape);
  if (failed(code.copy(block, Value())))
    return failure();
  for (auto [i, old] : llvm::enumerate(op.getResults())) {
    SmallVector<Value> parts;
    for (Value value : block.getTerminator()->getOperands().slice(i * count, count))
      parts.push_back(code.tensor(value));
    define(old, joined(builder, loc, parts));
  }
  return success();
}

} // namespace tritonrt::compiler
