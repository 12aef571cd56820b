// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/backends/cpu/CpuBackend.h"
#include "compiler/Fault.h"
#include "compiler/backends/cpu/NativeCode.h"
#include "compiler/passes/PassList.h"
#include "compiler/passes/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/Target/TargetMachine.h"

using namespace mlir;

namespace tritonrt::compiler::cpu {

namespace {

/// LLVM's name of the processor to compile for; empty for this machine's.
llvm::StringRef processor(const KeyValues &target) {
  llvm::StringRef name = target.get("cpu", "native");
  return name == "native" ? "" : name;
}

/// Does the processor have the features, written as "+a,+b"?
bool hasFeatures(const llvm::TargetMachine &machine, llvm::StringRef features) {
  return machine.getMCSubtargetInfo()->checkFeatures(features);
}

} // namespace

TargetTraits CpuBackend::describe(const KeyValues &target) const {
  TargetTraits traits;
  auto machine = cpu::createTarget(processor(target));
  if (!machine) {
    // The same error comes up in emit, where it can be told.
    llvm::consumeError(machine.takeError());
    return traits;
  }
  traits.cheapMasks = hasFeatures(**machine, "+avx512bw,+avx512vl");
  traits.vectorBytes = traits.cheapMasks ? 64 : hasFeatures(**machine, "+avx2") ? 32 : 16;
  traits.bf16Pairs = hasFeatures(**machine, "+avx512bf16,+avx512vl");
  traits.i16Pairs = traits.vectorBytes == 64 || hasFeatures(**machine, "+avx2");
  return traits;
}

FailureOr<Artifact> CpuBackend::emit(ModuleOp mapped, const Job &job) const {
  std::unique_ptr<Native> native = lower(mapped, job);
  if (!native)
    return failure();
  llvm::Expected<std::string> bytes = compile(*native, job);
  if (!bytes)
    return mapped.emitError(llvm::toString(bytes.takeError()));
  Artifact artifact;
  artifact.bytes = std::move(*bytes);
  artifact.entry = "trt_entry";
  auto kernel = *mapped.getOps<func::FuncOp>().begin();
  if (auto bytes = kernel->getAttrOfType<IntegerAttr>("tritonrt.scratch_bytes"))
    artifact.scratchBytes = bytes.getInt();
  return artifact;
}

FailureOr<std::string> CpuBackend::print(ModuleOp mapped, const Job &job,
                                         llvm::StringRef stage) const {
  if (stage != "llvm" && stage != "asm")
    return mapped.emitError() << "the CPU backend has no stage '" << stage << "'";
  std::unique_ptr<Native> native = lower(mapped, job);
  if (!native)
    return failure();
  optimize(*native);
  if (stage == "asm") {
    auto text = cpu::generateCode(*native->module, *native->machine, cpu::CodeForm::Assembly);
    if (!text)
      return mapped.emitError(llvm::toString(text.takeError()));
    return std::move(*text);
  }
  std::string text;
  llvm::raw_string_ostream stream(text);
  native->module->print(stream, nullptr);
  return text;
}

const OpTable &CpuBackend::ops() const {
  std::call_once(filled, [this] {
    table = defaultOps();
    addOps(table);
  });
  return table;
}

void CpuBackend::addLegalization(PassList &passes, const llvm::TargetMachine &machine) const {
  LegalizeFloatsOptions floats;
  floats.f16 = hasFeatures(machine, "+f16c") ? FloatSupport::Storage : FloatSupport::None;
  passes.addToFunctions(createLegalizeFloatsPass(floats));
  passes.addToFunctions(createExpandMathPass(
      {.hasScale = hasFeatures(machine, "+avx512f,+avx512vl"), .contracts = false}));
}

std::unique_ptr<Native> CpuBackend::lower(ModuleOp mapped, const Job &job) const {
  auto kernels = mapped.getOps<func::FuncOp>();
  if (!llvm::hasSingleElement(kernels)) {
    emitFault(mapped, "the CPU backend takes one function at a time");
    return nullptr;
  }
  auto native = std::make_unique<Native>();
  auto machine = cpu::createTarget(processor(job.target));
  if (!machine) {
    mapped.emitError(llvm::toString(machine.takeError()));
    return nullptr;
  }
  native->machine = std::move(*machine);
  llvm::StringRef arch = job.target.get("arch");
  llvm::StringRef mine = native->machine->getTargetTriple().getArchName();
  if (!arch.empty() && arch != mine) {
    mapped.emitError("the target is of architecture '")
        << arch << "', this compiler makes code for " << mine;
    return nullptr;
  }
  PassList legalization;
  addLegalization(legalization, *native->machine);
  if (failed(std::move(legalization).run(mapped)))
    return nullptr;
  func::FuncOp kernel = *kernels.begin();
  if (job.checksRaces() && kernel->hasAttr("tritonrt.mesh_bytes"))
    cpu::numberAccesses(kernel);
  native->module = std::make_unique<llvm::Module>("kernel", native->context);
  native->module->setDataLayout(native->machine->createDataLayout());
  native->module->setTargetTriple(native->machine->getTargetTriple());
  cpu::EmitOptions options;
  options.disjoint = job.special.getFlag("disjoint", false);
  options.vectorBits = 8 * job.traits.vectorBytes;
  options.hasAvx512 = hasFeatures(*native->machine, "+avx512f");
  options.hasBf16Pairs = job.traits.bf16Pairs;
  options.hasStreaming = options.hasAvx512;
  if (failed(addRawFunctions(mapped, *native->module)) ||
      failed(LlvmEmitter(*native->module, options, ops()).emitKernel(kernel)))
    return nullptr;
  inlineRawFunctions(*native->module);
  std::string problem;
  llvm::raw_string_ostream stream(problem);
  if (llvm::verifyModule(*native->module, &stream)) {
    emitFault(mapped, "the CPU backend made invalid LLVM IR: " + llvm::StringRef(problem).trim());
    return nullptr;
  }
  return native;
}

void CpuBackend::optimize(Native &native) const { cpu::optimize(*native.module, *native.machine); }

llvm::Expected<std::string> CpuBackend::compile(Native &native, const Job &job) const {
  llvm::StringRef toolchain = job.options.get("toolchain", "llvm");
  if (toolchain == "clang")
    return cpu::compileWithClang(*native.module, *native.machine);
  if (toolchain != "llvm")
    return llvm::createStringError("no toolchain named '" + toolchain + "'; there are llvm, clang");
  optimize(native);
  auto object = cpu::generateCode(*native.module, *native.machine, cpu::CodeForm::Object);
  if (!object)
    return object.takeError();
  return cpu::link(*object);
}

} // namespace tritonrt::compiler::cpu
