// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop whose operands are loaded a turn ahead writes them over those of its own turn, so items
// meet twice a turn: before the operands are written and after. Where two turns stand in the body,
// each with operands of its own, one turn's are written while the other's are read, and items meet
// once a turn.
#include "compiler/passes/Passes.h"

#include "compiler/dialect/tile/Tile.h"
#include "compiler/dialect/tt/TtOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Utils/Utils.h"

using namespace mlir;

namespace tritonrt::compiler {

namespace {

/// Bytes of the operands that `loop` carries from turn to turn.
int64_t carriedBytes(scf::ForOp loop) {
  int64_t bytes = 0;
  for (auto dot : loop.getBody()->getOps<tt::DotOp>())
    for (Value operand : {dot.getA(), dot.getB()})
      if (isa<BlockArgument>(operand)) {
        auto type = cast<RankedTensorType>(operand.getType());
        bytes += type.getNumElements() * mem::elementBytes(type);
      }
  return bytes;
}

/// Are the loop's tensors stored as they are, or after arithmetic? Other uses need local memory
/// too.
bool isStoredAlone(scf::ForOp loop) {
  llvm::SetVector<Value> values;
  for (Value result : loop.getResults())
    if (isa<RankedTensorType>(result.getType()))
      values.insert(result);
  for (size_t i = 0; i < values.size(); ++i)
    for (Operation *user : values[i].getUsers()) {
      if (isa<tile::StoreOp>(user))
        continue;
      if (!OpTrait::hasElementwiseMappableTraits(user))
        return false;
      values.insert(user->result_begin(), user->result_end());
    }
  return true;
}

/// Lets what the second turn multiplies be written after the first turn's product, so that it is
/// loaded meanwhile.
void writeLate(scf::ForOp loop) {
  auto dots = llvm::to_vector(loop.getBody()->getOps<tt::DotOp>());
  for (OpOperand *operand : {&dots.back().getAMutable(), &dots.back().getBMutable()}) {
    Operation *made = operand->get().getDefiningOp();
    if (made && made->getBlock() == loop.getBody() && isPure(made) && made->hasOneUse() &&
        made->isBeforeInBlock(dots.front()))
      made->moveAfter(dots.front());
  }
}

struct AlternateBuffersPass : PassWrapper<AlternateBuffersPass, OperationPass<func::FuncOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(AlternateBuffersPass)

  AlternateBuffersPass() = default;
  explicit AlternateBuffersPass(int64_t localBytes) { this->localBytes = localBytes; }
  AlternateBuffersPass(const AlternateBuffersPass &other) : PassWrapper(other) {}

  StringRef getArgument() const override { return "alternate-buffers"; }
  StringRef getDescription() const override {
    return "Give two turns of a loop operands of their own";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<arith::ArithDialect, scf::SCFDialect>();
  }
  void runOnOperation() override {
    SmallVector<scf::ForOp> loops;
    getOperation().walk([&](scf::ForOp loop) {
      // More than a product would be much code twice.
      if (loop->removeAttr(kAheadAttr) && !loop.getUnsignedCmp() &&
          llvm::hasSingleElement(loop.getBody()->getOps<tt::DotOp>()) &&
          2 * carriedBytes(loop) <= localBytes && isStoredAlone(loop))
        loops.push_back(loop);
    });
    for (scf::ForOp loop : loops) {
      FailureOr<UnrolledLoopInfo> unrolled = loopUnrollByFactor(loop, 2);
      if (failed(unrolled))
        return signalPassFailure();
      if (unrolled->mainLoopOp)
        writeLate(*unrolled->mainLoopOp);
    }
  }

  Option<int64_t> localBytes{*this, "local-bytes", llvm::cl::init(48 << 10),
                             llvm::cl::desc("Local memory that operands may take")};
};

} // namespace

std::unique_ptr<Pass> createAlternateBuffersPass(int64_t localBytes) {
  return std::make_unique<AlternateBuffersPass>(localBytes);
}

} // namespace tritonrt::compiler
