// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A processor that specialises what the left one specialises, in another way.
#include "Chip.h"

#include "compiler/backends/Specialised.h"
#include "compiler/backends/cpu/CpuBackend.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/IR/Intrinsics.h"

using namespace mlir;
using namespace tritonrt::compiler;

namespace right {

/// Lowers the ops of this chip's dialects before the main passes meet them.
struct LowerChipPass : PassWrapper<LowerChipPass, OperationPass<ModuleOp>> {
  StringRef getArgument() const override { return "right-lower-chip"; }

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
          arith::AddFOp::create(builder, op.getLoc(), op.getX(), factor).getResult());
      op.erase();
    });
  }
};

class RightBackend final : public Specialised<cpu::CpuBackend> {
public:
  llvm::StringRef name() const override { return "right"; }

  void registerDialects(DialectRegistry &registry) const override {
    registry.insert<chip::ChipDialect>();
  }

  TargetTraits describe(const KeyValues &target) const override {
    TargetTraits traits = CpuBackend::describe(target);
    traits.vectorBytes = 16;
    return traits;
  }

  void addToTile(PassList &passes, const Job &job) const override {
    Specialised::addToTile(passes, job);
    passes.insertBefore("tt-structure", std::make_unique<LowerChipPass>());
  }

  /// A pass less than the main code has.
  void addMapping(PassList &passes, const Job &job) const override {
    Specialised::addMapping(passes, job);
    passes.remove("loop-invariant-code-motion");
  }

  /// Signs what is finished.
  LogicalResult finish(Artifact &artifact, ModuleOp, const Job &) const override {
    artifact.bytes += "signed by right";
    return success();
  }

protected:
  void addOps(cpu::OpTable &table) const override {
    table.value<math::FloorOp>([](cpu::LlvmEmitter &e, math::FloorOp op) {
      return e.intrinsic(llvm::Intrinsic::trunc, {e.convert(op.getType())},
                         {e.get(op.getOperand())});
    });
  }

  /// The toolchain marks what went through it.
  void optimize(cpu::Native &native) const override {
    CpuBackend::optimize(native);
    native.module->getOrInsertNamedMetadata("made.by.right");
  }
};

/// Joins the backends when the library is loaded.
const bool registered = [] {
  registerBackend(std::make_unique<RightBackend>());
  return true;
}();

} // namespace right
