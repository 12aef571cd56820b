// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TRITONRT_RUNTIME_OPENCL_CL_STREAM_H_
#define TRITONRT_RUNTIME_OPENCL_CL_STREAM_H_

#include <atomic>
#include <memory>

#include "runtime/driver.h"
#include "runtime/opencl/cl_headers.h"

namespace tritonrt::runtime {

class ClDevice;

class ClEvent final : public EventImpl {
 public:
  ClEvent(std::shared_ptr<DeviceImpl> device, cl::Event event, bool timed)
      : EventImpl(std::move(device)), event_(std::move(event)), timed_(timed) {}
  bool is_complete() override;
  bool wait(Timeout timeout) override;
  std::optional<std::uint64_t> timestamp() override;
  cl_event get() const { return event_(); }

 private:
  const cl::Event event_;
  const bool timed_;
};

// An in-order queue.
class ClStream final : public StreamImpl {
 public:
  ClStream(const std::shared_ptr<ClDevice>& device, const StreamOptions& options);

  void synchronize(Timeout timeout) override;
  bool is_idle() override;
  std::shared_ptr<EventImpl> record() override;
  void wait(const std::shared_ptr<EventImpl>& event) override;

  cl_command_queue queue() const { return queue_(); }
  // Something was enqueued: the next wait has something to wait for.
  void mark() noexcept { used_.store(true, std::memory_order_relaxed); }
  // Waits for what was enqueued, if anything was.
  void drain();

 private:
  std::shared_ptr<ClEvent> marker();

  cl::CommandQueue queue_;
  const bool timed_;
  std::atomic<bool> used_{false};
};

}  // namespace tritonrt::runtime

#endif  // TRITONRT_RUNTIME_OPENCL_CL_STREAM_H_
