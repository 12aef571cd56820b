// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The backend that writes OpenCL C. Backends for devices of one vendor inherit it.
#ifndef TRITONRT_COMPILER_BACKENDS_OPENCL_OPENCLBACKEND_H
#define TRITONRT_COMPILER_BACKENDS_OPENCL_OPENCLBACKEND_H

#include "compiler/backends/opencl/Features.h"

namespace tritonrt::compiler::opencl {

class OpenCLBackend : public Backend {
public:
  llvm::StringRef name() const override { return "opencl"; }
  TargetTraits describe(const KeyValues &target) const override;
  mlir::FailureOr<Artifact> emit(mlir::ModuleOp mapped, const Job &job) const override;
  mlir::FailureOr<std::string> print(mlir::ModuleOp mapped, const Job &job,
                                     llvm::StringRef stage) const override;

protected:
  virtual const Vendor &vendor() const;
};

} // namespace tritonrt::compiler::opencl

#endif // TRITONRT_COMPILER_BACKENDS_OPENCL_OPENCLBACKEND_H
