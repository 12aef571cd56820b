// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tritonrt/stream.h"

#include <utility>

#include "runtime/check.h"
#include "tritonrt/error.h"

namespace tritonrt {
using runtime::need;

Stream::Stream(const Device& device, const StreamOptions& options) {
  impl_ = need(device).create_stream(options);
  runtime::register_stream(impl_);
}

Stream::Stream(std::shared_ptr<runtime::StreamImpl> impl) : impl_(std::move(impl)) {
  runtime::register_stream(impl_);
}

Device Stream::device() const { return Device(need(*this).device().shared_from_this()); }
void Stream::synchronize() { need(*this).finish(std::nullopt); }
void Stream::synchronize(std::chrono::nanoseconds timeout) { need(*this).finish(timeout); }
bool Stream::is_idle() const { return need(*this).is_idle(); }
Event Stream::record() { return Event(need(*this).record()); }

void Stream::wait(const Event& event) {
  runtime::StreamImpl& stream = need(*this);
  if (!event) return;
  if (&event.impl()->device() == &stream.device())
    stream.wait(event.impl());
  else
    stream.wait_foreign(event.impl());
}

void Stream::call(std::function<void()> function) {
  if (!function) throw Error(ErrorCode::kInvalidArgument, "the function is empty");
  need(*this).call(std::move(function));
}

Event::Event(std::shared_ptr<runtime::EventImpl> impl) noexcept : impl_(std::move(impl)) {}

bool Event::is_complete() const { return impl_ == nullptr || impl_->is_complete(); }

void Event::synchronize() const {
  if (impl_ != nullptr) impl_->wait(std::nullopt);
}

void Event::synchronize(std::chrono::nanoseconds timeout) const {
  if (impl_ != nullptr && !impl_->wait(timeout))
    throw Error(ErrorCode::kTimeout, "the event did not happen within " +
                                         std::to_string(timeout.count() / 1000000) + " ms");
}

double Event::elapsed_ms(const Event& start) const {
  if (impl_ == nullptr || start.impl_ == nullptr)
    throw Error(ErrorCode::kInvalidArgument,
                "elapsed_ms needs two recorded events; an event handle is empty");
  if (&impl_->device() != &start.impl_->device())
    throw Error(ErrorCode::kInvalidArgument, "the two events are of different devices");
  const auto begin = start.impl_->timestamp();
  const auto end = impl_->timestamp();
  if (!begin || !end)
    throw Error(ErrorCode::kInvalidArgument,
                std::string(begin ? "the end" : "the start") +
                    " has not happened, or its stream records no times; synchronize it first, and "
                    "adopt queues with CL_QUEUE_PROFILING_ENABLE");
  return (static_cast<double>(*end) - static_cast<double>(*begin)) * 1e-6;
}

}  // namespace tritonrt
