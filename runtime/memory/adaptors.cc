// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <map>
#include <mutex>
#include <utility>

#include "tritonrt/error.h"
#include "tritonrt/memory.h"

namespace tritonrt {
namespace {

using Upstream = std::shared_ptr<MemoryResource>;

Upstream checked(Upstream upstream) {
  if (upstream == nullptr)
    throw Error(ErrorCode::kInvalidArgument, "the upstream memory resource is null");
  return upstream;
}

}  // namespace

MemoryResource::~MemoryResource() = default;

struct LimitResource::State {
  Upstream upstream;
  std::size_t limit;
  mutable std::mutex mutex;
  std::size_t in_use = 0;  // under mutex

  bool add(std::size_t size) {
    const std::lock_guard lock(mutex);
    if (size > limit || in_use > limit - size) return false;
    in_use += size;
    return true;
  }
  void take(std::size_t size) noexcept {
    const std::lock_guard lock(mutex);
    in_use -= size;
  }
};

LimitResource::LimitResource(Upstream upstream, std::size_t limit)
    : state_(new State{checked(std::move(upstream)), limit, {}, 0}) {}
LimitResource::~LimitResource() = default;

MemoryBlock LimitResource::allocate(std::size_t size) {
  if (!state_->add(size))
    throw Error(ErrorCode::kOutOfMemory,
                "allocating " + std::to_string(size) + " bytes: " + std::to_string(bytes_in_use()) +
                    " of the limit of " + std::to_string(state_->limit) + " are in use");
  try {
    MemoryBlock block = state_->upstream->allocate(size);
    // The block may be larger than what was asked for, and is counted as it is given back.
    const std::lock_guard lock(state_->mutex);
    state_->in_use += block.size - size;
    return block;
  } catch (...) {
    state_->take(size);
    throw;
  }
}

void LimitResource::release(const MemoryBlock& block) noexcept {
  state_->take(block.size);
  state_->upstream->release(block);
}

void LimitResource::trim() noexcept { state_->upstream->trim(); }

std::size_t LimitResource::bytes_in_use() const {
  const std::lock_guard lock(state_->mutex);
  return state_->in_use;
}

struct StatisticsResource::State {
  Upstream upstream;
  mutable std::mutex mutex;
  MemoryStats stats;  // under mutex
};

StatisticsResource::StatisticsResource(Upstream upstream)
    : state_(new State{checked(std::move(upstream)), {}, {}}) {}
StatisticsResource::~StatisticsResource() = default;

MemoryBlock StatisticsResource::allocate(std::size_t size) {
  MemoryBlock block = state_->upstream->allocate(size);
  const std::lock_guard lock(state_->mutex);
  MemoryStats& stats = state_->stats;
  ++stats.allocations;
  stats.bytes_in_use += block.size;
  if (stats.bytes_in_use > stats.peak_bytes) stats.peak_bytes = stats.bytes_in_use;
  return block;
}

void StatisticsResource::release(const MemoryBlock& block) noexcept {
  {
    const std::lock_guard lock(state_->mutex);
    ++state_->stats.releases;
    state_->stats.bytes_in_use -= block.size;
  }
  state_->upstream->release(block);
}

void StatisticsResource::trim() noexcept { state_->upstream->trim(); }

MemoryStats StatisticsResource::stats() const {
  const std::lock_guard lock(state_->mutex);
  return state_->stats;
}

struct LogResource::State {
  Upstream upstream;
  std::function<void(const std::string&)> log;
  std::mutex mutex;
  std::uint64_t next = 0;  // under mutex
  // Under mutex: ids by place.
  std::map<std::pair<void*, std::size_t>, std::uint64_t> ids;
};

LogResource::LogResource(Upstream upstream, std::function<void(const std::string&)> log)
    : state_(new State{checked(std::move(upstream)), std::move(log), {}, 0, {}}) {
  if (!state_->log) throw Error(ErrorCode::kInvalidArgument, "the log's function is empty");
}
LogResource::~LogResource() = default;

MemoryBlock LogResource::allocate(std::size_t size) {
  MemoryBlock block = state_->upstream->allocate(size);
  const std::lock_guard lock(state_->mutex);
  const std::uint64_t id = state_->next++;
  state_->ids[{block.memory, block.offset}] = id;
  state_->log("allocate " + std::to_string(id) + " " + std::to_string(size));
  return block;
}

void LogResource::release(const MemoryBlock& block) noexcept {
  try {
    const std::lock_guard lock(state_->mutex);
    const auto found = state_->ids.find({block.memory, block.offset});
    if (found != state_->ids.end()) {
      state_->log("release " + std::to_string(found->second));
      state_->ids.erase(found);
    }
  } catch (...) {
    // A line less in the log; the memory goes back all the same.
  }
  state_->upstream->release(block);
}

void LogResource::trim() noexcept { state_->upstream->trim(); }

struct FailureResource::State {
  Upstream upstream;
  std::function<bool(std::size_t)> fails;
};

FailureResource::FailureResource(Upstream upstream, std::function<bool(std::size_t)> fails)
    : state_(new State{checked(std::move(upstream)), std::move(fails)}) {
  if (!state_->fails) throw Error(ErrorCode::kInvalidArgument, "the failure's function is empty");
}
FailureResource::~FailureResource() = default;

MemoryBlock FailureResource::allocate(std::size_t size) {
  if (state_->fails(size))
    throw Error(ErrorCode::kOutOfMemory,
                "allocating " + std::to_string(size) + " bytes: a failure was asked for");
  return state_->upstream->allocate(size);
}

void FailureResource::release(const MemoryBlock& block) noexcept {
  state_->upstream->release(block);
}

void FailureResource::trim() noexcept { state_->upstream->trim(); }

}  // namespace tritonrt
