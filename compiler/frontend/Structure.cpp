// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/dialect/tle/Tle.h"
#include "compiler/dialect/tt/TtOps.h"
#include "compiler/frontend/HeadTested.h"
#include "compiler/frontend/Passes.h"

#include "mlir/Conversion/ControlFlowToSCF/ControlFlowToSCF.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Transforms/CFGToSCF.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;

namespace tritonrt::compiler {
namespace {

/// Upstream's lifting, which asks for a terminator behind a loop that has no way out.
class Lifting : public ControlFlowToSCFTransformation {
public:
  FailureOr<Operation *> createUnreachableTerminator(Location loc, OpBuilder &, Region &) override {
    return emitError(loc, "a loop has no way out: nothing after it is ever reached");
  }
};

/// One region with several blocks becomes one block.
LogicalResult lift(Region &region) {
  IRRewriter rewriter(region.getContext());
  (void)eraseUnreachableBlocks(rewriter, region);
  if (region.hasOneBlock())
    return success();
  Lifting lifting;
  DominanceInfo dominance(region.getParentOp());
  return success(succeeded(transformCFGToSCF(region, lifting, dominance)));
}

/// Puts the single block of `region` in front of `op` and returns what its terminator gave.
SmallVector<Value> inlineBlock(RewriterBase &rewriter, Region &region, Operation *op) {
  Operation *terminator = region.front().getTerminator();
  SmallVector<Value> results(terminator->getOperands());
  rewriter.eraseOp(terminator);
  rewriter.inlineBlockBefore(&region.front(), op);
  return results;
}

void flattenExecuteRegion(scf::ExecuteRegionOp op) {
  IRRewriter rewriter(op.getContext());
  rewriter.setInsertionPoint(op);
  rewriter.replaceOp(op, inlineBlock(rewriter, op.getRegion(), op));
}

/// Moves the block of `from` into the empty block of `to`.
void moveBlock(RewriterBase &rewriter, Region &from, Block *to) {
  if (!to->empty())
    rewriter.eraseOp(&to->back());
  rewriter.inlineBlockBefore(&from.front(), to, to->end());
}

/// A switch becomes a chain of ifs.
void lowerSwitch(scf::IndexSwitchOp op) {
  IRRewriter rewriter(op.getContext());
  Location loc = op.getLoc();
  Value flag = op.getArg();
  // The lifting switches on an i32; compare that.
  if (auto cast = flag.getDefiningOp<arith::IndexCastUIOp>())
    flag = cast.getIn();
  rewriter.setInsertionPoint(op);
  Block *whereElse = nullptr;
  Operation *first = nullptr;
  for (auto [value, region] : llvm::zip(op.getCases(), op.getCaseRegions())) {
    Value number =
        arith::ConstantOp::create(rewriter, loc, rewriter.getIntegerAttr(flag.getType(), value));
    Value equal = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::eq, flag, number);
    auto branch = scf::IfOp::create(rewriter, loc, op.getResultTypes(), equal,
                                    /*withElseRegion=*/true);
    moveBlock(rewriter, region, branch.thenBlock());
    if (whereElse)
      scf::YieldOp::create(rewriter, loc, branch.getResults());
    else
      first = branch;
    whereElse = branch.elseBlock();
    if (!whereElse->empty())
      rewriter.eraseOp(&whereElse->back());
    rewriter.setInsertionPointToEnd(whereElse);
  }
  if (!first)
    return rewriter.replaceOp(op, inlineBlock(rewriter, op.getDefaultRegion(), op));
  rewriter.inlineBlockBefore(&op.getDefaultRegion().front(), whereElse, whereElse->end());
  rewriter.replaceOp(op, first->getResults());
}

struct StructurePass : public PassWrapper<StructurePass, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(StructurePass)

  StringRef getArgument() const final { return "tt-structure"; }
  StringRef getDescription() const final { return "Turn branches between blocks into scf ops"; }

  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<arith::ArithDialect, cf::ControlFlowDialect, scf::SCFDialect, ub::UBDialect>();
  }

  void runOnOperation() override {
    // Inner regions first: an execute_region of several blocks may stand in another's.
    WalkResult lifted = getOperation()->walk([](Operation *op) {
      // Code of the LLVM dialect stays as it is.
      if (isa<tle::DslRegionOp, LLVM::LLVMFuncOp>(op))
        return WalkResult::advance();
      for (Region &region : op->getRegions())
        if (!region.empty() && !region.hasOneBlock() && failed(lift(region)))
          return WalkResult::interrupt();
      return WalkResult::advance();
    });
    if (lifted.wasInterrupted())
      return signalPassFailure();
    getOperation()->walk([](scf::ExecuteRegionOp op) { flattenExecuteRegion(op); });
    getOperation()->walk([](scf::IndexSwitchOp op) { lowerSwitch(op); });
    testAtHead(getOperation());
  }
};

} // namespace

std::unique_ptr<Pass> createTtStructurePass() { return std::make_unique<StructurePass>(); }

} // namespace tritonrt::compiler
