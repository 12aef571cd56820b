// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/opencl/cl_trace.h"

#include <memory>
#include <string>

namespace tritonrt::runtime {
namespace {

struct Command {
  Trace* trace;
  const char* category;
  std::string name;
  std::uint64_t track;
  std::uint64_t begin;
};

std::uint64_t time_of(cl_event event, cl_profiling_info what) {
  cl_ulong time = 0;
  return clGetEventProfilingInfo(event, what, sizeof(time), &time, nullptr) == CL_SUCCESS ? time
                                                                                          : 0;
}

// The command has run. Its times are the device's; it was queued when the host enqueued it.
void ended(cl_event event, const Command& command) {
  const std::uint64_t queued = time_of(event, CL_PROFILING_COMMAND_QUEUED);
  const std::uint64_t start = time_of(event, CL_PROFILING_COMMAND_START);
  const std::uint64_t end = time_of(event, CL_PROFILING_COMMAND_END);
  if (queued != 0 && start >= queued && end >= start)
    command.trace->span(command.category, command.name, command.begin + (start - queued),
                        command.begin + (end - queued), command.track);
  else
    command.trace->span(command.category, command.name, command.begin, now_ns(), command.track);
}

}  // namespace

void ClTraced::follow() noexcept {
  if (event_ == nullptr) return;  // it was not enqueued
  try {
    auto command =
        std::make_unique<Command>(Command{trace_, category_, std::string(name_), track_, begin_});
    const auto notify = [](cl_event event, cl_int, void* data) {
      const std::unique_ptr<Command> own(static_cast<Command*>(data));
      try {
        ended(event, *own);
      } catch (const std::bad_alloc&) {
        // One span less.
      }
    };
    if (clSetEventCallback(event_, CL_COMPLETE, notify, command.get()) == CL_SUCCESS)
      command.release();
  } catch (const std::bad_alloc&) {
    // One span less.
  }
  clReleaseEvent(event_);
}

}  // namespace tritonrt::runtime
