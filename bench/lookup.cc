// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What it costs to come by a kernel that has been compiled before.
#include <stdlib.h>

#include <filesystem>
#include <stdexcept>
#include <string>

#include "bench/groups.h"
#include "bench/kernel_texts.h"
#include "bench/problem.h"

namespace tritonrt::bench {
namespace {

constexpr size_t kTextBytes = 10 << 10;

// A kernel's text made as long as usual ones are by comments, which count as input like the rest.
std::string long_text() {
  std::string text = kVectorAddText;
  while (text.size() < kTextBytes)
    text += "// " + std::string(std::min<size_t>(76, kTextBytes - text.size()), '-') + "\n";
  return text;
}

// A cache folder of its own, for as long as a benchmark runs.
class OwnCache {
 public:
  OwnCache() {
    std::string name = (std::filesystem::temp_directory_path() / "tritonrt-bench-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("cannot make " + name);
    options_.directory = name;
    empty_memory();
  }
  ~OwnCache() {
    set_cache_options({});
    std::error_code ignored;
    std::filesystem::remove_all(*options_.directory, ignored);
  }
  OwnCache(const OwnCache&) = delete;
  OwnCache& operator=(const OwnCache&) = delete;

  void empty_memory() const { set_cache_options(options_); }

 private:
  CacheOptions options_;
};

void expect_cached(const PrepareResult& result) {
  if (result.compiled) throw std::runtime_error("the kernel was compiled, not found");
}

// A kernel that is loaded and has run here.
void time_ready(benchmark::State& state) {
  const OwnCache cache;
  const Device device = Device::open("cpu");
  const Kernel kernel = Kernel::from_source(long_text());
  kernel.prepare(device);
  for (auto _ : state) benchmark::DoNotOptimize(kernel.prepare(device));
  expect_cached(kernel.prepare(device));
}

// From the text of a kernel that another handle holds: what a caller pays who keeps no handles.
void time_source(benchmark::State& state) {
  const OwnCache cache;
  const Device device = Device::open("cpu");
  const std::string text = long_text();
  const Kernel holds = Kernel::from_source(text);
  holds.prepare(device);
  for (auto _ : state) benchmark::DoNotOptimize(Kernel::from_source(text).prepare(device));
  expect_cached(Kernel::from_source(text).prepare(device));
}

// From the folder: nothing in memory, the code is loaded anew.
void time_disk(benchmark::State& state) {
  const OwnCache cache;
  const Device device = Device::open("cpu");
  const std::string text = long_text();
  Kernel::from_source(text).prepare(device);
  for (auto _ : state) {
    state.PauseTiming();
    cache.empty_memory();
    state.ResumeTiming();
    expect_cached(Kernel::from_source(text).prepare(device));
  }
}

}  // namespace

void register_lookup() {
  add_measured("lookup/cpu/ready/tritonrt", time_ready);
  add_measured("lookup/cpu/source10k/tritonrt", time_source);
  add_measured("lookup/cpu/disk/tritonrt", time_disk);
}

}  // namespace tritonrt::bench
