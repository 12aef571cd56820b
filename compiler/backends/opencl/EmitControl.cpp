// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// func.return, scf and ub. Values that loops carry and ifs give are variables that their blocks
// assign.
#include "compiler/Fault.h"
#include "compiler/backends/opencl/Emitter.h"
#include "compiler/passes/Passes.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"

using namespace mlir;

namespace tritonrt::compiler::opencl {
namespace {

/// Writes a block whose terminator assigns `targets`.
LogicalResult emitAssigning(Emitter &e, Block &block, llvm::ArrayRef<std::string> targets) {
  for (Operation &op : block.without_terminator())
    if (failed(e.emitNested(&op)))
      return failure();
  e.assign(targets, block.getTerminator()->getOperands());
  return success();
}

llvm::SmallVector<std::string> declareResults(Emitter &e, Operation *op) {
  llvm::SmallVector<std::string> names;
  for (Value result : op->getResults())
    names.push_back(e.declare(result));
  return names;
}

/// Variables for the values that a loop carries, set to what they are at first.
llvm::SmallVector<std::string> declareCarried(Emitter &e, ValueRange args, ValueRange inits) {
  llvm::SmallVector<std::string> names;
  for (auto [arg, init] : llvm::zip(args, inits))
    names.push_back(e.declare(arg, isBool(init.getType()) ? e.mask(init, 32) : e.expr(init)));
  return names;
}

/// Does the loop of a program that runs on one work-item do little but store vectors? What the
/// loop itself costs counts there, and drivers of processors leave it as it is.
bool isShort(scf::ForOp loop) {
  constexpr unsigned kShort = 16;
  auto items =
      loop->getParentOfType<func::FuncOp>()->getAttrOfType<IntegerAttr>("tritonrt.work_items");
  if ((items && items.getInt() > 1) || loop.getNumResults() || loop->hasAttr(mem::kRareAttr))
    return false;
  unsigned ops = 0;
  bool stores = false;
  for (Operation &op : *loop.getBody()) {
    if (op.getNumRegions() || ++ops > kShort)
      return false;
    auto store = dyn_cast<mem::StoreOp>(op);
    stores |= store && isVector(store.getValue().getType());
  }
  return stores;
}

LogicalResult emitLoop(Emitter &e, scf::ForOp loop) {
  auto carried = declareCarried(e, loop.getRegionIterArgs(), loop.getInitArgs());
  Value induction = loop.getInductionVar();
  std::string type = e.typeName(induction.getType());
  std::string lower = e.expr(loop.getLowerBound());
  std::string upper = e.atom(loop.getUpperBound()), step = e.atom(loop.getStep());
  std::string name = e.freshName("i");
  e.alias(induction, name);
  std::string cast = loop.getUnsignedCmp()
                         ? ""
                         : "(" + intName(bitsOf(induction.getType()), /*isSigned=*/true) + ")";
  if (loop->hasAttr("tritonrt.unroll"))
    e.line("#pragma unroll");
  else if (isShort(loop))
    e.line("#pragma unroll 4");
  std::string more = cast + name + " < " + cast + upper;
  // Barriers in a loop that may be passed by cost drivers of processors much more.
  bool runs = loop->hasAttr(kRunsAttr);
  if (runs) {
    e.line(type + " " + name + " = " + lower + ";");
    e.open("do");
  } else {
    e.open("for (" + type + " " + name + " = " + lower + "; " + more + "; " + name + " += " + step +
           ")");
  }
  if (failed(emitAssigning(e, *loop.getBody(), carried)))
    return failure();
  if (runs)
    e.line(name + " += " + step + ";");
  e.close(runs ? " while (" + more + ");" : "");
  for (auto [result, variable] : llvm::zip(loop.getResults(), carried))
    e.alias(result, variable);
  return success();
}

/// Does this launch write so much in the loop that it should go past the caches? Then all of its
/// stores begin at a line.
std::string streams(Emitter &e, scf::ForOp loop, const StreamedLoop &streamed) {
  std::string text = "get_num_groups(0) * get_num_groups(1) * get_num_groups(2) >= " +
                     std::to_string(streamed.fewestPrograms()) + "ul";
  for (mem::StoreOp store : streamed.stores) {
    int64_t unit = store.getUnit().value_or(mem::elementBytes(store.getValue().getType()));
    text += " && (((ulong)" + e.expr(store.getBase()) + " + " + e.expr(loop.getLowerBound()) +
            " * " + std::to_string(unit) + "ul) & 63ul) == 0ul";
  }
  return text;
}

LogicalResult emitFor(Emitter &e, Operation *op) {
  auto loop = cast<scf::ForOp>(op);
  if (StreamedLoop streamed = e.streamed(loop); !streamed.stores.empty()) {
    e.open("if (" + streams(e, loop, streamed) + ")");
    e.streaming = true;
    LogicalResult past = emitLoop(e, loop);
    e.streaming = false;
    if (failed(past))
      return failure();
    e.close(" else {");
    e.reopen();
    LogicalResult cached = emitLoop(e, loop);
    e.close();
    return cached;
  }
  return emitLoop(e, loop);
}

LogicalResult emitIf(Emitter &e, Operation *op) {
  auto branch = cast<scf::IfOp>(op);
  auto results = declareResults(e, op);
  e.open("if (" + e.whole(branch.getCondition()) + ")");
  if (failed(emitAssigning(e, *branch.thenBlock(), results)))
    return failure();
  if (branch.elseBlock() &&
      (!results.empty() || !branch.elseBlock()->without_terminator().empty())) {
    e.close(" else {");
    e.reopen();
    if (failed(emitAssigning(e, *branch.elseBlock(), results)))
      return failure();
  }
  e.close();
  return success();
}

LogicalResult emitWhile(Emitter &e, Operation *op) {
  auto loop = cast<scf::WhileOp>(op);
  auto results = declareResults(e, op);
  auto carried = declareCarried(e, loop.getBeforeArguments(), loop.getInits());
  e.open("while (true)");
  for (Operation &inner : loop.getBeforeBody()->without_terminator())
    if (failed(e.emitNested(&inner)))
      return failure();
  scf::ConditionOp condition = loop.getConditionOp();
  e.assign(results, condition.getArgs());
  e.line("if (!" + e.expr(condition.getCondition()) + ")");
  e.line("  break;");
  for (auto [arg, result] : llvm::zip(loop.getAfterArguments(), results))
    e.alias(arg, result);
  if (failed(emitAssigning(e, *loop.getAfterBody(), carried)))
    return failure();
  e.close();
  return success();
}

LogicalResult emitSwitch(Emitter &e, Operation *op) {
  auto choice = cast<scf::IndexSwitchOp>(op);
  auto results = declareResults(e, op);
  e.open("switch (" + e.whole(choice.getArg()) + ")");
  for (auto [i, value] : llvm::enumerate(choice.getCases())) {
    e.open("case " + literal(llvm::APInt(64, value, /*isSigned=*/true)) + ":");
    if (failed(emitAssigning(e, choice.getCaseBlock(i), results)))
      return failure();
    e.line("break;");
    e.close();
  }
  e.open("default:");
  if (failed(emitAssigning(e, choice.getDefaultBlock(), results)))
    return failure();
  e.close();
  e.close();
  return success();
}

LogicalResult emitReturn(Emitter &e, Operation *op) {
  return op->getNumOperands() ? emitFault(op, "a kernel returns nothing") : success();
}

/// Any value will do; zero is the same on every device.
LogicalResult emitPoison(Emitter &e, Operation *op) {
  Value result = op->getResult(0);
  e.alias(result, "(" + e.typeName(result.getType()) + ")(0)");
  return success();
}

} // namespace

void addControlHandlers(HandlerTable &table) {
  table["scf.for"] = emitFor;
  table["scf.if"] = emitIf;
  table["scf.while"] = emitWhile;
  table["scf.index_switch"] = emitSwitch;
  table["func.return"] = emitReturn;
  table["ub.poison"] = emitPoison;
}

} // namespace tritonrt::compiler::opencl
