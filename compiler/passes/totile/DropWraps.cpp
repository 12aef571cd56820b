// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// drop-wraps: a load whose rows wrap around at `size` reads from row 0 again beyond the edge. Where
// all that is made of those rows ends in stores that leave them out, nobody needs them: the load
// keeps the rows below the edge, which do not wrap.
//
// For start s: the rows i with s + i < size are the demanded ones. If s < size, s mod size is s;
// if not, none is demanded.
#include "compiler/analysis/Linear.h"
#include "compiler/dialect/tile/Tile.h"
#include "compiler/dialect/tt/TtOps.h"
#include "compiler/passes/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Dominance.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace tritonrt::compiler {

namespace {

/// The sum that an i64 scalar is, seen through additions and multiplications by constants.
Linear sumOf(Value value, int depth = 0) {
  Operation *op = value.getDefiningOp();
  if (op && depth < 8) {
    auto part = [&](unsigned i) { return sumOf(op->getOperand(i), depth + 1); };
    if (isa<arith::AddIOp>(op))
      return part(0) + part(1);
    if (isa<arith::SubIOp>(op))
      return part(0) - part(1);
    if (isa<arith::MulIOp>(op))
      if (std::optional<int64_t> factor = constantOf(op->getOperand(1)))
        return part(0) * *factor;
  }
  return Linear::of(value);
}

/// Follows one dimension of a tile to where its elements go.
class Follower {
public:
  /// Elements of index `limit` or more are the ones in question.
  explicit Follower(Linear limit) : limit(std::move(limit)) {}

  /// Nobody needs those elements of `dim`.
  bool unneeded(Value tile, int64_t dim);

private:
  using Place = std::pair<Value, int64_t>;
  bool visit(OpOperand &use, int64_t dim);
  bool visitDot(tt::DotOp op, unsigned operand, int64_t dim);
  bool visitYield(Operation *yield, unsigned number, int64_t dim);
  bool isLeftOut(tile::StoreOp store, int64_t dim);
  void follow(Value value, int64_t dim) { places.insert({value, dim}); }

  Linear limit;
  llvm::SetVector<Place> places;
};

bool Follower::unneeded(Value tile, int64_t dim) {
  follow(tile, dim);
  for (size_t i = 0; i < places.size(); ++i) {
    auto [value, d] = places[i];
    for (OpOperand &use : value.getUses())
      if (!visit(use, d))
        return false;
  }
  return true;
}

bool Follower::isLeftOut(tile::StoreOp store, int64_t dim) {
  auto dims = store.getBoxDims();
  const auto *at = llvm::find(dims, dim);
  return at != dims.end() && sumOf(store.getHi()[at - dims.begin()]) == limit;
}

bool Follower::visitDot(tt::DotOp op, unsigned operand, int64_t dim) {
  int64_t rank = cast<RankedTensorType>(op.getType()).getRank();
  // K is the last dimension of a and the last but one of b.
  if ((operand == 0 && dim == rank - 1) || (operand == 1 && dim == rank - 2))
    return false;
  follow(op.getResult(), dim);
  return true;
}

bool Follower::visitYield(Operation *yield, unsigned number, int64_t dim) {
  Operation *parent = yield->getParentOp();
  if (auto loop = dyn_cast<scf::ForOp>(parent))
    follow(loop.getRegionIterArg(number), dim);
  else if (!isa<scf::IfOp>(parent))
    return false;
  follow(parent->getResult(number), dim);
  return true;
}

bool Follower::visit(OpOperand &use, int64_t dim) {
  Operation *op = use.getOwner();
  unsigned number = use.getOperandNumber();
  if (auto store = dyn_cast<tile::StoreOp>(op))
    return number == 0 && isLeftOut(store, dim);
  if (auto dot = dyn_cast<tt::DotOp>(op))
    return visitDot(dot, number, dim);
  if (isa<scf::YieldOp>(op))
    return visitYield(op, number, dim);
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    if (number < loop.getNumControlOperands())
      return false;
    unsigned i = number - loop.getNumControlOperands();
    follow(loop.getRegionIterArg(i), dim);
    follow(loop.getResult(i), dim);
    return true;
  }
  if (auto trans = dyn_cast<tt::TransOp>(op)) {
    follow(trans.getResult(), llvm::find(trans.getOrder(), dim) - trans.getOrder().begin());
    return true;
  }
  if (auto expand = dyn_cast<tt::ExpandDimsOp>(op)) {
    follow(expand.getResult(), dim + (static_cast<int64_t>(expand.getAxis()) <= dim));
    return true;
  }
  if (auto reduce = dyn_cast<tt::ReduceOp>(op)) {
    int64_t axis = reduce.getAxis();
    if (axis == dim)
      return false;
    for (Value result : reduce.getResults())
      follow(result, dim - (axis < dim));
    return true;
  }
  // Zeros in the place of unneeded elements must not be divided by.
  bool pointwise = isa<tt::BroadcastOp>(op) ||
                   (isa<arith::ArithDialect, math::MathDialect>(op->getDialect()) &&
                    !isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp,
                         arith::CeilDivSIOp, arith::CeilDivUIOp, arith::FloorDivSIOp>(op));
  if (!pointwise)
    return false;
  for (Value result : op->getResults())
    follow(result, dim);
  return true;
}

class DropWrapsPass : public PassWrapper<DropWrapsPass, OperationPass<func::FuncOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(DropWrapsPass)

  StringRef getArgument() const final { return "drop-wraps"; }
  StringRef getDescription() const final {
    return "Loads stop at the edge where nobody needs more";
  }

  void runOnOperation() final {
    SmallVector<tile::LoadOp> loads;
    getOperation().walk([&](tile::LoadOp load) {
      if (load.getWrapDim() != uint64_t(-1) && !load.getIsVolatile())
        loads.push_back(load);
    });
    for (tile::LoadOp load : loads)
      drop(load);
  }

private:
  void drop(tile::LoadOp load);
};

void DropWrapsPass::drop(tile::LoadOp load) {
  auto modulo = load.getWrapStart().getDefiningOp<arith::RemSIOp>();
  if (!modulo)
    return;
  auto dim = static_cast<int64_t>(load.getWrapDim());
  Value start = modulo.getLhs(), size = load.getWrapSize();
  if (!Follower(sumOf(size) - sumOf(start)).unneeded(load.getResult(), dim))
    return;

  // Beside the modulo, which is as far out of the loops as the start.
  OpBuilder builder(modulo);
  Location loc = load.getLoc();
  DominanceInfo dominance(getOperation());
  if (!dominance.properlyDominates(size, modulo))
    return;
  Value edge = arith::SubIOp::create(builder, loc, size, start);
  builder.setInsertionPoint(load);
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(value));
  };
  // The stride moves into the base.
  int64_t fixed = load.getStaticStrides()[dim];
  Value stride;
  if (fixed == ShapedType::kDynamic) {
    size_t before = llvm::count(load.getStaticStrides().take_front(dim), ShapedType::kDynamic);
    stride =
        arith::MulIOp::create(builder, loc, load.getStrides()[before], constant(load.getUnit()));
  } else {
    stride = constant(fixed * static_cast<int64_t>(load.getUnit()));
  }
  Value bytes = arith::MulIOp::create(builder, loc, start, stride);
  Value base = mem::OffsetOp::create(builder, loc, load.getBase().getType(), load.getBase(), bytes);

  SmallVector<int64_t> dims(load.getBoxDims());
  SmallVector<Value> lo(load.getLo()), hi(load.getHi());
  auto at = llvm::lower_bound(dims, dim) - dims.begin();
  if (at < static_cast<int64_t>(dims.size()) && dims[at] == dim) {
    hi[at] = arith::MinSIOp::create(builder, loc, hi[at], edge);
  } else {
    dims.insert(dims.begin() + at, dim);
    lo.insert(lo.begin() + at, constant(0));
    hi.insert(hi.begin() + at, edge);
  }
  auto plain = tile::LoadOp::create(
      builder, loc, load.getType(), base, load.getStrides(), lo, hi, /*wrapStart=*/Value(),
      /*wrapSize=*/Value(), load.getOffsets(), load.getMask(), load.getOther(),
      load.getStaticStrides(), dims, /*wrapDim=*/-1, load.getUnit(), load.getRoot(),
      load.getAlign(), /*isVolatile=*/false);
  load.replaceAllUsesWith(plain.getResult());
  load.erase();
}

} // namespace

std::unique_ptr<Pass> createDropWrapsPass() { return std::make_unique<DropWrapsPass>(); }

} // namespace tritonrt::compiler
