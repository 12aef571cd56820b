// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TRITONRT_COMPILER_BACKENDS_CPU_CPUBACKEND_H
#define TRITONRT_COMPILER_BACKENDS_CPU_CPUBACKEND_H

namespace tritonrt::compiler {

/// Registers the backend `cpu`: native code for the host's own processor. Called once a process.
void registerCpuBackend();

} // namespace tritonrt::compiler

#endif // TRITONRT_COMPILER_BACKENDS_CPU_CPUBACKEND_H
