// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TRITONRT_RUNTIME_CPU_CPU_RECORDED_H_
#define TRITONRT_RUNTIME_CPU_CPU_RECORDED_H_

#include <memory>
#include <vector>

#include "runtime/cpu/cpu_device.h"
#include "runtime/cpu/cpu_stream.h"
#include "runtime/driver.h"

namespace tritonrt::runtime {

// Recorded work on the CPU. Where all launches are small and the stream is idle, one call runs
// them all in place, back to back; else they go to the stream's queue with nothing between them.
class CpuRecorded final : public RecordedWork {
 public:
  CpuRecorded(std::shared_ptr<CpuDevice> device, const std::vector<WorkStep>& steps);
  ~CpuRecorded() override;
  void replay(StreamImpl& stream) override;
  void replace(std::size_t index, const WorkStep& step) override;

  // What is ready to run. Shared with queued replays, so it is copied before it changes while one
  // of them holds it.
  struct Program;

 private:
  const std::shared_ptr<CpuDevice> device_;
  std::shared_ptr<Program> program_;
};

}  // namespace tritonrt::runtime

#endif  // TRITONRT_RUNTIME_CPU_CPU_RECORDED_H_
