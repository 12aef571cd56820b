// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TRITONRT_RUNTIME_OPENCL_CL_MESH_H_
#define TRITONRT_RUNTIME_OPENCL_CL_MESH_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "runtime/metadata.h"
#include "runtime/opencl/cl_headers.h"
#include "tritonrt/kernel.h"

namespace tritonrt::runtime {

class ClDevice;

// How a launch of a kernel of meshes is run.
struct ClMeshPlan {
  MeshMapping mapping = MeshMapping::kGroup;
  bool local = false;  // of a group: what the mesh reaches is in its local memory
  Mesh mesh;
  std::uint64_t together = 1;   // programs that wait for each other
  std::uint64_t per_group = 1;  // programs a work-group
  std::uint64_t batch = 1;      // programs an enqueue
};

// Chooses the mapping, or checks the one asked for. Throws where none holds, with what the programs
// need, what the device has and what would fit.
ClMeshPlan plan_mesh(const ClDevice& device, const Metadata& metadata, const Grid& grid);

// A launch of a kernel of meshes, batch after batch of its programs, with the memory that they
// reach. Commands in a queue keep that memory.
class ClMeshLaunch {
 public:
  // `kernel` has its ordinary arguments; `first_argument` is the index behind them. It stays the
  // caller's, and has no other use meanwhile.
  ClMeshLaunch(const ClDevice& device, std::shared_ptr<const Metadata> metadata,
               const ClMeshPlan& plan, cl_kernel kernel, cl_uint first_argument, const Grid& grid);

  // Enqueues all of it, where programs run together.
  void run(cl_command_queue queue);

 protected:
  const Metadata& metadata() const { return *metadata_; }
  cl::Buffer make_memory(const ClDevice& device, std::uint64_t bytes) const;
  std::uint64_t programs() const { return std::uint64_t{grid_.x} * grid_.y * grid_.z; }
  std::uint64_t batch_from(std::uint64_t first) const {
    return std::min(plan_.batch, programs() - first);
  }
  const cl::Buffer& counters() const { return counters_; }
  std::size_t counter_bytes() const { return counter_bytes_; }

  void check(cl_int code, const char* what) const;
  // The next argument.
  void set(std::size_t size, const void* value);
  void set(const cl::Buffer& memory);
  void set_uint(std::uint64_t value);
  cl_uint next_argument() const { return index_; }
  void go_back_to(cl_uint argument) { index_ = argument; }

  // Sets the arguments for the programs from `first` on, whose counters are zero again.
  void begin(cl_command_queue queue, std::uint64_t first);
  void zero(cl_command_queue queue, const cl::Buffer& memory, std::size_t bytes) const;
  void enqueue(cl_command_queue queue, std::uint64_t programs) const;

 private:
  const std::shared_ptr<const Metadata> metadata_;
  const ClMeshPlan plan_;
  const Grid grid_;
  const cl_kernel kernel_;
  const cl_uint first_argument_;
  const cl_ulong stride_;
  const bool counts_;  // programs meet at counters
  const std::size_t counter_bytes_;
  const cl::Buffer memory_;
  const cl::Buffer counters_;
  cl_uint index_ = 0;
};

}  // namespace tritonrt::runtime

#endif  // TRITONRT_RUNTIME_OPENCL_CL_MESH_H_
