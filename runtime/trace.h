// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TRITONRT_RUNTIME_TRACE_H_
#define TRITONRT_RUNTIME_TRACE_H_

#include <sys/types.h>

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>

#include "tritonrt/export.h"

namespace tritonrt::runtime {

// The monotonic clock, in ns.
TRITONRT_API std::uint64_t now_ns();

// The trace that TRITONRT_TRACE=FILE.json asks for, in the JSON format of Chrome and Perfetto. The
// file is valid after every event, so a process may end as it likes. `%p` in the name becomes the
// process id; processes that share a name replace each other's file. Thread safe; silent in a child
// of fork.
class TRITONRT_API Trace {
 public:
  // Null where nothing is traced.
  static Trace* active() { return active_.load(std::memory_order_relaxed); }
  // Opens what the environment asks for, once. Throws kIo where the file cannot be written.
  static void open_from_environment();

  // A span from `begin` to `end` (now_ns). `track` is a stream's id, or 0 for the calling thread.
  // `details`: what stands beside it, empty for nothing.
  void span(const char* category, std::string_view name, std::uint64_t begin, std::uint64_t end,
            std::uint64_t track, std::string_view details = {});
  void name_track(std::uint64_t track, std::string_view name);

 private:
  explicit Trace(int file);
  void append(const std::string& event);

  static std::atomic<Trace*> active_;
  const int file_;
  const pid_t process_;
  const std::uint64_t start_;
  std::mutex mutex_;
  std::uint64_t end_ = 0;  // of the last event in the file, under mutex_
};

// A span of the calling thread, from here to the end of the scope.
class TraceSpan {
 public:
  TraceSpan(const char* category, const std::string& name)
      : trace_(Trace::active()), category_(category), name_(name) {
    if (trace_ != nullptr) begin_ = now_ns();
  }
  ~TraceSpan() {
    if (trace_ != nullptr) trace_->span(category_, name_, begin_, now_ns(), 0);
  }
  TraceSpan(const TraceSpan&) = delete;
  TraceSpan& operator=(const TraceSpan&) = delete;

 private:
  Trace* const trace_;
  const char* const category_;
  const std::string& name_;
  std::uint64_t begin_ = 0;
};

}  // namespace tritonrt::runtime

#endif  // TRITONRT_RUNTIME_TRACE_H_
