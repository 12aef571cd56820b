// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/frontend/HeadTested.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace tritonrt::compiler {
namespace {

/// An scf.while whose condition region ends in the `branch` that decides.
struct TailBranch {
  scf::IfOp branch;
  /// The regions of `branch` after which the loop goes on, and ends.
  Region *goesOn = nullptr, *ends = nullptr;
};

/// 1 or 0 if `value` is the constant of a flag, else -1.
int constantFlag(Value value) {
  APInt number;
  if (!matchPattern(value, m_ConstantInt(&number)))
    return -1;
  return number[0];
}

std::optional<TailBranch> matchTailBranch(scf::WhileOp loop) {
  scf::ConditionOp condition = loop.getConditionOp();
  Value flag = condition.getCondition();
  Operation *last = condition->getPrevNode();
  if (auto truncated = flag.getDefiningOp<arith::TruncIOp>(); truncated && truncated == last) {
    flag = truncated.getIn();
    last = truncated->getPrevNode();
  }
  auto branch = dyn_cast_if_present<scf::IfOp>(last);
  auto result = dyn_cast<OpResult>(flag);
  if (!branch || !result || result.getOwner() != branch)
    return std::nullopt;
  unsigned index = result.getResultNumber();
  int inThen = constantFlag(branch.thenYield().getOperand(index));
  int inElse = constantFlag(branch.elseYield().getOperand(index));
  if (inThen < 0 || inElse < 0 || inThen == inElse)
    return std::nullopt;
  Region *thenRegion = &branch.getThenRegion(), *elseRegion = &branch.getElseRegion();
  return inThen ? TailBranch{branch, thenRegion, elseRegion}
                : TailBranch{branch, elseRegion, thenRegion};
}

/// What the branch's regions and the loop's condition use of the condition region's own values.
SetVector<Value> valuesToForward(scf::WhileOp loop, const TailBranch &tail) {
  Block *before = loop.getBeforeBody();
  SetVector<Value> values;
  auto take = [&](Value value) {
    if (value.getParentBlock() == before && value.getDefiningOp() != tail.branch)
      values.insert(value);
  };
  for (Region *region : {tail.goesOn, tail.ends})
    region->walk([&](Operation *op) { llvm::for_each(op->getOperands(), take); });
  llvm::for_each(loop.getConditionOp().getArgs(), take);
  return values;
}

/// The loop's condition arguments as one of the branch's regions gives them.
SmallVector<Value> argumentsAfter(scf::ConditionOp condition, scf::IfOp branch, Region *region) {
  SmallVector<Value> values;
  for (Value argument : condition.getArgs()) {
    auto result = dyn_cast<OpResult>(argument);
    bool ofBranch = result && result.getOwner() == branch;
    values.push_back(ofBranch
                         ? region->front().getTerminator()->getOperand(result.getResultNumber())
                         : argument);
  }
  return values;
}

/// Moves the ops of `from`, but its terminator, in front of `where` in `to`.
void moveOps(Block &from, Block *to, Block::iterator where) {
  to->getOperations().splice(where, from.getOperations(), from.begin(), std::prev(from.end()));
}

void rewrite(scf::WhileOp loop, TailBranch tail) {
  IRRewriter rewriter(loop.getContext());
  rewriter.setInsertionPoint(loop);
  Location loc = loop.getLoc();
  scf::ConditionOp condition = loop.getConditionOp();
  SetVector<Value> forwarded = valuesToForward(loop, tail);
  SmallVector<Value> onGoing = argumentsAfter(condition, tail.branch, tail.goesOn);
  SmallVector<Value> onEnd = argumentsAfter(condition, tail.branch, tail.ends);
  SmallVector<Type> types = llvm::map_to_vector(forwarded, [](Value v) { return v.getType(); });
  SmallVector<Location> locations(types.size(), loc);

  auto fresh = scf::WhileOp::create(rewriter, loc, types, loop.getInits(), nullptr, nullptr);
  fresh->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
  for (Region &region : fresh->getRegions())
    region.getBlocks().clear();
  fresh.getBefore().takeBody(loop.getBefore());
  Block *after = rewriter.createBlock(&fresh.getAfter(), {}, types, locations);
  moveOps(tail.goesOn->front(), after, after->end());
  rewriter.inlineBlockBefore(loop.getAfterBody(), after, after->end(), onGoing);
  moveOps(tail.ends->front(), loop->getBlock(), loop->getIterator());
  rewriter.replaceOp(loop, onEnd);

  rewriter.setInsertionPoint(condition);
  Value goesOn = tail.branch.getCondition();
  if (tail.goesOn == &tail.branch.getElseRegion()) {
    Value one = arith::ConstantOp::create(rewriter, loc, rewriter.getBoolAttr(true));
    goesOn = arith::XOrIOp::create(rewriter, loc, goesOn, one);
  }
  scf::ConditionOp::create(rewriter, loc, goesOn, forwarded.getArrayRef());
  Operation *flag = condition.getCondition().getDefiningOp();
  rewriter.eraseOp(condition);
  if (flag != tail.branch.getOperation())
    rewriter.eraseOp(flag);
  rewriter.eraseOp(tail.branch);

  for (auto [index, forwardedValue] : llvm::enumerate(forwarded)) {
    Value value = forwardedValue, inBody = after->getArgument(index);
    Value behind = fresh.getResult(index);
    Region *body = &fresh.getAfter();
    value.replaceUsesWithIf(inBody, [&](OpOperand &use) {
      return body->isAncestor(use.getOwner()->getParentRegion());
    });
    value.replaceUsesWithIf(
        behind, [&](OpOperand &use) { return !fresh->isProperAncestor(use.getOwner()); });
  }
}

} // namespace

void testAtHead(Operation *root) {
  SmallVector<scf::WhileOp> loops;
  root->walk([&](scf::WhileOp loop) { loops.push_back(loop); });
  for (scf::WhileOp loop : loops)
    if (std::optional<TailBranch> tail = matchTailBranch(loop))
      rewrite(loop, *tail);
}

} // namespace tritonrt::compiler
