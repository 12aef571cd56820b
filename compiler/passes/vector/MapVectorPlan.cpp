// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which dim of a nest goes on the lanes, and in which order its dims become loops.
#include "compiler/analysis/Bits.h"
#include "compiler/dialect/libm/Libm.h"
#include "compiler/passes/vector/MapVector.h"
#include "compiler/passes/vector/Strides.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tritonrt::compiler::mapvector {

namespace {

/// Values that start a reduction of one op without leaving a trace in it.
TypedAttr neutralOf(Operation *op) {
  Type type = op->getResult(0).getType();
  Builder b(op->getLoc(), op->getContext());
  auto real = [&](const llvm::APFloat &value) { return b.getFloatAttr(type, value); };
  auto whole = [&](const llvm::APInt &value) { return b.getIntegerAttr(type, value); };
  if (auto floating = dyn_cast<FloatType>(type)) {
    const llvm::fltSemantics &sem = floating.getFloatSemantics();
    return llvm::TypeSwitch<Operation *, TypedAttr>(op)
        .Case([&](arith::AddFOp) { return real(llvm::APFloat::getZero(sem, true)); })
        .Case([&](arith::MulFOp) { return real(llvm::APFloat::getOne(sem)); })
        .Case<arith::MaxNumFOp, arith::MinNumFOp>(
            [&](auto) { return real(llvm::APFloat::getNaN(sem)); })
        .Case([&](arith::MaximumFOp) { return real(llvm::APFloat::getInf(sem, true)); })
        .Case([&](arith::MinimumFOp) { return real(llvm::APFloat::getInf(sem)); })
        .Default(TypedAttr());
  }
  if (!type.isInteger())
    return {};
  unsigned width = type.getIntOrFloatBitWidth();
  return llvm::TypeSwitch<Operation *, TypedAttr>(op)
      .Case<arith::AddIOp, arith::OrIOp, arith::XOrIOp, arith::MaxUIOp>(
          [&](auto) { return whole(llvm::APInt::getZero(width)); })
      .Case([&](arith::MulIOp) { return whole(llvm::APInt(width, 1)); })
      .Case<arith::AndIOp, arith::MinUIOp>(
          [&](auto) { return whole(llvm::APInt::getAllOnes(width)); })
      .Case([&](arith::MaxSIOp) { return whole(llvm::APInt::getSignedMinValue(width)); })
      .Case([&](arith::MinSIOp) { return whole(llvm::APInt::getSignedMaxValue(width)); })
      .Default(TypedAttr());
}

/// The neutral values of a region in which every operand is combined by one op of its own.
SmallVector<TypedAttr> neutralOf(Region &combine) {
  Block &block = combine.front();
  unsigned operands = block.getNumArguments() / 2;
  SmallVector<TypedAttr> values;
  for (auto [i, yielded] : llvm::enumerate(block.getTerminator()->getOperands())) {
    Operation *op = yielded.getDefiningOp();
    if (!op || op->getBlock() != &block || op->getNumOperands() != 2)
      return {};
    Value news = block.getArgument(i), accs = block.getArgument(i + operands);
    bool direct = (op->getOperand(0) == news && op->getOperand(1) == accs) ||
                  (op->getOperand(0) == accs && op->getOperand(1) == news);
    TypedAttr value = direct ? neutralOf(op) : TypedAttr();
    if (!value)
      return {};
    values.push_back(value);
  }
  return values;
}

/// Is `value` always `a` or `b`, picked by selects?
bool isOneOf(Value value, Value a, Value b) {
  if (value == a || value == b)
    return true;
  auto select = value.getDefiningOp<arith::SelectOp>();
  return select && isOneOf(select.getTrueValue(), a, b) && isOneOf(select.getFalseValue(), a, b);
}

/// What a comparison of a larger number with a smaller one gives; both are at least 0.
bool largerWithSmaller(arith::CmpIPredicate predicate) {
  switch (predicate) {
  case arith::CmpIPredicate::ne:
  case arith::CmpIPredicate::sgt:
  case arith::CmpIPredicate::sge:
  case arith::CmpIPredicate::ugt:
  case arith::CmpIPredicate::uge:
    return true;
  default:
    return false;
  }
}

/// Fills `inOrder`: an operand that is the index along the one reduced dim, and is handed on as it
/// came, is larger in a new element than in what earlier ones left.
void findInOrder(nests::NestOp nest, Group &group) {
  nests::ResultAttr kind = nest.getKind(group.results.front());
  if (group.kind != nests::Kind::Reduce || kind.getDims().size() != 1)
    return;
  Operation *yield = nest.getBodyBlock().getTerminator();
  Block &block = group.combine->front();
  for (auto [i, result] : llvm::enumerate(group.results)) {
    auto index = yield->getOperand(result).getDefiningOp<nests::IndexOp>();
    Value news = block.getArgument(i), accs = block.getArgument(i + group.results.size());
    if (!index || wholeDim(index.getBits(), nest.getDomain()) != kind.getDims().front() ||
        !isOneOf(block.getTerminator()->getOperand(i), news, accs))
      continue;
    for (auto compare : block.getOps<arith::CmpIOp>())
      if (compare.getLhs() == news && compare.getRhs() == accs)
        group.inOrder.emplace_back(compare, largerWithSmaller(compare.getPredicate()));
  }
}

} // namespace

SmallVector<Group> groupsOf(nests::NestOp nest) {
  SmallVector<Group> groups;
  size_t nextDead = 0;
  for (auto [g, combine] : llvm::enumerate(nest.getCombines())) {
    Group group;
    group.combine = &combine;
    for (unsigned i = 0; i < nest.getNumResults(); ++i)
      if (nest.getKind(i).getKind() != nests::Kind::Tile &&
          nest.getKind(i).getGroup() == int64_t(g))
        group.results.push_back(i);
    group.kind = nest.getKind(group.results.front()).getKind();
    group.dead = nest.getDeadKind(g);
    if (group.dead != nests::Dead::None)
      for (size_t i = 0; i < group.results.size(); ++i)
        group.deadValues.push_back(nest.getDeadValues()[nextDead++]);
    group.neutral = neutralOf(combine);
    findInOrder(nest, group);
    groups.push_back(std::move(group));
  }
  return groups;
}

namespace {

/// What a choice of lanes costs.
class LaneCost {
public:
  LaneCost(nests::NestOp nest, ArrayRef<int64_t> ordered) : nest(nest), ordered(ordered) {
    domain = nest.getDomain();
    trackDims();
  }

  /// Cycles a point, roughly, with `width` lanes along `dim`.
  double operator()(int64_t dim, int64_t width);
  /// Is every index that depends on `dim` the whole of it (or of nothing of it)? Then lanes may
  /// start anywhere.
  bool anyStart(int64_t dim);
  bool onePointAtATime();
  int64_t widestElement();

private:
  /// Calls `f(bits, isStore, offset, view)` for every access.
  void forAccesses(llvm::function_ref<void(ArrayRef<int64_t>, bool, Value, nests::ViewOp)> f);
  void trackDims();
  bool dependsOn(Value value, int64_t dim) const {
    auto it = dims.find(value);
    return it != dims.end() && it->second >> dim & 1;
  }

  nests::NestOp nest;
  ArrayRef<int64_t> ordered;
  ArrayRef<int64_t> domain;
  /// The dims that a value of the body depends on.
  llvm::DenseMap<Value, uint64_t> dims;
};

void LaneCost::trackDims() {
  for (Operation &op : nest.getBodyBlock().without_terminator()) {
    uint64_t set = 0;
    for (Value operand : op.getOperands())
      set |= dims.lookup(operand);
    if (auto bits = op.getAttrOfType<DenseI64ArrayAttr>("bits"))
      for (const BitRun &run : bitRuns(bits.asArrayRef(), domain))
        set |= uint64_t{1} << run.dim;
    for (Value result : op.getResults())
      dims[result] = set;
  }
}

void LaneCost::forAccesses(
    llvm::function_ref<void(ArrayRef<int64_t>, bool, Value, nests::ViewOp)> f) {
  for (Operation &op : nest.getBodyBlock()) {
    if (auto read = dyn_cast<nests::ReadOp>(op))
      f(read.getBits(), false, read.getOffset(), read.getView().getDefiningOp<nests::ViewOp>());
    else if (auto write = dyn_cast<nests::WriteOp>(op))
      f(write.getBits(), true, write.getOffset(), write.getView().getDefiningOp<nests::ViewOp>());
    else if (auto elem = dyn_cast<nests::ElemOp>(op))
      f(elem.getBits(), false, Value(), {});
    else if (auto pick = dyn_cast<nests::PickOp>(op))
      f(pick.getBits(), false, pick.getAt(), {});
  }
  BitMap identity = identityBits(numBits(domain));
  for (unsigned i = 0; i < nest.getNumResults(); ++i)
    if (nest.getKind(i).getKind() != nests::Kind::Reduce)
      f(identity, true, Value(), {});
}

double LaneCost::operator()(int64_t dim, int64_t width) {
  int64_t laneBits = llvm::Log2_64(width);
  double cycles = 0;
  for (Operation &op : nest.getBodyBlock().without_terminator())
    if (isa<libm::LibmDialect, math::MathDialect>(op.getDialect()))
      cycles += 8;
    else if (!isa<arith::ConstantOp>(op))
      cycles += 1;
  // A step of a sort adds up pairs. Lanes that lie apart lose against short ones side by side
  // there: the loops around those are as short, and LLVM makes whole vectors of several turns.
  bool pairs = ordered.size() == 1 && domain[ordered.front()] == 2 && domain.size() > 2;
  forAccesses([&](ArrayRef<int64_t> bits, bool isStore, Value offset, nests::ViewOp view) {
    double apart = double(width) * (isStore ? 1.5 : 1.0) * (pairs ? 4.0 : 1.0);
    bool together = !offset || !dependsOn(offset, dim);
    if (!view) {
      SmallVector<int64_t> lanes = laneOffsets(bits, domain, dim, laneBits);
      together &= lanes[width - 1] == 0 || (lanes[1] == 1 && lanes[width - 1] == width - 1);
    } else {
      ArrayRef<int64_t> shape = view.getType().getShape();
      int64_t size = mem::elementBytes(view.getType().getElementType());
      for (auto [d, stride] : llvm::enumerate(view.getStaticStrides())) {
        SmallVector<int64_t> lanes = laneOffsets(dimBits(bits, shape, d), domain, dim, laneBits);
        if (lanes[width - 1] == 0 || stride == 0)
          continue;
        bool unitStride =
            isStrideOf(view, stride, size) && lanes[1] == 1 && lanes[width - 1] == width - 1;
        together &= unitStride && int64_t(d) != int64_t(view.getWrapDim());
      }
    }
    cycles += together ? 1 : apart;
  });
  cycles /= width;
  bool scans = llvm::any_of(nest.getKinds(), [](Attribute kind) {
    return cast<nests::ResultAttr>(kind).getKind() == nests::Kind::Scan;
  });
  if (llvm::is_contained(ordered, dim))
    for (Region &combine : nest.getCombines()) {
      double region = combine.front().getOperations().size() + combine.getNumArguments();
      cycles += llvm::Log2_64(width) * region / (scans ? width : domain[dim]);
    }
  return cycles;
}

bool LaneCost::anyStart(int64_t dim) {
  bool whole = true;
  for (Operation &op : nest.getBodyBlock())
    if (auto bits = op.getAttrOfType<DenseI64ArrayAttr>("bits"))
      for (const BitRun &run : bitRuns(bits.asArrayRef(), domain))
        whole &= run.dim != dim || run.length == numBits(domain[dim]);
  return whole;
}

bool LaneCost::onePointAtATime() {
  return llvm::any_of(nest.getBodyBlock(), [](Operation &op) {
    auto isVolatile = [&] {
      auto read = dyn_cast<nests::ReadOp>(op);
      auto write = dyn_cast<nests::WriteOp>(op);
      return (read && read.getIsVolatile()) || (write && write.getIsVolatile());
    };
    bool regions = op.getNumRegions() && !isa<nests::StartOp>(op);
    return isa<nests::AtomicRMWOp, nests::AtomicCASOp>(op) || regions || isVolatile();
  });
}

int64_t LaneCost::widestElement() {
  int64_t bytes = 0;
  auto count = [&](Type type) {
    if (!type.isInteger(1) && type.isIntOrFloat())
      bytes = std::max(bytes, mem::elementBytes(type));
  };
  for (Operation &op : nest.getBodyBlock()) {
    // Of integers only what is loaded and stored counts: addresses are wider than data.
    bool leaf = isa<nests::ReadOp, nests::ElemOp, nests::PickOp>(op);
    for (Type type : op.getResultTypes())
      if (leaf || isa<FloatType>(type))
        count(type);
    if (auto write = dyn_cast<nests::WriteOp>(op))
      count(write.getValue().getType());
  }
  for (Type type : nest.getBodyBlock().getTerminator()->getOperandTypes())
    count(type);
  return bytes ? bytes : 4;
}

} // namespace

Plan planOf(nests::NestOp nest, const MapVectorOptions &options) {
  ArrayRef<int64_t> domain = nest.getDomain();
  Plan plan;
  bool scans = false, reduces = false;
  for (unsigned i = 0; i < nest.getNumResults(); ++i) {
    nests::ResultAttr kind = nest.getKind(i);
    if (kind.getKind() == nests::Kind::Tile)
      continue;
    // All groups agree on it: splitNests.
    plan.ordered.assign(kind.getDims().begin(), kind.getDims().end());
    scans |= kind.getKind() == nests::Kind::Scan;
    reduces |= kind.getKind() == nests::Kind::Reduce;
    plan.reverse |= kind.getReverse();
  }
  for (int64_t d = 0, e = domain.size(); d < e; ++d)
    if (!llvm::is_contained(plan.ordered, d))
      plan.kept.push_back(d);

  LaneCost cost(nest, plan.ordered);
  int64_t most = std::min(options.vectorBytes / cost.widestElement(), options.maxLanes);
  if (most < 2 || cost.onePointAtATime())
    return plan;
  double best = 0;
  for (int64_t d = domain.size() - 1; d >= 0; --d) {
    int64_t width = std::min<int64_t>(domain[d], llvm::bit_floor<uint64_t>(most));
    bool both = scans && reduces && llvm::is_contained(plan.ordered, d);
    if (width < 2 || both)
      continue;
    if (Value lo = nest.getLoOf(d); lo && constantOf(lo).value_or(1) % width != 0)
      if (!cost.anyStart(d))
        continue;
    double cycles = cost(d, width);
    if (plan.lane >= 0 && cycles >= best)
      continue;
    best = cycles;
    plan.lane = d;
    plan.width = width;
  }
  return plan;
}

} // namespace tritonrt::compiler::mapvector
