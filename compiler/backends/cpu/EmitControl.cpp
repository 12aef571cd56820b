// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Structured control flow.
#include "compiler/Fault.h"
#include "compiler/backends/cpu/LlvmEmitter.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tritonrt::compiler::cpu {

namespace {

using Phis = llvm::SmallVector<llvm::PHINode *>;

/// One phi a value, at the builder's place.
Phis createPhis(LlvmEmitter &emitter, ValueRange values) {
  Phis phis;
  for (Value value : values) {
    llvm::PHINode *phi = emitter.ir.CreatePHI(emitter.convert(value.getType()), 2);
    phis.push_back(phi);
    emitter.set(value, phi);
  }
  return phis;
}

void addIncoming(LlvmEmitter &emitter, const Phis &phis, ValueRange values) {
  llvm::BasicBlock *from = emitter.ir.GetInsertBlock();
  for (auto [phi, value] : llvm::zip_equal(phis, values))
    phi->addIncoming(emitter.get(value), from);
}

/// How often the body of an innermost loop is repeated in a round: short bodies are, so that the
/// loop's own instructions do not count. 1 for others.
unsigned unrollCount(scf::ForOp op) {
  constexpr unsigned kShort = 48, kShortest = 16;
  if (op->hasAttr(mem::kRareAttr))
    return 1;
  // Sums of products over four lines at a time: sixteen lines a round come in an order that
  // prefetching does not follow.
  constexpr unsigned kManyLoads = 4, kSumOnly = 12;
  unsigned ops = 0, loads = 0;
  WalkResult walk = op.getBody()->walk([&](Operation *inner) {
    bool isLoop = isa<scf::ForOp, scf::WhileOp>(inner);
    loads += isa<mem::LoadOp>(inner);
    return isLoop || ++ops > kShort ? WalkResult::interrupt() : WalkResult::advance();
  });
  if (walk.wasInterrupted() || (loads >= kManyLoads && ops > kSumOnly && ops <= kShortest))
    return 1;
  return ops <= kShortest ? 4 : 2;
}

/// Tells LLVM how far to unroll the loop that `branch` closes. Its own choice makes many times the
/// code and takes many times as long.
void limitUnrolling(LlvmEmitter &e, llvm::BranchInst *branch, unsigned count) {
  llvm::LLVMContext &context = branch->getContext();
  llvm::Metadata *hint;
  if (count > 1)
    hint = llvm::MDNode::get(context, {llvm::MDString::get(context, "llvm.loop.unroll.count"),
                                       llvm::ConstantAsMetadata::get(e.ir.getInt32(count))});
  else
    hint = llvm::MDNode::get(context, {llvm::MDString::get(context, "llvm.loop.unroll.disable")});
  llvm::MDNode *loop = llvm::MDNode::getDistinct(context, {nullptr, hint});
  loop->replaceOperandWith(0, loop);
  branch->setMetadata(llvm::LLVMContext::MD_loop, loop);
}

LogicalResult emitLoop(LlvmEmitter &e, scf::ForOp op) {
  llvm::BasicBlock *header = e.newBlock("for"), *body = e.newBlock("for.body"),
                   *exit = e.newBlock("for.exit");
  llvm::Value *lower = e.get(op.getLowerBound()), *upper = e.get(op.getUpperBound()),
              *step = e.get(op.getStep());
  llvm::BasicBlock *before = e.ir.GetInsertBlock();
  e.ir.CreateBr(header);
  e.ir.SetInsertPoint(header);
  llvm::PHINode *counter = e.ir.CreatePHI(lower->getType(), 2);
  counter->addIncoming(lower, before);
  e.set(op.getInductionVar(), counter);
  Phis carried = createPhis(e, op.getRegionIterArgs());
  for (auto [phi, init] : llvm::zip_equal(carried, op.getInitArgs()))
    phi->addIncoming(e.get(init), before);
  bool isUnsigned = op.getUnsignedCmp();
  e.ir.CreateCondBr(isUnsigned ? e.ir.CreateICmpULT(counter, upper)
                               : e.ir.CreateICmpSLT(counter, upper),
                    body, exit);

  e.ir.SetInsertPoint(body);
  if (failed(e.emitBody(*op.getBody())))
    return failure();
  // counter < upper, so one more cannot wrap; nor do counters of 64 bits in any step.
  bool cannotWrap = matchPattern(op.getStep(), m_One()) || lower->getType()->isIntegerTy(64);
  llvm::Value *next =
      e.ir.CreateAdd(counter, step, "", cannotWrap && isUnsigned, cannotWrap && !isUnsigned);
  counter->addIncoming(next, e.ir.GetInsertBlock());
  addIncoming(e, carried, op.getBody()->getTerminator()->getOperands());
  limitUnrolling(e, e.ir.CreateBr(header), unrollCount(op));

  exit->moveAfter(e.ir.GetInsertBlock());
  e.ir.SetInsertPoint(exit);
  for (auto [result, phi] : llvm::zip_equal(op.getResults(), carried))
    e.set(result, phi);
  return success();
}

/// A loop, in two forms if its stores may go past the caches.
LogicalResult emitFor(LlvmEmitter &e, scf::ForOp op) {
  llvm::Value *streams = e.streams(op);
  if (!streams)
    return emitLoop(e, op);
  llvm::BasicBlock *past = e.newBlock("stream"), *plain = e.newBlock("cached"),
                   *join = e.newBlock("join");
  e.ir.CreateCondBr(streams, past, plain);
  for (llvm::BasicBlock *form : {past, plain}) {
    e.ir.SetInsertPoint(form);
    e.streaming = form == past;
    if (failed(emitLoop(e, op)))
      return failure();
    e.ir.CreateBr(join);
  }
  join->moveAfter(e.ir.GetInsertBlock());
  e.ir.SetInsertPoint(join);
  return success();
}

LogicalResult emitWhile(LlvmEmitter &e, scf::WhileOp op) {
  llvm::BasicBlock *header = e.newBlock("while"), *body = e.newBlock("while.body"),
                   *exit = e.newBlock("while.exit");
  llvm::BasicBlock *before = e.ir.GetInsertBlock();
  e.ir.CreateBr(header);
  e.ir.SetInsertPoint(header);
  Phis carried = createPhis(e, op.getBeforeArguments());
  for (auto [phi, init] : llvm::zip_equal(carried, op.getInits()))
    phi->addIncoming(e.get(init), before);
  if (failed(e.emitBody(*op.getBeforeBody())))
    return failure();
  scf::ConditionOp condition = op.getConditionOp();
  for (auto [argument, result, value] :
       llvm::zip_equal(op.getAfterArguments(), op.getResults(), condition.getArgs())) {
    e.set(argument, e.get(value));
    e.set(result, e.get(value));
  }
  e.ir.CreateCondBr(e.get(condition.getCondition()), body, exit);

  e.ir.SetInsertPoint(body);
  if (failed(e.emitBody(*op.getAfterBody())))
    return failure();
  addIncoming(e, carried, op.getYieldOp().getOperands());
  e.ir.CreateBr(header);
  exit->moveAfter(e.ir.GetInsertBlock());
  e.ir.SetInsertPoint(exit);
  return success();
}

/// Emits the arms that the branch just made leads to and joins them.
LogicalResult emitArms(LlvmEmitter &e, Operation *op,
                       llvm::ArrayRef<std::pair<llvm::BasicBlock *, Region *>> arms) {
  llvm::BasicBlock *join = e.newBlock("join");
  llvm::SmallVector<llvm::SmallVector<llvm::Value *>> yielded;
  llvm::SmallVector<llvm::BasicBlock *> ends;
  for (auto [block, region] : arms) {
    e.ir.SetInsertPoint(block);
    Block &body = region->front();
    if (failed(e.emitBody(body)))
      return failure();
    yielded.push_back(llvm::map_to_vector(body.getTerminator()->getOperands(),
                                          [&](Value value) { return e.get(value); }));
    ends.push_back(e.ir.GetInsertBlock());
    e.ir.CreateBr(join);
  }
  join->moveAfter(ends.back());
  e.ir.SetInsertPoint(join);
  for (auto [i, result] : llvm::enumerate(op->getResults())) {
    llvm::PHINode *phi = e.ir.CreatePHI(e.convert(result.getType()), arms.size());
    for (auto [values, end] : llvm::zip_equal(yielded, ends))
      phi->addIncoming(values[i], end);
    e.set(result, phi);
  }
  return success();
}

LogicalResult emitIf(LlvmEmitter &e, scf::IfOp op) {
  llvm::BasicBlock *then = e.newBlock("then");
  llvm::Value *condition = e.get(op.getCondition());
  if (op.getElseRegion().empty()) {
    llvm::BasicBlock *join = e.newBlock("join");
    e.ir.CreateCondBr(condition, then, join);
    e.ir.SetInsertPoint(then);
    if (failed(e.emitBody(*op.thenBlock())))
      return failure();
    e.ir.CreateBr(join);
    join->moveAfter(e.ir.GetInsertBlock());
    e.ir.SetInsertPoint(join);
    return success();
  }
  llvm::BasicBlock *otherwise = e.newBlock("else");
  e.ir.CreateCondBr(condition, then, otherwise);
  return emitArms(e, op, {{then, &op.getThenRegion()}, {otherwise, &op.getElseRegion()}});
}

LogicalResult emitIndexSwitch(LlvmEmitter &e, scf::IndexSwitchOp op) {
  llvm::SmallVector<std::pair<llvm::BasicBlock *, Region *>> arms;
  arms.push_back({e.newBlock("default"), &op.getDefaultRegion()});
  llvm::SwitchInst *branch =
      e.ir.CreateSwitch(e.get(op.getArg()), arms[0].first, op.getCases().size());
  for (auto [value, region] : llvm::zip_equal(op.getCases(), op.getCaseRegions())) {
    arms.push_back({e.newBlock("case"), &region});
    branch->addCase(e.ir.getInt64(value), arms.back().first);
  }
  return emitArms(e, op, arms);
}

LogicalResult emitExecuteRegion(LlvmEmitter &e, scf::ExecuteRegionOp op) {
  if (!op.getRegion().hasOneBlock())
    return emitFault(op, "the loops and branches around this have no structure");
  Block &body = op.getRegion().front();
  if (failed(e.emitBody(body)))
    return failure();
  for (auto [result, value] : llvm::zip_equal(op.getResults(), body.getTerminator()->getOperands()))
    e.set(result, e.get(value));
  return success();
}

} // namespace

void addControlOps(OpTable &table) {
  table.add<scf::ForOp>([](LlvmEmitter &e, scf::ForOp op) { return emitFor(e, op); });
  table.add<scf::WhileOp>([](LlvmEmitter &e, scf::WhileOp op) { return emitWhile(e, op); });
  table.add<scf::IfOp>([](LlvmEmitter &e, scf::IfOp op) { return emitIf(e, op); });
  table.add<scf::IndexSwitchOp>(
      [](LlvmEmitter &e, scf::IndexSwitchOp op) { return emitIndexSwitch(e, op); });
  table.add<scf::ExecuteRegionOp>(
      [](LlvmEmitter &e, scf::ExecuteRegionOp op) { return emitExecuteRegion(e, op); });
  // Whatever it is, it is the same in each run.
  table.value<ub::PoisonOp>([](LlvmEmitter &e, ub::PoisonOp op) -> llvm::Value * {
    return llvm::Constant::getNullValue(e.convert(op.getType()));
  });
}

} // namespace tritonrt::compiler::cpu
