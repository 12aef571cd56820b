// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TRITONRT_HOST_MIRROR_H_
#define TRITONRT_HOST_MIRROR_H_

#include <cstddef>
#include <cstdint>
#include <memory>

#include "tritonrt/buffer.h"
#include "tritonrt/export.h"

namespace tritonrt {

namespace runtime {
class MirrorImpl;
}

// Host memory that follows a buffer, with copies on demand: looking at it fetches what the device
// has written since, and the next work on the buffer sees what the host has written, whichever
// launch or copy that is. Only stale ranges move. On the CPU device it is the buffer's own memory,
// and nothing moves. One mirror a buffer, slices counting as their buffer. A handle; one thread at
// a time, and not while another thread enqueues work on the buffer.
class TRITONRT_API HostMirror {
 public:
  static constexpr std::size_t kAll = ~std::size_t{0};

  // Throws kInvalidArgument for a buffer that has one, and for a slice.
  explicit HostMirror(const Buffer& buffer);

  // Bytes [offset, offset + size) as they are after all work enqueued so far, for which this waits.
  // Valid until the mirror's end; stale after the next work on the buffer.
  const void* read(std::size_t offset = 0, std::size_t size = kAll);
  // The same for changing: the device gets the range before its next work on the buffer. With
  // `discard`, what was in it is not fetched: all of the range must be written.
  void* write(std::size_t offset = 0, std::size_t size = kAll, bool discard = false);

  // Bytes moved so far.
  std::uint64_t fetched_bytes() const;
  std::uint64_t sent_bytes() const;

 private:
  std::shared_ptr<runtime::MirrorImpl> impl_;
};

}  // namespace tritonrt

#endif  // TRITONRT_HOST_MIRROR_H_
