// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/cpu/memory_pool.h"

#include <sys/mman.h>

#include <bit>
#include <cstdlib>
#include <new>
#include <string>

#include "tritonrt/error.h"

namespace tritonrt::runtime {
namespace {

constexpr std::size_t kAlignment = 64;
constexpr std::size_t kHugePage = std::size_t{2} << 20;
constexpr std::size_t kMaxSize = std::size_t{1} << 50;

struct SizeClass {
  std::size_t index;
  std::size_t capacity;
};

// Eight classes between powers of two, so that at most an eighth is wasted. REQUIRES: size > 0.
SizeClass size_class(std::size_t size) {
  const std::size_t lines = (size + kAlignment - 1) / kAlignment;
  if (lines <= 8) return {lines - 1, lines * kAlignment};
  const int octave = std::bit_width(lines - 1) - 4;  // lines in (8 << octave, 16 << octave]
  const std::size_t step = std::size_t{1} << octave;
  const std::size_t eighths = (lines + step - 1) / step;  // 9 .. 16
  return {static_cast<std::size_t>(octave) * 8 + eighths - 1, eighths * step * kAlignment};
}

void* system_allocate(std::size_t capacity) {
  const bool large = capacity >= 2 * kHugePage;
  const std::size_t alignment = large ? kHugePage : kAlignment;
  const std::size_t rounded = (capacity + alignment - 1) / alignment * alignment;
  void* data = std::aligned_alloc(alignment, rounded);
#ifdef MADV_HUGEPAGE
  if (large && data != nullptr) madvise(data, rounded, MADV_HUGEPAGE);
#endif
  return data;
}

}  // namespace

MemoryPool::~MemoryPool() { trim(); }

MemoryPool::Block MemoryPool::allocate(std::size_t size) {
  if (size == 0) size = 1;
  if (size > kMaxSize)
    throw Error(ErrorCode::kOutOfMemory, "cannot allocate " + std::to_string(size) + " bytes");
  const SizeClass c = size_class(size);
  {
    const std::lock_guard lock(mutex_);
    std::vector<void*>& list = free_[c.index];
    if (!list.empty()) {
      void* data = list.back();
      list.pop_back();
      kept_ -= c.capacity;
      return {data, c.capacity};
    }
  }
  void* data = system_allocate(c.capacity);
  if (data == nullptr) {
    trim();
    data = system_allocate(c.capacity);
  }
  if (data == nullptr)
    throw Error(ErrorCode::kOutOfMemory, "cannot allocate " + std::to_string(size) + " bytes");
  return {data, c.capacity};
}

void MemoryPool::release(Block block) noexcept {
  try {
    const std::lock_guard lock(mutex_);
    if (block.capacity <= keep_bytes_ && kept_ <= keep_bytes_ - block.capacity) {
      free_[size_class(block.capacity).index].push_back(block.data);
      kept_ += block.capacity;
      return;
    }
  } catch (const std::bad_alloc&) {
    // No room for the list's entry: the block itself makes some.
  }
  std::free(block.data);
}

void MemoryPool::trim() noexcept {
  const std::lock_guard lock(mutex_);
  for (std::vector<void*>& list : free_) {
    for (void* data : list) std::free(data);
    list.clear();
  }
  kept_ = 0;
}

std::size_t MemoryPool::kept_bytes() const {
  const std::lock_guard lock(mutex_);
  return kept_;
}

}  // namespace tritonrt::runtime
