// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Histograms. A nest that sums, for each bin, over the elements that equal its number looks at
// every element once a bin; counted instead, each element is looked at once.
#include "compiler/analysis/Bits.h"
#include "compiler/passes/vector/MapVectorLoops.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tritonrt::compiler::mapvector {

namespace {

/// Does `value` of the nest's body depend on the index of dim `d`?
bool dependsOn(Value value, nests::NestOp nest, int64_t d,
               llvm::SmallPtrSetImpl<Operation *> &seen) {
  Operation *op = value.getDefiningOp();
  if (!op || op->getBlock() != &nest.getBodyBlock() || !seen.insert(op).second)
    return false;
  if (op->getNumRegions())
    return true;
  if (auto bits = op->getAttrOfType<DenseI64ArrayAttr>("bits"))
    for (const BitRun &run : bitRuns(bits.asArrayRef(), nest.getDomain()))
      if (run.dim == d)
        return true;
  return llvm::any_of(op->getOperands(),
                      [&](Value operand) { return dependsOn(operand, nest, d, seen); });
}

/// Is `value` the index of dim `d`, perhaps widened?
bool isIndexOf(Value value, nests::NestOp nest, int64_t d) {
  while (Operation *op = value.getDefiningOp()) {
    if (auto index = dyn_cast<nests::IndexOp>(op))
      return wholeDim(index.getBits(), nest.getDomain()) == d;
    if (!isa<arith::ExtUIOp, arith::ExtSIOp>(op))
      return false;
    value = op->getOperand(0);
  }
  return false;
}

/// Appends the conditions whose conjunction `value` is.
void conditionsOf(Value value, SmallVectorImpl<Value> &conditions) {
  auto both = value.getDefiningOp<arith::AndIOp>();
  if (!both)
    return conditions.push_back(value);
  conditionsOf(both.getLhs(), conditions);
  conditionsOf(both.getRhs(), conditions);
}

} // namespace

std::optional<Counts> countsOf(nests::NestOp nest, const Plan &plan) {
  if (nest.getNumResults() != 1 || nest.getKind(0).getKind() != nests::Kind::Reduce ||
      plan.kept.size() != 1)
    return std::nullopt;
  int64_t bins = plan.kept.front();
  Group group = groupsOf(nest).front();
  Block &combine = group.combine->front();
  if (nest.getLoOf(bins) || nest.getHiOf(bins) || group.dead != nests::Dead::None ||
      group.neutral.empty() || !isa<arith::AddIOp>(combine.front()))
    return std::nullopt;
  auto pure = [](Operation &op) { return isMemoryEffectFree(&op) || isa<nests::ReadOp>(op); };
  if (!llvm::all_of(nest.getBodyBlock(), pure) ||
      !llvm::hasSingleElement(combine.without_terminator()))
    return std::nullopt;

  auto one = nest.getBodyBlock().getTerminator()->getOperand(0).getDefiningOp<arith::ExtUIOp>();
  if (!one || !one.getIn().getType().isInteger(1))
    return std::nullopt;
  SmallVector<Value> conditions;
  conditionsOf(one.getIn(), conditions);
  Counts counts;
  for (Value condition : conditions) {
    llvm::SmallPtrSet<Operation *, 8> seen;
    if (!dependsOn(condition, nest, bins, seen)) {
      counts.conditions.push_back(condition);
      continue;
    }
    auto equal = condition.getDefiningOp<arith::CmpIOp>();
    if (counts.number || !equal || equal.getPredicate() != arith::CmpIPredicate::eq)
      return std::nullopt;
    Value left = equal.getLhs(), right = equal.getRhs();
    counts.number = isIndexOf(left, nest, bins) ? right : left;
    seen.clear();
    if (!isIndexOf(counts.number == left ? right : left, nest, bins) ||
        dependsOn(counts.number, nest, bins, seen))
      return std::nullopt;
  }
  return counts.number ? std::optional(counts) : std::nullopt;
}

void CountMapper::run() {
  prepare();
  bins = nest.getDomain()[plan.kept.front()];
  element = cast<RankedTensorType>(nest.getResult(0).getType()).getElementType();
  bytes = mem::elementBytes(element);
  // An element that lies near an equal one waits for its count to be stored: neighbours count in
  // tables of their own. A bin past the last one takes what counts nowhere.
  constexpr int64_t kMostTables = 4, kMostBytes = 16 << 10, kPad = 64;
  int64_t inner = nest.getDomain()[plan.ordered.back()];
  row = bins + kPad / bytes;
  tables = bins * bytes <= kMostBytes ? std::min(kMostTables, inner) : 1;
  table = function.allocate(tables * row * bytes, mem::Space::Scratch);

  int64_t width = std::clamp<int64_t>(function.options().vectorBytes / bytes, 1, bins);
  Value zero = b.spread(b.constant(0, element), width);
  for (int64_t i = 0; i < tables; ++i)
    loop(b.constant(0), b.constant(bins), width, {}, [&](Value at, ValueRange) {
      store(zero, b.add(at, b.constant(i * row)));
      return Values();
    });
  Point point;
  point.index.assign(nest.getDomain().size(), b.constant(0));
  countLoops(0, point);

  point.lane = plan.kept.front();
  point.width = width;
  BitMap kept = keptBits(nest.getDomain(), plan.ordered);
  loop(b.constant(0), b.constant(bins), width, {}, [&](Value at, ValueRange) {
    Value sum = load(at, width);
    for (int64_t i = 1; i < tables; ++i)
      sum = b.add(sum, load(b.add(at, b.constant(i * row)), width));
    point.index[point.lane] = at;
    storeSums(combine(groups.front(), startAt(point), sum, width), point, kept);
    return Values();
  });
}

Value CountMapper::load(Value at, int64_t width) {
  return mem::LoadOp::create(b, onLanes(element, width), table, at, Value(), Value(), width * bytes,
                             IntegerAttr());
}

void CountMapper::store(Value value, Value at) {
  mem::StoreOp::create(b, value, table, at, Value(), widthOf(value) * bytes, IntegerAttr());
}

void CountMapper::countLoops(unsigned depth, Point point) {
  int64_t d = plan.ordered[depth];
  auto oneAt = [&](Value at, int64_t which) {
    point.index[d] = at;
    if (depth + 1 == plan.ordered.size())
      count(point, which);
    else
      countLoops(depth + 1, point);
    return Values();
  };
  if (depth + 1 < plan.ordered.size()) {
    loop(lo[d], hi[d], 1, {}, [&](Value at, ValueRange) { return oneAt(at, 0); });
    return;
  }
  Value end = wholeVectors(d, tables);
  loop(lo[d], end, tables, {}, [&](Value at, ValueRange) {
    for (int64_t i = 0; i < tables; ++i)
      oneAt(b.add(at, b.constant(i)), i);
    return Values();
  });
  loop(end, hi[d], 1, {}, [&](Value at, ValueRange) { return oneAt(at, 0); });
}

void CountMapper::count(const Point &point, int64_t which) {
  PointEmitter body(function, nest, point);
  body.emit();
  Value number = body.valueOf(counts.number);
  Type type = number.getType();
  // Numbers of few bits may have no bin past them.
  Value fits = type.getIntOrFloatBitWidth() <= unsigned(numBits({bins}))
                   ? Value()
                   : b.cmp(arith::CmpIPredicate::ult, number, b.constant(bins, type));
  for (Value condition : counts.conditions)
    fits = b.both(fits, body.valueOf(condition));
  Value at = number;
  if (type.getIntOrFloatBitWidth() < 64)
    at = b.createOrFold<arith::ExtUIOp>(b.getI64Type(), at);
  if (fits)
    at = b.select(fits, at, b.constant(bins));
  at = b.add(at, b.constant(which * row));
  store(b.add(load(at, 1), b.constant(1, element)), at);
}

} // namespace tritonrt::compiler::mapvector
