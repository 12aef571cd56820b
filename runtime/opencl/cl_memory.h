// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TRITONRT_RUNTIME_OPENCL_CL_MEMORY_H_
#define TRITONRT_RUNTIME_OPENCL_CL_MEMORY_H_

#include <memory>
#include <string>
#include <utility>

#include "runtime/opencl/cl_addresses.h"
#include "runtime/opencl/cl_headers.h"
#include "runtime/opencl/cl_in_flight.h"
#include "tritonrt/memory.h"

namespace tritonrt::runtime {

// Memory objects of a context. One that is released while commands use it goes when they have run.
// `in_host_memory`: the device works in the host's memory; large objects are then made in huge
// pages, which drivers do not ask for.
class ClMemory final : public MemoryResource {
 public:
  ClMemory(cl::Context context, std::string device, bool in_host_memory,
           std::shared_ptr<ClAddresses> addresses, std::shared_ptr<ClInFlight> in_flight)
      : context_(std::move(context)),
        device_(std::move(device)),
        in_host_memory_(in_host_memory),
        addresses_(std::move(addresses)),
        in_flight_(std::move(in_flight)) {}
  MemoryBlock allocate(std::size_t size) override;
  void release(const MemoryBlock& block) noexcept override;

 private:
  const cl::Context context_;
  const std::string device_;
  const bool in_host_memory_;
  const std::shared_ptr<ClAddresses> addresses_;
  const std::shared_ptr<ClInFlight> in_flight_;
};

}  // namespace tritonrt::runtime

#endif  // TRITONRT_RUNTIME_OPENCL_CL_MEMORY_H_
