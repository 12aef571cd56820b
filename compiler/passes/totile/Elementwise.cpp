// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elementwise ops of tt as arith and math.
#include "compiler/passes/totile/Translator.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;

namespace tritonrt::compiler {

//===----------------------------------------------------------------------===//
// Conversions of floats
//===----------------------------------------------------------------------===//

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

//===----------------------------------------------------------------------===//
// Functions of math libraries
//===----------------------------------------------------------------------===//

using Lowering = Value (*)(OpBuilder &, Location, ArrayRef<Value>);

template <typename Op> static Value unary(OpBuilder &b, Location loc, ArrayRef<Value> v) {
  return Op::create(b, loc, v[0]);
}
template <typename Op> static Value binary(OpBuilder &b, Location loc, ArrayRef<Value> v) {
  return Op::create(b, loc, v[0], v[1]);
}

static Value constantLike(OpBuilder &b, Location loc, Type type, double value) {
  Attribute element = b.getFloatAttr(getElementTypeOrSelf(type), value);
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return arith::ConstantOp::create(b, loc, DenseElementsAttr::get(tensor, element));
  return arith::ConstantOp::create(b, loc, cast<TypedAttr>(element));
}

static Value isNan(OpBuilder &b, Location loc, ArrayRef<Value> v) {
  return arith::CmpFOp::create(b, loc, arith::CmpFPredicate::UNO, v[0], v[0]);
}
static Value compareWithInfinity(OpBuilder &b, Location loc, Value x, arith::CmpFPredicate how) {
  Value magnitude = math::AbsFOp::create(b, loc, x);
  Value infinity = constantLike(b, loc, x.getType(), std::numeric_limits<double>::infinity());
  return arith::CmpFOp::create(b, loc, how, magnitude, infinity);
}
static Value isInfinite(OpBuilder &b, Location loc, ArrayRef<Value> v) {
  return compareWithInfinity(b, loc, v[0], arith::CmpFPredicate::OEQ);
}
static Value isFinite(OpBuilder &b, Location loc, ArrayRef<Value> v) {
  return compareWithInfinity(b, loc, v[0], arith::CmpFPredicate::OLT);
}
static Value exp10(OpBuilder &b, Location loc, ArrayRef<Value> v) {
  return math::PowFOp::create(b, loc, constantLike(b, loc, v[0].getType(), 10.0), v[0]);
}

/// log |gamma(x)| by Stirling's series (DLMF 5.11.1) at 8 or more, where its next term is below
/// 3e-10; smaller numbers are moved up by the recurrence, negative ones mirrored (DLMF 5.5.3). In
/// f32 the absolute error is a few 1e-6, also near the zeros at 1 and 2.
static Value logGamma(OpBuilder &b, Location loc, ArrayRef<Value> v) {
  Value x = v[0];
  auto c = [&](double value) { return constantLike(b, loc, x.getType(), value); };
  auto add = [&](Value p, Value q) -> Value { return arith::AddFOp::create(b, loc, p, q); };
  auto sub = [&](Value p, Value q) -> Value { return arith::SubFOp::create(b, loc, p, q); };
  auto mul = [&](Value p, Value q) -> Value { return arith::MulFOp::create(b, loc, p, q); };
  auto div = [&](Value p, Value q) -> Value { return arith::DivFOp::create(b, loc, p, q); };
  auto log = [&](Value p) -> Value { return math::LogOp::create(b, loc, p); };
  auto choose = [&](Value condition, Value p, Value q) -> Value {
    return arith::SelectOp::create(b, loc, condition, p, q);
  };
  Value size = math::AbsFOp::create(b, loc, x);
  Value small = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OLT, size, c(8));
  Value product = size;
  for (int k = 1; k < 8; ++k)
    product = mul(product, add(size, c(k)));
  Value t = choose(small, add(size, c(8)), size);
  Value inverse = div(c(1), t), square = mul(inverse, inverse);
  Value series = add(c(-1.0 / 360), mul(square, c(1.0 / 1260)));
  series = mul(inverse, add(c(1.0 / 12), mul(square, series)));
  // (t - 1/2) log t - t + log(2 pi) / 2, so written that infinity stays infinity.
  Value main = mul(sub(t, c(0.5)), sub(log(t), c(1)));
  Value result = add(add(main, c(0.918938533204672741780329736 - 0.5)), series);
  result = choose(small, sub(result, log(product)), result);
  Value fraction = sub(x, math::RoundEvenOp::create(b, loc, x));
  Value pi = c(3.14159265358979323846264338);
  Value sine = math::SinOp::create(b, loc, mul(pi, fraction));
  Value mirror = log(math::AbsFOp::create(b, loc, div(pi, mul(x, sine))));
  Value negative = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OLT, x, c(0));
  return choose(negative, sub(mirror, result), result);
}

/// By the name without prefix and suffix: `exp` for __nv_exp, __nv_expf and __ocml_exp_f32.
static const llvm::StringMap<Lowering> &functions() {
  static const llvm::StringMap<Lowering> table = {
      {"abs", unary<math::AbsIOp>},
      {"acos", unary<math::AcosOp>},
      {"acosh", unary<math::AcoshOp>},
      {"add_rn", binary<arith::AddFOp>},
      {"asin", unary<math::AsinOp>},
      {"asinh", unary<math::AsinhOp>},
      {"atan", unary<math::AtanOp>},
      {"atan2", binary<math::Atan2Op>},
      {"atanh", unary<math::AtanhOp>},
      {"cbrt", unary<math::CbrtOp>},
      {"ceil", unary<math::CeilOp>},
      {"copysign", binary<math::CopySignOp>},
      {"cos", unary<math::CosOp>},
      {"cosh", unary<math::CoshOp>},
      {"div_rn", binary<arith::DivFOp>},
      {"erf", unary<math::ErfOp>},
      {"erfc", unary<math::ErfcOp>},
      {"exp", unary<math::ExpOp>},
      {"exp10", exp10},
      {"exp2", unary<math::Exp2Op>},
      {"expm1", unary<math::ExpM1Op>},
      {"fabs", unary<math::AbsFOp>},
      {"fast_cos", unary<math::CosOp>},
      {"fast_div", binary<arith::DivFOp>},
      {"fast_exp", unary<math::ExpOp>},
      {"fast_exp10", exp10},
      {"fast_log", unary<math::LogOp>},
      {"fast_log10", unary<math::Log10Op>},
      {"fast_log2", unary<math::Log2Op>},
      {"fast_pow", binary<math::PowFOp>},
      {"fast_sin", unary<math::SinOp>},
      {"fast_tan", unary<math::TanOp>},
      {"fast_tanh", unary<math::TanhOp>},
      {"finite", isFinite},
      {"floor", unary<math::FloorOp>},
      {"fma",
       [](OpBuilder &b, Location loc, ArrayRef<Value> v) -> Value {
         return math::FmaOp::create(b, loc, v[0], v[1], v[2]);
       }},
      {"fmax", binary<arith::MaxNumFOp>},
      {"fmin", binary<arith::MinNumFOp>},
      {"fmod", binary<arith::RemFOp>},
      {"isfinite", isFinite},
      {"isinf", isInfinite},
      {"isnan", isNan},
      {"lgamma", logGamma},
      {"log", unary<math::LogOp>},
      {"log10", unary<math::Log10Op>},
      {"log1p", unary<math::Log1pOp>},
      {"log2", unary<math::Log2Op>},
      {"mul_rn", binary<arith::MulFOp>},
      {"nearbyint", unary<math::RoundEvenOp>},
      {"pow", binary<math::PowFOp>},
      {"powi", binary<math::FPowIOp>},
      {"rint", unary<math::RoundEvenOp>},
      {"round", unary<math::RoundOp>},
      {"rsqrt", unary<math::RsqrtOp>},
      {"rsqrt_rn", unary<math::RsqrtOp>},
      {"sin", unary<math::SinOp>},
      {"sinh", unary<math::SinhOp>},
      {"sqrt", unary<math::SqrtOp>},
      {"sqrt_rn", unary<math::SqrtOp>},
      {"sub_rn", binary<arith::SubFOp>},
      {"tan", unary<math::TanOp>},
      {"tanh", unary<math::TanhOp>},
      {"trunc", unary<math::TruncOp>},
  };
  return table;
}

static Lowering findFunction(StringRef symbol) {
  StringRef name = symbol;
  if (name.consume_front("__ocml_")) {
    if (!name.consume_back("_f32") && !name.consume_back("_f64"))
      name.consume_back("_f16");
    return functions().lookup(name);
  }
  if (!name.consume_front("__nv_"))
    return nullptr;
  if (Lowering exact = functions().lookup(name))
    return exact;
  // f32 functions end in f; those of one rounding (fdiv_rn, dadd_rn) begin with the type.
  StringRef plain = name;
  if (plain.consume_back("f"))
    return functions().lookup(plain);
  plain = name;
  if (plain.ends_with("_rn"))
    return functions().lookup(plain.drop_front());
  // isinfd, isfinited
  if (plain.consume_back("d"))
    return functions().lookup(plain);
  return nullptr;
}

static FailureOr<Value> lowerExtern(OpBuilder &b, tt::ExternElementwiseOp op,
                                    ArrayRef<Value> operands, Type result) {
  Lowering lowering = findFunction(op.getSymbol());
  if (!lowering)
    return op.emitOpError() << "calls '" << op.getSymbol()
                            << "', which is no function that the compiler knows";
  // One operand may be a scalar where others are tensors.
  SmallVector<Value> args(operands);
  if (auto tensor = dyn_cast<RankedTensorType>(result))
    for (Value &arg : args)
      if (!isa<RankedTensorType>(arg.getType()))
        arg = tt::SplatOp::create(b, op.getLoc(), tensor.clone(arg.getType()), arg);
  Value value = lowering(b, op.getLoc(), args);
  if (value.getType() == result)
    return value;
  // Predicates of CUDA's library give an i32.
  if (!tt::isIntLike(result) || !tt::isBoolLike(value.getType()))
    return op.emitOpError() << "gives " << result << ", but '" << op.getSymbol() << "' gives "
                            << value.getType();
  return Value(arith::ExtUIOp::create(b, op.getLoc(), result, value));
}

FailureOr<Value> lowerElementwise(OpBuilder &b, Operation *op, ArrayRef<Value> v, Type result) {
  Location loc = op->getLoc();
  if (isa<tt::PreciseSqrtOp>(op))
    return Value(math::SqrtOp::create(b, loc, v[0]));
  if (isa<tt::PreciseDivFOp, tt::ApproxDivFOp>(op))
    return Value(arith::DivFOp::create(b, loc, v[0], v[1]));
  if (auto clamp = dyn_cast<tt::ClampFOp>(op))
    return lowerClamp(b, clamp, v);
  if (isa<tt::MulhiUIOp>(op))
    return Value(arith::MulUIExtendedOp::create(b, loc, v[0], v[1]).getHigh());
  if (auto convert = dyn_cast<tt::FpToFpOp>(op))
    return lowerFpToFp(b, convert, v[0], result);
  if (isa<tt::BitcastOp>(op))
    return v[0].getType() == result ? v[0] : Value(arith::BitcastOp::create(b, loc, result, v[0]));
  if (auto call = dyn_cast<tt::ExternElementwiseOp>(op))
    return lowerExtern(b, call, v, result);
  return Value();
}

} // namespace tritonrt::compiler
