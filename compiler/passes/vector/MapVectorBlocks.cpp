// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Nests that turn rows into columns. Whichever dim goes on the lanes, some access finds its lanes
// far apart in memory; read instead in square blocks, by rows that lie along another dim, and
// transposed in registers, each line of memory is touched once.
#include "compiler/analysis/Bits.h"
#include "compiler/passes/vector/MapVectorLoops.h"
#include "compiler/passes/vector/Strides.h"

#include "llvm/Support/MathExtras.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;

namespace tritonrt::compiler::mapvector {

namespace {

/// Rows of a block; as many registers hold one.
constexpr int64_t kMostRows = 16;

enum class Lanes { Same, Row, Apart };

Lanes lanesOf(ArrayRef<int64_t> offsets, int64_t scale = 1) {
  if (offsets.back() == 0 || scale == 0)
    return Lanes::Same;
  bool row = scale == 1 && offsets[1] == 1 && offsets.back() == int64_t(offsets.size()) - 1;
  return row ? Lanes::Row : Lanes::Apart;
}

/// How the elements that a read, or an elem, of `nest` takes lie on `width` lanes along `dim`.
/// Nothing where the body has to say which they are.
std::optional<Lanes> lanesAlong(Operation *op, nests::NestOp nest, int64_t dim, int64_t width) {
  ArrayRef<int64_t> domain = nest.getDomain();
  int64_t laneBits = llvm::Log2_64(width);
  if (auto elem = dyn_cast<nests::ElemOp>(op))
    return lanesOf(laneOffsets(elem.getBits(), domain, dim, laneBits));
  auto read = dyn_cast<nests::ReadOp>(op);
  auto fromBody = [&](Value value) { return value && value.getParentBlock() == op->getBlock(); };
  if (!read || read.getOffset() || read.getMask() || fromBody(read.getOther()))
    return std::nullopt;
  auto view = read.getView().getDefiningOp<nests::ViewOp>();
  int64_t size = mem::elementBytes(op->getResult(0).getType());
  Lanes all = Lanes::Same;
  for (auto [d, stride] : llvm::enumerate(view.getStaticStrides())) {
    ArrayRef<int64_t> bits = dimBits(read.getBits(), view.getType().getShape(), d);
    bool whole = isStrideOf(view, stride, size) && int64_t(d) != int64_t(view.getWrapDim());
    Lanes one = lanesOf(laneOffsets(bits, domain, dim, laneBits), stride == 0 ? 0 : whole ? 1 : 2);
    if (one != Lanes::Same)
      all = all == Lanes::Same ? one : Lanes::Apart;
  }
  return all;
}

/// Does the body write, before `read`, what it reads? Accesses that share a nest are disjoint or
/// have one address function, and so one base.
bool readsWritten(Operation *read, nests::NestOp nest) {
  auto baseOf = [](auto op) {
    return op.getView().template getDefiningOp<nests::ViewOp>().getBase();
  };
  auto wanted = dyn_cast<nests::ReadOp>(read);
  if (!wanted)
    return false;
  for (Operation &op : nest.getBodyBlock()) {
    if (&op == read)
      return false;
    auto write = dyn_cast<nests::WriteOp>(op);
    if (write && baseOf(write) == baseOf(wanted))
      return true;
  }
  return false;
}

/// The vector with lane l of `rows[k]` as lane k of result l.
SmallVector<Value> transposed(Builder &b, SmallVector<Value> rows) {
  int64_t count = rows.size();
  for (int64_t step = 1; step < count; step *= 2) {
    SmallVector<int64_t> low, high;
    for (int64_t lane = 0; lane < count; ++lane) {
      low.push_back(lane & step ? count + lane - step : lane);
      high.push_back(lane & step ? count + lane : lane + step);
    }
    for (int64_t k = 0; k < count; ++k) {
      if (k & step)
        continue;
      Value first = rows[k], second = rows[k + step];
      rows[k] = vector::ShuffleOp::create(b, first, second, low);
      rows[k + step] = vector::ShuffleOp::create(b, first, second, high);
    }
  }
  return rows;
}

} // namespace

std::optional<Blocks> blocksOf(nests::NestOp nest, const Plan &plan) {
  // The body is written once a row.
  constexpr size_t kMostOps = 12;
  if (plan.lane < 0 || !plan.ordered.empty() ||
      nest.getBodyBlock().getOperations().size() > kMostOps)
    return std::nullopt;
  ArrayRef<int64_t> domain = nest.getDomain();
  auto fromZero = [&](int64_t d) { return !nest.getLoOf(d) || constantOf(nest.getLoOf(d)) == 0; };
  Blocks best;
  for (int64_t d : plan.kept) {
    int64_t width = std::min({plan.width, kMostRows, domain[d]});
    if (d == plan.lane || width < 4 || !fromZero(d) || !fromZero(plan.lane))
      continue;
    Blocks blocks{d, width, {}};
    for (Operation &op : nest.getBodyBlock())
      // A block's crossing reads come before all that the body does.
      if (lanesAlong(&op, nest, plan.lane, width) == Lanes::Apart &&
          lanesAlong(&op, nest, d, width) == Lanes::Row && !readsWritten(&op, nest))
        blocks.crossing.push_back(&op);
    if (blocks.crossing.size() > best.crossing.size())
      best = std::move(blocks);
  }
  return best.crossing.empty() ? std::nullopt : std::optional(best);
}

void BlockMapper::run() {
  prepare();
  ArrayRef<int64_t> domain = nest.getDomain();
  auto full = [&](int64_t d) {
    return b.cmp(arith::CmpIPredicate::eq, hi[d], b.constant(domain[d]));
  };
  Point point;
  point.index.assign(domain.size(), Value());
  branch(
      b.bitAnd(full(plan.lane), full(blocks.across)), {},
      [&] {
        llvm::SaveAndRestore<int64_t> narrow(plan.width, blocks.width);
        blockLoops(0, point);
        return Values();
      },
      [&] {
        llvm::SaveAndRestore cut(rare, true);
        keptLoops(0, point);
        return Values();
      });
}

void BlockMapper::blockLoops(unsigned depth, Point point) {
  if (depth == plan.kept.size()) {
    block(point);
    return;
  }
  int64_t d = plan.kept[depth];
  bool inBlock = d == plan.lane || d == blocks.across;
  Value end = inBlock ? b.constant(nest.getDomain()[d]) : hi[d];
  loop(lo[d], end, inBlock ? plan.width : 1, {}, [&](Value at, ValueRange) {
    point.index[d] = at;
    blockLoops(depth + 1, point);
    return Values();
  });
}

void BlockMapper::block(Point point) {
  auto moved = [&](int64_t d, int64_t by) {
    Point there = point;
    there.index[d] = b.add(point.index[d], b.constant(by));
    there.width = plan.width;
    return there;
  };
  llvm::DenseMap<Operation *, Values> columns;
  for (Operation *op : blocks.crossing) {
    Values rows;
    for (int64_t k = 0; k < plan.width; ++k) {
      Point row = moved(plan.lane, k);
      row.lane = blocks.across;
      rows.push_back(PointEmitter(function, nest, row).emitOp(*op));
    }
    columns[op] = transposed(b, rows);
  }
  for (int64_t k = 0; k < plan.width; ++k) {
    Point here = moved(blocks.across, k);
    here.lane = plan.lane;
    PointEmitter body(function, nest, here);
    for (const auto &[op, values] : columns)
      body.give(op, values[k]);
    storeTiles(body.emit(), here);
  }
}

} // namespace tritonrt::compiler::mapvector
