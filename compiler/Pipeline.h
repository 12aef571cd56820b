// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel's whole way through the compiler.
#ifndef TRITONRT_COMPILER_PIPELINE_H
#define TRITONRT_COMPILER_PIPELINE_H

#include "compiler/backends/Backend.h"

namespace tritonrt::compiler {

struct CompiledKernel {
  std::string artifact;
  /// Lines as kernel_abi.h describes them, without the `arg=` lines.
  std::string metadata;
};

/// The backend for a target, which options `target.KEY` change; nullptr where there is none.
const Backend *backendFor(llvm::StringRef target, llvm::StringRef options);

/// Fills `job` from the three texts of the compiler interface. Fails with a diagnostic at `module`
/// where the target names no backend.
mlir::FailureOr<const Backend *> prepareJob(mlir::ModuleOp module, llvm::StringRef kernel,
                                            llvm::StringRef target, llvm::StringRef options,
                                            llvm::StringRef special, Job &job);

/// Compiles the kernel of a verified tt module. `module` is changed; give it a clone. Failures are
/// diagnostics.
mlir::FailureOr<CompiledKernel> compileKernel(mlir::ModuleOp module, const Backend &backend,
                                              const Job &job);

/// The `writes=` line of a kernel's metadata. `module` is changed. Failures are diagnostics: what
/// cannot be lowered cannot be told.
mlir::FailureOr<std::string> describeWrites(mlir::ModuleOp module, llvm::StringRef kernel);

/// The text of a stage after `tt`: tile nests linalg mapped, or one of the backend's own.
mlir::FailureOr<std::string> printStage(mlir::ModuleOp module, const Backend &backend,
                                        const Job &job, llvm::StringRef stage);

} // namespace tritonrt::compiler

#endif // TRITONRT_COMPILER_PIPELINE_H
