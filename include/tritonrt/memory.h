// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TRITONRT_MEMORY_H_
#define TRITONRT_MEMORY_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "tritonrt/export.h"

namespace tritonrt {

// Device memory as resources hand it out.
struct MemoryBlock {
  void* memory = nullptr;  // on the CPU an address, on OpenCL a cl_mem
  std::size_t offset = 0;  // of the block's first byte in it
  std::size_t size = 0;    // at least what was asked for
  // Which work last wrote and read the block, for reuse by other streams without waiting. Handed
  // back as it was given.
  std::uint64_t last_write = 0;
  std::uint64_t last_read = 0;
};

// Where buffers get their memory from. A device's default is a Pool over its driver; adaptors stack
// on it, and applications may bring their own (Device::set_memory_resource). Implementations are
// thread safe. Blocks go back to the resource that they came from, possibly while work that was
// enqueued earlier still uses them.
class TRITONRT_API MemoryResource {
 public:
  virtual ~MemoryResource();
  // At least `size` bytes, aligned to 64. Throws kOutOfMemory.
  virtual MemoryBlock allocate(std::size_t size) = 0;
  virtual void release(const MemoryBlock& block) noexcept = 0;
  // Gives back what is kept for reuse.
  virtual void trim() noexcept {}
};

struct MemoryStats {
  std::uint64_t allocations = 0;    // so far
  std::uint64_t releases = 0;       // so far
  std::uint64_t bytes_in_use = 0;   // as handed out
  std::uint64_t peak_bytes = 0;     // the most that was in use
  std::uint64_t bytes_kept = 0;     // of a pool: free, for reuse
  std::uint64_t from_upstream = 0;  // of a pool: allocations that had to go there
};

struct PoolOptions {
  // Free memory kept for reuse.
  std::size_t keep_bytes = std::size_t{512} << 20;
  // Blocks up to `max_small` are cut from pieces of `chunk_bytes` of the upstream, and merged with
  // their neighbours when they are free; larger ones are the upstream's own. 0: none are cut.
  std::size_t chunk_bytes = 0;
  std::size_t max_small = 0;
  std::size_t alignment = 64;  // a power of two, at least 64
};

// Keeps released memory for reuse, in eight size classes an octave. When the upstream is out of
// memory it gives back what it keeps and tries again.
class TRITONRT_API Pool final : public MemoryResource {
 public:
  Pool(std::shared_ptr<MemoryResource> upstream, const PoolOptions& options = {});
  ~Pool() override;
  MemoryBlock allocate(std::size_t size) override;
  void release(const MemoryBlock& block) noexcept override;
  void trim() noexcept override;
  MemoryStats stats() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

// Adaptors: each passes calls on to its upstream.

// Refuses, with kOutOfMemory, what would make more than `limit` bytes in use at once; asks the
// upstream to trim first.
class TRITONRT_API LimitResource final : public MemoryResource {
 public:
  LimitResource(std::shared_ptr<MemoryResource> upstream, std::size_t limit);
  ~LimitResource() override;
  MemoryBlock allocate(std::size_t size) override;
  void release(const MemoryBlock& block) noexcept override;
  void trim() noexcept override;
  std::size_t bytes_in_use() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Counts.
class TRITONRT_API StatisticsResource final : public MemoryResource {
 public:
  explicit StatisticsResource(std::shared_ptr<MemoryResource> upstream);
  ~StatisticsResource() override;
  MemoryBlock allocate(std::size_t size) override;
  void release(const MemoryBlock& block) noexcept override;
  void trim() noexcept override;
  MemoryStats stats() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Tells a function of each call, in lines `allocate ID BYTES` and `release ID`, IDs counting from
// 0: a log that the benchmark `pool` can replay. The function is called one line at a time.
class TRITONRT_API LogResource final : public MemoryResource {
 public:
  LogResource(std::shared_ptr<MemoryResource> upstream,
              std::function<void(const std::string& line)> log);
  ~LogResource() override;
  MemoryBlock allocate(std::size_t size) override;
  void release(const MemoryBlock& block) noexcept override;
  void trim() noexcept override;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Throws kOutOfMemory where `fails(size)` says so: for testing what an application does then.
class TRITONRT_API FailureResource final : public MemoryResource {
 public:
  FailureResource(std::shared_ptr<MemoryResource> upstream,
                  std::function<bool(std::size_t size)> fails);
  ~FailureResource() override;
  MemoryBlock allocate(std::size_t size) override;
  void release(const MemoryBlock& block) noexcept override;
  void trim() noexcept override;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace tritonrt

#endif  // TRITONRT_MEMORY_H_
