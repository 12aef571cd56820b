// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TRITONRT_RUNTIME_OPENCL_CL_SPLIT_RUN_H_
#define TRITONRT_RUNTIME_OPENCL_CL_SPLIT_RUN_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>

#include "runtime/opencl/cl_mesh.h"

namespace tritonrt::runtime {

class ClStream;

// A launch of a kernel that is split at its barriers: turn after turn, until all programs have
// ended. How many it takes shows only as it runs, so turns are enqueued on a queue of their own, by
// the launch and then by the host thread, while the stream waits for an event that the end sets.
// Thread safe.
class ClSplitRun final : public ClMeshLaunch, public std::enable_shared_from_this<ClSplitRun> {
 public:
  // `kernel` is the split one, with its ordinary arguments, and the run's alone. `turns` is how
  // many the kernel's last launch took, for the next one.
  ClSplitRun(const ClDevice& device, const std::shared_ptr<const Metadata>& metadata,
             const ClMeshPlan& plan, cl::Kernel kernel, cl_uint first_argument, const Grid& grid,
             std::shared_ptr<std::atomic<unsigned>> turns);

  // Enqueues it behind what is on the stream. Where programs wait for ever the stream gets an
  // error.
  void start(const std::shared_ptr<ClStream>& stream);
  // No more turns. What waited is told by gave_up() once the stream has gone on.
  void stop() noexcept { stopped_.store(true, std::memory_order_relaxed); }
  // An error's text; empty where it was not stopped.
  std::string gave_up();

 private:
  // As kernel_abi.h says.
  struct Status {
    cl_uint moves;
    cl_uint ended;
    cl_uint waiting;
    cl_uint last_turn;
  };

  void enqueue_turns(unsigned turns);
  // After some turns. Throws where programs wait for ever.
  void look();
  // Lets the stream go on.
  void end() noexcept;

  const cl::Kernel kernel_;
  const std::shared_ptr<std::atomic<unsigned>> turns_;
  const cl::Buffer seen_, status_;
  cl::CommandQueue queue_;
  std::weak_ptr<ClStream> stream_;
  cl::Event opened_;  // set by the end
  // Of the batch that runs.
  std::uint64_t first_ = 0;
  cl_uint turn_argument_ = 0, turn_ = 0;
  Status before_{}, now_{};
  std::atomic<bool> stopped_{false};
  std::mutex mutex_;
  std::string gave_up_;  // under mutex_
};

}  // namespace tritonrt::runtime

#endif  // TRITONRT_RUNTIME_OPENCL_CL_SPLIT_RUN_H_
