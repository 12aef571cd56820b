// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TRITONRT_RUNTIME_OPENCL_CL_STREAM_H_
#define TRITONRT_RUNTIME_OPENCL_CL_STREAM_H_

#include <atomic>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <string>

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
  void on_complete(std::function<void()> then) override;
  cl_event get() const { return event_(); }

 private:
  const cl::Event event_;
  const bool timed_;
};

// An in-order queue.
class ClStream final : public StreamImpl {
 public:
  ClStream(const std::shared_ptr<ClDevice>& device, const StreamOptions& options);
  ~ClStream() override;

  void synchronize(Timeout timeout) override;
  bool is_idle() override;
  std::shared_ptr<EventImpl> record() override;
  void wait(const std::shared_ptr<EventImpl>& event) override;
  void wait_foreign(const std::shared_ptr<EventImpl>& event) override;
  void call(std::function<void()> function) override;

  bool has_run(std::uint64_t) override { return !used_.load(std::memory_order_acquire); }

  cl_command_queue queue() const { return queue_(); }
  // Something was enqueued: the next wait has something to wait for.
  void mark() noexcept {
    count_enqueued(1);
    used_.store(true, std::memory_order_relaxed);
  }
  // The same for a kernel; `name` outlives the stream.
  void mark(const std::string& name) noexcept {
    last_kernel_.store(&name, std::memory_order_relaxed);
    mark();
  }
  // Waits for what was enqueued, if anything was.
  void drain();
  // Keeps the first error of a host function for the next call that may report one; throws it.
  void fail(std::exception_ptr error);
  void check();

 private:
  std::shared_ptr<ClEvent> marker();
  // Makes later work wait for an event that the host completes.
  cl::Event gate();
  // What an error of earlier work is reported as.
  std::string earlier_work() const;

  cl::CommandQueue queue_;
  const bool timed_;
  std::atomic<bool> used_{false};
  std::atomic<const std::string*> last_kernel_{nullptr};
  std::atomic<bool> failed_{false};  // there is an error_
  std::mutex mutex_;
  std::exception_ptr error_;  // under mutex_
};

}  // namespace tritonrt::runtime

#endif  // TRITONRT_RUNTIME_OPENCL_CL_STREAM_H_
