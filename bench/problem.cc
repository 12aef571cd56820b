// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bench/problem.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <stdexcept>

namespace tritonrt::bench {
namespace {

template <typename Value>
void fill(Buffer& buffer, int64_t count, Value value) {
  std::vector<float> piece;
  for (int64_t first = 0; first < count; first += kPieceElements) {
    piece.resize(static_cast<size_t>(std::min(kPieceElements, count - first)));
    for (size_t i = 0; i < piece.size(); ++i) piece[i] = value(first + static_cast<int64_t>(i));
    buffer.copy_from_host(piece.data(), piece.size() * sizeof(float),
                          static_cast<size_t>(first) * sizeof(float));
  }
}

// The prepared step of `name`, kept over the repeated calls that Google Benchmark makes to find the
// number of iterations.
const Step& prepared(const std::string& name, const Prepare& prepare) {
  static std::string current;
  static Step step;
  if (current != name) {
    step = nullptr;
    current.clear();
    step = prepare();
    current = name;
  }
  return step;
}

}  // namespace

void add_measured(const std::string& name, const std::function<void(benchmark::State&)>& measure) {
  benchmark::RegisterBenchmark(name.c_str(),
                               [measure](benchmark::State& state) {
                                 try {
                                   measure(state);
                                 } catch (const std::exception& error) {
                                   state.SkipWithError(error.what());
                                 }
                               })
      ->UseRealTime()
      ->Unit(benchmark::kNanosecond);
}

void add_benchmark(const std::string& name, Work work, const Prepare& prepare) {
  benchmark::RegisterBenchmark(name.c_str(),
                               [=](benchmark::State& state) {
                                 try {
                                   const Step& step = prepared(name, prepare);
                                   for (auto _ : state) step();
                                 } catch (const std::exception& error) {
                                   state.SkipWithError(error.what());
                                 }
                                 const auto steps = static_cast<int64_t>(state.iterations());
                                 if (work.traffic != 0)
                                   state.SetBytesProcessed(work.traffic * steps);
                                 if (work.operations != 0)
                                   state.counters["FLOP"] = benchmark::Counter(
                                       static_cast<double>(work.operations),
                                       benchmark::Counter::kIsIterationInvariantRate);
                               })
      ->UseRealTime()
      ->Unit(benchmark::kNanosecond);
}

float input_value(uint32_t array, int64_t index) {
  uint64_t z = (static_cast<uint64_t>(index) + 1) * 0x9e3779b97f4a7c15 + array * 0xd1342543de82ef95;
  z = (z ^ (z >> 32)) * 0xbf58476d1ce4e5b9;
  return static_cast<float>(z >> 40) * 0x1p-23f - 1.0f;
}

Buffer input_buffer(const Device& device, uint32_t array, int64_t count) {
  Buffer buffer(device, static_cast<size_t>(count) * sizeof(float));
  fill(buffer, count, [array](int64_t i) { return input_value(array, i); });
  return buffer;
}

Buffer output_buffer(const Device& device, int64_t count) {
  Buffer buffer(device, static_cast<size_t>(count) * sizeof(float));
  fill(buffer, count, [](int64_t) { return std::numeric_limits<float>::quiet_NaN(); });
  return buffer;
}

ReadPiece reader(const Buffer& buffer) {
  return [buffer](int64_t first, int64_t count, float* target) {
    buffer.copy_to_host(target, static_cast<size_t>(count) * sizeof(float),
                        static_cast<size_t>(first) * sizeof(float));
  };
}

void for_each_piece(const ReadPiece& read, int64_t count,
                    const std::function<void(int64_t, const std::vector<float>&)>& use) {
  std::vector<float> values;
  for (int64_t first = 0; first < count; first += kPieceElements) {
    const int64_t piece = std::min(kPieceElements, count - first);
    values.resize(static_cast<size_t>(piece));
    read(first, piece, values.data());
    use(first, values);
  }
}

Step kernel_step(const Device& device, const char* text, const Grid& grid,
                 const std::vector<Arg>& arguments, const CompileOptions& options) {
  const Kernel kernel = Kernel::from_source(text, options);
  auto bound = std::make_shared<BoundKernel>(kernel.bind(device, Span<const Arg>(arguments)));
  return [=, stream = Stream(device)]() mutable {
    bound->launch(stream, grid);
    stream.synchronize();
  };
}

TensorDescriptor matrix_descriptor(const Buffer& buffer, int64_t rows, int64_t cols) {
  TensorDescriptor d;
  d.buffer = &buffer;
  d.dtype = DType::kF32;
  d.rank = 2;
  d.shape[0] = static_cast<int32_t>(rows);
  d.shape[1] = static_cast<int32_t>(cols);
  d.strides[0] = cols;
  d.strides[1] = 1;
  return d;
}

void check_value(int64_t index, float got, double expected, double rtol, double atol) {
  if (std::fabs(got - expected) <= atol + rtol * std::fabs(expected)) return;
  throw std::runtime_error("wrong result: element " + std::to_string(index) + " is " +
                           std::to_string(got) + ", expected " + std::to_string(expected));
}

}  // namespace tritonrt::bench
