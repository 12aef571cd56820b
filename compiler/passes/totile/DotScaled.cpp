// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tt.dot_scaled as a dot of f32: narrow elements are widened (exactly) and multiplied by the power
// of two of their group of 32 along K.
#include "compiler/passes/totile/Translator.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace tritonrt::compiler {

namespace {

/// Emits for one operand, a (M x K) or b (K x N).
class ScaledOperand {
public:
  ScaledOperand(OpBuilder &b, Location loc) : b(b), loc(loc) {}

  /// The operand as f32. `packDim` is the dimension along which two e2m1 share a byte.
  FailureOr<Value> widen(tt::DotScaledOp op, Value x, tt::ScaleDotElemType kind, int64_t packDim);
  /// 2^(scale - 127) for each element; `scale` is rows x groups, whose groups lie along `kDim`.
  Value scales(Value scale, RankedTensorType like, int64_t kDim);

private:
  Value constant(RankedTensorType type, int64_t value) {
    Attribute element = b.getIntegerAttr(type.getElementType(), value);
    return arith::ConstantOp::create(b, loc, DenseElementsAttr::get(type, element));
  }
  Value unpack(Value bytes, int64_t dim);
  Value decodeE2M1(Value nibbles);

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
  if (dim == 0) {
    std::swap(shape[1], shape[2]);
    both = tt::TransOp::create(b, loc, type.clone(shape), both, b.getDenseI32ArrayAttr({0, 2, 1}));
  }
  SmallVector<int64_t> flat(type.getShape());
  flat[dim] *= 2;
  return tt::ReshapeOp::create(b, loc, type.clone(flat), both);
}

/// Sign, two bits of exponent, one of fraction; the only subnormal is one half.
Value ScaledOperand::decodeE2M1(Value nibbles) {
  auto type = cast<RankedTensorType>(nibbles.getType()).clone(b.getI32Type());
  Value bits = arith::ExtUIOp::create(b, loc, type, nibbles);
  Value magnitude = arith::AndIOp::create(b, loc, bits, constant(type, 7));
  Value sign = arith::AndIOp::create(b, loc, bits, constant(type, 8));
  sign = arith::ShLIOp::create(b, loc, sign, constant(type, 28));
  // The three bits stand at the top of the fraction of an f32 whose exponent is biased by 126 more.
  Value normal = arith::ShLIOp::create(b, loc, magnitude, constant(type, 22));
  normal = arith::AddIOp::create(b, loc, normal, constant(type, int64_t(126) << 23));
  auto equals = [&](int64_t value) {
    return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, magnitude,
                                 constant(type, value));
  };
  Value half = constant(type, 0x3f000000);
  Value value = arith::SelectOp::create(b, loc, equals(1), half, normal);
  value = arith::SelectOp::create(b, loc, equals(0), constant(type, 0), value);
  value = arith::OrIOp::create(b, loc, value, sign);
  return arith::BitcastOp::create(b, loc, type.clone(b.getF32Type()), value);
}

FailureOr<Value> ScaledOperand::widen(tt::DotScaledOp op, Value x, tt::ScaleDotElemType kind,
                                      int64_t packDim) {
  auto type = cast<RankedTensorType>(x.getType());
  Type narrow;
  switch (kind) {
  case tt::ScaleDotElemType::E2M1:
    if (!type.getElementType().isInteger(8))
      return op.emitOpError("takes e2m1 as bytes of two, not as ") << type;
    return decodeE2M1(unpack(x, packDim));
  case tt::ScaleDotElemType::E4M3:
    narrow = Float8E4M3FNType::get(b.getContext());
    break;
  case tt::ScaleDotElemType::E5M2:
    narrow = Float8E5M2Type::get(b.getContext());
    break;
  case tt::ScaleDotElemType::BF16:
    narrow = b.getBF16Type();
    break;
  case tt::ScaleDotElemType::FP16:
    narrow = b.getF16Type();
    break;
  default:
    return op.emitOpError("on this kind of elements is not supported");
  }
  if (isa<IntegerType>(type.getElementType()))
    x = arith::BitcastOp::create(b, loc, type.clone(narrow), x);
  else if (type.getElementType() != narrow)
    return op.emitOpError("takes elements of type ") << narrow << ", not " << type;
  return Value(arith::ExtFOp::create(b, loc, type.clone(b.getF32Type()), x));
}

Value ScaledOperand::scales(Value scale, RankedTensorType like, int64_t kDim) {
  auto bytes = cast<RankedTensorType>(scale.getType());
  auto type = bytes.clone(b.getI32Type());
  Value exponent = arith::ExtUIOp::create(b, loc, type, scale);
  Value bits = arith::ShLIOp::create(b, loc, exponent, constant(type, 23));
  auto equals = [&](int64_t value) {
    return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, exponent, constant(type, value));
  };
  // 2^-127 is subnormal; 255 stands for NaN.
  bits = arith::SelectOp::create(b, loc, equals(0), constant(type, 0x00400000), bits);
  bits = arith::SelectOp::create(b, loc, equals(255), constant(type, 0x7fc00000), bits);
  auto floats = type.clone(b.getF32Type());
  Value result = arith::BitcastOp::create(b, loc, floats, bits);
  int64_t rows = type.getShape()[0], groups = type.getShape()[1];
  int64_t each = like.getShape()[kDim] / groups;
  if (kDim == 0)
    result = tt::TransOp::create(b, loc, floats.clone({groups, rows}), result,
                                 b.getDenseI32ArrayAttr({1, 0}));
  SmallVector<int64_t> one =
      kDim == 0 ? SmallVector<int64_t>{groups, 1, rows} : SmallVector<int64_t>{rows, groups, 1};
  SmallVector<int64_t> all = one;
  all[kDim + 1] = each;
  result =
      tt::ExpandDimsOp::create(b, loc, floats.clone(one), result, static_cast<uint32_t>(kDim + 1));
  result = tt::BroadcastOp::create(b, loc, floats.clone(all), result);
  return tt::ReshapeOp::create(b, loc, like, result);
}

} // namespace

LogicalResult Translator::translateDotScaled(tt::DotScaledOp op) {
  ScaledOperand operand(builder, op.getLoc());
  auto scaled = [&](Value x, Value scale, tt::ScaleDotElemType kind, int64_t packDim,
                    int64_t kDim) -> FailureOr<Value> {
    FailureOr<Value> wide = operand.widen(op, data(x), kind, packDim);
    if (failed(wide) || !scale)
      return wide;
    Value factors = operand.scales(data(scale), cast<RankedTensorType>(wide->getType()), kDim);
    return Value(arith::MulFOp::create(builder, op.getLoc(), *wide, factors));
  };
  if (cast<RankedTensorType>(op.getType()).getRank() != 2)
    return op.emitOpError("on batches is not supported");
  FailureOr<Value> a =
      scaled(op.getA(), op.getAScale(), op.getAElemType(), op.getLhsKPack() ? 1 : 0, 1);
  FailureOr<Value> b =
      scaled(op.getB(), op.getBScale(), op.getBElemType(), op.getRhsKPack() ? 0 : 1, 0);
  if (failed(a) || failed(b))
    return failure();
  Value c = data(op.getC());
  auto type = cast<RankedTensorType>(op.getType());
  auto f32 = type.clone(builder.getF32Type());
  bool narrow = type.getElementTypeBitWidth() < 32;
  if (narrow)
    c = arith::ExtFOp::create(builder, op.getLoc(), f32, c);
  Value sum = tt::DotOp::create(builder, op.getLoc(), c.getType(), *a, *b, c,
                                tt::InputPrecision::IEEE, /*maxNumImpreciseAcc=*/0);
  if (narrow)
    sum = arith::TruncFOp::create(builder, op.getLoc(), type, sum);
  define(op.getResult(), sum);
  return success();
}

} // namespace tritonrt::compiler
