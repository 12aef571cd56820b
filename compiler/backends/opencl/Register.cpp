// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/backends/opencl/OpenCLBackend.h"

namespace tritonrt::compiler::opencl {

/// Joins the backends when the library is loaded: main code never names one.
static const bool registered = [] {
  registerBackend(std::make_unique<OpenCLBackend>());
  return true;
}();

} // namespace tritonrt::compiler::opencl
