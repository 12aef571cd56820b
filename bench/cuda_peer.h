// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TRITONRT_BENCH_CUDA_PEER_H_
#define TRITONRT_BENCH_CUDA_PEER_H_

#include <cstdint>

namespace tritonrt::bench {

// The kernel of the group `launch` through CUDA's driver interface, which is looked for when it is
// made. Throws std::runtime_error where there is none, or no device.
class CudaStore {
 public:
  CudaStore(int32_t a, int32_t b, int32_t c);
  ~CudaStore();
  CudaStore(const CudaStore&) = delete;
  CudaStore& operator=(const CudaStore&) = delete;

  // Enqueues one program.
  void launch() const;
  void finish() const;
  // What the last launch stored.
  int32_t result() const;

 private:
  int32_t a_, b_, c_;
  uint64_t memory_ = 0;
  void* context_ = nullptr;
  void* function_ = nullptr;
  void* stream_ = nullptr;
};

}  // namespace tritonrt::bench

#endif  // TRITONRT_BENCH_CUDA_PEER_H_
