// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tle, dsa and the local buffers of ttg. A buffer is a pointer like any other, to memory that the
// program has of its own; a remote pointer has its base moved into another program's memory. What
// takes tensors apart by numbers known at run time goes through a buffer.
#include "compiler/passes/totile/Translator.h"

#include "compiler/api/kernel_abi.h"
#include "compiler/dialect/dsa/Dsa.h"
#include "compiler/dialect/tle/Tle.h"
#include "compiler/dialect/ttg/Ttg.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tritonrt::compiler {

bool isBuffer(Type type) { return isa<ttg::MemDescType, MemRefType>(type); }

bool isPointerLike(Type type) { return tt::isPtrLike(type) || isBuffer(type); }

SmallVector<int64_t> rowMajor(ArrayRef<int64_t> shape) {
  SmallVector<int64_t> strides(shape.size(), 1);
  for (size_t d = shape.size(); d-- > 1;)
    strides[d - 1] = strides[d] * shape[d];
  return strides;
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

Pointer Translator::makeBuffer(ArrayRef<int64_t> shape, Type element, bool temporary) {
  int64_t bytes = mem::elementBytes(element) * ShapedType::getNumElements(shape);
  int64_t number = nextBuffer++;
  return {scalars.buffer(number, bytes, temporary), tile::bufferRoot(number), Form(Linear())};
}

SmallVector<int64_t> Translator::bufferStrides(Value buffer) {
  auto known = viewStrides.find(buffer);
  if (known != viewStrides.end())
    return known->second;
  return rowMajor(tle::bufferType(buffer.getType())->shape);
}

/// The elements `shape` from `base` on, `strides` elements apart.
Pointer Translator::wholeOf(const Pointer &base, ArrayRef<int64_t> shape, Type element,
                            ArrayRef<int64_t> strides) {
  Pointer all = base;
  all.form = Form(base.form.start, shape);
  for (auto [stride, known, size] : llvm::zip(all.form.strides, strides, shape))
    if (size > 1)
      stride = Linear(known * mem::elementBytes(element));
  return all;
}

Pointer Translator::wholeBuffer(Value buffer) {
  tle::BufferType type = *tle::bufferType(buffer.getType());
  return wholeOf(pointer(buffer), type.shape, type.element, bufferStrides(buffer));
}

Value Translator::loadFrom(const Pointer &from, Type type, const Enabled &on) {
  Address at = address(from, type);
  if (!on.bounds.dims.empty())
    at.align = 0;
  return createLoad(type, at, on, Value(), /*isVolatile=*/false);
}

void Translator::storeTo(const Pointer &to, Value value) {
  createStore(value, address(to, value.getType()), {});
}

void Translator::bindLocalPointers(Value result, Value buffer, ValueRange indices) {
  if (indices.empty() && isa<RankedTensorType>(result.getType())) {
    pointers[result] = wholeBuffer(buffer);
    return;
  }
  Pointer moved = pointer(buffer);
  auto tensor = dyn_cast<RankedTensorType>(result.getType());
  moved.form = Form(moved.form.start, tensor ? tensor.getShape() : ArrayRef<int64_t>());
  int64_t bytes = mem::elementBytes(tle::bufferType(buffer.getType())->element);
  for (auto [index, stride] : llvm::zip(indices, bufferStrides(buffer)))
    moved.form = forms.add(moved.form, forms.scale(form(index), stride * bytes));
  pointers[result] = std::move(moved);
}

void Translator::bindView(Value result, const Pointer &at, ArrayRef<int64_t> strides) {
  pointers[result] = at;
  viewStrides[result] = llvm::to_vector(strides);
}

FailureOr<bool> Translator::translateMemDesc(Operation *op) {
  if (auto alloc = dyn_cast<ttg::LocalAllocOp>(op)) {
    pointers[alloc] = makeBuffer(alloc.getType().getShape(), alloc.getType().getElementType());
    if (alloc.getSrc())
      storeTo(wholeBuffer(alloc), data(alloc.getSrc()));
    return true;
  }
  if (isa<ttg::LocalDeallocOp>(op))
    return true;
  if (auto load = dyn_cast<ttg::LocalLoadOp>(op)) {
    define(load, loadFrom(wholeBuffer(load.getSrc()), convertType(load.getType())));
    return true;
  }
  if (auto store = dyn_cast<ttg::LocalStoreOp>(op)) {
    storeTo(wholeBuffer(store.getDst()), data(store.getSrc()));
    return true;
  }
  if (isa<ttg::AsyncCopyOp, ttg::AsyncCommitGroupOp, ttg::AsyncWaitOp>(op))
    return translateAsyncCopy(op);
  if (!isa<ttg::MemDescIndexOp, ttg::MemDescSubsliceOp, ttg::MemDescSubviewOp, ttg::MemDescTransOp>(
          op))
    return false;
  Value source = op->getOperand(0);
  Pointer moved = pointer(source);
  SmallVector<int64_t> strides = bufferStrides(source);
  int64_t bytes = mem::elementBytes(tle::bufferType(source.getType())->element);
  if (auto index = dyn_cast<ttg::MemDescIndexOp>(op)) {
    moved.form = forms.add(moved.form, forms.scale(form(index.getIndex()), strides[0] * bytes));
    strides.erase(strides.begin());
  } else if (auto part = dyn_cast<ttg::MemDescSubsliceOp>(op)) {
    for (auto [offset, stride] : llvm::zip(part.getOffsets(), strides))
      moved.form.start = moved.form.start + Linear(offset * stride * bytes);
  } else if (auto part = dyn_cast<ttg::MemDescSubviewOp>(op)) {
    for (auto [offset, stride] : llvm::zip(part.getOffsets(), strides))
      moved.form = forms.add(moved.form, forms.scale(form(offset), stride * bytes));
    strides.erase(strides.begin(), strides.end() - part.getType().getShape().size());
  } else {
    SmallVector<int64_t> old = strides;
    for (auto [stride, d] : llvm::zip(strides, cast<ttg::MemDescTransOp>(op).getOrder()))
      stride = old[d];
  }
  bindView(op->getResult(0), moved, strides);
  return true;
}

/// Copies are done where they begin; a token is a bit that nobody looks at.
FailureOr<bool> Translator::translateAsyncCopy(Operation *op) {
  if (auto copy = dyn_cast<ttg::AsyncCopyOp>(op)) {
    OpBuilder before(op);
    auto load =
        tt::LoadOp::create(before, op->getLoc(), copy.getSrc(), copy.getMask(), copy.getOther());
    if (failed(translateLoad(load)))
      return failure();
    storeTo(wholeBuffer(copy.getResult()), data(load));
  }
  define(op->getResults().back(), scalars.constant(builder.getBoolAttr(false)));
  return true;
}

//===----------------------------------------------------------------------===//
// Meshes
//===----------------------------------------------------------------------===//

LogicalResult Translator::bindRemote(Operation *op, Value source, const Linear &shard) {
  if (shard.isConstant()) {
    if (shard.constant < 0 || shard.constant > std::numeric_limits<int32_t>::max())
      return op->emitOpError() << "names the shard " << shard.constant
                               << ", which no mesh has, expected 0 or more";
    maxShard = std::max(maxShard, shard.constant);
  }
  Pointer moved = pointer(source);
  if (moved.base && moved.base.getDefiningOp<mem::RemoteOp>())
    return op->emitOpError("of pointers that are remote already is not supported; start from "
                           "those into the program's own memory");
  Value rank = scalars.truncate(scalars.value(shard));
  moved.base = scalars.remote(moved.base ? moved.base : scalars.null(), rank);
  pointers[op->getResult(0)] = std::move(moved);
  return success();
}

/// The scalar that a tensor holds everywhere; null where that is not seen. Ops that go element by
/// element are done once.
Value Translator::scalarOf(Value tensor, int depth) {
  if (!isa<RankedTensorType>(tensor.getType()))
    return data(tensor);
  DenseElementsAttr constant;
  if (matchPattern(tensor, m_Constant(&constant)))
    return constant.isSplat()
               ? scalars.constant(cast<TypedAttr>(constant.getSplatValue<Attribute>()))
               : Value();
  Operation *op = tensor.getDefiningOp();
  if (!op || depth > 8)
    return Value();
  if (isa<tt::SplatOp>(op))
    return data(op->getOperand(0));
  if (isa<tt::ExpandDimsOp, tt::BroadcastOp, tt::TransOp, tt::ReshapeOp>(op))
    return scalarOf(op->getOperand(0), depth + 1);
  if (!op->hasTrait<OpTrait::Elementwise>() || op->getNumResults() != 1 || !isPure(op))
    return Value();
  SmallVector<Value> operands;
  for (Value operand : op->getOperands()) {
    operands.push_back(scalarOf(operand, depth + 1));
    if (!operands.back())
      return Value();
  }
  OperationState state(op->getLoc(), op->getName(), operands,
                       getElementTypeOrSelf(tensor.getType()), op->getAttrs());
  return builder.create(state)->getResult(0);
}

LogicalResult Translator::addBarrier(Operation *op, ArrayRef<int32_t> group, StringRef source) {
  mem::MeshBarrierOp::create(builder, op->getLoc(), group, nextWait++, source);
  return success();
}

/// The ring that exchanges data by `store`, or nothing. A remote store of a tile that names the
/// programs of a mesh, in a loop that holds no barrier, is how such a chip writes an exchange: it
/// starts when the target is ready and ends when the own predecessor has delivered.
static ArrayRef<int32_t> exchangingRing(tt::StoreOp store) {
  if (store.getMask())
    return {};
  Operation *pointer = store.getPtr().getDefiningOp();
  while (isa_and_present<tt::AddPtrOp, tt::SplatOp, tt::BroadcastOp, tt::ExpandDimsOp,
                         tt::ReshapeOp, tt::TransOp, tt::BitcastOp>(pointer))
    pointer = pointer->getOperand(0).getDefiningOp();
  auto remote = dyn_cast_or_null<dsa::RemotePointersOp>(pointer);
  if (!remote || !remote.getMeshPhysicalIds())
    return {};
  Operation *outermost = store->getParentOfType<tt::FuncOp>();
  for (Operation *up = store->getParentOp(); up; up = up->getParentOp())
    if (isa<LoopLikeOpInterface>(up))
      outermost = up;
  WalkResult found = outermost->walk([](Operation *op) {
    return isa<dsa::DistributedBarrierOp, tle::DistributedBarrierOp>(op) ? WalkResult::interrupt()
                                                                         : WalkResult::advance();
  });
  return found.wasInterrupted() ? ArrayRef<int32_t>() : *remote.getMeshPhysicalIds();
}

LogicalResult Translator::translateStore(tt::StoreOp op) {
  ArrayRef<int32_t> ring = exchangingRing(op);
  SmallVector<int32_t> group;
  if (!ring.empty()) {
    group = {TRT_GROUP_RANKS, int32_t(ring.size())};
    group.append(ring.begin(), ring.end());
    if (failed(addBarrier(op, group, "remote tt.store")))
      return failure();
  }
  if (failed(translatePlainStore(op)))
    return failure();
  return group.empty() ? success() : addBarrier(op, group, "remote tt.store");
}

FailureOr<bool> Translator::translateMesh(Operation *op) {
  if (auto local = dyn_cast<tle::LocalPointersOp>(op)) {
    bindLocalPointers(local, local.getSrc(), local.getIndices());
    return true;
  }
  if (auto local = dyn_cast<dsa::LocalPointersOp>(op)) {
    bindLocalPointers(local, local.getSrc(), local.getIndices());
    return true;
  }
  auto done = [](LogicalResult result) -> FailureOr<bool> {
    if (failed(result))
      return failure();
    return true;
  };
  auto scalarShard = [&](Value shard) { return scalars.linear(data(shard)); };
  if (auto remote = dyn_cast<tle::RemotePointersOp>(op))
    return done(bindRemote(op, remote.getSrc(), scalarShard(remote.getShard())));
  if (auto remote = dyn_cast<dsa::RemotePointersOp>(op))
    return done(bindRemote(op, remote.getSrc(), scalarShard(remote.getShard())));
  if (auto step = dyn_cast<tt::AddPtrOp>(op); step && step->hasAttr(tle::kShardCarrier)) {
    if (Value shard = scalarOf(step.getOffset()))
      return done(bindRemote(op, step.getPtr(), scalars.linear(shard)));
    Form shard = form(step.getOffset());
    if (!shard.isUniform())
      return op->emitOpError("carries a shard id that is not the same for all elements; a scalar "
                             "or a splat of one expected");
    return done(bindRemote(op, step.getPtr(), shard.start));
  }
  if (isa<tle::DistributedBarrierOp, dsa::DistributedBarrierOp>(op)) {
    FailureOr<SmallVector<int32_t>> group = tle::groupWords(op);
    if (failed(group))
      return failure();
    return done(addBarrier(op, *group, op->getName().getStringRef()));
  }
  if (auto region = dyn_cast<tle::DslRegionOp>(op))
    return done(translateRegion(region));
  FailureOr<bool> known = translateMemDesc(op);
  if (failed(known) || *known)
    return known;
  return translateTensorParts(op);
}

//===----------------------------------------------------------------------===//
// Parts of tensors, and the chip's buffer ops
//===----------------------------------------------------------------------===//

/// The tensor in a buffer of its own.
Pointer Translator::spill(Value tensor) {
  auto type = cast<RankedTensorType>(tensor.getType());
  Pointer base = makeBuffer(type.getShape(), type.getElementType(), /*temporary=*/true);
  storeTo(wholeOf(base, type.getShape(), type.getElementType(), rowMajor(type.getShape())), tensor);
  return base;
}

/// Where tile number `index` of the tensor in `base` lies.
Pointer Translator::tileAt(const Pointer &base, RankedTensorType whole, ArrayRef<int64_t> tile,
                           Value index) {
  SmallVector<int64_t> strides = rowMajor(whole.getShape());
  int64_t count = whole.getNumElements() / ShapedType::getNumElements(tile);
  // A number that no tile has must not leave the buffer.
  Value number = scalars.maximum(scalars.value(scalars.linear(index)), scalars.constant(0));
  number = scalars.minimum(number, scalars.constant(count - 1));
  Pointer at = base;
  int64_t bytes = mem::elementBytes(whole);
  for (size_t d = tile.size(); d-- > 0;) {
    int64_t along = whole.getDimSize(d) / tile[d];
    Value here = scalars.modulo(number, scalars.constant(along));
    at.form.start = at.form.start + Linear::of(here, tile[d] * strides[d] * bytes);
    number = scalars.floorDiv(number, along);
  }
  return wholeOf(at, tile, whole.getElementType(), strides);
}

Pointer Translator::sliceAt(const Pointer &base, RankedTensorType whole, ValueRange offsets,
                            ArrayRef<int64_t> starts, ArrayRef<int64_t> sizes,
                            ArrayRef<int64_t> steps) {
  SmallVector<int64_t> strides = rowMajor(whole.getShape());
  Pointer at = base;
  int64_t bytes = mem::elementBytes(whole);
  for (auto [d, start] : llvm::enumerate(starts)) {
    Linear first(start);
    if (ShapedType::isDynamic(start)) {
      int64_t last = whole.getDimSize(d) - 1 - (sizes[d] - 1) * steps[d];
      Value value = scalars.value(scalars.linear(data(offsets.front())));
      offsets = offsets.drop_front();
      value = scalars.minimum(scalars.maximum(value, scalars.constant(0)), scalars.constant(last));
      first = Linear::of(value);
    }
    at.form.start = at.form.start + first * (strides[d] * bytes);
    strides[d] *= steps[d];
  }
  return wholeOf(at, sizes, whole.getElementType(), strides);
}

/// The inclusive sums are shifted by one: they are exact where a subtraction would round.
void Translator::translateCumsum(Operation *op, int64_t axis, bool reverse) {
  Location loc = op->getLoc();
  Value source = data(op->getOperand(0));
  auto type = cast<RankedTensorType>(source.getType());
  Type element = type.getElementType();
  auto scan = tt::ScanOp::create(builder, loc, TypeRange(type), source, axis, reverse);
  {
    OpBuilder::InsertionGuard guard(builder);
    Block *block = builder.createBlock(&scan.getCombineOp(), {}, {element, element}, {loc, loc});
    Value a = block->getArgument(0), b = block->getArgument(1);
    Value sum = isa<FloatType>(element) ? Value(arith::AddFOp::create(builder, loc, a, b))
                                        : Value(arith::AddIOp::create(builder, loc, a, b));
    tt::ScanReturnOp::create(builder, loc, ValueRange(sum));
  }
  Pointer base = spill(scan->getResult(0));
  SmallVector<int64_t> strides = rowMajor(type.getShape());
  int64_t size = type.getDimSize(axis), bytes = mem::elementBytes(element);
  Pointer shifted = wholeOf(base, type.getShape(), element, strides);
  shifted.form.start = shifted.form.start + Linear((reverse ? 1 : -1) * strides[axis] * bytes);
  Enabled inside;
  inside.bounds.dims = {axis};
  inside.bounds.lo = {scalars.constant(reverse ? 0 : 1)};
  inside.bounds.hi = {scalars.constant(reverse ? size - 1 : size)};
  define(op->getResult(0), loadFrom(shifted, type, inside));
  Pointer last = base;
  last.form.start = last.form.start + Linear(reverse ? 0 : (size - 1) * strides[axis] * bytes);
  if (type.getRank() > 1)
    last = wholeOf(last, type.getShape().drop_back(), element, ArrayRef(strides).drop_back());
  define(op->getResult(1), loadFrom(last, convertType(op->getResult(1).getType())));
}

static Value combine(OpBuilder &b, Operation *op, Value x, Value y) {
  Location loc = op->getLoc();
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case<dsa::AddOp>([&](auto) { return arith::AddFOp::create(b, loc, x, y); })
      .Case<dsa::SubOp>([&](auto) { return arith::SubFOp::create(b, loc, x, y); })
      .Case<dsa::MulOp>([&](auto) { return arith::MulFOp::create(b, loc, x, y); })
      .Case<dsa::DivOp>([&](auto) { return arith::DivFOp::create(b, loc, x, y); })
      .Case<dsa::MaximumOp>([&](auto) { return arith::MaximumFOp::create(b, loc, x, y); })
      .Case<dsa::MinimumOp>([&](auto) { return arith::MinimumFOp::create(b, loc, x, y); })
      .Default([](Operation *) { return Value(); });
}

FailureOr<bool> Translator::translateTensorParts(Operation *op) {
  auto tensorOf = [&](Value buffer) {
    tle::BufferType type = *tle::bufferType(buffer.getType());
    return loadFrom(wholeBuffer(buffer), RankedTensorType::get(type.shape, type.element));
  };
  auto whole = [](Value old) { return cast<RankedTensorType>(old.getType()); };
  auto loadPart = [&](const std::pair<Pointer, RankedTensorType> &part) {
    return loadFrom(part.first, part.second);
  };
  // What goes element by element goes over all of a buffer at once. Tensors have sizes that are
  // powers of two, so other buffers are rows of such parts.
  auto forParts = [&](Value like, auto each) {
    SmallVector<int64_t> shape(tle::bufferType(like.getType())->shape);
    auto part = [&](int64_t first, ArrayRef<int64_t> sizes) {
      return [this, first, sizes](Value buffer) {
        Type element = tle::bufferType(buffer.getType())->element;
        Pointer at = pointer(buffer);
        at.form.start = at.form.start + Linear(first * mem::elementBytes(element));
        return std::pair(wholeOf(at, sizes, element, rowMajor(sizes)),
                         RankedTensorType::get(sizes, element));
      };
    };
    if (llvm::all_of(shape, [](int64_t size) { return llvm::isPowerOf2_64(size); }))
      return each(part(0, ArrayRef(shape)));
    int64_t count = ShapedType::getNumElements(shape);
    for (int64_t first = 0; first < count;) {
      int64_t size = llvm::bit_floor<uint64_t>(count - first);
      each(part(first, size));
      first += size;
    }
  };
  if (auto alloc = dyn_cast<dsa::AllocOp>(op)) {
    pointers[alloc] = makeBuffer(alloc.getShape(), alloc.getType().getElementType());
  } else if (auto copy = dyn_cast<dsa::CopyOp>(op)) {
    forParts(copy.getSrc(),
             [&](auto part) { storeTo(part(copy.getDst()).first, loadPart(part(copy.getSrc()))); });
  } else if (auto read = dyn_cast<dsa::ToTensorOp>(op)) {
    define(read, tensorOf(read.getSrc()));
  } else if (auto write = dyn_cast<dsa::ToBufferOp>(op)) {
    storeTo(wholeBuffer(write.getDst()), data(write.getSrc()));
  } else if (isa<dsa::AddOp, dsa::SubOp, dsa::MulOp, dsa::DivOp, dsa::MaximumOp, dsa::MinimumOp>(
                 op)) {
    forParts(op->getOperand(0), [&](auto part) {
      Value x = loadPart(part(op->getOperand(0))), y = loadPart(part(op->getOperand(1)));
      storeTo(part(op->getOperand(2)).first, combine(builder, op, x, y));
    });
  } else if (auto cumsum = dyn_cast<dsa::CumsumOp>(op)) {
    translateCumsum(op, cumsum.getAxis(), cumsum.getReverse());
  } else if (auto cumsum = dyn_cast<tle::ExclusiveCumsumOp>(op)) {
    translateCumsum(op, cumsum.getAxis(), cumsum.getReverse());
  } else if (auto cast = dyn_cast<dsa::BitcastOp>(op)) {
    RankedTensorType type = whole(cast.getResult());
    Pointer base = spill(data(cast.getSrc()));
    define(cast, loadFrom(wholeOf(base, type.getShape(), type.getElementType(),
                                  rowMajor(type.getShape())),
                          type));
  } else if (auto extract = dyn_cast<tle::ExtractTileOp>(op)) {
    Pointer base = spill(data(extract.getSrc()));
    RankedTensorType type = whole(extract.getResult());
    define(extract, loadFrom(tileAt(base, whole(extract.getSrc()), type.getShape(),
                                    data(extract.getIndex())),
                             type));
  } else if (auto insert = dyn_cast<tle::InsertTileOp>(op)) {
    RankedTensorType type = whole(insert.getSrc());
    Pointer base = spill(data(insert.getSrc()));
    storeTo(tileAt(base, type, whole(insert.getTile()).getShape(), data(insert.getIndex())),
            data(insert.getTile()));
    define(insert, loadFrom(wholeOf(base, type.getShape(), type.getElementType(),
                                    rowMajor(type.getShape())),
                            type));
  } else if (auto extract = dyn_cast<dsa::ExtractSliceOp>(op)) {
    Pointer base = spill(data(extract.getSrc()));
    define(extract,
           loadFrom(sliceAt(base, whole(extract.getSrc()), extract.getOffsets(),
                            extract.getStaticOffsets(), extract.getSizes(), extract.getStrides()),
                    extract.getType()));
  } else if (auto insert = dyn_cast<dsa::InsertSliceOp>(op)) {
    RankedTensorType type = whole(insert.getSrc());
    Pointer base = spill(data(insert.getSrc()));
    storeTo(sliceAt(base, type, insert.getOffsets(), insert.getStaticOffsets(), insert.getSizes(),
                    insert.getStrides()),
            data(insert.getSlice()));
    define(insert, loadFrom(wholeOf(base, type.getShape(), type.getElementType(),
                                    rowMajor(type.getShape())),
                            type));
  } else {
    return false;
  }
  return true;
}

} // namespace tritonrt::compiler
