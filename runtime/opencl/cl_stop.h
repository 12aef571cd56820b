// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TRITONRT_RUNTIME_OPENCL_CL_STOP_H_
#define TRITONRT_RUNTIME_OPENCL_CL_STOP_H_

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "runtime/metadata.h"
#include "runtime/opencl/cl_headers.h"

namespace tritonrt::runtime {

class ClBuffer;
class ClDevice;

// The words by which kernels of one stream are told to give up waiting for other programs
// (kernel_abi.h). Used once: after a stop the stream takes fresh ones. Thread safe.
class ClStopWords {
 public:
  explicit ClStopWords(const std::shared_ptr<ClDevice>& device);
  ~ClStopWords();

  // Where a kernel's two words are: an offset into the buffer.
  ClBuffer& buffer() const { return *buffer_; }
  std::uint64_t offset_of(const std::shared_ptr<const Metadata>& kernel);

  // Tells all of them; kernels that are enqueued later as well.
  void stop() noexcept;
  // Which ops gave up, after the work of the kernels: an error's text, or empty.
  std::string gave_up();

 private:
  // Two words a kernel; kernels beyond the last share its words.
  static constexpr std::size_t kKernels = 64;
  static constexpr std::size_t kBytes = kKernels * 2 * sizeof(cl_uint);

  const cl::CommandQueue queue_;  // kernels may be running on all others
  // Of a CPU, whose kernels see the host's memory; else null. Lives as long as the memory object.
  cl_uint* host_ = nullptr;
  std::shared_ptr<ClBuffer> buffer_;
  std::mutex mutex_;
  std::vector<std::shared_ptr<const Metadata>> kernels_;  // under mutex_
};

}  // namespace tritonrt::runtime

#endif  // TRITONRT_RUNTIME_OPENCL_CL_STOP_H_
