// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TRITONRT_RUNTIME_CPU_CPU_TARGET_H_
#define TRITONRT_RUNTIME_CPU_CPU_TARGET_H_

#include <string>
#include <string_view>

namespace tritonrt::runtime {

// The processor's marketing name, or its architecture where it gives none.
std::string processor_name();

// The target description of this machine's processor: every feature bit that code generation may
// rely on, so that code for one processor is never run on another.
std::string cpu_target_text();

// The same by the name of a level of instruction sets, for compilers on other machines: code for it
// runs on every processor of that level.
std::string cpu_portable_target_text();

// How well code for a target runs on this processor; 0 where it uses what the processor, or its
// system, has not.
int cpu_suits(std::string_view target);

}  // namespace tritonrt::runtime

#endif  // TRITONRT_RUNTIME_CPU_CPU_TARGET_H_
