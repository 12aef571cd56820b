// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/cpu/system_memory.h"

#include <cstdlib>
#include <string>

#include "runtime/host_pages.h"
#include "tritonrt/error.h"

namespace tritonrt::runtime {

MemoryBlock SystemMemory::allocate(std::size_t size) {
  void* data = allocate_host_pages(size);
  if (data == nullptr)
    throw Error(ErrorCode::kOutOfMemory, "cannot allocate " + std::to_string(size) + " bytes");
  MemoryBlock block;
  block.memory = data;
  block.size = size;
  return block;
}

void SystemMemory::release(const MemoryBlock& block) noexcept { std::free(block.memory); }

}  // namespace tritonrt::runtime
