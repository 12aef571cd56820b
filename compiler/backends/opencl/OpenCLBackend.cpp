// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/backends/Backend.h"
#include "compiler/backends/opencl/Emitter.h"
#include "compiler/passes/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

namespace tritonrt::compiler::opencl {

Features::Features(const KeyValues &target)
    : isCpu(target.get("type", "cpu") == "cpu"), fp64(target.getFlag("fp64", false)),
      fp16(target.getFlag("fp16", false)), int64Atomics(target.getFlag("int64_atomics", false)),
      localBytes(target.getInt("local_bytes", 32 << 10)),
      vectorBytes(4 * target.getInt("width_float", isCpu ? 16 : 1)) {}

namespace {

/// Every op that the emitter knows; any other is refused by name.
const HandlerTable &handlers() {
  static const HandlerTable table = [] {
    HandlerTable all;
    addControlHandlers(all);
    addArithHandlers(all);
    addMathHandlers(all);
    addMemHandlers(all);
    addAtomicHandlers(all);
    addVectorHandlers(all);
    return all;
  }();
  return table;
}

class OpenCLBackend final : public Backend {
public:
  llvm::StringRef name() const override { return "opencl"; }

  TargetTraits describe(const KeyValues &target) const override {
    TargetTraits traits;
    traits.vectorBytes = Features(target).vectorBytes;
    traits.maxLanes = 16; // of a vector type of OpenCL C
    traits.cheapMasks = false;
    traits.simt = target.get("mapping") == "simt";
    return traits;
  }

  FailureOr<Artifact> emit(ModuleOp mapped, const Job &job) const override {
    auto functions = mapped.getOps<func::FuncOp>();
    if (!llvm::hasSingleElement(functions))
      return mapped.emitError("a mapped module holds one function");
    func::FuncOp func = *functions.begin();
    Features features(job.target);
    if (failed(legalize(mapped, features)))
      return failure();
    Emitter emitter(features, handlers());
    Artifact artifact;
    artifact.entry = "kernel_" + identifier(func.getSymName(), 64);
    FailureOr<std::string> text = emitter.emitKernel(func, artifact.entry);
    if (failed(text))
      return failure();
    artifact.bytes = std::move(*text);
    artifact.localBytes = emitter.localBytes();
    if (auto items = func->getAttrOfType<IntegerAttr>("tritonrt.work_items"))
      artifact.workItems = items.getInt();
    return artifact;
  }

  FailureOr<std::string> print(ModuleOp mapped, const Job &job,
                               llvm::StringRef stage) const override {
    if (stage != "opencl")
      return mapped.emitError() << "the OpenCL backend has no stage '" << stage << "'";
    FailureOr<Artifact> artifact = emit(mapped, job);
    if (failed(artifact))
      return failure();
    return std::move(artifact->bytes);
  }

private:
  /// Leaves the floats that the device computes in, and what it computes exactly.
  LogicalResult legalize(ModuleOp mapped, const Features &features) const {
    PassManager pm(mapped.getContext());
    pm.enableVerifier(false);
    OpPassManager &function = pm.nest<func::FuncOp>();
    LegalizeFloatsOptions floats;
    floats.f16 = features.fp16 ? FloatSupport::Full : FloatSupport::None;
    floats.f64 = features.fp64;
    function.addPass(createLegalizeFloatsPass(floats));
    function.addPass(createExpandMathPass());
    function.addPass(createCanonicalizerPass());
    return pm.run(mapped);
  }
};

/// Joins the backends when the library is loaded: main code never names one.
const bool registered = [] {
  registerBackend(std::make_unique<OpenCLBackend>());
  return true;
}();

} // namespace
} // namespace tritonrt::compiler::opencl
