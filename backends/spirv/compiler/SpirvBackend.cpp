// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// SPIR-V for OpenCL devices that take it, through LLVM's SPIR-V target. What a device is like and
// what it computes in is as the OpenCL backend has it.
#include <mutex>

#include "IlEmitter.h"
#include "compiler/backends/cpu/NativeCode.h"
#include "compiler/backends/opencl/OpenCLBackend.h"
#include "compiler/passes/PassList.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Verifier.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Target/TargetOptions.h"

extern "C" void LLVMInitializeSPIRVTarget();
extern "C" void LLVMInitializeSPIRVTargetInfo();
extern "C" void LLVMInitializeSPIRVTargetMC();
extern "C" void LLVMInitializeSPIRVAsmPrinter();

using namespace mlir;

namespace tritonrt::compiler::spirv {

namespace {

/// Scratch up to here is private memory, which drivers keep on the stack of a worker thread or in
/// registers.
constexpr int64_t kPrivateBytes = 64 << 10;
constexpr int64_t kLargestStackBytes = 2 << 20;

llvm::Expected<std::unique_ptr<llvm::TargetMachine>> createTarget() {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeSPIRVTargetInfo();
    LLVMInitializeSPIRVTarget();
    LLVMInitializeSPIRVTargetMC();
    LLVMInitializeSPIRVAsmPrinter();
  });
  // All that the kernels need is there in 1.2, which more devices take than later versions.
  llvm::Triple triple("spirv64v1.2-unknown-unknown");
  std::string message;
  const llvm::Target *target = llvm::TargetRegistry::lookupTarget(triple, message);
  if (!target)
    return llvm::createStringError(message);
  std::unique_ptr<llvm::TargetMachine> machine(
      target->createTargetMachine(triple, "", "", llvm::TargetOptions(), std::nullopt, std::nullopt,
                                  llvm::CodeGenOptLevel::Default));
  if (!machine)
    return llvm::createStringError("LLVM has no code generator for " + triple.str());
  return machine;
}

/// LLVM's target ends the process on vectors of other lengths than OpenCL C has.
LogicalResult checkVectors(func::FuncOp kernel) {
  WalkResult found = kernel.walk([](Operation *op) {
    for (Type type : op->getResultTypes()) {
      auto vector = dyn_cast<VectorType>(type);
      int64_t lanes = vector ? vector.getNumElements() : 1;
      if (lanes > 16 || !llvm::isPowerOf2_64(lanes)) {
        op->emitError("SPIR-V has no type for ") << type;
        return WalkResult::interrupt();
      }
    }
    return WalkResult::advance();
  });
  return failure(found.wasInterrupted());
}

int64_t bytesAttr(func::FuncOp kernel, llvm::StringRef name) {
  auto attr = kernel->getAttrOfType<IntegerAttr>(name);
  return attr ? attr.getInt() : 0;
}

/// LLVM's target merges a truncation with the extension that follows into an `and` of two types: it
/// must not see that the one follows the other.
void hideTruncations(llvm::Module &module) {
  llvm::SmallVector<llvm::TruncInst *> found;
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::instructions(function))
      if (auto *truncation = dyn_cast<llvm::TruncInst>(&instruction))
        found.push_back(truncation);
  for (llvm::TruncInst *truncation : found) {
    auto *same = new llvm::FreezeInst(truncation, "", std::next(truncation->getIterator()));
    truncation->replaceUsesWithIf(same, [&](llvm::Use &use) { return use.getUser() != same; });
  }
}

/// OpenCL's functions for the larger and the smaller number ignore a NaN, so LLVM's target loses
/// it.
void expandExtrema(llvm::Module &module) {
  llvm::SmallVector<llvm::IntrinsicInst *> found;
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::instructions(function))
      if (auto *call = dyn_cast<llvm::IntrinsicInst>(&instruction))
        if (call->getIntrinsicID() == llvm::Intrinsic::maximum ||
            call->getIntrinsicID() == llvm::Intrinsic::minimum)
          found.push_back(call);
  for (llvm::IntrinsicInst *call : found) {
    llvm::IRBuilder<> ir(call);
    llvm::Value *a = call->getArgOperand(0), *b = call->getArgOperand(1);
    auto id = call->getIntrinsicID() == llvm::Intrinsic::maximum ? llvm::Intrinsic::maxnum
                                                                 : llvm::Intrinsic::minnum;
    llvm::Value *number = ir.CreateBinaryIntrinsic(id, a, b);
    call->replaceAllUsesWith(ir.CreateSelect(ir.CreateFCmpUNO(a, b), ir.CreateFAdd(a, b), number));
    call->eraseFromParent();
  }
}

/// A kernel on its way from mapped IR to SPIR-V.
struct Program {
  llvm::LLVMContext context;
  std::unique_ptr<llvm::TargetMachine> machine;
  std::unique_ptr<llvm::Module> module;
  std::string entry;
  int64_t localBytes = 0;
  bool stops = false;
};

class SpirvBackend final : public opencl::OpenCLBackend {
public:
  llvm::StringRef name() const override { return "spirv"; }

  FailureOr<Artifact> emit(ModuleOp mapped, const Job &job) const override {
    Program program;
    if (failed(lower(mapped, job, program)))
      return failure();
    llvm::Expected<std::string> code =
        cpu::generateCode(*program.module, *program.machine, cpu::CodeForm::Object);
    if (!code)
      return mapped.emitError(llvm::toString(code.takeError()));
    Artifact artifact;
    artifact.bytes = std::move(*code);
    artifact.entry = program.entry;
    artifact.localBytes = program.localBytes;
    artifact.stops = program.stops;
    return artifact;
  }

  FailureOr<std::string> print(ModuleOp mapped, const Job &job,
                               llvm::StringRef stage) const override {
    if (stage != "llvm" && stage != "spirv")
      return mapped.emitError() << "the SPIR-V backend has no stage '" << stage << "'";
    Program program;
    if (failed(lower(mapped, job, program)))
      return failure();
    std::string text;
    if (stage == "llvm") {
      llvm::raw_string_ostream stream(text);
      program.module->print(stream, nullptr);
      return text;
    }
    llvm::Expected<std::string> code =
        cpu::generateCode(*program.module, *program.machine, cpu::CodeForm::Assembly);
    if (!code)
      return mapped.emitError(llvm::toString(code.takeError()));
    return std::move(*code);
  }

private:
  const cpu::OpTable &ops() const {
    static const cpu::OpTable table = [] {
      cpu::OpTable all = cpu::defaultOps();
      addAtomics(all);
      addBuiltins(all);
      return all;
    }();
    return table;
  }

  /// Decides where the program's scratch memory is.
  LogicalResult placeScratch(func::FuncOp kernel, const opencl::Features &features,
                             cpu::EmitOptions &options, Program &program) const {
    int64_t bytes = bytesAttr(kernel, "tritonrt.scratch_bytes");
    bool isLocal = bytes > kPrivateBytes && bytes <= features.localBytes;
    if (bytes > kLargestStackBytes && !isLocal)
      return kernel.emitError() << "the kernel needs " << bytes
                                << " bytes of memory a program; the device has "
                                << features.localBytes << " bytes of local memory";
    options.scratchSpace = isLocal ? Local : Private;
    program.localBytes = isLocal ? bytes : 0;
    return success();
  }

  /// LLVM IR of the kernel.
  LogicalResult lower(ModuleOp mapped, const Job &job, Program &program) const {
    auto kernels = mapped.getOps<func::FuncOp>();
    if (!llvm::hasSingleElement(kernels))
      return mapped.emitError("a mapped module holds one function");
    func::FuncOp kernel = *kernels.begin();
    if (job.traits.simt)
      return kernel.emitError("the SPIR-V backend has the vector mapping only");
    if (kernel->hasAttr("tritonrt.mesh_bytes"))
      return kernel.emitError("the SPIR-V backend has no programs that talk");
    PassList legalization;
    addLegalization(legalization, job);
    if (failed(std::move(legalization).run(mapped)) || failed(checkVectors(kernel)))
      return failure();
    auto machine = createTarget();
    if (!machine)
      return mapped.emitError(llvm::toString(machine.takeError()));
    program.machine = std::move(*machine);
    program.module = std::make_unique<llvm::Module>("kernel", program.context);
    program.module->setDataLayout(program.machine->createDataLayout());
    program.module->setTargetTriple(program.machine->getTargetTriple());
    program.entry = "kernel_" + opencl::identifier(kernel.getSymName(), 64);
    cpu::EmitOptions options;
    options.disjoint = job.special.getFlag("disjoint", false);
    options.hasMasks = false;
    options.scope = program.context.getOrInsertSyncScopeID("device");
    options.globalSpace = Global;
    options.localSpace = Local;
    options.device = "SPIR-V";
    if (failed(placeScratch(kernel, opencl::Features(job.target), options, program)))
      return failure();
    IlEmitter emitter(*program.module, options, ops());
    if (failed(emitter.emitKernel(kernel, program.entry)))
      return failure();
    program.stops = emitter.stopWords() != nullptr;
    hideTruncations(*program.module);
    expandExtrema(*program.module);
    std::string problem;
    llvm::raw_string_ostream stream(problem);
    if (llvm::verifyModule(*program.module, &stream))
      return mapped.emitError("the SPIR-V backend made invalid LLVM IR: ") << problem;
    return success();
  }
};

/// Joins the backends when the library is loaded.
const bool registered = [] {
  registerBackend(std::make_unique<SpirvBackend>());
  return true;
}();

} // namespace

} // namespace tritonrt::compiler::spirv
