// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a new process waits for its first result, its kernel being in the cache folder.
#include <stdlib.h>
#include <time.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <stdexcept>
#include <string>

#include "bench/groups.h"
#include "bench/kernel_texts.h"
#include "bench/problem.h"

namespace tritonrt::bench {
namespace {

constexpr int kElements = 4096;

double ms_of(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) * 1e-6;
}

void time_first_launch(benchmark::State& state) {
  std::string folder = (std::filesystem::temp_directory_path() / "tritonrt-bench-XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr) throw std::runtime_error("cannot make " + folder);
  const std::string self = std::filesystem::read_symlink("/proc/self/exe").string();
  const std::string command = "TRITONRT_CACHE_DIR='" + folder + "' '" + self + "' " + kFirstLaunch;
  double cpu = 0;
  const auto run = [&] {
    std::array<char, 256> line{};
    FILE* output = popen(command.c_str(), "r");
    const bool read = output != nullptr && fgets(line.data(), line.size(), output) != nullptr;
    double wall = 0;
    int compiled = 0;
    if (output == nullptr || pclose(output) != 0 || !read ||
        sscanf(line.data(), "%lf %lf %d", &wall, &cpu, &compiled) != 3)
      throw std::runtime_error("the process that was started failed");
    if (compiled != 0 && state.iterations() != 0) throw std::runtime_error("it compiled");
    return wall;
  };
  run();  // fills the folder
  double cpu_sum = 0;
  for (auto _ : state) {
    state.SetIterationTime(run() * 1e-3);
    cpu_sum += cpu;
  }
  state.counters["cpu_ms"] = benchmark::Counter(cpu_sum, benchmark::Counter::kAvgIterations);
  std::error_code ignored;
  std::filesystem::remove_all(folder, ignored);
}

}  // namespace

int first_launch() {
  const double wall = ms_of(CLOCK_MONOTONIC);
  const double cpu = ms_of(CLOCK_PROCESS_CPUTIME_ID);
  const Device device = Device::open("cpu");
  Stream stream(device);
  const Kernel kernel = Kernel::from_source(kVectorAddText);
  const Buffer x = input_buffer(device, 0, kElements);
  const Buffer y = input_buffer(device, 1, kElements);
  const Buffer out = output_buffer(device, kElements);
  kernel.launch(stream, {kElements / 1024}, x, y, out, std::int32_t{kElements});
  stream.synchronize();
  std::printf("%f %f %d\n", ms_of(CLOCK_MONOTONIC) - wall, ms_of(CLOCK_PROCESS_CPUTIME_ID) - cpu,
              static_cast<int>(cache_stats().compiles));
  float last = 0;
  out.copy_to_host(&last, sizeof(last), (kElements - 1) * sizeof(float));
  return last == input_value(0, kElements - 1) + input_value(1, kElements - 1) ? 0 : 1;
}

void register_first_launch() {
  benchmark::RegisterBenchmark("lookup/cpu/first_launch/tritonrt",
                               [](benchmark::State& state) {
                                 try {
                                   time_first_launch(state);
                                 } catch (const std::exception& error) {
                                   state.SkipWithError(error.what());
                                 }
                               })
      ->UseManualTime()
      ->Iterations(20);
}

}  // namespace tritonrt::bench
