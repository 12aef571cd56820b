// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TRITONRT_RUNTIME_OPENCL_CL_ADDRESSES_H_
#define TRITONRT_RUNTIME_OPENCL_CL_ADDRESSES_H_

#include <cstdint>
#include <mutex>
#include <unordered_map>

#include "runtime/opencl/cl_headers.h"

namespace tritonrt::runtime {

// Where kernels see memory objects: a kernel tells, once an object. Thread safe.
class ClAddresses {
 public:
  ClAddresses(const cl::Context& context, const cl::Device& device)
      : context_(context), device_(device) {}

  std::uint64_t of(cl_mem memory);
  // An object whose release will be told: its address need not be asked for twice.
  void note(cl_mem memory);
  void forget(cl_mem memory);

 private:
  std::uint64_t ask(cl_mem memory);
  void prepare();

  const cl::Context context_;
  const cl::Device device_;
  std::mutex mutex_;
  // All under mutex_.
  std::unordered_map<cl_mem, std::uint64_t> known_;  // 0: not asked for yet
  cl::CommandQueue queue_;
  cl::Kernel kernel_;
  cl::Buffer answer_;
};

}  // namespace tritonrt::runtime

#endif  // TRITONRT_RUNTIME_OPENCL_CL_ADDRESSES_H_
