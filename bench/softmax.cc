// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
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

struct Shape {
  int64_t rows;
  int64_t cols;
  const char* text;

  int64_t elements() const { return rows * cols; }
};

constexpr Shape kShapes[] = {{4096, 1024, kSoftmax1024Text}, {8192, 4096, kSoftmax4096Text}};

// Softmax of the inputs' rows in float64.
void check(const ReadPiece& read, const Shape& shape) {
  std::vector<double> row(static_cast<size_t>(shape.cols));
  for_each_piece(read, shape.elements(), [&](int64_t first, const std::vector<float>& values) {
    for (size_t start = 0; start < values.size(); start += row.size()) {
      const int64_t base = first + static_cast<int64_t>(start);
      double sum = 0;
      for (size_t i = 0; i < row.size(); ++i) {
        row[i] = std::exp(double{input_value(0, base + static_cast<int64_t>(i))});
        sum += row[i];
      }
      for (size_t i = 0; i < row.size(); ++i)
        check_value(base + static_cast<int64_t>(i), values[start + i], row[i] / sum, 1e-5, 1e-8);
    }
  });
}

Step prepare_tritonrt(const std::string& device_name, const Shape& shape) {
  const Device device = Device::open(device_name);
  const Buffer x = input_buffer(device, 0, shape.elements());
  const Buffer out = output_buffer(device, shape.elements());
  const auto cols = static_cast<int32_t>(shape.cols);
  const Step step = kernel_step(device, shape.text, Grid(static_cast<uint32_t>(shape.rows)),
                                {x, out, cols, cols, cols});
  step();
  check(reader(out), shape);
  return step;
}

Step prepare_clang(const Shape& shape) {
  const Device device = Device::open("cpu");
  const Buffer x = input_buffer(device, 0, shape.elements());
  const Buffer out = output_buffer(device, shape.elements());
  const Step step = [=] {
    clang_softmax(x.host_data_as<float>(), out.host_data_as<float>(), shape.rows, shape.cols);
  };
  step();
  check(reader(out), shape);
  return step;
}

#ifdef TRITONRT_BENCH_OPENCL

// One work-item a row, in wide vectors: what suits a device whose work-items run one after another.
constexpr char kRowPerItem[] = R"(
__kernel void softmax(__global const float16 *x, __global float16 *out) {
  const size_t row = get_global_id(0) * (COLS / 16);
  float16 m = x[row];
  for (int i = 1; i < COLS / 16; ++i) m = fmax(m, x[row + i]);
  float8 m8 = fmax(m.lo, m.hi);
  float4 m4 = fmax(m8.lo, m8.hi);
  const float peak = fmax(fmax(m4.x, m4.y), fmax(m4.z, m4.w));
  float16 s = 0;
  for (int i = 0; i < COLS / 16; ++i) {
    const float16 e = exp(x[row + i] - peak);
    out[row + i] = e;
    s += e;
  }
  float8 s8 = s.lo + s.hi;
  float4 s4 = s8.lo + s8.hi;
  const float scale = 1.0f / (s4.x + s4.y + s4.z + s4.w);
  for (int i = 0; i < COLS / 16; ++i) out[row + i] *= scale;
}
)";

// One work-group of 256 a row, held in registers: for devices that run work-items together.
constexpr char kRowPerGroup[] = R"(
#define EACH (COLS / 256 / 4)
__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void softmax(__global const float4 *x, __global float4 *out) {
  __local float part[256];
  const int item = get_local_id(0);
  const size_t row = get_group_id(0) * (COLS / 4);
  float4 v[EACH];
  float m = -INFINITY;
  for (int i = 0; i < EACH; ++i) {
    v[i] = x[row + i * 256 + item];
    m = fmax(m, fmax(fmax(v[i].x, v[i].y), fmax(v[i].z, v[i].w)));
  }
  part[item] = m;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int n = 128; n > 0; n /= 2) {
    if (item < n) part[item] = fmax(part[item], part[item + n]);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  m = part[0];
  barrier(CLK_LOCAL_MEM_FENCE);
  float s = 0;
  for (int i = 0; i < EACH; ++i) {
    v[i] = exp(v[i] - m);
    s += v[i].x + v[i].y + v[i].z + v[i].w;
  }
  part[item] = s;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int n = 128; n > 0; n /= 2) {
    if (item < n) part[item] += part[item + n];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  const float scale = 1.0f / part[0];
  for (int i = 0; i < EACH; ++i) out[row + i * 256 + item] = v[i] * scale;
}
)";

Step prepare_opencl(PeerDevice which, const Shape& shape) {
  const OpenClPeer& peer = opencl_peer(which);
  const cl::Buffer out = peer.output(shape.elements());
  const std::string define = "#define COLS " + std::to_string(shape.cols) + "\n";
  const auto rows = static_cast<size_t>(shape.rows);
  const std::vector<cl::Buffer> arguments = {peer.input(0, shape.elements()), out};
  const Step step =
      peer.is_cpu()
          ? peer.step(peer.build(define + kRowPerItem, "softmax"), arguments, rows, 16)
          : peer.step(peer.build(define + kRowPerGroup, "softmax"), arguments, rows * 256, 256);
  step();
  check(peer.reader(out), shape);
  return step;
}

#endif

}  // namespace

void register_softmax() {
  for (const Shape& shape : kShapes) {
    const Work work = Work::bytes(2 * shape.elements() * static_cast<int64_t>(sizeof(float)));
    const std::string size = std::to_string(shape.rows) + "x" + std::to_string(shape.cols);
    const std::string cpu = "softmax/cpu/" + size;
    const std::string opencl = "softmax/opencl/" + size;
    add_benchmark(cpu + "/tritonrt", work, [=] { return prepare_tritonrt("cpu", shape); });
    add_benchmark(cpu + "/clang", work, [=] { return prepare_clang(shape); });
#ifdef TRITONRT_BENCH_OPENCL
    add_benchmark(cpu + "/raw_opencl", work,
                  [=] { return prepare_opencl(PeerDevice::kFirstCpu, shape); });
#endif
    add_benchmark(opencl + "/tritonrt", work, [=] { return prepare_tritonrt("opencl:0", shape); });
#ifdef TRITONRT_BENCH_OPENCL
    add_benchmark(opencl + "/raw", work, [=] { return prepare_opencl(PeerDevice::kFirst, shape); });
#endif
  }
}

}  // namespace tritonrt::bench
