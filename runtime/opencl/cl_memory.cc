// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/opencl/cl_memory.h"

#include "runtime/opencl/cl_error.h"

namespace tritonrt::runtime {

MemoryBlock ClMemory::allocate(std::size_t size) {
  cl_int code = CL_SUCCESS;
  const cl_mem memory = clCreateBuffer(context_(), CL_MEM_READ_WRITE, size, nullptr, &code);
  if (code != CL_SUCCESS)
    throw cl_failure(code, "allocating " + std::to_string(size) + " bytes on '" + device_ + "'");
  addresses_->note(memory);
  MemoryBlock block;
  block.memory = memory;
  block.size = size;
  return block;
}

void ClMemory::release(const MemoryBlock& block) noexcept {
  const auto memory = static_cast<cl_mem>(block.memory);
  addresses_->forget(memory);
  in_flight_->hold(memory);
  clReleaseMemObject(memory);
}

}  // namespace tritonrt::runtime
