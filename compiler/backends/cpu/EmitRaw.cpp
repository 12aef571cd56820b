// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parts of a kernel that are written in the LLVM dialect (TLE-Raw): MLIR's own translation writes
// them as functions, which are then put in place of their calls.
#include "compiler/Fault.h"
#include "compiler/backends/cpu/LlvmEmitter.h"

#include "compiler/dialect/mem/Mem.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace mlir;

namespace tritonrt::compiler::cpu {

namespace {

/// On the functions that came from regions.
constexpr llvm::StringLiteral kRaw = "tritonrt.raw";

/// Artifacts need nothing but the C library.
LogicalResult checkDeclarations(ModuleOp mapped, const llvm::Module &module) {
  llvm::TargetLibraryInfoImpl library(module.getTargetTriple());
  for (const llvm::Function &function : module) {
    llvm::LibFunc known;
    if (!function.isDeclaration() || function.use_empty() || function.isIntrinsic() ||
        library.getLibFunc(function, known))
      continue;
    return mapped.emitError() << "a tle.dsl_region calls '" << function.getName().str()
                              << "', which neither the module nor the C library has";
  }
  return success();
}

LogicalResult emitCall(LlvmEmitter &e, mem::CallOp op) {
  llvm::Function *callee = e.ir.GetInsertBlock()->getModule()->getFunction(op.getCallee());
  if (!callee)
    return emitFault(op, "a region's function is not in the module");
  llvm::SmallVector<llvm::Value *> operands;
  for (Value operand : op.getOperands())
    operands.push_back(e.get(operand));
  llvm::CallInst *call = e.ir.CreateCall(callee, operands);
  if (op.getNumResults() == 1)
    e.set(op.getResult(0), call);
  else
    for (auto [i, result] : llvm::enumerate(op.getResults()))
      e.set(result, e.ir.CreateExtractValue(call, unsigned(i)));
  return success();
}

} // namespace

LogicalResult addRawFunctions(ModuleOp mapped, llvm::Module &module) {
  auto functions = mapped.getOps<LLVM::LLVMFuncOp>();
  if (functions.empty())
    return success();
  OwningOpRef<ModuleOp> own = ModuleOp::create(mapped.getLoc());
  for (LLVM::LLVMFuncOp function : functions)
    own->push_back(function->clone());
  MLIRContext *context = mapped.getContext();
  registerBuiltinDialectTranslation(*context);
  registerLLVMDialectTranslation(*context);
  std::unique_ptr<llvm::Module> translated =
      translateModuleToLLVMIR(*own, module.getContext(), "regions");
  if (!translated)
    return mapped.emitError("a tle.dsl_region cannot be translated to LLVM IR; write it with ops "
                            "that mlir-translate --mlir-to-llvmir takes");
  translated->setDataLayout(module.getDataLayout());
  translated->setTargetTriple(module.getTargetTriple());
  if (failed(checkDeclarations(mapped, *translated)))
    return failure();
  for (llvm::Function &function : *translated)
    if (!function.isDeclaration())
      function.addFnAttr(kRaw);
  if (llvm::Linker::linkModules(module, std::move(translated)))
    return mapped.emitError("the functions that the kernel's tle.dsl_regions declare differ under "
                            "one name; give each a name of its own");
  for (llvm::Function &function : module)
    if (function.hasFnAttribute(kRaw))
      function.setLinkage(llvm::Function::InternalLinkage);
  return success();
}

void inlineRawFunctions(llvm::Module &module) {
  for (llvm::Function &function : module) {
    if (!function.hasFnAttribute(kRaw))
      continue;
    for (llvm::User *user : llvm::make_early_inc_range(function.users()))
      if (auto *call = llvm::dyn_cast<llvm::CallInst>(user);
          call && call->getCalledFunction() == &function && call->getFunction() != &function) {
        llvm::InlineFunctionInfo info;
        llvm::InlineFunction(*call, info);
      }
  }
}

void addRawOps(OpTable &table) {
  table.add<mem::CallOp>([](LlvmEmitter &e, mem::CallOp op) { return emitCall(e, op); });
}

} // namespace tritonrt::compiler::cpu
