// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TRITONRT_RUNTIME_CPU_SYSTEM_MEMORY_H_
#define TRITONRT_RUNTIME_CPU_SYSTEM_MEMORY_H_

#include "tritonrt/memory.h"

namespace tritonrt::runtime {

// Host memory from the system: aligned to 64 bytes, large blocks to a huge page.
class SystemMemory final : public MemoryResource {
 public:
  MemoryBlock allocate(std::size_t size) override;
  void release(const MemoryBlock& block) noexcept override;
};

}  // namespace tritonrt::runtime

#endif  // TRITONRT_RUNTIME_CPU_SYSTEM_MEMORY_H_
