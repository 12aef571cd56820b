// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The backend that writes OpenCL C. Backends for devices of one vendor inherit it.
#ifndef TRITONRT_COMPILER_BACKENDS_OPENCL_OPENCLBACKEND_H
#define TRITONRT_COMPILER_BACKENDS_OPENCL_OPENCLBACKEND_H

#include "compiler/backends/opencl/Emitter.h"

#include <mutex>

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
  /// Passes over mapped IR that leave what the device computes in, and what it computes exactly.
  virtual void addLegalization(PassList &passes, const Job &job) const;
  /// Changes how ops are written, or adds some. The table holds `defaultHandlers`.
  virtual void addHandlers(HandlerTable &table) const {}

private:
  const HandlerTable &handlers() const;

  mutable std::once_flag filled;
  mutable HandlerTable table;
};

} // namespace tritonrt::compiler::opencl

#endif // TRITONRT_COMPILER_BACKENDS_OPENCL_OPENCLBACKEND_H
