// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TRITONRT_RUNTIME_HOST_PAGES_H_
#define TRITONRT_RUNTIME_HOST_PAGES_H_

#include <sys/mman.h>

#include <cstddef>
#include <cstdlib>

namespace tritonrt::runtime {

inline constexpr std::size_t kHugePage = std::size_t{2} << 20;

// From how many bytes on memory begins at a huge page, and consists of such where the system can.
inline constexpr std::size_t kLargeBlock = 2 * kHugePage;

// Host memory aligned to 64 bytes, large blocks to a huge page: with small pages, kernels that walk
// through large arrays wait for address translations. Null where there is none; goes back by
// free().
inline void* allocate_host_pages(std::size_t size) noexcept {
  constexpr std::size_t kAlignment = 64;
  const bool large = size >= kLargeBlock;
  const std::size_t alignment = large ? kHugePage : kAlignment;
  const std::size_t rounded = (size + alignment - 1) / alignment * alignment;
  void* data = std::aligned_alloc(alignment, rounded);
#ifdef MADV_HUGEPAGE
  if (large && data != nullptr) madvise(data, rounded, MADV_HUGEPAGE);
#endif
  return data;
}

}  // namespace tritonrt::runtime

#endif  // TRITONRT_RUNTIME_HOST_PAGES_H_
