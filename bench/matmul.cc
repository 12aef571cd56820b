// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#ifdef TRITONRT_BENCH_ONEDNN
#include <dnnl.h>
#endif

#include "bench/groups.h"
#include "bench/kernel_texts.h"
#include "bench/problem.h"
#ifdef TRITONRT_BENCH_OPENCL
#include "bench/opencl_peer.h"
#endif

namespace tritonrt::bench {
namespace {

constexpr int64_t kSizes[] = {512, 1024, 4096};

// Some thousand elements of C = A B, spread over all of it, in float64: all of them would take
// longer than the benchmark.
void check(const ReadPiece& read, int64_t n) {
  constexpr int64_t kRows = 16;
  std::vector<float> row(static_cast<size_t>(n));
  for (int64_t sample = 0; sample < kRows; ++sample) {
    const int64_t i = sample * (n - 1) / (kRows - 1);
    read(i * n, n, row.data());
    for (int64_t j = sample; j < n; j += 17) {
      double sum = 0;
      for (int64_t k = 0; k < n; ++k)
        sum += double{input_value(0, i * n + k)} * input_value(1, k * n + j);
      // Rounding of n products of size 1 in any order.
      check_value(i * n + j, row[static_cast<size_t>(j)], sum, 1e-5,
                  4e-7 * std::sqrt(double(n)) * std::log2(double(n)));
    }
  }
}

Step prepare_tritonrt(const std::string& device_name, int64_t n,
                      const CompileOptions& options = {}) {
  const Device device = Device::open(device_name);
  const Buffer a = input_buffer(device, 0, n * n);
  const Buffer b = input_buffer(device, 1, n * n);
  const Buffer c = output_buffer(device, n * n);
  const auto size = static_cast<int32_t>(n);
  const auto tiles = static_cast<uint32_t>(n / kMatmulTile);
  const Step step = kernel_step(device, kMatmulF32Text, Grid(tiles * tiles),
                                {a, b, c, size, size, size, size, size, size}, options);
  step();
  check(reader(c), n);
  return step;
}

constexpr int64_t kShiftSizes[] = {256, 512, 1024, 2048, 4096};

// The same product by programs that talk: B is read once a ring and goes round. One ring on devices
// of few units, with as many programs as there are texts for and the device has units, since more
// of them make more hops. Elsewhere 64 programs in rings beside each other, each with a part of the
// rows, which share the hops among them; longer rings where parts of B grow large.
const ShiftGemmText& shift_for(const Device& device, int64_t n) {
  const bool several = device.info().type == "gpu";
  const ShiftGemmText* kernel = nullptr;
  for (const ShiftGemmText& text : kShiftGemmTexts)
    if (text.n == n && (text.meshes > 1) == several &&
        (kernel == nullptr || (several ? n >= 1024 : text.programs <= device.info().compute_units)))
      kernel = &text;
  return *kernel;
}

Step prepare_shift(const std::string& device_name, int64_t n) {
  const Device device = Device::open(device_name);
  const ShiftGemmText& kernel = shift_for(device, n);
  const Buffer a = input_buffer(device, 0, n * n);
  const Buffer b = input_buffer(device, 1, n * n);
  const Buffer c = output_buffer(device, n * n);
  Grid grid(kernel.programs * kernel.meshes);
  grid.mesh = Mesh(kernel.programs);
  CompileOptions options;
  if (kernel.meshes > 1) {
    // A ring whose programs fit a work-group would have a single multiprocessor.
    grid.mesh_mapping = MeshMapping::kResident;
    options.num_warps = n < 512 ? 4 : 8;
  }
  const Step step = kernel_step(device, kernel.text, grid, {a, b, c}, options);
  step();
  check(reader(c), n);
  return step;
}

#ifdef TRITONRT_BENCH_ONEDNN

void expect_success(dnnl_status_t status, const char* what) {
  if (status != dnnl_success)
    throw std::runtime_error(std::string("oneDNN: ") + what + " failed with status " +
                             std::to_string(status));
}

Step prepare_onednn(int64_t n) {
  const Device device = Device::open("cpu");
  const Buffer a = input_buffer(device, 0, n * n);
  const Buffer b = input_buffer(device, 1, n * n);
  const Buffer c = output_buffer(device, n * n);
  const Step step = [=] {
    expect_success(dnnl_sgemm('N', 'N', n, n, n, 1.0f, a.host_data_as<float>(), n,
                              b.host_data_as<float>(), n, 0.0f, c.host_data_as<float>(), n),
                   "dnnl_sgemm");
  };
  step();
  check(reader(c), n);
  return step;
}

#endif

#ifdef TRITONRT_BENCH_OPENCL

// A work-item makes 8 rows of 32 columns and keeps them in registers: what suits a device whose
// work-items run one after another.
constexpr char kTilePerItem[] = R"(
__kernel void matmul(__global const float *a, __global const float *b, __global float *c) {
  const size_t row = get_global_id(0) / (N / 32) * 8, col = get_global_id(0) % (N / 32) * 32;
  float16 lo[8], hi[8];
  #pragma unroll
  for (int i = 0; i < 8; ++i) lo[i] = hi[i] = 0;
  for (size_t k = 0; k < N; ++k) {
    const float16 left = vload16(0, b + k * N + col), right = vload16(1, b + k * N + col);
    #pragma unroll
    for (int i = 0; i < 8; ++i) {
      const float16 x = a[(row + i) * N + k];
      lo[i] = fma(x, left, lo[i]);
      hi[i] = fma(x, right, hi[i]);
    }
  }
  #pragma unroll
  for (int i = 0; i < 8; ++i) {
    vstore16(lo[i], 0, c + (row + i) * N + col);
    vstore16(hi[i], 1, c + (row + i) * N + col);
  }
}
)";

// A work-group of 256 makes a tile of 128 x 128, 8 x 8 a work-item, with both operands in local
// memory: for devices that run work-items together.
constexpr char kTilePerGroup[] = R"(
#define DEPTH 16
__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void matmul(__global const float *a, __global const float *b, __global float *c) {
  __local float left[DEPTH][132], right[DEPTH][128];
  const int item = get_local_id(0), y = item / 16 * 4, x = item % 16 * 4;
  const size_t row = get_group_id(0) / (N / 128) * 128, col = get_group_id(0) % (N / 128) * 128;
  float sum[8][8];
  for (int i = 0; i < 8; ++i)
    for (int j = 0; j < 8; ++j) sum[i][j] = 0;
  for (size_t k = 0; k < N; k += DEPTH) {
    for (int part = 0; part < 2; ++part) {
      const int r = item / 4 + part * 64, q = item % 4 * 4;
      const float4 v = *(__global const float4 *)(a + (row + r) * N + k + q);
      left[q][r] = v.x;
      left[q + 1][r] = v.y;
      left[q + 2][r] = v.z;
      left[q + 3][r] = v.w;
      const int d = item / 32 + part * 8, p = item % 32 * 4;
      *(__local float4 *)&right[d][p] = *(__global const float4 *)(b + (k + d) * N + col + p);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    #pragma unroll
    for (int d = 0; d < DEPTH; ++d) {
      float u[8], v[8];
      *(float4 *)u = *(__local float4 *)&left[d][y];
      *(float4 *)(u + 4) = *(__local float4 *)&left[d][y + 64];
      *(float4 *)v = *(__local float4 *)&right[d][x];
      *(float4 *)(v + 4) = *(__local float4 *)&right[d][x + 64];
      #pragma unroll
      for (int i = 0; i < 8; ++i)
        #pragma unroll
        for (int j = 0; j < 8; ++j) sum[i][j] = fma(u[i], v[j], sum[i][j]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  for (int i = 0; i < 8; ++i)
    for (int j = 0; j < 8; j += 4) {
      const size_t at = (row + i / 4 * 64 + y + i % 4) * N + col + j / 4 * 64 + x;
      *(__global float4 *)(c + at) = (float4)(sum[i][j], sum[i][j + 1], sum[i][j + 2], sum[i][j + 3]);
    }
}
)";

Step prepare_opencl(PeerDevice which, int64_t n) {
  const OpenClPeer& peer = opencl_peer(which);
  const cl::Buffer c = peer.output(n * n);
  const std::string define = "#define N " + std::to_string(n) + "\n";
  const std::vector<cl::Buffer> arguments = {peer.input(0, n * n), peer.input(1, n * n), c};
  const auto elements = static_cast<size_t>(n * n);
  const Step step =
      peer.is_cpu()
          ? peer.step(peer.build(define + kTilePerItem, "matmul"), arguments, elements / 256, 8)
          : peer.step(peer.build(define + kTilePerGroup, "matmul"), arguments, elements / 64, 256);
  step();
  check(peer.reader(c), n);
  return step;
}

#endif

}  // namespace

void register_matmul() {
  CompileOptions one_stage, two_buffers;
  one_stage.num_stages = 1;
  two_buffers.extra["alternate"] = "1";
  for (const int64_t n : kSizes) {
    const Work work = Work::flops(2 * n * n * n);
    const std::string cpu = "matmul_f32/cpu/" + std::to_string(n);
    const std::string opencl = "matmul_f32/opencl/" + std::to_string(n);
    add_benchmark(cpu + "/tritonrt", work, [=] { return prepare_tritonrt("cpu", n); });
#ifdef TRITONRT_BENCH_ONEDNN
    add_benchmark(cpu + "/onednn", work, [=] { return prepare_onednn(n); });
#endif
#ifdef TRITONRT_BENCH_OPENCL
    add_benchmark(cpu + "/raw_opencl", work,
                  [=] { return prepare_opencl(PeerDevice::kFirstCpu, n); });
#endif
    add_benchmark(opencl + "/tritonrt", work, [=] { return prepare_tritonrt("opencl:0", n); });
    add_benchmark(opencl + "/two_buffers", work,
                  [=] { return prepare_tritonrt("opencl:0", n, two_buffers); });
    add_benchmark(opencl + "/one_stage", work,
                  [=] { return prepare_tritonrt("opencl:0", n, one_stage); });
#ifdef TRITONRT_BENCH_OPENCL
    add_benchmark(opencl + "/raw", work, [=] { return prepare_opencl(PeerDevice::kFirst, n); });
#endif
  }
  for (const int64_t n : kShiftSizes)
    for (const std::string device : {"cpu", "opencl"}) {
      const std::string name = "gemm/" + device + "/" + std::to_string(n);
      const std::string opened = device == "cpu" ? device : device + ":0";
      const Work work = Work::flops(2 * n * n * n);
      add_benchmark(name + "/shift", work, [=] { return prepare_shift(opened, n); });
      add_benchmark(name + "/standard", work, [=] { return prepare_tritonrt(opened, n); });
    }
}

}  // namespace tritonrt::bench
