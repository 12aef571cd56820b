// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "runtime/memory/chunks.h"
#include "runtime/memory/size_class.h"
#include "tritonrt/error.h"
#include "tritonrt/memory.h"

namespace tritonrt {

using runtime::kMaxBlockBytes;
using runtime::kSizeClasses;
using runtime::size_class;
using runtime::SizeClass;

class Pool::Impl {
 public:
  Impl(std::shared_ptr<MemoryResource> upstream, const PoolOptions& options)
      : upstream_(std::move(upstream)), options_(options) {
    if (upstream_ == nullptr)
      throw Error(ErrorCode::kInvalidArgument, "the upstream memory resource is null");
    if (options_.alignment < 64 || !std::has_single_bit(options_.alignment))
      throw Error(ErrorCode::kInvalidArgument, "a pool's alignment is a power of two from 64");
    options_.max_small = std::min({options_.max_small, options_.chunk_bytes, kLargest});
  }

  ~Impl() {
    for (std::vector<MemoryBlock>& list : free_)
      for (const MemoryBlock& block : list)
        if (!is_small(block.size)) upstream_->release(block);
    for (const auto& [size, block] : large_) upstream_->release(block);
    for (const MemoryBlock& chunk : chunks_.take_all()) upstream_->release(chunk);
  }

  MemoryBlock allocate(std::size_t size) {
    if (size > kMaxBlockBytes)
      throw Error(ErrorCode::kOutOfMemory, "cannot allocate " + std::to_string(size) + " bytes");
    std::unique_lock lock(mutex_);
    const MemoryBlock block =
        size > kLargest ? allocate_large(lock, size) : allocate_class(lock, size);
    ++stats_.allocations;
    stats_.bytes_in_use += block.size;
    stats_.peak_bytes = std::max(stats_.peak_bytes, stats_.bytes_in_use);
    return block;
  }

  void release(const MemoryBlock& block) noexcept {
    {
      const std::lock_guard lock(mutex_);
      ++stats_.releases;
      stats_.bytes_in_use -= block.size;
      try {
        if (block.size <= options_.keep_bytes && kept_ <= options_.keep_bytes - block.size) {
          if (block.size > kLargest)
            large_.emplace(block.size, block);
          else
            free_[size_class(block.size, options_.alignment).index].push_back(block);
          kept_ += block.size;
          return;
        }
        if (is_small(block.size)) {
          chunks_.give_back(block);
          return;
        }
      } catch (const std::bad_alloc&) {
        // No room for the note; a small block is lost until its chunk goes.
        if (is_small(block.size)) return;
      }
    }
    upstream_->release(block);
  }

  void trim() noexcept {
    std::vector<MemoryBlock> going;
    {
      const std::lock_guard lock(mutex_);
      try {
        going = take_kept();
      } catch (const std::bad_alloc&) {
        return;
      }
    }
    for (const MemoryBlock& block : going) upstream_->release(block);
    upstream_->trim();
  }

  MemoryStats stats() const {
    const std::lock_guard lock(mutex_);
    MemoryStats stats = stats_;
    stats.bytes_kept = kept_;
    return stats;
  }

 private:
  // The largest block that has a class; above, a block may serve for sizes a little smaller.
  static constexpr std::size_t kLargest = std::size_t{4} << 20;
  static constexpr std::size_t kLargeUnit = std::size_t{2} << 20;

  bool is_small(std::size_t capacity) const { return capacity <= options_.max_small; }

  MemoryBlock allocate_class(std::unique_lock<std::mutex>& lock, std::size_t size) {
    const SizeClass c = size_class(std::max<std::size_t>(size, 1), options_.alignment);
    MemoryBlock block;
    std::vector<MemoryBlock>& list = free_[c.index];
    if (!list.empty()) {
      block = list.back();
      list.pop_back();
      kept_ -= c.capacity;
    } else if (!is_small(c.capacity)) {
      block = from_upstream(lock, c.capacity);
    } else if (!chunks_.cut(c.capacity, block)) {
      block = cut_harder(lock, c.capacity);
    }
    return block;
  }

  MemoryBlock allocate_large(std::unique_lock<std::mutex>& lock, std::size_t size) {
    const std::size_t capacity = (size + kLargeUnit - 1) / kLargeUnit * kLargeUnit;
    const auto fit = large_.lower_bound(capacity);
    if (fit == large_.end() || fit->first > capacity + capacity / 8)
      return from_upstream(lock, capacity);
    const MemoryBlock block = fit->second;
    large_.erase(fit);
    kept_ -= block.size;
    return block;
  }

  // Merges what is kept of small blocks, and tries again before a new chunk is fetched.
  MemoryBlock cut_harder(std::unique_lock<std::mutex>& lock, std::size_t capacity) {
    MemoryBlock block;
    merge_small();
    if (chunks_.cut(capacity, block)) return block;
    const MemoryBlock chunk = from_upstream(lock, options_.chunk_bytes);
    chunks_.add(chunk);
    chunks_.cut(capacity, block);
    return block;
  }

  // Small blocks of the lists go back to their chunks.
  void merge_small() {
    for (std::vector<MemoryBlock>& list : free_) {
      if (list.empty() || !is_small(list.front().size)) continue;
      for (const MemoryBlock& block : list) {
        chunks_.give_back(block);
        kept_ -= block.size;
      }
      list.clear();
    }
  }

  // Everything that nobody uses. Under the lock.
  std::vector<MemoryBlock> take_kept() {
    merge_small();
    std::vector<MemoryBlock> taken = chunks_.take_free();
    for (std::vector<MemoryBlock>& list : free_) {
      taken.insert(taken.end(), list.begin(), list.end());
      list.clear();
    }
    for (const auto& [size, block] : large_) taken.push_back(block);
    large_.clear();
    kept_ = 0;
    return taken;
  }

  // The upstream may take its time: others go on meanwhile.
  MemoryBlock from_upstream(std::unique_lock<std::mutex>& lock, std::size_t size) {
    ++stats_.from_upstream;
    lock.unlock();
    MemoryBlock block;
    try {
      block = upstream_->allocate(size);
    } catch (const Error& error) {
      if (error.code() != ErrorCode::kOutOfMemory) throw;
      trim();
      block = upstream_->allocate(size);
    }
    lock.lock();
    block.size = size;
    return block;
  }

  const std::shared_ptr<MemoryResource> upstream_;
  PoolOptions options_;
  mutable std::mutex mutex_;
  // All under mutex_.
  std::array<std::vector<MemoryBlock>, kSizeClasses> free_;
  std::multimap<std::size_t, MemoryBlock> large_;
  runtime::Chunks chunks_;
  std::size_t kept_ = 0;
  MemoryStats stats_;
};

Pool::Pool(std::shared_ptr<MemoryResource> upstream, const PoolOptions& options)
    : impl_(std::make_unique<Impl>(std::move(upstream), options)) {}
Pool::~Pool() = default;
MemoryBlock Pool::allocate(std::size_t size) { return impl_->allocate(size); }
void Pool::release(const MemoryBlock& block) noexcept { impl_->release(block); }
void Pool::trim() noexcept { impl_->trim(); }
MemoryStats Pool::stats() const { return impl_->stats(); }

}  // namespace tritonrt
