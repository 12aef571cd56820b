// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Barriers out of branches, for drivers that run the items of a group in loops between barriers:
// for a barrier that may be passed by they copy all that follows it, so that a few in a row double
// the code again and again. All items take a branch that holds a barrier, or none does; so the
// barriers may stand outside, and each stretch of code between two of them becomes a branch of its
// own. A loop that may not run at all runs once with an empty turn.
#include "compiler/analysis/Holds.h"
#include "compiler/dialect/mem/Mem.h"
#include "compiler/passes/Passes.h"
#include "compiler/passes/simt/Guard.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tritonrt::compiler {

namespace {

/// Can the barriers in `block` stand outside of the branch that it belongs to? Not where programs
/// meet: each must come as often as the kernel says.
bool isFlat(Block &block) {
  return llvm::all_of(block.without_terminator(), [](Operation &op) {
    if (holds<mem::MeshBarrierOp>(&op))
      return false;
    if (isa<mem::BarrierOp>(op) || !holds<mem::BarrierOp>(&op))
      return true;
    if (auto loop = dyn_cast<scf::ForOp>(op))
      return isFlat(*loop.getBody());
    if (auto loop = dyn_cast<scf::WhileOp>(op))
      return isFlat(*loop.getBeforeBody()) && isFlat(*loop.getAfterBody());
    auto branch = dyn_cast<scf::IfOp>(op);
    return branch && isFlat(*branch.thenBlock()) &&
           (!branch.elseBlock() || isFlat(*branch.elseBlock()));
  });
}

bool surelyRuns(scf::ForOp loop) {
  llvm::APInt low, high;
  return matchPattern(loop.getLowerBound(), m_ConstantInt(&low)) &&
         matchPattern(loop.getUpperBound(), m_ConstantInt(&high)) &&
         (loop.getUnsignedCmp() ? low.ult(high) : low.slt(high));
}

class Flattener {
public:
  explicit Flattener(MLIRContext *context) : b(context) {}

  void visit(Block &block);

private:
  void limit(scf::ForOp loop, Value taken);
  void predicate(scf::ForOp loop, Value taken);
  void predicate(scf::WhileOp loop, Value taken);
  void unwrap(scf::IfOp branch, Value taken);
  void unwrap(ArrayRef<Operation *> ops, Value taken, Operation *before);
  Value both(Location loc, Value x, Value y) {
    return x ? arith::AndIOp::create(b, loc, x, y).getResult() : y;
  }

  OpBuilder b;
};

void Flattener::visit(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(block)) {
    if (op.getNumRegions() == 0 || !holds<mem::BarrierOp>(&op))
      continue;
    auto loop = dyn_cast<scf::ForOp>(op);
    auto branch = dyn_cast<scf::IfOp>(op);
    auto waiting = dyn_cast<scf::WhileOp>(op);
    bool flat = (loop || branch || waiting) && llvm::all_of(op.getRegions(), [](Region &region) {
                  return region.empty() || isFlat(region.front());
                });
    if (flat && branch)
      unwrap(branch, Value());
    else if (flat && waiting)
      predicate(waiting, Value());
    else if (flat && !surelyRuns(loop))
      predicate(loop, Value());
    else
      for (Region &region : op.getRegions())
        for (Block &nested : region)
          visit(nested);
  }
}

SmallVector<Operation *> opsOf(Block &block) {
  SmallVector<Operation *> ops;
  for (Operation &op : block.without_terminator())
    ops.push_back(&op);
  return ops;
}

/// What the bounds are made of may be zeros where `taken` is false: such a loop has one turn.
void Flattener::limit(scf::ForOp loop, Value taken) {
  Location loc = loop.getLoc();
  b.setInsertionPoint(loop);
  if (!matchPattern(loop.getStep(), m_Constant())) {
    Type type = loop.getStep().getType();
    Value one = arith::ConstantOp::create(b, loc, type, b.getIntegerAttr(type, 1));
    loop.setStep(arith::SelectOp::create(b, loc, taken, loop.getStep(), one));
  }
  if (!surelyRuns(loop))
    loop.setUpperBound(
        arith::SelectOp::create(b, loc, taken, loop.getUpperBound(), loop.getLowerBound()));
}

/// Turns beyond the loop's end, or with `taken` false, do nothing.
void Flattener::predicate(scf::ForOp loop, Value taken) {
  Location loc = loop.getLoc();
  Block *body = loop.getBody();
  SmallVector<Operation *> ops = opsOf(*body);
  if (taken)
    limit(loop, taken);
  if (!surelyRuns(loop)) {
    bool isUnsigned = loop.getUnsignedCmp();
    Value low = loop.getLowerBound(), high = loop.getUpperBound();
    b.setInsertionPointToStart(body);
    auto below = isUnsigned ? arith::CmpIPredicate::ult : arith::CmpIPredicate::slt;
    taken = both(loc, taken, arith::CmpIOp::create(b, loc, below, loop.getInductionVar(), high));
    b.setInsertionPoint(loop);
    Value one =
        arith::ConstantOp::create(b, loc, low.getType(), b.getIntegerAttr(low.getType(), 1));
    Value next = arith::AddIOp::create(b, loc, low, one);
    loop.setUpperBound(isUnsigned ? arith::MaxUIOp::create(b, loc, high, next).getResult()
                                  : arith::MaxSIOp::create(b, loc, high, next).getResult());
    loop->setAttr(kRunsAttr, b.getUnitAttr());
  }
  auto yield = cast<scf::YieldOp>(body->getTerminator());
  unwrap(ops, taken, yield);
  if (yield.getNumOperands() == 0)
    return;
  b.setInsertionPoint(yield);
  auto kept = scf::IfOp::create(b, loc, loop.getResultTypes(), taken, /*withElseRegion=*/true);
  b.setInsertionPointToEnd(kept.thenBlock());
  scf::YieldOp::create(b, loc, yield.getOperands());
  b.setInsertionPointToEnd(kept.elseBlock());
  scf::YieldOp::create(b, loc, loop.getRegionIterArgs());
  yield->setOperands(kept.getResults());
}

/// With `taken` false, a loop that waits looks at nothing and ends. It is left where its turn ends:
/// what a turn does once it goes on follows its condition in a branch.
void Flattener::predicate(scf::WhileOp loop, Value taken) {
  Location loc = loop.getLoc();
  scf::ConditionOp condition = loop.getConditionOp();
  if (taken) {
    unwrap(opsOf(*loop.getBeforeBody()), taken, condition);
    b.setInsertionPoint(condition);
    condition.getConditionMutable().assign(both(loc, taken, condition.getCondition()));
  } else {
    visit(*loop.getBeforeBody());
  }
  if (!llvm::any_of(*loop.getAfterBody(), [](Operation &op) { return holds<mem::BarrierOp>(&op); }))
    return;
  Block *after = loop.getAfterBody();
  for (auto [arg, value] : llvm::zip_equal(after->getArguments(), condition.getArgs()))
    arg.replaceAllUsesWith(value);
  unwrap(opsOf(*after), condition.getCondition(), condition);
  condition.getArgsMutable().append(after->getTerminator()->getOperands());

  b.setInsertionPoint(loop);
  auto wider = scf::WhileOp::create(b, loc, condition.getArgs().getTypes(), loop.getInits());
  wider.getBefore().takeBody(loop.getBefore());
  ValueRange values = condition.getArgs();
  Block *next = b.createBlock(&wider.getAfter(), {}, values.getTypes(),
                              SmallVector<Location>(values.size(), loc));
  scf::YieldOp::create(b, loc, next->getArguments().drop_front(loop.getNumResults()));
  loop->replaceAllUsesWith(wider->getResults().take_front(loop.getNumResults()));
  loop.erase();
}

/// What is left of a branch that gives values is the choice between them.
void Flattener::unwrap(scf::IfOp branch, Value taken) {
  Location loc = branch.getLoc();
  Value condition = branch.getCondition();
  b.setInsertionPoint(branch);
  unwrap(opsOf(*branch.thenBlock()), both(loc, taken, condition), branch);
  if (branch.elseBlock()) {
    b.setInsertionPoint(branch);
    Value truth = arith::ConstantOp::create(b, loc, b.getBoolAttr(true));
    Value no = arith::XOrIOp::create(b, loc, condition, truth);
    unwrap(opsOf(*branch.elseBlock()), both(loc, taken, no), branch);
  }
  if (branch.getNumResults() == 0)
    branch.erase();
}

/// Brings `ops` before `before`: barriers as they are, the stretches between them in branches.
void Flattener::unwrap(ArrayRef<Operation *> ops, Value taken, Operation *before) {
  SmallVector<Operation *> stretch;
  for (Operation *op : ops) {
    if (!holds<mem::BarrierOp>(op)) {
      stretch.push_back(op);
      continue;
    }
    guardOps(b, stretch, taken, before);
    stretch.clear();
    op->moveBefore(before);
    if (auto loop = dyn_cast<scf::ForOp>(op))
      predicate(loop, taken);
    else if (auto loop = dyn_cast<scf::WhileOp>(op))
      predicate(loop, taken);
    else if (auto branch = dyn_cast<scf::IfOp>(op))
      unwrap(branch, taken);
  }
  guardOps(b, stretch, taken, before);
}

struct FlattenBranchesPass : PassWrapper<FlattenBranchesPass, OperationPass<func::FuncOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(FlattenBranchesPass)

  StringRef getArgument() const override { return "flatten-branches"; }
  StringRef getDescription() const override { return "Barriers out of branches"; }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<arith::ArithDialect, mem::MemDialect, scf::SCFDialect>();
  }
  void runOnOperation() override {
    if (!getOperation().isDeclaration())
      flattenBranches(getOperation());
  }
};

} // namespace

void flattenBranches(func::FuncOp func) {
  Flattener(func.getContext()).visit(func.getBody().front());
}

std::unique_ptr<Pass> createFlattenBranchesPass() {
  return std::make_unique<FlattenBranchesPass>();
}

} // namespace tritonrt::compiler
