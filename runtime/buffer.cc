// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tritonrt/buffer.h"

#include <string>

#include "runtime/driver.h"
#include "tritonrt/error.h"

namespace tritonrt {
namespace {

runtime::BufferImpl& need(const std::shared_ptr<runtime::BufferImpl>& impl) {
  if (impl == nullptr) throw Error(ErrorCode::kInvalidArgument, "the buffer handle is empty");
  return *impl;
}

runtime::StreamImpl& need(const Stream& stream, const runtime::BufferImpl& buffer) {
  if (!stream) throw Error(ErrorCode::kInvalidArgument, "the stream handle is empty");
  if (&stream.impl()->device() != &buffer.device())
    throw Error(ErrorCode::kInvalidArgument,
                "the buffer is of device '" + buffer.device().info().name + "', the stream of '" +
                    stream.impl()->device().info().name + "'");
  return *stream.impl();
}

void check_range(const runtime::BufferImpl& buffer, std::size_t size, std::size_t offset) {
  if (offset > buffer.size() || size > buffer.size() - offset)
    throw Error(ErrorCode::kInvalidArgument,
                "bytes [" + std::to_string(offset) + ", " + std::to_string(offset) + " + " +
                    std::to_string(size) + ") lie outside a buffer of " +
                    std::to_string(buffer.size()) + " bytes");
}

void check_host(const void* data, std::size_t size) {
  if (data == nullptr && size != 0)
    throw Error(ErrorCode::kInvalidArgument, "the host pointer is null");
}

void check_fill(const runtime::BufferImpl& buffer, const void* pattern, std::size_t pattern_size,
                std::size_t size, std::size_t offset) {
  check_range(buffer, size, offset);
  check_host(pattern, pattern_size);
  const bool known = pattern_size == 1 || pattern_size == 2 || pattern_size == 4 ||
                     pattern_size == 8 || pattern_size == 16;
  if (!known || size % pattern_size != 0 || offset % pattern_size != 0)
    throw Error(ErrorCode::kInvalidArgument,
                "a fill pattern has 1, 2, 4, 8 or 16 bytes, and size and offset are multiples of "
                "it; got a pattern of " +
                    std::to_string(pattern_size) + ", size " + std::to_string(size) + ", offset " +
                    std::to_string(offset));
}

}  // namespace

Buffer::Buffer(const Device& device, std::size_t size) {
  if (!device) throw Error(ErrorCode::kInvalidArgument, "the device handle is empty");
  impl_ = device.impl()->allocate(size);
}

Buffer Buffer::from_host(const Device& device, const void* data, std::size_t size) {
  check_host(data, size);
  Buffer buffer(device, size);
  buffer.copy_from_host(data, size);
  return buffer;
}

Buffer Buffer::wrap_host(const Device& device, void* data, std::size_t size) {
  if (!device) throw Error(ErrorCode::kInvalidArgument, "the device handle is empty");
  check_host(data, size);
  Buffer buffer;
  buffer.impl_ = device.impl()->wrap_host(data, size);
  return buffer;
}

Device Buffer::device() const { return Device(need(impl_).device().shared_from_this()); }
std::size_t Buffer::size() const { return need(impl_).size(); }
void* Buffer::host_data() const { return need(impl_).host_data(); }
std::uint64_t Buffer::device_address() const { return need(impl_).device_address(); }

void Buffer::copy_from_host(const void* data, std::size_t size, std::size_t offset) {
  runtime::BufferImpl& buffer = need(impl_);
  check_range(buffer, size, offset);
  check_host(data, size);
  if (size != 0) buffer.copy_from_host(nullptr, data, size, offset);
}

void Buffer::copy_from_host(Stream& stream, const void* data, std::size_t size,
                            std::size_t offset) {
  runtime::BufferImpl& buffer = need(impl_);
  check_range(buffer, size, offset);
  check_host(data, size);
  runtime::StreamImpl& queue = need(stream, buffer);
  if (size != 0) buffer.copy_from_host(&queue, data, size, offset);
}

void Buffer::copy_to_host(void* data, std::size_t size, std::size_t offset) const {
  runtime::BufferImpl& buffer = need(impl_);
  check_range(buffer, size, offset);
  check_host(data, size);
  if (size != 0) buffer.copy_to_host(nullptr, data, size, offset);
}

void Buffer::copy_to_host(Stream& stream, void* data, std::size_t size, std::size_t offset) const {
  runtime::BufferImpl& buffer = need(impl_);
  check_range(buffer, size, offset);
  check_host(data, size);
  runtime::StreamImpl& queue = need(stream, buffer);
  if (size != 0) buffer.copy_to_host(&queue, data, size, offset);
}

void Buffer::copy_from(Stream& stream, const Buffer& source, std::size_t size,
                       std::size_t source_offset, std::size_t offset) {
  runtime::BufferImpl& to = need(impl_);
  runtime::BufferImpl& from = need(source.impl_);
  check_range(to, size, offset);
  check_range(from, size, source_offset);
  runtime::StreamImpl& queue = need(stream, to);
  need(stream, from);
  if (size != 0) to.copy_from(&queue, from, size, source_offset, offset);
}

void Buffer::fill(const void* pattern, std::size_t pattern_size, std::size_t size,
                  std::size_t offset) {
  runtime::BufferImpl& buffer = need(impl_);
  check_fill(buffer, pattern, pattern_size, size, offset);
  if (size != 0) buffer.fill(nullptr, pattern, pattern_size, size, offset);
}

void Buffer::fill(Stream& stream, const void* pattern, std::size_t pattern_size, std::size_t size,
                  std::size_t offset) {
  runtime::BufferImpl& buffer = need(impl_);
  check_fill(buffer, pattern, pattern_size, size, offset);
  runtime::StreamImpl& queue = need(stream, buffer);
  if (size != 0) buffer.fill(&queue, pattern, pattern_size, size, offset);
}

}  // namespace tritonrt
