// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TRITONRT_RUNTIME_OPENCL_CL_TRACE_H_
#define TRITONRT_RUNTIME_OPENCL_CL_TRACE_H_

#include <cstdint>
#include <string_view>

#include "runtime/opencl/cl_headers.h"
#include "runtime/trace.h"

namespace tritonrt::runtime {

// Around one enqueue: where there is a trace, the command becomes a span in it once it has run, by
// the device's clock if the queue keeps times.
class ClTraced {
 public:
  // `track` is the stream's id, or 0 for the calling thread. `name` outlives the object.
  ClTraced(const char* category, std::string_view name, std::uint64_t track)
      : trace_(Trace::active()), category_(category), name_(name), track_(track) {
    if (trace_ != nullptr) begin_ = now_ns();
  }
  ~ClTraced() {
    if (trace_ != nullptr) follow();
  }
  ClTraced(const ClTraced&) = delete;
  ClTraced& operator=(const ClTraced&) = delete;

  // For the enqueuing function's last argument.
  cl_event* slot() { return trace_ != nullptr ? &event_ : nullptr; }

 private:
  void follow() noexcept;

  Trace* const trace_;
  const char* const category_;
  const std::string_view name_;
  const std::uint64_t track_;
  std::uint64_t begin_ = 0;
  cl_event event_ = nullptr;
};

}  // namespace tritonrt::runtime

#endif  // TRITONRT_RUNTIME_OPENCL_CL_TRACE_H_
