// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "src/replay/exact_memory.h"

#include <sys/mman.h>
#include <unistd.h>

#include "tritonrt/error.h"

namespace tritonrt::replay {
namespace {

class GuardedMemory final : public MemoryResource {
 public:
  MemoryBlock allocate(std::size_t size) override {
    const std::size_t whole = mapped_bytes(size);
    void* const start =
        ::mmap(nullptr, whole, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    char* const first = static_cast<char*>(start) + page_;
    if (start == MAP_FAILED || ::mprotect(first, whole - 2 * page_, PROT_READ | PROT_WRITE) != 0) {
      if (start != MAP_FAILED) ::munmap(start, whole);
      throw Error(ErrorCode::kOutOfMemory, "mapping " + std::to_string(whole) + " bytes");
    }
    MemoryBlock block;
    block.memory = static_cast<char*>(start) + whole - page_ - size;
    block.size = size;
    return block;
  }

  void release(const MemoryBlock& block) noexcept override {
    const std::size_t whole = mapped_bytes(block.size);
    ::munmap(static_cast<char*>(block.memory) + block.size + page_ - whole, whole);
  }

 private:
  // The pages of the block and one on each side.
  std::size_t mapped_bytes(std::size_t size) const {
    return (size + page_ - 1) / page_ * page_ + 2 * page_;
  }

  const std::size_t page_ = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
};

}  // namespace

std::shared_ptr<MemoryResource> exact_memory(const Device& device) {
  if (device.info().platform == "native") return std::make_shared<GuardedMemory>();
  return device.memory_upstream();
}

}  // namespace tritonrt::replay
