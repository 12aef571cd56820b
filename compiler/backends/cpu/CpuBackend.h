// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The backend that makes native code for processors. Backends for one kind of them inherit it.
#ifndef TRITONRT_COMPILER_BACKENDS_CPU_CPUBACKEND_H
#define TRITONRT_COMPILER_BACKENDS_CPU_CPUBACKEND_H

#include "compiler/backends/Backend.h"
#include "compiler/backends/cpu/LlvmEmitter.h"

#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"
#include "llvm/Target/TargetMachine.h"

#include <mutex>

namespace tritonrt::compiler::cpu {

/// A kernel on its way from mapped IR to machine code.
struct Native {
  llvm::LLVMContext context;
  std::unique_ptr<llvm::TargetMachine> machine;
  std::unique_ptr<llvm::Module> module;
};

class CpuBackend : public Backend {
public:
  llvm::StringRef name() const override { return "cpu"; }
  TargetTraits describe(const KeyValues &target) const override;
  mlir::FailureOr<Artifact> emit(mlir::ModuleOp mapped, const Job &job) const override;
  mlir::FailureOr<std::string> print(mlir::ModuleOp mapped, const Job &job,
                                     llvm::StringRef stage) const override;

protected:
  /// Passes over mapped IR that leave the floats and functions that the processor has, and calls of
  /// the C library.
  virtual void addLegalization(PassList &passes, const llvm::TargetMachine &machine) const;
  /// Changes how ops are emitted, or adds some. The table holds `defaultOps`.
  virtual void addOps(OpTable &table) const {}
  /// LLVM's passes.
  virtual void optimize(Native &native) const;
  /// The toolchain: from LLVM IR, not yet optimised, to a shared object.
  virtual llvm::Expected<std::string> compile(Native &native, const Job &job) const;

  /// LLVM IR of the kernel, not yet optimised; nullptr after a diagnostic.
  std::unique_ptr<Native> lower(mlir::ModuleOp mapped, const Job &job) const;

private:
  const OpTable &ops() const;

  mutable std::once_flag filled;
  mutable OpTable table;
};

} // namespace tritonrt::compiler::cpu

#endif // TRITONRT_COMPILER_BACKENDS_CPU_CPUBACKEND_H
