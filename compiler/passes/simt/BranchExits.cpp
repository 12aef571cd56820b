// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs end at their end: an op that ends one earlier becomes branches around all that would
// follow it, out of the loops and branches that it stands in. A loop that the program leaves so
// ends by its condition where it has one; a counted one makes its last turns empty.
#include "compiler/analysis/Holds.h"
#include "compiler/dialect/mem/Mem.h"
#include "compiler/passes/Passes.h"
#include "compiler/passes/simt/Guard.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;

namespace tritonrt::compiler {

namespace {

bool holdsExit(Region &region) {
  return llvm::any_of(region.getOps(), [](Operation &op) { return holds<mem::ExitOp>(&op); });
}

class Brancher {
public:
  explicit Brancher(MLIRContext *context) : b(context) {}

  /// Leaves no exit in `block`; gives whether the program ended in it, null where it cannot have.
  Value visit(Block &block);

private:
  /// Of an op of a block. May replace `op` by another one.
  Value visitOp(Operation *&op);
  Value visitIf(scf::IfOp branch, Operation *&op, bool elseEnded);
  Value visitFor(scf::ForOp loop, Operation *&op);
  Value visitWhile(scf::WhileOp loop, Operation *&op);
  /// All of `block`, which ends in a yield, unless `ended`; yields `instead` where it is not run.
  Value guardBlock(Block &block, Value ended, ValueRange instead);

  Value flag(Location loc, bool value) {
    return arith::ConstantOp::create(b, loc, b.getBoolAttr(value));
  }
  Value negated(Location loc, Value value) {
    return arith::XOrIOp::create(b, loc, value, flag(loc, true));
  }

  OpBuilder b;
};

SmallVector<Operation *> opsBetween(Block::iterator first, Operation *end) {
  return llvm::map_to_vector(llvm::make_range(first, Block::iterator(end)),
                             [](Operation &op) { return &op; });
}

/// An operand more for a terminator.
void append(Operation *terminator, Value value) {
  terminator->insertOperands(terminator->getNumOperands(), value);
}

Value Brancher::visit(Block &block) {
  Operation *end = block.getTerminator();
  for (Operation *op = &block.front(); op != end; op = op->getNextNode()) {
    Location loc = op->getLoc();
    Value ended = visitOp(op);
    if (!ended)
      continue;
    SmallVector<Operation *> rest = opsBetween(std::next(Block::iterator(op)), end);
    if (rest.empty())
      return ended;
    b.setInsertionPointAfter(op);
    Value goesOn = negated(loc, ended);
    if (auto branch = guardOps(b, rest, goesOn, end)) {
      Operation *last = branch;
      if (holds<mem::ExitOp>(last))
        return visitIf(branch, last, /*elseEnded=*/true);
    }
    return ended;
  }
  return {};
}

Value Brancher::visitOp(Operation *&op) {
  if (!holds<mem::ExitOp>(op))
    return {};
  if (isa<mem::ExitOp>(op)) {
    b.setInsertionPoint(op);
    Value ended = flag(op->getLoc(), true);
    op->erase();
    op = ended.getDefiningOp();
    return ended;
  }
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case([&](scf::IfOp branch) { return visitIf(branch, op, /*elseEnded=*/false); })
      .Case([&](scf::ForOp loop) { return visitFor(loop, op); })
      .Case([&](scf::WhileOp loop) { return visitWhile(loop, op); })
      .Default([](Operation *) { return Value(); });
}

Value Brancher::visitIf(scf::IfOp branch, Operation *&op, bool elseEnded) {
  Location loc = branch.getLoc();
  SmallVector<Type> types(branch.getResultTypes());
  types.push_back(b.getI1Type());
  b.setInsertionPoint(branch);
  auto wider = scf::IfOp::create(b, loc, types, branch.getCondition(), /*withElseRegion=*/true);
  for (auto [from, to] : llvm::zip_equal(branch->getRegions(), wider->getRegions())) {
    bool isElse = &to == &wider.getElseRegion();
    Value ended;
    if (from.empty()) {
      b.setInsertionPointToEnd(&to.front());
      scf::YieldOp::create(b, loc);
    } else {
      to.takeBody(from);
      ended = visit(to.front());
    }
    Operation *yield = to.front().getTerminator();
    b.setInsertionPoint(yield);
    append(yield, ended ? ended : flag(loc, isElse && elseEnded));
  }
  branch->replaceAllUsesWith(wider->getResults().drop_back());
  branch.erase();
  op = wider;
  return wider->getResults().back();
}

Value Brancher::guardBlock(Block &block, Value ended, ValueRange instead) {
  Operation *end = block.getTerminator();
  Location loc = end->getLoc();
  b.setInsertionPointToStart(&block);
  Value goesOn = negated(loc, ended);
  SmallVector<Operation *> ops =
      opsBetween(std::next(Block::iterator(goesOn.getDefiningOp())), end);
  b.setInsertionPoint(end);
  SmallVector<Type> types(instead.getTypes());
  auto branch = scf::IfOp::create(b, loc, types, goesOn, /*withElseRegion=*/true);
  // A branch without results has its terminators from the start.
  for (Block *side : {branch.thenBlock(), branch.elseBlock()})
    side->clear();
  for (Operation *op : ops)
    op->moveBefore(branch.thenBlock(), branch.thenBlock()->end());
  b.setInsertionPointToEnd(branch.thenBlock());
  scf::YieldOp::create(b, loc, end->getOperands());
  b.setInsertionPointToEnd(branch.elseBlock());
  scf::YieldOp::create(b, loc, instead);
  end->setOperands(branch.getResults());
  Operation *made = branch;
  return visitIf(branch, made, /*elseEnded=*/true);
}

Value Brancher::visitFor(scf::ForOp loop, Operation *&op) {
  Location loc = loop.getLoc();
  b.setInsertionPoint(loop);
  SmallVector<Value> inits(loop.getInitArgs());
  inits.push_back(flag(loc, false));
  auto wider = scf::ForOp::create(b, loc, loop.getLowerBound(), loop.getUpperBound(),
                                  loop.getStep(), inits, nullptr, loop.getUnsignedCmp());
  wider->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
  wider.getRegion().takeBody(loop.getRegion());
  Block &body = *wider.getBody();
  Value before = body.addArgument(b.getI1Type(), loc);
  Value ended = guardBlock(body, before, wider.getRegionIterArgs().drop_back());
  append(body.getTerminator(), ended);
  loop->replaceAllUsesWith(wider->getResults().drop_back());
  loop.erase();
  op = wider;
  return wider->getResults().back();
}

Value Brancher::visitWhile(scf::WhileOp loop, Operation *&op) {
  Location loc = loop.getLoc();
  bool endsInBody = holdsExit(loop.getAfter());
  b.setInsertionPoint(loop);
  SmallVector<Value> inits(loop.getInits());
  SmallVector<Type> types(loop.getResultTypes());
  types.push_back(b.getI1Type());
  if (endsInBody)
    inits.push_back(flag(loc, false));
  auto wider = scf::WhileOp::create(b, loc, types, inits);
  wider->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
  wider.getBefore().takeBody(loop.getBefore());
  wider.getAfter().takeBody(loop.getAfter());
  Block &before = *wider.getBeforeBody(), &after = *wider.getAfterBody();
  after.addArgument(b.getI1Type(), loc);
  Value ended;
  if (endsInBody) {
    Value left = before.addArgument(b.getI1Type(), loc);
    scf::ConditionOp condition = wider.getConditionOp();
    b.setInsertionPointToStart(&before);
    Value goesOn = negated(loc, left);
    auto ops = opsBetween(std::next(Block::iterator(goesOn.getDefiningOp())), condition);
    if (auto branch = guardOps(b, ops, goesOn, condition); branch && holds<mem::ExitOp>(branch)) {
      Operation *made = branch;
      ended = visitIf(branch, made, /*elseEnded=*/true);
    } else {
      ended = left;
    }
    Value leftInBody = visit(after);
    Operation *yield = after.getTerminator();
    b.setInsertionPoint(yield);
    append(yield, leftInBody ? leftInBody : flag(loc, false));
  } else {
    ended = visit(before);
  }
  scf::ConditionOp condition = wider.getConditionOp();
  b.setInsertionPoint(condition);
  if (!ended)
    ended = flag(loc, false);
  Value again = arith::AndIOp::create(b, loc, condition.getCondition(), negated(loc, ended));
  condition.getConditionMutable().assign(again);
  condition.getArgsMutable().append(ended);
  loop->replaceAllUsesWith(wider->getResults().drop_back());
  loop.erase();
  op = wider;
  return wider->getResults().back();
}

struct BranchExitsPass : PassWrapper<BranchExitsPass, OperationPass<func::FuncOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(BranchExitsPass)

  StringRef getArgument() const override { return "branch-exits"; }
  StringRef getDescription() const override { return "No program ends before its end"; }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<arith::ArithDialect, mem::MemDialect, scf::SCFDialect>();
  }
  void runOnOperation() override {
    if (!getOperation().isDeclaration())
      Brancher(&getContext()).visit(getOperation().getBody().front());
  }
};

} // namespace

std::unique_ptr<Pass> createBranchExitsPass() { return std::make_unique<BranchExitsPass>(); }

} // namespace tritonrt::compiler
