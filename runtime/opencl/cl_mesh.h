// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TRITONRT_RUNTIME_OPENCL_CL_MESH_H_
#define TRITONRT_RUNTIME_OPENCL_CL_MESH_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

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
  std::uint64_t stride = 64;    // bytes from one program's memory to the next one's
  bool counts = false;          // programs meet at counters
  std::uint64_t memory_bytes = 0, counter_bytes = 0;  // of a batch

  // The define of the kernel's form (kernel_abi.h); null for the one without.
  const char* form() const;
};

// Chooses the mapping, or checks the one asked for. Throws where none holds, with what the programs
// need, what the device has and what would fit.
ClMeshPlan plan_mesh(const ClDevice& device, const Metadata& metadata, const Grid& grid);

// What the programs of a batch reach, and the counters that they meet at.
struct ClMeshMemory {
  cl::Buffer programs, counters;
};

cl::Buffer make_mesh_buffer(const ClDevice& device, const Metadata& metadata, std::uint64_t bytes);
// Made for one launch: commands in a queue keep it.
ClMeshMemory make_mesh_memory(const ClDevice& device, const Metadata& metadata,
                              const ClMeshPlan& plan);

// That of a stream, whose launches use it one after the other: making it anew costs a launch some
// ten microseconds, and a driver may wait where memory in use is released. Thread safe.
class ClKeptMeshMemory {
 public:
  // Calls `use(memory)`, which enqueues on the stream, with no other's use in between.
  template <typename Use>
  void with(const ClDevice& device, const Metadata& metadata, const ClMeshPlan& plan, Use use) {
    const std::lock_guard lock(mutex_);
    use(at_least(device, metadata, plan));
  }
  // All that was enqueued has run.
  void forget_outgrown();

 private:
  ClMeshMemory at_least(const ClDevice& device, const Metadata& metadata, const ClMeshPlan& plan);

  std::mutex mutex_;
  // All under mutex_.
  ClMeshMemory memory_;
  std::uint64_t memory_bytes_ = 0, counter_bytes_ = 0;
  std::vector<ClMeshMemory> outgrown_;
};

// A launch of a kernel of meshes, batch after batch of its programs.
class ClMeshLaunch {
 public:
  // `kernel` has its ordinary arguments; `first_argument` is the index behind them. It stays the
  // caller's, and has no other use meanwhile.
  ClMeshLaunch(std::shared_ptr<const Metadata> metadata, const ClMeshPlan& plan,
               ClMeshMemory memory, cl_kernel kernel, cl_uint first_argument, const Grid& grid);

  // Enqueues all of it, where programs run together.
  void run(cl_command_queue queue);

 protected:
  const Metadata& metadata() const { return *metadata_; }
  std::uint64_t programs() const { return std::uint64_t{grid_.x} * grid_.y * grid_.z; }
  std::uint64_t batch_from(std::uint64_t first) const {
    return std::min(plan_.batch, programs() - first);
  }
  const cl::Buffer& counters() const { return memory_.counters; }
  std::size_t counter_bytes() const { return plan_.counter_bytes; }

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
  const ClMeshMemory memory_;
  cl_uint index_ = 0;
};

}  // namespace tritonrt::runtime

#endif  // TRITONRT_RUNTIME_OPENCL_CL_MESH_H_
