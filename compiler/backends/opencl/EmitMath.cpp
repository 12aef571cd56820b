// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// math: OpenCL C's own functions, which its specification bounds to a few ulp.
#include "compiler/backends/opencl/Emitter.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace tritonrt::compiler::opencl {
namespace {

struct Function {
  const char *op;
  const char *name;
};

/// Functions whose operands and result are floats of one type.
constexpr Function kFunctions[] = {
    {"math.absf", "fabs"},   {"math.acos", "acos"},         {"math.acosh", "acosh"},
    {"math.asin", "asin"},   {"math.asinh", "asinh"},       {"math.atan", "atan"},
    {"math.atan2", "atan2"}, {"math.atanh", "atanh"},       {"math.cbrt", "cbrt"},
    {"math.ceil", "ceil"},   {"math.copysign", "copysign"}, {"math.cosh", "cosh"},
    {"math.erf", "erf"},     {"math.erfc", "erfc"},         {"math.exp", "exp"},
    {"math.exp2", "exp2"},   {"math.expm1", "expm1"},       {"math.floor", "floor"},
    {"math.fma", "fma"},     {"math.log", "log"},           {"math.log10", "log10"},
    {"math.log1p", "log1p"}, {"math.log2", "log2"},         {"math.powf", "pow"},
    {"math.round", "round"}, {"math.roundeven", "rint"},    {"math.sinh", "sinh"},
    {"math.sqrt", "sqrt"},   {"math.tanh", "tanh"},         {"math.trunc", "trunc"},
};

std::string call(Emitter &e, llvm::StringRef name, ValueRange operands) {
  std::string text = name.str() + "(";
  for (auto [i, operand] : llvm::enumerate(operands))
    text += (i ? ", " : "") + e.whole(operand);
  return text + ")";
}

LogicalResult emitFunction(Emitter &e, Operation *op) {
  for (const Function &function : kFunctions) {
    if (op->getName().getStringRef() == function.op) {
      e.define(op->getResult(0), call(e, function.name, op->getOperands()));
      return success();
    }
  }
  llvm_unreachable("registered for the ops of the table");
}

/// A trigonometric function of `x`. Vector versions are known that are wrong near 0 once another
/// lane needs the reduction of large arguments; there, a short series is as precise as the format.
std::string trigonometric(Emitter &e, llvm::StringRef name, Value x) {
  Type type = x.getType();
  if (!isVector(type) || !getElementTypeOrSelf(type).isF32())
    return name.str() + "(" + e.whole(x) + ")";
  std::string vector = e.typeName(type), helper = (name + "_" + vector).str();
  llvm::StringRef series = name == "sin" ? "x - x * x * x * 0x1.555556p-3f"
                           : name == "cos"
                               ? "1.0f - x * x * (0.5f - x * x * 0x1.555556p-5f)"
                               : "x + x * x * x * (0x1.555556p-2f + x * x * 0x1.111112p-3f)";
  e.require(helper, "static inline " + vector + " " + helper + "(" + vector +
                        " x) { return (fabs(x) < (" + vector + ")(0x1p-7f)) ? " + series + " : " +
                        name + "(x); }");
  return helper + "(" + e.whole(x) + ")";
}

LogicalResult emitTrigonometric(Emitter &e, Operation *op) {
  e.define(op->getResult(0), trigonometric(e, op->getName().stripDialect(), op->getOperand(0)));
  return success();
}

/// rsqrt may be off by 2 ulp; a division by a square root is not.
LogicalResult emitRsqrt(Emitter &e, Operation *op) {
  Value x = op->getOperand(0);
  std::string one = "(" + e.typeName(x.getType()) + ")(1)";
  e.define(op->getResult(0), one + " / sqrt(" + e.whole(x) + ")");
  return success();
}

LogicalResult emitSincos(Emitter &e, Operation *op) {
  Value x = op->getOperand(0);
  e.atom(x);
  e.define(op->getResult(0), trigonometric(e, "sin", x));
  e.define(op->getResult(1), trigonometric(e, "cos", x));
  return success();
}

/// A NaN operand stays one; the bounds are numbers.
LogicalResult emitClamp(Emitter &e, Operation *op) {
  std::string x = e.atom(op->getOperand(0)), low = e.atom(op->getOperand(1)),
              high = e.atom(op->getOperand(2));
  e.define(op->getResult(0), "(" + x + " < " + low + ") ? " + low + " : (" + x + " > " + high +
                                 ") ? " + high + " : " + x);
  return success();
}

template <bool isInf, bool isNan> LogicalResult emitClass(Emitter &e, Operation *op) {
  Value x = op->getOperand(0);
  std::string value = e.atom(x), text;
  if constexpr (isNan)
    text = value + " != " + value;
  else if constexpr (isInf)
    text = "fabs(" + value + ") == (" + e.typeName(x.getType()) + ")(INFINITY)";
  else
    text = "fabs(" + value + ") < (" + e.typeName(x.getType()) + ")(INFINITY)";
  e.define(op->getResult(0), text, bitsOf(x.getType()));
  return success();
}

LogicalResult emitIsNormal(Emitter &e, Operation *op) {
  Value x = op->getOperand(0);
  if (isVector(x.getType()))
    e.define(op->getResult(0), "isnormal(" + e.whole(x) + ")", bitsOf(x.getType()));
  else
    e.define(op->getResult(0), "isnormal(" + e.whole(x) + ") != 0");
  return success();
}

LogicalResult emitAbsI(Emitter &e, Operation *op) {
  // abs gives the unsigned type, in which the smallest number keeps its bits.
  e.define(op->getResult(0), "abs(" + e.asSigned(op->getOperand(0)) + ")");
  return success();
}

LogicalResult emitCountLeading(Emitter &e, Operation *op) {
  e.define(op->getResult(0), "clz(" + e.whole(op->getOperand(0)) + ")");
  return success();
}

LogicalResult emitPopulation(Emitter &e, Operation *op) {
  e.define(op->getResult(0), "popcount(" + e.whole(op->getOperand(0)) + ")");
  return success();
}

/// Counts the ones below the lowest one: OpenCL C 1.2 has no ctz. All of them for 0.
LogicalResult emitCountTrailing(Emitter &e, Operation *op) {
  std::string x = e.atom(op->getOperand(0)), type = e.typeName(op->getResult(0).getType());
  std::string below = "~" + x + " & (" + x + " - (" + type + ")(1))";
  if (!isVector(op->getResult(0).getType()))
    below = "(" + type + ")(" + below + ")";
  e.define(op->getResult(0), "popcount(" + below + ")");
  return success();
}

LogicalResult emitFPowI(Emitter &e, Operation *op) {
  Value exponent = op->getOperand(1);
  if (bitsOf(exponent.getType()) != 32)
    return op->emitError("only an i32 exponent is supported");
  e.define(op->getResult(0),
           "pown(" + e.expr(op->getOperand(0)) + ", " + e.asSigned(exponent) + ")");
  return success();
}

} // namespace

void addMathHandlers(HandlerTable &table) {
  for (const Function &function : kFunctions)
    table[function.op] = emitFunction;
  table["math.sin"] = emitTrigonometric;
  table["math.cos"] = emitTrigonometric;
  table["math.tan"] = emitTrigonometric;
  table["math.rsqrt"] = emitRsqrt;
  table["math.sincos"] = emitSincos;
  table["math.clampf"] = emitClamp;
  table["math.isfinite"] = emitClass<false, false>;
  table["math.isinf"] = emitClass<true, false>;
  table["math.isnan"] = emitClass<false, true>;
  table["math.isnormal"] = emitIsNormal;
  table["math.absi"] = emitAbsI;
  table["math.ctlz"] = emitCountLeading;
  table["math.cttz"] = emitCountTrailing;
  table["math.ctpop"] = emitPopulation;
  table["math.fpowi"] = emitFPowI;
}

} // namespace tritonrt::compiler::opencl
