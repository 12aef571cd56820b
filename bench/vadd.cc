// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstdint>
#include <string>

#include "bench/clang_peers.h"
#include "bench/groups.h"
#include "bench/kernel_texts.h"
#include "bench/problem.h"
#ifdef TRITONRT_BENCH_OPENCL
#include "bench/opencl_peer.h"
#endif

namespace tritonrt::bench {
namespace {

constexpr int64_t kSizes[] = {4096, 65536, 1048576, 268435456};

void check_piece(int64_t first, const std::vector<float>& values) {
  for (size_t i = 0; i < values.size(); ++i) {
    const int64_t index = first + static_cast<int64_t>(i);
    check_value(index, values[i], double{input_value(0, index)} + input_value(1, index), 1e-6, 0);
  }
}

Step prepare_tritonrt(const std::string& device_name, int64_t n) {
  const Device device = Device::open(device_name);
  const Buffer x = input_buffer(device, 0, n);
  const Buffer y = input_buffer(device, 1, n);
  const Buffer out = output_buffer(device, n);
  const auto grid = static_cast<uint32_t>((n + kVectorAddBlock - 1) / kVectorAddBlock);
  const Step step =
      kernel_step(device, kVectorAddText, Grid(grid), {x, y, out, static_cast<int32_t>(n)});
  step();
  for_each_piece(reader(out), n, check_piece);
  return step;
}

// On memory of the same kind as ours.
Step prepare_clang(int64_t n) {
  const Device device = Device::open("cpu");
  const Buffer x = input_buffer(device, 0, n);
  const Buffer y = input_buffer(device, 1, n);
  const Buffer out = output_buffer(device, n);
  const Step step = [=] {
    clang_vector_add(x.host_data_as<float>(), y.host_data_as<float>(), out.host_data_as<float>(),
                     n);
  };
  step();
  for_each_piece(reader(out), n, check_piece);
  return step;
}

#ifdef TRITONRT_BENCH_OPENCL

constexpr char kSource[] = R"(
__kernel void vector_add(__global const float4 *x, __global const float4 *y, __global float4 *out) {
  const size_t i = get_global_id(0);
  out[i] = x[i] + y[i];
}
)";

Step prepare_opencl(PeerDevice which, int64_t n) {
  const OpenClPeer& peer = opencl_peer(which);
  const cl::Buffer out = peer.output(n);
  const Step step =
      peer.step(peer.build(kSource, "vector_add"), {peer.input(0, n), peer.input(1, n), out},
                static_cast<size_t>(n / 4), 256);
  step();
  for_each_piece(peer.reader(out), n, check_piece);
  return step;
}

#endif

}  // namespace

void register_vadd() {
  for (const int64_t n : kSizes) {
    const Work work = Work::bytes(3 * n * static_cast<int64_t>(sizeof(float)));
    const std::string cpu = "vadd/cpu/" + std::to_string(n);
    const std::string opencl = "vadd/opencl/" + std::to_string(n);
    add_benchmark(cpu + "/tritonrt", work, [n] { return prepare_tritonrt("cpu", n); });
    add_benchmark(cpu + "/clang", work, [n] { return prepare_clang(n); });
#ifdef TRITONRT_BENCH_OPENCL
    add_benchmark(cpu + "/raw_opencl", work,
                  [n] { return prepare_opencl(PeerDevice::kFirstCpu, n); });
#endif
    add_benchmark(opencl + "/tritonrt", work, [n] { return prepare_tritonrt("opencl:0", n); });
#ifdef TRITONRT_BENCH_OPENCL
    add_benchmark(opencl + "/raw", work, [n] { return prepare_opencl(PeerDevice::kFirst, n); });
#endif
  }
}

}  // namespace tritonrt::bench
