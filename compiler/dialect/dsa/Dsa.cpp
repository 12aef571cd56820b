// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/dialect/dsa/Dsa.h"

#include "compiler/dialect/tle/Tle.h"
#include "compiler/dialect/tt/TtTypes.h"

using namespace mlir;

#include "compiler/dialect/dsa/DsaDialect.cpp.inc"

namespace tritonrt::dsa {

void DsaDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "compiler/dialect/dsa/DsaOps.cpp.inc"
      >();
}

/// A buffer and a tensor of its shape and elements.
static LogicalResult verifyWhole(Operation *op, Type memory, Type tensor) {
  std::optional<tle::BufferType> buffer = tle::bufferType(memory);
  auto values = dyn_cast<RankedTensorType>(tensor);
  if (!buffer || !values || values.getShape() != ArrayRef(buffer->shape) ||
      values.getElementType() != buffer->element)
    return op->emitOpError() << "needs a buffer and a tensor of its shape and elements, not "
                             << memory << " and " << tensor;
  return success();
}

static LogicalResult verifyBuffers(Operation *op) {
  for (Type type : op->getOperandTypes())
    if (!tle::bufferType(type) || type != op->getOperand(0).getType())
      return op->emitOpError() << "needs buffers of one static shape and element type, not "
                               << op->getOperand(0).getType() << " and " << type;
  return success();
}

static LogicalResult verifyFloats(Operation *op) {
  if (failed(verifyBuffers(op)))
    return failure();
  Type element = cast<MemRefType>(op->getOperand(0).getType()).getElementType();
  if (!isa<FloatType>(element))
    return op->emitOpError() << "computes on floats, not on " << element;
  return success();
}

LogicalResult AllocOp::verify() {
  std::optional<tle::BufferType> buffer = tle::bufferType(getType());
  if (!buffer || getShape() != ArrayRef(buffer->shape))
    return emitOpError() << "of [" << getShape() << "] gives " << getType()
                         << ", expected a buffer of that shape";
  return success();
}

LogicalResult CopyOp::verify() { return verifyBuffers(*this); }
LogicalResult AddOp::verify() { return verifyFloats(*this); }
LogicalResult SubOp::verify() { return verifyFloats(*this); }
LogicalResult MulOp::verify() { return verifyFloats(*this); }
LogicalResult DivOp::verify() { return verifyFloats(*this); }
LogicalResult MaximumOp::verify() { return verifyFloats(*this); }
LogicalResult MinimumOp::verify() { return verifyFloats(*this); }

LogicalResult LocalPointersOp::verify() {
  return tle::verifyLocalPointers(*this, getSrc(), getIndices(), getType());
}

LogicalResult RemotePointersOp::verify() {
  for (int32_t id : getMeshPhysicalIds().value_or(ArrayRef<int32_t>()))
    if (id < 0)
      return emitOpError() << "has the program number " << id << ", expected 0 or more";
  return tle::verifyRemotePointers(*this, getSrc().getType(), getShard(), getType());
}

LogicalResult DistributedBarrierOp::verify() { return tle::verifyGroup(*this); }
LogicalResult ToTensorOp::verify() { return verifyWhole(*this, getSrc().getType(), getType()); }
LogicalResult ToBufferOp::verify() {
  return verifyWhole(*this, getDst().getType(), getSrc().getType());
}

LogicalResult CumsumOp::verify() {
  auto source = dyn_cast<RankedTensorType>(getSrc().getType());
  if (!source || source.getRank() == 0 || getAxis() != uint32_t(source.getRank() - 1) ||
      !(tt::isIntLike(source) || tt::isFloatLike(source)))
    return emitOpError() << "sums along the last dimension of a tensor of numbers, got axis "
                         << getAxis() << " of " << getSrc().getType();
  ArrayRef<int64_t> rows = source.getShape().drop_back();
  Type total = rows.empty() ? source.getElementType() : Type(source.clone(rows));
  if (getExclusive().getType() != source || getTotal().getType() != total)
    return emitOpError() << "gives " << getExclusive().getType() << " and " << getTotal().getType()
                         << ", expected " << source << " and " << total;
  return success();
}

LogicalResult BitcastOp::verify() {
  auto bits = [](Type type) -> int64_t {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor || !tensor.hasStaticShape() || !(tt::isIntLike(type) || tt::isFloatLike(type)))
      return -1;
    int64_t width = tensor.getElementTypeBitWidth();
    return width % 8 ? -1 : width * tensor.getNumElements();
  };
  int64_t from = bits(getSrc().getType());
  if (from < 0 || from != bits(getType()))
    return emitOpError() << "needs tensors of numbers of whole bytes, of equal size, not "
                         << getSrc().getType() << " and " << getType();
  return success();
}

static LogicalResult verifySlice(Operation *op, Type whole, Type part, OperandRange offsets,
                                 ArrayRef<int64_t> starts, ArrayRef<int64_t> sizes,
                                 ArrayRef<int64_t> strides) {
  auto source = dyn_cast<RankedTensorType>(whole), slice = dyn_cast<RankedTensorType>(part);
  if (!source || !slice || source.getElementType() != slice.getElementType() ||
      !slice.hasStaticShape() || slice.getShape() != sizes || source.getRank() != slice.getRank())
    return op->emitOpError()
           << "needs a tensor and a slice of its rank and elements, of the sizes [" << sizes
           << "], not " << whole << " and " << part;
  size_t rank = source.getRank();
  if (starts.size() != rank || strides.size() != rank)
    return op->emitOpError() << "has " << starts.size() << " offsets and " << strides.size()
                             << " strides for " << rank
                             << " dimensions, expected one of each for a dimension";
  if (llvm::count(starts, ShapedType::kDynamic) != int64_t(offsets.size()))
    return op->emitOpError() << "has " << offsets.size() << " operands for "
                             << llvm::count(starts, ShapedType::kDynamic)
                             << " offsets that are not static, expected one for each";
  for (auto [start, size, stride, all] : llvm::zip(starts, sizes, strides, source.getShape())) {
    int64_t first = ShapedType::isDynamic(start) ? 0 : start;
    if (stride <= 0 || first < 0 || first >= all || (size - 1) > (all - 1 - first) / stride)
      return op->emitOpError() << "takes " << size << " elements from " << first << " with stride "
                               << stride << ", which leaves a dimension of " << all << " elements";
  }
  return success();
}

LogicalResult ExtractSliceOp::verify() {
  return verifySlice(*this, getSrc().getType(), getType(), getOffsets(), getStaticOffsets(),
                     getSizes(), getStrides());
}

LogicalResult InsertSliceOp::verify() {
  if (getSrc().getType() != getType())
    return emitOpError() << "gives " << getType() << ", expected the source's type "
                         << getSrc().getType();
  return verifySlice(*this, getType(), getSlice().getType(), getOffsets(), getStaticOffsets(),
                     getSizes(), getStrides());
}

} // namespace tritonrt::dsa

#define GET_OP_CLASSES
#include "compiler/dialect/dsa/DsaOps.cpp.inc"
