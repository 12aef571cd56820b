// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integer arithmetic that targets need not know.
#include "compiler/passes/totile/Translator.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace tritonrt::compiler {

namespace {

/// Writes arithmetic on operands of one type.
class Arithmetic {
public:
  Arithmetic(OpBuilder &b, Location loc, Type type) : b(b), loc(loc), type(type) {}

  Value number(int64_t value) {
    TypedAttr element = b.getIntegerAttr(getElementTypeOrSelf(type), value);
    if (auto tensor = dyn_cast<RankedTensorType>(type))
      return arith::ConstantOp::create(b, loc, DenseElementsAttr::get(tensor, Attribute(element)));
    return arith::ConstantOp::create(b, loc, element);
  }
  template <typename Op> Value make(Value x, Value y) { return Op::create(b, loc, x, y); }
  Value is(arith::CmpIPredicate how, Value x, Value y) {
    return arith::CmpIOp::create(b, loc, how, x, y);
  }
  Value choose(Value condition, Value x, Value y) {
    return arith::SelectOp::create(b, loc, condition, x, y);
  }

  Value ofBits(Operation *op, Value x, Value y);
  Value roundedDivision(Value x, Value y, bool isSigned, bool up);
  Value power(Value x, Value y);

private:
  OpBuilder &b;
  Location loc;
  Type type;
};

/// Divisions, shifts and counts of i1, which need none: a divisor that is not 0 is 1 or -1, a shift
/// that is not 0 moves the bit out. Null for other ops.
Value Arithmetic::ofBits(Operation *op, Value x, Value y) {
  if (isa<arith::DivSIOp, arith::DivUIOp, arith::FloorDivSIOp, arith::CeilDivSIOp,
          arith::CeilDivUIOp, arith::ShRSIOp, math::AbsIOp, math::CtPopOp>(op))
    return x;
  if (isa<math::CountLeadingZerosOp, math::CountTrailingZerosOp>(op))
    return make<arith::XOrIOp>(x, number(-1));
  if (isa<arith::RemSIOp, arith::RemUIOp>(op))
    return number(0);
  if (isa<arith::ShLIOp, arith::ShRUIOp>(op))
    return make<arith::AndIOp>(x, make<arith::XOrIOp>(y, number(-1)));
  return {};
}

/// The quotient towards zero, and one more or less where there is a remainder on the other side.
Value Arithmetic::roundedDivision(Value x, Value y, bool isSigned, bool up) {
  Value quotient = isSigned ? make<arith::DivSIOp>(x, y) : make<arith::DivUIOp>(x, y);
  Value rest = make<arith::SubIOp>(x, make<arith::MulIOp>(quotient, y));
  Value zero = number(0);
  Value moves = is(arith::CmpIPredicate::ne, rest, zero);
  if (isSigned) {
    Value signs = make<arith::XOrIOp>(x, y);
    auto how = up ? arith::CmpIPredicate::sge : arith::CmpIPredicate::slt;
    moves = make<arith::AndIOp>(moves, is(how, signs, zero));
  }
  Value moved =
      up ? make<arith::AddIOp>(quotient, number(1)) : make<arith::SubIOp>(quotient, number(1));
  return choose(moves, moved, quotient);
}

/// By squares. A negative exponent gives 1 / x^|y|: 0 but for 1 and -1.
Value Arithmetic::power(Value x, Value y) {
  Value zero = number(0), one = number(1), minus = number(-1);
  Value odd = is(arith::CmpIPredicate::ne, make<arith::AndIOp>(y, one), zero);
  Value inverse = choose(is(arith::CmpIPredicate::eq, x, one), one, zero);
  inverse = choose(is(arith::CmpIPredicate::eq, x, minus), choose(odd, minus, one), inverse);
  Value result = one, square = x;
  unsigned width = getElementTypeOrSelf(type).getIntOrFloatBitWidth();
  for (unsigned bit = 0; bit + 1 < width; ++bit) {
    Value isSet =
        is(arith::CmpIPredicate::ne, make<arith::AndIOp>(y, number(int64_t{1} << bit)), zero);
    result = choose(isSet, make<arith::MulIOp>(result, square), result);
    square = make<arith::MulIOp>(square, square);
  }
  return choose(is(arith::CmpIPredicate::slt, y, zero), inverse, result);
}

} // namespace

Value expandIntegers(OpBuilder &b, Operation *op, ArrayRef<Value> v, Type result) {
  Arithmetic arithmetic(b, op->getLoc(), result);
  bool isBits = getElementTypeOrSelf(result).isInteger(1);
  if (isBits && !v.empty() && v.size() <= 2)
    if (Value bits = arithmetic.ofBits(op, v.front(), v.back()))
      return bits;
  if (isa<arith::CeilDivSIOp>(op))
    return arithmetic.roundedDivision(v[0], v[1], /*isSigned=*/true, /*up=*/true);
  if (isa<arith::FloorDivSIOp>(op))
    return arithmetic.roundedDivision(v[0], v[1], /*isSigned=*/true, /*up=*/false);
  if (isa<arith::CeilDivUIOp>(op))
    return arithmetic.roundedDivision(v[0], v[1], /*isSigned=*/false, /*up=*/true);
  if (isa<math::IPowIOp>(op))
    return arithmetic.power(v[0], v[1]);
  if (isa<arith::FPToSIOp, arith::FPToUIOp>(op) && isBits) {
    Type byte = b.getI8Type();
    if (auto tensor = dyn_cast<RankedTensorType>(result))
      byte = tensor.clone(byte);
    Value whole = isa<arith::FPToSIOp>(op)
                      ? Value(arith::FPToSIOp::create(b, op->getLoc(), byte, v[0]))
                      : Value(arith::FPToUIOp::create(b, op->getLoc(), byte, v[0]));
    return arith::TruncIOp::create(b, op->getLoc(), result, whole);
  }
  return {};
}

} // namespace tritonrt::compiler
