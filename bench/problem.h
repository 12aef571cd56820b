// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TRITONRT_BENCH_PROBLEM_H_
#define TRITONRT_BENCH_PROBLEM_H_

#include <benchmark/benchmark.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "tritonrt/tritonrt.h"

namespace tritonrt::bench {

// Runs one measured item to its end. Made once for an item, after its memory is filled.
using Step = std::function<void()>;

// What a benchmark runs: allocates and fills memory, checks one result, returns the step to time.
// The step keeps alive what it needs. Throws std::exception with the reason where it cannot run.
using Prepare = std::function<Step()>;

// What a step cannot do without, for the rates that are printed beside its time: bytes of memory
// traffic, or operations on numbers.
struct Work {
  int64_t traffic = 0;
  int64_t operations = 0;

  static Work bytes(int64_t count) { return {count, 0}; }
  static Work flops(int64_t count) { return {0, count}; }
};

// Registers `name` (GROUP/DEVICE/SIZE/WHO), in wall time. Nothing is prepared before the benchmark
// runs, and the memory of one goes before the next is prepared.
void add_benchmark(const std::string& name, Work work, const Prepare& prepare);

// Registers `name` with a function that measures by itself; an exception ends that benchmark alone.
void add_measured(const std::string& name, const std::function<void(benchmark::State&)>& measure);

// A pseudo-random input in [-1, 1), the same for each (array, index).
float input_value(uint32_t array, int64_t index);

// An array on a device that was filled with input values.
Buffer input_buffer(const Device& device, uint32_t array, int64_t count);

// An array on a device full of NaN, so that what is not written is found.
Buffer output_buffer(const Device& device, int64_t count);

// Reads `count` floats of an array from `first` on.
using ReadPiece = std::function<void(int64_t first, int64_t count, float* target)>;
ReadPiece reader(const Buffer& buffer);

// The elements that a large array is filled and checked by at a time.
inline constexpr int64_t kPieceElements = int64_t{1} << 20;

// Passes on the `count` elements of an array in consecutive pieces: (first index, values).
void for_each_piece(const ReadPiece& read, int64_t count,
                    const std::function<void(int64_t, const std::vector<float>&)>& use);

// Launches a kernel, bound once, and waits for its end.
Step kernel_step(const Device& device, const char* text, const Grid& grid,
                 const std::vector<Arg>& arguments,
                 const CompileOptions& options = CompileOptions());

// A contiguous matrix of f32. The buffer must outlive it.
TensorDescriptor matrix_descriptor(const Buffer& buffer, int64_t rows, int64_t cols);

// Throws unless |got - expected| <= atol + rtol * |expected|.
void check_value(int64_t index, float got, double expected, double rtol, double atol);

}  // namespace tritonrt::bench

#endif  // TRITONRT_BENCH_PROBLEM_H_
