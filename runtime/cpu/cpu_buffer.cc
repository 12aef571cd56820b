// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/cpu/cpu_buffer.h"

#include <cstring>
#include <functional>
#include <utility>
#include <vector>

#include "runtime/cpu/cpu_device.h"
#include "runtime/cpu/cpu_stream.h"
#include "runtime/trace.h"

namespace tritonrt::runtime {
namespace {

// Does the work, in the trace where there is one.
template <typename Work>
void traced(const char* name, std::uint64_t track, const Work& work) {
  Trace* const trace = Trace::active();
  const std::uint64_t begin_ns = trace != nullptr ? now_ns() : 0;
  work();
  if (trace != nullptr) trace->span("copy", name, begin_ns, now_ns(), track);
}

// Bytes moved in a stream's order. Keeps the buffers that take part.
template <typename Work>
class MemoryTask final : public CpuTask {
 public:
  MemoryTask(const char* name, Work work, std::vector<std::shared_ptr<BufferImpl>> keep)
      : name_(name), work_(std::move(work)), keep_(std::move(keep)) {}
  bool start(CpuStream& stream) override {
    traced(name_, stream.id(), work_);
    return true;
  }

 private:
  const char* const name_;
  Work work_;
  std::vector<std::shared_ptr<BufferImpl>> keep_;
};

// Does the work now where nothing is in its way, else in the stream's order.
template <typename Work>
void in_order(const char* name, CpuDevice& device, StreamImpl* stream, Work work,
              std::initializer_list<BufferImpl*> buffers) {
  if (stream == nullptr) {
    device.drain();
    traced(name, 0, work);
    return;
  }
  auto& queue = static_cast<CpuStream&>(*stream);
  queue.check();
  if (queue.try_begin()) {
    traced(name, queue.id(), work);
    queue.end();
    return;
  }
  std::vector<std::shared_ptr<BufferImpl>> keep;
  for (BufferImpl* buffer : buffers) keep.push_back(buffer->shared_from_this());
  queue.enqueue(std::make_unique<MemoryTask<Work>>(name, std::move(work), std::move(keep)));
}

}  // namespace

void repeat_bytes(char* to, const void* pattern, std::size_t pattern_size, std::size_t size) {
  if (pattern_size == 1) {
    std::memset(to, *static_cast<const unsigned char*>(pattern), size);
    return;
  }
  std::memcpy(to, pattern, pattern_size);
  // What is filled already is filled again, in blocks that stay in the cache.
  constexpr std::size_t kBlock = 4096;
  std::size_t filled = pattern_size;
  while (filled < size) {
    std::size_t step = filled < kBlock ? filled : kBlock;
    if (step > size - filled) step = size - filled;
    std::memcpy(to + filled, to, step);
    filled += step;
  }
}

CpuBuffer::CpuBuffer(const std::shared_ptr<CpuDevice>& device, std::size_t size)
    : BufferImpl(device, size),
      resource_(&device->memory().current()),
      block_(resource_->allocate(size)) {
  set_range(static_cast<char*>(block_.memory) + block_.offset);
}

CpuBuffer::CpuBuffer(std::shared_ptr<CpuDevice> device, void* data, std::size_t size)
    : BufferImpl(std::move(device), size) {
  set_range(data);
}

CpuBuffer::CpuBuffer(CpuBuffer& whole, std::size_t offset, std::size_t size)
    : BufferImpl(whole.device().shared_from_this(), size) {
  whole_ = whole.whole().shared_from_this();
  set_range(whole.at(offset));
}

std::shared_ptr<BufferImpl> CpuBuffer::slice(std::size_t offset, std::size_t size) {
  return std::make_shared<CpuBuffer>(*this, offset, size);
}

CpuBuffer::~CpuBuffer() {
  // Queued work keeps its buffers: none uses this one.
  if (resource_ != nullptr) resource_->release(block_);
}

void CpuBuffer::set_range(void* data) {
  data_ = data;
  base_ = range_begin_ = reinterpret_cast<std::uintptr_t>(data);
  range_end_ = range_begin_ + size_;
}

void CpuBuffer::copy_from_host(StreamImpl* stream, const void* data, std::size_t size,
                               std::size_t offset) {
  in_order("copy from host", static_cast<CpuDevice&>(device()), stream,
           [to = at(offset), data, size] { std::memmove(to, data, size); }, {this});
}

void CpuBuffer::copy_to_host(StreamImpl* stream, void* data, std::size_t size, std::size_t offset) {
  in_order("copy to host", static_cast<CpuDevice&>(device()), stream,
           [from = at(offset), data, size] { std::memmove(data, from, size); }, {this});
}

void CpuBuffer::copy_from(StreamImpl* stream, BufferImpl& source, std::size_t size,
                          std::size_t source_offset, std::size_t offset) {
  const char* from = static_cast<CpuBuffer&>(source).at(source_offset);
  in_order("copy", static_cast<CpuDevice&>(device()), stream,
           [to = at(offset), from, size] { std::memmove(to, from, size); }, {this, &source});
}

void CpuBuffer::copy_from_host(StreamImpl& stream, const void* data, const CopyPlan& plan) {
  in_order("strided copy from host", static_cast<CpuDevice&>(device()), &stream,
           [to = at(0), data, plan] { plan.copy(data, to); }, {this});
}

void CpuBuffer::copy_to_host(StreamImpl& stream, void* data, const CopyPlan& plan) {
  in_order("strided copy to host", static_cast<CpuDevice&>(device()), &stream,
           [from = at(0), data, plan] { plan.copy(from, data); }, {this});
}

void CpuBuffer::copy_from(StreamImpl& stream, BufferImpl& source, const CopyPlan& plan) {
  in_order(
      "strided copy", static_cast<CpuDevice&>(device()), &stream,
      [to = at(0), from = static_cast<CpuBuffer&>(source).at(0), plan] { plan.copy(from, to); },
      {this, &source});
}

void CpuBuffer::fill(StreamImpl* stream, const void* pattern, std::size_t pattern_size,
                     std::size_t size, std::size_t offset) {
  struct Fill {
    char* to;
    char pattern[16];
    std::size_t pattern_size;
    std::size_t size;
    void operator()() const { repeat_bytes(to, pattern, pattern_size, size); }
  } work{at(offset), {}, pattern_size, size};
  std::memcpy(work.pattern, pattern, pattern_size);
  in_order("fill", static_cast<CpuDevice&>(device()), stream, work, {this});
}

}  // namespace tritonrt::runtime
