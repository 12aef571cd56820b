// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TRITONRT_RUNTIME_MEMORY_DEVICE_MEMORY_H_
#define TRITONRT_RUNTIME_MEMORY_DEVICE_MEMORY_H_

#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

#include "tritonrt/memory.h"

namespace tritonrt::runtime {

// A device's memory resources. Thread safe once it is set up.
class TRITONRT_API DeviceMemory {
 public:
  // Puts a pool over the driver's own resource.
  void set_up(std::shared_ptr<MemoryResource> upstream, const PoolOptions& options);

  // What new buffers take their memory from. Lives as long as this object.
  MemoryResource& current() const { return *current_.load(std::memory_order_acquire); }
  std::shared_ptr<MemoryResource> shared() const;
  const std::shared_ptr<MemoryResource>& upstream() const { return upstream_; }
  void set(std::shared_ptr<MemoryResource> resource);
  // Of the pool.
  MemoryStats stats() const { return pool_->stats(); }

 private:
  std::shared_ptr<MemoryResource> upstream_;
  std::shared_ptr<Pool> pool_;
  std::atomic<MemoryResource*> current_{nullptr};
  mutable std::mutex mutex_;
  // Under mutex_. Earlier ones stay for the blocks that go back to them.
  std::vector<std::shared_ptr<MemoryResource>> all_;
};

}  // namespace tritonrt::runtime

#endif  // TRITONRT_RUNTIME_MEMORY_DEVICE_MEMORY_H_
