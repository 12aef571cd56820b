// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/opencl/cl_stream.h"

#include <algorithm>
#include <thread>
#include <utility>

#include "runtime/opencl/cl_device.h"
#include "runtime/opencl/cl_error.h"

namespace tritonrt::runtime {
namespace {

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
  constexpr std::chrono::nanoseconds kLongest = std::chrono::hours(24 * 365);
  const auto deadline = Clock::now() + std::min(*timeout, kLongest);
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

ClStream::ClStream(const std::shared_ptr<ClDevice>& device, const StreamOptions& options)
    : StreamImpl(device), timed_(options.timing) {
  cl_int code = CL_SUCCESS;
  queue_ =
      cl::CommandQueue(clCreateCommandQueue(device->context()(), device->device()(),
                                            options.timing ? CL_QUEUE_PROFILING_ENABLE : 0, &code));
  cl_check(code, "creating a command queue");
}

std::shared_ptr<ClEvent> ClStream::marker() {
  cl_event event = nullptr;
  cl_check(clEnqueueMarkerWithWaitList(queue_(), 0, nullptr, &event), "recording an event");
  auto marker = std::make_shared<ClEvent>(device().shared_from_this(), cl::Event(event), timed_);
  // What waits for the event, on another queue or by asking, does not make this one go.
  cl_check(clFlush(queue_()), "flushing a queue");
  return marker;
}

void ClStream::drain() {
  if (!used_.exchange(false, std::memory_order_acq_rel)) return;
  cl_check(clFinish(queue_()), "waiting for a queue");
}

void ClStream::synchronize(Timeout timeout) {
  if (!timeout) {
    drain();
    return;
  }
  if (!used_.load(std::memory_order_acquire)) return;
  if (!marker()->wait(timeout))
    throw Error(ErrorCode::kTimeout, "the stream's work did not end within " +
                                         std::to_string(timeout->count() / 1000000) + " ms");
}

bool ClStream::is_idle() {
  return !used_.load(std::memory_order_acquire) || marker()->is_complete();
}

std::shared_ptr<EventImpl> ClStream::record() {
  mark();
  return marker();
}

void ClStream::wait(const std::shared_ptr<EventImpl>& event) {
  const cl_event other = static_cast<ClEvent&>(*event).get();
  mark();
  cl_check(clEnqueueBarrierWithWaitList(queue_(), 1, &other, nullptr),
           "making a queue wait for an event");
}

}  // namespace tritonrt::runtime
