// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TRITONRT_RUNTIME_REPORTS_H_
#define TRITONRT_RUNTIME_REPORTS_H_

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "runtime/driver.h"

namespace tritonrt::runtime {

// What kernels of one stream report: the buffers that they write records to, and the reading of
// them. Thread safe.
class TRITONRT_API Reports {
 public:
  // What a launch adds to its arguments. Until it is enqueued nobody else may take a slot.
  struct Slot {
    std::unique_lock<std::mutex> lock;
    BufferImpl* buffer;
    std::uint32_t number;
  };
  Slot slot(StreamImpl& stream, const std::shared_ptr<const KernelReports>& kernel);

  // Waits as StreamImpl::synchronize does; then hands prints to the handler and throws for asserts
  // that failed. A time-out leaves everything for the next call.
  void collect(StreamImpl& stream, Timeout timeout);

 private:
  // A buffer with the kernels that write to it, each in the place of its number.
  struct Batch {
    std::shared_ptr<BufferImpl> buffer;
    std::vector<std::shared_ptr<const KernelReports>> kernels;
  };
  // What a batch holds, copied to the host.
  struct Content;

  std::shared_ptr<BufferImpl> fresh_buffer(StreamImpl& stream);
  Content read(StreamImpl& stream, const Batch& batch);
  void recycle(StreamImpl& stream, Batch& batch, std::size_t used_bytes);

  std::mutex mutex_;
  std::vector<Batch> batches_;  // the last one is open
  std::shared_ptr<BufferImpl> spare_;
};

// An executable's launch with the two arguments that reports need behind its own.
class TRITONRT_API ReportingArgs {
 public:
  ReportingArgs(const PackedArgs& args, const Reports::Slot& slot);
  PackedArgs args() const { return {slots_.data(), buffers_.data(), slots_.size()}; }

 private:
  std::vector<std::uint64_t> slots_;
  std::vector<BufferImpl*> buffers_;
};

}  // namespace tritonrt::runtime

#endif  // TRITONRT_RUNTIME_REPORTS_H_
