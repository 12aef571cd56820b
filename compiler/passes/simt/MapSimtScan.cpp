// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scans on several work-items, and reductions beside them. The layout gives an item runs of
// neighbours (registers), the items of a run of runs lie behind each other, and what is left are
// loops: pieces in the order of the scan. An item scans its own elements; what stands before them
// comes from the items before it, through the registers of a warp and then through local memory,
// and from the pieces before this one. Regions need not commute: always (earlier, later).
#include "compiler/passes/simt/MapSimt.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tritonrt::compiler::mapvector {

namespace {

/// Bytes of local memory for the sums of pieces that go through it at once.
constexpr int64_t kMostBytes = 8192;

} // namespace

NestMapper::Values SimtNestMapper::inOrder(const Group &group, ValueRange early, ValueRange late) {
  int64_t width = std::max(widthOf(early.front()), widthOf(late.front()));
  Values wide[2] = {Values(early), Values(late)};
  for (Values &side : wide)
    for (Value &value : side)
      value = b.spread(value, width);
  return group.kind == nests::Kind::Scan ? combine(group, wide[0], wide[1], width)
                                         : combine(group, wide[1], wide[0], width);
}

SimtNestMapper::Prefix SimtNestMapper::inOrder(const Prefix &early, const Prefix &late) {
  if (early.values.empty() || late.values.empty())
    return early.values.empty() ? late : early;
  Prefix joined;
  for (const Group &group : groups) {
    size_t first = joined.values.size(), count = group.results.size();
    ValueRange a = ValueRange(early.values).slice(first, count);
    ValueRange c = ValueRange(late.values).slice(first, count);
    Values merged = inOrder(group, a, c);
    if (group.neutral.empty())
      for (auto [i, value] : llvm::enumerate(merged)) {
        int64_t width = widthOf(value);
        if (early.none)
          value = b.select(early.none, b.spread(c[i], width), value);
        if (late.none)
          value = b.select(late.none, b.spread(a[i], width), value);
      }
    llvm::append_range(joined.values, merged);
  }
  if (early.none && late.none)
    joined.none = b.both(early.none, late.none);
  return joined;
}

/// `values` where `none` does not hold, and what is neutral elsewhere.
SimtNestMapper::Prefix SimtNestMapper::unless(Value none, const Values &values) {
  Prefix prefix{values, none};
  Values neutral = initial(1);
  size_t at = 0;
  for (const Group &group : groups)
    for (size_t i = 0; i < group.results.size(); ++i, ++at)
      if (!group.neutral.empty())
        prefix.values[at] = b.select(none, b.spread(neutral[at], widthOf(values[at])), values[at]);
  return prefix;
}

Value SimtNestMapper::isFirstAlong(ArrayRef<int64_t> bits) {
  int64_t mask = maskOf(bits);
  if (!plan.reverse)
    return simt.itemIsZeroIn(mask);
  Value own = b.bitAnd(simt.item(), b.constant(mask));
  return b.cmp(arith::CmpIPredicate::eq, own, b.constant(mask));
}

/// Scans `elements` along the lanes, if those lie along the scan: an item has few.
void SimtNestMapper::scanOwn(Piece &piece, const Values &elements) {
  if (!lanesAreReduced()) {
    piece.own = piece.total = elements;
    return;
  }
  size_t at = 0;
  for (const Group &group : groups) {
    size_t count = group.results.size();
    SmallVector<Values> lanes(plan.width);
    for (int64_t k = 0; k < plan.width; ++k) {
      int64_t lane = plan.reverse ? plan.width - 1 - k : k;
      for (Value value : ArrayRef(elements).slice(at, count))
        lanes[lane].push_back(vector::ExtractOp::create(b, value, lane));
      if (k > 0)
        lanes[lane] = inOrder(group, lanes[plan.reverse ? lane + 1 : lane - 1], lanes[lane]);
    }
    for (size_t i = 0; i < count; ++i) {
      auto column = llvm::map_to_vector(lanes, [&](const Values &lane) { return lane[i]; });
      piece.own.push_back(
          vector::FromElementsOp::create(b, elements[at + i].getType(), column).getResult());
    }
    llvm::append_range(piece.total, plan.reverse ? lanes.front() : lanes.back());
    at += count;
  }
}

/// Items that differ in one bit exchange what they have: both learn the sum of both, in order, and
/// the later one what stands before it.
void SimtNestMapper::scanAcrossLanes(Piece &piece) {
  for (int64_t bit : laneBits) {
    Value isFirst = isFirstAlong(bit);
    Values others;
    for (Value value : piece.total)
      others.push_back(
          mem::ShuffleOp::create(b, value.getType(), value, uint64_t(-1), uint64_t{1} << bit));
    piece.before = inOrder(unless(isFirst, others), piece.before);
    Values sums;
    for (const Group &group : groups) {
      Values early, late;
      for (size_t i = 0; i < group.results.size(); ++i) {
        size_t at = sums.size() + i;
        early.push_back(b.select(isFirst, piece.total[at], others[at]));
        late.push_back(b.select(isFirst, others[at], piece.total[at]));
      }
      llvm::append_range(sums, inOrder(group, early, late));
    }
    piece.total = sums;
  }
}

/// The same for the items along `step`, whose sums are `parts`.
void SimtNestMapper::scanParts(Piece &piece, ArrayRef<Values> parts, ArrayRef<int64_t> step) {
  Value place = simt.itemBits(step);
  size_t count = parts.size();
  auto turnOf = [&](size_t k) { return plan.reverse ? count - 1 - k : k; };
  Prefix sum{parts[turnOf(0)], Value()};
  Values before = initial(1);
  for (auto [value, like] : llvm::zip_equal(before, sum.values))
    value = b.spread(value, widthOf(like));
  for (size_t k = 1; k < count; ++k) {
    Value here = b.cmp(arith::CmpIPredicate::eq, place, b.constant(turnOf(k)));
    for (auto [value, until] : llvm::zip_equal(before, sum.values))
      value = b.select(here, until, value);
    sum = inOrder(sum, Prefix{parts[turnOf(k)], Value()});
  }
  piece.before = inOrder(Prefix{before, isFirstAlong(step)}, piece.before);
  piece.total = sum.values;
}

void SimtNestMapper::scanAcrossItems(MutableArrayRef<Piece> pieces) {
  for (Piece &piece : pieces)
    scanAcrossLanes(piece);
  SmallVector<Values> totals;
  for (Piece &piece : pieces)
    totals.push_back(piece.total);
  roundsThroughMemory(totals, [&](size_t p, MutableArrayRef<Values> parts, ArrayRef<int64_t> step) {
    scanParts(pieces[p], parts, step);
    return pieces[p].total;
  });
}

void SimtNestMapper::scanPieces(ArrayRef<Point> points, SmallVector<Prefix> &carried) {
  SmallVector<Type> types;
  for (const Point &point : points)
    llvm::append_range(types, typesOf(initial(point.width)));
  Values flat = versioned(types, [&](const Point &like) {
    Values all;
    for (Point point : points) {
      point.insideBoxes = like.insideBoxes;
      Values yielded = PointEmitter(function, nest, point).emit();
      storeTiles(yielded, point);
      for (const Group &group : groups)
        for (unsigned result : group.results)
          all.push_back(b.spread(yielded[result], point.width));
    }
    return all;
  });
  SmallVector<Piece> pieces(points.size());
  size_t each = flat.size() / points.size();
  for (auto [i, piece] : llvm::enumerate(pieces))
    scanOwn(piece, Values(ArrayRef(flat).slice(i * each, each)));
  scanAcrossItems(pieces);
  if (!restBits.empty())
    simt.point();

  BitMap identity = identityBits(numBits(nest.getDomain()));
  size_t count = points.size() / carried.size();
  for (auto [i, piece] : llvm::enumerate(pieces)) {
    Prefix &carry = carried[i / count];
    Prefix whole = inOrder(inOrder(carry, piece.before), Prefix{piece.own, Value()});
    carry = inOrder(carry, Prefix{piece.total, Value()});
    size_t at = 0;
    for (const Group &group : groups)
      for (unsigned result : group.results) {
        Value value = whole.values[at++];
        if (group.kind == nests::Kind::Scan)
          PointEmitter(function, nest, points[i])
              .storeTile(value, function.tile(nest.getResult(result)), identity);
      }
  }
}

void SimtNestMapper::scanLoops(ArrayRef<int64_t> dims, SmallVector<Point> chains, int64_t most,
                               SmallVector<Prefix> &carried) {
  auto indexOf = [&](Value at, int64_t d) {
    return plan.reverse ? b.sub(b.constant(nest.getDomain()[d] - 1), at) : at;
  };
  int64_t size = dims.empty() ? 1 : nest.getDomain()[dims.front()];
  int64_t together = dims.size() > 1 ? 1 : std::min(size, most);
  auto turn = [&](Value first) {
    SmallVector<Point> points;
    for (Point point : chains)
      for (int64_t k = 0; k < together; ++k) {
        if (!dims.empty())
          point.index[dims.front()] = indexOf(b.add(first, b.constant(k)), dims.front());
        points.push_back(point);
      }
    if (dims.size() > 1)
      scanLoops(dims.drop_front(), points, most, carried);
    else
      scanPieces(points, carried);
  };
  if (size == together)
    return turn(b.constant(0));
  Values flat;
  for (Prefix &prefix : carried) {
    if (prefix.values.empty())
      prefix = {initial(lanesAreReduced() ? 1 : plan.width), b.constant(1, b.getI1Type())};
    llvm::append_range(flat, prefix.values);
  }
  size_t each = flat.size() / carried.size();
  // Where sums have no neutral start, the first turn must know that nothing stands before it.
  Value started = carried.front().none;
  flat = loop(b.constant(0), b.constant(size), together, flat, [&](Value at, ValueRange sums) {
    simt.point();
    Value none = b.cmp(arith::CmpIPredicate::eq, at, b.constant(0));
    for (auto [i, prefix] : llvm::enumerate(carried))
      prefix = {Values(sums.slice(i * each, each)), started ? b.both(started, none) : Value()};
    turn(at);
    Values next;
    for (const Prefix &prefix : carried)
      llvm::append_range(next, prefix.values);
    return next;
  });
  for (auto [i, prefix] : llvm::enumerate(carried))
    prefix = {Values(ArrayRef(flat).slice(i * each, each)), Value()};
}

void SimtNestMapper::scanChains(ArrayRef<int64_t> kept, SmallVector<Point> chains, int64_t most) {
  if (!kept.empty()) {
    int64_t d = kept.front();
    loop(lo[d], hi[d], 1, {}, [&](Value at, ValueRange) {
      simt.point();
      for (Point &point : chains)
        point.index[d] = at;
      scanChains(kept.drop_front(), chains, most);
      return Values();
    });
    return;
  }
  SmallVector<Prefix> carried(chains.size());
  SmallVector<int64_t> dims;
  for (int64_t d : plan.ordered)
    if (d != plan.lane)
      dims.push_back(d);
  scanLoops(dims, chains, most, carried);
  for (auto [point, prefix] : llvm::zip_equal(chains, carried))
    finishPoint(prefix.values, point);
}

void SimtNestMapper::scan() {
  int64_t bytes = 0;
  for (Value value : initial(lanesAreReduced() ? 1 : plan.width))
    bytes += mem::elementBytes(value.getType()) * widthOf(value);
  int64_t most = mostPoints();
  if (!restBits.empty())
    most = std::clamp<int64_t>(llvm::bit_floor(uint64_t(kMostBytes / (bytes * simt.items()))), 1,
                               most);
  int64_t pieces = 1;
  for (int64_t d : plan.ordered)
    if (d != plan.lane)
      pieces = std::min(most, pieces * nest.getDomain()[d]);
  SmallVector<int64_t> kept = plan.kept;
  SmallVector<Point> chains = takePoints(kept, most / pieces);
  scanChains(kept, chains, most);
}

} // namespace tritonrt::compiler::mapvector
