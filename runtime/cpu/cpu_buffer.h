// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TRITONRT_RUNTIME_CPU_CPU_BUFFER_H_
#define TRITONRT_RUNTIME_CPU_CPU_BUFFER_H_

#include <memory>

#include "runtime/driver.h"

namespace tritonrt::runtime {

class CpuDevice;

// Host memory, from the device's pool or the caller's own.
class CpuBuffer final : public BufferImpl {
 public:
  CpuBuffer(const std::shared_ptr<CpuDevice>& device, std::size_t size);
  CpuBuffer(std::shared_ptr<CpuDevice> device, void* data, std::size_t size);
  // A part of another one.
  CpuBuffer(CpuBuffer& whole, std::size_t offset, std::size_t size);
  ~CpuBuffer() override;

  std::shared_ptr<BufferImpl> slice(std::size_t offset, std::size_t size) override;
  void* host_data() const override { return data_; }
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

 private:
  void set_range(void* data);
  char* at(std::size_t offset) const { return static_cast<char*>(data_) + offset; }

  MemoryResource* resource_ = nullptr;  // null: not our memory
  MemoryBlock block_;
  void* data_ = nullptr;
};

// Fills `size` bytes with a pattern. REQUIRES: size is a multiple of pattern_size, and not 0.
void repeat_bytes(char* to, const void* pattern, std::size_t pattern_size, std::size_t size);

}  // namespace tritonrt::runtime

#endif  // TRITONRT_RUNTIME_CPU_CPU_BUFFER_H_
