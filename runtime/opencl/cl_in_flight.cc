// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/opencl/cl_in_flight.h"

#include <new>
#include <utility>

#include "runtime/opencl/cl_stream.h"

namespace tritonrt::runtime {
namespace {

bool has_happened(const cl::Event& event) {
  cl_int status = CL_COMPLETE;
  const cl_int code =
      clGetEventInfo(event(), CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status), &status, nullptr);
  return code != CL_SUCCESS || status <= CL_COMPLETE;  // an error is an end too
}

// A command that names the object: the driver keeps it until the command has run, which is after
// all that the queue got before. What it writes nobody reads.
void touch(cl_command_queue queue, cl_mem memory) noexcept {
  const char zero = 0;
  if (clEnqueueFillBuffer(queue, memory, &zero, 1, 0, 1, 0, nullptr, nullptr) == CL_SUCCESS)
    clFlush(queue);
}

}  // namespace

void ClInFlight::add(const std::shared_ptr<ClStream>& stream) {
  const std::lock_guard lock(mutex_);
  std::erase_if(streams_, [](const std::weak_ptr<ClStream>& s) { return s.expired(); });
  streams_.push_back(stream);
}

std::vector<std::shared_ptr<ClStream>> ClInFlight::streams() {
  std::vector<std::shared_ptr<ClStream>> streams;
  const std::lock_guard lock(mutex_);
  for (const std::weak_ptr<ClStream>& weak : streams_)
    if (auto stream = weak.lock()) streams.push_back(std::move(stream));
  return streams;
}

void ClInFlight::prune() {
  std::erase_if(retired_, [](const Retired& r) { return has_happened(r.last); });
}

void ClInFlight::retire(const cl::CommandQueue& queue, const cl::Event& last) {
  if (!unseen_.load(std::memory_order_relaxed)) return;
  const std::lock_guard lock(mutex_);
  prune();
  retired_.push_back({queue, last});
}

void ClInFlight::note_late(const std::shared_ptr<ClEvent>& end) {
  late_.fetch_add(1);
  end->on_complete([self = shared_from_this()] {
    if (self->late_.fetch_sub(1) == 1) self->forget_late();
  });
}

void ClInFlight::keep(std::shared_ptr<void> handle) {
  {
    const std::lock_guard lock(mutex_);
    kept_.push_back(std::move(handle));
  }
  // It may have ended meanwhile.
  if (late_.load() == 0) forget_late();
}

void ClInFlight::forget_late() {
  std::vector<std::shared_ptr<void>> gone;
  const std::lock_guard lock(mutex_);
  if (late_.load() == 0) gone.swap(kept_);
}

void ClInFlight::hold(cl_mem memory) noexcept {
  try {
    if (late_.load() != 0 && clRetainMemObject(memory) == CL_SUCCESS)
      keep_while_late(cl::Buffer(memory));
    if (!unseen_.load(std::memory_order_relaxed)) return;
    for (const std::shared_ptr<ClStream>& stream : streams())
      if (stream->is_pending()) touch(stream->queue(), memory);
    const std::lock_guard lock(mutex_);
    prune();
    for (const Retired& retired : retired_) touch(retired.queue(), memory);
  } catch (const std::bad_alloc&) {
    // Kept for good rather than released under a kernel.
    clRetainMemObject(memory);
  }
}

}  // namespace tritonrt::runtime
