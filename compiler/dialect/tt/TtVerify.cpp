// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Verifiers. Element counts of tensors are checked for all ops at once by the frontend, since
// tensors also flow through ops of other dialects.
#include "compiler/dialect/tt/TtOps.h"

using namespace mlir;

namespace tritonrt::tt {

//===----------------------------------------------------------------------===//
// Pieces
//===----------------------------------------------------------------------===//

/// Empty for a scalar.
static ArrayRef<int64_t> shapeOf(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? tensor.getShape() : ArrayRef<int64_t>();
}

static LogicalResult verifySameShape(Operation *op, Type a, Type b) {
  if (isa<RankedTensorType>(a) == isa<RankedTensorType>(b) && shapeOf(a) == shapeOf(b))
    return success();
  return op->emitOpError("has operand and result of different shapes: ")
         << a << " and " << b << ", expected equal ones";
}

static LogicalResult verifySameElements(Operation *op, Type a, Type b) {
  if (elementTypeOf(a) == elementTypeOf(b))
    return success();
  return op->emitOpError("has operand and result of different element types: ")
         << a << " and " << b << ", expected equal ones";
}

static LogicalResult verifyType(Operation *op, StringRef what, Type got, Type expected) {
  if (got == expected)
    return success();
  return op->emitOpError() << what << " has type " << got << ", expected " << expected;
}

static LogicalResult verifyAxis(Operation *op, int64_t axis, int64_t rank) {
  if (axis >= 0 && axis < rank)
    return success();
  InFlightDiagnostic error = op->emitOpError();
  error << "axis " << axis << " is outside of a tensor of rank " << rank;
  if (rank > 0)
    error << ", expected 0 to " << rank - 1;
  return error;
}

/// `type`, which stands where `shape` belongs.
static LogicalResult verifyShape(Operation *op, StringRef what, Type type,
                                 ArrayRef<int64_t> shape) {
  if (shapeOf(type) == shape)
    return success();
  return op->emitOpError() << what << " is " << type << ", expected "
                           << RankedTensorType::get(shape, elementTypeOf(type));
}

/// The shape without, or with another size at, one dimension.
static SmallVector<int64_t> without(ArrayRef<int64_t> shape, int64_t axis) {
  SmallVector<int64_t> result(shape);
  result.erase(result.begin() + axis);
  return result;
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

LogicalResult ReturnOp::verify() {
  auto function = cast<FuncOp>((*this)->getParentOp());
  ArrayRef<Type> expected = function.getResultTypes();
  if (getNumOperands() != expected.size())
    return emitOpError() << "returns " << getNumOperands() << " values, but @" << function.getName()
                         << " has " << expected.size() << " results";
  for (auto [index, pair] : llvm::enumerate(llvm::zip(getOperandTypes(), expected))) {
    auto [got, want] = pair;
    if (got != want)
      return emitOpError() << "returns " << got << " as result " << index << ", but @"
                           << function.getName() << " declares " << want;
  }
  return success();
}

LogicalResult CallOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto callee = symbols.lookupNearestSymbolFrom<FuncOp>(*this, getCalleeAttr());
  if (!callee)
    return emitOpError() << "calls @" << getCallee()
                         << ", which is not a function of this module; add it to the text";
  FunctionType type = callee.getFunctionType();
  if (TypeRange(getOperandTypes()) != TypeRange(type.getInputs()) ||
      TypeRange(getResultTypes()) != TypeRange(type.getResults()))
    return emitOpError() << "calls @" << getCallee() << " as "
                         << FunctionType::get(getContext(), getOperandTypes(), getResultTypes())
                         << ", but it is " << type;
  return success();
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

LogicalResult MakeRangeOp::verify() {
  int64_t start = static_cast<int32_t>(getStart()), end = static_cast<int32_t>(getEnd());
  if (start >= end)
    return emitOpError() << "start " << start << " is not below end " << end;
  auto type = cast<RankedTensorType>(getType());
  if (type.getRank() != 1 || type.getDimSize(0) != end - start)
    return emitOpError() << "makes " << end - start << " elements, but the result is " << type;
  return success();
}

LogicalResult SplatOp::verify() {
  if (isa<RankedTensorType>(getSrc().getType()))
    return emitOpError() << "takes a scalar, got " << getSrc().getType();
  return verifySameElements(*this, getSrc().getType(), getType());
}

LogicalResult UnsplatOp::verify() {
  if (cast<RankedTensorType>(getSrc().getType()).getNumElements() != 1)
    return emitOpError() << "takes a tensor of one element, got " << getSrc().getType();
  return success();
}

LogicalResult ExpandDimsOp::verify() {
  auto from = cast<RankedTensorType>(getSrc().getType()), to = cast<RankedTensorType>(getType());
  int64_t axis = static_cast<int32_t>(getAxis());
  if (failed(verifySameElements(*this, from, to)) ||
      failed(verifyAxis(*this, axis, from.getRank() + 1)))
    return failure();
  SmallVector<int64_t> expected(from.getShape());
  expected.insert(expected.begin() + axis, 1);
  return verifyShape(*this, "result", to, expected);
}

LogicalResult BroadcastOp::verify() {
  auto from = cast<RankedTensorType>(getSrc().getType()), to = cast<RankedTensorType>(getType());
  if (failed(verifySameElements(*this, from, to)))
    return failure();
  if (from.getRank() != to.getRank())
    return emitOpError() << "keeps the rank, but goes from " << from << " to " << to;
  for (auto [dim, sizes] : llvm::enumerate(llvm::zip(from.getShape(), to.getShape()))) {
    auto [before, after] = sizes;
    if (before != after && before != 1)
      return emitOpError() << "repeats dimensions of size 1 only, but dimension " << dim
                           << " goes from " << before << " to " << after;
  }
  return success();
}

LogicalResult TransOp::verify() {
  auto from = cast<RankedTensorType>(getSrc().getType()), to = cast<RankedTensorType>(getType());
  if (failed(verifySameElements(*this, from, to)))
    return failure();
  ArrayRef<int32_t> order = getOrder();
  SmallVector<int32_t> sorted(order);
  llvm::sort(sorted);
  if (int64_t(order.size()) != from.getRank() ||
      !llvm::equal(sorted, llvm::seq<int32_t>(0, from.getRank())))
    return emitOpError() << "order is not a permutation of the dimensions of " << from
                         << ", expected each of 0 to " << from.getRank() - 1 << " once";
  SmallVector<int64_t> expected;
  for (int32_t dim : order)
    expected.push_back(from.getDimSize(dim));
  return verifyShape(*this, "result", to, expected);
}

static LogicalResult verifyReshape(Operation *op, Type source, Type result) {
  auto from = cast<RankedTensorType>(source), to = cast<RankedTensorType>(result);
  if (failed(verifySameElements(op, from, to)))
    return failure();
  if (from.getNumElements() != to.getNumElements())
    return op->emitOpError() << "keeps the number of elements, but goes from " << from << " to "
                             << to;
  return success();
}
LogicalResult ReshapeOp::verify() { return verifyReshape(*this, getSrc().getType(), getType()); }
LogicalResult ViewOp::verify() { return verifyReshape(*this, getSrc().getType(), getType()); }

/// `whole` is `part` with one more dimension of size two at the end.
static LogicalResult verifyPairs(Operation *op, Type part, Type whole) {
  SmallVector<int64_t> expected(shapeOf(part));
  expected.push_back(2);
  if (failed(verifySameElements(op, part, whole)))
    return failure();
  if (ArrayRef<int64_t>(expected) != shapeOf(whole))
    return op->emitOpError() << "relates " << part << " to " << whole
                             << ", expected one more dimension of size 2";
  return success();
}
LogicalResult JoinOp::verify() { return verifyPairs(*this, getLhs().getType(), getType()); }
LogicalResult SplitOp::verify() {
  return verifyPairs(*this, getOutLHS().getType(), getSrc().getType());
}

LogicalResult CatOp::verify() {
  auto part = cast<RankedTensorType>(getLhs().getType()), whole = cast<RankedTensorType>(getType());
  if (failed(verifySameElements(*this, part, whole)))
    return failure();
  if (part.getRank() != 1)
    return emitOpError() << "joins tensors of one dimension, got " << part;
  return verifyShape(*this, "result", whole, {2 * part.getDimSize(0)});
}

LogicalResult GatherOp::verify() {
  auto source = cast<RankedTensorType>(getSrc().getType());
  auto indices = cast<RankedTensorType>(getIndices().getType());
  int64_t axis = static_cast<int32_t>(getAxis());
  if (failed(verifyAxis(*this, axis, source.getRank())) ||
      failed(verifyType(*this, "result", getType(),
                        withElementType(indices, source.getElementType()))))
    return failure();
  if (indices.getRank() != source.getRank() ||
      without(indices.getShape(), axis) != without(source.getShape(), axis))
    return emitOpError() << "indices " << indices << " and source " << source
                         << " differ in more than axis " << axis
                         << ", expected the same sizes along the others";
  return success();
}

LogicalResult HistogramOp::verify() {
  if (cast<RankedTensorType>(getSrc().getType()).getRank() != 1 ||
      cast<RankedTensorType>(getType()).getRank() != 1)
    return emitOpError() << "works on one dimension, got " << getSrc().getType() << " and "
                         << getType();
  return success();
}

//===----------------------------------------------------------------------===//
// Pointers and casts
//===----------------------------------------------------------------------===//

LogicalResult AddPtrOp::verify() {
  return verifySameShape(*this, getOffset().getType(), getType());
}
LogicalResult IntToPtrOp::verify() { return verifySameShape(*this, getSrc().getType(), getType()); }
LogicalResult PtrToIntOp::verify() { return verifySameShape(*this, getSrc().getType(), getType()); }

LogicalResult BitcastOp::verify() {
  Type from = elementTypeOf(getSrc().getType()), to = elementTypeOf(getType());
  if (failed(verifySameShape(*this, getSrc().getType(), getType())))
    return failure();
  bool fromPointer = isa<PointerType>(from), toPointer = isa<PointerType>(to);
  if (fromPointer && toPointer)
    return success();
  if (fromPointer != toPointer || from.getIntOrFloatBitWidth() != to.getIntOrFloatBitWidth())
    return emitOpError() << "cannot turn " << from << " into " << to
                         << ": the widths have to be equal, and tt.int_to_ptr makes pointers";
  return success();
}

LogicalResult FpToFpOp::verify() {
  if (failed(verifySameShape(*this, getSrc().getType(), getType())))
    return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

static LogicalResult verifyBoundary(Operation *op, Type pointer, ArrayRef<int32_t> checked) {
  if (!isBlockPointer(pointer)) {
    if (!checked.empty())
      return op->emitOpError(
                 "has a boundary check, which needs a block pointer (or no boundaryCheck), got ")
             << pointer;
    return success();
  }
  int64_t rank = shapeOf(cast<PointerType>(pointer).getPointeeType()).size();
  for (int32_t dim : checked)
    if (failed(verifyAxis(op, dim, rank)))
      return failure();
  return success();
}

/// What a pointer, a mask over it and a value behind it have to do with each other.
static LogicalResult verifyAccess(Operation *op, Type pointer, Value mask, Type value) {
  if (failed(verifyType(op, "value", value, pointeeLike(pointer))))
    return failure();
  if (!mask)
    return success();
  if (isBlockPointer(pointer))
    return op->emitOpError("through a block pointer takes no mask; use its boundaryCheck");
  return verifyType(op, "mask", mask.getType(), boolLike(value));
}

LogicalResult LoadOp::verify() {
  Type pointer = getPtr().getType();
  if (failed(verifyAccess(*this, pointer, getMask(), getType())) ||
      failed(verifyBoundary(*this, pointer, getBoundaryCheck())))
    return failure();
  if (getOther() && !getMask())
    return emitOpError("has a value for masked lanes, but no mask; add the mask or drop the value");
  if (getOther() && failed(verifyType(*this, "other", getOther().getType(), getType())))
    return failure();
  if (getPadding() && !isBlockPointer(pointer))
    return emitOpError("has padding, which needs a block pointer (or no padding), got ") << pointer;
  if (getPadding() == PaddingOption::Nan && !isFloatLike(getType()))
    return emitOpError("pads with NaN, which ") << getType() << " does not have; pad with zero";
  return success();
}

LogicalResult StoreOp::verify() {
  Type pointer = getPtr().getType();
  return failure(failed(verifyAccess(*this, pointer, getMask(), getValue().getType())) ||
                 failed(verifyBoundary(*this, pointer, getBoundaryCheck())));
}

static LogicalResult verifyAtomicWidth(Operation *op, Type value, unsigned least) {
  Type element = elementTypeOf(value);
  if (isa<PointerType>(element))
    return success();
  unsigned width = element.getIntOrFloatBitWidth();
  if (width < least || width > 64)
    return op->emitOpError() << "on " << element << " is not supported; atomics have " << least
                             << " to 64 bits";
  return success();
}

LogicalResult AtomicRMWOp::verify() {
  if (failed(verifyAccess(*this, getPtr().getType(), getMask(), getVal().getType())) ||
      failed(verifyType(*this, "result", getType(), getVal().getType())) ||
      failed(verifyAtomicWidth(*this, getType(), 16)))
    return failure();
  bool isFloat = isFloatLike(getType());
  RMWOp kind = getAtomicRmwOp();
  if (kind == RMWOp::Exch || isFloat == (kind == RMWOp::FAdd))
    return success();
  // Triton's frontend turns float max and min into integer ones; the float ones are well defined.
  if (isFloat && (kind == RMWOp::Max || kind == RMWOp::Min))
    return success();
  return emitOpError() << stringifyRMWOp(kind) << " does not work on " << getType()
                       << "; fadd, max, min and exch do on floats, the others on integers";
}

LogicalResult AtomicCASOp::verify() {
  return failure(
      failed(verifyAccess(*this, getPtr().getType(), {}, getVal().getType())) ||
      failed(verifyType(*this, "compared value", getCmp().getType(), getVal().getType())) ||
      failed(verifyType(*this, "result", getType(), getVal().getType())) ||
      failed(verifyAtomicWidth(*this, getType(), 16)));
}

LogicalResult AtomicLoadOp::verify() {
  return verifyAccess(*this, getPtr().getType(), getMask(), getType());
}

LogicalResult AtomicStoreOp::verify() {
  return verifyAccess(*this, getPtr().getType(), getMask(), getValue().getType());
}

LogicalResult AtomicPollOp::verify() {
  return failure(failed(verifyAccess(*this, getPtr().getType(), {}, getExpected().getType())) ||
                 failed(verifyType(*this, "result", getType(), boolLike(getExpected().getType()))));
}

//===----------------------------------------------------------------------===//
// Block pointers and descriptors
//===----------------------------------------------------------------------===//

LogicalResult MakeTensorPtrOp::verify() {
  if (!isBlockPointer(getType()))
    return emitOpError("makes a pointer to a tensor, got ") << getType();
  size_t rank = shapeOf(cast<PointerType>(getType()).getPointeeType()).size();
  if (getShape().size() != rank || getOrder().size() != rank)
    return emitOpError() << "of a block of rank " << rank << " has " << getShape().size()
                         << " sizes and an order of " << getOrder().size()
                         << ", expected one of each for a dimension";
  return success();
}

LogicalResult AdvanceOp::verify() {
  if (!isBlockPointer(getType()))
    return emitOpError("moves a pointer to a tensor, got ") << getType();
  size_t rank = shapeOf(cast<PointerType>(getType()).getPointeeType()).size();
  if (getOffsets().size() != rank)
    return emitOpError() << "of a block of rank " << rank << " has " << getOffsets().size()
                         << " offsets, expected " << rank;
  return success();
}

LogicalResult MakeTensorDescOp::verify() {
  TensorDescType type = getType();
  if (getShape().size() != type.getShape().size())
    return emitOpError() << "of a block of rank " << type.getShape().size() << " has "
                         << getShape().size() << " sizes, expected one for a dimension";
  Type pointee = getBase().getType().getPointeeType();
  if (pointee != type.getElementType())
    return emitOpError() << "of " << type.getElementType() << " has a base that points to "
                         << pointee << ", expected the same";
  if (getPadding() == PaddingOption::Nan && !isFloatType(type.getElementType()))
    return emitOpError("pads with NaN, which ")
           << type.getElementType() << " does not have; pad with zero";
  return success();
}

/// A block may be loaded without its leading dimensions of size one, or in another shape with as
/// many elements.
static LogicalResult verifyBlock(Operation *op, TensorDescType descriptor, Type block,
                                 size_t indices) {
  auto tensor = cast<RankedTensorType>(block);
  if (indices != descriptor.getShape().size())
    return op->emitOpError() << "through a descriptor of rank " << descriptor.getShape().size()
                             << " has " << indices << " indices, expected one for a dimension";
  if (tensor.getElementType() != descriptor.getElementType() ||
      tensor.getNumElements() != descriptor.getBlockType().getNumElements())
    return op->emitOpError() << "moves " << tensor << " through " << descriptor << ", expected "
                             << descriptor.getBlockType() << " or as many elements of it";
  return success();
}

LogicalResult DescriptorLoadOp::verify() {
  return verifyBlock(*this, getDesc().getType(), getType(), getIndices().size());
}
LogicalResult DescriptorStoreOp::verify() {
  return verifyBlock(*this, getDesc().getType(), getSrc().getType(), getIndices().size());
}
LogicalResult DescriptorReduceOp::verify() {
  return verifyBlock(*this, getDesc().getType(), getSrc().getType(), getIndices().size());
}

static LogicalResult verifyRows(Operation *op, TensorDescType descriptor, Type offsets, Type rows) {
  ArrayRef<int64_t> block = descriptor.getShape();
  if (block.size() != 2 || block[0] != 1)
    return op->emitOpError() << "needs a descriptor of one row, as 1x" << block.back() << ", got "
                             << descriptor;
  ArrayRef<int64_t> count = shapeOf(offsets), moved = shapeOf(rows);
  if (count.size() != 1 || moved.size() != 2 || moved[0] != count[0] || moved[1] != block[1] ||
      elementTypeOf(rows) != descriptor.getElementType())
    return op->emitOpError() << "moves " << rows << " at " << offsets << " through " << descriptor
                             << ", expected a row of the descriptor for each offset";
  return success();
}

LogicalResult DescriptorGatherOp::verify() {
  return verifyRows(*this, getDesc().getType(), getXOffsets().getType(), getType());
}
LogicalResult DescriptorScatterOp::verify() {
  return verifyRows(*this, getDesc().getType(), getXOffsets().getType(), getSrc().getType());
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

LogicalResult DotOp::verify() {
  auto a = cast<RankedTensorType>(getA().getType()), b = cast<RankedTensorType>(getB().getType());
  auto c = cast<RankedTensorType>(getC().getType());
  int64_t rank = a.getRank();
  if ((rank != 2 && rank != 3) || b.getRank() != rank || c.getRank() != rank)
    return emitOpError()
           << "takes matrices or batches of them, all of rank 2 or all of rank 3, got " << a << ", "
           << b << " and " << c;
  if (a.getDimSize(rank - 1) != b.getDimSize(rank - 2))
    return emitOpError() << "has inner dimensions " << a.getDimSize(rank - 1) << " and "
                         << b.getDimSize(rank - 2) << ", expected equal ones";
  SmallVector<int64_t> expected(a.getShape());
  expected[rank - 1] = b.getDimSize(rank - 1);
  if (rank == 3 && a.getDimSize(0) != b.getDimSize(0))
    return emitOpError() << "has batches of " << a.getDimSize(0) << " and " << b.getDimSize(0)
                         << ", expected equal ones";
  if (failed(verifyShape(*this, "result", c, expected)))
    return failure();
  bool integers = isIntLike(c);
  if (isPtrLike(a) || isPtrLike(b) || isPtrLike(c) || isIntLike(a) != integers ||
      isIntLike(b) != integers)
    return emitOpError() << "mixes kinds of elements: " << a << ", " << b << " and " << c
                         << ", expected all integers or all floats";
  return success();
}

/// The number of elements along K that `size` stored elements hold: two e2m1 in a byte.
static int64_t unpackedSize(int64_t size, ScaleDotElemType type, bool packed) {
  return type == ScaleDotElemType::E2M1 && packed ? 2 * size : size;
}

Type scaledElementType(Builder &b, ScaleDotElemType kind) {
  switch (kind) {
  case ScaleDotElemType::E2M1:
  case ScaleDotElemType::E2M3:
  case ScaleDotElemType::E3M2:
    return b.getI8Type();
  case ScaleDotElemType::E4M3:
    return b.getType<Float8E4M3FNType>();
  case ScaleDotElemType::E5M2:
    return b.getType<Float8E5M2Type>();
  case ScaleDotElemType::BF16:
    return b.getBF16Type();
  case ScaleDotElemType::FP16:
    return b.getF16Type();
  }
  llvm_unreachable("all kinds are named");
}

/// Elements of a kind have its type, or are integers of as many bits.
static LogicalResult verifyScaledElements(Operation *op, StringRef name, Type type,
                                          ScaleDotElemType kind) {
  Builder b(op->getContext());
  Type element = elementTypeOf(type), own = scaledElementType(b, kind);
  if (element == own || element.isInteger(own.getIntOrFloatBitWidth()))
    return success();
  return op->emitOpError() << name << " is " << type << ", but holds elements of kind "
                           << stringifyScaleDotElemType(kind) << ", expected a tensor of " << own;
}

/// `batch` is what stands before the rows: nothing, or the number of matrices.
static LogicalResult verifyScale(Operation *op, StringRef name, Value scale,
                                 ArrayRef<int64_t> batch, int64_t rows, int64_t depth) {
  if (!scale)
    return success();
  Type element = elementTypeOf(scale.getType());
  if (!element.isInteger(8) && !isa<Float8E4M3FNType>(element))
    return op->emitOpError() << name << " is " << scale.getType()
                             << ", expected a tensor of i8 or f8E4M3FN";
  ArrayRef<int64_t> shape = shapeOf(scale.getType());
  size_t rank = batch.size() + 2;
  if (shape.size() != rank || shape.drop_back(2) != batch || shape[rank - 2] != rows ||
      shape[rank - 1] <= 0 || (depth != shape[rank - 1] * 32 && depth != shape[rank - 1] * 16))
    return op->emitOpError() << name << " " << scale.getType() << " does not fit " << rows
                             << " rows of " << depth << " elements in groups of 32 or 16";
  return success();
}

LogicalResult DotScaledOp::verify() {
  auto a = cast<RankedTensorType>(getA().getType()), b = cast<RankedTensorType>(getB().getType());
  auto c = cast<RankedTensorType>(getC().getType());
  int64_t rank = a.getRank();
  if ((rank != 2 && rank != 3) || b.getRank() != rank || c.getRank() != rank || !isFloatLike(c))
    return emitOpError() << "takes matrices or batches of them and gives floats, got " << a << ", "
                         << b << " and " << c;
  if (failed(verifyScaledElements(*this, "the left side", a, getAElemType())) ||
      failed(verifyScaledElements(*this, "the right side", b, getBElemType())))
    return failure();
  int64_t depthA = unpackedSize(a.getDimSize(rank - 1), getAElemType(), getLhsKPack());
  int64_t depthB = unpackedSize(b.getDimSize(rank - 2), getBElemType(), getRhsKPack());
  if (depthA != depthB)
    return emitOpError() << "has inner dimensions " << depthA << " and " << depthB
                         << ", expected equal ones";
  ArrayRef<int64_t> batch = a.getShape().drop_back(2);
  if (batch != b.getShape().drop_back(2))
    return emitOpError() << "has batches of " << batch << " and " << b.getShape().drop_back(2)
                         << ", expected equal ones";
  SmallVector<int64_t> expected(a.getShape());
  expected[rank - 2] = unpackedSize(a.getDimSize(rank - 2), getAElemType(), !getLhsKPack());
  expected[rank - 1] = unpackedSize(b.getDimSize(rank - 1), getBElemType(), !getRhsKPack());
  if (failed(verifyShape(*this, "result", c, expected)))
    return failure();
  return failure(failed(verifyScale(*this, "scale of the left side", getAScale(), batch,
                                    expected[rank - 2], depthA)) ||
                 failed(verifyScale(*this, "scale of the right side", getBScale(), batch,
                                    expected[rank - 1], depthB)));
}

LogicalResult ExternElementwiseOp::verify() {
  for (Value source : getSrcs())
    if (isa<RankedTensorType>(source.getType()) &&
        failed(verifySameShape(*this, source.getType(), getType())))
      return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// Ops with a region
//===----------------------------------------------------------------------===//

/// All operands have one shape, and there is at least one.
static LogicalResult verifySources(Operation *op, OperandRange sources) {
  if (sources.empty())
    return op->emitOpError("has no operand; at least one tensor expected");
  for (Value source : sources)
    if (shapeOf(source.getType()) != shapeOf(sources.front().getType()))
      return op->emitOpError() << "has operands of different shapes: " << sources.front().getType()
                               << " and " << source.getType() << ", expected equal ones";
  return success();
}

/// The block's arguments are the operands' elements, all of them twice; it returns them once.
static LogicalResult verifyCombine(Operation *op, OperandRange sources, Region &region,
                                   StringRef terminatorName) {
  SmallVector<Type> elements;
  for (Value source : sources)
    elements.push_back(elementTypeOf(source.getType()));
  SmallVector<Type> arguments(elements);
  arguments.append(elements);
  Block &block = region.front();
  if (TypeRange(block.getArgumentTypes()) != TypeRange(arguments))
    return op->emitOpError() << "combines elements of types (" << TypeRange(elements)
                             << "), so its region takes (" << TypeRange(arguments) << "), got ("
                             << TypeRange(block.getArgumentTypes()) << ")";
  Operation *terminator = block.empty() ? nullptr : &block.back();
  if (!terminator || terminator->getName().getStringRef() != terminatorName)
    return op->emitOpError() << "region has to end in " << terminatorName;
  if (TypeRange(terminator->getOperandTypes()) != TypeRange(elements))
    return terminator->emitOpError() << "gives (" << TypeRange(terminator->getOperandTypes())
                                     << "), expected (" << TypeRange(elements) << ")";
  return success();
}

LogicalResult ReduceOp::verify() {
  if (failed(verifySources(*this, getSrcs())))
    return failure();
  auto first = cast<RankedTensorType>(getSrcs().front().getType());
  int64_t axis = static_cast<int32_t>(getAxis());
  if (failed(verifyAxis(*this, axis, first.getRank())))
    return failure();
  if (getNumResults() != getNumOperands())
    return emitOpError() << "has " << getNumOperands() << " operands and " << getNumResults()
                         << " results, expected one for each operand";
  for (auto [source, result] : llvm::zip_equal(getSrcs(), getResult())) {
    auto type = cast<RankedTensorType>(source.getType());
    Type element = type.getElementType();
    Type expected = type.getRank() == 1
                        ? element
                        : Type(RankedTensorType::get(without(type.getShape(), axis), element));
    // The result's layout is not ours to say.
    if (elementTypeOf(result.getType()) != element ||
        isa<RankedTensorType>(result.getType()) != isa<RankedTensorType>(expected) ||
        shapeOf(result.getType()) != shapeOf(expected))
      return verifyType(*this, "result", result.getType(), expected);
  }
  return success();
}
LogicalResult ReduceOp::verifyRegions() {
  return verifyCombine(*this, getSrcs(), getCombineOp(), ReduceReturnOp::getOperationName());
}

LogicalResult ScanOp::verify() {
  if (failed(verifySources(*this, getSrcs())))
    return failure();
  int64_t axis = static_cast<int32_t>(getAxis());
  if (failed(verifyAxis(*this, axis, shapeOf(getSrcs().front().getType()).size())))
    return failure();
  if (TypeRange(getSrcs()) != TypeRange(getResult()))
    return emitOpError() << "has operands (" << TypeRange(getSrcs()) << ") and results ("
                         << TypeRange(getResult()) << "), expected the same types";
  return success();
}
LogicalResult ScanOp::verifyRegions() {
  return verifyCombine(*this, getSrcs(), getCombineOp(), ScanReturnOp::getOperationName());
}

LogicalResult MapElementwiseOp::verify() {
  if (failed(verifySources(*this, getSrcs())))
    return failure();
  int64_t pack = static_cast<int32_t>(getPack());
  auto first = cast<RankedTensorType>(getSrcs().front().getType());
  if (pack <= 0 || first.getNumElements() % pack != 0)
    return emitOpError() << "takes " << pack << " elements of " << first
                         << " at a time, expected a number that divides them";
  for (Value result : getResult())
    if (failed(verifySameShape(*this, first, result.getType())))
      return failure();
  return success();
}

LogicalResult MapElementwiseOp::verifyRegions() {
  int64_t pack = static_cast<int32_t>(getPack());
  Region &region = getScalarOp();
  if (region.empty())
    return emitOpError("has an empty region; a block that ends in its return expected");
  SmallVector<Type> arguments, results;
  for (Value source : getSrcs())
    arguments.append(pack, elementTypeOf(source.getType()));
  for (Value result : getResult())
    results.append(pack, elementTypeOf(result.getType()));
  if (TypeRange(region.getArgumentTypes()) != TypeRange(arguments))
    return emitOpError() << "region takes (" << TypeRange(region.getArgumentTypes())
                         << "), expected (" << TypeRange(arguments) << ")";
  for (auto returned : region.getOps<MapElementwiseReturnOp>())
    if (TypeRange(returned.getOperandTypes()) != TypeRange(results))
      return returned.emitOpError() << "gives (" << TypeRange(returned.getOperandTypes())
                                    << "), expected (" << TypeRange(results) << ")";
  return success();
}

//===----------------------------------------------------------------------===//
// Debugging
//===----------------------------------------------------------------------===//

LogicalResult PrintOp::verify() {
  // Absent up to 3.1: everything counts as signed.
  if (getIsSigned() && getIsSigned()->size() != getArgs().size())
    return emitOpError() << "prints " << getArgs().size() << " values, but isSigned has "
                         << getIsSigned()->size() << " entries, expected one for each value";
  return success();
}

} // namespace tritonrt::tt
