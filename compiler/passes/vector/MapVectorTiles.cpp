// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Structure around the nests. Tensors live in scratch memory: each value that a nest makes has its
// own place, each tensor that a loop carries or a branch gives has one that values are copied into.
#include "compiler/Fault.h"
#include "compiler/passes/vector/MapVector.h"

#include "compiler/analysis/Bits.h"
#include "compiler/dialect/tile/Tile.h"

#include "mlir/Dialect/UB/IR/UBOps.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tritonrt::compiler::mapvector {

namespace {

bool isIdentity(ArrayRef<int64_t> bits) { return llvm::equal(bits, identityBits(bits.size())); }

bool isTensor(Value value) { return isa<RankedTensorType>(value.getType()); }

SmallVector<Value> scalarsOf(ValueRange values) {
  return llvm::filter_to_vector(values, [](Value v) { return !isTensor(v); });
}

SmallVector<Value> tensorsOf(ValueRange values) { return llvm::filter_to_vector(values, isTensor); }

} // namespace

FunctionMapper::FunctionMapper(func::FuncOp from, func::FuncOp to, const MapVectorOptions &options)
    : from(from), to(to), opts(options), b(from.getLoc(), from.getContext()) {}

LogicalResult FunctionMapper::run() {
  entry = to.addEntryBlock();
  values.map(from.getArguments(), entry->getArguments());
  for (auto [old, arg] : llvm::zip(from.getArguments(), entry->getArguments()))
    arg.setLoc(old.getLoc()); // which holds its name
  b.setInsertionPointToStart(entry);
  if (!from.getBody().hasOneBlock())
    return emitFault(from, "the loops and branches around this have no structure");
  if (failed(mapBlock(from.getBody().front())))
    return failure();
  return mapPlain(*from.getBody().front().getTerminator());
}

LogicalResult FunctionMapper::mapBlock(Block &block) {
  for (Operation &op : block.without_terminator()) {
    b.setLoc(op.getLoc());
    if (failed(mapOp(op)))
      return failure();
  }
  b.setLoc(block.getTerminator()->getLoc());
  return success();
}

LogicalResult FunctionMapper::mapOp(Operation &op) {
  if (isa<tile::AddressOp>(op))
    return mapAccess(op);
  return llvm::TypeSwitch<Operation *, LogicalResult>(&op)
      .Case([&](nests::ViewOp) { return success(); })
      .Case([&](nests::NestOp nest) { return mapNest(nest), success(); })
      .Case([&](arith::ConstantOp constant) { return mapConstant(constant); })
      .Case([&](arith::SelectOp select) { return mapSelect(select); })
      .Case([&](scf::ForOp loop) { return mapFor(loop); })
      .Case([&](scf::IfOp branch) { return mapIf(branch); })
      .Case([&](scf::WhileOp loop) { return mapWhile(loop); })
      .Case([&](ub::PoisonOp poison) -> LogicalResult {
        Value result = poison.getResult();
        if (auto type = dyn_cast<RankedTensorType>(result.getType()))
          return setTile(result, {Value(), b.anything(type.getElementType())}), success();
        return setScalar(result, b.anything(result.getType())), success();
      })
      .Default([&](Operation *op) { return mapPlain(*op); });
}

LogicalResult FunctionMapper::mapPlain(Operation &op) {
  auto tensors = [](TypeRange types) { return llvm::any_of(types, llvm::IsaPred<TensorType>); };
  if (tensors(op.getOperandTypes()) || tensors(op.getResultTypes()) || op.getNumRegions())
    return emitFault(&op, "op '" + op.getName().getStringRef() + "' has no mapping");
  b.clone(op, values);
  return success();
}

Value FunctionMapper::allocate(int64_t bytes, mem::Space space) {
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(entry);
  return mem::AllocOp::create(b, mem::PtrType::get(b.getContext(), space), uint64_t(bytes));
}

Value FunctionMapper::placeFor(Value old) {
  auto type = cast<RankedTensorType>(old.getType());
  return allocate(type.getNumElements() * mem::elementBytes(type), mem::Space::Scratch);
}

Value FunctionMapper::memoryFor(Value old) {
  if (Value place = promised.lookup(old))
    return place;
  return placeFor(old);
}

void FunctionMapper::copy(const Tile &from, const Tile &to, RankedTensorType type) {
  if (from.memory == to.memory)
    return;
  Type element = type.getElementType();
  int64_t size = type.getNumElements();
  int64_t bytes = mem::elementBytes(element);
  int64_t width = std::clamp<int64_t>(llvm::bit_floor<uint64_t>(opts.vectorBytes / bytes), 1,
                                      std::min<int64_t>(size, opts.maxLanes));
  uint64_t align = std::min<int64_t>(width * bytes, 64);
  auto one = [&](Value at) {
    Value value = from.splat ? b.spread(from.splat, width)
                             : mem::LoadOp::create(b, onLanes(element, width), from.memory, at,
                                                   Value(), Value(), align, IntegerAttr())
                                   .getResult();
    mem::StoreOp::create(b, value, to.memory, at, Value(), align, IntegerAttr());
  };
  // What fits registers should be able to stay there.
  constexpr int64_t kMostVectors = 24;
  if (size <= kMostVectors * width) {
    for (int64_t at = 0; at < size; at += width)
      one(b.constant(at));
    return;
  }
  auto loop = scf::ForOp::create(b, b.constant(0), b.constant(size), b.constant(width));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  one(loop.getInductionVar());
}

void FunctionMapper::copyAll(ArrayRef<Value> from, ArrayRef<Value> to) {
  SmallVector<Tile> sources;
  for (auto [i, value] : llvm::enumerate(from)) {
    Tile source = tile(value);
    // A source that is overwritten before its turn waits in a place of its own.
    if (source.memory && source.memory != to[i] &&
        llvm::is_contained(to.take_front(i), source.memory)) {
      Tile saved = tileAt(value, placeFor(value));
      copy(source, saved, cast<RankedTensorType>(value.getType()));
      source = saved;
    }
    sources.push_back(source);
  }
  for (auto [value, source, target] : llvm::zip_equal(from, sources, to))
    copy(source, tileAt(value, target), cast<RankedTensorType>(value.getType()));
}

LogicalResult FunctionMapper::mapConstant(arith::ConstantOp op) {
  auto type = dyn_cast<RankedTensorType>(op.getType());
  if (!type)
    return mapPlain(*op);
  auto dense = dyn_cast<DenseElementsAttr>(op.getValue());
  if (!dense)
    return emitFault(op, "a constant tensor is not dense");
  auto number = [&](Attribute attr) -> Value {
    return arith::ConstantOp::create(b, cast<TypedAttr>(attr));
  };
  if (dense.isSplat()) {
    setTile(op, {Value(), number(dense.getSplatValue<Attribute>())});
    return success();
  }
  Value memory = allocate(type.getNumElements() * mem::elementBytes(type), mem::Space::Scratch);
  for (auto [i, element] : llvm::enumerate(dense.getValues<Attribute>()))
    mem::StoreOp::create(b, number(element), memory, b.constant(i), Value(), uint64_t(0),
                         IntegerAttr());
  setTile(op, {memory, Value()});
  return success();
}

LogicalResult FunctionMapper::mapSelect(arith::SelectOp op) {
  auto type = dyn_cast<RankedTensorType>(op.getType());
  if (!type)
    return mapPlain(*op);
  if (isTensor(op.getCondition()))
    return emitFault(op, "an op on tensors is outside of all loops over elements");
  Value memory = memoryFor(op);
  auto branch = scf::IfOp::create(b, scalar(op.getCondition()), true);
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(branch.thenBlock());
    copy(tile(op.getTrueValue()), tileAt(op, memory), type);
    b.setInsertionPointToStart(branch.elseBlock());
    copy(tile(op.getFalseValue()), tileAt(op, memory), type);
  }
  setTile(op, tileAt(op, memory));
  return success();
}

LogicalResult FunctionMapper::mapIf(scf::IfOp op) {
  SmallVector<Value> tensors = tensorsOf(op.getResults()), memory;
  SmallVector<Type> types;
  for (Value result : op.getResults()) {
    if (!isTensor(result)) {
      types.push_back(result.getType());
      continue;
    }
    memory.push_back(memoryFor(result));
  }
  auto branch = scf::IfOp::create(b, types, scalar(op.getCondition()), op.elseBlock() != nullptr);
  auto mapSide = [&](Block *from, Block *to) -> LogicalResult {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(to);
    ValueRange yielded = from->getTerminator()->getOperands();
    for (auto [value, place] : llvm::zip_equal(tensorsOf(yielded), memory))
      if (value.getParentBlock() == from && value.getDefiningOp<nests::NestOp>())
        promised.try_emplace(value, place);
    enterRegion(op);
    if (failed(mapBlock(*from)))
      return failure();
    copyAll(tensorsOf(yielded), memory);
    leaveRegion(op);
    if (types.empty())
      return success();
    SmallVector<Value> results =
        llvm::map_to_vector(scalarsOf(yielded), [&](Value v) { return scalar(v); });
    scf::YieldOp::create(b, results);
    return success();
  };
  if (failed(mapSide(op.thenBlock(), branch.thenBlock())) ||
      (op.elseBlock() && failed(mapSide(op.elseBlock(), branch.elseBlock()))))
    return failure();
  values.map(ValueRange(scalarsOf(op.getResults())), branch.getResults());
  for (auto [tensor, place] : llvm::zip_equal(tensors, memory))
    setTile(tensor, tileAt(tensor, place));
  return success();
}

void FunctionMapper::placeCarried(ValueRange carried, ValueRange yielded, ArrayRef<Value> memory,
                                  Block &body) {
  // A new value may be written over the old one if the old one is not read by then: only by ops
  // before its nest.
  for (auto [old, made, place] : llvm::zip_equal(carried, yielded, memory)) {
    auto nest = made.getDefiningOp<nests::NestOp>();
    if (!nest || nest->getBlock() != &body || promised.contains(made) || !mayUpdate(nest, old))
      continue;
    nests::ResultAttr kind = nest.getKind(cast<OpResult>(made).getResultNumber());
    bool pointwise = kind.getKind() != nests::Kind::Reduce;
    bool dead = llvm::all_of(old.getUsers(), [&](Operation *user) {
      // The nest itself may read an element where it writes the new one: an iteration reads first,
      // and so does a sum that starts from it.
      auto elem = dyn_cast<nests::ElemOp>(user);
      if (elem && elem->getParentOp() == nest)
        return pointwise && isIdentity(elem.getBits()) &&
               numBits(elem.getTile().getType().getShape()) == numBits(nest.getDomain());
      if (elem && isa<nests::StartOp>(elem->getParentOp()))
        return elem->getParentOfType<nests::NestOp>() == nest && !pointwise &&
               elem.getBits() == ArrayRef(keptBits(nest.getDomain(), kind.getDims()));
      Operation *above = body.findAncestorOpInBlock(*user);
      return above != body.getTerminator() && above->isBeforeInBlock(nest);
    });
    if (dead)
      promised[made] = place;
  }
}

LogicalResult FunctionMapper::mapFor(scf::ForOp op) {
  SmallVector<Value> memory;
  SmallVector<Value> carried = tensorsOf(op.getRegionIterArgs());
  for (auto [arg, init] : llvm::zip_equal(carried, tensorsOf(op.getInitArgs()))) {
    // A nest's tile that nobody else reads can be carried where it is.
    bool ours = init.getDefiningOp<nests::NestOp>() && init.hasOneUse() &&
                init.getParentBlock() == op->getBlock() && !promised.contains(init);
    memory.push_back(ours ? tile(init).memory : placeFor(arg));
  }
  copyAll(tensorsOf(op.getInitArgs()), memory);
  SmallVector<Value> inits =
      llvm::map_to_vector(scalarsOf(op.getInitArgs()), [&](Value v) { return scalar(v); });
  auto loop = scf::ForOp::create(b, scalar(op.getLowerBound()), scalar(op.getUpperBound()),
                                 scalar(op.getStep()), inits);
  loop.setUnsignedCmp(op.getUnsignedCmp());
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    values.map(op.getInductionVar(), loop.getInductionVar());
    values.map(ValueRange(scalarsOf(op.getRegionIterArgs())), loop.getRegionIterArgs());
    for (auto [arg, place] : llvm::zip_equal(carried, memory))
      setTile(arg, tileAt(arg, place));
    ValueRange yielded = op.getBody()->getTerminator()->getOperands();
    placeCarried(carried, tensorsOf(yielded), memory, *op.getBody());
    enterRegion(op);
    if (failed(mapBlock(*op.getBody())))
      return failure();
    copyAll(tensorsOf(yielded), memory);
    leaveRegion(op);
    if (!inits.empty()) {
      SmallVector<Value> next =
          llvm::map_to_vector(scalarsOf(yielded), [&](Value v) { return scalar(v); });
      scf::YieldOp::create(b, next);
    }
  }
  values.map(ValueRange(scalarsOf(op.getResults())), loop.getResults());
  for (auto [result, place] : llvm::zip_equal(tensorsOf(op.getResults()), memory))
    setTile(result, tileAt(result, place));
  return success();
}

LogicalResult FunctionMapper::mapWhile(scf::WhileOp op) {
  auto mapped = [&](ValueRange old) {
    return llvm::map_to_vector(scalarsOf(old), [&](Value v) { return scalar(v); });
  };
  SmallVector<Value> before = tensorsOf(op.getBeforeArguments()),
                     after = tensorsOf(op.getAfterArguments());
  SmallVector<Value> carried, forwarded;
  for (Value arg : before)
    carried.push_back(placeFor(arg));
  for (Value arg : after)
    forwarded.push_back(placeFor(arg));
  copyAll(tensorsOf(op.getInits()), carried);

  SmallVector<Type> types =
      llvm::map_to_vector(scalarsOf(op.getResults()), [](Value v) { return v.getType(); });
  SmallVector<Value> inits = mapped(op.getInits());
  auto loop = scf::WhileOp::create(b, types, inits);
  auto openBlock = [&](Region &region, ValueRange old) {
    SmallVector<Type> arguments;
    SmallVector<Location> locations;
    for (Value arg : scalarsOf(old)) {
      arguments.push_back(arg.getType());
      locations.push_back(arg.getLoc());
    }
    Block *block = b.createBlock(&region, region.end(), arguments, locations);
    values.map(ValueRange(scalarsOf(old)), block->getArguments());
  };
  OpBuilder::InsertionGuard guard(b);
  openBlock(loop.getBefore(), op.getBeforeArguments());
  for (auto [arg, place] : llvm::zip_equal(before, carried))
    setTile(arg, tileAt(arg, place));
  enterRegion(op);
  if (failed(mapBlock(*op.getBeforeBody())))
    return failure();
  scf::ConditionOp condition = op.getConditionOp();
  copyAll(tensorsOf(condition.getArgs()), forwarded);
  leaveRegion(op);
  scf::ConditionOp::create(b, scalar(condition.getCondition()), mapped(condition.getArgs()));

  openBlock(loop.getAfter(), op.getAfterArguments());
  for (auto [arg, place] : llvm::zip_equal(after, forwarded))
    setTile(arg, tileAt(arg, place));
  enterRegion(op);
  if (failed(mapBlock(*op.getAfterBody())))
    return failure();
  ValueRange yielded = op.getAfterBody()->getTerminator()->getOperands();
  copyAll(tensorsOf(yielded), carried);
  leaveRegion(op);
  scf::YieldOp::create(b, mapped(yielded));

  values.map(ValueRange(scalarsOf(op.getResults())), loop.getResults());
  for (auto [result, place] : llvm::zip_equal(tensorsOf(op.getResults()), forwarded))
    setTile(result, tileAt(result, place));
  return success();
}

LogicalResult FunctionMapper::mapAccess(Operation &op) {
  auto address = cast<tile::AddressOp>(op);
  if (isa<RankedTensorType>(address.getAccessType()))
    return emitFault(&op, "an access of a tensor is outside of all loops over elements");
  Type type = address.getAccessType();
  Value base = scalar(address.getBase()), zero = b.constant(0), mask = scalar(address.getMask());
  IntegerAttr unit; // Index 0: any unit does.
  auto guarded = [&](llvm::function_ref<Value()> act) {
    bool unused = op.getResult(0).use_empty();
    setScalar(op.getResult(0), b.guarded(mask, type, unused, act));
  };
  llvm::TypeSwitch<Operation *>(&op)
      .Case([&](tile::LoadOp load) {
        setScalar(load, mem::LoadOp::create(b, type, base, zero, mask, scalar(load.getOther()),
                                            load.getAlign(), unit, load.getIsVolatile()));
      })
      .Case([&](tile::StoreOp store) {
        mem::StoreOp::create(b, scalar(store.getValue()), base, zero, mask, store.getAlign(), unit,
                             store.getIsVolatile());
      })
      .Case([&](tile::AtomicRMWOp rmw) {
        guarded([&]() -> Value {
          return mem::AtomicRMWOp::create(b, type, rmw.getKind(), rmw.getOrder(), rmw.getScope(),
                                          base, zero, scalar(rmw.getValue()), unit);
        });
      })
      .Case([&](tile::AtomicCASOp cas) {
        guarded([&]() -> Value {
          return mem::AtomicCASOp::create(b, type, cas.getOrder(), cas.getScope(), base, zero,
                                          scalar(cas.getCompare()), scalar(cas.getValue()), unit);
        });
      })
      .Case([&](tile::AtomicLoadOp load) {
        guarded([&]() -> Value {
          return mem::AtomicLoadOp::create(b, type, load.getOrder(), load.getScope(), base, zero,
                                           unit);
        });
      })
      .Case([&](tile::AtomicStoreOp store) {
        b.guarded(mask, b.getI1Type(), true, [&]() -> Value {
          mem::AtomicStoreOp::create(b, store.getOrder(), store.getScope(), base, zero,
                                     scalar(store.getValue()), unit);
          return {};
        });
      });
  return success();
}

} // namespace tritonrt::compiler::mapvector
