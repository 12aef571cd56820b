// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TRITONRT_STREAM_H_
#define TRITONRT_STREAM_H_

#include <chrono>
#include <functional>
#include <memory>

#include "tritonrt/device.h"
#include "tritonrt/event.h"
#include "tritonrt/export.h"

namespace tritonrt {

namespace runtime {
class StreamImpl;
}

struct StreamOptions {
  // Record events with times. Costs time at each launch on some drivers.
  bool timing = false;
  // Work waits by itself for earlier work of the device's other streams that used the same buffer,
  // where one of the two writes. Without it, order streams by events. A slice counts as its buffer.
  bool automatic_order = true;
};

// A queue of work that runs in order and asynchronously. On the CPU a launch that is too small
// for several threads runs on the calling thread while the stream is idle. A handle; thread safe:
// work from several threads runs in the order in which their calls took effect. The last handle's
// end waits for nothing; the work that is queued still runs.
class TRITONRT_API Stream {
 public:
  explicit Stream(const Device& device, const StreamOptions& options = {});
  // No stream; usable only as a target of assignment.
  Stream() noexcept = default;

  Device device() const;

  // Blocks until everything enqueued has run. Throws the first error of asynchronous work that no
  // other call on the stream has thrown before. With a time-out: asks waiting kernels to give up
  // when it passes and throws kTimeout, with the kernel's name; the stream stays usable once the
  // running kernel ends. One that waits for nobody cannot be stopped: the message says that it goes
  // on, and no handle's end waits for it.
  void synchronize();
  void synchronize(std::chrono::nanoseconds timeout);

  // True when nothing is queued or running.
  bool is_idle() const;

  // Marks the point that the stream has reached.
  Event record();

  // Work enqueued afterwards waits for `event`, which may be of any stream of any device.
  void wait(const Event& event);

  // Calls `function` on a thread of the library when the work enqueued so far has run; what is
  // enqueued afterwards waits for it. What it throws is the stream's error. It must not wait for
  // work of the library: all such functions of the process share one thread.
  void call(std::function<void()> function);

  explicit operator bool() const noexcept { return impl_ != nullptr; }

  // For the library's own use.
  explicit Stream(std::shared_ptr<runtime::StreamImpl> impl);
  const std::shared_ptr<runtime::StreamImpl>& impl() const noexcept { return impl_; }

 private:
  std::shared_ptr<runtime::StreamImpl> impl_;
};

}  // namespace tritonrt

#endif  // TRITONRT_STREAM_H_
