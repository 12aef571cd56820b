// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Short spellings for building arithmetic on f32 (or f64) values and their bits, scalars and
// vectors alike.
#ifndef TRITONRT_COMPILER_PASSES_SCALARS_LANES_H
#define TRITONRT_COMPILER_PASSES_SCALARS_LANES_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace tritonrt::compiler {

/// `type` with another element type.
inline mlir::Type withElement(mlir::Type type, mlir::Type element) {
  auto vector = mlir::dyn_cast<mlir::VectorType>(type);
  return vector ? vector.clone(element) : element;
}

/// Builds ops on values of the shape of `shape`, with floats of `bits` bits.
class Lanes {
public:
  using Value = mlir::Value;

  Lanes(mlir::ImplicitLocOpBuilder &b, mlir::Type shape, unsigned bits = 32)
      : b(b), intType(withElement(shape, b.getIntegerType(bits))),
        floatType(withElement(shape, bits == 32 ? mlir::Type(b.getF32Type())
                                                : mlir::Type(b.getF64Type()))) {}

  Value number(double value) {
    return constant(floatType, b.getFloatAttr(mlir::getElementTypeOrSelf(floatType), value));
  }
  Value integer(int64_t value) {
    mlir::Type element = mlir::getElementTypeOrSelf(intType);
    llvm::APInt bits(element.getIntOrFloatBitWidth(), value, /*isSigned=*/true,
                     /*implicitTrunc=*/true);
    return constant(intType, mlir::IntegerAttr::get(element, bits));
  }

  Value asInt(Value x) { return mlir::arith::BitcastOp::create(b, intType, x); }
  Value asFloat(Value x) { return mlir::arith::BitcastOp::create(b, floatType, x); }
  Value toFloat(Value x) { return mlir::arith::SIToFPOp::create(b, floatType, x); }

  Value iadd(Value x, Value y) { return mlir::arith::AddIOp::create(b, x, y); }
  Value isub(Value x, Value y) { return mlir::arith::SubIOp::create(b, x, y); }
  Value bitAnd(Value x, int64_t mask) { return mlir::arith::AndIOp::create(b, x, integer(mask)); }
  Value bitOr(Value x, Value y) { return mlir::arith::OrIOp::create(b, x, y); }
  Value bitXor(Value x, Value y) { return mlir::arith::XOrIOp::create(b, x, y); }
  Value left(Value x, unsigned by) {
    return by ? Value(mlir::arith::ShLIOp::create(b, x, integer(by))) : x;
  }
  Value right(Value x, unsigned by) {
    return by ? Value(mlir::arith::ShRUIOp::create(b, x, integer(by))) : x;
  }
  Value rightSigned(Value x, unsigned by) {
    return mlir::arith::ShRSIOp::create(b, x, integer(by));
  }
  Value unsignedMin(Value x, int64_t bound) {
    return mlir::arith::MinUIOp::create(b, x, integer(bound));
  }
  Value icmp(mlir::arith::CmpIPredicate how, Value x, int64_t y) {
    return mlir::arith::CmpIOp::create(b, how, x, integer(y));
  }

  Value add(Value x, Value y) { return mlir::arith::AddFOp::create(b, x, y); }
  Value sub(Value x, Value y) { return mlir::arith::SubFOp::create(b, x, y); }
  Value mul(Value x, Value y) { return mlir::arith::MulFOp::create(b, x, y); }
  Value div(Value x, Value y) { return mlir::arith::DivFOp::create(b, x, y); }
  Value neg(Value x) { return mlir::arith::NegFOp::create(b, x); }
  Value abs(Value x) { return mlir::math::AbsFOp::create(b, x); }
  Value fma(Value x, Value y, Value z) { return mlir::math::FmaOp::create(b, x, y, z); }
  Value copySign(Value x, Value sign) { return mlir::math::CopySignOp::create(b, x, sign); }
  Value fcmp(mlir::arith::CmpFPredicate how, Value x, Value y) {
    return mlir::arith::CmpFOp::create(b, how, x, y);
  }
  Value fcmp(mlir::arith::CmpFPredicate how, Value x, double y) { return fcmp(how, x, number(y)); }
  Value select(Value condition, Value x, Value y) {
    return mlir::arith::SelectOp::create(b, condition, x, y);
  }
  Value both(Value x, Value y) { return mlir::arith::AndIOp::create(b, x, y); }

  /// x, but no more (less) than a bound; NaN stays NaN.
  Value atMost(Value x, double bound) {
    return select(fcmp(mlir::arith::CmpFPredicate::OGT, x, bound), number(bound), x);
  }
  Value atLeast(Value x, double bound) {
    return select(fcmp(mlir::arith::CmpFPredicate::OLT, x, bound), number(bound), x);
  }

  /// c[0] + c[1] x + c[2] x^2 + ... by Horner's rule.
  Value polynomial(Value x, llvm::ArrayRef<double> c) {
    Value result = number(c.back());
    for (double coefficient : llvm::reverse(c.drop_back()))
      result = fma(result, x, number(coefficient));
    return result;
  }

  mlir::ImplicitLocOpBuilder &b;
  mlir::Type intType, floatType;

private:
  Value constant(mlir::Type type, mlir::TypedAttr scalar) {
    if (auto vector = mlir::dyn_cast<mlir::VectorType>(type))
      scalar = mlir::cast<mlir::TypedAttr>(
          mlir::Attribute(mlir::DenseElementsAttr::get(vector, mlir::Attribute(scalar))));
    return mlir::arith::ConstantOp::create(b, scalar);
  }
};

} // namespace tritonrt::compiler

#endif // TRITONRT_COMPILER_PASSES_SCALARS_LANES_H
