// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "src/c/handles.h"

using namespace tritonrt;
using c::guarded;
using c::need;

tritonrt_status tritonrt_buffer_create(tritonrt_device* device, size_t size,
                                       tritonrt_buffer** buffer) {
  return guarded([&] {
    c::give_new(buffer, "buffer",
                [&] { return new tritonrt_buffer{Buffer(need(device, "device").value, size)}; });
  });
}

tritonrt_status tritonrt_buffer_wrap_host(tritonrt_device* device, void* data, size_t size,
                                          tritonrt_buffer** buffer) {
  return guarded([&] {
    c::give_new(buffer, "buffer", [&] {
      return new tritonrt_buffer{Buffer::wrap_host(need(device, "device").value, data, size)};
    });
  });
}

tritonrt_status tritonrt_buffer_slice(const tritonrt_buffer* buffer, size_t offset, size_t size,
                                      tritonrt_buffer** slice) {
  return guarded([&] {
    c::give_new(slice, "slice", [&] {
      return new tritonrt_buffer{need(buffer, "buffer").value.slice(offset, size)};
    });
  });
}

void tritonrt_buffer_release(tritonrt_buffer* buffer) { delete buffer; }

tritonrt_status tritonrt_buffer_size(const tritonrt_buffer* buffer, size_t* size) {
  return guarded([&] { need(size, "size") = need(buffer, "buffer").value.size(); });
}

tritonrt_status tritonrt_buffer_host_data(const tritonrt_buffer* buffer, void** data) {
  return guarded([&] { need(data, "data") = need(buffer, "buffer").value.host_data(); });
}

tritonrt_status tritonrt_buffer_device_address(const tritonrt_buffer* buffer, uint64_t* address) {
  return guarded([&] { need(address, "address") = need(buffer, "buffer").value.device_address(); });
}

tritonrt_status tritonrt_buffer_copy_from_host(tritonrt_buffer* buffer, tritonrt_stream* stream,
                                               const void* data, size_t size, size_t offset) {
  return guarded([&] {
    Buffer& own = need(buffer, "buffer").value;
    if (stream == nullptr)
      own.copy_from_host(data, size, offset);
    else
      own.copy_from_host(stream->value, data, size, offset);
  });
}

tritonrt_status tritonrt_buffer_copy_to_host(const tritonrt_buffer* buffer, tritonrt_stream* stream,
                                             void* data, size_t size, size_t offset) {
  return guarded([&] {
    const Buffer& own = need(buffer, "buffer").value;
    if (stream == nullptr)
      own.copy_to_host(data, size, offset);
    else
      own.copy_to_host(stream->value, data, size, offset);
  });
}

tritonrt_status tritonrt_buffer_copy(tritonrt_buffer* target, tritonrt_stream* stream,
                                     const tritonrt_buffer* source, size_t size,
                                     size_t source_offset, size_t offset) {
  return guarded([&] {
    need(target, "target")
        .value.copy_from(need(stream, "stream").value, need(source, "source").value, size,
                         source_offset, offset);
  });
}

tritonrt_status tritonrt_buffer_fill(tritonrt_buffer* buffer, tritonrt_stream* stream,
                                     const void* pattern, size_t pattern_size, size_t size,
                                     size_t offset) {
  return guarded([&] {
    Buffer& own = need(buffer, "buffer").value;
    if (stream == nullptr)
      own.fill(pattern, pattern_size, size, offset);
    else
      own.fill(stream->value, pattern, pattern_size, size, offset);
  });
}
