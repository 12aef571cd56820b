// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TRITONRT_BUFFER_H_
#define TRITONRT_BUFFER_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "tritonrt/device.h"
#include "tritonrt/export.h"
#include "tritonrt/stream.h"

namespace tritonrt {

namespace runtime {
class BufferImpl;
}

// An N-D block of elements in two memories, for a copy from the one to the other. The target's
// elements must not repeat, nor overlap the source.
struct CopyBlock {
  std::size_t element_size = 1;                // bytes
  std::vector<std::size_t> shape;              // elements along each dimension
  std::vector<std::ptrdiff_t> source_strides;  // bytes; 0 repeats, negative turns around
  std::vector<std::ptrdiff_t> target_strides;  // bytes
  std::size_t source_offset = 0;               // bytes before element (0, ..., 0)
  std::size_t target_offset = 0;
};

// Memory on a device, `size()` bytes, aligned to at least 64. A handle: copies name the same
// memory, which is freed once the last handle is gone and the work that uses it has run. The
// handle is thread safe; the bytes are the caller's to order.
//
// Copies without a stream block, and see all work enqueued before them on any stream of the
// device. Copies with a stream run in its order; those from host memory may return before the
// host bytes are read, so they must stay until the stream has passed.
class TRITONRT_API Buffer {
 public:
  // `size` bytes of undefined content; 0 is allowed. Throws kOutOfMemory.
  Buffer(const Device& device, std::size_t size);
  // The same, filled from host memory.
  static Buffer from_host(const Device& device, const void* data, std::size_t size);
  // Uses the caller's memory in place. It must outlive the buffer, or `release`, where given, is
  // called when the buffer and the work on it are gone: before that work counts as ended, on any
  // thread, so it must not wait for the stream. CPU devices only.
  static Buffer wrap_host(const Device& device, void* data, std::size_t size,
                          std::function<void()> release = {});
  // No buffer; usable only as a target of assignment.
  Buffer() noexcept = default;

  // Bytes [offset, offset + size) as a buffer of their own, which keeps the memory. Any offset.
  Buffer slice(std::size_t offset, std::size_t size) const;

  Device device() const;
  std::size_t size() const;

  // The memory itself where the host may touch it (the CPU device), else nullptr. Synchronise
  // before reading what a launch wrote.
  void* host_data() const;
  template <typename T>
  T* host_data_as() const {
    return static_cast<T*>(host_data());
  }

  // Where kernels see the buffer's first byte: what a table of pointers in device memory holds. It
  // stays the same for the buffer's life, and the buffer must outlive what follows the pointer.
  std::uint64_t device_address() const;

  // Throw kInvalidArgument when offset + size exceeds the buffer.
  void copy_from_host(const void* data, std::size_t size, std::size_t offset = 0);
  void copy_from_host(Stream& stream, const void* data, std::size_t size, std::size_t offset = 0);
  void copy_to_host(void* data, std::size_t size, std::size_t offset = 0) const;
  void copy_to_host(Stream& stream, void* data, std::size_t size, std::size_t offset = 0) const;
  // From a buffer of any device; source and target must not overlap.
  void copy_from(Stream& stream, const Buffer& source, std::size_t size,
                 std::size_t source_offset = 0, std::size_t offset = 0);

  // Strided copies, in the stream's order. Contiguous runs are merged. `size` is that of the host
  // memory, in bytes.
  void copy_from_host(Stream& stream, const void* data, std::size_t size, const CopyBlock& block);
  void copy_to_host(Stream& stream, void* data, std::size_t size, const CopyBlock& block) const;
  void copy_from(Stream& stream, const Buffer& source, const CopyBlock& block);

  // Repeats a pattern of 1, 2, 4, 8 or 16 bytes; size and offset are multiples of it.
  void fill(const void* pattern, std::size_t pattern_size, std::size_t size,
            std::size_t offset = 0);
  void fill(Stream& stream, const void* pattern, std::size_t pattern_size, std::size_t size,
            std::size_t offset = 0);

  explicit operator bool() const noexcept { return impl_ != nullptr; }
  friend bool operator==(const Buffer& a, const Buffer& b) noexcept { return a.impl_ == b.impl_; }

  // For the library's own use.
  explicit Buffer(std::shared_ptr<runtime::BufferImpl> impl) noexcept : impl_(std::move(impl)) {}
  const std::shared_ptr<runtime::BufferImpl>& impl() const noexcept { return impl_; }

 private:
  std::shared_ptr<runtime::BufferImpl> impl_;
};

}  // namespace tritonrt

#endif  // TRITONRT_BUFFER_H_
