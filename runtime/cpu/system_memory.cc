// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/cpu/system_memory.h"

#include <sys/mman.h>

#include <cstdlib>
#include <string>

#include "tritonrt/error.h"

namespace tritonrt::runtime {
namespace {

constexpr std::size_t kAlignment = 64;
constexpr std::size_t kHugePage = std::size_t{2} << 20;

}  // namespace

MemoryBlock SystemMemory::allocate(std::size_t size) {
  const bool large = size >= 2 * kHugePage;
  const std::size_t alignment = large ? kHugePage : kAlignment;
  const std::size_t rounded = (size + alignment - 1) / alignment * alignment;
  void* data = std::aligned_alloc(alignment, rounded);
  if (data == nullptr)
    throw Error(ErrorCode::kOutOfMemory, "cannot allocate " + std::to_string(size) + " bytes");
#ifdef MADV_HUGEPAGE
  if (large) madvise(data, rounded, MADV_HUGEPAGE);
#endif
  MemoryBlock block;
  block.memory = data;
  block.size = size;
  return block;
}

void SystemMemory::release(const MemoryBlock& block) noexcept { std::free(block.memory); }

}  // namespace tritonrt::runtime
