// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TRITONRT_RUNTIME_CPU_CPU_MESH_LAUNCH_H_
#define TRITONRT_RUNTIME_CPU_CPU_MESH_LAUNCH_H_

#include <memory>

#include "runtime/cpu/cpu_executable.h"
#include "runtime/cpu/cpu_stream.h"

namespace tritonrt::runtime {

// A launch of a kernel whose programs talk. Throws where the grid does not hold whole meshes, where
// the kernel names ranks that the mesh has not, and where the device has too little memory.
std::unique_ptr<CpuTask> make_mesh_task(std::shared_ptr<CpuExecutable> kernel, const Grid& grid,
                                        const PackedArgs& args);

}  // namespace tritonrt::runtime

#endif  // TRITONRT_RUNTIME_CPU_CPU_MESH_LAUNCH_H_
