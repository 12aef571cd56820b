// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What can be told of the old function before it is translated.
#include "compiler/passes/totile/Translator.h"

#include "compiler/dialect/dsa/Dsa.h"
#include "compiler/dialect/tle/Tle.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tritonrt::compiler {

bool isTensorPointer(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && isa<tt::PointerType>(tensor.getElementType());
}

bool isScalarPointer(Type type) { return isa<tt::PointerType>(type) && !tt::isBlockPointer(type); }

bool isBlock(Type type) { return isa<tt::TensorDescType>(type) || tt::isBlockPointer(type); }

/// Ops whose form or box is made of those of their operands.
static bool seesThrough(Operation *op) {
  return isa<tt::ExpandDimsOp, tt::BroadcastOp, tt::TransOp, tt::ReshapeOp, arith::AddIOp,
             arith::SubIOp, arith::MulIOp, arith::ShLIOp, arith::ExtSIOp, arith::ExtUIOp,
             arith::RemSIOp, arith::CmpIOp, arith::AndIOp>(op);
}

llvm::DenseSet<Value> addressParts(tt::FuncOp function) {
  llvm::DenseSet<Value> demanded;
  SmallVector<Value> work;
  auto demand = [&](Value value) {
    if (value && isa<RankedTensorType>(value.getType()) && tt::isIntLike(value.getType()) &&
        demanded.insert(value).second)
      work.push_back(value);
  };
  function->walk([&](Operation *op) {
    if (isa<tt::AddPtrOp, tt::IntToPtrOp, tt::LoadOp, tt::StoreOp, tt::AtomicRMWOp,
            tt::AtomicLoadOp, tt::AtomicStoreOp, tle::LocalPointersOp, dsa::LocalPointersOp>(op))
      for (Value operand : op->getOperands())
        if (!isa<tt::StoreOp, tt::AtomicRMWOp, tt::AtomicStoreOp>(op) ||
            tt::isBoolLike(operand.getType()))
          demand(operand);
  });
  while (!work.empty()) {
    Value value = work.pop_back_val();
    if (auto arg = dyn_cast<BlockArgument>(value)) {
      Operation *parent = arg.getOwner()->getParentOp();
      if (auto loop = dyn_cast<scf::ForOp>(parent)) {
        if (OpOperand *init = loop.getTiedLoopInit(arg)) {
          demand(init->get());
          demand(loop.getTiedLoopYieldedValue(arg)->get());
        }
      } else if (auto loop = dyn_cast<scf::WhileOp>(parent)) {
        if (arg.getOwner() == loop.getAfterBody()) {
          demand(loop.getConditionOp().getArgs()[arg.getArgNumber()]);
        } else {
          demand(loop.getInits()[arg.getArgNumber()]);
          demand(loop.getYieldOp().getResults()[arg.getArgNumber()]);
        }
      }
      continue;
    }
    Operation *op = value.getDefiningOp();
    unsigned number = cast<OpResult>(value).getResultNumber();
    if (auto loop = dyn_cast<scf::ForOp>(op))
      demand(loop.getRegionIterArg(number));
    else if (auto loop = dyn_cast<scf::WhileOp>(op))
      demand(loop.getConditionOp().getArgs()[number]);
    else if (seesThrough(op))
      for (Value operand : op->getOperands())
        demand(operand);
  }
  return demanded;
}

/// A tensor that is one scalar everywhere, by ops whose forms stay uniform.
static bool isUniform(Value value, int depth = 0) {
  if (!isa<RankedTensorType>(value.getType()))
    return true;
  Operation *op = value.getDefiningOp();
  if (!op || depth > 8)
    return false;
  if (isa<tt::SplatOp>(op))
    return true;
  DenseElementsAttr constant;
  if (matchPattern(value, m_Constant(&constant)))
    return constant.isSplat();
  if (isa<tt::ExpandDimsOp, tt::BroadcastOp, tt::TransOp, arith::AddIOp, arith::SubIOp,
          arith::MulIOp, arith::ExtSIOp>(op))
    return llvm::all_of(op->getOperands(), [&](Value v) { return isUniform(v, depth + 1); });
  return false;
}

static Trace both(Trace a, Trace b) { return {a.reaches && b.reaches, a.uniform && b.uniform}; }

/// Through the results of loops and branches: the value that goes in, where what comes out is that
/// value moved.
static Value throughRegion(OpResult result, Trace &trace) {
  unsigned i = result.getResultNumber();
  if (auto loop = dyn_cast<scf::ForOp>(result.getOwner())) {
    trace = both(trace, traceSteps(loop.getYieldedValues()[i], loop.getRegionIterArg(i)));
    return loop.getInitArgs()[i];
  }
  if (auto loop = dyn_cast<scf::WhileOp>(result.getOwner())) {
    for (BlockArgument arg : loop.getBeforeArguments()) {
      Trace out = traceSteps(loop.getConditionOp().getArgs()[i], arg);
      if (!out.reaches)
        continue;
      trace = both(trace, out);
      trace = both(trace, traceSteps(loop.getYieldOp().getResults()[arg.getArgNumber()], arg));
      return loop.getInits()[arg.getArgNumber()];
    }
  }
  return Value();
}

Trace traceSteps(Value value, BlockArgument arg) {
  Trace trace{true, true};
  while (value != arg) {
    if (auto inner = dyn_cast<BlockArgument>(value)) {
      auto loop = dyn_cast<scf::WhileOp>(inner.getOwner()->getParentOp());
      if (!loop || inner.getOwner() != loop.getAfterBody())
        return {};
      value = loop.getConditionOp().getArgs()[inner.getArgNumber()];
      continue;
    }
    Operation *op = value.getDefiningOp();
    if (auto step = dyn_cast<tt::AddPtrOp>(op)) {
      trace.uniform &= isUniform(step.getOffset());
      value = step.getPtr();
    } else if (auto step = dyn_cast<tt::AdvanceOp>(op)) {
      value = step.getPtr();
    } else if (auto step = dyn_cast<tt::BitcastOp>(op); step && tt::isPtrLike(step.getType())) {
      value = step.getSrc();
    } else if (auto step = dyn_cast<arith::AddIOp>(op)) {
      bool right = isUniform(step.getRhs());
      if (!right && !isUniform(step.getLhs()))
        return {};
      value = right ? step.getLhs() : step.getRhs();
    } else if (auto step = dyn_cast<arith::SubIOp>(op)) {
      if (!isUniform(step.getRhs()))
        return {};
      value = step.getLhs();
    } else if (auto branch = dyn_cast<scf::IfOp>(op)) {
      unsigned i = cast<OpResult>(value).getResultNumber();
      return both(trace, both(traceSteps(branch.thenYield().getResults()[i], arg),
                              traceSteps(branch.elseYield().getResults()[i], arg)));
    } else {
      value = throughRegion(cast<OpResult>(value), trace);
      if (!value || !trace.reaches)
        return {};
    }
  }
  return trace;
}

} // namespace tritonrt::compiler
