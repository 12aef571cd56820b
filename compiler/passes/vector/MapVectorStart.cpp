// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A product is a sum over K to which the accumulator is added by the next nest. Summed from the
// accumulator on there is half as much to keep in registers.
#include "compiler/analysis/Bits.h"
#include "compiler/passes/vector/MapVector.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace tritonrt::compiler::mapvector {

namespace {

/// The one sum of a nest and the nest that adds to it.
class SumStarter {
public:
  explicit SumStarter(nests::NestOp sum) : sum(sum) {}

  bool find();
  /// The nest that nothing is left of, or null.
  Operation *rewrite();

private:
  bool isSum();
  bool canMove(Value value);

  nests::NestOp sum, next;
  nests::ElemOp elem;
  Operation *add = nullptr;
  Value added;
  /// The ops of `next` that make `added`, in no order.
  llvm::SetVector<Operation *> slice;
};

bool SumStarter::isSum() {
  if (sum.getNumResults() != 1 || sum.getKind(0).getKind() != nests::Kind::Reduce)
    return false;
  Block &combine = sum.getCombines().front().front();
  return llvm::hasSingleElement(combine.without_terminator()) &&
         isa<arith::AddFOp, arith::AddIOp>(combine.front()) &&
         !groupsOf(sum).front().neutral.empty();
}

/// Can `next`'s value be computed where the sum starts?
bool SumStarter::canMove(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op || op->getBlock() != &next.getBodyBlock()) {
    Operation *source = op ? sum->getBlock()->findAncestorOpInBlock(*op) : nullptr;
    return !source || source->isBeforeInBlock(sum);
  }
  if (slice.contains(op))
    return true;
  // The sum may run at points that `next` leaves out, where divisions could trap.
  if (op->getNumRegions() || op == elem || op->getNumResults() != 1 || !isPure(op) ||
      isa<nests::PickOp, arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp,
          arith::CeilDivSIOp, arith::CeilDivUIOp, arith::FloorDivSIOp>(op))
    return false;
  if (!llvm::all_of(op->getOperands(), [&](Value operand) { return canMove(operand); }))
    return false;
  slice.insert(op);
  return true;
}

bool SumStarter::find() {
  if (!isSum() || !isa<RankedTensorType>(sum.getResult(0).getType()) ||
      !sum.getResult(0).hasOneUse())
    return false;
  elem = dyn_cast<nests::ElemOp>(*sum.getResult(0).user_begin());
  next = elem ? dyn_cast<nests::NestOp>(elem->getParentOp()) : nests::NestOp();
  ArrayRef<int64_t> shape = cast<RankedTensorType>(sum.getResult(0).getType()).getShape();
  if (!next || next->getBlock() != sum->getBlock() || next.getDomain() != shape ||
      elem.getBits() != ArrayRef(identityBits(numBits(shape))) || !elem.getResult().hasOneUse())
    return false;
  for (Operation *op = sum->getNextNode(); op != next; op = op->getNextNode())
    if (!isMemoryEffectFree(op))
      return false;
  add = *elem.getResult().user_begin();
  if (add->getName() != sum.getCombines().front().front().front().getName())
    return false;
  added = add->getOperand(add->getOperand(0) == elem.getResult() ? 1 : 0);
  return added != elem.getResult() && canMove(added);
}

Operation *SumStarter::rewrite() {
  OpBuilder b(sum.getBodyBlock().getTerminator());
  auto start = nests::StartOp::create(b, add->getLoc());
  b.createBlock(&start.getBody());
  BitMap kept = keptBits(sum.getDomain(), sum.getKind(0).getDims());
  IRMapping mapping;
  for (Operation &op : next.getBodyBlock()) {
    if (!slice.contains(&op))
      continue;
    Operation *copy = b.clone(op, mapping);
    if (auto bits = copy->getAttrOfType<DenseI64ArrayAttr>("bits"))
      copy->setAttr("bits", b.getDenseI64ArrayAttr(composeBits(bits.asArrayRef(), kept)));
  }
  nests::YieldOp::create(b, add->getLoc(), mapping.lookupOrDefault(added));

  add->getResult(0).replaceAllUsesWith(elem.getResult());
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(next.getBodyBlock())))
    if (isOpTriviallyDead(&op))
      op.erase();
  // Nothing may be left to do.
  Operation *yield = next.getBodyBlock().getTerminator();
  if (next.getNumResults() != 1 || next.getKind(0).getKind() != nests::Kind::Tile ||
      yield->getOperand(0) != elem.getResult() || &next.getBodyBlock().front() != elem)
    return nullptr;
  next.getResult(0).replaceAllUsesWith(sum.getResult(0));
  next.erase();
  return next;
}

} // namespace

void startSums(func::FuncOp function) {
  SmallVector<nests::NestOp> sums;
  function.walk([&](nests::NestOp nest) { sums.push_back(nest); });
  llvm::SmallPtrSet<Operation *, 8> gone;
  for (nests::NestOp nest : sums) {
    if (gone.contains(nest))
      continue;
    SumStarter starter(nest);
    if (starter.find())
      gone.insert(starter.rewrite());
  }
}

} // namespace tritonrt::compiler::mapvector
