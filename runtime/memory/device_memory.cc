// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/memory/device_memory.h"

#include <utility>

#include "tritonrt/error.h"

namespace tritonrt::runtime {

void DeviceMemory::set_up(std::shared_ptr<MemoryResource> upstream, const PoolOptions& options) {
  upstream_ = std::move(upstream);
  pool_ = std::make_shared<Pool>(upstream_, options);
  set(pool_);
}

std::shared_ptr<MemoryResource> DeviceMemory::shared() const {
  const std::lock_guard lock(mutex_);
  return all_.back();
}

void DeviceMemory::set(std::shared_ptr<MemoryResource> resource) {
  if (resource == nullptr) throw Error(ErrorCode::kInvalidArgument, "the memory resource is null");
  const std::lock_guard lock(mutex_);
  all_.push_back(std::move(resource));
  current_.store(all_.back().get(), std::memory_order_release);
}

}  // namespace tritonrt::runtime
