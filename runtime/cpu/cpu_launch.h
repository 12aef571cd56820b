// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TRITONRT_RUNTIME_CPU_CPU_LAUNCH_H_
#define TRITONRT_RUNTIME_CPU_CPU_LAUNCH_H_

#include <cstdint>
#include <memory>

#include "compiler/api/kernel_abi.h"
#include "runtime/cpu/cpu_executable.h"
#include "runtime/cpu/cpu_stream.h"
#include "tritonrt/error.h"

namespace tritonrt::runtime {

// What a launch polls that nothing will ever stop: it has no waiting op.
inline const volatile std::uint32_t kNeverStop = 0;

inline std::int64_t programs(const Grid& grid) {
  return static_cast<std::int64_t>(grid.x) * grid.y * grid.z;
}

inline trt_cpu_launch launch_record(const Grid& grid, const volatile std::uint32_t* stop) {
  return {{grid.x, grid.y, grid.z}, 0, stop, nullptr};
}

Error no_scratch(const Metadata& metadata);

// A launch for a stream's queue, on as many threads as its work is worth. Throws where the device
// cannot run work any more.
std::unique_ptr<CpuTask> make_launch_task(std::shared_ptr<CpuExecutable> kernel, const Grid& grid,
                                          const PackedArgs& args);

}  // namespace tritonrt::runtime

#endif  // TRITONRT_RUNTIME_CPU_CPU_LAUNCH_H_
