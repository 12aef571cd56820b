// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The regions of tt.reduce, tt.scan and tt.map_elementwise compute with single elements. Asserts in
// them, which Triton writes for every sum of integers when it debugs, become one more result, the
// truth of which is asserted behind the op.
#include "compiler/dialect/tt/TtOps.h"
#include "compiler/frontend/Dead.h"
#include "compiler/frontend/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace tritonrt::compiler {
namespace {

/// Moves the asserts of one op's region out of it.
class AssertLifter {
public:
  explicit AssertLifter(Operation *op) : op(op), block(op->getRegion(0).front()), b(op) {}

  LogicalResult run();

private:
  LogicalResult hoist(tt::AssertOp check);
  Value widen(scf::IfOp branch, Value flag);
  Operation *rebuild();
  void addToReturn(Operation *wide);

  Operation *op;
  Block &block;
  OpBuilder b;
  SmallVector<tt::AssertOp> asserts;
  /// In `block`: does the assert of the same number hold for these elements?
  SmallVector<Value> flags;
};

Value truth(OpBuilder &b, Location loc) {
  return arith::ConstantOp::create(b, loc, b.getBoolAttr(true));
}

/// `flag`, of a block of the branch, as a result of the branch: true where that block is not taken.
Value AssertLifter::widen(scf::IfOp branch, Value flag) {
  bool inThen = flag.getParentBlock() == branch.thenBlock();
  SmallVector<Type> types(branch.getResultTypes());
  types.push_back(b.getI1Type());
  b.setInsertionPoint(branch);
  auto wide = scf::IfOp::create(b, branch.getLoc(), types, branch.getCondition(),
                                /*addThenBlock=*/false, /*addElseBlock=*/false);
  wide.getThenRegion().takeBody(branch.getThenRegion());
  wide.getElseRegion().takeBody(branch.getElseRegion());
  if (wide.getElseRegion().empty()) {
    b.createBlock(&wide.getElseRegion());
    scf::YieldOp::create(b, branch.getLoc());
  }
  for (Region *region : {&wide.getThenRegion(), &wide.getElseRegion()}) {
    Operation *yield = region->front().getTerminator();
    b.setInsertionPoint(yield);
    bool holds = inThen == (region == &wide.getThenRegion());
    yield->insertOperands(yield->getNumOperands(), holds ? flag : truth(b, branch.getLoc()));
  }
  for (Value &other : flags)
    if (other.getDefiningOp() == branch)
      other = wide.getResult(cast<OpResult>(other).getResultNumber());
  branch.replaceAllUsesWith(wide.getResults().drop_back());
  branch.erase();
  return wide.getResults().back();
}

/// Makes the assert's condition a value of the region's own block.
LogicalResult AssertLifter::hoist(tt::AssertOp check) {
  Value flag = check.getCondition();
  // Where the assert stands tells when it counts.
  b.setInsertionPoint(check);
  if (flag.getParentBlock() != check->getBlock())
    flag = arith::AndIOp::create(b, check.getLoc(), flag, truth(b, check.getLoc()));
  while (flag.getParentBlock() != &block) {
    auto branch = dyn_cast<scf::IfOp>(flag.getParentBlock()->getParentOp());
    if (!branch)
      return check.emitOpError() << "in a loop of a " << op->getName()
                                 << " is not supported; put it behind the loop";
    flag = widen(branch, flag);
  }
  asserts.push_back(check);
  flags.push_back(flag);
  return success();
}

/// The op with a result of flags for each assert, and the region of the old one.
Operation *AssertLifter::rebuild() {
  Location loc = op->getLoc();
  b.setInsertionPoint(op);
  auto source = cast<RankedTensorType>(op->getOperand(0).getType());
  RankedTensorType all = source.clone(b.getI1Type());
  SmallVector<Value> operands(op->getOperands());
  SmallVector<Type> types(op->getResultTypes());
  Operation *wide = nullptr;
  if (auto map = dyn_cast<tt::MapElementwiseOp>(op)) {
    types.append(flags.size(), all);
    wide = tt::MapElementwiseOp::create(b, loc, types, operands, map.getPackAttr());
  } else {
    Value holds = arith::ConstantOp::create(b, loc, DenseElementsAttr::get(all, true));
    operands.append(flags.size(), holds);
    if (auto scan = dyn_cast<tt::ScanOp>(op)) {
      types.append(flags.size(), all);
      wide = tt::ScanOp::create(b, loc, types, operands, scan.getAxisAttr(), scan.getReverseAttr());
    } else {
      auto reduce = cast<tt::ReduceOp>(op);
      SmallVector<int64_t> shape(all.getShape());
      shape.erase(shape.begin() + reduce.getAxis());
      types.append(flags.size(), shape.empty() ? Type(b.getI1Type()) : Type(all.clone(shape)));
      wide = tt::ReduceOp::create(b, loc, types, operands, reduce.getAxisAttr());
    }
  }
  wide->getRegion(0).takeBody(op->getRegion(0));
  return wide;
}

/// The region returns the flags: for combinations those of both sides and of this one.
void AssertLifter::addToReturn(Operation *wide) {
  Operation *last = block.getTerminator();
  b.setInsertionPoint(last);
  if (auto map = dyn_cast<tt::MapElementwiseOp>(wide)) {
    for (Value flag : flags)
      last->insertOperands(last->getNumOperands(), SmallVector<Value>(map.getPack(), flag));
    return;
  }
  unsigned sources = wide->getNumOperands() - flags.size();
  Location loc = wide->getLoc();
  for (auto [i, flag] : llvm::enumerate(flags)) {
    Value left = block.insertArgument(sources + i, b.getI1Type(), loc);
    Value right = block.addArgument(b.getI1Type(), loc);
    Value both = arith::AndIOp::create(b, loc, left, right);
    Value all = arith::AndIOp::create(b, loc, both, flag);
    last->insertOperands(last->getNumOperands(), all);
  }
}

LogicalResult AssertLifter::run() {
  SmallVector<tt::AssertOp> found;
  op->getRegion(0).walk([&](tt::AssertOp check) { found.push_back(check); });
  if (found.empty())
    return success();
  if (!op->getRegion(0).hasOneBlock())
    return found.front().emitOpError()
           << "among branches of a " << op->getName() << " is not supported; write them as scf.if";
  for (tt::AssertOp check : found)
    if (failed(hoist(check)))
      return failure();
  Operation *wide = rebuild();
  addToReturn(wide);
  b.setInsertionPointAfter(wide);
  for (auto [check, holds] :
       llvm::zip_equal(asserts, wide->getResults().take_back(asserts.size()))) {
    b.clone(*check)->setOperand(0, holds);
    check.erase();
  }
  op->replaceAllUsesWith(wide->getResults().drop_back(asserts.size()));
  op->erase();
  return success();
}

bool isElement(Type type) { return !isa<RankedTensorType>(type) && !tt::isPtrLike(type); }

/// Assumptions are hints; what calls and assembly do besides is not known.
bool hasNoEffect(Operation *op) {
  return op->hasTrait<OpTrait::HasRecursiveMemoryEffects>() || isMemoryEffectFree(op) ||
         isa<tt::ExternElementwiseOp, tt::ElementwiseInlineAsmOp, LLVM::AssumeOp>(op);
}

/// Nothing but arithmetic on elements may stand in the region of `op`.
LogicalResult checkRegion(Operation *op) {
  WalkResult walked = op->getRegion(0).walk([&](Operation *inner) {
    if (hasNoEffect(inner) && llvm::all_of(inner->getOperandTypes(), isElement) &&
        llvm::all_of(inner->getResultTypes(), isElement))
      return WalkResult::advance();
    inner->emitOpError() << "in a " << op->getName()
                         << " is not supported; its region computes with single elements: "
                            "arithmetic, branches, loops and calls of such";
    return WalkResult::interrupt();
  });
  return failure(walked.wasInterrupted());
}

struct ElementRegionsPass : public PassWrapper<ElementRegionsPass, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ElementRegionsPass)

  StringRef getArgument() const override { return "tt-element-regions"; }
  StringRef getDescription() const override {
    return "Regions that compute with elements do nothing else; their asserts move behind them";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<arith::ArithDialect, scf::SCFDialect>();
  }

  void runOnOperation() override {
    auto collect = [&] {
      SmallVector<Operation *> found;
      getOperation()->walk([&](Operation *op) {
        if (isa<tt::ReduceOp, tt::ScanOp, tt::MapElementwiseOp>(op))
          found.push_back(op);
      });
      return found;
    };
    for (Operation *op : collect()) {
      for (Block &block : op->getRegion(0))
        eraseDead(block);
      if (failed(AssertLifter(op).run()))
        return signalPassFailure();
    }
    for (Operation *op : collect())
      if (failed(checkRegion(op)))
        return signalPassFailure();
  }
};

} // namespace

std::unique_ptr<Pass> createTtElementRegionsPass() {
  return std::make_unique<ElementRegionsPass>();
}

} // namespace tritonrt::compiler
