// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TRITONRT_RUNTIME_OPENCL_CL_IN_FLIGHT_H_
#define TRITONRT_RUNTIME_OPENCL_CL_IN_FLIGHT_H_

#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

#include "runtime/opencl/cl_headers.h"

namespace tritonrt::runtime {

class ClEvent;
class ClStream;

// The streams of a device, and those that are gone with work still to run. Thread safe.
class ClInFlight : public std::enable_shared_from_this<ClInFlight> {
 public:
  void add(const std::shared_ptr<ClStream>& stream);
  std::vector<std::shared_ptr<ClStream>> streams();

  // From now on kernels may use memory that the driver does not know of: by address.
  void set_unseen() { unseen_.store(true, std::memory_order_relaxed); }
  // A stream is gone whose last work is at `last`.
  void retire(const cl::CommandQueue& queue, const cl::Event& last);
  // Work at whose end `end` is has not ended in time, and may never.
  void note_late(const std::shared_ptr<ClEvent>& end);
  // A driver may wait for work that uses what is released, so while there is late work nothing is:
  // keeps an object of the driver's, by a handle, until that has ended.
  template <typename Handle>
  void keep_while_late(const Handle& object) {
    if (late_.load() != 0) keep(std::make_shared<Handle>(object));
  }
  // The memory object is about to be released: work that was enqueued keeps it.
  void hold(cl_mem memory) noexcept;

 private:
  struct Retired {
    cl::CommandQueue queue;
    cl::Event last;
  };
  void prune();
  void keep(std::shared_ptr<void> handle);
  void forget_late();

  std::atomic<bool> unseen_{false};
  std::atomic<unsigned> late_{0};  // work that is
  std::mutex mutex_;
  std::vector<std::shared_ptr<void>> kept_;       // under mutex_; while there is late work
  std::vector<std::weak_ptr<ClStream>> streams_;  // under mutex_
  std::vector<Retired> retired_;                  // under mutex_
};

}  // namespace tritonrt::runtime

#endif  // TRITONRT_RUNTIME_OPENCL_CL_IN_FLIGHT_H_
