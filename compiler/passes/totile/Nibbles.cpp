// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integers of four bits: bytes that hold 0 to 15 from here on, whatever their sign.
#include "compiler/passes/totile/Translator.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace tritonrt::compiler {

namespace {

bool isNibble(Value value) { return tt::elementTypeOf(value.getType()).isInteger(4); }

/// Does the op read the signs of its operands?
bool readsSigns(Operation *op) {
  if (auto compare = dyn_cast<arith::CmpIOp>(op))
    return llvm::is_contained({arith::CmpIPredicate::slt, arith::CmpIPredicate::sle,
                               arith::CmpIPredicate::sgt, arith::CmpIPredicate::sge},
                              compare.getPredicate());
  return isa<arith::ExtSIOp, arith::ShRSIOp, arith::DivSIOp, arith::RemSIOp, arith::MinSIOp,
             arith::MaxSIOp, arith::SIToFPOp>(op);
}

Value constantLike(OpBuilder &b, Location loc, Type type, int64_t value) {
  TypedAttr element = b.getIntegerAttr(getElementTypeOrSelf(type), value);
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return arith::ConstantOp::create(b, loc, DenseElementsAttr::get(tensor, Attribute(element)));
  return arith::ConstantOp::create(b, loc, element);
}

} // namespace

Value Translator::signedNibbles(Value bytes) {
  Location loc = bytes.getLoc();
  Value four = constantLike(builder, loc, bytes.getType(), 4);
  Value up = arith::ShLIOp::create(builder, loc, bytes, four);
  return arith::ShRSIOp::create(builder, loc, up, four);
}

bool Translator::translateNibbles(Operation *op) {
  if (!isa<arith::ArithDialect>(op->getDialect()) || op->getNumResults() != 1)
    return false;
  Value result = op->getResult(0);
  if (!isNibble(result) && llvm::none_of(op->getOperands(), isNibble))
    return false;
  Location loc = op->getLoc();
  Type type = convertType(result.getType());
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    auto widened = [&](const APInt &value) { return value.zext(8); };
    if (auto dense = dyn_cast<DenseIntElementsAttr>(constant.getValue())) {
      DenseElementsAttr bytes = dense.mapValues(builder.getI8Type(), widened);
      define(result, isa<RankedTensorType>(type)
                         ? arith::ConstantOp::create(builder, loc, bytes).getResult()
                         : scalars.constant(bytes.getSplatValue<TypedAttr>()));
    } else {
      APInt value = widened(cast<IntegerAttr>(constant.getValue()).getValue());
      define(result, scalars.constant(builder.getIntegerAttr(type, value)));
    }
    return true;
  }
  SmallVector<Value> operands;
  for (Value operand : op->getOperands())
    operands.push_back(isNibble(operand) && readsSigns(op) ? signedNibbles(data(operand))
                                                           : data(operand));
  // Bytes already have the type that is asked for.
  bool changesNothing = operands.front().getType() == type &&
                        isa<arith::TruncIOp, arith::ExtUIOp, arith::ExtSIOp>(op);
  Value made = operands.front();
  if (!changesNothing) {
    OperationState state(loc, op->getName(), operands, type, op->getAttrs());
    state.propertiesAttr = op->getPropertiesAsAttribute();
    made = builder.create(state)->getResult(0);
  }
  if (isNibble(result) && !isa<arith::SelectOp>(op))
    made = arith::AndIOp::create(builder, loc, made, constantLike(builder, loc, type, 15));
  define(result, made);
  return true;
}

} // namespace tritonrt::compiler
