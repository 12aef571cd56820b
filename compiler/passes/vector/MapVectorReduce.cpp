// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reductions and scans of a nest. A region of unknown meaning has no neutral element, so sums start
// from first elements unless every operand is combined by one op whose neutral element is exact.
#include "compiler/analysis/Bits.h"
#include "compiler/dialect/libm/Libm.h"
#include "compiler/passes/vector/MapVectorLoops.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;

namespace tritonrt::compiler::mapvector {

namespace {

/// Is it a constant, or an op on constants, that is 0.0 or -0.0?
bool isZero(Value value) {
  Operation *op = value.getDefiningOp();
  SmallVector<Attribute> operands;
  for (Value operand : op ? op->getOperands() : ValueRange())
    if (Attribute constant; matchPattern(operand, m_Constant(&constant)))
      operands.push_back(constant);
  SmallVector<OpFoldResult> folded;
  if (!op || operands.size() != op->getNumOperands() || failed(op->fold(operands, folded)))
    return false;
  auto number = dyn_cast_if_present<FloatAttr>(dyn_cast<Attribute>(folded.front()));
  return number && number.getValue().isZero();
}

/// The op that says what the nest's sum starts from, or null.
nests::StartOp startOf(nests::NestOp nest) {
  auto starts = nest.getBodyBlock().getOps<nests::StartOp>();
  return starts.empty() ? nests::StartOp() : *starts.begin();
}

} // namespace

NestMapper::Values NestMapper::initial(int64_t width) {
  auto yield = nest.getBodyBlock().getTerminator();
  if (straight)
    return {b.spread(arith::ConstantOp::create(b, straight.lowest), width)};
  Values sums;
  for (const Group &group : groups)
    for (auto [i, result] : llvm::enumerate(group.results)) {
      Type element = yield->getOperand(result).getType();
      sums.push_back(group.neutral.empty()
                         ? b.anything(onLanes(element, width))
                         : b.spread(arith::ConstantOp::create(b, group.neutral[i]), width));
    }
  return sums;
}

NestMapper::Values NestMapper::startAt(const Point &point) {
  nests::StartOp start = startOf(nest);
  if (!start)
    return initial(point.width);
  Values values = PointEmitter(function, nest, point).emit(start.getBody().front());
  for (Value &value : values)
    value = b.spread(value, point.width);
  return values;
}

bool NestMapper::needsFirst() const {
  return llvm::any_of(groups, [](const Group &group) { return group.neutral.empty(); });
}

NestMapper::Values NestMapper::combine(const Group &group, ValueRange news, ValueRange accs,
                                       int64_t width, bool later) {
  if (straight) {
    Value better = arith::CmpFOp::create(b, straight.better, news.front(), accs.front());
    return {b.select(better, news.front(), accs.front())};
  }
  Values arguments(news);
  llvm::append_range(arguments, accs);
  IRMapping known(function.scalars());
  if (later)
    for (auto [compare, value] : group.inOrder)
      known.map(compare, b.constant(value, b.getI1Type()));
  Values results = b.inlineRegion(*group.combine, arguments, width, known);
  for (Value &result : results)
    result = b.spread(result, width);
  return results;
}

NestMapper::Values NestMapper::step(const Point &point, ValueRange sums, Value first) {
  Values yielded = PointEmitter(function, nest, point).emit();
  storeTiles(yielded, point);
  BitMap identity = identityBits(numBits(nest.getDomain()));
  Values next;
  for (const Group &group : groups) {
    Values news;
    for (unsigned result : group.results)
      news.push_back(b.spread(yielded[result], point.width));
    ValueRange accs = sums.slice(next.size(), news.size());
    bool scan = group.kind == nests::Kind::Scan;
    Values merged = scan ? combine(group, accs, news, point.width)
                         : combine(group, news, accs, point.width, /*later=*/true);
    for (auto [i, value] : llvm::enumerate(merged)) {
      if (first && group.neutral.empty())
        value = b.select(first, news[i], value);
      if (scan)
        PointEmitter(function, nest, point)
            .storeTile(value, function.tile(nest.getResult(group.results[i])), identity);
      // Dead lanes keep what they have; where lanes are kept dims, nobody looks at theirs.
      if (point.mask && llvm::is_contained(plan.ordered, point.lane))
        value = b.select(point.mask, value, accs[i]);
      next.push_back(value);
    }
  }
  return next;
}

NestMapper::Values NestMapper::reduceSerially(const Point &point) {
  Value first = needsFirst() ? b.constant(1, b.getI1Type()) : Value();
  return serialLoops(0, point, startAt(point), first);
}

NestMapper::Values NestMapper::serialLoops(unsigned depth, Point point, ValueRange sums,
                                           Value first) {
  if (depth == plan.ordered.size())
    return step(point, sums, first);
  int64_t d = plan.ordered[depth];
  auto body = [&](Value at, ValueRange sums, Value here) {
    point.index[d] = plan.reverse ? b.sub(b.add(hi[d], b.constant(-1)), b.sub(at, lo[d])) : at;
    return serialLoops(depth + 1, point, sums, here);
  };
  // With one dim that has elements for sure the first element stands before the loop.
  std::optional<int64_t> from = constantOf(lo[d]), to = constantOf(hi[d]);
  if (first && plan.ordered.size() == 1 && from && to && *from < *to) {
    Values started = body(lo[d], sums, first);
    return loop(b.constant(*from + 1), hi[d], 1, started,
                [&](Value at, ValueRange sums) { return body(at, sums, Value()); });
  }
  return loop(lo[d], hi[d], 1, sums, [&](Value at, ValueRange sums) {
    Value here = first ? b.bitAnd(first, b.cmp(arith::CmpIPredicate::eq, at, lo[d])) : Value();
    return body(at, sums, here);
  });
}

void NestMapper::reduceTogether(ArrayRef<Point> points) {
  Values sums;
  for (const Point &point : points)
    llvm::append_range(sums, startAt(point));
  size_t each = sums.size() / points.size();
  Value first = needsFirst() ? b.constant(1, b.getI1Type()) : Value();
  sums = jointLoops(0, llvm::to_vector(points), sums, first);
  for (auto [i, point] : llvm::enumerate(points))
    finish(Values(ArrayRef(sums).slice(i * each, each)), point);
}

NestMapper::Values NestMapper::jointLoops(unsigned depth, SmallVector<Point> points,
                                          ValueRange sums, Value first) {
  if (depth == plan.ordered.size()) {
    size_t each = sums.size() / points.size();
    Values next;
    for (auto [i, point] : llvm::enumerate(points))
      llvm::append_range(next, step(point, sums.slice(i * each, each), first));
    return next;
  }
  int64_t d = plan.ordered[depth];
  return loop(lo[d], hi[d], 1, sums, [&](Value at, ValueRange sums) {
    for (Point &point : points)
      point.index[d] = at;
    Value here = first ? b.bitAnd(first, b.cmp(arith::CmpIPredicate::eq, at, lo[d])) : Value();
    return jointLoops(depth + 1, points, sums, here);
  });
}

int64_t NestMapper::bodyCost() {
  constexpr int64_t kFunction = 16;
  int64_t cost = 0;
  nest.getBodyBlock().walk([&](Operation *op) {
    cost += isa<libm::LibmDialect, math::MathDialect>(op->getDialect()) ? kFunction : 1;
  });
  return cost;
}

int64_t NestMapper::accumulators() {
  // A function takes longer than its sum: copies of it would only make the code longer.
  int64_t cost = bodyCost();
  constexpr int64_t kCheap = 16, kMost = 4;
  int64_t vectors = nest.getDomain()[plan.lane] / plan.width;
  return cost > kCheap ? 1 : std::min(kMost, vectors);
}

NestMapper::Straight NestMapper::straightForm() {
  // Long rows wait for memory instead, and the exact form would stand there twice.
  constexpr int64_t kLong = 512;
  if (groups.size() != 1 || groups.front().results.size() != 1 || nest.getNumResults() != 1 ||
      nest.getDomain()[plan.lane] > kLong)
    return {};
  Block &block = groups.front().combine->front();
  Operation &op = block.front();
  bool most = isa<arith::MaxNumFOp>(op);
  // What is done twice must be of no effect.
  auto harmless = [](Operation &op) { return isMemoryEffectFree(&op) || isa<nests::ReadOp>(op); };
  if (!llvm::hasSingleElement(block.without_terminator()) || !(most || isa<arith::MinNumFOp>(op)) ||
      groups.front().neutral.empty() || !llvm::all_of(nest.getBodyBlock(), harmless))
    return {};
  auto type = cast<FloatType>(op.getResult(0).getType());
  if (type.getWidth() < 16) // which may have no infinity
    return {};
  return {b.getFloatAttr(type, llvm::APFloat::getInf(type.getFloatSemantics(), most)),
          most ? arith::CmpFPredicate::OGT : arith::CmpFPredicate::OLT};
}

NestMapper::Values NestMapper::reduceLanes(const Point &point) {
  int64_t copies = accumulators();
  if (Straight form = straightForm()) {
    straight = form;
    Values found = laneLoopsOf(point, copies);
    straight = {};
    Value lowest = arith::ConstantOp::create(b, form.lowest);
    Value any = arith::CmpFOp::create(b, form.better, found.front(), lowest);
    return branch(
        any, typesOf(found), [&] { return found; },
        [&] {
          llvm::SaveAndRestore cut(rare, true);
          return laneLoopsOf(point, copies);
        });
  }
  if (!needsFirst())
    return laneLoopsOf(point, copies);
  // Each partial sum starts from its own first vector: there must be enough of them.
  Value enough = b.cmp(arith::CmpIPredicate::sge, span(plan.lane), b.constant(copies * plan.width));
  Values types = initial(1);
  return branch(
      enough, typesOf(types), [&] { return laneLoopsOf(point, copies); },
      [&] { return reduceSerially(point); });
}

NestMapper::Values NestMapper::laneLoopsOf(const Point &point, int64_t copies) {
  Values sums;
  for (int64_t copy = 0; copy < copies; ++copy)
    llvm::append_range(sums, initial(plan.width));

  // The other ordered dims, then the lanes.
  auto outer = [&](auto &self, unsigned depth, Point point, ValueRange sums,
                   Value first) -> Values {
    if (depth == plan.ordered.size())
      return innerLanes(point, sums, copies, first);
    int64_t d = plan.ordered[depth];
    if (d == plan.lane)
      return self(self, depth + 1, point, sums, first);
    return loop(lo[d], hi[d], 1, sums, [&](Value at, ValueRange sums) {
      point.index[d] = at;
      Value here = first ? b.bitAnd(first, b.cmp(arith::CmpIPredicate::eq, at, lo[d])) : Value();
      return self(self, depth + 1, point, sums, here);
    });
  };
  Value first = needsFirst() ? b.constant(1, b.getI1Type()) : Value();
  sums = outer(outer, 0, point, sums, first);

  size_t operands = sums.size() / copies;
  for (; copies > 1; copies /= 2)
    for (int64_t low = 0; low < copies / 2; ++low) {
      int64_t high = low + copies / 2;
      unsigned at = 0;
      for (const Group &group : groups) {
        size_t count = group.results.size();
        ValueRange all(sums);
        Values merged = combine(group, all.slice(high * operands + at, count),
                                all.slice(low * operands + at, count), plan.width);
        llvm::copy(merged, sums.begin() + low * operands + at);
        at += count;
      }
    }
  sums.truncate(operands);
  sums = foldLanes(sums);
  // Once, not once a lane.
  return startOf(nest) ? combine(groups.front(), startAt(point), sums, 1) : sums;
}

Value NestMapper::maskingBound() {
  int64_t d = plan.lane;
  if (nest.getHiOf(d))
    return {};
  Value bound;
  for (auto read : nest.getBodyBlock().getOps<nests::ReadOp>()) {
    auto view = read.getView().getDefiningOp<nests::ViewOp>();
    for (auto [i, boxed] : llvm::enumerate(view.getBoxDims())) {
      Value hi = view.getHi()[i];
      ArrayRef<int64_t> bits = dimBits(read.getBits(), view.getType().getShape(), boxed);
      if (wholeDim(bits, nest.getDomain()) != d || constantOf(hi))
        continue;
      if (bound && bound != hi)
        return {};
      bound = hi;
    }
  }
  return bound;
}

NestMapper::Values NestMapper::innerLanes(Point point, ValueRange sums, int64_t copies,
                                          Value first) {
  int64_t d = plan.lane, width = plan.width;
  size_t operands = sums.size() / copies;
  point.lane = d;
  point.width = width;
  auto stepAt = [&](Value at, ValueRange sums, Value first) {
    point.index[d] = at;
    return step(point, sums, first);
  };
  Value groupsEnd = wholeVectors(d, copies * width), end = wholeVectors(d, width);
  auto groupAt = [&](Value at, ValueRange sums, Value first) {
    Values next;
    for (int64_t copy = 0; copy < copies; ++copy)
      llvm::append_range(next, stepAt(b.add(at, b.constant(copy * width)),
                                      sums.slice(copy * operands, operands), first));
    return next;
  };
  Value start = lo[d];
  Values all(sums);
  // There is a first group: reduceLanes has seen to it. Without loops around this one it needs no
  // test.
  if (first && plan.ordered.size() == 1) {
    all = groupAt(start, all, first);
    start = b.add(start, b.constant(copies * width));
    first = Value();
  }
  auto groupsTo = [&](Value end) {
    all = loop(start, end, copies * width, all, [&](Value at, ValueRange sums) {
      Value here = first ? b.bitAnd(first, b.cmp(arith::CmpIPredicate::eq, at, lo[d])) : Value();
      return groupAt(at, sums, here);
    });
  };
  if (Value bound = maskingBound()) {
    // What lies below the bound needs no masks.
    Value last = b.min(b.max(function.scalar(bound), b.constant(0)), hi[d]);
    Value split = b.max(b.bitAnd(last, b.constant(-copies * width)), start);
    point.below = bound;
    groupsTo(split);
    point.below = Value();
    start = split;
  }
  groupsTo(groupsEnd);
  // The rest goes into the first of the partial sums.
  Values one(all.begin(), all.begin() + operands);
  one = loop(groupsEnd, end, width, one,
             [&](Value at, ValueRange sums) { return stepAt(at, sums, Value()); });
  one = branch(
      isBelow(end, hi[d]), typesOf(one),
      [&] {
        point.mask = tailMask(end, d);
        return stepAt(end, one, Value());
      },
      [&] { return one; });
  llvm::copy(one, all.begin());
  return all;
}

NestMapper::Values NestMapper::foldLanes(Values sums) {
  auto half = [&](Value value, int64_t first, int64_t count) -> Value {
    if (count == 1)
      return vector::ExtractOp::create(b, value, first);
    SmallVector<int64_t> lanes = llvm::to_vector(llvm::seq(first, first + count));
    return vector::ShuffleOp::create(b, value, value, lanes);
  };
  for (int64_t width = plan.width / 2; width >= 1; width /= 2) {
    Values next;
    for (const Group &group : groups) {
      Values high, low;
      for (size_t i = 0; i < group.results.size(); ++i) {
        high.push_back(half(sums[next.size() + i], width, width));
        low.push_back(half(sums[next.size() + i], 0, width));
      }
      llvm::append_range(next, combine(group, low, high, width));
    }
    sums = next;
  }
  return sums;
}

void NestMapper::addDead(Values &sums, int64_t width) {
  if (llvm::all_of(groups, [](const Group &group) { return group.dead == nests::Dead::None; }))
    return;
  // A product's sum may turn from -0.0 to 0.0.
  if (startOf(nest) && isZero(groups.front().deadValues.front()))
    return;
  int64_t total = 1;
  Value live = b.constant(1);
  for (int64_t d : plan.ordered) {
    total *= nest.getDomain()[d];
    live = b.mul(live, span(d));
  }
  Value dead = b.sub(b.constant(total), live);
  Value some = b.cmp(arith::CmpIPredicate::sgt, dead, b.constant(0));
  Value nothingLive = b.cmp(arith::CmpIPredicate::eq, live, b.constant(0));
  auto times = [&](Value value) -> Value {
    if (isa<FloatType>(value.getType()))
      return arith::MulFOp::create(b, arith::SIToFPOp::create(b, value.getType(), dead), value);
    Value count = value.getType().isInteger(64)
                      ? dead
                      : b.createOrFold<arith::TruncIOp>(value.getType(), dead);
    return b.mul(count, value);
  };
  unsigned next = 0;
  for (const Group &group : groups) {
    size_t first = next;
    next += group.results.size();
    if (group.dead == nests::Dead::None)
      continue;
    Values added;
    for (Value old : group.deadValues) {
      Value value = function.scalar(old);
      added.push_back(b.spread(group.dead == nests::Dead::Count ? times(value) : value, width));
    }
    ValueRange accs = ValueRange(sums).slice(first, added.size());
    Values merged = combine(group, added, accs, width);
    for (auto [i, value] : llvm::enumerate(merged)) {
      if (group.neutral.empty())
        value = b.select(nothingLive, added[i], value);
      sums[first + i] = b.select(some, value, sums[first + i]);
    }
  }
}

} // namespace tritonrt::compiler::mapvector
