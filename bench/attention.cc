// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "bench/clang_peers.h"
#include "bench/groups.h"
#include "bench/kernel_texts.h"
#include "bench/problem.h"
#ifdef TRITONRT_BENCH_OPENCL
#include "bench/opencl_peer.h"
#endif

namespace tritonrt::bench {
namespace {

constexpr int64_t kHeads = 8, kSeq = 1024, kDepth = 64;
constexpr int64_t kRows = kHeads * kSeq, kElements = kRows * kDepth;
// Of the arrays of inputs.
constexpr uint32_t kQ = 0, kK = 1, kV = 2;

// A few rows in float64.
void check(const ReadPiece& out, const ReadPiece& lse, bool causal) {
  std::vector<float> sums(kRows), got(kDepth);
  lse(0, kRows, sums.data());
  for (int64_t row = 0; row < kRows; row += 61) {
    const int64_t first = row / kSeq * kSeq, end = causal ? row + 1 : first + kSeq;
    double total = 0;
    std::vector<double> expected(kDepth);
    for (int64_t key = first; key < end; ++key) {
      double score = 0;
      for (int64_t d = 0; d < kDepth; ++d)
        score += double{input_value(kQ, row * kDepth + d)} * input_value(kK, key * kDepth + d);
      // Scores of such inputs are small.
      const double weight = std::exp(score / 8);
      total += weight;
      for (size_t d = 0; d < kDepth; ++d)
        expected[d] += weight * input_value(kV, key * kDepth + static_cast<int64_t>(d));
    }
    out(row * kDepth, kDepth, got.data());
    for (size_t d = 0; d < kDepth; ++d)
      check_value(row * kDepth + static_cast<int64_t>(d), got[d], expected[d] / total, 1e-4, 2e-5);
    check_value(row, sums[static_cast<size_t>(row)], std::log(total), 1e-5, 1e-5);
  }
}

// How a kernel is told where its operands are.
enum class Form : uint8_t { kPointers, kDeviceDescriptors, kHostDescriptors };
struct Variant {
  const char* group;
  Form form;
  const char* text[2];  // full, causal
};
constexpr Variant kPointers = {
    "attention", Form::kPointers, {kAttentionFullText, kAttentionCausalText}};
constexpr Variant kDescriptors[] = {
    {"attention_device_desc",
     Form::kDeviceDescriptors,
     {kAttentionDeviceDescFullText, kAttentionDeviceDescCausalText}},
    {"attention_host_desc",
     Form::kHostDescriptors,
     {kAttentionHostDescFullText, kAttentionHostDescCausalText}}};

Step prepare_tritonrt(const std::string& device_name, const Variant& variant, bool causal) {
  const Device device = Device::open(device_name);
  const std::array<Buffer, 4> arrays = {
      input_buffer(device, kQ, kElements), input_buffer(device, kK, kElements),
      input_buffer(device, kV, kElements), output_buffer(device, kElements)};
  const Buffer lse = output_buffer(device, kRows);
  std::array<TensorDescriptor, 4> descriptors;
  std::vector<Arg> arguments;
  for (size_t i = 0; i < arrays.size(); ++i) {
    descriptors[i] = matrix_descriptor(arrays[i], kRows, kDepth);
    arguments.push_back(variant.form == Form::kHostDescriptors ? Arg(descriptors[i])
                                                               : Arg(arrays[i]));
  }
  arguments.emplace_back(lse);
  arguments.emplace_back(0.125f);
  if (variant.form == Form::kPointers) {
    for (int array = 0; array < 4; ++array)
      for (const int64_t stride : {kElements, kSeq * kDepth, kDepth})
        arguments.emplace_back(static_cast<int32_t>(stride));
    arguments.emplace_back(static_cast<int32_t>(kHeads));
  }
  arguments.emplace_back(static_cast<int32_t>(kSeq));
  const Step step = kernel_step(device, variant.text[causal], Grid(kSeq / 64, kHeads), arguments);
  step();
  check(reader(arrays[3]), reader(lse), causal);
  return step;
}

Step prepare_clang(bool causal) {
  const Device device = Device::open("cpu");
  const Buffer q = input_buffer(device, kQ, kElements), k = input_buffer(device, kK, kElements),
               v = input_buffer(device, kV, kElements), keys = output_buffer(device, kElements);
  const Buffer out = output_buffer(device, kElements), lse = output_buffer(device, kRows);
  const Step step = [=] {
    clang_attention(q.host_data_as<float>(), k.host_data_as<float>(), v.host_data_as<float>(),
                    out.host_data_as<float>(), lse.host_data_as<float>(),
                    keys.host_data_as<float>(), kHeads, kSeq, causal);
  };
  step();
  check(reader(out), reader(lse), causal);
  return step;
}

#ifdef TRITONRT_BENCH_OPENCL

// A work-item has a row of queries in registers and walks over the keys: plain, and the same on
// every device.
constexpr char kRowPerItem[] = R"(
__kernel void attention(__global const float16 *q, __global const float16 *k,
                        __global const float16 *v, __global float16 *out, __global float *lse) {
  const size_t row = get_global_id(0), first = row / SEQ * SEQ;
  const size_t end = CAUSAL ? row + 1 : first + SEQ;
  float16 x[4], acc[4];
  for (int d = 0; d < 4; ++d) {
    x[d] = q[row * 4 + d] * 0.125f;
    acc[d] = 0;
  }
  float top = -INFINITY, total = 0;
  for (size_t key = first; key < end; ++key) {
    float16 part = 0;
    for (int d = 0; d < 4; ++d) part += x[d] * k[key * 4 + d];
    const float8 p8 = part.lo + part.hi;
    const float4 p4 = p8.lo + p8.hi;
    const float score = p4.x + p4.y + p4.z + p4.w;
    if (score > top) {
      const float fade = exp(top - score);
      total *= fade;
      for (int d = 0; d < 4; ++d) acc[d] *= fade;
      top = score;
    }
    const float weight = exp(score - top);
    total += weight;
    for (int d = 0; d < 4; ++d) acc[d] += weight * v[key * 4 + d];
  }
  for (int d = 0; d < 4; ++d) out[row * 4 + d] = acc[d] / total;
  lse[row] = top + log(total);
}
)";

Step prepare_opencl(PeerDevice which, bool causal) {
  const OpenClPeer& peer = opencl_peer(which);
  const cl::Buffer out = peer.output(kElements), lse = peer.output(kRows);
  const std::string source =
      "#define SEQ 1024\n#define CAUSAL " + std::string(causal ? "1" : "0") + "\n" + kRowPerItem;
  const Step step = peer.step(
      peer.build(source, "attention"),
      {peer.input(kQ, kElements), peer.input(kK, kElements), peer.input(kV, kElements), out, lse},
      kRows, 64);
  step();
  check(peer.reader(out), peer.reader(lse), causal);
  return step;
}

#endif

}  // namespace

void register_attention() {
  for (const bool causal : {false, true}) {
    const std::string size = "8x1024x64_" + std::string(causal ? "causal" : "full");
    const std::string cpu = "attention/cpu/" + size, opencl = "attention/opencl/" + size;
    const Work work = Work::flops(4 * kHeads * kSeq * kSeq * kDepth / (causal ? 2 : 1));
    add_benchmark(cpu + "/tritonrt", work,
                  [=] { return prepare_tritonrt("cpu", kPointers, causal); });
    add_benchmark(cpu + "/clang", work, [=] { return prepare_clang(causal); });
    for (const Variant& variant : kDescriptors) {
      const std::string name = std::string(variant.group) + "/cpu/" + size;
      add_benchmark(name + "/tritonrt", work,
                    [=] { return prepare_tritonrt("cpu", variant, causal); });
      add_benchmark(name + "/clang", work, [=] { return prepare_clang(causal); });
    }
    add_benchmark(opencl + "/tritonrt", work,
                  [=] { return prepare_tritonrt("opencl:0", kPointers, causal); });
#ifdef TRITONRT_BENCH_OPENCL
    add_benchmark(opencl + "/raw", work,
                  [=] { return prepare_opencl(PeerDevice::kFirst, causal); });
#endif
  }
}

}  // namespace tritonrt::bench
