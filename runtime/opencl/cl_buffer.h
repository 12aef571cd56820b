// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TRITONRT_RUNTIME_OPENCL_CL_BUFFER_H_
#define TRITONRT_RUNTIME_OPENCL_CL_BUFFER_H_

#include <atomic>
#include <cstdint>
#include <memory>

#include "runtime/driver.h"
#include "runtime/opencl/cl_headers.h"
#include "runtime/opencl/cl_stream.h"

namespace tritonrt::runtime {

class ClDevice;

// Memory objects never share bytes, so each gets a stretch of numbers that no other has.
std::uint64_t next_memory_range(std::size_t size);

class TRITONRT_API ClBuffer final : public BufferImpl {
 public:
  ClBuffer(const std::shared_ptr<ClDevice>& device, std::size_t size);
  // An object of the application's.
  ClBuffer(const std::shared_ptr<ClDevice>& device, const cl::Buffer& memory);
  ~ClBuffer() override;

  // A part of another one: the same memory object from an offset on.
  ClBuffer(ClBuffer& whole, std::size_t offset, std::size_t size);

  std::shared_ptr<BufferImpl> slice(std::size_t offset, std::size_t size) override;
  void* native() override;
  void* host_data() const override { return nullptr; }
  std::uint64_t device_address() override;
  void copy_from_host(StreamImpl* stream, const void* data, std::size_t size,
                      std::size_t offset) override;
  void copy_to_host(StreamImpl* stream, void* data, std::size_t size, std::size_t offset) override;
  void copy_from(StreamImpl* stream, BufferImpl& source, std::size_t size,
                 std::size_t source_offset, std::size_t offset) override;
  void fill(StreamImpl* stream, const void* pattern, std::size_t pattern_size, std::size_t size,
            std::size_t offset) override;
  void copy_from_host(StreamImpl& stream, const void* data, const CopyPlan& plan) override;
  void copy_to_host(StreamImpl& stream, void* data, const CopyPlan& plan) override;
  void copy_from(StreamImpl& stream, BufferImpl& source, const CopyPlan& plan) override;

  cl_mem memory() const { return memory_(); }
  // Where kernels see the first byte of memory().
  std::uint64_t memory_address() {
    auto& all = static_cast<ClBuffer&>(whole());
    const std::uint64_t known = all.memory_address_.load(std::memory_order_relaxed);
    return known != 0 ? known : all.find_address();
  }

 private:
  // The queue to use, and for a null stream one behind all other work.
  ClEnqueuing queue(StreamImpl* stream) const;

  std::uint64_t find_address();

  MemoryResource* resource_ = nullptr;  // null: not from the pool
  MemoryBlock block_;
  cl::Buffer memory_;
  std::atomic<std::uint64_t> memory_address_{0};  // 0: not asked for yet
};

}  // namespace tritonrt::runtime

#endif  // TRITONRT_RUNTIME_OPENCL_CL_BUFFER_H_
