// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The cache's folder by the number of its entries: finding one, and storing one where another has
// to go for it.
#include <stdlib.h>

#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>

#include "bench/groups.h"
#include "bench/problem.h"
#include "cache/disk_tier.h"

namespace tritonrt::bench {
namespace {

constexpr std::size_t kPayload = 1000;

cache::Key key(std::uint64_t i) { return {(i + 1) * 0x9e3779b97f4a7c15, i}; }

// A folder that is full with `count` entries.
class FullFolder {
 public:
  explicit FullFolder(std::uint64_t count) : count_(count) {
    path_ = (std::filesystem::temp_directory_path() / "tritonrt-bench-XXXXXX").string();
    if (mkdtemp(path_.data()) == nullptr) throw std::runtime_error("cannot make " + path_);
    cache::DiskTier fill(cache::native_file_system(), path_, ~std::uint64_t{0}, counters_);
    for (std::uint64_t i = 0; i < count; ++i) fill.put(key(i), std::string(kPayload, 'x'), false);
    tier_ = std::make_unique<cache::DiskTier>(cache::native_file_system(), path_,
                                              fill.usage().bytes, counters_);
  }
  ~FullFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  FullFolder(const FullFolder&) = delete;
  FullFolder& operator=(const FullFolder&) = delete;

  cache::DiskTier& tier() { return *tier_; }
  std::uint64_t count() const { return count_; }

 private:
  const std::uint64_t count_;
  std::string path_;
  cache::Counters counters_;
  std::unique_ptr<cache::DiskTier> tier_;
};

// The folder of that size: one at a time, for benchmarks run in the order of their sizes.
FullFolder& full_folder(std::uint64_t count) {
  static std::unique_ptr<FullFolder> folder;
  if (folder == nullptr || folder->count() != count) {
    folder.reset();
    folder = std::make_unique<FullFolder>(count);
  }
  return *folder;
}

void time_hit(benchmark::State& state, std::uint64_t count) {
  FullFolder& folder = full_folder(count);
  std::uint64_t i = 0;
  bool found = true;
  for (auto _ : state) found = found && folder.tier().get(key(i++ * 7919 % count)).has_value();
  if (!found) throw std::runtime_error("an entry was not found");
}

void time_store(benchmark::State& state, std::uint64_t count) {
  FullFolder& folder = full_folder(count);
  const std::string payload(kPayload, 'y');
  std::uint64_t i = count;
  for (auto _ : state) folder.tier().put(key(i++), payload, false);
  if (folder.tier().usage().entries > folder.count() + folder.count() / 50)
    throw std::runtime_error("the folder grew beyond its limit");
}

void time_trim(benchmark::State& state, std::uint64_t count) {
  FullFolder& folder = full_folder(count);
  for (auto _ : state) folder.tier().trim(folder.tier().max_bytes() / 2);
  if (folder.tier().usage().entries > count / 2) throw std::runtime_error("it was not trimmed");
}

}  // namespace

void register_cache_folder() {
  for (const std::uint64_t count : {100, 1000, 100000}) {
    const std::string size = std::to_string(count);
    add_measured("folder_hit/cpu/" + size + "/tritonrt",
                 [=](benchmark::State& state) { time_hit(state, count); });
    // Many, for the first ones find every part of the folder full.
    benchmark::RegisterBenchmark(("folder_store/cpu/" + size + "/tritonrt").c_str(),
                                 [=](benchmark::State& state) { time_store(state, count); })
        ->Iterations(1000);
  }
  benchmark::RegisterBenchmark("folder_trim/cpu/100000/tritonrt", [](benchmark::State& state) {
    time_trim(state, 100000);
  })->Iterations(1);
}

}  // namespace tritonrt::bench
