// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// math: what OpenCL C computes exactly. Other functions are expanded before: its specification
// leaves them several units in the last place, and vector versions are known that are wrong.
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
    {"math.absf", "fabs"},      {"math.ceil", "ceil"}, {"math.copysign", "copysign"},
    {"math.floor", "floor"},    {"math.fma", "fma"},   {"math.round", "round"},
    {"math.roundeven", "rint"}, {"math.sqrt", "sqrt"}, {"math.trunc", "trunc"},
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

} // namespace

void addMathHandlers(HandlerTable &table) {
  for (const Function &function : kFunctions)
    table[function.op] = emitFunction;
  table["math.isfinite"] = emitClass<false, false>;
  table["math.isinf"] = emitClass<true, false>;
  table["math.isnan"] = emitClass<false, true>;
  table["math.isnormal"] = emitIsNormal;
  table["math.absi"] = emitAbsI;
  table["math.ctlz"] = emitCountLeading;
  table["math.cttz"] = emitCountTrailing;
  table["math.ctpop"] = emitPopulation;
}

} // namespace tritonrt::compiler::opencl
