// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// arith: exact integer arithmetic with wrap-around, total division and shifts, IEEE comparisons.
#include "compiler/Fault.h"
#include "compiler/backends/opencl/Emitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tritonrt::compiler::opencl {
namespace {

/// Scalars below 32 bits are promoted by the language: the result is cut back to its own width.
std::string narrowed(Type type, std::string text) {
  if (isVector(type) || bitsOf(type) >= 32)
    return text;
  return "(" + intName(bitsOf(type), /*isSigned=*/false) + ")(" + text + ")";
}

/// The operands of a scalar op in at least 32 unsigned bits: a product of two ushort would
/// otherwise be a signed int that may overflow.
std::string widened(Emitter &e, Value value) {
  bool isNarrow = !isVector(value.getType()) && bitsOf(value.getType()) < 32;
  return (isNarrow ? "(uint)" : "") + e.expr(value);
}

std::string binary(Emitter &e, Operation *op, llvm::StringRef sign) {
  return (e.expr(op->getOperand(0)) + " " + sign + " " + e.expr(op->getOperand(1))).str();
}

/// An op of two i1 operands by its name among and, or, ^ of the truth values.
LogicalResult emitBool(Emitter &e, Operation *op, llvm::StringRef sign) {
  unsigned bits = e.maskBits(op->getOperand(0));
  std::string lhs = e.mask(op->getOperand(0), bits), rhs = e.mask(op->getOperand(1), bits);
  if (sign == "^" && !isVector(op->getOperand(0).getType()))
    sign = "!=";
  e.define(op->getResult(0), (lhs + " " + sign + " " + rhs).str(), bits);
  return success();
}

template <char sign, char boolSign> LogicalResult emitInt(Emitter &e, Operation *op) {
  Type type = op->getResult(0).getType();
  if (isBool(type))
    return emitBool(e, op, std::string(1, boolSign));
  std::string text =
      widened(e, op->getOperand(0)) + " " + sign + " " + widened(e, op->getOperand(1));
  e.define(op->getResult(0), narrowed(type, text));
  return success();
}

template <char sign> LogicalResult emitFloat(Emitter &e, Operation *op) {
  e.define(op->getResult(0), binary(e, op, std::string(1, sign)));
  return success();
}

LogicalResult emitNegF(Emitter &e, Operation *op) {
  e.define(op->getResult(0), "-" + e.expr(op->getOperand(0)));
  return success();
}

/// fmod is exact, as remf is.
LogicalResult emitRemF(Emitter &e, Operation *op) {
  Type type = op->getResult(0).getType();
  std::string a = e.atom(op->getOperand(0)), b = e.atom(op->getOperand(1)), list;
  for (int64_t l = 0; l < lanesOf(type); ++l)
    list += (l ? ", fmod(" : "fmod(") + lane(type, a, l) + ", " + lane(type, b, l) + ")";
  e.define(op->getResult(0), isVector(type) ? splat(e.typeName(type), list) : list);
  return success();
}

//===----------------------------------------------------------------------------------------------===//
// Division and shifts
//===----------------------------------------------------------------------------------------------===//

/// A divisor for which the machine's division cannot trap: 1 in place of 0, and of -1 under the
/// smallest number, where both quotient and remainder then are what wrapping gives.
std::string safeDivisor(Emitter &e, Operation *op, bool isSigned) {
  Value lhs = op->getOperand(0), rhs = op->getOperand(1);
  Type type = rhs.getType();
  std::string divisor = isSigned ? e.asSigned(rhs) : e.expr(rhs);
  llvm::APInt constant;
  if (matchPattern(rhs, m_ConstantInt(&constant)) && !constant.isZero() &&
      !(isSigned && constant.isAllOnes()))
    return divisor;
  int64_t lanes = lanesOf(type);
  std::string name = intName(bitsOf(type), isSigned, lanes),
              scalar = intName(bitsOf(type), isSigned);
  std::string helper = "divisor_" + name;
  std::string one = "(" + name + ")(1)", zero = "(" + name + ")(0)";
  if (isSigned) {
    std::string minusOne = "(" + name + ")(-1)";
    std::string smallest =
        "(" + name + ")((" + scalar + ")1 << " + std::to_string(bitsOf(type) - 1) + ")";
    std::string bad = "(d == " + zero + ") | ((n == " + smallest + ") & (d == " + minusOne + "))";
    e.require(helper, "// d, or 1 where n / d would trap.\nstatic inline " + name + " " + helper +
                          "(" + name + " n, " + name + " d) { return (" + bad + ") ? " + one +
                          " : d; }");
    return helper + "(" + e.asSigned(lhs) + ", " + divisor + ")";
  }
  e.require(helper, "// d, or 1 where it is 0.\nstatic inline " + name + " " + helper + "(" + name +
                        " d) { return (d == " + zero + ") ? " + one + " : d; }");
  return helper + "(" + divisor + ")";
}

template <char sign> LogicalResult emitDivSI(Emitter &e, Operation *op) {
  e.atom(op->getOperand(0));
  std::string text = e.asSigned(op->getOperand(0)) + " " + sign + " " + safeDivisor(e, op, true);
  e.defineSigned(op->getResult(0), text);
  return success();
}

template <char sign> LogicalResult emitDivUI(Emitter &e, Operation *op) {
  Type type = op->getResult(0).getType();
  std::string text = e.expr(op->getOperand(0)) + " " + sign + " " + safeDivisor(e, op, false);
  e.define(op->getResult(0), narrowed(type, text));
  return success();
}

/// The shift amount if it is known to be less than the width.
std::optional<uint64_t> knownShift(Operation *op) {
  llvm::APInt constant;
  if (!matchPattern(op->getOperand(1), m_ConstantInt(&constant)) ||
      !constant.ult(bitsOf(op->getResult(0).getType())))
    return std::nullopt;
  return constant.getZExtValue();
}

/// OpenCL takes shift amounts modulo the width; here a longer shift moves every bit out.
template <bool isLeft> LogicalResult emitLogicalShift(Emitter &e, Operation *op) {
  Type type = op->getResult(0).getType();
  std::string sign = isLeft ? " << " : " >> ";
  if (knownShift(op)) {
    e.define(op->getResult(0),
             narrowed(type, e.expr(op->getOperand(0)) + sign + e.expr(op->getOperand(1))));
    return success();
  }
  std::string amount = e.atom(op->getOperand(1)), name = e.typeName(type);
  std::string shifted = narrowed(type, e.expr(op->getOperand(0)) + sign + amount);
  std::string width = "(" + name + ")(" + std::to_string(bitsOf(type)) + ")";
  e.define(op->getResult(0), narrowed(type, "(" + amount + " < " + width + ") ? (" + shifted +
                                                ") : (" + name + ")(0)"));
  return success();
}

LogicalResult emitShRSI(Emitter &e, Operation *op) {
  Type type = op->getResult(0).getType();
  std::string amount = e.expr(op->getOperand(1)), name = e.typeName(type);
  if (!knownShift(op))
    amount = "min(" + amount + ", (" + name + ")(" + std::to_string(bitsOf(type) - 1) + "))";
  // In OpenCL C the amount of a vector shift has the operand's type but for the sign.
  e.defineSigned(op->getResult(0), e.asSigned(op->getOperand(0)) + " >> " + amount);
  return success();
}

//===----------------------------------------------------------------------------------------------===//
// Comparisons, minimum and maximum, select
//===----------------------------------------------------------------------------------------------===//

LogicalResult emitCmpBool(Emitter &e, arith::CmpIOp op) {
  unsigned bits = e.maskBits(op.getLhs());
  std::string a = e.mask(op.getLhs(), bits), b = e.mask(op.getRhs(), bits);
  bool vector = isVector(op.getLhs().getType());
  std::string inverse = vector ? "~" : "!";
  using P = arith::CmpIPredicate;
  std::string text;
  switch (op.getPredicate()) {
  case P::eq:
    text = vector ? "~(" + a + " ^ " + b + ")" : a + " == " + b;
    break;
  case P::ne:
    text = a + (vector ? " ^ " : " != ") + b;
    break;
  // As a signed number, true is -1.
  case P::ult:
  case P::sgt:
    text = inverse + a + " & " + b;
    break;
  case P::ugt:
  case P::slt:
    text = a + " & " + inverse + b;
    break;
  case P::ule:
  case P::sge:
    text = inverse + a + " | " + b;
    break;
  case P::uge:
  case P::sle:
    text = a + " | " + inverse + b;
    break;
  }
  e.define(op.getResult(), text, bits);
  return success();
}

LogicalResult emitCmpI(Emitter &e, Operation *raw) {
  auto op = cast<arith::CmpIOp>(raw);
  if (isBool(op.getLhs().getType()))
    return emitCmpBool(e, op);
  using P = arith::CmpIPredicate;
  bool isSigned = false;
  llvm::StringRef sign;
  switch (op.getPredicate()) {
  case P::eq:
    sign = "==";
    break;
  case P::ne:
    sign = "!=";
    break;
  case P::slt:
    isSigned = true;
    [[fallthrough]];
  case P::ult:
    sign = "<";
    break;
  case P::sle:
    isSigned = true;
    [[fallthrough]];
  case P::ule:
    sign = "<=";
    break;
  case P::sgt:
    isSigned = true;
    [[fallthrough]];
  case P::ugt:
    sign = ">";
    break;
  case P::sge:
    isSigned = true;
    [[fallthrough]];
  case P::uge:
    sign = ">=";
    break;
  }
  auto side = [&](Value v) { return isSigned ? e.asSigned(v) : e.expr(v); };
  e.define(op.getResult(), (side(op.getLhs()) + " " + sign + " " + side(op.getRhs())).str(),
           bitsOf(op.getLhs().getType()));
  return success();
}

LogicalResult emitCmpF(Emitter &e, Operation *raw) {
  auto op = cast<arith::CmpFOp>(raw);
  Type type = op.getLhs().getType();
  unsigned bits = bitsOf(type);
  std::string a = e.atom(op.getLhs()), b = e.atom(op.getRhs());
  std::string inverse = isVector(type) ? "~" : "!";
  auto compare = [&](llvm::StringRef sign) { return (a + " " + sign + " " + b).str(); };
  auto negated = [&](llvm::StringRef sign) { return inverse + "(" + compare(sign) + ")"; };
  using P = arith::CmpFPredicate;
  std::string text;
  switch (op.getPredicate()) {
  case P::AlwaysFalse:
  case P::AlwaysTrue: {
    bool value = op.getPredicate() == P::AlwaysTrue;
    text = isVector(type) ? splat(maskType(bits, lanesOf(type)), value ? "-1" : "0")
                          : (value ? "true" : "false");
    break;
  }
  case P::OEQ:
    text = compare("==");
    break;
  case P::OGT:
    text = compare(">");
    break;
  case P::OGE:
    text = compare(">=");
    break;
  case P::OLT:
    text = compare("<");
    break;
  case P::OLE:
    text = compare("<=");
    break;
  case P::UNE:
    text = compare("!=");
    break;
  case P::UGT:
    text = negated("<=");
    break;
  case P::UGE:
    text = negated("<");
    break;
  case P::ULT:
    text = negated(">=");
    break;
  case P::ULE:
    text = negated(">");
    break;
  case P::ONE:
    text = "(" + compare("<") + ") | (" + compare(">") + ")";
    break;
  case P::UEQ:
    text = inverse + "((" + compare("<") + ") | (" + compare(">") + "))";
    break;
  // A NaN is the one value that differs from itself.
  case P::ORD:
    text = "(" + a + " == " + a + ") & (" + b + " == " + b + ")";
    break;
  case P::UNO:
    text = "(" + a + " != " + a + ") | (" + b + " != " + b + ")";
    break;
  }
  e.define(op.getResult(), text, bits);
  return success();
}

template <bool isMax, bool isSigned> LogicalResult emitMinMaxI(Emitter &e, Operation *op) {
  Type type = op->getResult(0).getType();
  if (isBool(type)) // as a signed number, true is -1
    return emitBool(e, op, isMax != isSigned ? "|" : "&");
  std::string name = isMax ? "max" : "min";
  Value a = op->getOperand(0), b = op->getOperand(1);
  std::string text = isSigned ? name + "(" + e.asSigned(a) + ", " + e.asSigned(b) + ")"
                              : name + "(" + e.expr(a) + ", " + e.expr(b) + ")";
  if (isSigned)
    e.defineSigned(op->getResult(0), text);
  else
    e.define(op->getResult(0), text);
  return success();
}

/// maxnumf and minnumf: the other operand where one is a NaN. Written out for processors, since it
/// is two instructions and a call of fmax on a vector often is a loop; others have it as one.
template <bool isMax> LogicalResult emitMinMaxNumF(Emitter &e, Operation *op) {
  if (!e.features.isCpu) {
    e.define(op->getResult(0), std::string(isMax ? "fmax(" : "fmin(") + e.whole(op->getOperand(0)) +
                                   ", " + e.whole(op->getOperand(1)) + ")");
    return success();
  }
  std::string a = e.atom(op->getOperand(0)), b = e.atom(op->getOperand(1));
  std::string sign = isMax ? " > " : " < ";
  e.define(op->getResult(0),
           "((" + a + sign + b + ") | (" + b + " != " + b + ")) ? " + a + " : " + b);
  return success();
}

/// maximumf and minimumf: NaN where either operand is one.
template <bool isMax> LogicalResult emitMinMaxF(Emitter &e, Operation *op) {
  std::string a = e.atom(op->getOperand(0)), b = e.atom(op->getOperand(1));
  std::string sign = isMax ? " > " : " < ";
  e.define(op->getResult(0),
           "((" + a + sign + b + ") | (" + a + " != " + a + ")) ? " + a + " : " + b);
  return success();
}

LogicalResult emitSelect(Emitter &e, Operation *raw) {
  auto op = cast<arith::SelectOp>(raw);
  Type type = op.getResult().getType();
  Value a = op.getTrueValue(), b = op.getFalseValue(), c = op.getCondition();
  unsigned bits = isBool(type) ? e.maskBits(a) : bitsOf(type);
  std::string yes = isBool(type) ? e.mask(a, bits) : e.expr(a);
  std::string no = isBool(type) ? e.mask(b, bits) : e.expr(b);
  std::string text = e.mask(c, bits) + " ? " + yes + " : " + no;
  bool isNumber = isa<IntegerType>(type) && !isBool(type);
  e.define(op.getResult(), isNumber ? narrowed(type, text) : text, bits);
  return success();
}

//===----------------------------------------------------------------------------------------------===//
// Constants and casts
//===----------------------------------------------------------------------------------------------===//

std::string elementText(Attribute attr) {
  if (auto number = dyn_cast<IntegerAttr>(attr)) {
    llvm::APInt value = number.getValue();
    return literal(isa<IndexType>(number.getType()) ? value.sextOrTrunc(64) : value);
  }
  return literal(cast<FloatAttr>(attr).getValue());
}

std::string maskElementText(Attribute attr) {
  return cast<IntegerAttr>(attr).getValue().isZero() ? "0" : "-1";
}

LogicalResult emitConstant(Emitter &e, Operation *raw) {
  auto op = cast<arith::ConstantOp>(raw);
  Type type = op.getType();
  auto text = [&](Attribute attr) {
    return isBool(type) && isVector(type) ? maskElementText(attr) : elementText(attr);
  };
  if (!isa<VectorType>(type)) {
    e.alias(op.getResult(), elementText(op.getValue()));
    return success();
  }
  auto elements = dyn_cast<DenseElementsAttr>(op.getValue());
  if (!elements)
    return emitFault(op, "a constant vector is not dense");
  if (elements.isSplat()) {
    std::string scalar = text(elements.getSplatValue<Attribute>());
    e.alias(op.getResult(), isVector(type) ? "(" + splat(e.typeName(type), scalar) + ")" : scalar);
    return success();
  }
  std::string list;
  for (Attribute element : elements.getValues<Attribute>())
    list += (list.empty() ? "" : ", ") + text(element);
  e.defineHere(op.getResult(), splat(e.typeName(type), list));
  return success();
}

/// The vector of i1 as 0 and `value` (1, or -1 where `isSigned`) in unsigned lanes of `bits` bits.
std::string maskAsInt(Emitter &e, Value value, unsigned bits, bool isSigned) {
  Type type = value.getType();
  std::string name = intName(bits, /*isSigned=*/false, lanesOf(type));
  if (!isVector(type))
    return isSigned ? "(" + name + ")-(int)" + e.expr(value) : "(" + name + ")" + e.expr(value);
  std::string text = "as_" + name + "(" + e.mask(value, bits) + ")";
  return isSigned ? text : text + " & (" + name + ")(1)";
}

template <bool isSigned> LogicalResult emitExtend(Emitter &e, Operation *op) {
  Value source = op->getOperand(0);
  Type from = source.getType(), to = op->getResult(0).getType();
  unsigned bits = bitsOf(to);
  std::string text;
  if (isBool(from))
    text = maskAsInt(e, source, bits, isSigned);
  else if (isVector(to) && isSigned)
    text = "as_" + e.typeName(to) + "(convert_" + intName(bits, true, lanesOf(to)) + "(" +
           e.asSigned(source) + "))";
  else if (isVector(to))
    text = "convert_" + e.typeName(to) + "(" + e.whole(source) + ")";
  else if (isSigned) // the conversion from the signed type to the wider unsigned one extends the
                     // sign
    text = "(" + e.typeName(to) + ")" + e.asSigned(source);
  else
    text = "(" + e.typeName(to) + ")" + e.expr(source);
  e.define(op->getResult(0), text);
  return success();
}

LogicalResult emitTruncI(Emitter &e, Operation *op) {
  Value source = op->getOperand(0);
  Type to = op->getResult(0).getType();
  if (isBool(to)) {
    std::string one = isVector(to) ? splat(e.typeName(source.getType()), "1") : "1";
    std::string zero = isVector(to) ? splat(e.typeName(source.getType()), "0") : "0";
    e.define(op->getResult(0), "(" + e.expr(source) + " & " + one + ") != " + zero,
             bitsOf(source.getType()));
  } else if (isVector(to)) {
    e.define(op->getResult(0), "convert_" + e.typeName(to) + "(" + e.whole(source) + ")");
  } else {
    e.define(op->getResult(0), "(" + e.typeName(to) + ")" + e.expr(source));
  }
  return success();
}

template <bool isSigned> LogicalResult emitIndexCast(Emitter &e, Operation *op) {
  unsigned from = bitsOf(op->getOperand(0).getType()), to = bitsOf(op->getResult(0).getType());
  if (from < to)
    return emitExtend<isSigned>(e, op);
  if (from > to)
    return emitTruncI(e, op);
  e.define(op->getResult(0), e.expr(op->getOperand(0)));
  return success();
}

template <bool isSigned> LogicalResult emitIntToFloat(Emitter &e, Operation *op) {
  Value source = op->getOperand(0);
  Type from = source.getType(), to = op->getResult(0).getType();
  std::string number = isBool(from) ? "(" + maskAsInt(e, source, 32, isSigned) + ")"
                       : isSigned   ? e.asSigned(source)
                                    : e.expr(source);
  if (isBool(from) && isSigned)
    number = isVector(from) ? "as_" + intName(32, true, lanesOf(from)) + number : "(int)" + number;
  if (isVector(to))
    e.define(op->getResult(0), "convert_" + e.typeName(to) + "(" + number + ")");
  else
    e.define(op->getResult(0),
             "(" + e.typeName(to) + ")" + (isSigned ? "(" + number + ")" : number));
  return success();
}

/// Out of range saturates and NaN gives 0, on every device. Results of fewer than 32 bits are the
/// low bits of an int, which is what casts in C and NumPy do.
template <bool isSigned> LogicalResult emitFloatToInt(Emitter &e, Operation *op) {
  Type to = op->getResult(0).getType();
  std::string value = e.atom(op->getOperand(0));
  unsigned toBits = std::max(bitsOf(to), 32u), fromBits = bitsOf(op->getOperand(0).getType());
  bool asSigned = isSigned || bitsOf(to) < 32;
  std::string name = intName(toBits, asSigned, lanesOf(to));
  std::string ordered = "(" + value + " == " + value + ")";
  if (isVector(to) && fromBits != toBits) // the condition must be as wide as what it selects
    ordered = "convert_" + maskType(toBits, lanesOf(to)) + ordered;
  std::string text = ordered + " ? convert_" + name + "_sat_rtz(" + value + ") : (" + name + ")(0)";
  if (bitsOf(to) < 32)
    text = (isVector(to) ? "convert_" : "") +
           (isVector(to) ? e.typeName(to) : "(" + e.typeName(to) + ")") + "(" + text + ")";
  else if (isSigned)
    text = fromSigned(to, text);
  e.define(op->getResult(0), text);
  return success();
}

template <typename Op> LogicalResult emitFloatToFloat(Emitter &e, Operation *raw) {
  auto op = cast<Op>(raw);
  std::string suffix;
  if constexpr (std::is_same_v<Op, arith::TruncFOp>) {
    if (auto mode = op.getRoundingmode()) {
      switch (*mode) {
      case arith::RoundingMode::to_nearest_even:
        suffix = "_rte";
        break;
      case arith::RoundingMode::toward_zero:
        suffix = "_rtz";
        break;
      case arith::RoundingMode::downward:
        suffix = "_rtn";
        break;
      case arith::RoundingMode::upward:
        suffix = "_rtp";
        break;
      default:
        return op.emitError("rounds to nearest with ties away from zero, which OpenCL C cannot; "
                            "round to nearest even, or run the kernel on the device cpu");
      }
    }
  }
  e.define(op->getResult(0),
           "convert_" + e.typeName(op.getType()) + suffix + "(" + e.whole(op.getIn()) + ")");
  return success();
}

LogicalResult emitBitcast(Emitter &e, Operation *op) {
  Value source = op->getOperand(0), result = op->getResult(0);
  if (isBool(source.getType()) || isBool(result.getType())) {
    if (source.getType() != result.getType())
      return emitFault(op, "OpenCL C is not written for a bitcast of i1");
    e.alias(result, e.atom(source), e.maskBits(source));
    return success();
  }
  e.define(result, "as_" + e.typeName(result.getType()) + "(" + e.whole(source) + ")");
  return success();
}

LogicalResult emitMulHigh(Emitter &e, Operation *op, bool isSigned) {
  Value a = op->getOperand(0), b = op->getOperand(1);
  Type type = a.getType();
  if (isBool(type)) {
    // 1 at most, with either sign.
    std::string zero = isVector(type) ? splat(maskType(32, lanesOf(type)), "0") : "0";
    e.define(op->getResult(1), zero, 32);
    return emitBool(e, op, "&");
  }
  e.atom(a);
  e.atom(b);
  e.define(op->getResult(0), narrowed(type, widened(e, a) + " * " + widened(e, b)));
  std::string high = isSigned ? "mul_hi(" + e.asSigned(a) + ", " + e.asSigned(b) + ")"
                              : "mul_hi(" + e.expr(a) + ", " + e.expr(b) + ")";
  e.define(op->getResult(1), isSigned ? fromSigned(type, high) : high);
  return success();
}
LogicalResult emitMulSExtended(Emitter &e, Operation *op) { return emitMulHigh(e, op, true); }
LogicalResult emitMulUExtended(Emitter &e, Operation *op) { return emitMulHigh(e, op, false); }

LogicalResult emitAddExtended(Emitter &e, Operation *op) {
  Value a = op->getOperand(0), b = op->getOperand(1);
  if (isBool(a.getType())) {
    unsigned bits = e.maskBits(a);
    e.define(op->getResult(1), e.mask(a, bits) + " & " + e.mask(b, bits), bits);
    return emitBool(e, op, "^");
  }
  std::string lhs = e.atom(a);
  std::string sum = narrowed(a.getType(), lhs + " + " + e.expr(b));
  e.defineHere(op->getResult(0), sum);
  e.define(op->getResult(1), e.expr(op->getResult(0)) + " < " + lhs, bitsOf(a.getType()));
  return success();
}

} // namespace

void addArithHandlers(HandlerTable &table) {
  table["arith.constant"] = emitConstant;
  table["arith.addi"] = emitInt<'+', '^'>;
  table["arith.subi"] = emitInt<'-', '^'>;
  table["arith.muli"] = emitInt<'*', '&'>;
  table["arith.andi"] = emitInt<'&', '&'>;
  table["arith.ori"] = emitInt<'|', '|'>;
  table["arith.xori"] = emitInt<'^', '^'>;
  table["arith.addui_extended"] = emitAddExtended;
  table["arith.mulsi_extended"] = emitMulSExtended;
  table["arith.mului_extended"] = emitMulUExtended;
  table["arith.divsi"] = emitDivSI<'/'>;
  table["arith.divui"] = emitDivUI<'/'>;
  table["arith.remsi"] = emitDivSI<'%'>;
  table["arith.remui"] = emitDivUI<'%'>;
  table["arith.shli"] = emitLogicalShift<true>;
  table["arith.shrui"] = emitLogicalShift<false>;
  table["arith.shrsi"] = emitShRSI;
  table["arith.cmpi"] = emitCmpI;
  table["arith.cmpf"] = emitCmpF;
  table["arith.select"] = emitSelect;
  table["arith.maxsi"] = emitMinMaxI<true, true>;
  table["arith.maxui"] = emitMinMaxI<true, false>;
  table["arith.minsi"] = emitMinMaxI<false, true>;
  table["arith.minui"] = emitMinMaxI<false, false>;
  table["arith.addf"] = emitFloat<'+'>;
  table["arith.subf"] = emitFloat<'-'>;
  table["arith.mulf"] = emitFloat<'*'>;
  table["arith.divf"] = emitFloat<'/'>;
  table["arith.remf"] = emitRemF;
  table["arith.negf"] = emitNegF;
  table["arith.maxnumf"] = emitMinMaxNumF<true>;
  table["arith.minnumf"] = emitMinMaxNumF<false>;
  table["arith.maximumf"] = emitMinMaxF<true>;
  table["arith.minimumf"] = emitMinMaxF<false>;
  table["arith.extsi"] = emitExtend<true>;
  table["arith.extui"] = emitExtend<false>;
  table["arith.trunci"] = emitTruncI;
  table["arith.index_cast"] = emitIndexCast<true>;
  table["arith.index_castui"] = emitIndexCast<false>;
  table["arith.sitofp"] = emitIntToFloat<true>;
  table["arith.uitofp"] = emitIntToFloat<false>;
  table["arith.fptosi"] = emitFloatToInt<true>;
  table["arith.fptoui"] = emitFloatToInt<false>;
  table["arith.extf"] = emitFloatToFloat<arith::ExtFOp>;
  table["arith.truncf"] = emitFloatToFloat<arith::TruncFOp>;
  table["arith.bitcast"] = emitBitcast;
}

} // namespace tritonrt::compiler::opencl
