// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TRITONRT_RUNTIME_OPENCL_CL_STAGING_H_
#define TRITONRT_RUNTIME_OPENCL_CL_STAGING_H_

#include <array>
#include <cstddef>
#include <mutex>

#include "runtime/opencl/cl_headers.h"

namespace tritonrt::runtime {

// A ring of pinned host memory that large copies of pageable memory go through: discrete devices
// copy pageable memory at a fraction of their speed. Made on first use. Thread safe; one copy at a
// time.
class ClStaging {
 public:
  ClStaging(const cl::Context& context, const cl::Device& device, bool is_cpu);

  // Whether a copy of `size` bytes is faster through here.
  bool pays(std::size_t size);

  // Enqueues copies of all of `data`, and returns when it has been read.
  void write(cl_command_queue queue, cl_mem memory, std::size_t offset, const char* data,
             std::size_t size);
  // Returns when all of `data` is there: after what was enqueued earlier.
  void read(cl_command_queue queue, cl_mem memory, std::size_t offset, char* data,
            std::size_t size);

 private:
  static constexpr std::size_t kSlots = 4;
  static constexpr std::size_t kSlotBytes = std::size_t{8} << 20;
  static constexpr std::size_t kLeast = std::size_t{1} << 20;

  struct Slot {
    char* data = nullptr;
    cl::Event busy;  // a copy from or to it
  };
  // Throws what waiting for a slot's copy says.
  static void await(Slot& slot);
  bool make_ring();

  const cl::Context context_;
  const cl::Device device_;
  const bool wanted_;
  std::mutex mutex_;
  // All under mutex_.
  bool tried_ = false;
  cl::CommandQueue queue_;
  cl::Buffer ring_;
  std::array<Slot, kSlots> slots_;
};

}  // namespace tritonrt::runtime

#endif  // TRITONRT_RUNTIME_OPENCL_CL_STAGING_H_
