// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels of one launch each on the CPU, beside loops in C: elementwise functions, norms, sums and
// scans of rows, moves and counts.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "bench/clang_peers.h"
#include "bench/groups.h"
#include "bench/kernel_texts.h"
#include "bench/problem.h"

namespace tritonrt::bench {
namespace {

constexpr int64_t kRows = 4096, kCols = 1024, kRowElements = kRows * kCols;
constexpr int64_t kMapped = int64_t{1} << 20, kCounted = int64_t{1} << 22;
constexpr int64_t kWidth = 256, kIndices = 8192, kVocabulary = 32768;
constexpr int64_t kSide = 4096;
constexpr int64_t kBins = 256;
constexpr float kDropped = 0.25f, kEps = 1e-6f;
constexpr int32_t kSeed = 20240607;

using Buffers = std::vector<Buffer>;

// One launch, and the same in C on memory of the same kind.
struct Item {
  std::string name;  // GROUP/cpu/SIZE
  Work work;
  const char* text;
  Grid grid;
  // The memory, filled; the output last.
  std::function<Buffers(const Device&)> memory;
  // What stands after the memory in the kernel's parameters.
  std::vector<Arg> scalars;
  std::function<void(const Buffers&)> peer;
  // Throws where the output is wrong.
  std::function<void(const Buffers&)> check;
};

template <typename T>
const T* data(const Buffer& buffer) {
  return buffer.host_data_as<T>();
}
template <typename T>
T* output(const Buffers& memory) {
  return memory.back().host_data_as<T>();
}

template <typename T>
Buffer numbers(const Device& device, int64_t count, int64_t below) {
  Buffer buffer(device, static_cast<size_t>(count) * sizeof(T));
  T* values = buffer.host_data_as<T>();
  for (int64_t i = 0; i < count; ++i)
    values[i] = static_cast<T>((double{input_value(9, i)} + 1) / 2 * static_cast<double>(below));
  return buffer;
}

Item map_item(const std::string& group, const char* text,
              void (*peer)(const float*, float*, int64_t), double (*expected)(double)) {
  return {group + "/cpu/" + std::to_string(kMapped),
          Work::bytes(2 * kMapped * 4),
          text,
          Grid(kMapped / 1024),
          [](const Device& device) {
            return Buffers{input_buffer(device, 0, kMapped), output_buffer(device, kMapped)};
          },
          {static_cast<int32_t>(kMapped)},
          [peer](const Buffers& m) { peer(data<float>(m[0]), output<float>(m), kMapped); },
          [expected](const Buffers& m) {
            for (int64_t i = 0; i < kMapped; ++i)
              check_value(i, output<float>(m)[i], expected(double{data<float>(m[0])[i]}), 1e-5,
                          1e-6);
          }};
}

double gelu(double x) {
  const double u = 0.7978845608028654 * (x + 0.044715 * x * x * x);
  return x / (1 + std::exp(-2 * u));
}

Item dropout_item(const std::string& group, const char* text, int64_t block,
                  void (*peer)(const float*, float*, int64_t, float, uint32_t)) {
  return {group + "/cpu/" + std::to_string(kCounted),
          Work::bytes(2 * kCounted * 4),
          text,
          Grid(static_cast<uint32_t>(kCounted / block)),
          [](const Device& device) {
            return Buffers{input_buffer(device, 0, kCounted), output_buffer(device, kCounted)};
          },
          {static_cast<int32_t>(kCounted), kDropped, kSeed},
          [peer](const Buffers& m) {
            peer(data<float>(m[0]), output<float>(m), kCounted, kDropped,
                 static_cast<uint32_t>(kSeed));
          },
          [](const Buffers& m) {
            // Each element is kept or not; as many are as chance says, to ten deviations.
            int64_t kept = 0;
            for (int64_t i = 0; i < kCounted; ++i) {
              const float got = output<float>(m)[i];
              if (got == 0) continue;
              ++kept;
              check_value(i, got, double{data<float>(m[0])[i]} / (1 - kDropped), 1e-6, 0);
            }
            check_value(-1, static_cast<float>(kept) / kCounted, 1 - kDropped, 0, 2.2e-3);
          }};
}

// A kernel over rows; `rows_out` numbers are written. `check_row` gets a row and what came of it.
template <typename T>
Item row_item(const std::string& group, const char* text, int64_t written, bool weighted,
              std::vector<Arg> scalars, std::function<void(const Buffers&)> peer,
              std::function<void(int64_t, const float*, const T*)> check_row) {
  return {group + "/cpu/" + std::to_string(kRows) + "x" + std::to_string(kCols),
          Work::bytes((kRowElements + written) * 4),
          text,
          Grid(kRows),
          [=](const Device& device) {
            Buffers memory{input_buffer(device, 0, kRowElements)};
            if (weighted) memory.push_back(input_buffer(device, 1, kCols));
            memory.push_back(output_buffer(device, written));
            return memory;
          },
          std::move(scalars),
          std::move(peer),
          [=](const Buffers& m) {
            for (int64_t row = 0; row < kRows; ++row)
              check_row(row, data<float>(m[0]) + row * kCols,
                        output<T>(m) + row * (written / kRows));
          }};
}

void check_rms_norm(int64_t row, const float* x, const float* got) {
  double squares = 0;
  for (int64_t i = 0; i < kCols; ++i) squares += double{x[i]} * x[i];
  const double rstd = 1 / std::sqrt(squares / kCols + kEps);
  for (int64_t i = 0; i < kCols; ++i)
    check_value(row * kCols + i, got[i], x[i] * rstd * input_value(1, i), 1e-5, 1e-6);
}

void check_softmax(int64_t row, const float* x, const float* got) {
  double sum = 0;
  for (int64_t i = 0; i < kCols; ++i) sum += std::exp(double{x[i]});
  for (int64_t i = 0; i < kCols; ++i)
    check_value(row * kCols + i, got[i], std::exp(double{x[i]}) / sum, 1e-5, 1e-8);
}

void check_sum(int64_t row, const float* x, const float* got) {
  double sum = 0;
  for (int64_t i = 0; i < kCols; ++i) sum += x[i];
  check_value(row, *got, sum, 1e-5, 1e-3);
}

void check_argmax(int64_t row, const float* x, const int32_t* got) {
  const auto best = std::max_element(x, x + kCols) - x;
  check_value(row, static_cast<float>(*got), static_cast<double>(best), 0, 0);
}

void check_cumsum(int64_t row, const float* x, const float* got) {
  double sum = 0;
  for (int64_t i = 0; i < kCols; ++i)
    check_value(row * kCols + i, got[i], sum += double{x[i]}, 1e-5, 2e-4);
}

std::vector<Item> row_items() {
  const auto cols = static_cast<int32_t>(kCols);
  return {
      row_item<float>(
          "rmsnorm", kRmsNorm1024Text, kRowElements, true, {cols, cols, kEps},
          [](const Buffers& m) {
            clang_rms_norm(data<float>(m[0]), data<float>(m[1]), output<float>(m), kRows, kCols,
                           kEps);
          },
          check_rms_norm),
      row_item<float>(
          "softmax_online", kSoftmaxOnline1024Text, kRowElements, false, {cols, cols, cols},
          [](const Buffers& m) {
            clang_softmax(data<float>(m[0]), output<float>(m), kRows, kCols);
          },
          check_softmax),
      row_item<float>(
          "rowsum", kRowSum1024Text, kRows, false, {cols, cols},
          [](const Buffers& m) {
            clang_row_sum(data<float>(m[0]), output<float>(m), kRows, kCols);
          },
          check_sum),
      row_item<int32_t>(
          "argmax", kRowArgmax1024Text, kRows, false, {cols, cols},
          [](const Buffers& m) {
            clang_argmax(data<float>(m[0]), output<int32_t>(m), kRows, kCols);
          },
          check_argmax),
      row_item<float>(
          "cumsum", kCumsumRows1024Text, kRowElements, false, {cols, cols},
          [](const Buffers& m) { clang_cumsum(data<float>(m[0]), output<float>(m), kRows, kCols); },
          check_cumsum)};
}

Item embedding_item() {
  return {"embedding/cpu/" + std::to_string(kIndices) + "x" + std::to_string(kWidth),
          Work::bytes(kIndices * (8 + 2 * kWidth * 4)),
          kEmbeddingText,
          Grid(kIndices / 8),
          [](const Device& device) {
            return Buffers{numbers<int64_t>(device, kIndices, kVocabulary),
                           input_buffer(device, 0, kVocabulary * kWidth),
                           output_buffer(device, kIndices * kWidth)};
          },
          {static_cast<int32_t>(kIndices), static_cast<int32_t>(kWidth)},
          [](const Buffers& m) {
            clang_embedding(data<int64_t>(m[0]), data<float>(m[1]), output<float>(m), kIndices,
                            kWidth);
          },
          [](const Buffers& m) {
            for (int64_t i = 0; i < kIndices * kWidth; ++i) {
              const int64_t from = data<int64_t>(m[0])[i / kWidth] * kWidth + i % kWidth;
              check_value(i, output<float>(m)[i], double{data<float>(m[1])[from]}, 0, 0);
            }
          }};
}

Item transpose_item() {
  const auto side = static_cast<int32_t>(kSide);
  return {"transpose/cpu/" + std::to_string(kSide),
          Work::bytes(2 * kSide * kSide * 4),
          kTransposeText,
          Grid(kSide / 64, kSide / 64),
          [](const Device& device) {
            return Buffers{input_buffer(device, 0, kSide * kSide),
                           output_buffer(device, kSide * kSide)};
          },
          {side, side},
          [](const Buffers& m) { clang_transpose(data<float>(m[0]), output<float>(m), kSide); },
          [](const Buffers& m) {
            for (int64_t r = 0; r < kSide; ++r)
              for (int64_t c = 0; c < kSide; ++c)
                check_value(c * kSide + r, output<float>(m)[c * kSide + r],
                            double{data<float>(m[0])[r * kSide + c]}, 0, 0);
          }};
}

Item histogram_item(const std::string& group, const char* text) {
  return {
      group + "/cpu/" + std::to_string(kCounted),
      Work::bytes(kCounted * 4),
      text,
      Grid(kCounted / 1024),
      [](const Device& device) {
        Buffers memory{numbers<int32_t>(device, kCounted, kBins), Buffer(device, kBins * 4)};
        memory.back().fill("\0", 1, kBins * 4);
        return memory;
      },
      {static_cast<int32_t>(kCounted)},
      [](const Buffers& m) { clang_histogram(data<int32_t>(m[0]), output<int32_t>(m), kCounted); },
      [](const Buffers& m) {
        std::vector<int32_t> counts(kBins);
        for (int64_t i = 0; i < kCounted; ++i)
          ++counts[static_cast<size_t>(data<int32_t>(m[0])[i])];
        for (int64_t b = 0; b < kBins; ++b)
          check_value(b, static_cast<float>(output<int32_t>(m)[b]),
                      double{static_cast<float>(counts[static_cast<size_t>(b)])}, 0, 0);
      }};
}

Step prepare_tritonrt(const Item& item) {
  const Device device = Device::open("cpu");
  const Buffers memory = item.memory(device);
  std::vector<Arg> arguments(memory.begin(), memory.end());
  arguments.insert(arguments.end(), item.scalars.begin(), item.scalars.end());
  const Step step = kernel_step(device, item.text, item.grid, arguments);
  step();
  item.check(memory);
  return step;
}

Step prepare_clang(const Item& item) {
  const Buffers memory = item.memory(Device::open("cpu"));
  item.peer(memory);
  item.check(memory);
  return [memory, peer = item.peer] { peer(memory); };
}

}  // namespace

void register_kernel_set() {
  std::vector<Item> items = {
      map_item("exp", kExpText, clang_exp, [](double x) { return std::exp(x); }),
      map_item("gelu", kGeluText, clang_gelu, gelu),
      map_item("gelu_libdevice", kGeluLibdeviceText, clang_gelu, gelu),
      dropout_item("dropout", kDropoutText, 1024, clang_dropout),
      dropout_item("dropout4", kDropout4Text, 4096, clang_dropout4),
      embedding_item(),
      transpose_item(),
      histogram_item("histogram_atomic", kHistogramAtomicText),
      histogram_item("histogram_block", kHistogramBlockText)};
  for (Item& item : row_items()) {
    items.push_back(item);
    if (item.name.rfind("rowsum/", 0) != 0) continue;
    // The same sums by programs of 16 rows.
    Item& tile = items.emplace_back(item);
    tile.name.replace(0, 6, "rowsum_tile");
    tile.text = kRowSumTileText;
    tile.grid = Grid(kRows / 16);
    tile.scalars = {static_cast<int32_t>(kCols), static_cast<int32_t>(kRows),
                    static_cast<int32_t>(kCols)};
  }
  for (const Item& item : items) {
    add_benchmark(item.name + "/tritonrt", item.work, [item] { return prepare_tritonrt(item); });
    add_benchmark(item.name + "/clang", item.work, [item] { return prepare_clang(item); });
  }
}

}  // namespace tritonrt::bench
