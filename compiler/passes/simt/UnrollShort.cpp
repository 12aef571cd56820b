// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops of a few turns become straight code. For drivers of processors: they run the items of a
// group in loops between barriers, and their compilers look at the whole kernel again for every
// loop in it, so that a hundred short ones take half a minute.
#include "compiler/dialect/mem/Mem.h"
#include "compiler/passes/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Utils/Utils.h"

using namespace mlir;

namespace tritonrt::compiler {

namespace {

/// Turns that are written out, and ops that a loop may so become.
constexpr int64_t kTurns = 4;
constexpr int64_t kOps = 256;

bool isShort(scf::ForOp loop) {
  std::optional<llvm::APInt> trips = loop.getStaticTripCount();
  if (!trips || trips->ugt(kTurns))
    return false;
  int64_t ops = 0;
  // Each barrier more is one more loop over the items, and in a split kernel one more state.
  bool staysLoop = false;
  loop.getBody()->walk([&](Operation *op) {
    ++ops;
    staysLoop |= isa<LoopLikeOpInterface, mem::BarrierOp, mem::MeshBarrierOp>(op);
  });
  return !staysLoop && ops * trips->getSExtValue() <= kOps;
}

struct UnrollShortPass : PassWrapper<UnrollShortPass, OperationPass<func::FuncOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(UnrollShortPass)

  StringRef getArgument() const override { return "unroll-short"; }
  StringRef getDescription() const override { return "Loops of a few turns as straight code"; }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<arith::ArithDialect, scf::SCFDialect>();
  }
  void runOnOperation() override {
    // Inner loops first: one around them may be short then.
    SmallVector<scf::ForOp> loops;
    getOperation().walk([&](scf::ForOp loop) { loops.push_back(loop); });
    for (scf::ForOp loop : loops)
      if (isShort(loop))
        (void)loopUnrollFull(loop);
  }
};

} // namespace

std::unique_ptr<Pass> createUnrollShortPass() { return std::make_unique<UnrollShortPass>(); }

} // namespace tritonrt::compiler
