// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bench/cuda_peer.h"

#include <dlfcn.h>

#include <stdexcept>
#include <string>
#include <type_traits>

namespace tritonrt::bench {
namespace {

constexpr char kText[] = R"(
.version 7.0
.target sm_70
.address_size 64
.visible .entry launch_store(.param .u64 out, .param .u32 a, .param .u32 b, .param .u32 c) {
  .reg .b32 %r<8>;
  .reg .b64 %d<4>;
  ld.param.u64 %d1, [out];
  ld.param.u32 %r1, [a];
  ld.param.u32 %r2, [b];
  ld.param.u32 %r3, [c];
  add.s32 %r4, %r1, %r2;
  add.s32 %r4, %r4, %r3;
  mov.u32 %r5, %ctaid.x;
  mul.wide.u32 %d2, %r5, 4;
  cvta.to.global.u64 %d1, %d1;
  add.s64 %d1, %d1, %d2;
  st.global.u32 [%d1], %r4;
  ret;
}
)";

// What is called of libcuda, whose header need not be there. Handles are pointers, a device is an
// int, device memory an integer, 0 is success.
struct Cuda {
  int (*cuInit)(unsigned);
  int (*cuDevicePrimaryCtxRetain)(void** context, int device);
  int (*cuDevicePrimaryCtxRelease)(int device);
  int (*cuCtxSetCurrent)(void* context);
  int (*cuModuleLoadData)(void** module, const void* image);
  int (*cuModuleGetFunction)(void** function, void* module, const char* name);
  int (*cuMemAlloc)(uint64_t* memory, size_t size);
  int (*cuMemcpyDtoH)(void* target, uint64_t source, size_t size);
  int (*cuStreamCreate)(void** stream, unsigned flags);
  int (*cuStreamSynchronize)(void* stream);
  int (*cuLaunchKernel)(void* function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                        unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared,
                        void* stream, void** arguments, void** extra);

  static const Cuda& get() {
    static const Cuda cuda = load();
    return cuda;
  }

 private:
  static Cuda load() {
    void* const library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) throw std::runtime_error("there is no libcuda.so.1");
    Cuda cuda{};
    const auto find = [&](auto& function, const char* name) {
      function = reinterpret_cast<std::decay_t<decltype(function)>>(dlsym(library, name));
      if (function == nullptr) throw std::runtime_error(std::string("libcuda.so.1 has no ") + name);
    };
    find(cuda.cuInit, "cuInit");
    find(cuda.cuDevicePrimaryCtxRetain, "cuDevicePrimaryCtxRetain");
    find(cuda.cuDevicePrimaryCtxRelease, "cuDevicePrimaryCtxRelease_v2");
    find(cuda.cuCtxSetCurrent, "cuCtxSetCurrent");
    find(cuda.cuModuleLoadData, "cuModuleLoadData");
    find(cuda.cuModuleGetFunction, "cuModuleGetFunction");
    find(cuda.cuMemAlloc, "cuMemAlloc_v2");
    find(cuda.cuMemcpyDtoH, "cuMemcpyDtoH_v2");
    find(cuda.cuStreamCreate, "cuStreamCreate");
    find(cuda.cuStreamSynchronize, "cuStreamSynchronize");
    find(cuda.cuLaunchKernel, "cuLaunchKernel");
    return cuda;
  }
};

void check(int code, const char* call) {
  if (code != 0) throw std::runtime_error(std::string(call) + " gives " + std::to_string(code));
}

}  // namespace

CudaStore::CudaStore(int32_t a, int32_t b, int32_t c) : a_(a), b_(b), c_(c) {
  const Cuda& cuda = Cuda::get();
  void* module = nullptr;
  check(cuda.cuInit(0), "cuInit");
  check(cuda.cuDevicePrimaryCtxRetain(&context_, 0), "cuDevicePrimaryCtxRetain");
  check(cuda.cuCtxSetCurrent(context_), "cuCtxSetCurrent");
  check(cuda.cuModuleLoadData(&module, kText), "cuModuleLoadData");
  check(cuda.cuModuleGetFunction(&function_, module, "launch_store"), "cuModuleGetFunction");
  check(cuda.cuMemAlloc(&memory_, sizeof(int32_t)), "cuMemAlloc");
  check(cuda.cuStreamCreate(&stream_, 1), "cuStreamCreate");
}

// All that was made goes with its context.
CudaStore::~CudaStore() {
  Cuda::get().cuStreamSynchronize(stream_);
  Cuda::get().cuDevicePrimaryCtxRelease(0);
}

void CudaStore::launch() const {
  uint64_t memory = memory_;
  int32_t a = a_, b = b_, c = c_;
  void* arguments[] = {&memory, &a, &b, &c};
  check(Cuda::get().cuLaunchKernel(function_, 1, 1, 1, 1, 1, 1, 0, stream_, arguments, nullptr),
        "cuLaunchKernel");
}

void CudaStore::finish() const {
  check(Cuda::get().cuStreamSynchronize(stream_), "cuStreamSynchronize");
}

int32_t CudaStore::result() const {
  finish();
  int32_t value = 0;
  check(Cuda::get().cuMemcpyDtoH(&value, memory_, sizeof(value)), "cuMemcpyDtoH");
  return value;
}

}  // namespace tritonrt::bench
