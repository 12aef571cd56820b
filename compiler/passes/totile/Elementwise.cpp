// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elementwise ops of tt as arith and math.
#include "compiler/passes/totile/Translator.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace tritonrt::compiler {

static Type withElement(Type shaped, Type element) {
  if (auto tensor = dyn_cast<RankedTensorType>(shaped))
    return tensor.clone(element);
  return element;
}

/// Widening is exact. A narrowing goes through no other type than f32, from which and to which
/// every narrow float converts exactly: there is one rounding.
static Value lowerFpToFp(OpBuilder &b, tt::FpToFpOp op, Value x, Type result) {
  Location loc = op.getLoc();
  auto from = cast<FloatType>(getElementTypeOrSelf(x.getType()));
  auto to = cast<FloatType>(getElementTypeOrSelf(result));
  if (from == to)
    return x;
  bool narrow = from.getWidth() <= 8 || to.getWidth() <= 8 || from.getWidth() == to.getWidth();
  Type f32 = b.getF32Type();
  if (narrow && from != f32 && from.getWidth() < 32) {
    x = arith::ExtFOp::create(b, loc, withElement(result, f32), x);
    from = cast<FloatType>(f32);
    if (to == f32)
      return x;
  }
  if (from.getWidth() < to.getWidth())
    return arith::ExtFOp::create(b, loc, result, x);
  auto truncated = arith::TruncFOp::create(b, loc, result, x);
  if (op.getRounding() == tt::RoundingMode::RTZ)
    truncated.setRoundingmode(arith::RoundingMode::toward_zero);
  return truncated;
}

static Value lowerClamp(OpBuilder &b, tt::ClampFOp op, ArrayRef<Value> v) {
  Location loc = op.getLoc();
  if (op.getPropagateNan() == tt::PropagateNan::All) {
    Value low = arith::MaximumFOp::create(b, loc, v[0], v[1]);
    return arith::MinimumFOp::create(b, loc, low, v[2]);
  }
  Value low = arith::MaxNumFOp::create(b, loc, v[0], v[1]);
  return arith::MinNumFOp::create(b, loc, low, v[2]);
}

/// The power of the magnitude, with x's sign where the exponent is odd: a float may not tell.
static Value lowerIntegerPower(OpBuilder &b, Location loc, Value x, Value n) {
  Type type = x.getType(), whole = n.getType();
  Value exponent = arith::SIToFPOp::create(b, loc, type, n);
  Value power = math::PowFOp::create(b, loc, math::AbsFOp::create(b, loc, x), exponent);
  Value odd = n;
  if (Type bit = withElement(whole, b.getI1Type()); bit != whole)
    odd = arith::TruncIOp::create(b, loc, bit, n);
  Value withSign = math::CopySignOp::create(b, loc, power, x);
  return arith::SelectOp::create(b, loc, odd, withSign, power);
}

FailureOr<Value> lowerElementwise(OpBuilder &b, Operation *op, ArrayRef<Value> v, Type result) {
  Location loc = op->getLoc();
  if (isa<tt::PreciseSqrtOp>(op))
    return Value(math::SqrtOp::create(b, loc, v[0]));
  if (isa<tt::PreciseDivFOp, tt::ApproxDivFOp>(op))
    return Value(arith::DivFOp::create(b, loc, v[0], v[1]));
  if (auto clamp = dyn_cast<tt::ClampFOp>(op))
    return lowerClamp(b, clamp, v);
  if (isa<math::FPowIOp>(op))
    return lowerIntegerPower(b, loc, v[0], v[1]);
  if (isa<tt::MulhiUIOp>(op))
    return Value(arith::MulUIExtendedOp::create(b, loc, v[0], v[1]).getHigh());
  if (auto convert = dyn_cast<tt::FpToFpOp>(op))
    return lowerFpToFp(b, convert, v[0], result);
  if (isa<tt::BitcastOp>(op))
    return v[0].getType() == result ? v[0] : Value(arith::BitcastOp::create(b, loc, result, v[0]));
  if (auto call = dyn_cast<tt::ExternElementwiseOp>(op))
    return lowerExtern(b, call, v, result);
  return expandIntegers(b, op, v, result);
}

} // namespace tritonrt::compiler
