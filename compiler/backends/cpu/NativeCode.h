// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM IR to a shared object, in process: optimiser, code generator, linker.
#ifndef TRITONRT_COMPILER_BACKENDS_CPU_NATIVECODE_H
#define TRITONRT_COMPILER_BACKENDS_CPU_NATIVECODE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <memory>
#include <string>

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace tritonrt::compiler::cpu {

/// A target machine for code that is loaded into a process. `cpu` is LLVM's name of a processor;
/// empty: this machine's, with the features that it shows.
llvm::Expected<std::unique_ptr<llvm::TargetMachine>> createTarget(llvm::StringRef cpu);

/// What LLVM's O3 does for loops over vectors, with the target's costs. The rest of O3 (inlining,
/// vectorising, scalar evolution at every turn) finds nothing in a kernel and takes half of the
/// time, quadratic in its loops.
void optimize(llvm::Module &module, llvm::TargetMachine &target);

/// Writes masked stores of integers whose lanes are known as stores without masks. Code generation
/// must see none of them.
void splitConstantMasks(llvm::Module &module);

enum class CodeForm { Object, Assembly };
llvm::Expected<std::string> generateCode(llvm::Module &module, llvm::TargetMachine &target,
                                         CodeForm form);

/// Links an object to a shared object, which needs the C library's math part if it calls out.
llvm::Expected<std::string> link(llvm::StringRef object);

/// The second toolchain: hands the module, not yet optimised, to the system's clang.
llvm::Expected<std::string> compileWithClang(llvm::Module &module, llvm::TargetMachine &target);

} // namespace tritonrt::compiler::cpu

#endif // TRITONRT_COMPILER_BACKENDS_CPU_NATIVECODE_H
