// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/cpu/cpu_launch.h"

#include <algorithm>
#include <atomic>
#include <string>
#include <utility>

#include "runtime/cpu/cpu_device.h"
#include "runtime/cpu/cpu_job.h"
#include "runtime/cpu/cpu_mesh_launch.h"
#include "runtime/cpu/float_state.h"
#include "runtime/cpu/scratch.h"
#include "runtime/mesh.h"

namespace tritonrt::runtime {
namespace {

// A launch in a stream's queue, and the job of its programs.
class LaunchTask final : public CpuJob {
 public:
  LaunchTask(std::shared_ptr<CpuExecutable> kernel, const Grid& grid, const PackedArgs& args)
      : CpuJob(std::move(kernel), args), launch_(launch_record(grid, stop_word())) {
    total = programs(grid);
  }

  bool start(CpuStream& stream) override {
    begin(stream);
    if (max_threads == 1 && runs_in_place) {
      run(0, total);
      end(stream);
      return true;
    }
    if (kernel_->metadata().waits) max_piece = 1;
    submit(stream);
    return false;
  }

  void run(std::int64_t begin, std::int64_t end) noexcept override {
    const Metadata& metadata = kernel_->metadata();
    void* scratch = nullptr;
    if (metadata.scratch_bytes != 0) {
      scratch = thread_scratch(metadata.scratch_bytes);
      if (scratch == nullptr) {
        out_of_memory_.store(true, std::memory_order_relaxed);
        return;
      }
    }
    const FloatState state;
    const std::int32_t result = kernel_->entry()(slots_.data(), begin, end, &launch_, scratch);
    std::int32_t none = 0;
    if (result != 0) gave_up_.compare_exchange_strong(none, result, std::memory_order_relaxed);
  }

  bool runs_in_place = false;

 private:
  void report(CpuStream& stream) noexcept override {
    const Metadata& metadata = kernel_->metadata();
    if (out_of_memory_.load(std::memory_order_relaxed))
      stream.fail(std::make_exception_ptr(no_scratch(metadata)));
    const std::int32_t number = gave_up_.load(std::memory_order_relaxed);
    if (number == 0) return;
    stream.fail(std::make_exception_ptr(gave_up(metadata, number)));
  }

  trt_cpu_launch launch_;
  std::atomic<std::int32_t> gave_up_{0};
  std::atomic<bool> out_of_memory_{false};
};

}  // namespace

Error no_scratch(const Metadata& metadata) {
  return Error(ErrorCode::kOutOfMemory, "kernel '" + metadata.kernel + "': no memory for " +
                                            std::to_string(metadata.scratch_bytes) +
                                            " bytes of scratch a thread");
}

std::unique_ptr<CpuTask> make_launch_task(std::shared_ptr<CpuExecutable> kernel, const Grid& grid,
                                          const PackedArgs& args) {
  if (kernel->metadata().mesh) return make_mesh_task(std::move(kernel), grid, args);
  CpuDevice& device = kernel->device();
  const std::uint64_t work = kernel->work();
  const bool waits = kernel->metadata().waits;
  const bool in_place = kernel->runs_inline(grid);
  auto task = std::make_unique<LaunchTask>(std::move(kernel), grid, args);
  const std::uint64_t chunk = std::max<std::uint64_t>(1, device.min_chunk_size());
  const std::uint64_t total = static_cast<std::uint64_t>(task->total);
  const std::uint64_t useful = waits ? total : std::max<std::uint64_t>(1, total * work / chunk);
  const unsigned concurrency = device.executor().concurrency();
  task->max_threads = static_cast<unsigned>(std::min({useful, total, std::uint64_t{concurrency}}));
  task->min_piece = static_cast<std::int64_t>((chunk + work - 1) / work);
  task->runs_in_place = in_place;
  return task;
}

}  // namespace tritonrt::runtime
