// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tritonrt/buffer.h"

#include "runtime/check.h"
#include "runtime/copy_across.h"
#include "runtime/live_buffers.h"
#include "tritonrt/error.h"

namespace tritonrt {
using runtime::check_apart;
using runtime::check_fill;
using runtime::check_host;
using runtime::check_range;
using runtime::CopyPlan;
using runtime::need;

Buffer::Buffer(const Device& device, std::size_t size) {
  impl_ = need(device).allocate(size);
  runtime::note_buffer(impl_);
}

Buffer Buffer::from_host(const Device& device, const void* data, std::size_t size) {
  check_host(data, size);
  Buffer buffer(device, size);
  buffer.copy_from_host(data, size);
  return buffer;
}

Buffer Buffer::wrap_host(const Device& device, void* data, std::size_t size,
                         std::function<void()> release) {
  check_host(data, size);
  Buffer buffer;
  buffer.impl_ = need(device).wrap_host(data, size);
  if (release) buffer.impl_->call_when_gone(std::move(release));
  runtime::note_buffer(buffer.impl_);
  return buffer;
}

Buffer Buffer::slice(std::size_t offset, std::size_t size) const {
  runtime::BufferImpl& whole = need(*this);
  check_range(whole, size, offset);
  Buffer part;
  part.impl_ = whole.slice(offset, size);
  return part;
}

Device Buffer::device() const { return Device(need(*this).device().shared_from_this()); }
std::size_t Buffer::size() const { return need(*this).size(); }
void* Buffer::host_data() const { return need(*this).host_data(); }
std::uint64_t Buffer::device_address() const { return need(*this).device_address(); }

void Buffer::copy_from_host(const void* data, std::size_t size, std::size_t offset) {
  runtime::BufferImpl& buffer = need(*this);
  check_range(buffer, size, offset);
  check_host(data, size);
  if (size == 0) return;
  buffer.use_blocking(true);
  buffer.copy_from_host(nullptr, data, size, offset);
}

void Buffer::copy_from_host(Stream& stream, const void* data, std::size_t size,
                            std::size_t offset) {
  runtime::BufferImpl& buffer = need(*this);
  check_range(buffer, size, offset);
  check_host(data, size);
  runtime::StreamImpl& queue = need(stream, buffer);
  if (size == 0) return;
  buffer.use(queue, true);
  buffer.copy_from_host(&queue, data, size, offset);
}

void Buffer::copy_to_host(void* data, std::size_t size, std::size_t offset) const {
  runtime::BufferImpl& buffer = need(*this);
  check_range(buffer, size, offset);
  check_host(data, size);
  if (size == 0) return;
  buffer.use_blocking(false);
  buffer.copy_to_host(nullptr, data, size, offset);
}

void Buffer::copy_to_host(Stream& stream, void* data, std::size_t size, std::size_t offset) const {
  runtime::BufferImpl& buffer = need(*this);
  check_range(buffer, size, offset);
  check_host(data, size);
  runtime::StreamImpl& queue = need(stream, buffer);
  if (size == 0) return;
  buffer.use(queue, false);
  buffer.copy_to_host(&queue, data, size, offset);
}

void Buffer::copy_from(Stream& stream, const Buffer& source, std::size_t size,
                       std::size_t source_offset, std::size_t offset) {
  CopyBlock block;
  block.shape = {size};
  block.source_strides = block.target_strides = {1};
  block.source_offset = source_offset;
  block.target_offset = offset;
  check_range(need(*this), size, offset);
  check_range(need(source), size, source_offset);
  check_apart(need(source), source_offset, need(*this), offset, size);
  copy_from(stream, source, block);
}

void Buffer::copy_from_host(Stream& stream, const void* data, std::size_t size,
                            const CopyBlock& block) {
  runtime::BufferImpl& buffer = need(*this);
  runtime::StreamImpl& queue = need(stream, buffer);
  check_host(data, size);
  const CopyPlan plan = CopyPlan::make(block, size, buffer.size());
  if (plan.run == 0) return;
  buffer.use(queue, true);
  buffer.copy_from_host(queue, data, plan);
}

void Buffer::copy_to_host(Stream& stream, void* data, std::size_t size,
                          const CopyBlock& block) const {
  runtime::BufferImpl& buffer = need(*this);
  runtime::StreamImpl& queue = need(stream, buffer);
  check_host(data, size);
  const CopyPlan plan = CopyPlan::make(block, buffer.size(), size);
  if (plan.run == 0) return;
  buffer.use(queue, false);
  buffer.copy_to_host(queue, data, plan);
}

void Buffer::copy_from(Stream& stream, const Buffer& source, const CopyBlock& block) {
  runtime::BufferImpl& to = need(*this);
  runtime::BufferImpl& from = need(source);
  runtime::StreamImpl& queue = need(stream, to);
  const CopyPlan plan = CopyPlan::make(block, from.size(), to.size());
  if (plan.run == 0) return;
  from.use(queue, false);
  to.use(queue, true);
  if (&from.device() != &to.device())
    runtime::copy_across(queue, to, from, plan);
  else if (plan.dims.empty())
    to.copy_from(&queue, from, plan.run, plan.source_offset, plan.target_offset);
  else
    to.copy_from(queue, from, plan);
}

void Buffer::fill(const void* pattern, std::size_t pattern_size, std::size_t size,
                  std::size_t offset) {
  runtime::BufferImpl& buffer = need(*this);
  check_fill(buffer, pattern, pattern_size, size, offset);
  if (size == 0) return;
  buffer.use_blocking(true);
  buffer.fill(nullptr, pattern, pattern_size, size, offset);
}

void Buffer::fill(Stream& stream, const void* pattern, std::size_t pattern_size, std::size_t size,
                  std::size_t offset) {
  runtime::BufferImpl& buffer = need(*this);
  check_fill(buffer, pattern, pattern_size, size, offset);
  runtime::StreamImpl& queue = need(stream, buffer);
  if (size == 0) return;
  buffer.use(queue, true);
  buffer.fill(&queue, pattern, pattern_size, size, offset);
}

}  // namespace tritonrt
