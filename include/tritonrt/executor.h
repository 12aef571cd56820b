// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TRITONRT_EXECUTOR_H_
#define TRITONRT_EXECUTOR_H_

#include <functional>
#include <memory>

#include "tritonrt/export.h"

namespace tritonrt {

// An application's threads, for launches of the CPU device to run on. Thread safe.
class TRITONRT_API Executor {
 public:
  virtual ~Executor();

  // Threads that may work on one launch at once, at least 1.
  virtual unsigned concurrency() const = 0;

  // Has `work` called soon, on up to `threads` threads at once. A call works until it finds nothing
  // to do, and does not throw; one that comes late finds nothing at all. `work` may be kept and
  // called for as long as the process runs. submit may be called on the executor's own threads, and
  // must not wait for the calls. A thread that waits for a stream works on its launches itself, so
  // nothing stalls while the executor's threads are busy with the application's own work.
  virtual void submit(unsigned threads, std::function<void()> work) = 0;
};

// Launches of the CPU device run on `executor` from now on; null: on the library's own threads
// again. Waits for running ones. CpuOptions::threads limits both.
TRITONRT_API void set_executor(std::shared_ptr<Executor> executor);

}  // namespace tritonrt

#endif  // TRITONRT_EXECUTOR_H_
