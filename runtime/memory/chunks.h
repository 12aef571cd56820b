// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TRITONRT_RUNTIME_MEMORY_CHUNKS_H_
#define TRITONRT_RUNTIME_MEMORY_CHUNKS_H_

#include <cstddef>
#include <map>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "tritonrt/memory.h"

namespace tritonrt::runtime {

// Large pieces of memory that smaller blocks are cut from, by best fit; free neighbours merge. Not
// thread safe.
class Chunks {
 public:
  // The chunk becomes one free stretch.
  void add(const MemoryBlock& chunk);
  // Cuts a block of exactly `size` bytes. False where no stretch is long enough.
  bool cut(std::size_t size, MemoryBlock& block);
  // Takes a block back.
  void give_back(const MemoryBlock& block);
  // Takes out the chunks of which nothing is in use.
  std::vector<MemoryBlock> take_free();
  // Takes out all of them, whatever is in use.
  std::vector<MemoryBlock> take_all();

 private:
  // When a stretch was used last: of several that merged, the one's or an unknown time.
  struct Stretch {
    std::size_t size;
    std::uint64_t last_write;
    std::uint64_t last_read;
  };
  struct Chunk {
    MemoryBlock whole;
    std::map<std::size_t, Stretch> free;  // by offset
  };
  using Place = std::pair<std::size_t, std::pair<void*, std::size_t>>;  // size, memory, offset

  static Stretch merged(const Stretch& a, const Stretch& b);
  void insert(Chunk& chunk, std::size_t offset, const Stretch& stretch);
  void erase(Chunk& chunk, std::map<std::size_t, Stretch>::iterator at);

  std::unordered_map<void*, Chunk> chunks_;
  std::set<Place> by_size_;  // every free stretch
};

}  // namespace tritonrt::runtime

#endif  // TRITONRT_RUNTIME_MEMORY_CHUNKS_H_
