// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TRITONRT_RUNTIME_OPENCL_CL_MESH_H_
#define TRITONRT_RUNTIME_OPENCL_CL_MESH_H_

#include <cstdint>

#include "runtime/metadata.h"
#include "runtime/opencl/cl_headers.h"
#include "tritonrt/kernel.h"

namespace tritonrt::runtime {

class ClDevice;

// How a launch of a kernel of meshes is run.
struct ClMeshPlan {
  MeshMapping mapping = MeshMapping::kGroup;
  Mesh mesh;
  std::uint64_t together = 1;   // programs that wait for each other
  std::uint64_t per_group = 1;  // programs a work-group
  std::uint64_t batch = 1;      // programs an enqueue
};

// Chooses the mapping, or checks the one asked for. Throws where none holds, with what the programs
// need, what the device has and what would fit.
ClMeshPlan plan_mesh(const ClDevice& device, const Metadata& metadata, const Grid& grid);

// Enqueues the launch, whose ordinary arguments are set; `first_argument` is the index behind them.
// With the split mapping the kernel is the split one, and all has run on return: how often it must
// be enqueued shows only as it runs. Throws kStopped where programs wait for ever.
void enqueue_mesh(const ClDevice& device, const Metadata& metadata, const ClMeshPlan& plan,
                  cl_kernel kernel, cl_uint first_argument, cl_command_queue queue,
                  const Grid& grid);

}  // namespace tritonrt::runtime

#endif  // TRITONRT_RUNTIME_OPENCL_CL_MESH_H_
