// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/backends/cpu/CpuBackend.h"

namespace tritonrt::compiler::cpu {

/// Joins the backends when the library is loaded: main code never names one.
static const bool registered = [] {
  registerBackend(std::make_unique<CpuBackend>());
  return true;
}();

} // namespace tritonrt::compiler::cpu
