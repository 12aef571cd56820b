// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TRITONRT_RUNTIME_CPU_CPU_TARGET_H_
#define TRITONRT_RUNTIME_CPU_CPU_TARGET_H_

#include <string>

namespace tritonrt::runtime {

// The processor's marketing name, or its architecture where it gives none.
std::string processor_name();

// The target description of this machine's processor: every feature bit that code generation may
// rely on, so that code for one processor is never run on another.
std::string cpu_target_text();

}  // namespace tritonrt::runtime

#endif  // TRITONRT_RUNTIME_CPU_CPU_TARGET_H_
