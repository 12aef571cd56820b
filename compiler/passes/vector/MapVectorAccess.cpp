// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The body of a nest at one point or on W lanes. Values stay scalars as long as all lanes agree on
// them; the bit maps say which lanes do.
#include "compiler/analysis/Bits.h"
#include "compiler/passes/vector/MapVector.h"

#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tritonrt::compiler::mapvector {

bool PointEmitter::LaneIndex::uniform() const {
  return llvm::all_of(lanes, [](int64_t lane) { return lane == 0; });
}

bool PointEmitter::LaneIndex::contiguous() const {
  return llvm::all_of(llvm::enumerate(lanes),
                      [](auto lane) { return lane.value() == int64_t(lane.index()); });
}

bool PointEmitter::Address::uniform() const {
  return !laneValue && llvm::all_of(lanes, [](int64_t lane) { return lane == 0; });
}

bool PointEmitter::Address::contiguous(Type element) const {
  int64_t size = mem::elementBytes(element);
  return !laneValue && llvm::all_of(llvm::enumerate(lanes), [&](auto lane) {
    return lane.value() * unit == int64_t(lane.index()) * size;
  });
}

SmallVector<Value> PointEmitter::emit(Block &block) {
  Location outer = b.getLoc();
  for (Operation &op : block.without_terminator()) {
    b.setLoc(op.getLoc());
    if (isa<nests::StartOp>(op) || (op.getNumResults() == 1 && local.contains(op.getResult(0))))
      continue;
    if (isa<nests::IndexOp, nests::ElemOp, nests::PickOp, nests::ReadOp, nests::WriteOp,
            nests::AtomicRMWOp, nests::AtomicCASOp>(op)) {
      if (Value result = emitOp(op))
        local.map(op.getResult(0), result);
      continue;
    }
    SmallVector<Value> operands =
        llvm::map_to_vector(op.getOperands(), [&](Value v) { return local.lookup(v); });
    if (op.getNumRegions())
      b.applyNested(op, local, point.width);
    else
      local.map(op.getResults(), ValueRange(b.apply(op, operands, point.width)));
  }
  b.setLoc(outer);
  return llvm::map_to_vector(block.getTerminator()->getOperands(),
                             [&](Value v) { return local.lookup(v); });
}

Value PointEmitter::emitOp(Operation &op) {
  return llvm::TypeSwitch<Operation *, Value>(&op)
      .Case([&](nests::IndexOp op) { return emitIndex(op); })
      .Case([&](nests::ElemOp op) { return elements ? elements(op) : emitElem(op); })
      .Case([&](nests::PickOp op) { return emitPick(op); })
      .Case([&](nests::ReadOp op) { return emitRead(op); })
      .Case([&](nests::WriteOp op) { return emitWrite(op), Value(); })
      .Case([&](nests::AtomicRMWOp op) { return emitAtomic(op); })
      .Case([&](nests::AtomicCASOp op) { return emitAtomic(op); });
}

PointEmitter::LaneIndex PointEmitter::indexOf(ArrayRef<int64_t> bits) {
  ArrayRef<int64_t> domain = nest.getDomain();
  int64_t laneBits = llvm::Log2_64(point.width);
  LaneIndex result{b.constant(constantPart(bits)), {0}};
  if (point.lane >= 0)
    result.lanes = laneOffsets(bits, domain, point.lane, laneBits);
  for (const BitRun &run : bitRuns(bits, domain)) {
    int64_t dimSize = llvm::Log2_64(domain[run.dim]);
    // A run of less than the dim is only taken of lanes that start at a multiple of the width.
    if (run.dim == point.lane && run.start + run.length <= laneBits && run.length < dimSize)
      continue;
    Value part = b.shr(point.index[run.dim], run.start);
    if (run.start + run.length < dimSize)
      part = b.bitAnd(part, b.constant((int64_t{1} << run.length) - 1));
    result.scalar = b.add(result.scalar, b.shl(part, run.element));
  }
  return result;
}

Value PointEmitter::emitIndex(nests::IndexOp op) {
  LaneIndex index = indexOf(op.getBits());
  Value scalar = b.createOrFold<arith::TruncIOp>(b.getI32Type(), index.scalar);
  if (index.uniform())
    return scalar;
  Value lanes = b.constantLanes(index.lanes, b.getI32Type());
  return constantOf(scalar) == 0 ? lanes : b.add(b.spread(scalar, point.width), lanes);
}

Value PointEmitter::emitElem(nests::ElemOp op) {
  const Tile &tile = function.tile(op.getTile());
  if (tile.splat)
    return tile.splat;
  LaneIndex index = indexOf(tile.heldPart(op.getBits()));
  Type element = op.getType();
  Address address{tile.memory, index.scalar, mem::elementBytes(element), index.lanes, {}, 0};
  if (index.contiguous() && aligned())
    address.align = std::min<int64_t>(point.width * address.unit, 64);
  return loadAt(address, element, tileMask(), Value(), false);
}

void PointEmitter::storeTile(Value value, const Tile &tile, ArrayRef<int64_t> bits) {
  LaneIndex index = indexOf(tile.heldPart(bits));
  Address address{tile.memory, index.scalar, mem::elementBytes(value.getType()),
                  index.lanes, {},           0};
  if (index.contiguous() && aligned())
    address.align = std::min<int64_t>(point.width * address.unit, 64);
  // What an item holds itself it always writes.
  Value mask = tile.held ? tileMask() : b.both(point.writes, tileMask());
  storeAt(b.spread(value, point.width), address, mask, false);
}

bool PointEmitter::aligned() {
  if (point.lane < 0)
    return true;
  Value lo = nest.getLoOf(point.lane);
  return !lo || constantOf(lo).value_or(1) % point.width == 0;
}

Value PointEmitter::emitPick(nests::PickOp op) {
  const Tile &tile = function.tile(op.getTile());
  if (tile.splat)
    return tile.splat;
  ArrayRef<int64_t> shape = op.getTile().getType().getShape();
  SmallVector<int64_t> bits(op.getBits());
  int64_t axis = op.getAxis(), low = lowBitOf(shape, axis), size = shape[axis];
  std::fill_n(bits.begin() + low, numBits(size), kBitZero);
  LaneIndex index = indexOf(bits);

  Value at = mapped(op.getAt());
  Type type = getElementTypeOrSelf(at);
  int64_t width = widthOf(at);
  auto limit = [&](int64_t value) { return b.spread(b.constant(value, type), width); };
  if (type.getIntOrFloatBitWidth() > 1) {
    // Sizes beyond the type cannot be exceeded by its values.
    if (type.getIntOrFloatBitWidth() > 32 ||
        size - 1 <= llvm::maxIntN(type.getIntOrFloatBitWidth()))
      at = b.min(at, limit(size - 1));
    at = b.max(at, limit(0));
  }
  Type wide = onLanes(b.getI64Type(), width);
  if (type.getIntOrFloatBitWidth() < 64)
    at = type.isInteger(1) ? b.createOrFold<arith::ExtUIOp>(wide, at)
                           : b.createOrFold<arith::ExtSIOp>(wide, at);
  at = b.mul(at, b.spread(b.constant(int64_t{1} << low), width));

  Address address{tile.memory, index.scalar, mem::elementBytes(op.getType()), index.lanes, {}, 0};
  if (width > 1)
    address.laneValue = at;
  else
    address.index = b.add(address.index, at);
  return loadAt(address, op.getType(), tileMask(), Value(), false);
}

PointEmitter::Address PointEmitter::addressOf(nests::ViewOp view, Value offset,
                                              ArrayRef<int64_t> bits) {
  ArrayRef<int64_t> shape = view.getType().getShape();
  Address address{function.scalar(view.getBase()),
                  b.constant(0),
                  int64_t(view.getUnit()),
                  SmallVector<int64_t>(point.width, 0),
                  {},
                  0};
  auto addLanes = [&](Value lanes) {
    address.laneValue = address.laneValue ? b.add(address.laneValue, lanes) : lanes;
  };
  unsigned nextStride = 0;
  for (auto [d, fixed] : llvm::enumerate(view.getStaticStrides())) {
    bool dynamic = ShapedType::isDynamic(fixed);
    Value stride = dynamic ? function.scalar(view.getStrides()[nextStride++]) : b.constant(fixed);
    if (!dynamic && fixed == 0)
      continue;
    LaneIndex index = indexOf(dimBits(bits, shape, d));
    if (int64_t(d) == int64_t(view.getWrapDim())) {
      addWrapped(view, index, stride, address);
      continue;
    }
    address.index = b.add(address.index, b.mul(index.scalar, stride));
    if (index.uniform())
      continue;
    if (dynamic)
      addLanes(b.mul(b.spread(stride, point.width), b.constantLanes(index.lanes, b.getI64Type())));
    else
      for (auto [lane, add] : llvm::zip_equal(address.lanes, index.lanes))
        lane += fixed * add;
  }
  if (offset && widthOf(offset) > 1)
    addLanes(offset);
  else if (offset)
    address.index = b.add(address.index, offset);
  if (!offset && address.contiguous(view.getType().getElementType()))
    address.align = alignmentOf(view, bits, address);
  return address;
}

int64_t PointEmitter::alignmentOf(nests::ViewOp view, ArrayRef<int64_t> bits,
                                  const Address &address) {
  // The view's alignment is that of its first enabled element.
  bool zeroLo = llvm::all_of(view.getLo(), [](Value lo) { return constantOf(lo) == 0; });
  if (!zeroLo || !aligned() || int64_t(view.getWrapDim()) >= 0)
    return 0;
  int64_t known = std::max<int64_t>(view.getAlign(), function.divisorOf(view.getBase()));
  int64_t align = std::min<int64_t>(known, point.width * address.unit);
  ArrayRef<int64_t> shape = view.getType().getShape();
  unsigned nextStride = 0;
  for (auto [d, fixed] : llvm::enumerate(view.getStaticStrides())) {
    bool dynamic = ShapedType::isDynamic(fixed);
    Value stride = dynamic ? view.getStrides()[nextStride++] : Value();
    // Along the lanes' own dim a vector begins at a multiple of its size.
    if (shape[d] == 1 || (!dynamic && fixed == 0) || !indexOf(dimBits(bits, shape, d)).uniform())
      continue;
    int64_t bytes = (dynamic ? function.divisorOf(stride) : fixed & -fixed) * address.unit;
    align = std::min(align, bytes);
  }
  return align > mem::elementBytes(view.getType().getElementType()) ? align : 0;
}

Value PointEmitter::remainder(Value number, Value size) {
  // Most numbers are below the size already, and a division costs as much as a vector's work.
  Value below = b.cmp(arith::CmpIPredicate::ult, number, size);
  auto branch = scf::IfOp::create(b, number.getType(), below, true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(branch.thenBlock());
  scf::YieldOp::create(b, number);
  b.setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(b, b.createOrFold<arith::RemUIOp>(number, size));
  return branch.getResult(0);
}

void PointEmitter::addWrapped(nests::ViewOp view, const LaneIndex &index, Value stride,
                              Address &address) {
  Value size = function.scalar(view.getWrapSize());
  Value first = remainder(b.add(function.scalar(view.getWrapStart()), index.scalar), size);
  if (index.uniform() || (index.contiguous() && constantOf(stride) == 1)) {
    address.index = b.add(address.index, b.mul(first, stride));
    if (index.uniform())
      return;
    for (auto [lane, add] : llvm::zip_equal(address.lanes, index.lanes))
      lane += add;
    address.wrapFirst = first;
    address.wrapSize = size;
    return;
  }
  int64_t width = point.width;
  Value at = b.add(b.spread(first, width), b.constantLanes(index.lanes, b.getI64Type()));
  at = b.createOrFold<arith::RemUIOp>(at, b.spread(size, width));
  at = b.mul(at, b.spread(stride, width));
  address.laneValue = address.laneValue ? b.add(address.laneValue, at) : at;
}

Value PointEmitter::fits(const Address &address) {
  Value end = b.add(address.wrapFirst, b.constant(point.width));
  return b.cmp(arith::CmpIPredicate::sle, end, address.wrapSize);
}

PointEmitter::Address PointEmitter::wrapped(Address address) {
  int64_t width = point.width;
  SmallVector<int64_t> lanes = llvm::to_vector(llvm::seq<int64_t>(0, width));
  Value straight = b.constantLanes(lanes, b.getI64Type());
  Value first = b.spread(address.wrapFirst, width);
  Value at =
      b.createOrFold<arith::RemUIOp>(b.add(first, straight), b.spread(address.wrapSize, width));
  // Instead of lane l's own number.
  at = b.sub(b.sub(at, first), straight);
  address.laneValue = address.laneValue ? b.add(address.laneValue, at) : at;
  address.wrapFirst = Value();
  return address;
}

bool PointEmitter::implied(Value bound, ArrayRef<int64_t> bits, bool upper) {
  ArrayRef<int64_t> domain = nest.getDomain();
  if (std::optional<int64_t> number = constantOf(bound))
    if (upper ? *number >= int64_t{1} << bits.size() : *number <= 0)
      return true;
  // The live box's own bound, or one that it is a tighter form of.
  auto tightens = [&](Value live) {
    SmallVector<Value> todo{live};
    while (!todo.empty()) {
      Value value = todo.pop_back_val();
      if (value == bound)
        return true;
      Operation *op = value ? value.getDefiningOp() : nullptr;
      if (op && (upper ? isa<arith::MinSIOp>(op) : isa<arith::MaxSIOp>(op)))
        llvm::append_range(todo, op->getOperands());
    }
    return false;
  };
  auto boundOf = [&](int64_t d) { return upper ? nest.getHiOf(d) : nest.getLoOf(d); };
  if (bits.empty()) {
    // Index 0 on both sides: any dim of one element that is live says so.
    for (auto [d, size] : llvm::enumerate(domain))
      if (size == 1 && tightens(boundOf(d)))
        return true;
    return false;
  }
  int64_t dim = wholeDim(bits, domain);
  if (upper && dim >= 0 && dim == point.lane && bound == point.below)
    return true;
  return dim >= 0 && tightens(boundOf(dim));
}

Value PointEmitter::boundMask(const LaneIndex &index, Value oldBound, bool upper) {
  Value bound = function.scalar(oldBound);
  // A bound at a multiple of the vector's size lets all lanes pass or none.
  bool together = function.options().scalarMasks && index.contiguous() && aligned() &&
                  function.divisorOf(oldBound) % int64_t(index.lanes.size()) == 0;
  if (index.uniform() || together)
    return b.cmp(upper ? arith::CmpIPredicate::slt : arith::CmpIPredicate::sge, index.scalar,
                 bound);
  // How far the bound is from lane 0, clamped to the lanes: then 32 bits are enough.
  int64_t most = *llvm::max_element(index.lanes) + 1;
  Value left = b.sub(bound, index.scalar);
  left = b.max(b.min(left, b.constant(most)), b.constant(0));
  left = b.createOrFold<arith::TruncIOp>(b.getI32Type(), left);
  return b.cmp(upper ? arith::CmpIPredicate::slt : arith::CmpIPredicate::sge,
               b.constantLanes(index.lanes, b.getI32Type()), b.spread(left, point.width));
}

Value PointEmitter::boxMask(nests::ViewOp view, ArrayRef<int64_t> bits) {
  Value mask;
  if (point.insideBoxes)
    return mask;
  for (auto [i, d] : llvm::enumerate(view.getBoxDims())) {
    ArrayRef<int64_t> dim = dimBits(bits, view.getType().getShape(), d);
    for (bool upper : {false, true}) {
      Value bound = upper ? view.getHi()[i] : view.getLo()[i];
      if (!implied(bound, dim, upper))
        mask = b.both(mask, boundMask(indexOf(dim), bound, upper));
    }
  }
  return mask;
}

IntegerAttr PointEmitter::unitAttr(int64_t unit, Type element) {
  return unit == mem::elementBytes(element) ? IntegerAttr() : b.getI64IntegerAttr(unit);
}

Value PointEmitter::laneVector(const Address &address) {
  bool none = llvm::all_of(address.lanes, [](int64_t lane) { return lane == 0; });
  if (!address.laneValue) {
    bool fits = llvm::all_of(address.lanes, [](int64_t lane) { return llvm::isInt<31>(lane); });
    return b.constantLanes(address.lanes, fits ? b.getI32Type() : b.getI64Type());
  }
  return none ? address.laneValue
              : b.add(address.laneValue, b.constantLanes(address.lanes, b.getI64Type()));
}

Value PointEmitter::zeroOf(Type type) {
  return arith::ConstantOp::create(b, cast<TypedAttr>(b.getZeroAttr(type)));
}

Value PointEmitter::loadAt(const Address &address, Type element, Value mask, Value other,
                           bool isVolatile) {
  if (address.wrapFirst) {
    Address straight = address;
    straight.wrapFirst = Value();
    auto branch = scf::IfOp::create(b, onLanes(element, point.width), fits(address), true);
    OpBuilder::InsertionGuard guard(b);
    for (bool fit : {true, false}) {
      b.setInsertionPointToStart(fit ? branch.thenBlock() : branch.elseBlock());
      Value value = loadAt(fit ? straight : wrapped(address), element, mask, other, isVolatile);
      scf::YieldOp::create(b, value);
    }
    return branch.getResult(0);
  }
  IntegerAttr unit = unitAttr(address.unit, element);
  int64_t width = point.width;
  if (address.uniform() && (!mask || widthOf(mask) == 1) && (!other || widthOf(other) == 1))
    return mem::LoadOp::create(b, element, address.base, address.index, mask, other, address.align,
                               unit, isVolatile);
  Type type = onLanes(element, width);
  if (mask && widthOf(mask) == 1 && width > 1 && function.options().scalarMasks) {
    Value fallback = other ? b.spread(other, width) : zeroOf(type);
    auto branch = scf::IfOp::create(b, type, mask, true);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(branch.thenBlock());
    Value value = loadAt(address, element, Value(), Value(), isVolatile);
    scf::YieldOp::create(b, b.spread(value, width));
    b.setInsertionPointToStart(branch.elseBlock());
    scf::YieldOp::create(b, fallback);
    return branch.getResult(0);
  }
  if (mask)
    mask = b.spread(mask, width);
  if (other)
    other = b.spread(other, width);
  if (address.contiguous(element))
    return mem::LoadOp::create(b, type, address.base, address.index, mask, other, address.align,
                               unit, isVolatile);
  return mem::GatherOp::create(b, type, address.base, address.index, laneVector(address), mask,
                               other, unit, isVolatile);
}

void PointEmitter::storeAt(Value value, const Address &address, Value mask, bool isVolatile) {
  if (address.wrapFirst) {
    Address straight = address;
    straight.wrapFirst = Value();
    auto branch = scf::IfOp::create(b, TypeRange(), fits(address), true);
    OpBuilder::InsertionGuard guard(b);
    for (bool fit : {true, false}) {
      b.setInsertionPointToStart(fit ? branch.thenBlock() : branch.elseBlock());
      storeAt(value, fit ? straight : wrapped(address), mask, isVolatile);
    }
    return;
  }
  IntegerAttr unit = unitAttr(address.unit, getElementTypeOrSelf(value));
  bool scalars = widthOf(value) == 1 && (!mask || widthOf(mask) == 1);
  if (address.uniform() && scalars) {
    mem::StoreOp::create(b, value, address.base, address.index, mask, address.align, unit,
                         isVolatile);
    return;
  }
  value = b.spread(value, point.width);
  if (mask && widthOf(mask) == 1) {
    b.guarded(mask, b.getI1Type(), true, [&]() -> Value {
      storeAt(value, address, Value(), isVolatile);
      return {};
    });
    return;
  }
  if (address.contiguous(getElementTypeOrSelf(value)))
    mem::StoreOp::create(b, value, address.base, address.index, mask, address.align, unit,
                         isVolatile);
  else
    mem::ScatterOp::create(b, value, address.base, address.index, laneVector(address), mask, unit,
                           isVolatile);
}

Value PointEmitter::emitRead(nests::ReadOp op) {
  auto view = op.getView().getDefiningOp<nests::ViewOp>();
  Address address = addressOf(view, mapped(op.getOffset()), op.getBits());
  Value own = b.both(boxMask(view, op.getBits()), mapped(op.getMask()));
  // A uniform address is that of a live lane; otherwise dead lanes must not touch memory.
  bool uniform = address.uniform() && (!own || widthOf(own) == 1);
  Value mask = uniform ? own : b.both(own, point.mask);
  Value other = own ? mapped(op.getOther()) : Value();
  return loadAt(address, op.getType(), mask, other, op.getIsVolatile());
}

void PointEmitter::emitWrite(nests::WriteOp op) {
  auto view = op.getView().getDefiningOp<nests::ViewOp>();
  Address address = addressOf(view, mapped(op.getOffset()), op.getBits());
  Value value = mapped(op.getValue());
  Value own = b.both(boxMask(view, op.getBits()), mapped(op.getMask()));
  bool once = address.uniform() && widthOf(value) == 1 && (!own || widthOf(own) == 1);
  own = b.both(point.writes, own);
  storeAt(value, address, once ? own : b.both(own, point.mask), op.getIsVolatile());
}

/// Nests with atomics run point by point.
template <typename Op> Value PointEmitter::emitAtomic(Op op) {
  auto view = op.getView().template getDefiningOp<nests::ViewOp>();
  Address address = addressOf(view, mapped(op.getOffset()), op.getBits());
  Value mask = b.both(point.writes, b.both(boxMask(view, op.getBits()), mapped(op.getMask())));
  Type type = op.getType();
  IntegerAttr unit = unitAttr(address.unit, type);
  auto act = [&]() -> Value {
    if constexpr (std::is_same_v<Op, nests::AtomicRMWOp>)
      return mem::AtomicRMWOp::create(b, type, op.getKind(), op.getOrder(), op.getScope(),
                                      address.base, address.index, mapped(op.getValue()), unit);
    else
      return mem::AtomicCASOp::create(b, type, op.getOrder(), op.getScope(), address.base,
                                      address.index, mapped(op.getCompare()), mapped(op.getValue()),
                                      unit);
  };
  return b.guarded(mask, type, op.getResult().use_empty(), act);
}

} // namespace tritonrt::compiler::mapvector
