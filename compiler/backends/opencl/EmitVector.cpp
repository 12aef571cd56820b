// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vector: component lists and swizzles on the vector types of OpenCL C. A vector of one element is
// a scalar there.
#include "compiler/Fault.h"
#include "compiler/backends/opencl/Emitter.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace tritonrt::compiler::opencl {
namespace {

/// A component of `value` as text, whatever its mask width is.
std::string component(Emitter &e, Value value, int64_t index) {
  Type type = value.getType();
  std::string text = lane(type, e.atom(value), index);
  return isBool(type) && isVector(type) ? "(" + text + " != 0)" : text;
}

/// The vector of these components. Those of a mask are numbers of its lane width.
void defineList(Emitter &e, Value result, llvm::ArrayRef<std::string> components, unsigned bits) {
  if (components.size() == 1) {
    e.define(result, components.front(), bits);
    return;
  }
  std::string type = isBool(result.getType()) ? maskType(bits, lanesOf(result.getType()))
                                              : e.typeName(result.getType());
  e.define(result, splat(type, llvm::join(components, ", ")), bits);
}

/// Components of `value` by index, in one swizzle where the result is a vector.
void definePick(Emitter &e, Value result, Value value, llvm::ArrayRef<int64_t> indices) {
  if (!isVector(value.getType())) {
    e.alias(result, e.atom(value));
    return;
  }
  if (indices.size() == 1) {
    e.define(result, component(e, value, indices[0]));
    return;
  }
  std::string text = e.atom(value) + ".s";
  for (int64_t index : indices) // any lane will do for one that nobody reads
    text += "0123456789abcdef"[std::max<int64_t>(index, 0)];
  e.define(result, text, e.maskBits(value));
}

LogicalResult emitBroadcast(Emitter &e, Operation *raw) {
  auto op = cast<vector::BroadcastOp>(raw);
  Value source = op.getSource();
  if (isVector(source.getType())) {
    if (lanesOf(source.getType()) != lanesOf(op.getType()))
      return emitFault(op, "OpenCL C is not written for a broadcast between vectors");
    e.alias(op.getResult(), e.atom(source), e.maskBits(source));
    return success();
  }
  if (!isVector(op.getType())) {
    e.alias(op.getResult(), e.atom(source));
    return success();
  }
  if (isBool(source.getType())) {
    // The bool as 0 or -1 in every lane.
    e.define(op.getResult(), splat(e.typeName(op.getType()), "-(int)" + e.expr(source)));
    return success();
  }
  e.define(op.getResult(), splat(e.typeName(op.getType()), e.whole(source)));
  return success();
}

LogicalResult emitExtract(Emitter &e, Operation *raw) {
  auto op = cast<vector::ExtractOp>(raw);
  Value source = op.getSource();
  Type type = source.getType();
  if (isVector(op.getResult().getType()))
    return emitFault(op, "OpenCL C is not written for an extract of a vector");
  if (!isVector(type)) {
    e.alias(op.getResult(), e.atom(source));
    return success();
  }
  if (op.hasDynamicPosition()) {
    // An array is the one form of a vector that takes a computed index.
    std::string name = e.freshName("lanes");
    std::string element = isBool(type) ? "int" : e.typeName(getElementTypeOrSelf(type));
    e.line("union { " + e.typeName(type) + " all; " + element + " one[" +
           std::to_string(lanesOf(type)) + "]; } " + name + ";");
    e.line(name + ".all = " + (isBool(type) ? e.mask(source, 32) : e.expr(source)) + ";");
    std::string index = e.expr(op.getDynamicPosition()[0]);
    std::string text = name + ".one[" + index + " & " + std::to_string(lanesOf(type) - 1) + "]";
    e.defineHere(op.getResult(), isBool(type) ? text + " != 0" : text);
    return success();
  }
  e.define(op.getResult(), component(e, source, op.getStaticPosition()[0]));
  return success();
}

LogicalResult emitInsert(Emitter &e, Operation *raw) {
  auto op = cast<vector::InsertOp>(raw);
  Type type = op.getType();
  if (isVector(op.getValueToStore().getType()))
    return emitFault(op, "OpenCL C is not written for an insert of a vector");
  if (!isVector(type)) {
    e.alias(op.getResult(), e.atom(op.getValueToStore()));
    return success();
  }
  Value stored = op.getValueToStore();
  std::string value = isBool(type) ? "-(int)" + e.expr(stored) : e.expr(stored);
  std::string dest = isBool(type) ? e.mask(op.getDest(), 32) : e.expr(op.getDest());
  std::string index;
  if (op.hasDynamicPosition())
    index = e.atom(op.getDynamicPosition()[0]);
  std::string name = e.declare(op.getResult(), dest);
  if (!op.hasDynamicPosition()) {
    e.line(lane(type, name, op.getStaticPosition()[0]) + " = " + value + ";");
    return success();
  }
  e.open("switch (" + index + ")");
  for (int64_t l = 0; l < lanesOf(type); ++l)
    e.line("case " + std::to_string(l) + ": " + lane(type, name, l) + " = " + value + "; break;");
  e.close();
  return success();
}

LogicalResult emitFromElements(Emitter &e, Operation *op) {
  Value result = op->getResult(0);
  bool isMask = isBool(result.getType()) && isVector(result.getType());
  llvm::SmallVector<std::string> components;
  for (Value element : op->getOperands())
    components.push_back((isMask ? "-(int)" : "") + e.expr(element));
  defineList(e, result, components, 32);
  return success();
}

LogicalResult emitToElements(Emitter &e, Operation *op) {
  for (auto [i, result] : llvm::enumerate(op->getResults()))
    e.define(result, component(e, op->getOperand(0), i));
  return success();
}

LogicalResult emitShuffle(Emitter &e, Operation *raw) {
  auto op = cast<vector::ShuffleOp>(raw);
  Value a = op.getV1(), b = op.getV2();
  int64_t first = lanesOf(a.getType());
  llvm::ArrayRef<int64_t> mask = op.getMask();
  if (llvm::all_of(mask, [&](int64_t i) { return i < first; })) {
    definePick(e, op.getResult(), a, mask);
    return success();
  }
  if (llvm::all_of(mask, [&](int64_t i) { return i < 0 || i >= first; })) {
    llvm::SmallVector<int64_t> shifted;
    for (int64_t i : mask)
      shifted.push_back(i < 0 ? 0 : i - first);
    definePick(e, op.getResult(), b, shifted);
    return success();
  }
  // Components of two vectors: masks first get one lane width.
  bool isMask = isBool(op.getType());
  unsigned bits = 32;
  auto named = [&](Value v) -> std::string {
    if (!isMask || !isVector(v.getType()) || e.maskBits(v) == bits)
      return e.atom(v);
    std::string name = e.freshName("mask");
    e.line("const " + maskType(bits, lanesOf(v.getType())) + " " + name + " = " + e.mask(v, bits) +
           ";");
    return name;
  };
  std::string lhs = named(a), rhs = named(b);
  llvm::SmallVector<std::string> components;
  for (int64_t i : mask) {
    bool second = i >= first;
    Value source = second ? b : a;
    std::string text =
        lane(source.getType(), second ? rhs : lhs, std::max<int64_t>(second ? i - first : i, 0));
    components.push_back(isMask && !isVector(source.getType()) ? "-(int)" + text : text);
  }
  defineList(e, op.getResult(), components, bits);
  return success();
}

LogicalResult emitExtractSlice(Emitter &e, Operation *raw) {
  auto op = cast<vector::ExtractStridedSliceOp>(raw);
  if (op.getSourceVectorType().getRank() != 1 || op.hasNonUnitStrides())
    return emitFault(op, "OpenCL C is written for contiguous slices of one dimension alone");
  int64_t start = cast<IntegerAttr>(op.getOffsets()[0]).getInt();
  llvm::SmallVector<int64_t> indices;
  for (int64_t l = 0; l < lanesOf(op.getType()); ++l)
    indices.push_back(start + l);
  definePick(e, op.getResult(), op.getSource(), indices);
  return success();
}

LogicalResult emitInsertSlice(Emitter &e, Operation *raw) {
  auto op = cast<vector::InsertStridedSliceOp>(raw);
  Type part = op.getValueToStore().getType(), type = op.getType();
  if (op.getSourceVectorType().getRank() != 1 || op.getType().getRank() != 1)
    return emitFault(op, "OpenCL C is written for slices of one dimension alone");
  if (!isVector(type)) {
    e.alias(op.getResult(), e.atom(op.getValueToStore()));
    return success();
  }
  int64_t start = cast<IntegerAttr>(op.getOffsets()[0]).getInt();
  bool isMask = isBool(type);
  std::string value = isMask && isVector(part) ? e.mask(op.getValueToStore(), 32)
                      : isMask                 ? "-(int)" + e.expr(op.getValueToStore())
                                               : e.expr(op.getValueToStore());
  std::string dest = isMask ? e.mask(op.getDest(), 32) : e.expr(op.getDest());
  std::string name = e.declare(op.getResult(), dest);
  std::string digits;
  for (int64_t l = 0; l < lanesOf(part); ++l)
    digits += "0123456789abcdef"[start + l];
  e.line(name + ".s" + digits + " = " + value + ";");
  return success();
}

LogicalResult emitBitCast(Emitter &e, Operation *op) {
  Value source = op->getOperand(0), result = op->getResult(0);
  if (isBool(source.getType()) || isBool(result.getType()))
    return emitFault(op, "OpenCL C is not written for a bitcast of i1");
  e.define(result, "as_" + e.typeName(result.getType()) + "(" + e.whole(source) + ")");
  return success();
}

/// Between shapes of one dimension or none nothing changes.
LogicalResult emitShapeCast(Emitter &e, Operation *op) {
  Value source = op->getOperand(0);
  e.alias(op->getResult(0), e.atom(source), e.maskBits(source));
  return success();
}

/// Any and all of a mask, and sums and bit operations of integers: ops whose order does not matter.
LogicalResult emitReduction(Emitter &e, Operation *raw) {
  auto op = cast<vector::ReductionOp>(raw);
  Value source = op.getVector(), result = op.getResult();
  Type type = source.getType();
  using Kind = vector::CombiningKind;
  Kind kind = op.getKind();
  if (!isa<IntegerType>(result.getType()))
    return emitFault(op, "OpenCL C is not written for a reduction of floats");
  bool isMask = isBool(type) && isVector(type);
  if (isMask && !op.getAcc() && (kind == Kind::OR || kind == Kind::AND)) {
    e.define(result, (kind == Kind::OR ? "any(" : "all(") + e.expr(source) + ") != 0");
    return success();
  }
  llvm::StringRef sign = kind == Kind::ADD   ? " + "
                         : kind == Kind::MUL ? " * "
                         : kind == Kind::AND ? " & "
                         : kind == Kind::OR  ? " | "
                         : kind == Kind::XOR ? " ^ "
                                             : "";
  if (sign.empty() || isMask)
    return emitFault(op, "OpenCL C is not written for this kind of reduction");
  std::string vector = e.atom(source), text = op.getAcc() ? e.expr(op.getAcc()) : "";
  for (int64_t l = 0; l < lanesOf(type); ++l)
    text += (text.empty() ? "" : sign.str()) + lane(type, vector, l);
  e.define(result,
           bitsOf(type) < 32 ? "(" + e.typeName(result.getType()) + ")(" + text + ")" : text);
  return success();
}

LogicalResult emitStep(Emitter &e, Operation *op) {
  Type type = op->getResult(0).getType();
  llvm::SmallVector<std::string> components;
  for (int64_t l = 0; l < lanesOf(type); ++l)
    components.push_back(std::to_string(l));
  defineList(e, op->getResult(0), components, 32);
  return success();
}

} // namespace

void addVectorHandlers(HandlerTable &table) {
  table["vector.broadcast"] = emitBroadcast;
  table["vector.extract"] = emitExtract;
  table["vector.insert"] = emitInsert;
  table["vector.from_elements"] = emitFromElements;
  table["vector.to_elements"] = emitToElements;
  table["vector.shuffle"] = emitShuffle;
  table["vector.extract_strided_slice"] = emitExtractSlice;
  table["vector.insert_strided_slice"] = emitInsertSlice;
  table["vector.bitcast"] = emitBitCast;
  table["vector.shape_cast"] = emitShapeCast;
  table["vector.reduction"] = emitReduction;
  table["vector.step"] = emitStep;
}

} // namespace tritonrt::compiler::opencl
