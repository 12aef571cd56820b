// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mapped IR to the LLVM IR that LLVM's SPIR-V target takes: the CPU backend's emitter with OpenCL's
// address spaces, entry and built-in functions.
#ifndef TRITONRT_BACKENDS_SPIRV_ILEMITTER_H
#define TRITONRT_BACKENDS_SPIRV_ILEMITTER_H

#include "compiler/backends/cpu/LlvmEmitter.h"

namespace tritonrt::compiler::spirv {

/// OpenCL's address spaces in LLVM.
enum Space : unsigned { Private = 0, Global = 1, Local = 3 };

class IlEmitter : public cpu::LlvmEmitter {
public:
  IlEmitter(llvm::Module &module, const cpu::EmitOptions &options, const cpu::OpTable &table)
      : LlvmEmitter(module, options, table) {}

  /// Emits a kernel as kernel_abi.h describes those of OpenCL, with one work-item a program.
  mlir::LogicalResult emitKernel(mlir::func::FuncOp kernel, llvm::StringRef entry);

  /// Calls a built-in function of OpenCL C on values of one type.
  llvm::Value *callBuiltin(llvm::StringRef name, llvm::Type *result,
                           llvm::ArrayRef<llvm::Value *> operands, bool isSigned);
  /// The program's scratch memory.
  llvm::Value *scratchMemory() const { return memory; }
  /// The two words of launches that may be told to stop; nullptr where no loop waits.
  llvm::Value *stopWords() const { return words; }
  /// A variable of the program's.
  llvm::AllocaInst *variable(llvm::Type *type, llvm::Align align);

private:
  llvm::Function *createKernel(mlir::func::FuncOp kernel, llvm::StringRef entry);
  void bindArguments(mlir::func::FuncOp kernel);

  llvm::Value *memory = nullptr;
  llvm::Value *words = nullptr;
};

/// What differs from the CPU.
void addAtomics(cpu::OpTable &table);
void addBuiltins(cpu::OpTable &table);

} // namespace tritonrt::compiler::spirv

#endif // TRITONRT_BACKENDS_SPIRV_ILEMITTER_H
