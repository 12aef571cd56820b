// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/backends/cpu/NativeCode.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/SmallVectorMemoryBuffer.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Target/TargetOptions.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/SubtargetFeature.h"

#include <mutex>

namespace tritonrt::compiler::cpu {

namespace {

std::string hostFeatures() {
  llvm::SubtargetFeatures features;
  for (const auto &entry : llvm::sys::getHostCPUFeatures())
    features.AddFeature(entry.getKey(), entry.getValue());
  return features.getString();
}

} // namespace

llvm::Expected<std::unique_ptr<llvm::TargetMachine>> createTarget(llvm::StringRef cpu) {
  static std::once_flag once;
  std::call_once(once, [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
  });
  static const std::string hostCpu = llvm::sys::getHostCPUName().str();
  static const std::string features = hostFeatures();
  llvm::Triple triple(llvm::sys::getProcessTriple());
  std::string message;
  const llvm::Target *target = llvm::TargetRegistry::lookupTarget(triple, message);
  if (!target)
    return llvm::createStringError(message);
  llvm::TargetOptions options;
  std::unique_ptr<llvm::TargetMachine> machine(target->createTargetMachine(
      triple, cpu.empty() ? hostCpu : cpu, cpu.empty() ? features : std::string(), options,
      llvm::Reloc::PIC_, llvm::CodeModel::Small, llvm::CodeGenOptLevel::Default));
  if (!machine)
    return llvm::createStringError("LLVM has no code generator for " + triple.str());
  return machine;
}

void optimize(llvm::Module &module, llvm::TargetMachine &target) {
  llvm::PipelineTuningOptions tuning;
  // Vectors are made by our own mapping; what it left scalar is meant to be.
  tuning.LoopVectorization = true;
  tuning.SLPVectorization = false;
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder(&target, tuning);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O3).run(module, modules);
}

llvm::Expected<std::string> generateCode(llvm::Module &module, llvm::TargetMachine &target,
                                         CodeForm form) {
  llvm::SmallString<0> code;
  llvm::raw_svector_ostream stream(code);
  llvm::legacy::PassManager passes;
  auto type = form == CodeForm::Object ? llvm::CodeGenFileType::ObjectFile
                                       : llvm::CodeGenFileType::AssemblyFile;
  if (target.addPassesToEmitFile(passes, stream, nullptr, type, /*DisableVerify=*/true))
    return llvm::createStringError("LLVM cannot write code for " + target.getTargetTriple().str());
  passes.run(module);
  return std::string(code);
}

} // namespace tritonrt::compiler::cpu
