// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TRITONRT_EVENT_H_
#define TRITONRT_EVENT_H_

#include <chrono>
#include <memory>

#include "tritonrt/export.h"

namespace tritonrt {

namespace runtime {
class EventImpl;
}

// A point in a stream. A handle, thread safe.
class TRITONRT_API Event {
 public:
  // No event: complete.
  Event() noexcept = default;

  // True when everything before the event has run.
  bool is_complete() const;

  // Blocks until then. With a time-out, throws kTimeout when it passes first.
  void synchronize() const;
  void synchronize(std::chrono::nanoseconds timeout) const;

  // Milliseconds from `start` to this event. Both must be complete, of one device, and recorded
  // with timing; else kInvalidArgument.
  double elapsed_ms(const Event& start) const;

  explicit operator bool() const noexcept { return impl_ != nullptr; }

  // For the library's own use.
  explicit Event(std::shared_ptr<runtime::EventImpl> impl) noexcept;
  const std::shared_ptr<runtime::EventImpl>& impl() const noexcept { return impl_; }

 private:
  std::shared_ptr<runtime::EventImpl> impl_;
};

}  // namespace tritonrt

#endif  // TRITONRT_EVENT_H_
