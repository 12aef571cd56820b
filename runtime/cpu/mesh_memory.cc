// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/cpu/mesh_memory.h"

#include <sys/mman.h>

#include <algorithm>
#include <iterator>
#include <new>
#include <string>

#include "tritonrt/error.h"

namespace tritonrt::runtime {
namespace {

constexpr std::size_t kPage = 4096;
// What the pool keeps at most.
constexpr std::size_t kMostKept = 256 << 20;

// Stacks are mostly pages that were never touched.
std::size_t cost(const MeshMemory& memory) { return memory.data + memory.stacks * 4 * kPage; }

void release(const MeshMemory& memory) noexcept { munmap(memory.start, memory.bytes()); }

}  // namespace

std::size_t MeshMemory::bytes() const { return data + stacks * (kStackBytes + kPage); }

char* MeshMemory::stack(std::size_t i) const {
  return start + data + i * (kStackBytes + kPage) + kPage;
}

MeshMemoryPool::~MeshMemoryPool() {
  for (const MeshMemory& memory : kept_) release(memory);
}

MeshMemory MeshMemoryPool::take(std::size_t data, std::size_t stacks) {
  data = (data + kPage - 1) / kPage * kPage;
  {
    const std::lock_guard lock(mutex_);
    // Not the memory of something much larger, which would come to hold it.
    const auto fits = [&](const MeshMemory& memory) {
      return memory.data >= data && memory.data / 4 <= data && memory.stacks >= stacks &&
             memory.stacks / 4 <= stacks;
    };
    const auto found = std::find_if(kept_.rbegin(), kept_.rend(), fits);
    if (found != kept_.rend()) {
      const MeshMemory memory = *found;
      kept_.erase(std::next(found).base());
      kept_bytes_ -= cost(memory);
      return memory;
    }
  }
  MeshMemory made{nullptr, data, stacks};
  void* const start = mmap(nullptr, made.bytes(), PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (start == MAP_FAILED)
    throw Error(ErrorCode::kOutOfMemory, "no memory for the " + std::to_string(stacks) +
                                             " programs of a mesh, " +
                                             std::to_string(made.bytes()) + " bytes together");
  made.start = static_cast<char*>(start);
  // What runs over its stack must not write into its neighbour's.
  for (std::size_t i = 0; i < stacks; ++i) mprotect(made.stack(i) - kPage, kPage, PROT_NONE);
  return made;
}

void MeshMemoryPool::give_back(const MeshMemory& memory) noexcept {
  std::vector<MeshMemory> old;
  {
    const std::lock_guard lock(mutex_);
    try {
      old.reserve(kept_.size() + 1);
      kept_.push_back(memory);
      kept_bytes_ += cost(memory);
      while (kept_bytes_ > kMostKept) {
        old.push_back(kept_.front());
        kept_bytes_ -= cost(kept_.front());
        kept_.erase(kept_.begin());
      }
    } catch (const std::bad_alloc&) {
      release(memory);
      return;
    }
  }
  for (const MeshMemory& one : old) release(one);
}

}  // namespace tritonrt::runtime
