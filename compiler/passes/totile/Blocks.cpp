// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Block pointers and tensor descriptors: strided blocks whose elements outside of the tensor are
// masked.
#include "compiler/passes/totile/Translator.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace tritonrt::compiler {

SmallVector<Linear, 2> Translator::linears(OperandRange values) {
  SmallVector<Linear, 2> result;
  for (Value value : values)
    result.push_back(scalars.linear(data(value)));
  return result;
}

Value Translator::padding(bool nan, Type element) {
  auto type = dyn_cast<FloatType>(element);
  if (!nan || !type)
    return Value();
  return scalars.constant(builder.getFloatAttr(type, APFloat::getNaN(type.getFloatSemantics())));
}

/// The shape of the block without its leading dimensions of 1, down to the rank of `type`.
static SmallVector<int64_t, 2> blockShape(RankedTensorType type, size_t rank) {
  SmallVector<int64_t, 2> shape(rank - std::min<size_t>(rank, type.getRank()), 1);
  llvm::append_range(shape, type.getShape().take_back(rank - shape.size()));
  return shape;
}

std::pair<Address, Enabled> Translator::blockAccess(const BlockValue &block,
                                                    ArrayRef<Linear> offsets, RankedTensorType type,
                                                    ArrayRef<bool> checked) {
  int64_t bytes = mem::elementBytes(type);
  size_t rank = block.strides.size();
  SmallVector<int64_t, 2> shape = blockShape(type, rank);
  Pointer pointer = block.base;
  Form form(pointer.form.start, shape);
  Box box(shape);
  for (size_t d = 0; d < rank; ++d) {
    form.start = form.start + scalars.multiply(offsets[d], block.strides[d]) * bytes;
    if (shape[d] > 1)
      form.strides[d] = block.strides[d] * bytes;
    if (checked[d])
      boxes.clip(box, static_cast<int64_t>(d), offsets[d], block.shape[d]);
  }
  // A block of fewer dimensions than the tensor: the others become one condition.
  while (static_cast<int64_t>(form.shape.size()) > type.getRank()) {
    Box first = box;
    first.shape[0] = 2;
    first = boxes.broadcast(box, first.shape);
    box.condition = first.condition;
    box.shape.erase(box.shape.begin());
    box.lo.erase(box.lo.begin());
    box.hi.erase(box.hi.begin());
    form.shape.erase(form.shape.begin());
    form.strides.erase(form.strides.begin());
  }
  pointer.form = options.forms ? form : forms.toRest(form);
  Address at = address(pointer, type);
  Enabled on = enabled(box, at);
  return {at, on};
}

static SmallVector<bool> checkedDims(size_t rank, ArrayRef<int32_t> dims) {
  SmallVector<bool> checked(rank, false);
  for (int32_t d : dims)
    checked[d] = true;
  return checked;
}

LogicalResult Translator::translateBlockLoad(tt::LoadOp op) {
  const BlockValue &block = blocks.find(op.getPtr())->second;
  auto type = cast<RankedTensorType>(op.getType());
  auto [at, on] = blockAccess(block, block.offsets, type,
                              checkedDims(block.strides.size(), op.getBoundaryCheck()));
  Value other;
  if (!op.getBoundaryCheck().empty())
    other = padding(op.getPadding() == tt::PaddingOption::Nan, type.getElementType());
  define(op.getResult(), createLoad(type, at, on, other, op.getIsVolatile()));
  return success();
}

LogicalResult Translator::translateBlockStore(tt::StoreOp op) {
  const BlockValue &block = blocks.find(op.getPtr())->second;
  Value value = data(op.getValue());
  auto [at, on] = blockAccess(block, block.offsets, cast<RankedTensorType>(value.getType()),
                              checkedDims(block.strides.size(), op.getBoundaryCheck()));
  createStore(value, at, on);
  return success();
}

/// The rows that `rows` names, from `column` on: rows outside of the tensor are masked one by one.
std::pair<Address, Enabled> Translator::rowsAccess(const BlockValue &block, Value rows,
                                                   Value column, RankedTensorType type) {
  int64_t bytes = mem::elementBytes(type);
  Value index = forms.extendTensor(rows);
  auto narrow = RankedTensorType::get({type.getShape()[0], 1}, builder.getI64Type());
  index = tt::ExpandDimsOp::create(builder, scalars.getLoc(), narrow, index, 1);

  Linear start = scalars.linear(column);
  Pointer pointer = block.base;
  Form form(pointer.form.start + scalars.multiply(start, block.strides[1]) * bytes,
            type.getShape());
  form.strides[1] = block.strides[1] * bytes;
  form.rest = {forms.scaleTensor(index, block.strides[0]), bytes};
  pointer.form = options.forms ? form : forms.toRest(form);
  Address at = address(pointer, type);

  Box box(type.getShape());
  boxes.clip(box, 1, start, block.shape[1]);
  Location loc = scalars.getLoc();
  Value zero = forms.splat(scalars.constant(0), narrow.getShape());
  Value extent = forms.splat(scalars.value(block.shape[0]), narrow.getShape());
  Value above = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sge, index, zero);
  Value below = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, index, extent);
  box.residual =
      forms.broadcastTo(arith::AndIOp::create(builder, loc, above, below), type.getShape());
  Enabled on = enabled(box, at);
  return {at, on};
}

LogicalResult Translator::translateDescriptorReduce(tt::DescriptorReduceOp op) {
  const BlockValue &block = blocks.find(op.getDesc())->second;
  Value value = data(op.getSrc());
  auto type = cast<RankedTensorType>(value.getType());
  bool isFloat = isa<FloatType>(type.getElementType());
  bool isUnsigned =
      cast<tt::TensorDescType>(op.getDesc().getType()).getStatedType().isUnsignedInteger();
  mem::AtomicKind kind;
  switch (op.getKind()) {
  case tt::DescriptorReduceKind::Add:
    kind = isFloat ? mem::AtomicKind::FAdd : mem::AtomicKind::Add;
    break;
  case tt::DescriptorReduceKind::Min:
    kind = isUnsigned ? mem::AtomicKind::UMin : mem::AtomicKind::Min;
    break;
  case tt::DescriptorReduceKind::Max:
    kind = isUnsigned ? mem::AtomicKind::UMax : mem::AtomicKind::Max;
    break;
  case tt::DescriptorReduceKind::And:
    kind = mem::AtomicKind::And;
    break;
  case tt::DescriptorReduceKind::Or:
    kind = mem::AtomicKind::Or;
    break;
  case tt::DescriptorReduceKind::Xor:
    kind = mem::AtomicKind::Xor;
    break;
  case tt::DescriptorReduceKind::Inc:
    kind = mem::AtomicKind::Inc;
    break;
  case tt::DescriptorReduceKind::Dec:
    kind = mem::AtomicKind::Dec;
    break;
  }
  bool suitsFloats =
      llvm::is_contained({mem::AtomicKind::FAdd, mem::AtomicKind::Min, mem::AtomicKind::Max}, kind);
  if (isFloat && !suitsFloats)
    return op.emitOpError() << "of kind " << tt::stringifyDescriptorReduceKind(op.getKind())
                            << " does not work on floats; add, min and max do";
  SmallVector<bool> all(block.strides.size(), true);
  auto [at, on] = blockAccess(block, linears(op.getIndices()), type, all);
  tile::AtomicRMWOp::create(
      builder, op.getLoc(), type, kind, mem::Order::Relaxed, mem::Scope::Device, value, at.base,
      at.strides, on.bounds.lo, on.bounds.hi, at.wrapStart, at.wrapSize, at.offsets, on.mask,
      at.staticStrides, on.bounds.dims, at.wrapDim, at.unit, at.root, at.align);
  return success();
}

FailureOr<bool> Translator::translateBlockOp(Operation *op) {
  if (auto make = dyn_cast<tt::MakeTensorPtrOp>(op)) {
    blocks[make.getResult()] = {pointer(make.getBase()), linears(make.getShape()),
                                linears(make.getStrides()), linears(make.getOffsets())};
    return true;
  }
  if (auto make = dyn_cast<tt::MakeTensorDescOp>(op)) {
    blocks[make.getResult()] = {pointer(make.getBase()),
                                linears(make.getShape()),
                                linears(make.getStrides()),
                                {},
                                make.getPadding() == tt::PaddingOption::Nan};
    return true;
  }
  if (auto advance = dyn_cast<tt::AdvanceOp>(op)) {
    BlockValue moved = blocks.find(advance.getPtr())->second;
    for (auto [offset, step] : llvm::zip_equal(moved.offsets, linears(advance.getOffsets())))
      offset = offset + step;
    blocks[advance.getResult()] = std::move(moved);
    return true;
  }
  if (auto load = dyn_cast<tt::DescriptorLoadOp>(op)) {
    const BlockValue &block = blocks.find(load.getDesc())->second;
    auto type = cast<RankedTensorType>(load.getType());
    SmallVector<bool> all(block.strides.size(), true);
    auto [at, on] = blockAccess(block, linears(load.getIndices()), type, all);
    Value other = padding(block.padsNan, type.getElementType());
    define(load.getResult(), createLoad(type, at, on, other, /*isVolatile=*/false));
    return true;
  }
  if (auto store = dyn_cast<tt::DescriptorStoreOp>(op)) {
    const BlockValue &block = blocks.find(store.getDesc())->second;
    Value value = data(store.getSrc());
    SmallVector<bool> all(block.strides.size(), true);
    auto [at, on] = blockAccess(block, linears(store.getIndices()),
                                cast<RankedTensorType>(value.getType()), all);
    createStore(value, at, on);
    return true;
  }
  if (auto reduce = dyn_cast<tt::DescriptorReduceOp>(op)) {
    if (failed(translateDescriptorReduce(reduce)))
      return failure();
    return true;
  }
  if (auto gather = dyn_cast<tt::DescriptorGatherOp>(op)) {
    const BlockValue &block = blocks.find(gather.getDesc())->second;
    auto type = cast<RankedTensorType>(gather.getType());
    auto [at, on] = rowsAccess(block, data(gather.getXOffsets()), data(gather.getYOffset()), type);
    Value other = padding(block.padsNan, type.getElementType());
    define(gather.getResult(), createLoad(type, at, on, other, /*isVolatile=*/false));
    return true;
  }
  if (auto scatter = dyn_cast<tt::DescriptorScatterOp>(op)) {
    const BlockValue &block = blocks.find(scatter.getDesc())->second;
    Value value = data(scatter.getSrc());
    auto [at, on] = rowsAccess(block, data(scatter.getXOffsets()), data(scatter.getYOffset()),
                               cast<RankedTensorType>(value.getType()));
    createStore(value, at, on);
    return true;
  }
  return false;
}

} // namespace tritonrt::compiler
