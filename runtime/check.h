// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TRITONRT_RUNTIME_CHECK_H_
#define TRITONRT_RUNTIME_CHECK_H_

#include <cstddef>

#include "runtime/driver.h"
#include "tritonrt/buffer.h"
#include "tritonrt/device.h"
#include "tritonrt/stream.h"

namespace tritonrt::runtime {

// What public functions ask of their arguments. All throw kInvalidArgument.

// What a handle names, which must not be empty.
DeviceImpl& need(const Device& device);
StreamImpl& need(const Stream& stream);
BufferImpl& need(const Buffer& buffer);
// The stream, which must be of the buffer's device.
StreamImpl& need(const Stream& stream, const BufferImpl& buffer);

// The bytes lie in the buffer.
void check_range(const BufferImpl& buffer, std::size_t size, std::size_t offset);
// Bytes of the two share none.
void check_apart(const BufferImpl& source, std::size_t source_offset, const BufferImpl& target,
                 std::size_t offset, std::size_t size);
// There is memory behind the pointer, unless no byte is asked for.
void check_host(const void* data, std::size_t size);
void check_fill(const BufferImpl& buffer, const void* pattern, std::size_t pattern_size,
                std::size_t size, std::size_t offset);

}  // namespace tritonrt::runtime

#endif  // TRITONRT_RUNTIME_CHECK_H_
