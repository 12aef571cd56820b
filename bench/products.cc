// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matrix products of other types and forms than matmul_f32 on the CPU, beside oneDNN.
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>
#ifdef TRITONRT_BENCH_ONEDNN
#include <dnnl.hpp>
#endif

#include "bench/clang_peers.h"
#include "bench/groups.h"
#include "bench/kernel_texts.h"
#include "bench/problem.h"

namespace tritonrt::bench {
namespace {

enum class Element : uint8_t { kF32, kF16, kBf16, kI8 };
// What stands in the kernel's parameters beside the three matrices.
enum class Form : uint8_t { kStrides, kSizes, kBatch, kDescriptors };

// C = A B for each of `batch` pairs of matrices m x k and k x n. C has f32, of i8 i32.
struct Product {
  std::string group;
  const char* text;
  Element element;
  Form form;
  int64_t batch, m, n, k;
  Grid grid;

  std::string name() const {
    return group + "/cpu/" + (batch > 1 ? std::to_string(batch) + "x" : std::string()) +
           std::to_string(n) + (k != n ? "x" + std::to_string(k) : std::string());
  }
  int64_t operations() const { return 2 * batch * m * n * k; }
};

std::vector<Product> products() {
  std::vector<Product> list;
  for (const int64_t n : {512, 1024}) {
    const auto tiles = static_cast<uint32_t>(n / kMatmulTile);
    const Grid all(tiles * tiles);
    // A fixed number of programs that walk over all tiles.
    const Grid few(16);
    list.push_back({"matmul_f16", kMatmulF16Text, Element::kF16, Form::kStrides, 1, n, n, n, all});
    list.push_back(
        {"matmul_bf16", kMatmulBf16Text, Element::kBf16, Form::kStrides, 1, n, n, n, all});
    list.push_back({"matmul_i8", kMatmulI8Text, Element::kI8, Form::kStrides, 1, n, n, n, all});
    list.push_back(
        {"matmul_wrapped", kMatmulWrappedText, Element::kF32, Form::kStrides, 1, n, n, n, all});
    list.push_back({"matmul_device_desc", kMatmulDeviceDescText, Element::kF32, Form::kSizes, 1, n,
                    n, n, few});
    list.push_back({"matmul_host_desc", kMatmulHostDescText, Element::kF32, Form::kDescriptors, 1,
                    n, n, n, few});
  }
  list.push_back({"matmul_batched", kMatmulBatchedText, Element::kF32, Form::kBatch, 256, 64, 64,
                  64, Grid(1, 256)});
  // Eight programs a tile take pieces of K and add what they have to C.
  list.push_back({"matmul_split_k", kMatmulSplitKText, Element::kF32, Form::kSizes, 1, 256, 256,
                  16384, Grid(16, 8)});
  return list;
}

size_t size_of(Element element) {
  return element == Element::kF32 ? 4 : element == Element::kI8 ? 1 : 2;
}

// The inputs' values in the type, as f32.
float value_of(Element element, uint32_t array, int64_t index) {
  const float value = input_value(array, index);
  if (element == Element::kI8) return std::floor(value * 128);
  // A multiple of 2^-8 less than 1 is a bf16 and an f16.
  return element == Element::kF32 ? value : std::floor(value * 256) / 256;
}

Buffer matrix(const Device& device, Element element, uint32_t array, int64_t count) {
  Buffer buffer(device, static_cast<size_t>(count) * size_of(element));
  std::vector<float> values(static_cast<size_t>(count));
  for (int64_t i = 0; i < count; ++i) values[static_cast<size_t>(i)] = value_of(element, array, i);
  switch (element) {
    case Element::kF32:
      std::memcpy(buffer.host_data_as<float>(), values.data(), buffer.size());
      break;
    case Element::kF16:
      clang_to_half(values.data(), buffer.host_data_as<uint16_t>(), count);
      break;
    case Element::kBf16:
      for (int64_t i = 0; i < count; ++i)
        std::memcpy(buffer.host_data_as<uint16_t>() + i,
                    reinterpret_cast<const char*>(&values[static_cast<size_t>(i)]) + 2, 2);
      break;
    case Element::kI8:
      for (int64_t i = 0; i < count; ++i)
        buffer.host_data_as<int8_t>()[i] = static_cast<int8_t>(values[static_cast<size_t>(i)]);
  }
  return buffer;
}

struct Operands {
  Buffer a, b, c;

  Operands(const Device& device, const Product& p)
      : a(matrix(device, p.element, 0, p.batch * p.m * p.k)),
        b(matrix(device, p.element, 1, p.batch * p.k * p.n)),
        c(device, static_cast<size_t>(p.batch * p.m * p.n) * 4) {
    // Some kernels add to C.
    c.fill("\0", 1, c.size());
  }
};

// Some thousand elements, spread over all of C, in float64.
void check(const Product& p, const Buffer& c) {
  constexpr int64_t kRows = 16;
  for (int64_t sample = 0; sample < kRows; ++sample) {
    const int64_t row = sample * (p.batch * p.m - 1) / (kRows - 1), z = row / p.m;
    for (int64_t j = sample; j < p.n; j += 17) {
      double sum = 0;
      for (int64_t k = 0; k < p.k; ++k)
        sum += double{value_of(p.element, 0, row * p.k + k)} *
               value_of(p.element, 1, (z * p.k + k) * p.n + j);
      const int64_t at = row * p.n + j;
      const bool whole = p.element == Element::kI8;
      const float got =
          whole ? static_cast<float>(c.host_data_as<int32_t>()[at]) : c.host_data_as<float>()[at];
      // Rounding of products of size 1 in any order.
      check_value(at, got, sum, whole ? 0 : 1e-5,
                  whole ? 0 : 4e-7 * std::sqrt(double(p.k)) * std::log2(double(p.k)));
    }
  }
}

Step prepare_tritonrt(const Product& p) {
  const Device device = Device::open("cpu");
  const Operands o(device, p);
  const std::array<TensorDescriptor, 3> descriptors = {matrix_descriptor(o.a, p.m, p.k),
                                                       matrix_descriptor(o.b, p.k, p.n),
                                                       matrix_descriptor(o.c, p.m, p.n)};
  std::vector<Arg> arguments = {o.a, o.b, o.c};
  if (p.form == Form::kDescriptors) arguments.assign(descriptors.begin(), descriptors.end());
  std::vector<int64_t> numbers = {p.m, p.n, p.k};
  if (p.form == Form::kStrides) numbers.insert(numbers.end(), {p.k, p.n, p.n});
  if (p.form == Form::kBatch)
    numbers.insert(numbers.end(), {p.m * p.k, p.k, p.k * p.n, p.n, p.m * p.n, p.n});
  for (const int64_t number : numbers) arguments.emplace_back(static_cast<int32_t>(number));
  const Step step = kernel_step(device, p.text, p.grid, arguments);
  step();
  check(p, o.c);
  return step;
}

#ifdef TRITONRT_BENCH_ONEDNN

// It has no products of f16 for processors without such arithmetic: they are widened first.
Step prepare_onednn(const Product& p) {
  using Memory = dnnl::memory;
  const Device device = Device::open("cpu");
  const Operands o(device, p);
  const bool half = p.element == Element::kF16, whole = p.element == Element::kI8;
  const auto type = whole                         ? Memory::data_type::s8
                    : p.element == Element::kBf16 ? Memory::data_type::bf16
                                                  : Memory::data_type::f32;
  const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  const auto described = [&](int64_t rows, int64_t cols, Memory::data_type of) {
    return Memory::desc({p.batch, rows, cols}, of, Memory::format_tag::abc);
  };
  const auto a = described(p.m, p.k, type), b = described(p.k, p.n, type);
  const auto c = described(p.m, p.n, whole ? Memory::data_type::s32 : Memory::data_type::f32);
  const Buffer wide_a = output_buffer(device, half ? p.m * p.k : 1);
  const Buffer wide_b = output_buffer(device, half ? p.k * p.n : 1);
  const dnnl::matmul multiply({dnnl::matmul::desc(a, b, c), engine});
  const Memory from_a(a, engine, (half ? wide_a : o.a).host_data());
  const Memory from_b(b, engine, (half ? wide_b : o.b).host_data());
  const Memory to_c(c, engine, o.c.host_data());
  const Step step = [=, stream = dnnl::stream(engine)]() mutable {
    if (half) {
      clang_from_half(o.a.host_data_as<uint16_t>(), wide_a.host_data_as<float>(), p.m * p.k);
      clang_from_half(o.b.host_data_as<uint16_t>(), wide_b.host_data_as<float>(), p.k * p.n);
    }
    multiply.execute(stream,
                     {{DNNL_ARG_SRC, from_a}, {DNNL_ARG_WEIGHTS, from_b}, {DNNL_ARG_DST, to_c}});
    stream.wait();
  };
  step();
  check(p, o.c);
  return step;
}

#endif

}  // namespace

void register_products() {
  for (const Product& p : products()) {
    const Work work = Work::flops(p.operations());
    add_benchmark(p.name() + "/tritonrt", work, [=] { return prepare_tritonrt(p); });
#ifdef TRITONRT_BENCH_ONEDNN
    add_benchmark(p.name() + "/onednn", work, [=] { return prepare_onednn(p); });
#endif
  }
}

}  // namespace tritonrt::bench
