// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The loops of one nest: parallel loops outside, the loops of reduced or scanned dims inside them.
#include "compiler/analysis/Bits.h"
#include "compiler/passes/vector/MapVector.h"
#include "compiler/passes/vector/MapVectorLoops.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;

namespace tritonrt::compiler::mapvector {

namespace {

/// Is `value` another one in each program?
bool differsByProgram(Value value) {
  if (!value.getDefiningOp())
    return false;
  llvm::SetVector<Operation *> slice;
  BackwardSliceOptions options;
  options.inclusive = true;
  options.omitBlockArguments = true;
  if (failed(getBackwardSlice(value, &slice, options)))
    return false;
  return llvm::any_of(slice, [](Operation *op) { return isa<mem::ProgramIdOp>(op); });
}

} // namespace

SmallVector<Value> NestMapper::loop(Value lo, Value hi, int64_t step, ValueRange inits,
                                    LoopBody body) {
  std::optional<int64_t> first = constantOf(lo), last = constantOf(hi);
  if (first && last) {
    if (*last <= *first)
      return SmallVector<Value>(inits);
    if (*last - *first <= step)
      return body(lo, inits);
  }
  auto op = scf::ForOp::create(b, lo, hi, b.constant(step), inits);
  if (rare)
    op->setAttr(mem::kRareAttr, b.getUnitAttr());
  if (unrolls && first && last)
    op->setAttr(kUnroll, b.getUnitAttr());
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(op.getBody());
  SmallVector<Value> next = body(op.getInductionVar(), op.getRegionIterArgs());
  if (!inits.empty())
    scf::YieldOp::create(b, next);
  return SmallVector<Value>(op.getResults());
}

SmallVector<Value> NestMapper::branch(Value condition, TypeRange types, Branch then,
                                      Branch otherwise) {
  if (std::optional<int64_t> known = constantOf(condition))
    return *known ? then() : otherwise ? otherwise() : Values();
  auto op = scf::IfOp::create(b, types, condition, !types.empty());
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(op.thenBlock());
  SmallVector<Value> results = then();
  if (types.empty()) {
    if (otherwise) {
      b.createBlock(&op.getElseRegion());
      otherwise();
      scf::YieldOp::create(b);
    }
    return {};
  }
  scf::YieldOp::create(b, results);
  b.setInsertionPointToStart(op.elseBlock());
  results = otherwise();
  scf::YieldOp::create(b, results);
  return SmallVector<Value>(op.getResults());
}

void NestMapper::prepare() {
  ArrayRef<int64_t> domain = nest.getDomain();
  for (auto [d, size] : llvm::enumerate(domain)) {
    Value low = nest.getLoOf(d), high = nest.getHiOf(d);
    lo.push_back(low ? function.scalar(low) : b.constant(0));
    hi.push_back(high ? function.scalar(high) : b.constant(size));
  }
  for (Value result : nest.getResults()) {
    memory.push_back(isa<RankedTensorType>(result.getType()) ? function.memoryFor(result)
                                                             : Value());
    if (memory.back())
      function.setTile(result, function.tileAt(result, memory.back()));
  }
}

void NestMapper::run() {
  prepare();
  SmallVector<Point> points = registerPoints();
  if (points.empty()) {
    Point point;
    point.index.assign(nest.getDomain().size(), Value());
    keptLoops(0, point);
  } else if (plan.ordered.empty()) {
    for (const Point &point : points)
      orderedPart(point);
  } else {
    reduceTogether(points);
  }
}

SmallVector<Point> NestMapper::registerPoints() {
  constexpr int64_t kMostVectors = 24;
  ArrayRef<int64_t> domain = nest.getDomain();
  int64_t count = 1;
  for (int64_t d : plan.kept) {
    if (nest.getLoOf(d))
      return {};
    count *= domain[d] / (d == plan.lane ? plan.width : 1);
  }
  bool lanesInside = llvm::is_contained(plan.ordered, plan.lane);
  bool scans = llvm::any_of(groups, [](const Group &g) { return g.kind == nests::Kind::Scan; });
  if (count > kMostVectors || plan.width == 1 || plan.kept.empty() || lanesInside || scans)
    return {};
  // Worth it where a tile can stay in registers between this nest and the next one.
  bool tiles = false, fit = true;
  auto look = [&](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor)
      return;
    tiles = true;
    fit &= tensor.getNumElements() * mem::elementBytes(tensor) <=
           kMostVectors * function.options().vectorBytes;
  };
  for (Type type : nest.getResultTypes())
    look(type);
  nest.getBodyBlock().walk([&](nests::ElemOp elem) { look(elem.getTile().getType()); });
  if (!tiles || !fit)
    return {};
  // Long bodies gain little by it, and their copies take long to compile; of those that reduce, one
  // pass over memory for all sums still pays.
  const int64_t mostCode = plan.ordered.empty() ? 1024 : 4096;
  if (count > 1 && count * bodyCost() > mostCode)
    return {};

  SmallVector<Point> points(1);
  points.front().index.assign(domain.size(), b.constant(0));
  points.front().lane = plan.lane;
  points.front().width = plan.width;
  for (int64_t d : plan.kept) {
    SmallVector<Point> next;
    for (const Point &point : points)
      for (int64_t at = 0; at < domain[d]; at += d == plan.lane ? plan.width : 1) {
        next.push_back(point);
        next.back().index[d] = b.constant(at);
      }
    points = std::move(next);
  }
  return points;
}

Value NestMapper::span(int64_t d) {
  Value length = b.sub(hi[d], lo[d]);
  // Bounds from 0 are in order; others may enclose nothing.
  return constantOf(lo[d]) == 0 ? length : b.max(length, b.constant(0));
}

Value NestMapper::wholeVectors(int64_t d, int64_t step) {
  return b.add(lo[d], b.bitAnd(span(d), b.constant(-step)));
}

Value NestMapper::tailMask(Value first, int64_t d) {
  Value left = b.createOrFold<arith::TruncIOp>(b.getI32Type(), b.sub(hi[d], first));
  Value lanes = b.constantLanes(llvm::to_vector(llvm::seq<int64_t>(0, plan.width)), b.getI32Type());
  return b.cmp(arith::CmpIPredicate::slt, lanes, b.spread(left, plan.width));
}

Value NestMapper::isBelow(Value a, Value bound) {
  return b.cmp(arith::CmpIPredicate::slt, a, bound);
}

void NestMapper::keptLoops(unsigned depth, Point point) {
  if (depth == plan.kept.size()) {
    orderedPart(point);
    return;
  }
  int64_t d = plan.kept[depth];
  if (d == plan.lane) {
    laneLoops(depth, point);
    return;
  }
  loop(lo[d], hi[d], 1, {}, [&](Value at, ValueRange) {
    point.index[d] = at;
    keptLoops(depth + 1, point);
    return SmallVector<Value>();
  });
}

void NestMapper::laneLoops(unsigned depth, const Point &point) {
  int64_t d = plan.lane, width = plan.width;
  auto body = [&](Value at, bool vector, Value mask) {
    Point here = point;
    here.index[d] = at;
    if (vector) {
      here.lane = d;
      here.width = width;
      here.mask = mask;
    }
    keptLoops(depth + 1, here);
    return SmallVector<Value>();
  };
  auto anyExtent = [&] {
    Value end = wholeVectors(d, width);
    loop(lo[d], end, width, {}, [&](Value at, ValueRange) { return body(at, true, Value()); });
    if (function.options().cheapMasks)
      branch(isBelow(end, hi[d]), {}, [&] { return body(end, true, tailMask(end, d)); }, {});
    else
      loop(end, hi[d], 1, {}, [&](Value at, ValueRange) { return body(at, false, Value()); });
    return Values();
  };
  if (!hasFullForm(d)) {
    anyExtent();
    return;
  }
  Value full = b.constant(nest.getDomain()[d]);
  branch(
      b.cmp(arith::CmpIPredicate::eq, hi[d], full), {},
      [&] {
        return loop(lo[d], full, width, {},
                    [&](Value at, ValueRange) { return body(at, true, Value()); });
      },
      [&] {
        llvm::SaveAndRestore cut(rare, true);
        return anyExtent();
      });
}

bool NestMapper::hasFullForm(int64_t d) {
  constexpr size_t kMostOps = 24;
  int64_t size = nest.getDomain()[d];
  return constantOf(lo[d]) == 0 && size % plan.width == 0 && size > plan.width &&
         nest.getBodyBlock().getOperations().size() <= kMostOps && differsByProgram(hi[d]);
}

void NestMapper::orderedPart(const Point &point) {
  if (plan.ordered.empty()) {
    storeTiles(PointEmitter(function, nest, point).emit(), point);
    return;
  }
  bool lanesInside = llvm::is_contained(plan.ordered, plan.lane);
  bool scans = groups.front().kind == nests::Kind::Scan;
  Values sums = !lanesInside ? reduceSerially(point)
                : scans      ? scanLanes(point)
                             : reduceLanes(point);
  finish(sums, point);
}

void NestMapper::storeTiles(ValueRange yielded, const Point &point) {
  BitMap identity = identityBits(numBits(nest.getDomain()));
  for (auto [i, value] : llvm::enumerate(yielded)) {
    if (nest.getKind(i).getKind() != nests::Kind::Tile)
      continue;
    if (memory[i])
      PointEmitter(function, nest, point)
          .storeTile(value, function.tile(nest.getResult(i)), identity);
    else
      function.setScalar(nest.getResult(i), value);
  }
}

void NestMapper::finish(SmallVector<Value> sums, const Point &point) {
  addDead(sums, point.width);
  storeSums(sums, point, keptBits(nest.getDomain(), plan.ordered));
}

void NestMapper::storeSums(ValueRange sums, const Point &point, ArrayRef<int64_t> kept) {
  unsigned next = 0;
  for (const Group &group : groups)
    for (unsigned result : group.results) {
      Value sum = sums[next++];
      if (group.kind == nests::Kind::Scan)
        continue;
      if (memory[result])
        PointEmitter(function, nest, point)
            .storeTile(sum, function.tile(nest.getResult(result)), kept);
      else
        function.setScalar(nest.getResult(result), sum);
    }
}

void FunctionMapper::mapNest(nests::NestOp nest) {
  Plan plan = planOf(nest, opts);
  bool vectors = plan.width > 1;
  if (std::optional<Counts> counts = vectors ? countsOf(nest, plan) : std::nullopt)
    CountMapper(*this, nest, std::move(plan), std::move(*counts)).run();
  else if (std::optional<Blocks> blocks = vectors ? blocksOf(nest, plan) : std::nullopt)
    BlockMapper(*this, nest, std::move(plan), std::move(*blocks)).run();
  else
    NestMapper(*this, nest, std::move(plan)).run();
}

} // namespace tritonrt::compiler::mapvector
