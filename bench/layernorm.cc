// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cmath>
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

constexpr int64_t kRows = 4096;
constexpr int64_t kCols = 1024;
constexpr int64_t kElements = kRows * kCols;
constexpr float kEps = 1e-5f;

// Numbers of the input arrays.
enum : uint32_t { kX, kWeight, kBias };

// Where the results of a step lie.
struct Results {
  ReadPiece out;
  ReadPiece mean;
  ReadPiece rstd;
};

struct Moments {
  double mean = 0;
  double rstd = 0;
};

Moments moments_of_row(int64_t row) {
  Moments moments;
  for (int64_t i = 0; i < kCols; ++i) moments.mean += input_value(kX, row * kCols + i);
  moments.mean /= kCols;
  double squares = 0;
  for (int64_t i = 0; i < kCols; ++i) {
    const double d = input_value(kX, row * kCols + i) - moments.mean;
    squares += d * d;
  }
  moments.rstd = 1 / std::sqrt(squares / kCols + double{kEps});
  return moments;
}

// In float64.
void check(const Results& results) {
  std::vector<float> mean(kRows), rstd(kRows);
  results.mean(0, kRows, mean.data());
  results.rstd(0, kRows, rstd.data());
  for_each_piece(results.out, kElements, [&](int64_t first, const std::vector<float>& values) {
    Moments moments;
    for (size_t i = 0; i < values.size(); ++i) {
      const int64_t index = first + static_cast<int64_t>(i);
      const int64_t row = index / kCols, col = index % kCols;
      if (col == 0) {
        moments = moments_of_row(row);
        check_value(row, mean[static_cast<size_t>(row)], moments.mean, 1e-5, 1e-6);
        check_value(row, rstd[static_cast<size_t>(row)], moments.rstd, 1e-5, 1e-6);
      }
      const double expected =
          (input_value(kX, index) - moments.mean) * moments.rstd * input_value(kWeight, col) +
          input_value(kBias, col);
      check_value(index, values[i], expected, 1e-5, 1e-5);
    }
  });
}

Step prepare_tritonrt(const std::string& device_name) {
  const Device device = Device::open(device_name);
  const Buffer x = input_buffer(device, kX, kElements);
  const Buffer weight = input_buffer(device, kWeight, kCols);
  const Buffer bias = input_buffer(device, kBias, kCols);
  const Buffer out = output_buffer(device, kElements);
  const Buffer mean = output_buffer(device, kRows);
  const Buffer rstd = output_buffer(device, kRows);
  const auto cols = static_cast<int32_t>(kCols);
  const Step step = kernel_step(device, kLayerNorm1024Text, Grid(kRows),
                                {x, weight, bias, out, mean, rstd, cols, cols, kEps});
  step();
  check({reader(out), reader(mean), reader(rstd)});
  return step;
}

Step prepare_clang() {
  const Device device = Device::open("cpu");
  const Buffer x = input_buffer(device, kX, kElements);
  const Buffer weight = input_buffer(device, kWeight, kCols);
  const Buffer bias = input_buffer(device, kBias, kCols);
  const Buffer out = output_buffer(device, kElements);
  const Buffer mean = output_buffer(device, kRows);
  const Buffer rstd = output_buffer(device, kRows);
  const Step step = [=] {
    clang_layer_norm(x.host_data_as<float>(), weight.host_data_as<float>(),
                     bias.host_data_as<float>(), out.host_data_as<float>(),
                     mean.host_data_as<float>(), rstd.host_data_as<float>(), kRows, kCols, kEps);
  };
  step();
  check({reader(out), reader(mean), reader(rstd)});
  return step;
}

#ifdef TRITONRT_BENCH_OPENCL

// One work-item a row, in wide vectors: what suits a device whose work-items run one after another.
constexpr char kRowPerItem[] = R"(
#define COLS 1024
float total(float16 v) {
  const float8 v8 = v.lo + v.hi;
  const float4 v4 = v8.lo + v8.hi;
  return v4.x + v4.y + v4.z + v4.w;
}
__kernel void layer_norm(__global const float16 *x, __global const float16 *weight,
                         __global const float16 *bias, __global float16 *out,
                         __global float *mean_out, __global float *rstd_out) {
  const size_t row = get_global_id(0) * (COLS / 16);
  float16 sum = 0;
  for (int i = 0; i < COLS / 16; ++i) sum += x[row + i];
  const float mean = total(sum) / COLS;
  float16 squares = 0;
  for (int i = 0; i < COLS / 16; ++i) {
    const float16 d = x[row + i] - mean;
    squares += d * d;
  }
  const float rstd = 1.0f / sqrt(total(squares) / COLS + 1e-5f);
  for (int i = 0; i < COLS / 16; ++i)
    out[row + i] = (x[row + i] - mean) * rstd * weight[i] + bias[i];
  mean_out[get_global_id(0)] = mean;
  rstd_out[get_global_id(0)] = rstd;
}
)";

// One work-group of 256 a row, held in registers: for devices that run work-items together.
constexpr char kRowPerGroup[] = R"(
float total(float value, __local float *part) {
  const int item = get_local_id(0);
  barrier(CLK_LOCAL_MEM_FENCE);
  part[item] = value;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int n = 128; n > 0; n /= 2) {
    if (item < n) part[item] += part[item + n];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  return part[0];
}
__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void layer_norm(__global const float4 *x, __global const float4 *weight,
                __global const float4 *bias, __global float4 *out,
                __global float *mean_out, __global float *rstd_out) {
  __local float part[256];
  const int item = get_local_id(0);
  const size_t at = get_group_id(0) * 256 + item;
  float4 v = x[at];
  const float mean = total(v.x + v.y + v.z + v.w, part) / 1024;
  v -= mean;
  const float rstd = 1.0f / sqrt(total(dot(v, v), part) / 1024 + 1e-5f);
  out[at] = v * rstd * weight[item] + bias[item];
  if (item == 0) {
    mean_out[get_group_id(0)] = mean;
    rstd_out[get_group_id(0)] = rstd;
  }
}
)";

Step prepare_opencl(PeerDevice which) {
  const OpenClPeer& peer = opencl_peer(which);
  const cl::Buffer out = peer.output(kElements);
  const cl::Buffer mean = peer.output(kRows);
  const cl::Buffer rstd = peer.output(kRows);
  const std::vector<cl::Buffer> arguments = {peer.input(kX, kElements),
                                             peer.input(kWeight, kCols),
                                             peer.input(kBias, kCols),
                                             out,
                                             mean,
                                             rstd};
  const Step step =
      peer.is_cpu()
          ? peer.step(peer.build(kRowPerItem, "layer_norm"), arguments, kRows, 16)
          : peer.step(peer.build(kRowPerGroup, "layer_norm"), arguments, kRows * 256, 256);
  step();
  check({peer.reader(out), peer.reader(mean), peer.reader(rstd)});
  return step;
}

#endif

}  // namespace

void register_layernorm() {
  constexpr int64_t kBytes = (2 * kElements + 2 * kCols + 2 * kRows) * int64_t{sizeof(float)};
  const std::string cpu = "layernorm/cpu/4096x1024";
  const std::string opencl = "layernorm/opencl/4096x1024";
  add_benchmark(cpu + "/tritonrt", Work::bytes(kBytes), [] { return prepare_tritonrt("cpu"); });
  add_benchmark(cpu + "/clang", Work::bytes(kBytes), prepare_clang);
#ifdef TRITONRT_BENCH_OPENCL
  add_benchmark(cpu + "/raw_opencl", Work::bytes(kBytes),
                [] { return prepare_opencl(PeerDevice::kFirstCpu); });
#endif
  add_benchmark(opencl + "/tritonrt", Work::bytes(kBytes),
                [] { return prepare_tritonrt("opencl:0"); });
#ifdef TRITONRT_BENCH_OPENCL
  add_benchmark(opencl + "/raw", Work::bytes(kBytes),
                [] { return prepare_opencl(PeerDevice::kFirst); });
#endif
}

}  // namespace tritonrt::bench
