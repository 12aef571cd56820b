// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tt.dot_scaled as a dot of f32: narrow elements are widened (exactly) and multiplied by the power
// of two of their group of 32 along K.
#include "compiler/passes/totile/Translator.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

#include <cmath>

using namespace mlir;

namespace tritonrt::compiler {

namespace {

/// Emits for one operand, a (M x K) or b (K x N), or batches of them.
class ScaledOperand {
public:
  ScaledOperand(OpBuilder &b, Location loc) : b(b), loc(loc) {}

  /// The operand as f32. `packDim` is the dimension along which two e2m1 share a byte.
  Value widen(Value x, tt::ScaleDotElemType kind, int64_t packDim);
  /// The factor of each element; `scale` is rows x groups, whose groups lie along `kDim`.
  Value scales(Value scale, RankedTensorType like, int64_t kDim);

private:
  Value constant(RankedTensorType type, int64_t value) {
    Attribute element = b.getIntegerAttr(type.getElementType(), value);
    return arith::ConstantOp::create(b, loc, DenseElementsAttr::get(type, element));
  }
  Value powers(Value scale);
  Value unpack(Value bytes, int64_t dim);
  Value decode(Value bits, int64_t exponentBits, int64_t fractionBits);

  OpBuilder &b;
  Location loc;
};

/// The nibbles of each byte, the low one first, along `dim`.
Value ScaledOperand::unpack(Value bytes, int64_t dim) {
  auto type = cast<RankedTensorType>(bytes.getType());
  Value low = arith::AndIOp::create(b, loc, bytes, constant(type, 15));
  Value high = arith::ShRUIOp::create(b, loc, bytes, constant(type, 4));
  SmallVector<int64_t> shape(type.getShape());
  shape.push_back(2);
  Value both = tt::JoinOp::create(b, loc, type.clone(shape), low, high);
  int32_t last = type.getRank();
  if (dim != last - 1) {
    // The new dim goes behind `dim`.
    auto order = llvm::to_vector(llvm::seq<int32_t>(0, last));
    order.insert(order.begin() + dim + 1, last);
    auto moved = llvm::map_to_vector(order, [&](int32_t d) { return shape[d]; });
    both = tt::TransOp::create(b, loc, type.clone(moved), both, b.getDenseI32ArrayAttr(order));
  }
  SmallVector<int64_t> flat(type.getShape());
  flat[dim] *= 2;
  return tt::ReshapeOp::create(b, loc, type.clone(flat), both);
}

/// Numbers of a sign, an exponent and a fraction in the low bits of bytes: without infinities and
/// NaNs, and biased so that one is in the middle.
Value ScaledOperand::decode(Value bytes, int64_t exponentBits, int64_t fractionBits) {
  auto type = cast<RankedTensorType>(bytes.getType()).clone(b.getI32Type());
  auto floats = type.clone(b.getF32Type());
  int64_t width = exponentBits + fractionBits, bias = (1 << (exponentBits - 1)) - 1;
  Value bits = arith::ExtUIOp::create(b, loc, type, bytes);
  Value magnitude = arith::AndIOp::create(b, loc, bits, constant(type, (1 << width) - 1));
  Value sign = arith::AndIOp::create(b, loc, bits, constant(type, 1 << width));
  sign = arith::ShLIOp::create(b, loc, sign, constant(type, 31 - width));
  // Exponent and fraction in their places of an f32, whose exponent has a larger bias.
  Value normal = arith::ShLIOp::create(b, loc, magnitude, constant(type, 23 - fractionBits));
  normal = arith::AddIOp::create(b, loc, normal, constant(type, (127 - bias) << 23));
  Value unit = arith::ConstantOp::create(
      b, loc,
      DenseElementsAttr::get(floats, std::ldexp(1.0f, static_cast<int>(1 - bias - fractionBits))));
  Value subnormal =
      arith::MulFOp::create(b, loc, arith::SIToFPOp::create(b, loc, floats, magnitude), unit);
  subnormal = arith::BitcastOp::create(b, loc, type, subnormal);
  Value isSmall = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, magnitude,
                                        constant(type, 1 << fractionBits));
  Value value = arith::SelectOp::create(b, loc, isSmall, subnormal, normal);
  value = arith::OrIOp::create(b, loc, value, sign);
  return arith::BitcastOp::create(b, loc, floats, value);
}

Value ScaledOperand::widen(Value x, tt::ScaleDotElemType kind, int64_t packDim) {
  auto type = cast<RankedTensorType>(x.getType());
  switch (kind) {
  case tt::ScaleDotElemType::E2M1:
    return decode(unpack(x, packDim), 2, 1);
  case tt::ScaleDotElemType::E2M3:
    return decode(x, 2, 3);
  case tt::ScaleDotElemType::E3M2:
    return decode(x, 3, 2);
  default:
    break;
  }
  if (isa<IntegerType>(type.getElementType()))
    x = arith::BitcastOp::create(b, loc, type.clone(tt::scaledElementType(b, kind)), x);
  return arith::ExtFOp::create(b, loc, type.clone(b.getF32Type()), x);
}

/// Bytes are exponents: 2^-127 is subnormal, and 255 stands for NaN.
Value ScaledOperand::powers(Value scale) {
  auto type = cast<RankedTensorType>(scale.getType()).clone(b.getI32Type());
  Value exponent = arith::ExtUIOp::create(b, loc, type, scale);
  Value bits = arith::ShLIOp::create(b, loc, exponent, constant(type, 23));
  auto equals = [&](int64_t value) {
    return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, exponent, constant(type, value));
  };
  bits = arith::SelectOp::create(b, loc, equals(0), constant(type, 0x00400000), bits);
  bits = arith::SelectOp::create(b, loc, equals(255), constant(type, 0x7fc00000), bits);
  return arith::BitcastOp::create(b, loc, type.clone(b.getF32Type()), bits);
}

Value ScaledOperand::scales(Value scale, RankedTensorType like, int64_t kDim) {
  auto type = cast<RankedTensorType>(scale.getType());
  auto floats = type.clone(b.getF32Type());
  Value result = isa<IntegerType>(type.getElementType())
                     ? powers(scale)
                     : Value(arith::ExtFOp::create(b, loc, floats, scale));
  SmallVector<int64_t> one(type.getShape());
  int64_t groups = one.back(), last = one.size() - 1;
  if (kDim != last) {
    auto order = llvm::to_vector(llvm::seq<int32_t>(0, one.size()));
    std::swap(order[last - 1], order[last]);
    std::swap(one[last - 1], one[last]);
    result = tt::TransOp::create(b, loc, floats.clone(one), result, b.getDenseI32ArrayAttr(order));
  }
  one.insert(one.begin() + kDim + 1, 1);
  SmallVector<int64_t> all = one;
  all[kDim + 1] = like.getShape()[kDim] / groups;
  result =
      tt::ExpandDimsOp::create(b, loc, floats.clone(one), result, static_cast<uint32_t>(kDim + 1));
  result = tt::BroadcastOp::create(b, loc, floats.clone(all), result);
  return tt::ReshapeOp::create(b, loc, like, result);
}

} // namespace

LogicalResult Translator::translateDotScaled(tt::DotScaledOp op) {
  ScaledOperand operand(builder, op.getLoc());
  auto scaled = [&](Value x, Value scale, tt::ScaleDotElemType kind, int64_t packDim,
                    int64_t kDim) -> Value {
    Value wide = operand.widen(data(x), kind, packDim);
    if (!scale)
      return wide;
    Value factors = operand.scales(data(scale), cast<RankedTensorType>(wide.getType()), kDim);
    return arith::MulFOp::create(builder, op.getLoc(), wide, factors);
  };
  int64_t last = cast<RankedTensorType>(op.getType()).getRank() - 1;
  Value a = scaled(op.getA(), op.getAScale(), op.getAElemType(), op.getLhsKPack() ? last : last - 1,
                   last);
  Value b = scaled(op.getB(), op.getBScale(), op.getBElemType(), op.getRhsKPack() ? last - 1 : last,
                   last - 1);
  Value c = data(op.getC());
  auto type = cast<RankedTensorType>(op.getType());
  auto f32 = type.clone(builder.getF32Type());
  bool narrow = type.getElementTypeBitWidth() < 32;
  if (narrow)
    c = arith::ExtFOp::create(builder, op.getLoc(), f32, c);
  Value sum = tt::DotOp::create(builder, op.getLoc(), c.getType(), a, b, c,
                                tt::InputPrecision::IEEE, /*maxNumImpreciseAcc=*/0);
  if (narrow)
    sum = arith::TruncFOp::create(builder, op.getLoc(), type, sum);
  define(op.getResult(), sum);
  return success();
}

} // namespace tritonrt::compiler
