// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/check.h"

#include <string>

#include "tritonrt/error.h"

namespace tritonrt::runtime {
namespace {

[[noreturn]] void refuse(const std::string& text) {
  throw Error(ErrorCode::kInvalidArgument, text);
}

}  // namespace

DeviceImpl& need(const Device& device) {
  if (!device) refuse("the device handle is empty");
  return *device.impl();
}

StreamImpl& need(const Stream& stream) {
  if (!stream) refuse("the stream handle is empty");
  return *stream.impl();
}

BufferImpl& need(const Buffer& buffer) {
  if (!buffer) refuse("the buffer handle is empty");
  return *buffer.impl();
}

StreamImpl& need(const Stream& stream, const BufferImpl& buffer) {
  StreamImpl& impl = need(stream);
  if (&impl.device() != &buffer.device())
    refuse("the buffer is of device '" + buffer.device().info().name + "', the stream of '" +
           impl.device().info().name + "'");
  return impl;
}

void check_range(const BufferImpl& buffer, std::size_t size, std::size_t offset) {
  if (offset > buffer.size() || size > buffer.size() - offset)
    refuse("bytes [" + std::to_string(offset) + ", " + std::to_string(offset) + " + " +
           std::to_string(size) + ") lie outside a buffer of " + std::to_string(buffer.size()) +
           " bytes");
}

void check_apart(const BufferImpl& source, std::size_t source_offset, const BufferImpl& target,
                 std::size_t offset, std::size_t size) {
  // Memory that the application knows too may be anywhere.
  constexpr std::uint64_t kAnywhere = ~std::uint64_t{0};
  if (source.range_end() == kAnywhere || target.range_end() == kAnywhere) return;
  const std::uint64_t from = source.range_begin() + source_offset;
  const std::uint64_t to = target.range_begin() + offset;
  if (&source.device() == &target.device() && from < to + size && to < from + size)
    refuse("source and target of a copy of " + std::to_string(size) +
           " bytes overlap: copy by way of another buffer");
}

void check_host(const void* data, std::size_t size) {
  if (data == nullptr && size != 0)
    refuse("the host pointer is null, expected " + std::to_string(size) + " bytes there");
}

void check_fill(const BufferImpl& buffer, const void* pattern, std::size_t pattern_size,
                std::size_t size, std::size_t offset) {
  check_range(buffer, size, offset);
  check_host(pattern, pattern_size);
  const bool known = pattern_size == 1 || pattern_size == 2 || pattern_size == 4 ||
                     pattern_size == 8 || pattern_size == 16;
  if (!known || size % pattern_size != 0 || offset % pattern_size != 0)
    refuse(
        "a fill pattern has 1, 2, 4, 8 or 16 bytes, and size and offset are multiples of it; got "
        "a pattern of " +
        std::to_string(pattern_size) + ", size " + std::to_string(size) + ", offset " +
        std::to_string(offset));
}

}  // namespace tritonrt::runtime
