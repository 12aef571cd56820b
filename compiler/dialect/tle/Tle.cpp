// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/dialect/tle/Tle.h"

#include "compiler/dialect/tt/TtTypes.h"
#include "compiler/dialect/ttg/Ttg.h"

using namespace mlir;

#include "compiler/dialect/tle/TleDialect.cpp.inc"

namespace tritonrt::tle {

void TleDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "compiler/dialect/tle/TleOps.cpp.inc"
      >();
}

/// Says of an op that is not there why it is not.
static ParseResult refuse(OpAsmParser &parser, OperationState &state) {
  StringRef name = state.name.getStringRef();
  InFlightDiagnostic error = parser.emitError(parser.getNameLoc());
  // The parser names the op in front of it.
  error << "is not supported";
  if (name.starts_with("tle.pipe."))
    error << ": pipes belong to kernels whose warps are specialised";
  return error;
}

std::optional<Dialect::ParseOpHook> TleDialect::getParseOperationHook(StringRef) const {
  return refuse;
}

std::optional<BufferType> bufferType(Type type) {
  BufferType buffer;
  if (auto memory = dyn_cast<ttg::MemDescType>(type)) {
    buffer = {llvm::to_vector(memory.getShape()), memory.getElementType()};
  } else if (auto memory = dyn_cast<MemRefType>(type);
             memory && memory.hasStaticShape() && memory.getLayout().isIdentity()) {
    buffer = {llvm::to_vector(memory.getShape()), memory.getElementType()};
  } else {
    return std::nullopt;
  }
  if (!tt::isIntType(buffer.element) && !tt::isFloatType(buffer.element))
    return std::nullopt;
  return buffer;
}

static ArrayRef<int64_t> shapeOf(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? tensor.getShape() : ArrayRef<int64_t>();
}

static std::string shapeText(ArrayRef<int64_t> shape) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::interleave(shape, os, "x");
  return text;
}

LogicalResult verifyLocalPointers(Operation *op, Value src, ValueRange indices, Type result) {
  std::optional<BufferType> buffer = bufferType(src.getType());
  if (!buffer)
    return op->emitOpError() << "needs a local buffer of numbers with a static shape, not "
                             << src.getType();
  auto pointer = dyn_cast<tt::PointerType>(tt::elementTypeOf(result));
  if (!pointer || pointer.getPointeeType() != buffer->element)
    return op->emitOpError() << "gives " << result << ", expected pointers to " << buffer->element;
  if (!indices.empty() && indices.size() != buffer->shape.size())
    return op->emitOpError() << "has " << indices.size() << " indices for a buffer of "
                             << buffer->shape.size() << " dimensions, expected one for each";
  for (Value index : indices)
    if (!tt::isIntLike(index.getType()) || shapeOf(index.getType()) != shapeOf(result))
      return op->emitOpError() << "has an index of type " << index.getType()
                               << ", expected integers in the shape of " << result;
  if (indices.empty() && shapeOf(result) != ArrayRef(buffer->shape))
    return op->emitOpError() << "without indices gives pointers to all of "
                             << shapeText(buffer->shape) << ", not " << result;
  return success();
}

LogicalResult verifyRemotePointers(Operation *op, Type src, Value shard, Type result) {
  auto from = dyn_cast<tt::PointerType>(tt::elementTypeOf(src));
  auto to = dyn_cast<tt::PointerType>(tt::elementTypeOf(result));
  if (!from || !to || from.getPointeeType() != to.getPointeeType() ||
      shapeOf(src) != shapeOf(result))
    return op->emitOpError() << "makes " << result << " of " << src
                             << ", expected pointers of one shape to the same elements";
  if (!tt::isIntType(shard.getType()))
    return op->emitOpError() << "has a shard id of type " << shard.getType()
                             << ", expected an integer";
  return success();
}

LogicalResult LocalPointersOp::verify() {
  return verifyLocalPointers(*this, getSrc(), getIndices(), getType());
}

Value RemotePointersOp::getShard() {
  std::optional<ArrayRef<int32_t>> segments = getOperandSegmentSizes();
  bool hasComm = segments && segments->size() == 4 && (*segments)[1] == 1;
  return getOperand(hasComm ? 2 : 1);
}

LogicalResult RemotePointersOp::verify() {
  int64_t count = getNumOperands();
  if (std::optional<ArrayRef<int32_t>> segments = getOperandSegmentSizes()) {
    int64_t sum = 0;
    for (int32_t size : *segments)
      sum += size == 0 || size == 1 ? size : int64_t{1} << 20;
    if ((segments->size() != 3 && segments->size() != 4) || sum != count)
      return emitOpError() << "has operandSegmentSizes " << *segments << " and " << count
                           << " operands, expected 3 or 4 counts of 0 or 1 that add up to them";
    bool isLong = segments->size() == 4;
    if (!(*segments)[isLong ? 2 : 1])
      return emitOpError("has no shard id; the number of a program of the mesh expected");
    if (!segments->front())
      return emitOpError("without source pointers is not supported: they are memory of no mesh");
    if (segments->back())
      return emitOpError("with an offset is not supported: it belongs to memory of a device");
  } else if (count != 2) {
    return emitOpError() << "has " << count << " operands, expected a source and a shard id";
  }
  if (StringRef space = getSpace().value_or("cluster"); space != "cluster")
    return emitOpError() << "into space '" << space << "' is not supported; there is 'cluster'";
  return verifyRemotePointers(*this, getSrc().getType(), getShard(), getType());
}

LogicalResult DslRegionOp::verify() {
  StringRef language = getRegionDialect().value_or("llvm");
  if (language != "llvm" && language != "mlir")
    return emitOpError() << "is written in '" << language
                         << "'; there are regions of the LLVM dialect alone";
  if (getBody().empty())
    return emitOpError("has no body; a block that ends in tle.yield expected");
  if (getBody().getArgumentTypes() != getInputs().getTypes())
    return emitOpError() << "has a body that takes (" << getBody().getArgumentTypes()
                         << "), expected its operands' types (" << getInputs().getTypes() << ")";
  bool ends = false;
  for (Block &block : getBody()) {
    auto yield = dyn_cast_if_present<YieldOp>(block.empty() ? nullptr : &block.back());
    ends |= bool(yield);
    if (yield && yield.getInputs().size() != getNumResults())
      return emitOpError() << "has " << getNumResults() << " results and yields "
                           << yield.getInputs().size() << ", expected a value for each";
  }
  return ends ? success() : emitOpError("has a body that nowhere ends in tle.yield");
}

LogicalResult DistributedBarrierOp::verify() { return verifyGroup(*this); }

/// Checks a tensor, a tile of it and the tile's number.
static LogicalResult verifyTile(Operation *op, Type whole, Type part, Type index,
                                std::optional<ArrayRef<int64_t>> stated) {
  auto source = dyn_cast<RankedTensorType>(whole), tile = dyn_cast<RankedTensorType>(part);
  if (!source || !tile || source.getElementType() != tile.getElementType() ||
      source.getRank() != tile.getRank())
    return op->emitOpError() << "needs a tensor and a tile of its rank and elements, not " << whole
                             << " and " << part;
  if (!tt::isIntType(index))
    return op->emitOpError() << "has an index of type " << index << ", expected an integer";
  if (stated && *stated != tile.getShape())
    return op->emitOpError() << "has tile_shape " << shapeText(*stated) << " and a tile of "
                             << shapeText(tile.getShape()) << ", expected the same";
  for (auto [all, some] : llvm::zip(source.getShape(), tile.getShape()))
    if (some <= 0 || all % some != 0)
      return op->emitOpError() << "cuts " << shapeText(source.getShape()) << " into tiles of "
                               << shapeText(tile.getShape()) << ", which do not divide it";
  return success();
}

LogicalResult ExtractTileOp::verify() {
  return verifyTile(*this, getSrc().getType(), getType(), getIndex().getType(), getTileShape());
}

LogicalResult InsertTileOp::verify() {
  if (getSrc().getType() != getType())
    return emitOpError() << "gives " << getType() << ", expected the source's type "
                         << getSrc().getType();
  return verifyTile(*this, getType(), getTile().getType(), getIndex().getType(), getTileShape());
}

LogicalResult ExclusiveCumsumOp::verify() {
  auto source = dyn_cast<RankedTensorType>(getSrc().getType());
  if (!source || source.getRank() != 1 || getAxis() != 0 || getExclusive().getType() != source ||
      getTotal().getType() != source.getElementType() ||
      !(tt::isIntLike(source) || tt::isFloatLike(source)))
    return emitOpError() << "sums numbers along axis 0 of a tensor of one dimension to the same "
                            "type and a scalar, got axis "
                         << getAxis() << " of " << getSrc().getType() << ", and "
                         << getExclusive().getType() << " and " << getTotal().getType();
  return success();
}

} // namespace tritonrt::tle

#define GET_OP_CLASSES
#include "compiler/dialect/tle/TleOps.cpp.inc"
