// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The cost of a launch itself: a kernel of four arguments that stores one i32 a program.
#include <cstdint>
#include <stdexcept>
#include <string>

#include "bench/clang_peers.h"
#include "bench/groups.h"
#include "bench/kernel_texts.h"
#include "bench/problem.h"
#ifdef TRITONRT_BENCH_OPENCL
#include "bench/cuda_peer.h"
#include "bench/opencl_peer.h"
#endif

namespace tritonrt::bench {
namespace {

constexpr int32_t kA = 3;
constexpr int32_t kB = 5;
constexpr int32_t kC = 7;

// Launches that are enqueued before the queue is drained outside the measured part.
constexpr int64_t kBatch = 64;

void check_stored(const std::vector<int32_t>& values) {
  for (int32_t value : values)
    if (value != kA + kB + kC)
      throw std::runtime_error("wrong result: " + std::to_string(value) + ", expected " +
                               std::to_string(kA + kB + kC));
}

// A bound kernel with the memory it stores to, run once and checked.
struct BoundLaunch {
  BoundLaunch(const std::string& device_name, uint32_t programs, const CompileOptions& options = {})
      : device(Device::open(device_name)), stream(device), grid(programs) {
    std::vector<int32_t> values(programs, 0);
    const Buffer out = Buffer::from_host(device, values.data(), values.size() * sizeof(int32_t));
    kernel = Kernel::from_source(kLaunchStoreText, options).bind(device, out, kA, kB, kC);
    kernel.launch(stream, grid);
    stream.synchronize();
    out.copy_to_host(values.data(), values.size() * sizeof(int32_t));
    check_stored(values);
  }

  Device device;
  Stream stream;
  Grid grid;
  BoundKernel kernel;
};

// Launch to finish, as the peer's call returns when the values are there.
void time_bound(benchmark::State& state, uint32_t programs) {
  BoundLaunch launch("cpu", programs);
  for (auto _ : state) {
    launch.kernel.launch(launch.stream, launch.grid);
    launch.stream.synchronize();
  }
}

// A launch whose arguments are checked anew each time.
void time_generic(benchmark::State& state) {
  BoundLaunch launch("cpu", 1);
  const Kernel kernel = Kernel::from_source(kLaunchStoreText);
  const Buffer out(launch.device, sizeof(int32_t));
  const auto run = [&] {
    kernel.launch(launch.stream, launch.grid, out, kA, kB, kC);
    launch.stream.synchronize();
  };
  run();
  check_stored({*out.host_data_as<int32_t>()});
  for (auto _ : state) run();
}

void time_function(benchmark::State& state, int32_t programs) {
  std::vector<int32_t> values(static_cast<size_t>(programs), 0);
  // Read anew for each launch, as an address from dlsym is.
  const volatile launch_store_fn address = clang_launch_store;
  const auto launch = [&] {
    const launch_store_fn function = address;
    for (int32_t i = 0; i < programs; ++i) function(i, values.data(), kA, kB, kC);
  };
  launch();
  check_stored(values);
  for (auto _ : state) launch();
}

// Times `enqueue` alone: `drain` runs outside the measured part.
template <typename Enqueue, typename Drain>
void time_enqueue(benchmark::State& state, Enqueue enqueue, Drain drain) {
  while (state.KeepRunningBatch(kBatch)) {
    for (int64_t i = 0; i < kBatch; ++i) enqueue();
    state.PauseTiming();
    drain();
    state.ResumeTiming();
  }
}

// `form`: how the kernel takes its arguments; empty for the device's own choice.
void time_enqueue_tritonrt(benchmark::State& state, const std::string& form) {
  CompileOptions options;
  if (!form.empty()) options.extra["target.arguments"] = form;
  BoundLaunch launch("opencl:0", 1, options);
  time_enqueue(
      state, [&] { launch.kernel.launch(launch.stream, launch.grid); },
      [&] { launch.stream.synchronize(); });
}

#ifdef TRITONRT_BENCH_OPENCL

constexpr char kSource[] = R"(
__kernel void launch_store(__global int *out, int a, int b, int c) {
  out[get_group_id(0)] = a + b + c;
}
__kernel void launch_address(ulong out, int a, int b, int c) {
  ((__global int *)out)[get_group_id(0)] = a + b + c;
}
typedef struct { ulong out; long a, b, c; } arguments;
__kernel void launch_struct(const arguments all) {
  ((__global int *)all.out)[get_group_id(0)] = (int)(all.a + all.b + all.c);
}
__kernel void address_of(__global ulong *result, __global char *memory) {
  *result = (ulong)memory;
}
)";

// How a program passes what the kernel stores to.
enum class Passing { kObject, kAddress, kStruct };

cl_ulong address_of(const OpenClPeer& peer, const cl::Buffer& memory) {
  const cl::Buffer result(peer.context, CL_MEM_READ_WRITE, sizeof(cl_ulong));
  cl::Kernel kernel = peer.build(kSource, "address_of");
  kernel.setArg(0, result);
  kernel.setArg(1, memory);
  peer.queue.enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange(1), cl::NDRange(1));
  cl_ulong address = 0;
  peer.queue.enqueueReadBuffer(result, CL_TRUE, 0, sizeof(address), &address);
  return address;
}

void time_enqueue_raw(benchmark::State& state, Passing passing) {
  const OpenClPeer& peer = opencl_peer(PeerDevice::kFirst);
  std::vector<int32_t> value(1, 0);
  const cl::Buffer out(peer.context, CL_MEM_READ_WRITE, sizeof(int32_t));
  cl::Kernel kernel = peer.build(kSource, passing == Passing::kObject    ? "launch_store"
                                          : passing == Passing::kAddress ? "launch_address"
                                                                         : "launch_struct");
  const struct {
    cl_ulong out;
    cl_long a, b, c;
  } all = {passing == Passing::kObject ? 0 : address_of(peer, out), kA, kB, kC};
  const cl_kernel raw = kernel();
  const cl_mem memory = out();
  const size_t one = 1;
  const auto enqueue = [&] {
    if (passing == Passing::kStruct) {
      clSetKernelArg(raw, 0, sizeof(all), &all);
    } else {
      if (passing == Passing::kObject)
        clSetKernelArg(raw, 0, sizeof(memory), &memory);
      else
        clSetKernelArg(raw, 0, sizeof(all.out), &all.out);
      clSetKernelArg(raw, 1, sizeof(kA), &kA);
      clSetKernelArg(raw, 2, sizeof(kB), &kB);
      clSetKernelArg(raw, 3, sizeof(kC), &kC);
    }
    if (clEnqueueNDRangeKernel(peer.queue(), raw, 1, nullptr, &one, &one, 0, nullptr, nullptr) !=
        CL_SUCCESS)
      throw std::runtime_error("the launch failed");
  };
  enqueue();
  peer.queue.enqueueReadBuffer(out, CL_TRUE, 0, sizeof(int32_t), value.data());
  check_stored(value);
  time_enqueue(state, enqueue, [&] { peer.queue.finish(); });
}

void time_enqueue_cuda(benchmark::State& state) {
  const CudaStore store(kA, kB, kC);
  store.launch();
  check_stored({store.result()});
  time_enqueue(state, [&] { store.launch(); }, [&] { store.finish(); });
}

#endif

}  // namespace

void register_launch() {
  for (const int32_t programs : {1, 64}) {
    const std::string name = "launch/cpu/" + std::to_string(programs);
    add_measured(name + "/tritonrt", [=](benchmark::State& state) {
      time_bound(state, static_cast<uint32_t>(programs));
    });
    add_measured(name + "/function",
                 [=](benchmark::State& state) { time_function(state, programs); });
  }
  add_measured("launch_generic/cpu/1/tritonrt", time_generic);
  const auto add_tritonrt = [](const std::string& who, const std::string& form) {
    add_measured("launch/opencl/4/" + who,
                 [form](benchmark::State& state) { time_enqueue_tritonrt(state, form); });
  };
  add_tritonrt("tritonrt", "");
  add_tritonrt("objects", "each");
  add_tritonrt("packed", "struct");
#ifdef TRITONRT_BENCH_OPENCL
  const auto add_raw = [](const std::string& who, Passing passing) {
    add_measured("launch/opencl/4/" + who,
                 [passing](benchmark::State& state) { time_enqueue_raw(state, passing); });
  };
  add_raw("raw", Passing::kObject);
  add_raw("address", Passing::kAddress);
  add_raw("struct", Passing::kStruct);
  add_measured("launch/opencl/4/cuda", time_enqueue_cuda);
#endif
}

}  // namespace tritonrt::bench
