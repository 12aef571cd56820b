// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/opencl/cl_memory.h"

#include <cstdlib>

#include "runtime/host_pages.h"
#include "runtime/opencl/cl_error.h"

namespace tritonrt::runtime {
namespace {

void CL_CALLBACK free_pages(cl_mem, void* pages) { std::free(pages); }

// A memory object in host memory of ours, for devices that use it in place; null where the driver
// would not have it.
cl_mem create_in_pages(cl_context context, std::size_t size) {
  void* pages = allocate_host_pages(size);
  if (pages == nullptr) return nullptr;
  cl_int code = CL_SUCCESS;
  const cl_mem memory =
      clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, size, pages, &code);
  if (code == CL_SUCCESS &&
      clSetMemObjectDestructorCallback(memory, free_pages, pages) == CL_SUCCESS)
    return memory;
  if (code == CL_SUCCESS) clReleaseMemObject(memory);
  std::free(pages);
  return nullptr;
}

}  // namespace

MemoryBlock ClMemory::allocate(std::size_t size) {
  cl_int code = CL_SUCCESS;
  cl_mem memory = nullptr;
  if (in_host_memory_ && size >= kLargeBlock) memory = create_in_pages(context_(), size);
  if (memory == nullptr)
    memory = clCreateBuffer(context_(), CL_MEM_READ_WRITE, size, nullptr, &code);
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
