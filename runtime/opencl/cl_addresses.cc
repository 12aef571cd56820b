// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/opencl/cl_addresses.h"

#include <string>

#include "runtime/opencl/cl_error.h"

namespace tritonrt::runtime {

std::uint64_t ClAddresses::of(cl_mem memory) {
  const std::lock_guard lock(mutex_);
  const auto known = known_.find(memory);
  if (known == known_.end()) return ask(memory);
  if (known->second == 0) known->second = ask(memory);
  return known->second;
}

void ClAddresses::note(cl_mem memory) {
  const std::lock_guard lock(mutex_);
  known_[memory] = 0;
}

void ClAddresses::forget(cl_mem memory) {
  const std::lock_guard lock(mutex_);
  known_.erase(memory);
}

void ClAddresses::prepare() {
  constexpr char kSource[] =
      "__kernel void address(__global char *memory, __global ulong *out) { *out = (ulong)memory; }";
  if (kernel_() != nullptr) return;
  try {
    queue_ = cl::CommandQueue(context_, device_);
    answer_ = cl::Buffer(context_, CL_MEM_READ_WRITE, sizeof(cl_ulong));
    cl::Program program(context_, std::string(kSource));
    program.build({device_});
    kernel_ = cl::Kernel(program, "address");
  } catch (const cl::Error& error) {
    throw cl_failure(error.err(), "asking for a buffer's address");
  }
}

// The kernel touches none of the memory's bytes, so it need not wait for work that does.
std::uint64_t ClAddresses::ask(cl_mem memory) {
  prepare();
  const cl_mem answer = answer_();
  const std::size_t one = 1;
  cl_ulong address = 0;
  cl_int code = clSetKernelArg(kernel_(), 0, sizeof(memory), &memory);
  if (code == CL_SUCCESS) code = clSetKernelArg(kernel_(), 1, sizeof(answer), &answer);
  if (code == CL_SUCCESS)
    code = clEnqueueNDRangeKernel(queue_(), kernel_(), 1, nullptr, &one, &one, 0, nullptr, nullptr);
  if (code == CL_SUCCESS)
    code = clEnqueueReadBuffer(queue_(), answer, CL_TRUE, 0, sizeof(address), &address, 0, nullptr,
                               nullptr);
  cl_check(code, "asking for a buffer's address");
  return address;
}

}  // namespace tritonrt::runtime
