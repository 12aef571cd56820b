// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A nest on several work-items: the loops over what an item holds, and reductions, which run
// through an item's own elements, then through the items of a warp where they can read each other's
// registers, then through local memory.
#include "compiler/analysis/Bits.h"
#include "compiler/passes/simt/MapSimt.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tritonrt::compiler::mapvector {

namespace {

/// Turns of an item's loops over its elements that may become straight code.
constexpr int64_t kMostUnrolled = 128;
/// Kept points whose sums go through local memory at once.
constexpr int64_t kMostPoints = 16, kFewPoints = 4;
/// Bits of the item's index that one round through local memory takes.
constexpr int64_t kRoundBits = 4;

} // namespace

SimtNestMapper::SimtNestMapper(SimtMapper &function, nests::NestOp nest, Plan wanted, Point point,
                               SmallVector<int64_t> itemBits)
    : NestMapper(function, nest, std::move(wanted)), simt(function), start(std::move(point)) {
  for (int64_t bit : itemBits)
    (int64_t{1} << bit < function.shuffleLanes() ? laneBits : restBits).push_back(bit);
  start.lane = plan.lane;
  start.width = plan.width;
  int64_t turns = 1;
  for (ArrayRef<int64_t> dims : {ArrayRef(plan.kept), ArrayRef(plan.ordered)})
    for (int64_t d : dims)
      if (d != plan.lane)
        turns *= nest.getDomain()[d];
  unrolls = simt.straightCode() && turns <= kMostUnrolled;
}

void SimtNestMapper::run() {
  for (int64_t size : nest.getDomain()) {
    lo.push_back(b.constant(0));
    hi.push_back(b.constant(size));
  }
  for (Value result : nest.getResults()) {
    memory.push_back(Value());
    if (!isa<RankedTensorType>(result.getType()))
      continue;
    memory.back() = function.memoryFor(result);
    function.setTile(result, function.tileAt(result, memory.back()));
  }
  bool scans = llvm::any_of(groups, [](const Group &g) { return g.kind == nests::Kind::Scan; });
  if (groups.empty())
    versioned({}, [&](const Point &point) {
      keptPoints(0, point,
                 [&](const Point &at) { storeTiles(PointEmitter(function, nest, at).emit(), at); });
      return Values();
    });
  else if (isDot())
    dot();
  else if (scans && (lanesAreReduced() || !laneBits.empty() || !restBits.empty()))
    scan();
  else if (restBits.empty())
    reduceInWarps();
  else
    reduceThroughMemory();
}

Value SimtNestMapper::wholeBoxes() {
  Value whole;
  llvm::DenseSet<std::pair<Value, int64_t>> seen;
  auto need = [&](Value bound, int64_t size, bool upper) {
    std::optional<int64_t> number = constantOf(bound);
    if (number && (upper ? *number >= size : *number <= 0))
      return;
    if (!seen.insert({bound, upper ? size : -1}).second)
      return;
    auto predicate = upper ? arith::CmpIPredicate::sge : arith::CmpIPredicate::sle;
    whole = b.both(whole, b.cmp(predicate, function.scalar(bound), b.constant(upper ? size : 0)));
  };
  for (Operation &op : nest.getBodyBlock()) {
    nests::ViewOp view;
    if (auto read = dyn_cast<nests::ReadOp>(op))
      view = read.getView().getDefiningOp<nests::ViewOp>();
    else if (auto write = dyn_cast<nests::WriteOp>(op))
      view = write.getView().getDefiningOp<nests::ViewOp>();
    else if (op.getNumRegions() || isa<nests::AtomicRMWOp, nests::AtomicCASOp>(op))
      return {}; // large, and one point at a time whatever the box is
    if (!view)
      continue;
    for (auto [i, d] : llvm::enumerate(view.getBoxDims())) {
      need(view.getLo()[i], 0, false);
      need(view.getHi()[i], view.getType().getShape()[d], true);
    }
  }
  return whole;
}

NestMapper::Values SimtNestMapper::versioned(TypeRange types,
                                             llvm::function_ref<Values(const Point &)> act) {
  Value whole = wholeBoxes();
  if (!whole)
    return act(start);
  Point inside = start;
  inside.insideBoxes = true;
  if (std::optional<int64_t> known = constantOf(whole))
    return act(*known ? inside : start);
  auto side = [&](const Point &point) {
    Values results = act(point);
    return results;
  };
  if (!types.empty())
    return branch(whole, types, [&] { return side(inside); }, [&] { return side(start); });
  auto op = scf::IfOp::create(b, TypeRange(), whole, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(op.thenBlock());
  act(inside);
  b.setInsertionPointToStart(op.elseBlock());
  act(start);
  return {};
}

void SimtNestMapper::keptPoints(unsigned depth, Point point,
                                llvm::function_ref<void(const Point &)> act) {
  if (depth == plan.kept.size()) {
    act(point);
    return;
  }
  int64_t d = plan.kept[depth];
  loop(lo[d], hi[d], 1, {}, [&](Value at, ValueRange) {
    point.index[d] = at;
    keptPoints(depth + 1, point, act);
    return Values();
  });
}

/// An item's own part of the sums at a point of the kept dims.
NestMapper::Values SimtNestMapper::sumsOf(const Point &point) {
  Plan all = plan;
  bool reduced = lanesAreReduced();
  if (reduced)
    llvm::erase(plan.ordered, plan.lane);
  Values sums = reduceSerially(point);
  plan = all;
  return sums;
}

void SimtNestMapper::reduceInWarps() {
  bool tiles = llvm::all_of(memory, [](Value place) { return place != nullptr; });
  if (tiles) {
    versioned({}, [&](const Point &point) {
      keptPoints(0, point, [&](const Point &at) {
        Values sums = sumsOf(at);
        if (lanesAreReduced())
          sums = foldLanes(sums);
        finishPoint(acrossLanes(sums, /*toAll=*/true), at);
      });
      return Values();
    });
    return;
  }
  // Results that are scalars: there are no kept dims.
  Values like = initial(plan.width);
  Values sums = versioned(typesOf(like), [&](const Point &point) { return sumsOf(point); });
  if (lanesAreReduced())
    sums = foldLanes(sums);
  finishPoint(acrossLanes(sums, /*toAll=*/true), start);
}

void SimtNestMapper::outerLoops(ArrayRef<int64_t> loops, SmallVector<Point> points) {
  if (!loops.empty()) {
    int64_t d = loops.front();
    loop(lo[d], hi[d], 1, {}, [&](Value at, ValueRange) {
      simt.point();
      for (Point &point : points)
        point.index[d] = at;
      outerLoops(loops.drop_front(), points);
      return Values();
    });
    return;
  }
  SmallVector<Type> types;
  for (const Point &point : points)
    llvm::append_range(types, typesOf(initial(point.width)));
  Values flat = versioned(types, [&](const Point &like) {
    Values all;
    for (Point point : points) {
      point.insideBoxes = like.insideBoxes;
      llvm::append_range(all, sumsOf(point));
    }
    return all;
  });
  SmallVector<Values> sums;
  size_t each = flat.size() / points.size();
  for (size_t i = 0; i < points.size(); ++i) {
    Values own(ArrayRef(flat).slice(i * each, each));
    if (lanesAreReduced())
      own = foldLanes(own);
    sums.push_back(acrossLanes(own, /*toAll=*/false));
  }
  acrossItems(sums);
  bool toLocal = llvm::any_of(nest.getResults(), [&](Value result) {
    return isa<RankedTensorType>(result.getType()) && !function.tile(result).held;
  });
  if (toLocal)
    simt.point();
  for (auto [own, point] : llvm::zip_equal(sums, points))
    finishPoint(own, point);
}

SmallVector<Point> SimtNestMapper::takePoints(SmallVector<int64_t> &loops, int64_t most) {
  SmallVector<Point> points{start};
  while (!loops.empty()) {
    int64_t d = loops.back(), size = nest.getDomain()[d];
    if (int64_t(points.size()) * size > most)
      break;
    SmallVector<Point> next;
    for (int64_t at = 0; at < size; ++at)
      for (Point point : points) {
        point.index[d] = b.constant(at);
        next.push_back(point);
      }
    points = std::move(next);
    loops.pop_back();
  }
  return points;
}

int64_t SimtNestMapper::mostPoints() const {
  return simt.straightCode() ? kMostPoints : kFewPoints;
}

void SimtNestMapper::reduceThroughMemory() {
  SmallVector<int64_t> loops = plan.kept;
  SmallVector<Point> points = takePoints(loops, mostPoints());
  outerLoops(loops, points);
}

NestMapper::Values SimtNestMapper::acrossLanes(Values sums, bool toAll) {
  if (laneBits.empty())
    return sums;
  auto shuffled = [&](Value value, int64_t keep, int64_t flip) -> Value {
    return mem::ShuffleOp::create(b, value.getType(), value, uint64_t(keep), uint64_t(flip));
  };
  for (int64_t bit : llvm::reverse(laneBits)) {
    Values merged;
    for (const Group &group : groups) {
      size_t first = merged.size(), count = group.results.size();
      Values high;
      for (Value sum : ArrayRef(sums).slice(first, count))
        high.push_back(shuffled(sum, -1, int64_t{1} << bit));
      llvm::append_range(
          merged, combine(group, high, ValueRange(sums).slice(first, count), widthOf(sums[first])));
    }
    sums = std::move(merged);
  }
  // The items where all of the bits are 0 have combined in order; the others take it from them.
  if (toAll)
    for (Value &sum : sums)
      sum = shuffled(sum, ~maskOf(laneBits), 0);
  return sums;
}

void SimtNestMapper::storePartials(ArrayRef<Values> sums, ArrayRef<Value> buffers, Value slot,
                                   int64_t slots, int64_t done) {
  auto store = [&] {
    for (auto [p, values] : llvm::enumerate(sums))
      for (auto [value, buffer] : llvm::zip_equal(values, buffers)) {
        Value at = b.add(slot, b.constant(int64_t(p) * slots));
        int64_t bytes = mem::elementBytes(value.getType()) * widthOf(value);
        mem::StoreOp::create(b, value, buffer, b.mul(at, b.constant(widthOf(value))), Value(),
                             uint64_t(bytes), IntegerAttr());
      }
  };
  if (!done)
    return store();
  auto owners = scf::IfOp::create(b, simt.itemIsZeroIn(done), false);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(owners.thenBlock());
  store();
}

/// `count` partial sums behind each other.
SmallVector<NestMapper::Values> SimtNestMapper::loadPartials(ArrayRef<Value> buffers, Value first,
                                                             int64_t count, const Values &like) {
  SmallVector<Values> parts(count);
  for (auto [buffer, value] : llvm::zip_equal(buffers, like)) {
    int64_t width = widthOf(value);
    Type element = getElementTypeOrSelf(value);
    int64_t bytes = mem::elementBytes(element);
    if (width == 1 && !element.isInteger(1)) {
      Value all =
          mem::LoadOp::create(b, onLanes(element, count), buffer, first, Value(), Value(),
                              uint64_t(std::min<int64_t>(bytes * count, 64)), IntegerAttr());
      for (int64_t k = 0; k < count; ++k)
        parts[k].push_back(count == 1 ? all : vector::ExtractOp::create(b, all, k));
      continue;
    }
    for (int64_t k = 0; k < count; ++k) {
      Value at = b.mul(b.add(first, b.constant(k)), b.constant(width));
      parts[k].push_back(mem::LoadOp::create(b, value.getType(), buffer, at, Value(), Value(),
                                             uint64_t(bytes * width), IntegerAttr()));
    }
  }
  return parts;
}

NestMapper::Values SimtNestMapper::combineParts(MutableArrayRef<Values> parts) {
  for (size_t count = parts.size(); count > 1; count /= 2)
    for (size_t low = 0; low < count / 2; ++low) {
      const Values &high = parts[low + count / 2];
      Values merged;
      for (const Group &group : groups) {
        size_t at = merged.size(), results = group.results.size();
        llvm::append_range(merged,
                           combine(group, ValueRange(high).slice(at, results),
                                   ValueRange(parts[low]).slice(at, results), widthOf(high[at])));
      }
      parts[low] = std::move(merged);
    }
  return parts.front();
}

void SimtNestMapper::acrossItems(SmallVector<Values> &sums) {
  roundsThroughMemory(sums, [&](size_t, MutableArrayRef<Values> parts, ArrayRef<int64_t>) {
    return combineParts(parts);
  });
}

void SimtNestMapper::roundsThroughMemory(SmallVector<Values> &sums, Merge merge) {
  int64_t done = maskOf(laneBits);
  SmallVector<int64_t> todo(restBits);
  int64_t rounds = llvm::divideCeil(todo.size(), kRoundBits);
  while (!todo.empty()) {
    int64_t take = llvm::divideCeil(todo.size(), rounds--);
    SmallVector<int64_t> step(todo.begin(), todo.begin() + take);
    todo.erase(todo.begin(), todo.begin() + take);
    // Sums that are combined lie behind each other.
    SmallVector<int64_t> others;
    for (int64_t bit = 0, n = llvm::Log2_64(simt.items()); bit < n; ++bit)
      if (!(done >> bit & 1) && !llvm::is_contained(step, bit))
        others.push_back(bit);
    Value group = b.shl(simt.itemBits(others), take);
    Value slot = b.add(group, simt.itemBits(step));
    int64_t slots = int64_t{1} << (take + others.size());
    SmallVector<Value> buffers;
    for (Value value : sums.front())
      buffers.push_back(simt.localBuffer(mem::elementBytes(value.getType()) * widthOf(value) *
                                         slots * int64_t(sums.size())));
    simt.point();
    storePartials(sums, buffers, slot, slots, done);
    simt.point();
    for (auto [p, values] : llvm::enumerate(sums)) {
      Value first = b.add(group, b.constant(int64_t(p) * slots));
      SmallVector<Values> parts = loadPartials(buffers, first, int64_t{1} << take, values);
      values = merge(p, parts, step);
    }
    done |= maskOf(step);
  }
}

void SimtNestMapper::finishPoint(const Values &sums, const Point &point) {
  SmallVector<int64_t> ordered;
  for (const Group &group : groups)
    if (ordered.empty())
      ordered = llvm::to_vector(nest.getKind(group.results.front()).getDims());
  Point at = point;
  if (lanesAreReduced()) {
    at.lane = -1;
    at.width = 1;
  }
  // All items along the reduced bits hold the sum; the one at their zero writes it.
  if (int64_t reduced = maskOf(laneBits) | maskOf(restBits))
    at.writes = b.both(at.writes, simt.itemIsZeroIn(reduced));
  storeSums(sums, at, keptBits(nest.getDomain(), ordered));
}

} // namespace tritonrt::compiler::mapvector
