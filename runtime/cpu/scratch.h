// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TRITONRT_RUNTIME_CPU_SCRATCH_H_
#define TRITONRT_RUNTIME_CPU_SCRATCH_H_

#include <cstddef>

namespace tritonrt::runtime {

// `size` bytes of undefined content, aligned to 64, that belong to the calling thread until its
// next call. Kept for the next one; null when memory is out.
void* thread_scratch(std::size_t size) noexcept;

}  // namespace tritonrt::runtime

#endif  // TRITONRT_RUNTIME_CPU_SCRATCH_H_
