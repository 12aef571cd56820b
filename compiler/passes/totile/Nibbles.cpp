// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integers of four bits: bytes that hold 0 to 15 from here on, whatever their sign.
#include "compiler/passes/totile/Translator.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

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
  return isa<arith::ExtSIOp, arith::ShRSIOp, arith::DivSIOp, arith::RemSIOp, arith::CeilDivSIOp,
             arith::FloorDivSIOp, arith::MinSIOp, arith::MaxSIOp, arith::SIToFPOp,
             arith::MulSIExtendedOp, math::AbsIOp, math::IPowIOp>(op);
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

/// A byte holds all bits of a sum or a product.
void Translator::translateWideNibbles(Operation *op, ArrayRef<Value> operands) {
  Location loc = op->getLoc();
  Type type = operands.front().getType();
  auto number = [&](int64_t value) { return constantLike(builder, loc, type, value); };
  bool sum = isa<arith::AddUIExtendedOp>(op);
  Value whole = sum ? arith::AddIOp::create(builder, loc, operands[0], operands[1]).getResult()
                    : arith::MulIOp::create(builder, loc, operands[0], operands[1]).getResult();
  define(op->getResult(0), arith::AndIOp::create(builder, loc, whole, number(15)));
  if (sum)
    define(op->getResult(1),
           arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ugt, whole, number(15)));
  else
    define(op->getResult(1), arith::ShRUIOp::create(builder, loc, whole, number(4)));
}

bool Translator::translateNibbles(Operation *op) {
  if (!isa<arith::ArithDialect, math::MathDialect>(op->getDialect()))
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
  if (op->getNumResults() == 2) {
    translateWideNibbles(op, operands);
    return true;
  }
  // Zeros are counted from a bit that is no part of the number.
  if (isa<math::CountTrailingZerosOp>(op))
    operands[0] =
        arith::OrIOp::create(builder, loc, operands[0], constantLike(builder, loc, type, 16));
  if (isa<math::CountLeadingZerosOp>(op)) {
    Value four = constantLike(builder, loc, type, 4);
    Value top = arith::ShLIOp::create(builder, loc, operands[0], four);
    operands[0] = arith::OrIOp::create(builder, loc, top, constantLike(builder, loc, type, 8));
  }
  // Bytes already have the type that is asked for.
  bool changesNothing = operands.front().getType() == type &&
                        isa<arith::TruncIOp, arith::ExtUIOp, arith::ExtSIOp>(op);
  Value made = changesNothing ? operands.front() : expandIntegers(builder, op, operands, type);
  if (!made) {
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
