// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TRITONRT_RUNTIME_CPU_MEMORY_POOL_H_
#define TRITONRT_RUNTIME_CPU_MEMORY_POOL_H_

#include <array>
#include <cstddef>
#include <mutex>
#include <vector>

namespace tritonrt::runtime {

// Host memory in size classes, eight to an octave, kept for reuse up to a limit. Blocks are
// aligned to 64 bytes, large ones to a huge page. Thread safe. A block must not be in use when it
// is released: queued launches keep their buffers, so none is.
class MemoryPool {
 public:
  struct Block {
    void* data = nullptr;
    std::size_t capacity = 0;
  };

  explicit MemoryPool(std::size_t keep_bytes) : keep_bytes_(keep_bytes) {}
  ~MemoryPool();
  MemoryPool(const MemoryPool&) = delete;
  MemoryPool& operator=(const MemoryPool&) = delete;

  // Throws kOutOfMemory, after giving back what is kept and trying again.
  Block allocate(std::size_t size);
  void release(Block block) noexcept;
  // Gives everything kept back to the system.
  void trim() noexcept;
  std::size_t kept_bytes() const;

 private:
  static constexpr std::size_t kClasses = std::size_t{8} * 48;
  const std::size_t keep_bytes_;
  mutable std::mutex mutex_;
  std::size_t kept_ = 0;
  std::array<std::vector<void*>, kClasses> free_;
};

}  // namespace tritonrt::runtime

#endif  // TRITONRT_RUNTIME_CPU_MEMORY_POOL_H_
