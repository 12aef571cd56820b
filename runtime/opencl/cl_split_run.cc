// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/opencl/cl_split_run.h"

#include <algorithm>
#include <new>
#include <utility>

#include "runtime/mesh.h"
#include "runtime/opencl/cl_device.h"
#include "runtime/opencl/cl_error.h"
#include "runtime/opencl/cl_stream.h"

namespace tritonrt::runtime {
namespace {

// Turns that are enqueued before the host looks whether all programs have ended.
constexpr unsigned kMostTurns = 64;

}  // namespace

ClSplitRun::ClSplitRun(const ClDevice& device, const std::shared_ptr<const Metadata>& metadata,
                       const ClMeshPlan& plan, cl::Kernel kernel, cl_uint first_argument,
                       const Grid& grid, std::shared_ptr<std::atomic<unsigned>> turns)
    : ClMeshLaunch(metadata, plan, make_mesh_memory(device, *metadata, plan), kernel(),
                   first_argument, grid),
      kernel_(std::move(kernel)),
      turns_(std::move(turns)),
      seen_(make_mesh_buffer(device, *metadata, counter_bytes())),
      status_(make_mesh_buffer(device, *metadata, sizeof(Status))) {}

void ClSplitRun::start(const std::shared_ptr<ClStream>& stream) {
  stream_ = stream;
  queue_ = stream->take_aside();
  stream->follow(shared_from_this());
  // What is on the stream runs first, and what comes to it waits for the end.
  const std::shared_ptr<ClEvent> before = stream->marker();
  opened_ = stream->gate();
  try {
    const cl_event reached = before->get();
    check(clEnqueueBarrierWithWaitList(queue_(), 1, &reached, nullptr), "waiting for its turn");
    begin(queue_(), first_);
    enqueue_turns(turns_->load(std::memory_order_relaxed));
  } catch (...) {
    end();
    throw;
  }
}

void ClSplitRun::enqueue_turns(unsigned turns) {
  if (turn_ == 0) {
    set(seen_);
    set(status_);
    turn_argument_ = next_argument();
    zero(queue_(), status_, sizeof(Status));
    before_ = {};
  }
  for (unsigned i = 0; i < turns; ++i) {
    check(clEnqueueCopyBuffer(queue_(), counters()(), seen_(), 0, 0, counter_bytes(), 0, nullptr,
                              nullptr),
          "copying its counters");
    go_back_to(turn_argument_);
    set_uint(turn_++);
    enqueue(queue_(), batch_from(first_));
  }
  cl_event read = nullptr;
  check(
      clEnqueueReadBuffer(queue_(), status_(), CL_FALSE, 0, sizeof now_, &now_, 0, nullptr, &read),
      "reading how far it has come");
  ClEvent event(nullptr, cl::Event(read), false);
  check(clFlush(queue_()), "flushing its queue");
  event.on_complete([self = shared_from_this()] {
    try {
      self->look();
    } catch (...) {
      if (const std::shared_ptr<ClStream> stream = self->stream_.lock())
        stream->fail(std::current_exception());
      self->end();
    }
  });
}

void ClSplitRun::look() {
  const std::uint64_t here = batch_from(first_);
  if (now_.ended == here) {
    turns_->store(std::min(now_.last_turn + 1, kMostTurns), std::memory_order_relaxed);
    first_ += here;
    turn_ = 0;
    if (first_ == programs()) return end();
    begin(queue_(), first_);
    return enqueue_turns(turns_->load(std::memory_order_relaxed));
  }
  const bool stuck = now_.moves == before_.moves;
  const std::string waits = std::to_string(here - now_.ended) + " of " + std::to_string(here) +
                            " programs wait for others";
  const auto number = static_cast<std::int32_t>(now_.waiting);
  if (stuck) throw runtime::gave_up(metadata(), number, waits + " that never come");
  if (stopped_.load(std::memory_order_relaxed)) {
    {
      const std::lock_guard lock(mutex_);
      gave_up_ = runtime::gave_up(metadata(), number, waits + ", and it was stopped").what();
    }
    return end();
  }
  before_ = now_;
  enqueue_turns(std::min(2 * turn_, kMostTurns));
}

void ClSplitRun::end() noexcept {
  clSetUserEventStatus(opened_(), CL_COMPLETE);
  try {
    if (const std::shared_ptr<ClStream> stream = stream_.lock()) stream->give_aside(queue_);
  } catch (const std::bad_alloc&) {
    // The stream makes another one.
  }
}

std::string ClSplitRun::gave_up() {
  const std::lock_guard lock(mutex_);
  return gave_up_;
}

}  // namespace tritonrt::runtime
