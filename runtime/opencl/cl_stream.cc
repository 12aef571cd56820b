// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/opencl/cl_stream.h"

#include <algorithm>
#include <thread>
#include <utility>

#include "runtime/deadline.h"
#include "runtime/host_thread.h"
#include "runtime/opencl/cl_device.h"
#include "runtime/opencl/cl_error.h"
#include "runtime/opencl/cl_split_run.h"
#include "runtime/opencl/cl_stop.h"
#include "runtime/trace.h"

namespace tritonrt::runtime {
namespace {

// After a time-out, how long stopped kernels get to report which op gave up.
constexpr std::chrono::milliseconds kStopGrace{500};

cl_int status_of(cl_event event) {
  cl_int status = CL_QUEUED;
  cl_check(
      clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status), &status, nullptr),
      "asking for an event's state");
  if (status < 0) throw cl_failure(status, "work enqueued earlier failed");
  return status;
}

}  // namespace

bool ClEvent::is_complete() { return status_of(event_()) == CL_COMPLETE; }

bool ClEvent::wait(Timeout timeout) {
  const cl_event event = event_();
  if (!timeout) {
    const cl_int code = clWaitForEvents(1, &event);
    if (code == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST) status_of(event);
    cl_check(code, "waiting for an event");
    return true;
  }
  // OpenCL has no timed wait, so this one asks again and again, ever less often.
  using Clock = std::chrono::steady_clock;
  const auto deadline = deadline_after(*timeout);
  std::chrono::nanoseconds pause = std::chrono::microseconds(20);
  while (!is_complete()) {
    const auto now = Clock::now();
    if (now >= deadline) return false;
    std::this_thread::sleep_for(std::min<std::chrono::nanoseconds>(pause, deadline - now));
    pause = std::min<std::chrono::nanoseconds>(pause * 2, std::chrono::milliseconds(2));
  }
  return true;
}

std::optional<std::uint64_t> ClEvent::timestamp() {
  if (!timed_ || !is_complete()) return std::nullopt;
  cl_ulong time = 0;
  if (clGetEventProfilingInfo(event_(), CL_PROFILING_COMMAND_END, sizeof(time), &time, nullptr) !=
      CL_SUCCESS)
    return std::nullopt;
  return time;
}

void ClEvent::on_complete(std::function<void()> then) {
  auto* kept = new std::function<void()>(std::move(then));
  const auto notify = [](cl_event, cl_int, void* data) {
    const std::unique_ptr<std::function<void()>> function(
        static_cast<std::function<void()>*>(data));
    // The driver's thread must not wait for anything.
    post_to_host_thread(std::move(*function));
  };
  const cl_int code = clSetEventCallback(event_(), CL_COMPLETE, notify, kept);
  if (code == CL_SUCCESS) return;
  delete kept;
  throw cl_failure(code, "asking to be told of an event");
}

ClStream::ClStream(const std::shared_ptr<ClDevice>& device, const StreamOptions& options)
    : StreamImpl(device, options), timed_(options.timing || Trace::active() != nullptr) {
  cl_int code = CL_SUCCESS;
  queue_ = cl::CommandQueue(clCreateCommandQueue(device->context()(), device->device()(),
                                                 timed_ ? CL_QUEUE_PROFILING_ENABLE : 0, &code));
  cl_check(code, "creating a command queue");
}

ClStream::ClStream(const std::shared_ptr<ClDevice>& device, cl::CommandQueue queue, bool timed)
    : StreamImpl(device, {}), queue_(std::move(queue)), timed_(timed), shared_(true) {}

void* ClStream::native() {
  shared_.store(true, std::memory_order_relaxed);
  return queue_();
}

ClStream::~ClStream() {
  std::shared_ptr<ClEvent> last;
  try {
    if (is_pending()) {
      last = marker();
      static_cast<ClDevice&>(device()).in_flight().retire(queue_, last->event());
      // Drivers may wait where something in use is released: the last work's end releases it.
      last->on_complete([queue = queue_, memory = mesh_memory_, words = stop_words_,
                         stopped = std::move(stopped_)] {});
    }
  } catch (const Error&) {
    // The queue is broken: nothing on it will run.
  }
  retire_stream(id(), std::move(last));
}

std::shared_ptr<ClEvent> ClStream::marker() {
  cl_event event = nullptr;
  cl_check(clEnqueueMarkerWithWaitList(queue_(), 0, nullptr, &event), "recording an event");
  auto marker = std::make_shared<ClEvent>(device().shared_from_this(), cl::Event(event), timed_);
  // What waits for the event, on another queue or by asking, does not make this one go.
  cl_check(clFlush(queue_()), "flushing a queue");
  return marker;
}

std::string ClStream::earlier_work() const {
  const std::string* kernel = last_kernel_.load(std::memory_order_relaxed);
  return kernel == nullptr ? "work enqueued earlier"
                           : "work enqueued earlier, of which kernel '" + *kernel + "' came last,";
}

void ClStream::note_finished(std::uint64_t reached) noexcept {
  std::uint64_t before = finished_.load(std::memory_order_relaxed);
  while (before < reached && !finished_.compare_exchange_weak(before, reached)) {
  }
}

// Kernels that were told to stop have ended.
void ClStream::forget_stopped() {
  mesh_memory_->forget_outgrown();
  std::vector<std::shared_ptr<ClStopWords>> ended;
  const std::lock_guard lock(mutex_);
  ended.swap(stopped_);
}

void ClStream::drain() {
  const std::uint64_t reached = enqueued();
  if (!is_pending()) return;
  const cl_int code = clFinish(queue_());
  note_finished(reached);
  forget_stopped();
  if (code != CL_SUCCESS) throw cl_failure(code, earlier_work() + " failed");
}

void ClStream::synchronize(Timeout timeout) {
  if (!timeout) {
    drain();
  } else if (is_pending()) {
    const std::uint64_t reached = enqueued();
    const std::shared_ptr<ClEvent> end = marker();
    if (!end->wait(timeout)) time_out(end, *timeout);
    note_finished(reached);
  }
  check();
}

void ClStream::time_out(const std::shared_ptr<ClEvent>& end, std::chrono::nanoseconds timeout) {
  const std::string gave_up = stop(kStopGrace);
  const bool goes_on = !end->is_complete();
  if (goes_on) {
    static_cast<ClDevice&>(device()).in_flight().note_late(end);
    const std::lock_guard lock(mutex_);
    late_ = end;
  }
  throw timed_out(earlier_work(), timeout, gave_up, goes_on);
}

std::shared_ptr<ClStopWords> ClStream::stop_words() {
  const std::lock_guard lock(mutex_);
  if (stop_words_ == nullptr)
    stop_words_ = std::make_shared<ClStopWords>(
        std::static_pointer_cast<ClDevice>(device().shared_from_this()));
  return stop_words_;
}

cl::CommandQueue ClStream::take_aside() {
  {
    const std::lock_guard lock(mutex_);
    if (!asides_.empty()) {
      const cl::CommandQueue queue = asides_.back();
      asides_.pop_back();
      return queue;
    }
  }
  cl_int code = CL_SUCCESS;
  auto& device = static_cast<ClDevice&>(this->device());
  cl::CommandQueue queue(clCreateCommandQueue(device.context()(), device.device()(), 0, &code));
  cl_check(code, "creating a command queue");
  return queue;
}

void ClStream::give_aside(const cl::CommandQueue& queue) {
  const std::lock_guard lock(mutex_);
  asides_.push_back(queue);
}

void ClStream::follow(const std::shared_ptr<ClSplitRun>& run) {
  const std::lock_guard lock(mutex_);
  std::erase_if(runs_, [](const std::weak_ptr<ClSplitRun>& old) { return old.expired(); });
  runs_.push_back(run);
}

std::string ClStream::stop(Timeout timeout) {
  std::shared_ptr<ClStopWords> words;
  std::vector<std::shared_ptr<ClSplitRun>> runs;
  {
    // Kernels that come later get words of their own; these stay for those that use them.
    const std::lock_guard lock(mutex_);
    words = std::exchange(stop_words_, nullptr);
    if (words != nullptr) stopped_.push_back(words);
    for (const std::weak_ptr<ClSplitRun>& weak : std::exchange(runs_, {}))
      if (auto run = weak.lock()) runs.push_back(std::move(run));
  }
  if (words == nullptr && runs.empty()) return {};
  if (words != nullptr) words->stop();
  for (const std::shared_ptr<ClSplitRun>& run : runs) run->stop();
  if (!timeout)
    drain();
  else if (!marker()->wait(timeout))
    return {};
  std::string text = words != nullptr ? words->gave_up() : std::string();
  for (const std::shared_ptr<ClSplitRun>& run : runs)
    if (text.empty()) text = run->gave_up();
  return text;
}

void ClStream::shut_down() {
  std::shared_ptr<ClEvent> late;
  {
    const std::lock_guard lock(mutex_);
    late = late_;
    closed_ = true;
    failed_.store(true, std::memory_order_release);
  }
  const bool goes_on = late != nullptr && !late->is_complete();
  const std::string gave_up = stop(goes_on ? Timeout(kStopGrace) : std::nullopt);
  if (!gave_up.empty()) fail(std::make_exception_ptr(Error(ErrorCode::kStopped, gave_up)));
  if (!goes_on || late->is_complete()) drain();
}

void ClStream::fail(std::exception_ptr error) {
  const std::lock_guard lock(mutex_);
  if (error_ == nullptr) error_ = std::move(error);
  failed_.store(true, std::memory_order_release);
}

void ClStream::check() {
  if (!failed_.load(std::memory_order_relaxed)) return;
  std::unique_lock lock(mutex_);
  failed_.store(closed_, std::memory_order_relaxed);
  const std::exception_ptr error = std::exchange(error_, nullptr);
  lock.unlock();
  if (error != nullptr) std::rethrow_exception(error);
}

void ClStream::refuse_launch() {
  check();
  static_cast<ClDevice&>(device()).check_open();
}

bool ClStream::is_idle() {
  if (!is_pending()) return true;
  const std::uint64_t reached = enqueued();
  const std::lock_guard lock(mutex_);
  // One marker for all who ask until it is passed: a fresh one is never complete yet on a device
  // that works beside the host, however often one asks.
  if (idle_marker_ == nullptr || idle_reached_ != reached) {
    idle_marker_ = marker();
    idle_reached_ = reached;
  }
  const std::shared_ptr<ClEvent> passed = std::exchange(idle_marker_, nullptr);
  if (!passed->is_complete()) {
    idle_marker_ = passed;
    return false;
  }
  note_finished(reached);
  return true;
}

std::shared_ptr<EventImpl> ClStream::record() {
  std::shared_ptr<ClEvent> reached = marker();
  mark();
  return reached;
}

void ClStream::wait(const std::shared_ptr<EventImpl>& event) {
  const cl_event other = static_cast<ClEvent&>(*event).get();
  cl_check(clEnqueueBarrierWithWaitList(queue_(), 1, &other, nullptr),
           "making a queue wait for an event");
  mark();
}

cl::Event ClStream::gate() {
  cl_int code = CL_SUCCESS;
  cl::Event opened(clCreateUserEvent(static_cast<ClDevice&>(device()).context()(), &code));
  cl_check(code, "creating an event");
  const cl_event event = opened();
  cl_check(clEnqueueBarrierWithWaitList(queue_(), 1, &event, nullptr),
           "making a queue wait for the host");
  mark();
  return opened;
}

void ClStream::wait_foreign(const std::shared_ptr<EventImpl>& event) {
  if (event->is_complete()) return;
  cl::Event opened = gate();
  event->on_complete([opened] { clSetUserEventStatus(opened(), CL_COMPLETE); });
}

void ClStream::call(std::function<void()> function) {
  check();
  const std::shared_ptr<ClEvent> reached = marker();
  cl::Event opened = gate();
  reached->on_complete([self = std::static_pointer_cast<ClStream>(shared_from_this()), opened,
                        function = std::move(function)] {
    try {
      function();
    } catch (...) {
      self->fail(std::current_exception());
    }
    clSetUserEventStatus(opened(), CL_COMPLETE);
  });
}

}  // namespace tritonrt::runtime
