// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/passes/strips/StripSlicer.h"

#include "compiler/dialect/libm/Libm.h"
#include "compiler/dialect/tt/TtOps.h"
#include "compiler/passes/strips/Products.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/TypeUtilities.h"

#include <numeric>

using namespace mlir;

namespace tritonrt::compiler {

namespace {

bool isTensor(Value value) { return isa<RankedTensorType>(value.getType()); }
ArrayRef<int64_t> shapeOf(Value value) {
  return cast<RankedTensorType>(value.getType()).getShape();
}
bool isWhole(const Spec &spec) {
  return llvm::all_of(spec, [](int64_t strip) { return strip == kWhole; });
}
Spec wholeSpec(Value value) { return Spec(shapeOf(value).size(), kWhole); }

/// Too dear to be done once for every strip of another dim.
bool isCostly(Operation *op) {
  return isa<tt::DotOp, tt::ReduceOp, tt::ScanOp>(op) ||
         isa<libm::LibmDialect, math::MathDialect>(op->getDialect());
}

/// The spec of an operand that spreads over the dims where it has more than one element.
Spec spreadSpec(Value operand, const Spec &spec) {
  Spec result(spec);
  for (auto [strip, size] : llvm::zip(result, shapeOf(operand)))
    if (size == 1)
      strip = kWhole;
  return result;
}

} // namespace

StripSlicer::Key StripSlicer::keyOf(Value value, const Spec &spec) {
  return {value.getAsOpaquePointer(), {spec.begin(), spec.end()}};
}

int64_t StripSlicer::carriedNumber(Value value) {
  if (auto result = dyn_cast<OpResult>(value); result && result.getOwner() == loop)
    return result.getResultNumber();
  if (auto arg = dyn_cast<BlockArgument>(value); arg && arg.getOwner() == loop.getBody())
    return int64_t(arg.getArgNumber()) - int64_t(loop.getNumInductionVars());
  return -1;
}

bool StripSlicer::isOurs(Value value) const {
  if (auto arg = dyn_cast<BlockArgument>(value))
    return arg.getOwner()->getParentOp() == ops.front();
  Operation *op = value.getDefiningOp();
  return ops.front()->isProperAncestor(op) || llvm::is_contained(ops, op);
}

std::optional<SmallVector<std::pair<Value, Spec>>> StripSlicer::needs(Operation *op,
                                                                      const Spec &spec) const {
  SmallVector<std::pair<Value, Spec>> list;
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    return isa<SplatElementsAttr>(constant.getValue()) ? std::optional(list) : std::nullopt;
  if (isa<tt::SplatOp, tt::MakeRangeOp>(op))
    return list;
  if (auto expand = dyn_cast<tt::ExpandDimsOp>(op)) {
    Spec source(spec);
    source.erase(source.begin() + expand.getAxis());
    list.emplace_back(expand.getSrc(), source);
    return list;
  }
  if (auto broadcast = dyn_cast<tt::BroadcastOp>(op)) {
    list.emplace_back(broadcast.getSrc(), spreadSpec(broadcast.getSrc(), spec));
    return list;
  }
  if (auto trans = dyn_cast<tt::TransOp>(op)) {
    Spec source(spec.size());
    for (auto [i, d] : llvm::enumerate(trans.getOrder()))
      source[d] = spec[i];
    list.emplace_back(trans.getSrc(), source);
    return list;
  }
  if (auto dot = dyn_cast<tt::DotOp>(op)) {
    Spec a(spec), b(spec);
    a.back() = kWhole;
    b[b.size() - 2] = kWhole;
    list.emplace_back(dot.getA(), a);
    list.emplace_back(dot.getB(), b);
    list.emplace_back(dot.getC(), spec);
    return list;
  }
  if (auto reduce = dyn_cast<tt::ReduceOp>(op)) {
    Spec source(spec);
    source.insert(source.begin() + reduce.getAxis(), kWhole);
    for (Value operand : op->getOperands())
      list.emplace_back(operand, source);
    return list;
  }
  if (auto load = dyn_cast<tile::LoadOp>(op)) {
    if (load.getIsVolatile())
      return std::nullopt;
    if (load.getOffsets())
      list.emplace_back(load.getOffsets(), spreadSpec(load.getOffsets(), spec));
    for (Value operand : {load.getMask(), load.getOther()})
      if (operand && isTensor(operand))
        list.emplace_back(operand, spec);
    return list;
  }
  if (!OpTrait::hasElementwiseMappableTraits(op))
    return std::nullopt;
  for (Value operand : op->getOperands())
    if (isTensor(operand))
      list.emplace_back(operand, spec);
  return list;
}

bool StripSlicer::require(Value value, const Spec &spec) {
  auto [it, first] = required.try_emplace(keyOf(value, spec), true);
  if (!first)
    return true;
  if (int64_t k = carriedNumber(value); k >= 0) {
    auto [known, fresh] = carriedSpecs.try_emplace(k, spec);
    if (!fresh)
      return known->second == spec;
    return require(loop.getBody()->getTerminator()->getOperand(k), spec) &&
           require(loop.getInitArgs()[k], spec);
  }
  bool ours = isOurs(value);
  if (!ours && isWhole(spec))
    return true;
  // Outside of the loop only what costs nothing is done again.
  if (!ours && !isCheap(value))
    return needStage(value, spec);
  Operation *op = value.getDefiningOp();
  if (isCostly(op)) {
    auto [known, fresh] = costly.try_emplace(op, spec);
    bool all = llvm::all_of(llvm::seq<int64_t>(0, strips.size()),
                            [&](int64_t strip) { return llvm::is_contained(spec, strip); });
    if (!ours || !all || !(fresh || known->second == spec))
      return false;
  }
  return requireOperands(op, spec);
}

bool StripSlicer::requireOperands(Operation *op, const Spec &spec) {
  auto list = needs(op, spec);
  return list && llvm::all_of(*list, [&](auto &need) { return require(need.first, need.second); });
}

/// The spec under which a value hangs together with others that are required.
std::optional<Spec> StripSlicer::specOf(Value value) {
  auto it = required.lower_bound({value.getAsOpaquePointer(), {}});
  if (it != required.end() && it->first.first == value.getAsOpaquePointer())
    return Spec(it->first.second.begin(), it->first.second.end());
  Operation *op = value.getDefiningOp();
  auto reduce = dyn_cast_or_null<tt::ReduceOp>(op);
  if (!op || !isOurs(value) || (!reduce && !OpTrait::hasElementwiseMappableTraits(op)))
    return std::nullopt;
  for (Value operand : op->getOperands()) {
    std::optional<Spec> spec = isTensor(operand) ? specOf(operand) : std::nullopt;
    if (spec && reduce)
      spec->erase(spec->begin() + reduce.getAxis());
    if (spec && !isWhole(*spec))
      return spec;
  }
  return std::nullopt;
}

/// Plans the tensors that the loop carries beside the large ones.
bool StripSlicer::requireRest() {
  for (OpResult result : loop.getResults()) {
    int64_t k = result.getResultNumber();
    if (!isTensor(result) || result.use_empty() || carriedSpecs.count(k))
      continue;
    std::optional<Spec> spec = specOf(loop.getBody()->getTerminator()->getOperand(k));
    if (!spec || !require(result, *spec))
      return false;
  }
  return true;
}

/// The specs of what follows the loop, from that of the carried tile.
bool StripSlicer::forward() {
  for (auto &[k, spec] : carriedSpecs)
    after[loop.getResult(k)] = spec;
  for (Operation *op : ops.drop_front()) {
    std::optional<Spec> spec;
    for (Value operand : op->getOperands()) {
      auto it = after.find(operand);
      if (it == after.end()) {
        if (isTensor(operand) && isOurs(operand))
          return false;
        continue;
      }
      const Spec &from = it->second;
      Spec to(from);
      if (auto expand = dyn_cast<tt::ExpandDimsOp>(op)) {
        to.insert(to.begin() + expand.getAxis(), kWhole);
      } else if (auto trans = dyn_cast<tt::TransOp>(op)) {
        for (auto [i, d] : llvm::enumerate(trans.getOrder()))
          to[i] = from[d];
      } else if (!isa<tt::BroadcastOp, tile::StoreOp>(op) &&
                 !OpTrait::hasElementwiseMappableTraits(op)) {
        return false;
      }
      // An operand that only spreads says nothing of the dims that it lacks.
      if (!spec || llvm::count(*spec, kWhole) > llvm::count(to, kWhole))
        spec = to;
    }
    if (!spec)
      continue;
    if (auto store = dyn_cast<tile::StoreOp>(op)) {
      if (!require(store.getValue(), *spec) ||
          (store.getOffsets() &&
           !require(store.getOffsets(), spreadSpec(store.getOffsets(), *spec))) ||
          (store.getMask() && isTensor(store.getMask()) && !require(store.getMask(), *spec)))
        return false;
      // Every strip must store its own part.
      for (int64_t strip = 0; strip < int64_t(strips.size()); ++strip)
        if (!llvm::is_contained(*spec, strip))
          return false;
      after[store.getValue()] = *spec;
      continue;
    }
    for (Value result : op->getResults())
      after[result] = *spec;
  }
  return true;
}

bool StripSlicer::plan(Value carried) {
  for (Operation &op : loop.getBody()->without_terminator()) {
    bool tensors = llvm::any_of(op.getOperands(), isTensor);
    if (op.getNumRegions() && !isa<tt::ReduceOp, tt::ScanOp>(op))
      return false;
    if (tensors && llvm::any_of(op.getResults(), [](Value v) { return !isTensor(v); }))
      return false;
  }
  Spec spec = wholeSpec(carried);
  for (auto [i, strip] : llvm::enumerate(strips))
    spec[strip.dim] = i;
  if (!require(carried, spec) || !requireRest() || !forward())
    return false;
  planStages();
  // What a loop leaves behind whole waits in buffers where there are chunks.
  return ops.size() > 1 || !operands.empty();
}

void StripSlicer::reach(Value value, const Spec &spec, Keys &keys) {
  Operation *op = value.getDefiningOp();
  if (!op || carriedNumber(value) >= 0 || (!isOurs(value) && isWhole(spec)) ||
      !keys.try_emplace(keyOf(value, spec), true).second)
    return;
  auto list = *needs(op, spec);
  for (auto &[operand, need] : list)
    if (!stageOf(operand, need))
      reach(operand, need, keys);
}

StripSlicer::Keys StripSlicer::reachedByLoop() {
  Keys keys;
  for (auto &[k, spec] : carriedSpecs)
    for (Value value : {loop.getBody()->getTerminator()->getOperand(k), loop.getInitArgs()[k]})
      if (!stageOf(value, spec))
        reach(value, spec, keys);
  return keys;
}

StripSlicer::Keys StripSlicer::reachedByStores() {
  Keys keys;
  for (Operation *op : ops)
    if (auto store = dyn_cast<tile::StoreOp>(op)) {
      const Spec &spec = after.find(store.getValue())->second;
      auto add = [&](Value value, const Spec &need) {
        if (value && isTensor(value) && !stageOf(value, need))
          reach(value, need, keys);
      };
      add(store.getValue(), spec);
      add(store.getMask(), spec);
      if (store.getOffsets())
        add(store.getOffsets(), spreadSpec(store.getOffsets(), spec));
    }
  return keys;
}

Type StripSlicer::sliced(Type type, const Spec &spec) const {
  auto tensor = cast<RankedTensorType>(type);
  SmallVector<int64_t> shape(tensor.getShape());
  for (auto [size, strip] : llvm::zip(shape, spec))
    if (strip != kWhole)
      size = strips[strip].size;
  return RankedTensorType::get(shape, tensor.getElementType());
}

Value StripSlicer::slice(OpBuilder &b, Value value, const Spec &spec) {
  if (!isOurs(value) && isWhole(spec))
    return value;
  auto key = keyOf(value, spec);
  // What was made inside the loop does not exist after it.
  Region *here = b.getInsertionBlock()->getParent();
  if (auto it = made.find(key); it != made.end() && it->second.getParentRegion()->isAncestor(here))
    return it->second;
  const Stage *stage = stageOf(value, spec);
  Value result =
      stage ? loadStage(b, *stage)
            : sliceOp(b, value.getDefiningOp(), cast<OpResult>(value).getResultNumber(), spec);
  made[key] = result;
  return result;
}

Value StripSlicer::sliceOp(OpBuilder &b, Operation *op, unsigned number, const Spec &spec) {
  Location loc = op->getLoc();
  Type type = sliced(op->getResult(number).getType(), spec);
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    auto value = cast<SplatElementsAttr>(constant.getValue()).getSplatValue<Attribute>();
    return arith::ConstantOp::create(b, loc, SplatElementsAttr::get(cast<ShapedType>(type), value));
  }
  if (auto splat = dyn_cast<tt::SplatOp>(op))
    return tt::SplatOp::create(b, loc, type, scalars.lookupOrDefault(splat.getSrc()));
  if (auto range = dyn_cast<tt::MakeRangeOp>(op)) {
    if (isWhole(spec))
      return b.clone(*op)->getResult(0);
    int32_t start = range.getStart(), size = strips[spec[0]].size;
    Value part = tt::MakeRangeOp::create(b, loc, type, start, start + size);
    Value shift = offsets[spec[0]];
    Type element = getElementTypeOrSelf(type);
    if (!element.isInteger(64))
      shift = arith::TruncIOp::create(b, loc, element, shift);
    return arith::AddIOp::create(b, loc, part, tt::SplatOp::create(b, loc, type, shift));
  }
  SmallVector<std::pair<Value, Spec>> list = *needs(op, spec);
  SmallVector<Value> slicedNeeds;
  for (auto &[operand, need] : list)
    slicedNeeds.push_back(slice(b, operand, need));
  if (isa<tile::LoadOp>(op))
    return sliceAccess(b, cast<tile::AddressOp>(op), spec)->getResult(0);
  auto dot = dyn_cast<tt::DotOp>(op);
  const Stage *stage = dot ? stageOf(dot.getA(), list[0].second) : nullptr;
  bool pairs = stage && stage->pairs >= 0;
  if (dot && !pairs)
    if (getElementTypeOrSelf(slicedNeeds[0]) != getElementTypeOrSelf(slicedNeeds[1]))
      for (Value &operand : MutableArrayRef(slicedNeeds).take_front(2))
        operand = widened(b, loc, operand, productType(dot));
  IRMapping mapping(scalars);
  Operation *copy = b.clone(*op, mapping);
  unsigned next = 0;
  for (OpOperand &operand : copy->getOpOperands())
    if (isTensor(op->getOperand(operand.getOperandNumber())))
      operand.set(slicedNeeds[next++]);
  if (pairs)
    copy->setAttr(kPairsAttr, b.getUnitAttr());
  for (auto [i, result] : llvm::enumerate(copy->getResults())) {
    result.setType(sliced(result.getType(), spec));
    made[keyOf(op->getResult(i), spec)] = result;
  }
  return copy->getResult(number);
}

Operation *StripSlicer::sliceAccess(OpBuilder &b, tile::AddressOp op, const Spec &spec) {
  Location loc = op->getLoc();
  auto mapped = [&](Value value) { return value ? scalars.lookupOrDefault(value) : Value(); };
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(value));
  };
  Value base = mapped(op.getBase()), wrapStart = mapped(op.getWrapStart());
  int64_t align = op.getAlign();
  unsigned nextStride = 0;
  SmallVector<Value> strides;
  for (auto [d, fixed] : llvm::enumerate(op.getStaticStrides())) {
    bool dynamic = ShapedType::isDynamic(fixed);
    Value stride = dynamic ? mapped(op.getStrides()[nextStride++]) : Value();
    if (dynamic)
      strides.push_back(stride);
    if (spec.empty() || spec[d] == kWhole)
      continue;
    Value offset = offsets[spec[d]];
    if (int64_t(d) == op.getWrapDim()) {
      wrapStart = arith::AddIOp::create(b, loc, wrapStart, offset);
      wrapStart = arith::RemUIOp::create(b, loc, wrapStart, mapped(op.getWrapSize()));
      align = 0;
      continue;
    }
    if (!dynamic && fixed == 0)
      continue;
    int64_t unit = op.getUnit();
    Value step = dynamic ? arith::MulIOp::create(b, loc, stride, constant(unit)).getResult()
                         : constant(fixed * unit);
    Value bytes = arith::MulIOp::create(b, loc, offset, step);
    base = mem::OffsetOp::create(b, loc, base.getType(), base, bytes);
    // 0 = only that of an element is known.
    if (align)
      align = dynamic ? 0 : std::gcd(align, strips[spec[d]].size * fixed * unit);
  }
  SmallVector<Value> lo, hi;
  SmallVector<int64_t> boxDims;
  for (auto [i, d] : llvm::enumerate(op.getBoxDims())) {
    bool split = !spec.empty() && spec[d] != kWhole;
    if (split && boxesDropped && !isOurs(op.getLo()[i]) && !isOurs(op.getHi()[i]))
      continue;
    Value low = mapped(op.getLo()[i]), high = mapped(op.getHi()[i]);
    if (split) {
      low = arith::SubIOp::create(b, loc, low, offsets[spec[d]]);
      high = arith::SubIOp::create(b, loc, high, offsets[spec[d]]);
    }
    boxDims.push_back(d);
    lo.push_back(low);
    hi.push_back(high);
  }
  auto part = [&](Value value, const Spec &need) -> Value {
    if (!value)
      return value;
    return isTensor(value) ? slice(b, value, need) : scalars.lookupOrDefault(value);
  };
  Value tileOffsets =
      op.getOffsets() ? part(op.getOffsets(), spreadSpec(op.getOffsets(), spec)) : Value();
  Value mask = part(op.getMask(), spec);
  if (auto load = dyn_cast<tile::LoadOp>(op.getOperation())) {
    Type type = isTensor(load.getResult()) ? sliced(load.getType(), spec) : load.getType();
    return tile::LoadOp::create(
        b, loc, type, base, strides, lo, hi, wrapStart, mapped(op.getWrapSize()), tileOffsets, mask,
        part(load.getOther(), spec), op.getStaticStrides(), boxDims, op.getWrapDim(), op.getUnit(),
        op.getRoot(), align, load.getIsVolatile());
  }
  auto store = cast<tile::StoreOp>(op.getOperation());
  return tile::StoreOp::create(b, loc, part(store.getValue(), spec), base, strides, lo, hi,
                               wrapStart, mapped(op.getWrapSize()), tileOffsets, mask,
                               op.getStaticStrides(), boxDims, op.getWrapDim(), op.getUnit(),
                               op.getRoot(), align, store.getIsVolatile());
}

/// The scalars of the loop's body.
void StripSlicer::sliceScalars(OpBuilder &b) {
  for (Operation &op : loop.getBody()->without_terminator())
    if (llvm::none_of(op.getOperands(), isTensor) && llvm::none_of(op.getResults(), isTensor))
      b.clone(op, scalars);
}

SmallVector<int64_t> StripSlicer::sliceLoop(OpBuilder &b, const Turns &turns) {
  SmallVector<Value> inits;
  SmallVector<int64_t> numberOf; // of the old loop
  auto scalar = turns.scalars.begin();
  for (auto [k, init] : llvm::enumerate(loop.getInitArgs())) {
    if (isTensor(init) && !carriedSpecs.count(k))
      continue;
    inits.push_back(!isTensor(init) ? *scalar++
                    : turns.counted ? loadStage(b, carried.at(k))
                                    : slice(b, init, carriedSpecs[k]));
    numberOf.push_back(k);
  }
  Value one;
  if (turns.counted) {
    one = arith::ConstantOp::create(b, loop.getLoc(), b.getI64IntegerAttr(1));
    inits.push_back(arith::ConstantOp::create(b, loop.getLoc(), b.getI64IntegerAttr(0)));
  }
  auto copy = scf::ForOp::create(b, loop.getLoc(), turns.lower, turns.upper, loop.getStep(), inits);
  copy->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
  copy.setUnsignedCmp(loop.getUnsignedCmp());
  scalars.map(loop.getInductionVar(), copy.getInductionVar());
  for (auto [k, arg] : llvm::zip_first(numberOf, copy.getRegionIterArgs())) {
    BlockArgument old = loop.getRegionIterArgs()[k];
    if (isTensor(old))
      made[keyOf(old, carriedSpecs[k])] = arg;
    else
      scalars.map(old, arg);
  }
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(copy.getBody());
    if (turns.counted)
      turn = copy.getRegionIterArgs().back();
    sliceScalars(b);
    SmallVector<Value> yielded;
    for (int64_t k : numberOf) {
      Value value = loop.getBody()->getTerminator()->getOperand(k);
      yielded.push_back(isTensor(value) ? slice(b, value, carriedSpecs[k])
                                        : scalars.lookupOrDefault(value));
    }
    if (turns.counted)
      yielded.push_back(arith::AddIOp::create(b, loop.getLoc(), turn, one));
    if (!yielded.empty())
      scf::YieldOp::create(b, loop.getLoc(), yielded);
    turn = Value();
  }
  for (auto [k, result] : llvm::zip_first(numberOf, copy.getResults()))
    if (isTensor(result))
      made[keyOf(loop.getResult(k), carriedSpecs[k])] = result;
  return numberOf;
}

/// Holds where every strip lies inside every box that cuts its dim.
Value StripSlicer::inside(OpBuilder &b, const Keys &keys, bool stores) {
  Location loc = loop.getLoc();
  Value all;
  auto check = [&](arith::CmpIPredicate predicate, Value x, Value y) {
    Value one = arith::CmpIOp::create(b, loc, predicate, x, y);
    all = all ? Value(arith::AndIOp::create(b, loc, all, one)) : one;
  };
  auto checkOp = [&](tile::AddressOp op, ArrayRef<int64_t> spec) {
    for (auto [i, d] : llvm::enumerate(op.getBoxDims())) {
      Value lo = op.getLo()[i], hi = op.getHi()[i];
      if (spec[d] == kWhole || isOurs(lo) || isOurs(hi))
        continue;
      Value first = offsets[spec[d]];
      Value size = arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(strips[spec[d]].size));
      Value last = arith::AddIOp::create(b, loc, first, size);
      check(arith::CmpIPredicate::sle, lo, first);
      check(arith::CmpIPredicate::sle, last, hi);
    }
  };
  for (auto &[key, unused] : keys)
    if (auto load = Value::getFromOpaquePointer(key.first).getDefiningOp<tile::LoadOp>())
      checkOp(cast<tile::AddressOp>(load.getOperation()), key.second);
  for (Operation *op : stores ? ops.drop_front() : ArrayRef<Operation *>())
    if (auto store = dyn_cast<tile::StoreOp>(op))
      checkOp(cast<tile::AddressOp>(op), after[store.getValue()]);
  return all;
}

void StripSlicer::insideOrNot(OpBuilder &b, const Keys &keys, bool stores, Writer write) {
  boxesDropped = false;
  Value whole = inside(b, keys, stores);
  if (!whole)
    return write(b);
  auto branch = scf::IfOp::create(b, loop.getLoc(), whole, /*withElseRegion=*/true);
  OpBuilder in = branch.getThenBodyBuilder();
  boxesDropped = true;
  write(in);
  OpBuilder edge = branch.getElseBodyBuilder();
  boxesDropped = false;
  write(edge);
}

void StripSlicer::overStrips(OpBuilder &b, const Spec &which, bool firstOutside, Writer write) {
  OpBuilder::InsertionGuard guard(b);
  Location loc = loop.getLoc();
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(value));
  };
  offsets.resize(strips.size());
  for (size_t i = 0; i < strips.size(); ++i) {
    size_t number = firstOutside ? i : strips.size() - 1 - i;
    if (!llvm::is_contained(which, int64_t(number)))
      continue;
    const Strip &strip = strips[number];
    auto over =
        scf::ForOp::create(b, loc, constant(0), constant(strip.total), constant(strip.size));
    offsets[number] = over.getInductionVar();
    b.setInsertionPointToStart(over.getBody());
  }
  write(b);
}

void StripSlicer::writeStores(OpBuilder &b) {
  for (Operation *op : ops.drop_front())
    if (auto store = dyn_cast<tile::StoreOp>(op))
      sliceAccess(b, cast<tile::AddressOp>(op), after[store.getValue()]);
}

void StripSlicer::writeStrips(OpBuilder &b) {
  Keys keys = reachedByLoop();
  keys.merge(reachedByStores());
  Turns turns{loop.getLowerBound(), loop.getUpperBound(), {}};
  llvm::copy_if(loop.getInitArgs(), std::back_inserter(turns.scalars),
                [](Value init) { return !isTensor(init); });
  Spec all = llvm::to_vector(llvm::seq<int64_t>(0, strips.size()));
  overStrips(b, all, /*firstOutside=*/true, [&](OpBuilder &b) {
    insideOrNot(b, keys, /*stores=*/true, [&](OpBuilder &b) {
      forget();
      sliceLoop(b, turns);
      writeStores(b);
    });
  });
}

void StripSlicer::rewrite() {
  // Behind the last op: what the stores need from outside stands before it.
  OpBuilder b(ops.back()->getContext());
  b.setInsertionPointAfter(ops.back());
  for (Stage &stage : outside) {
    allocate(b, stage, 1);
    storeStage(b, stage, stage.value, /*part=*/false);
  }
  std::optional<Value> pays = chunksPay(b);
  if (!pays) {
    operands.clear();
    writeStrips(b);
  } else if (!*pays) {
    writeChunks(b);
  } else {
    auto branch = scf::IfOp::create(b, loop.getLoc(), *pays, /*withElseRegion=*/true);
    OpBuilder chunks = branch.getThenBodyBuilder();
    writeChunks(chunks);
    OpBuilder plain = branch.getElseBodyBuilder();
    operands.clear();
    writeStrips(plain);
  }
  for (Operation *op : llvm::reverse(ops))
    if (op->use_empty())
      op->erase();
}

} // namespace tritonrt::compiler
