// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tt.extern_elementwise: the functions of CUDA's libdevice (__nv_*) and of HIP's device libraries
// (__ocml_*, __ockl_*, __triton_hip_*), as ops of arith and math where there is one, else as
// libm.call.
#include "compiler/passes/totile/Translator.h"

#include "compiler/dialect/libm/Libm.h"
#include "compiler/math/Functions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;

namespace tritonrt::compiler {

namespace {

using Lowering = Value (*)(OpBuilder &, Location, ArrayRef<Value>);

template <typename Op> Value unary(OpBuilder &b, Location loc, ArrayRef<Value> v) {
  return Op::create(b, loc, v[0]);
}
template <typename Op> Value binary(OpBuilder &b, Location loc, ArrayRef<Value> v) {
  return Op::create(b, loc, v[0], v[1]);
}
Value fused(OpBuilder &b, Location loc, ArrayRef<Value> v) {
  return math::FmaOp::create(b, loc, v[0], v[1], v[2]);
}

/// Functions of compiler/math that are one op.
Lowering opOf(StringRef function) {
  static const llvm::StringMap<Lowering> table = {
      {"abs", unary<math::AbsIOp>},       {"acos", unary<math::AcosOp>},
      {"acosh", unary<math::AcoshOp>},    {"add_rn", binary<arith::AddFOp>},
      {"asin", unary<math::AsinOp>},      {"asinh", unary<math::AsinhOp>},
      {"atan", unary<math::AtanOp>},      {"atan2", binary<math::Atan2Op>},
      {"atanh", unary<math::AtanhOp>},    {"cbrt", unary<math::CbrtOp>},
      {"ceil", unary<math::CeilOp>},      {"copysign", binary<math::CopySignOp>},
      {"cos", unary<math::CosOp>},        {"cosh", unary<math::CoshOp>},
      {"div_rn", binary<arith::DivFOp>},  {"erf", unary<math::ErfOp>},
      {"erfc", unary<math::ErfcOp>},      {"exp", unary<math::ExpOp>},
      {"exp2", unary<math::Exp2Op>},      {"expm1", unary<math::ExpM1Op>},
      {"fabs", unary<math::AbsFOp>},      {"fdivide", binary<arith::DivFOp>},
      {"floor", unary<math::FloorOp>},    {"fma_rn", fused},
      {"fmax", binary<arith::MaxNumFOp>}, {"fmin", binary<arith::MinNumFOp>},
      {"fmod", binary<arith::RemFOp>},    {"log", unary<math::LogOp>},
      {"log10", unary<math::Log10Op>},    {"log1p", unary<math::Log1pOp>},
      {"log2", unary<math::Log2Op>},      {"mul_rn", binary<arith::MulFOp>},
      {"pow", binary<math::PowFOp>},      {"powi", binary<math::FPowIOp>},
      {"rint", unary<math::RoundEvenOp>}, {"round", unary<math::RoundOp>},
      {"rsqrt", unary<math::RsqrtOp>},    {"sin", unary<math::SinOp>},
      {"sinh", unary<math::SinhOp>},      {"sqrt_rn", unary<math::SqrtOp>},
      {"sub_rn", binary<arith::SubFOp>},  {"tan", unary<math::TanOp>},
      {"tanh", unary<math::TanhOp>},      {"trunc", unary<math::TruncOp>},
  };
  return table.lookup(function);
}

/// Names that are not those of compiler/math, whatever library they come from.
StringRef knownAs(StringRef name) {
  static const llvm::StringMap<StringRef> table = {
      {"clz_u32", "clz"},      {"fdividef", "fdivide"},  {"fma", "fma_rn"},
      {"iabs", "abs"},         {"llabs", "abs"},         {"i0", "cyl_bessel_i0"},
      {"i1", "cyl_bessel_i1"}, {"isfinite", "finite"},   {"len3", "norm3d"},
      {"len4", "norm4d"},      {"ncdf", "normcdf"},      {"ncdfinv", "normcdfinv"},
      {"nearbyint", "rint"},   {"popcount_u32", "popc"}, {"popcount_u64", "popcll"},
      {"pown", "powi"},        {"rlen3", "rnorm3d"},     {"rlen4", "rnorm4d"},
      {"rsqrt_rn", "rsqrt"},   {"scalbn", "ldexp"},      {"sqrt", "sqrt_rn"},
  };
  auto found = table.find(name);
  return found == table.end() ? name : found->second;
}

const mathlib::Function *function(StringRef name) { return mathlib::findFunction(knownAs(name)); }

/// Functions of CUDA name their type in a letter behind (expf, isinfd), or before (fadd_rn), or
/// inside (fmaf_rn).
const mathlib::Function *ofCuda(StringRef name) {
  name.consume_front("fast_");
  if (const mathlib::Function *exact = function(name))
    return exact;
  if (StringRef plain = name; plain.consume_back("f") || plain.consume_back("d"))
    if (const mathlib::Function *found = function(plain))
      return found;
  auto [stem, direction] = name.rsplit('_');
  if (direction.empty())
    return nullptr;
  stem.consume_back("_ieee");
  for (StringRef candidate : {stem.drop_back(), stem.drop_front(), stem})
    if (const mathlib::Function *found = function((candidate + "_" + direction).str()))
      return found;
  return nullptr;
}

const mathlib::Function *functionOf(StringRef symbol) {
  if (symbol.consume_front("__nv_") || symbol.consume_front("__triton_hip_"))
    return ofCuda(symbol);
  if (symbol.consume_front("__ockl_"))
    return function(symbol);
  if (!symbol.consume_front("__ocml_"))
    return nullptr;
  for (StringRef type : {"_f16", "_f32", "_f64"})
    if (symbol.consume_back(type))
      break;
  symbol.consume_front("native_");
  return function(symbol);
}

bool isHalf(Type type) {
  auto real = dyn_cast<FloatType>(getElementTypeOrSelf(type));
  return real && real.getWidth() < 32;
}

Type withElement(Type shaped, Type element) {
  auto tensor = dyn_cast<RankedTensorType>(shaped);
  return tensor ? Type(tensor.clone(element)) : element;
}

} // namespace

FailureOr<Value> lowerExtern(OpBuilder &b, tt::ExternElementwiseOp op, ArrayRef<Value> operands,
                             Type result) {
  Location loc = op.getLoc();
  const mathlib::Function *function = functionOf(op.getSymbol());
  if (!function)
    return op.emitOpError() << "calls '" << op.getSymbol()
                            << "', which is no function that the compiler knows; those of "
                               "libdevice are there, as __nv_expf";
  // One operand may be a scalar where others are tensors; halves are computed in f32.
  SmallVector<Value> args(operands);
  for (Value &arg : args) {
    if (auto tensor = dyn_cast<RankedTensorType>(result))
      if (!isa<RankedTensorType>(arg.getType()))
        arg = tt::SplatOp::create(b, loc, tensor.clone(arg.getType()), arg);
    if (isHalf(arg.getType()))
      arg = arith::ExtFOp::create(b, loc, withElement(arg.getType(), b.getF32Type()), arg);
  }
  bool isTruth = getElementTypeOrSelf(result).isInteger(1);
  Type given = isHalf(result) ? withElement(result, b.getF32Type())
               : isTruth      ? withElement(result, b.getI32Type())
                              : result;
  SmallVector<Type> types = llvm::map_to_vector(args, [](Value arg) { return arg.getType(); });
  if (!mathlib::fits(*function, types, given))
    return op.emitOpError() << "calls '" << op.getSymbol() << "', which does not take "
                            << op.getOperandTypes() << " to " << op.getResult().getType();
  Value value;
  if (Lowering lowering = opOf(function->name))
    value = lowering(b, loc, args);
  else
    value = libm::CallOp::create(b, loc, given, function->name, args);
  if (isHalf(result))
    return Value(arith::TruncFOp::create(b, loc, result, value));
  if (!isTruth)
    return value;
  Value zero = arith::ConstantOp::create(b, loc, cast<TypedAttr>(b.getZeroAttr(given)));
  return Value(arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, value, zero));
}

} // namespace tritonrt::compiler
