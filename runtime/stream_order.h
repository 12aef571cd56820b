// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TRITONRT_RUNTIME_STREAM_ORDER_H_
#define TRITONRT_RUNTIME_STREAM_ORDER_H_

// Memory that is used on several streams: later work waits by itself for the earlier work of other
// streams that it conflicts with. A use is a stream's number and how much was enqueued on it, in
// one word; 0 is none.

#include <atomic>
#include <cstdint>
#include <memory>

#include "tritonrt/export.h"

namespace tritonrt::runtime {

class EventImpl;
class StreamImpl;

inline constexpr int kUseTicketBits = 40;
inline constexpr std::uint64_t kUseTicketMask = (std::uint64_t{1} << kUseTicketBits) - 1;
// Uses on more than one stream: all of the device are waited for.
inline constexpr std::uint64_t kManyUses = ~std::uint64_t{0};

inline bool same_stream(std::uint64_t a, std::uint64_t b) {
  return ((a ^ b) >> kUseTicketBits) == 0;
}

// One word for both.
TRITONRT_API std::uint64_t merge_uses(std::uint64_t a, std::uint64_t b);

// Streams that work may have to wait for.
TRITONRT_API void register_stream(const std::shared_ptr<StreamImpl>& stream);
// The stream is going; `last` (which may be null) happens when its work has run.
TRITONRT_API void retire_stream(std::uint64_t id, std::shared_ptr<EventImpl> last);
// Makes `stream` wait for a use on another stream. True when the use is known to be over.
TRITONRT_API bool follow_use(StreamImpl& stream, std::uint64_t use);

// When memory was last used. Thread safe; threads that use one memory at once without ordering
// themselves get no order from here either.
class Uses {
 public:
  // Work that reads or writes is about to be enqueued; `use` is StreamImpl::next_use.
  void note(StreamImpl& stream, std::uint64_t use, bool write) {
    const std::uint64_t w = write_.load(std::memory_order_relaxed);
    const std::uint64_t r = read_.load(std::memory_order_relaxed);
    if (w != 0 && !same_stream(w, use)) follow_write(stream, w);
    if (write) {
      if (r != 0 && !same_stream(r, use)) follow_use(stream, r);
      if (r != 0) read_.store(0, std::memory_order_relaxed);
      if (w != use) write_.store(use, std::memory_order_relaxed);
    } else if (r != use) {
      read_.store(r == 0 || same_stream(r, use) ? use : kManyUses, std::memory_order_relaxed);
    }
  }

  std::uint64_t last_write() const { return write_.load(std::memory_order_relaxed); }
  std::uint64_t last_read() const { return read_.load(std::memory_order_relaxed); }
  void set(std::uint64_t write, std::uint64_t read) {
    write_.store(write, std::memory_order_relaxed);
    read_.store(read, std::memory_order_relaxed);
  }

 private:
  void follow_write(StreamImpl& stream, std::uint64_t w) {
    // What is over need not be looked at again.
    if (follow_use(stream, w)) write_.compare_exchange_strong(w, 0, std::memory_order_relaxed);
  }

  std::atomic<std::uint64_t> write_{0};
  std::atomic<std::uint64_t> read_{0};
};

}  // namespace tritonrt::runtime

#endif  // TRITONRT_RUNTIME_STREAM_ORDER_H_
