// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A processor that specialises what the right one specialises, in another way.
#include "Chip.h"
#include "Dsa.h"

#include "compiler/backends/Specialised.h"
#include "compiler/backends/cpu/CpuBackend.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/IR/Intrinsics.h"

#include <cstdio>
#include <cstdlib>

using namespace mlir;
using namespace tritonrt::compiler;

namespace left {

/// Lowers the ops of this chip's dialects before the main passes meet them.
struct LowerChipPass : PassWrapper<LowerChipPass, OperationPass<ModuleOp>> {
  StringRef getArgument() const override { return "left-lower-chip"; }

  void runOnOperation() override {
    getOperation().walk([](chip::ScaleOp op) {
      OpBuilder builder(op);
      Type type = op.getType();
      double number = double(op.getRate().getValue());
      TypedAttr rate = builder.getFloatAttr(getElementTypeOrSelf(type), number);
      if (auto tensor = dyn_cast<RankedTensorType>(type))
        rate = DenseElementsAttr::get(tensor, Attribute(rate));
      Value factor = arith::ConstantOp::create(builder, op.getLoc(), rate);
      op.replaceAllUsesWith(
          arith::MulFOp::create(builder, op.getLoc(), op.getX(), factor).getResult());
      op.erase();
    });
    getOperation().walk([](dsa::TwiceOp op) {
      OpBuilder builder(op);
      op.replaceAllUsesWith(
          arith::AddFOp::create(builder, op.getLoc(), op.getX(), op.getX()).getResult());
      op.erase();
    });
  }
};

class LeftBackend final : public Specialised<cpu::CpuBackend> {
public:
  llvm::StringRef name() const override { return "left"; }

  void registerDialects(DialectRegistry &registry) const override {
    registry.insert<chip::ChipDialect, dsa::DsaDialect>();
  }

  TargetTraits describe(const KeyValues &target) const override {
    TargetTraits traits = CpuBackend::describe(target);
    traits.vectorBytes = 8;
    return traits;
  }

  void addToTile(PassList &passes, const Job &job) const override {
    Specialised::addToTile(passes, job);
    passes.insertBefore("tt-structure", std::make_unique<LowerChipPass>());
  }

  /// Signs what is finished.
  LogicalResult finish(Artifact &artifact, ModuleOp, const Job &) const override {
    artifact.bytes += "signed by left";
    return success();
  }

protected:
  void addOps(cpu::OpTable &table) const override {
    table.value<math::FloorOp>([](cpu::LlvmEmitter &e, math::FloorOp op) {
      return e.intrinsic(llvm::Intrinsic::ceil, {e.convert(op.getType())},
                         {e.get(op.getOperand())});
    });
  }

  /// The toolchain marks what went through it.
  void optimize(cpu::Native &native) const override {
    CpuBackend::optimize(native);
    native.module->getOrInsertNamedMetadata("made.by.left");
  }
};

/// Joins the backends when the library is loaded.
const bool registered = [] {
  // A test sees by it whether any code of the library has run.
  if (const char *path = std::getenv("TRITONRT_TEST_LEFT_RAN"))
    if (std::FILE *file = std::fopen(path, "w"))
      std::fclose(file);
  registerBackend(std::make_unique<LeftBackend>());
  return true;
}();

} // namespace left
