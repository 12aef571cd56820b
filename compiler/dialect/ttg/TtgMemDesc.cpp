// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Buffers of TritonGPU and the encodings that stand in their types.
#include "compiler/dialect/ttg/Ttg.h"

#include "compiler/dialect/tt/TtTypes.h"

#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

#define GET_ATTRDEF_CLASSES
#include "compiler/dialect/ttg/TtgAttrs.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "compiler/dialect/ttg/TtgTypes.cpp.inc"

namespace tritonrt::ttg {

void TtgDialect::registerMemDescs() {
  addAttributes<EncodingAttr>();
  addTypes<AsyncTokenType, MemDescType>();
}

//===----------------------------------------------------------------------===//
// Encodings
//===----------------------------------------------------------------------===//

Attribute TtgDialect::parseAttribute(DialectAsmParser &parser, Type type) const {
  return EncodingAttr::parse(parser, type);
}

void TtgDialect::printAttribute(Attribute attr, DialectAsmPrinter &printer) const {
  cast<EncodingAttr>(attr).print(printer);
}

/// `#ttg.KIND` or `#ttg.KIND<{...}>`.
Attribute EncodingAttr::parse(AsmParser &parser, Type) {
  StringRef kind;
  if (parser.parseKeyword(&kind))
    return {};
  DictionaryAttr parameters;
  if (succeeded(parser.parseOptionalLess()) &&
      (parser.parseAttribute(parameters) || parser.parseGreater()))
    return {};
  return get(parser.getContext(), kind, parameters);
}

void EncodingAttr::print(AsmPrinter &printer) const {
  printer << getKind();
  if (getParameters())
    printer << "<" << getParameters() << ">";
}

//===----------------------------------------------------------------------===//
// !ttg.memdesc
//===----------------------------------------------------------------------===//

Type MemDescType::parse(AsmParser &parser) {
  SmallVector<int64_t> shape, allocShape;
  Type element;
  Attribute encoding, space;
  if (parser.parseLess() || parser.parseDimensionList(shape, /*allowDynamic=*/false) ||
      parser.parseType(element) || parser.parseComma() || parser.parseAttribute(encoding) ||
      parser.parseComma() || parser.parseAttribute(space))
    return {};
  bool isMutable = false;
  while (succeeded(parser.parseOptionalComma())) {
    if (succeeded(parser.parseOptionalKeyword("mutable")))
      isMutable = true;
    else if (parser.parseDimensionList(allocShape, /*allowDynamic=*/false,
                                       /*withTrailingX=*/false))
      return {};
  }
  if (parser.parseGreater())
    return {};
  return get(parser.getContext(), shape, element, encoding, space, isMutable, allocShape);
}

void MemDescType::print(AsmPrinter &printer) const {
  printer << "<";
  for (int64_t size : getShape())
    printer << size << "x";
  printer << getElementType() << ", " << getEncoding() << ", " << getMemorySpace();
  if (getIsMutable())
    printer << ", mutable";
  if (!getAllocShape().empty()) {
    printer << ", ";
    llvm::interleave(getAllocShape(), printer, "x");
  }
  printer << ">";
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

static LogicalResult verifyWhole(Operation *op, MemDescType memory, Type tensor) {
  auto values = dyn_cast<RankedTensorType>(tensor);
  if (!values || values.getShape() != memory.getShape() ||
      values.getElementType() != memory.getElementType())
    return op->emitOpError() << "needs a tensor of the shape and elements of " << memory << ", not "
                             << tensor;
  return success();
}

static LogicalResult verifyPart(Operation *op, MemDescType whole, MemDescType part,
                                ArrayRef<int64_t> shape) {
  if (part.getElementType() != whole.getElementType() || part.getShape() != shape)
    return op->emitOpError() << "gives " << part << " of " << whole << ", expected the shape ["
                             << shape << "] and its elements";
  return success();
}

static LogicalResult verifyOffsets(Operation *op, size_t count, MemDescType whole) {
  if (count == whole.getShape().size())
    return success();
  return op->emitOpError() << "has " << count << " offsets for " << whole
                           << ", expected one for each dimension";
}

LogicalResult LocalAllocOp::verify() {
  return getSrc() ? verifyWhole(*this, getType(), getSrc().getType()) : success();
}
LogicalResult LocalLoadOp::verify() { return verifyWhole(*this, getSrc().getType(), getType()); }
LogicalResult LocalStoreOp::verify() {
  return verifyWhole(*this, getDst().getType(), getSrc().getType());
}

LogicalResult MemDescIndexOp::verify() {
  if (getSrc().getType().getShape().empty())
    return emitOpError() << "needs a buffer of at least one dimension, not " << getSrc().getType();
  return verifyPart(*this, getSrc().getType(), getType(),
                    getSrc().getType().getShape().drop_front());
}

LogicalResult MemDescSubsliceOp::verify() {
  ArrayRef<int64_t> shape = getSrc().getType().getShape(), part = getType().getShape();
  if (failed(verifyOffsets(*this, getOffsets().size(), getSrc().getType())))
    return failure();
  if (part.size() != shape.size())
    return emitOpError() << "gives " << getType() << ", expected the rank of "
                         << getSrc().getType();
  for (auto [offset, size, all] : llvm::zip(getOffsets(), part, shape))
    if (offset < 0 || offset + size > all)
      return emitOpError() << "takes " << size << " elements from " << offset
                           << ", which leaves a dimension of " << all << " elements";
  return verifyPart(*this, getSrc().getType(), getType(), part);
}

LogicalResult MemDescSubviewOp::verify() {
  ArrayRef<int64_t> shape = getSrc().getType().getShape(), part = getType().getShape();
  if (failed(verifyOffsets(*this, getOffsets().size(), getSrc().getType())))
    return failure();
  if (part.size() > shape.size())
    return emitOpError() << "gives " << getType() << ", expected at most the rank of "
                         << getSrc().getType();
  for (auto [size, all] : llvm::zip(part, shape.take_back(part.size())))
    if (size > all)
      return emitOpError() << "takes " << size << " elements, which leaves a dimension of " << all
                           << " elements";
  return verifyPart(*this, getSrc().getType(), getType(), part);
}

LogicalResult AsyncCopyOp::verify() {
  auto pointers = dyn_cast<RankedTensorType>(getSrc().getType());
  auto pointer = pointers ? dyn_cast<tt::PointerType>(pointers.getElementType()) : nullptr;
  MemDescType memory = getResult().getType();
  if (!pointer || pointer.getPointeeType() != memory.getElementType() ||
      pointers.getShape() != memory.getShape())
    return emitOpError() << "needs a tensor of pointers to the elements of " << memory << ", not "
                         << getSrc().getType();
  return success();
}

LogicalResult MemDescTransOp::verify() {
  ArrayRef<int64_t> shape = getSrc().getType().getShape();
  SmallVector<int64_t> moved;
  llvm::SmallBitVector seen(shape.size());
  for (int32_t d : getOrder()) {
    if (d < 0 || d >= int32_t(shape.size()) || seen[d])
      return emitOpError() << "has the order [" << getOrder()
                           << "], which is no permutation of the dimensions of "
                           << getSrc().getType();
    seen.set(d);
    moved.push_back(shape[d]);
  }
  return verifyPart(*this, getSrc().getType(), getType(), moved);
}

} // namespace tritonrt::ttg
