// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/memory/chunks.h"

#include <iterator>

#include "runtime/stream_order.h"

namespace tritonrt::runtime {

void Chunks::add(const MemoryBlock& whole) {
  Chunk& chunk = chunks_[whole.memory];
  chunk.whole = whole;
  insert(chunk, whole.offset, {whole.size, whole.last_write, whole.last_read});
}

bool Chunks::cut(std::size_t size, MemoryBlock& block) {
  const auto best = by_size_.lower_bound({size, {nullptr, 0}});
  if (best == by_size_.end()) return false;
  const auto [memory, offset] = best->second;
  Chunk& chunk = chunks_.at(memory);
  const auto at = chunk.free.find(offset);
  const Stretch stretch = at->second;
  erase(chunk, at);
  if (stretch.size > size)
    insert(chunk, offset + size, {stretch.size - size, stretch.last_write, stretch.last_read});
  block = {memory, offset, size, stretch.last_write, stretch.last_read};
  return true;
}

void Chunks::give_back(const MemoryBlock& block) {
  Chunk& chunk = chunks_.at(block.memory);
  Stretch stretch{block.size, block.last_write, block.last_read};
  std::size_t offset = block.offset;
  auto next = chunk.free.lower_bound(offset);
  if (next != chunk.free.end() && next->first == offset + stretch.size) {
    stretch = merged(stretch, next->second);
    const auto after = std::next(next);
    erase(chunk, next);
    next = after;
  }
  if (next != chunk.free.begin()) {
    const auto before = std::prev(next);
    if (before->first + before->second.size == offset) {
      offset = before->first;
      stretch = merged(before->second, stretch);
      erase(chunk, before);
    }
  }
  insert(chunk, offset, stretch);
}

std::vector<MemoryBlock> Chunks::take_free() {
  std::vector<MemoryBlock> taken;
  for (auto it = chunks_.begin(); it != chunks_.end();) {
    Chunk& chunk = it->second;
    const bool is_free =
        chunk.free.size() == 1 && chunk.free.begin()->second.size == chunk.whole.size;
    if (!is_free) {
      ++it;
      continue;
    }
    taken.push_back(chunk.whole);
    erase(chunk, chunk.free.begin());
    it = chunks_.erase(it);
  }
  return taken;
}

std::vector<MemoryBlock> Chunks::take_all() {
  std::vector<MemoryBlock> taken;
  for (const auto& [memory, chunk] : chunks_) taken.push_back(chunk.whole);
  chunks_.clear();
  by_size_.clear();
  return taken;
}

Chunks::Stretch Chunks::merged(const Stretch& a, const Stretch& b) {
  return {a.size + b.size, merge_uses(a.last_write, b.last_write),
          merge_uses(a.last_read, b.last_read)};
}

void Chunks::insert(Chunk& chunk, std::size_t offset, const Stretch& stretch) {
  chunk.free.emplace(offset, stretch);
  by_size_.insert({stretch.size, {chunk.whole.memory, offset}});
}

void Chunks::erase(Chunk& chunk, std::map<std::size_t, Stretch>::iterator at) {
  by_size_.erase({at->second.size, {chunk.whole.memory, at->first}});
  chunk.free.erase(at);
}

}  // namespace tritonrt::runtime
