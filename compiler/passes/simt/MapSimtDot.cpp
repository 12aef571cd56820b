// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products on several work-items. An item keeps the sums of several rows and columns in registers
// and goes along K once for all of them, so that an element that it reads serves a whole row or
// column of its sums. Elements that lie behind each other along K are read several at a time.
#include "compiler/analysis/Bits.h"
#include "compiler/passes/simt/MapSimt.h"

#include "llvm/Support/MathExtras.h"

#include <map>

using namespace mlir;

namespace tritonrt::compiler::mapvector {

namespace {

/// Vectors of sums that an item keeps at once.
constexpr int64_t kMostSums = 32, kFewSums = 4;
/// Multiplications of straight code, counted in vectors.
constexpr int64_t kMostStraight = 512;

/// Reads the elements that several points at one place of K need, each once.
class ElementReader {
public:
  ElementReader(FunctionMapper &function, nests::NestOp nest, int64_t k, int64_t lane)
      : function(function), nest(nest), k(k), lane(lane) {}

  /// Elements read from here on lie at `at` + 0 ... count - 1 along K.
  void moveTo(Value at, int64_t count) {
    first = at;
    ahead = count;
    known.clear();
  }
  /// `op` at `point`, which is `offset` behind the place that `moveTo` has named.
  Value read(nests::ElemOp op, const Point &point, int64_t offset);

private:
  bool uses(nests::ElemOp op, int64_t part) {
    int64_t low = lowBitOf(nest.getDomain(), part), size = numBits(nest.getDomain()[part]);
    return llvm::any_of(op.getBits(), [&](int64_t bit) { return bit >= low && bit < low + size; });
  }
  /// Do the elements along K lie behind each other?
  bool runsAlongK(nests::ElemOp op) {
    int64_t low = lowBitOf(nest.getDomain(), k);
    ArrayRef<int64_t> bits = op.getBits();
    int64_t count = llvm::Log2_64(ahead);
    if (ahead == 1 || int64_t(bits.size()) < count || function.tile(op.getTile()).splat)
      return false;
    for (int64_t i = 0; i < count; ++i)
      if (bits[i] != low + i)
        return false;
    return lane < 0 || !uses(op, lane);
  }

  FunctionMapper &function;
  nests::NestOp nest;
  int64_t k, lane;
  Value first;
  int64_t ahead = 1;
  std::map<std::pair<Operation *, std::vector<const void *>>, Value> known;
};

Value ElementReader::read(nests::ElemOp op, const Point &point, int64_t offset) {
  Builder &b = function.builder();
  auto keyAt = [&](int64_t along) {
    std::vector<const void *> key;
    for (auto [part, index] : llvm::enumerate(point.index))
      if (int64_t(part) != k && uses(op, part))
        key.push_back(index.getAsOpaquePointer());
    key.push_back(reinterpret_cast<const void *>(along));
    return std::pair(op.getOperation(), key);
  };
  bool along = runsAlongK(op);
  Value &one = known[keyAt(uses(op, k) ? offset : 0)];
  if (one)
    return one;
  Point here = point;
  if (!along) {
    here.index[k] = b.add(first, b.constant(offset));
    return one = PointEmitter(function, nest, here).emitElem(op);
  }
  constexpr int64_t kAll = -1;
  Value &all = known[keyAt(kAll)];
  if (!all) {
    here.index[k] = first;
    here.lane = k;
    here.width = ahead;
    all = PointEmitter(function, nest, here).emitElem(op);
  }
  return one = vector::ExtractOp::create(b, all, offset);
}

} // namespace

bool SimtNestMapper::isDot() {
  if (nest.getNumResults() != 1 || groups.size() != 1 ||
      groups.front().kind != nests::Kind::Reduce || groups.front().neutral.empty() ||
      plan.ordered.size() != 1 || lanesAreReduced() || !laneBits.empty() || !restBits.empty())
    return false;
  // Elements serve several points where their maps lack dims.
  size_t bits = numBits(nest.getDomain());
  bool shared = false;
  for (Operation &op : nest.getBodyBlock().without_terminator()) {
    if (!isMemoryEffectFree(&op) || op.getNumRegions())
      return false;
    if (auto elem = dyn_cast<nests::ElemOp>(op))
      shared |= elem.getBits().size() < bits;
  }
  return shared && llvm::all_of(memory, [](Value place) { return place != nullptr; });
}

void SimtNestMapper::dot() {
  SmallVector<int64_t> loops = plan.kept;
  SmallVector<Point> points = takePoints(loops, simt.straightCode() ? kMostSums : kFewSums);
  dotLoops(loops, points);
}

void SimtNestMapper::dotLoops(ArrayRef<int64_t> loops, SmallVector<Point> points) {
  if (!loops.empty()) {
    int64_t d = loops.front();
    loop(lo[d], hi[d], 1, {}, [&](Value at, ValueRange) {
      for (Point &point : points)
        point.index[d] = at;
      dotLoops(loops.drop_front(), points);
      return Values();
    });
    return;
  }
  int64_t k = plan.ordered.front(), size = nest.getDomain()[k];
  int64_t count = std::min<int64_t>(size, points.size() > kMostSums / 2 ? 2 : 4);
  ElementReader reader(function, nest, k, plan.lane);
  Values sums;
  for (const Point &point : points)
    llvm::append_range(sums, initial(point.width));
  bool straight = simt.straightCode() && int64_t(points.size()) * size <= kMostStraight;
  bool outer = std::exchange(unrolls, straight);
  sums = loop(lo[k], hi[k], count, sums, [&](Value at, ValueRange before) {
    reader.moveTo(at, count);
    Values now(before);
    for (int64_t offset = 0; offset < count; ++offset)
      for (auto [sum, point] : llvm::zip_equal(now, points)) {
        point.index[k] = b.add(at, b.constant(offset));
        PointEmitter emitter(function, nest, point);
        emitter.readElements(
            [&, &point = point](nests::ElemOp op) { return reader.read(op, point, offset); });
        Value term = b.spread(emitter.emit()[groups.front().results.front()], point.width);
        sum = combine(groups.front(), term, sum, point.width).front();
      }
    return now;
  });
  unrolls = outer;
  for (auto [sum, point] : llvm::zip_equal(sums, points))
    finishPoint({sum}, point);
}

} // namespace tritonrt::compiler::mapvector
