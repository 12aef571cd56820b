// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TRITONRT_RUNTIME_CPU_MESH_MEMORY_H_
#define TRITONRT_RUNTIME_CPU_MESH_MEMORY_H_

#include <cstddef>
#include <mutex>
#include <vector>

namespace tritonrt::runtime {

// What programs of a mesh need beside each other: bytes for their data, and a stack each with a
// page in front of it that nobody may touch.
struct MeshMemory {
  char* start = nullptr;
  std::size_t data = 0;  // bytes, whole pages; the stacks lie behind
  std::size_t stacks = 0;

  std::size_t bytes() const;
  // Where the stack of program `i` begins, kStackBytes long.
  char* stack(std::size_t i) const;

  // Kernels keep what is large in scratch; calls of the C library's functions need the rest.
  static constexpr std::size_t kStackBytes = 256 << 10;
};

// Memory of launches that have ended, for those that come: making it anew costs a page fault for
// each page. Safe for use by several threads.
class MeshMemoryPool {
 public:
  MeshMemoryPool() = default;
  ~MeshMemoryPool();
  MeshMemoryPool(const MeshMemoryPool&) = delete;
  MeshMemoryPool& operator=(const MeshMemoryPool&) = delete;

  // At least as much as asked for; the content is undefined. Throws kOutOfMemory.
  MeshMemory take(std::size_t data, std::size_t stacks);
  void give_back(const MeshMemory& memory) noexcept;

 private:
  std::mutex mutex_;
  std::vector<MeshMemory> kept_;  // the one given back last at the end
  std::size_t kept_bytes_ = 0;
};

}  // namespace tritonrt::runtime

#endif  // TRITONRT_RUNTIME_CPU_MESH_MEMORY_H_
