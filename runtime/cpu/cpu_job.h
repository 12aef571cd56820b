// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TRITONRT_RUNTIME_CPU_CPU_JOB_H_
#define TRITONRT_RUNTIME_CPU_CPU_JOB_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "runtime/cpu/cpu_device.h"
#include "runtime/cpu/cpu_executable.h"
#include "runtime/cpu/cpu_stream.h"
#include "runtime/cpu/executor.h"
#include "runtime/trace.h"

namespace tritonrt::runtime {

// A launch in a stream's queue that the executor runs: keeps the kernel, its arguments and its
// buffers, and ends the stream's task with it.
class CpuJob : public CpuTask, public ParallelJob {
 public:
  void stop() final { stop_.store(1, std::memory_order_relaxed); }
  std::string name() const final { return "kernel '" + kernel_->metadata().kernel + "'"; }

  void finished() noexcept final {
    const std::shared_ptr<CpuStream> stream = std::move(stream_);
    end(*stream);
    stream->task_ended();  // deletes this
  }

 protected:
  CpuJob(std::shared_ptr<CpuExecutable> kernel, const PackedArgs& args)
      : kernel_(std::move(kernel)), slots_(args.slots, args.slots + args.count) {
    for (std::size_t i = 0; i < args.count; ++i)
      if (args.buffers[i] != nullptr) buffers_.push_back(args.buffers[i]->shared_from_this());
  }

  void begin(CpuStream& stream) {
    if (stream.is_stopping()) stop();
    if (Trace::active() != nullptr) begin_ns_ = now_ns();
  }

  // After this call the job may be gone.
  void submit(CpuStream& stream) {
    stream_ = std::static_pointer_cast<CpuStream>(stream.shared_from_this());
    owner = &stream;
    stream.cpu_device().executor().submit(this);
  }

  // What has run is traced, and its errors are told.
  void end(CpuStream& stream) noexcept {
    if (Trace* trace = Trace::active())
      trace->span("kernel", kernel_->metadata().kernel, begin_ns_, now_ns(), stream.id());
    report(stream);
  }

  // Tells the stream what went wrong.
  virtual void report(CpuStream& stream) noexcept = 0;

  const volatile std::uint32_t* stop_word() const {
    return reinterpret_cast<const volatile std::uint32_t*>(&stop_);
  }

  const std::shared_ptr<CpuExecutable> kernel_;
  const std::vector<std::uint64_t> slots_;

 private:
  std::vector<std::shared_ptr<BufferImpl>> buffers_;
  std::atomic<std::uint32_t> stop_{0};
  std::shared_ptr<CpuStream> stream_;
  std::uint64_t begin_ns_ = 0;  // where it is traced
};

}  // namespace tritonrt::runtime

#endif  // TRITONRT_RUNTIME_CPU_CPU_JOB_H_
