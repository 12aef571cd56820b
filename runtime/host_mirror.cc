// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tritonrt/host_mirror.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "runtime/check.h"
#include "runtime/range_set.h"
#include "tritonrt/error.h"

namespace tritonrt {
namespace runtime {

class MirrorImpl final : public BufferMirror {
 public:
  explicit MirrorImpl(std::shared_ptr<BufferImpl> buffer)
      : buffer_(std::move(buffer)), in_place_(static_cast<char*>(buffer_->host_data())) {
    if (in_place_ == nullptr) {
      bytes_.reset(new char[buffer_->size()]);
      device_newer_.add(0, buffer_->size());
    }
    if (!buffer_->set_mirror(this))
      throw Error(ErrorCode::kInvalidArgument,
                  "the buffer has a mirror, or is a slice of another buffer; mirror the whole "
                  "buffer, once");
  }

  ~MirrorImpl() override {
    buffer_->clear_mirror();
    // What was sent may still be on its way.
    if (sent_ != nullptr) sent_->wait(std::nullopt);
  }

  void before_use(StreamImpl* stream, bool write) override {
    const std::lock_guard lock(mutex_);
    if (in_place_ == nullptr) {
      const std::vector<RangeSet::Range> newer = host_newer_.take(0, buffer_->size());
      for (const auto& [begin, end] : newer) {
        buffer_->copy_from_host(stream, bytes_.get() + begin, end - begin, begin);
        sent_bytes += end - begin;
      }
      if (!newer.empty() && stream != nullptr) sent_ = stream->record();
      if (write) device_newer_.add(0, buffer_->size());
    }
  }

  char* access(std::size_t offset, std::size_t size, bool writes, bool discard) {
    if (size == HostMirror::kAll) size = buffer_->size() - std::min(offset, buffer_->size());
    check_range(*buffer_, size, offset);
    if (in_place_ != nullptr) {
      buffer_->device().synchronize();
      return in_place_ + offset;
    }
    const std::lock_guard lock(mutex_);
    // Memory that is being sent must stay as it is.
    if (writes && sent_ != nullptr) std::exchange(sent_, nullptr)->wait(std::nullopt);
    for (const auto& [begin, end] : device_newer_.take(offset, offset + size)) {
      if (discard) continue;
      buffer_->copy_to_host(nullptr, bytes_.get() + begin, end - begin, begin);
      fetched_bytes += end - begin;
    }
    if (writes) host_newer_.add(offset, offset + size);
    return bytes_.get() + offset;
  }

  std::atomic<std::uint64_t> fetched_bytes{0};
  std::atomic<std::uint64_t> sent_bytes{0};

 private:
  const std::shared_ptr<BufferImpl> buffer_;
  char* const in_place_;  // null where the memories are two
  std::mutex mutex_;
  // All under mutex_. A byte is newer on one side at most.
  std::unique_ptr<char[]> bytes_;
  RangeSet host_newer_;
  RangeSet device_newer_;
  std::shared_ptr<EventImpl> sent_;
};

}  // namespace runtime

HostMirror::HostMirror(const Buffer& buffer)
    : impl_(std::make_shared<runtime::MirrorImpl>(runtime::need(buffer).shared_from_this())) {}

const void* HostMirror::read(std::size_t offset, std::size_t size) {
  return impl_->access(offset, size, false, false);
}

void* HostMirror::write(std::size_t offset, std::size_t size, bool discard) {
  return impl_->access(offset, size, true, discard);
}

std::uint64_t HostMirror::fetched_bytes() const { return impl_->fetched_bytes; }
std::uint64_t HostMirror::sent_bytes() const { return impl_->sent_bytes; }

}  // namespace tritonrt
