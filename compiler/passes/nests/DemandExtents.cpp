// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Masks become extents. From the last nest to the first: a nest runs over the smallest box that its
// writes and the readers of its results ask for. A reduction may leave out the elements whose reads
// are all disabled where they have one common value and the combine is known: that value is folded
// in afterwards (once for max and the like, times their number for a sum). No identity is assumed
// anywhere, so NaN, -0 and infinities come out as in the whole-tile program.
#include "compiler/passes/Passes.h"

#include "compiler/analysis/Bits.h"
#include "compiler/analysis/Holds.h"
#include "compiler/dialect/nests/Nests.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/Matchers.h"

#include <optional>

using namespace mlir;

namespace tritonrt::compiler {

namespace {

/// Bounds of one dim; the whole dim where `lo` is null.
struct Extent {
  Value lo, hi;
  bool whole() const { return !lo; }
  bool operator==(const Extent &other) const { return lo == other.lo && hi == other.hi; }
};

/// The smallest extent that covers all that was asked for, as far as it can be named.
class Hull {
public:
  void add(Extent extent) {
    if (!value)
      value = extent;
    else if (!(*value == extent))
      value = Extent();
  }
  /// Nothing was asked for: nothing bounds the dim either.
  Extent get() const { return value.value_or(Extent()); }

private:
  std::optional<Extent> value;
};

Extent extentOf(nests::ViewOp view, int64_t d) {
  const auto *it = llvm::find(view.getBoxDims(), d);
  if (it == view.getBoxDims().end())
    return {};
  size_t at = it - view.getBoxDims().begin();
  return {view.getLo()[at], view.getHi()[at]};
}

/// What `view`, read or written under `bits`, allows of dim `dd` of the domain.
Extent viewExtent(nests::ViewOp view, ArrayRef<int64_t> bits, ArrayRef<int64_t> domain,
                  int64_t dd) {
  ArrayRef<int64_t> shape = view.getType().getShape();
  for (int64_t d : view.getBoxDims())
    if (wholeDim(dimBits(bits, shape, d), domain) == dd)
      return extentOf(view, d);
  return {};
}

enum class Fold { None, Once, Count };

/// How elements of one common value fold into a combine of one operand.
Fold foldOf(Region &combine) {
  Block &block = combine.front();
  if (block.getNumArguments() != 2 || block.getOperations().size() != 2)
    return Fold::None;
  Operation &op = block.front();
  bool plain =
      block.getTerminator()->getOperand(0).getDefiningOp() == &op && op.getNumOperands() == 2 &&
      op.getOperand(0) != op.getOperand(1) &&
      llvm::all_of(op.getOperands(), [&](Value v) { return v.getParentBlock() == &block; });
  if (!plain)
    return Fold::None;
  if (isa<arith::MaxNumFOp, arith::MinNumFOp, arith::MaximumFOp, arith::MinimumFOp, arith::MaxSIOp,
          arith::MinSIOp, arith::MaxUIOp, arith::MinUIOp, arith::AndIOp, arith::OrIOp>(op))
    return Fold::Once;
  if (isa<arith::AddFOp, arith::AddIOp>(op))
    return Fold::Count;
  return Fold::None;
}

/// What `compare`, of the index of dim `dd` with a number outside of the nest, gives at every point
/// outside `extent`; nothing where the extent is not made from that number.
std::optional<bool> outsideValue(arith::CmpIOp compare, int64_t dd, Extent extent,
                                 ArrayRef<int64_t> domain) {
  auto index = compare.getLhs().getDefiningOp<nests::IndexOp>();
  if (!index || wholeDim(index.getBits(), domain) != dd || !matchPattern(extent.lo, m_Zero()))
    return std::nullopt;
  // hi = min(max(n, 0), size): outside, i >= hi and i < size, hence i >= n.
  auto least = extent.hi.getDefiningOp<arith::MinSIOp>();
  auto most = least ? least.getLhs().getDefiningOp<arith::MaxSIOp>() : nullptr;
  APInt size;
  if (!most || !matchPattern(least.getRhs(), m_ConstantInt(&size)) ||
      size.getSExtValue() != domain[dd] || !matchPattern(most.getRhs(), m_Zero()))
    return std::nullopt;
  Value number = most.getLhs();
  if (auto wide = number.getDefiningOp<arith::ExtSIOp>())
    number = wide.getIn();
  if (number != compare.getRhs())
    return std::nullopt;
  switch (compare.getPredicate()) {
  case arith::CmpIPredicate::slt:
    return false;
  case arith::CmpIPredicate::sge:
    return true;
  default:
    return std::nullopt;
  }
}

class Demand {
public:
  explicit Demand(func::FuncOp function) : dominance(function) {}

  void narrow(nests::NestOp nest);

private:
  Extent needOf(Value tile, int64_t d);
  bool deadValues(nests::NestOp nest, unsigned group, int64_t dd, Extent extent, OpBuilder &builder,
                  SmallVector<Value> &values);
  Value deadValue(nests::NestOp nest, Value value, int64_t dd, Extent extent, OpBuilder &builder,
                  DenseMap<Value, Value> &known);
  bool makeAvailable(Value value, Operation *before);

  DominanceInfo dominance;
};

/// The part of dim `d` of a tile that its readers look at.
Extent Demand::needOf(Value tile, int64_t d) {
  auto type = dyn_cast<RankedTensorType>(tile.getType());
  if (!type)
    return {};
  Hull hull;
  for (Operation *user : tile.getUsers()) {
    auto elem = dyn_cast<nests::ElemOp>(user);
    if (!elem)
      return {};
    auto reader = user->getParentOfType<nests::NestOp>();
    int64_t dd = wholeDim(dimBits(elem.getBits(), type.getShape(), d), reader.getDomain());
    if (dd < 0)
      return {};
    hull.add({reader.getLoOf(dd), reader.getHiOf(dd)});
  }
  return hull.get();
}

/// Moves what computes `value` up so that it stands before `before`. Only arithmetic moves.
bool Demand::makeAvailable(Value value, Operation *before) {
  if (dominance.properlyDominates(value, before))
    return true;
  Operation *op = value.getDefiningOp();
  if (!op || op->getBlock() != before->getBlock() || !isPure(op) || op->getNumRegions())
    return false;
  for (Value operand : op->getOperands())
    if (!makeAvailable(operand, before))
      return false;
  op->moveBefore(before);
  return true;
}

/// The one value that `value` has at every point outside `extent` of dim `dd`, or null.
Value Demand::deadValue(nests::NestOp nest, Value value, int64_t dd, Extent extent,
                        OpBuilder &builder, DenseMap<Value, Value> &known) {
  Operation *op = value.getDefiningOp();
  if (!op || op->getBlock() != &nest.getBodyBlock())
    return value;
  if (Value found = known.lookup(value))
    return found;
  Value made;
  auto compare = dyn_cast<arith::CmpIOp>(op);
  std::optional<bool> outside =
      compare ? outsideValue(compare, dd, extent, nest.getDomain()) : std::nullopt;
  if (outside) {
    made = arith::ConstantOp::create(builder, op->getLoc(), builder.getBoolAttr(*outside));
  } else if (auto read = dyn_cast<nests::ReadOp>(op)) {
    auto view = read.getView().getDefiningOp<nests::ViewOp>();
    if (read.getIsVolatile() || !(viewExtent(view, read.getBits(), nest.getDomain(), dd) == extent))
      return {};
    if (read.getOther())
      made = deadValue(nest, read.getOther(), dd, extent, builder, known);
    else
      made = arith::ConstantOp::create(builder, op->getLoc(), builder.getZeroAttr(value.getType()));
  } else if (auto elem = dyn_cast<nests::ElemOp>(op)) {
    auto producer = elem.getTile().getDefiningOp<nests::NestOp>();
    if (!producer)
      return {};
    auto result = cast<OpResult>(elem.getTile());
    if (producer.getKind(result.getResultNumber()).getKind() != nests::Kind::Tile)
      return {};
    // The dim of the tile that runs along dd.
    ArrayRef<int64_t> shape = producer.getDomain();
    for (int64_t d = 0; d < int64_t(shape.size()) && !made; ++d)
      if (wholeDim(dimBits(elem.getBits(), shape, d), nest.getDomain()) == dd) {
        DenseMap<Value, Value> inner;
        auto yield = cast<nests::YieldOp>(producer.getBodyBlock().getTerminator());
        made = deadValue(producer, yield.getValues()[result.getResultNumber()], d, extent, builder,
                         inner);
      }
  } else if (isPure(op) && op->getNumRegions() == 0 && !isa<nests::IndexOp, nests::PickOp>(op)) {
    SmallVector<Value> operands;
    for (Value operand : op->getOperands()) {
      Value dead = deadValue(nest, operand, dd, extent, builder, known);
      if (!dead)
        return {};
      operands.push_back(dead);
    }
    Operation *copy = builder.clone(*op);
    copy->setOperands(operands);
    for (auto [from, to] : llvm::zip(op->getResults(), copy->getResults()))
      known[from] = to;
    return known.lookup(value);
  }
  if (made)
    known[value] = made;
  return made;
}

bool Demand::deadValues(nests::NestOp nest, unsigned group, int64_t dd, Extent extent,
                        OpBuilder &builder, SmallVector<Value> &values) {
  auto yield = cast<nests::YieldOp>(nest.getBodyBlock().getTerminator());
  DenseMap<Value, Value> known;
  for (unsigned i = 0; i < nest.getNumResults(); ++i) {
    if (nest.getKind(i).getGroup() != int64_t(group))
      continue;
    Value dead = deadValue(nest, yield.getValues()[i], dd, extent, builder, known);
    if (!dead)
      return false;
    values.push_back(dead);
  }
  return true;
}

/// Comparisons that the live box decides.
void foldCompares(nests::NestOp nest) {
  OpBuilder builder(nest.getContext());
  for (auto compare : llvm::make_early_inc_range(nest.getBodyBlock().getOps<arith::CmpIOp>()))
    for (int64_t dd : nest.getBoxDims()) {
      Extent extent{nest.getLoOf(dd), nest.getHiOf(dd)};
      std::optional<bool> outside = outsideValue(compare, dd, extent, nest.getDomain());
      if (!outside)
        continue;
      builder.setInsertionPoint(compare);
      compare.replaceAllUsesWith(
          arith::ConstantOp::create(builder, compare.getLoc(), builder.getBoolAttr(!*outside))
              .getResult());
      compare.erase();
      break;
    }
}

void Demand::narrow(nests::NestOp nest) {
  ArrayRef<int64_t> domain = nest.getDomain();
  if (!nest.getBoxDims().empty())
    return;
  OpBuilder builder(nest);
  SmallVector<int64_t> boxDims;
  SmallVector<Value> los, his;
  SmallVector<int32_t> dead(nest.getDead());
  SmallVector<SmallVector<Value>> deadOf(dead.size());

  for (int64_t dd = 0; dd < int64_t(domain.size()); ++dd) {
    Hull hull;
    bool bounded = true;
    nest.getBodyBlock().walk([&](Operation *op) {
      if (auto write = dyn_cast<nests::WriteOp>(op))
        hull.add(viewExtent(write.getView().getDefiningOp<nests::ViewOp>(), write.getBits(), domain,
                            dd));
      else if (auto rmw = dyn_cast<nests::AtomicRMWOp>(op))
        hull.add(
            viewExtent(rmw.getView().getDefiningOp<nests::ViewOp>(), rmw.getBits(), domain, dd));
      else if (auto cas = dyn_cast<nests::AtomicCASOp>(op))
        hull.add(
            viewExtent(cas.getView().getDefiningOp<nests::ViewOp>(), cas.getBits(), domain, dd));
      else if (auto read = dyn_cast<nests::ReadOp>(op))
        bounded &= !read.getIsVolatile();
    });
    // The results; reductions over this dim come last, since they take any extent that suits them.
    SmallVector<unsigned> reducing;
    for (unsigned i = 0; i < nest.getNumResults(); ++i) {
      nests::ResultAttr kind = nest.getKind(i);
      bool ordered = llvm::is_contained(kind.getDims(), dd);
      if (kind.getKind() == nests::Kind::Scan && ordered) {
        bounded = false;
      } else if (kind.getKind() == nests::Kind::Reduce && ordered) {
        if (!llvm::is_contained(reducing, unsigned(kind.getGroup())))
          reducing.push_back(kind.getGroup());
      } else {
        int64_t d = dd - llvm::count_if(kind.getDims(), [&](int64_t reduced) {
                      return kind.getKind() == nests::Kind::Reduce && reduced < dd;
                    });
        hull.add(needOf(nest.getResult(i), d));
      }
    }
    Extent extent = hull.get();
    if (!reducing.empty() && extent.whole()) {
      // Nobody else bounds the dim: try what the reads say.
      bool asked = llvm::any_of(nest.getKinds().getAsRange<nests::ResultAttr>(),
                                [&](nests::ResultAttr kind) {
                                  return !llvm::is_contained(kind.getDims(), dd);
                                }) ||
                   holds<nests::WriteOp, nests::AtomicRMWOp, nests::AtomicCASOp>(nest);
      if (!asked)
        nest.getBodyBlock().walk([&](nests::ReadOp read) {
          if (extent.whole())
            extent = viewExtent(read.getView().getDefiningOp<nests::ViewOp>(), read.getBits(),
                                domain, dd);
        });
    }
    if (!bounded || extent.whole() || !makeAvailable(extent.lo, nest) ||
        !makeAvailable(extent.hi, nest))
      continue;
    SmallVector<std::pair<unsigned, SmallVector<Value>>> folded;
    bool works = true;
    for (unsigned group : reducing) {
      SmallVector<Value> values;
      // One reduced dim at a time: the dead elements are counted along it alone.
      works &=
          foldOf(nest.getCombines()[group]) != Fold::None && deadOf[group].empty() &&
          llvm::all_of(nest.getKinds().getAsRange<nests::ResultAttr>(),
                       [&](nests::ResultAttr kind) {
                         return kind.getGroup() != int64_t(group) || kind.getDims().size() == 1;
                       }) &&
          deadValues(nest, group, dd, extent, builder, values);
      if (!works)
        break;
      folded.emplace_back(group, std::move(values));
    }
    if (!works)
      continue;
    for (auto &[group, values] : folded) {
      deadOf[group] = std::move(values);
      dead[group] = static_cast<int32_t>(
          foldOf(nest.getCombines()[group]) == Fold::Once ? nests::Dead::Once : nests::Dead::Count);
    }
    boxDims.push_back(dd);
    los.push_back(extent.lo);
    his.push_back(extent.hi);
  }
  if (boxDims.empty())
    return;
  nest.getLoMutable().assign(los);
  nest.getHiMutable().assign(his);
  nest.setBoxDims(boxDims);
  nest.setDead(dead);
  SmallVector<Value> flat;
  for (const auto &values : deadOf)
    llvm::append_range(flat, values);
  nest.getDeadValuesMutable().assign(flat);
  foldCompares(nest);
}

/// Bounds within [0, size], so that a nest can take them as they are.
void clampBounds(nests::ViewOp view) {
  OpBuilder builder(view);
  Location loc = view.getLoc();
  auto clamp = [&](Value bound, int64_t size) -> Value {
    APInt known;
    if (matchPattern(bound, m_ConstantInt(&known)) && known.sge(0) && known.sle(size))
      return bound;
    Value zero = arith::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(0));
    Value top = arith::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(size));
    Value low = arith::MaxSIOp::create(builder, loc, bound, zero);
    return arith::MinSIOp::create(builder, loc, low, top);
  };
  ArrayRef<int64_t> shape = view.getType().getShape();
  for (auto [i, d] : llvm::enumerate(view.getBoxDims())) {
    view.getLoMutable().slice(i, 1).assign(clamp(view.getLo()[i], shape[d]));
    view.getHiMutable().slice(i, 1).assign(clamp(view.getHi()[i], shape[d]));
  }
}

struct ClampBoundsPass : PassWrapper<ClampBoundsPass, OperationPass<func::FuncOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ClampBoundsPass)
  StringRef getArgument() const override { return "clamp-bounds"; }
  StringRef getDescription() const override { return "Bring the bounds of views into their dims"; }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<arith::ArithDialect>();
  }
  void runOnOperation() override { getOperation().walk(clampBounds); }
};

struct DemandExtentsPass : PassWrapper<DemandExtentsPass, OperationPass<func::FuncOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(DemandExtentsPass)
  StringRef getArgument() const override { return "demand-extents"; }
  StringRef getDescription() const override {
    return "Run nests only where somebody needs their results";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<arith::ArithDialect>();
  }
  void runOnOperation() override {
    SmallVector<nests::NestOp> all;
    getOperation().walk<WalkOrder::PreOrder>([&](nests::NestOp nest) { all.push_back(nest); });
    Demand demand(getOperation());
    for (nests::NestOp nest : llvm::reverse(all))
      demand.narrow(nest);
  }
};

} // namespace

std::unique_ptr<Pass> createClampBoundsPass() { return std::make_unique<ClampBoundsPass>(); }
std::unique_ptr<Pass> createDemandExtentsPass() { return std::make_unique<DemandExtentsPass>(); }

} // namespace tritonrt::compiler
