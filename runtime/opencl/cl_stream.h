// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TRITONRT_RUNTIME_OPENCL_CL_STREAM_H_
#define TRITONRT_RUNTIME_OPENCL_CL_STREAM_H_

#include <atomic>
#include <chrono>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "runtime/driver.h"
#include "runtime/opencl/cl_headers.h"
#include "runtime/opencl/cl_mesh.h"

namespace tritonrt::runtime {

class ClDevice;
class ClSplitRun;
class ClStopWords;

class TRITONRT_API ClEvent final : public EventImpl {
 public:
  ClEvent(std::shared_ptr<DeviceImpl> device, cl::Event event, bool timed)
      : EventImpl(std::move(device)), event_(std::move(event)), timed_(timed) {}
  bool is_complete() override;
  bool wait(Timeout timeout) override;
  std::optional<std::uint64_t> timestamp() override;
  void on_complete(std::function<void()> then) override;
  void* native() override { return event_(); }
  cl_event get() const { return event_(); }
  const cl::Event& event() const { return event_; }

 private:
  const cl::Event event_;
  const bool timed_;
};

// An in-order queue.
class TRITONRT_API ClStream final : public StreamImpl {
 public:
  ClStream(const std::shared_ptr<ClDevice>& device, const StreamOptions& options);
  // The application's queue.
  ClStream(const std::shared_ptr<ClDevice>& device, cl::CommandQueue queue, bool timed);
  ~ClStream() override;

  void* native() override;

  void synchronize(Timeout timeout) override;
  bool is_idle() override;
  std::shared_ptr<EventImpl> record() override;
  void wait(const std::shared_ptr<EventImpl>& event) override;
  void wait_foreign(const std::shared_ptr<EventImpl>& event) override;
  void call(std::function<void()> function) override;

  bool has_run(std::uint64_t ticket) override {
    return finished_.load(std::memory_order_acquire) >= ticket;
  }

  cl_command_queue queue() const { return queue_(); }
  // Something was enqueued: the next wait has something to wait for. Called after it was: a wait
  // of another thread, for all work of the device, must not take it for work that it waited for.
  void mark() noexcept { count_enqueued(1); }
  // The same for a kernel; `name` outlives the stream.
  void mark(const std::string& name) noexcept {
    last_kernel_.store(&name, std::memory_order_relaxed);
    mark();
  }
  // May there be work that has not run?
  bool is_pending() const {
    return shared_.load(std::memory_order_relaxed) ||
           finished_.load(std::memory_order_acquire) < enqueued();
  }
  // Waits for what was enqueued, if anything was.
  void drain();
  // What kernels that wait for other programs are given.
  std::shared_ptr<ClStopWords> stop_words();
  // Asks those that were enqueued to give up, and waits for all work: for a moment, if a time is
  // given. What gave up, as text; empty where nothing did.
  std::string stop(Timeout timeout);
  // The same for good: what gave up becomes the stream's error. Work that a time-out was thrown for
  // is waited for no longer than it takes to stop.
  void shut_down();
  // Behind all that was enqueued; its queue goes.
  std::shared_ptr<ClEvent> marker();
  // Makes later work wait for an event that the host completes.
  cl::Event gate();
  // What the programs of its meshes reach, where they run together.
  ClKeptMeshMemory& mesh_memory() { return *mesh_memory_; }
  // A second queue, whose work the stream does not wait for by itself: for one run, which gives it
  // back. Runs must not share one: what the later one waits for stands behind the earlier one's
  // end.
  cl::CommandQueue take_aside();
  void give_aside(const cl::CommandQueue& queue);
  // A launch that goes on enqueuing on such a queue until it has ended; told to stop with the
  // kernels that wait.
  void follow(const std::shared_ptr<ClSplitRun>& run);
  // Keeps the first error of a host function for the next call that may report one; throws it.
  void fail(std::exception_ptr error);
  void check();
  // The same before a launch, which is an error on a device that has been shut down.
  void check_launch() {
    if (failed_.load(std::memory_order_relaxed)) refuse_launch();
  }

 private:
  void refuse_launch();
  void forget_stopped();
  // The first `reached` pieces have run.
  void note_finished(std::uint64_t reached) noexcept;
  // What an error of earlier work is reported as.
  std::string earlier_work() const;
  // Work at whose end `end` is has not ended in time.
  [[noreturn]] void time_out(const std::shared_ptr<ClEvent>& end, std::chrono::nanoseconds timeout);

  cl::CommandQueue queue_;
  const bool timed_;
  std::atomic<std::uint64_t> finished_{0};  // pieces known to have run
  // Others may enqueue too, at any time: there is always something to wait for.
  std::atomic<bool> shared_{false};
  std::atomic<const std::string*> last_kernel_{nullptr};
  std::atomic<bool> failed_{false};  // there is an error_, or no launch may come
  std::mutex mutex_;
  std::exception_ptr error_;  // under mutex_
  bool closed_ = false;       // under mutex_
  // Behind the piece of work that idle_reached_ numbers; null until somebody asks. Under mutex_.
  std::shared_ptr<ClEvent> idle_marker_;
  std::uint64_t idle_reached_ = 0;
  // Both under mutex_; null where no kernel has waited yet.
  std::shared_ptr<ClStopWords> stop_words_;
  std::vector<std::shared_ptr<ClStopWords>> stopped_;  // whose kernels may still run
  std::vector<cl::CommandQueue> asides_;               // under mutex_; those that no run has
  std::vector<std::weak_ptr<ClSplitRun>> runs_;        // under mutex_
  std::shared_ptr<ClEvent> late_;  // under mutex_; behind work that a time-out was thrown for
  const std::shared_ptr<ClKeptMeshMemory> mesh_memory_ = std::make_shared<ClKeptMeshMemory>();
};

// A queue, for as long as something is being enqueued on it: the end marks its stream, if any.
class ClEnqueuing {
 public:
  ClEnqueuing(cl_command_queue queue, ClStream* stream) : queue_(queue), stream_(stream) {}
  ~ClEnqueuing() {
    if (stream_ != nullptr) stream_->mark();
  }
  ClEnqueuing(const ClEnqueuing&) = delete;
  ClEnqueuing& operator=(const ClEnqueuing&) = delete;
  operator cl_command_queue() const { return queue_; }

 private:
  const cl_command_queue queue_;
  ClStream* const stream_;
};

}  // namespace tritonrt::runtime

#endif  // TRITONRT_RUNTIME_OPENCL_CL_STREAM_H_
