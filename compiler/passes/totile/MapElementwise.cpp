// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tt.map_elementwise: scalar code over the elements of tensors. Straight code is done for all
// elements at once: both sides of an if are computed, and its results chosen element by element.
// Code with loops stays a tt.map_elementwise, whose body form-nests takes into a nest.
#include "compiler/Fault.h"
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
  if (auto scalar = dyn_cast<arith::ConstantOp>(op)) {
    values.map(scalar.getResult(), constant(op.getLoc(), scalar.getValue()));
    return success();
  }
  auto wideTypes = llvm::map_to_vector(
      op.getResultTypes(), [&](Type type) -> Type { return RankedTensorType::get(shape, type); });
  IRMapping mapping;
  for (Value operand : op.getOperands())
    mapping.map(operand, tensor(operand));
  if (op.getNumResults() == 1) {
    auto operands = llvm::map_to_vector(op.getOperands(),
                                        [&](Value operand) { return mapping.lookup(operand); });
    FailureOr<Value> value = lowerElementwise(builder, &op, operands, wideTypes.front());
    if (failed(value))
      return failure();
    if (*value) {
      values.map(op.getResult(0), *value);
      return success();
    }
  }
  if (!isa<arith::ArithDialect, math::MathDialect>(op.getDialect()))
    return emitFault(&op, "op '" + op.getName().getStringRef() + "' has no form on tensors");
  // Elements that do not come here must not divide by zero.
  if (active && isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp>(op)) {
    Type element = op.getResult(0).getType();
    Value one = constant(op.getLoc(), builder.getIntegerAttr(element, 1));
    Value divisor = mapping.lookup(op.getOperand(1));
    mapping.map(op.getOperand(1),
                arith::SelectOp::create(builder, op.getLoc(), active, divisor, one));
  }
  Operation *wide = builder.clone(op, mapping);
  for (auto [old, result, type] : llvm::zip_equal(op.getResults(), wide->getResults(), wideTypes)) {
    result.setType(type);
    values.map(old, result);
  }
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

/// Is it code without loops, and without assembly, whose registers hold single elements?
bool isStraight(Block &block) {
  return !block
              .walk([](Operation *op) {
                bool stands = (op->getNumRegions() && !isa<scf::IfOp>(op)) ||
                              isa<tt::ElementwiseInlineAsmOp>(op);
                return stands ? WalkResult::interrupt() : WalkResult::advance();
              })
              .wasInterrupted();
}

} // namespace

void splitLine(OpBuilder &b, Location loc, Value whole, unsigned bits,
               SmallVectorImpl<Value> &parts) {
  if (bits == 0) {
    parts.push_back(whole);
    return;
  }
  auto line = cast<RankedTensorType>(whole.getType());
  int64_t half = line.getNumElements() / 2;
  Value pairs = tt::ReshapeOp::create(b, loc, line.clone({half, 2}), whole);
  auto split = tt::SplitOp::create(b, loc, line.clone({half}), line.clone({half}), pairs);
  // The lowest bit of an element's number is the one split here.
  SmallVector<Value> even, odd;
  splitLine(b, loc, split.getOutLHS(), bits - 1, even);
  splitLine(b, loc, split.getOutRHS(), bits - 1, odd);
  for (auto [e, o] : llvm::zip_equal(even, odd)) {
    parts.push_back(e);
    parts.push_back(o);
  }
}

Value joinLine(OpBuilder &b, Location loc, ArrayRef<Value> parts) {
  if (parts.size() == 1)
    return parts.front();
  SmallVector<Value> even, odd;
  for (auto [i, part] : llvm::enumerate(parts))
    (i % 2 ? odd : even).push_back(part);
  Value low = joinLine(b, loc, even), high = joinLine(b, loc, odd);
  auto line = cast<RankedTensorType>(low.getType());
  int64_t half = line.getNumElements();
  Value pairs = tt::JoinOp::create(b, loc, line.clone({half, 2}), low, high);
  return tt::ReshapeOp::create(b, loc, line.clone({2 * half}), pairs);
}

FailureOr<SmallVector<Value>> Translator::mapElements(tt::MapElementwiseOp op,
                                                      ArrayRef<Value> sources) {
  Block &block = op.getScalarOp().front();
  ArrayRef<int64_t> shape = cast<RankedTensorType>(sources.front().getType()).getShape();
  if (isStraight(block)) {
    for (auto [argument, source] : llvm::zip_equal(block.getArguments(), sources))
      define(argument, source);
    ScalarCode code(builder, values, shape);
    if (failed(code.copy(block, Value())))
      return failure();
    return llvm::map_to_vector(block.getTerminator()->getOperands(),
                               [&](Value value) { return code.tensor(value); });
  }
  Operation *yield = block.getTerminator();
  auto types = llvm::map_to_vector(yield->getOperandTypes(), [&](Type type) -> Type {
    return RankedTensorType::get(shape, type);
  });
  auto kept = tt::MapElementwiseOp::create(builder, op.getLoc(), types, sources, /*pack=*/1);
  OpBuilder::InsertionGuard guard(builder);
  SmallVector<Location> locs(block.getNumArguments(), op.getLoc());
  Block *body = builder.createBlock(&kept.getScalarOp(), {}, block.getArgumentTypes(), locs);
  for (auto [old, argument] : llvm::zip_equal(block.getArguments(), body->getArguments()))
    define(old, argument);
  if (failed(translate(block)))
    return failure();
  auto results = llvm::map_to_vector(yield->getOperands(), [&](Value v) { return data(v); });
  tt::MapElementwiseReturnOp::create(builder, op.getLoc(), results);
  return SmallVector<Value>(kept.getResults());
}

LogicalResult Translator::translateMap(tt::MapElementwiseOp op) {
  if (!op.getScalarOp().hasOneBlock())
    return op.emitOpError("with branches that are no ifs is not supported; write them as scf.if");
  Location loc = op.getLoc();
  auto shape = cast<RankedTensorType>(op.getResultTypes().front()).getShape();
  if (shape.empty()) {
    // One element, which is a scalar here.
    Block &block = op.getScalarOp().front();
    for (auto [argument, source] : llvm::zip_equal(block.getArguments(), op.getSrcs()))
      define(argument, data(source));
    if (failed(translate(block)))
      return failure();
    for (auto [old, value] : llvm::zip_equal(op.getResults(), block.getTerminator()->getOperands()))
      define(old, data(value));
    return success();
  }
  unsigned bits = llvm::Log2_32(op.getPack());
  if (op.getPack() == 1) {
    auto sources = llvm::map_to_vector(op.getSrcs(), [&](Value source) { return data(source); });
    FailureOr<SmallVector<Value>> results = mapElements(op, sources);
    if (failed(results))
      return failure();
    for (auto [old, value] : llvm::zip_equal(op.getResults(), *results))
      define(old, value);
    return success();
  }
  // Neighbours go together: operand by operand, the elements of one call after each other.
  SmallVector<Value> sources;
  for (Value source : op.getSrcs()) {
    auto type = cast<RankedTensorType>(data(source).getType());
    Value line =
        tt::ReshapeOp::create(builder, loc, type.clone({type.getNumElements()}), data(source));
    splitLine(builder, loc, line, bits, sources);
  }
  FailureOr<SmallVector<Value>> results = mapElements(op, sources);
  if (failed(results))
    return failure();
  for (auto [i, old] : llvm::enumerate(op.getResults())) {
    Value line = joinLine(builder, loc, ArrayRef(*results).slice(i << bits, 1 << bits));
    auto type = cast<RankedTensorType>(line.getType());
    define(old, tt::ReshapeOp::create(builder, loc, type.clone(shape), line));
  }
  return success();
}

} // namespace tritonrt::compiler
