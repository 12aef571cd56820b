// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TRITONRT_RUNTIME_OPENCL_CL_IN_FLIGHT_H_
#define TRITONRT_RUNTIME_OPENCL_CL_IN_FLIGHT_H_

#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

#include "runtime/opencl/cl_headers.h"

namespace tritonrt::runtime {

class ClStream;

// The streams of a device, and those that are gone with work still to run. Thread safe.
class ClInFlight {
 public:
  void add(const std::shared_ptr<ClStream>& stream);
  std::vector<std::shared_ptr<ClStream>> streams();

  // From now on kernels may use memory that the driver does not know of: by address.
  void set_unseen() { unseen_.store(true, std::memory_order_relaxed); }
  // A stream is gone whose last work is at `last`.
  void retire(const cl::CommandQueue& queue, const cl::Event& last);
  // The memory object is about to be released: work that was enqueued keeps it.
  void hold(cl_mem memory) noexcept;

 private:
  struct Retired {
    cl::CommandQueue queue;
    cl::Event last;
  };
  void prune();

  std::atomic<bool> unseen_{false};
  std::mutex mutex_;
  std::vector<std::weak_ptr<ClStream>> streams_;  // under mutex_
  std::vector<Retired> retired_;                  // under mutex_
};

}  // namespace tritonrt::runtime

#endif  // TRITONRT_RUNTIME_OPENCL_CL_IN_FLIGHT_H_
