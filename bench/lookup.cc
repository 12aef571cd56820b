// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What it costs to come by a kernel that has been compiled before.
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <stdexcept>
#include <string>

#include "bench/groups.h"
#include "bench/kernel_texts.h"
#include "bench/problem.h"
#include "cache/bundle_file.h"
#include "cache/cache.h"
#include "compiler/api/kernel_abi.h"

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
  const std::string& folder() const { return *options_.directory; }

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

// From the memory tier by a key that is at hand, among a thousand, from every thread of the
// benchmark at once.
void time_key(benchmark::State& state) {
  static cache::Cache* const tier = [] {
    auto* fresh = new cache::Cache(cache::native_file_system(), {});
    for (std::uint64_t i = 0; i < 1000; ++i) {
      auto entry = std::make_shared<cache::Entry>();
      entry->canonical = {~i * 0x9e3779b97f4a7c15, i};
      fresh->store({i * 0x9e3779b97f4a7c15, i}, std::move(entry));
    }
    return fresh;
  }();
  std::uint64_t i = 0;
  bool found = true;
  for (auto _ : state) {
    i = (i + 7) % 1000;
    found = found && tier->find_source({i * 0x9e3779b97f4a7c15, i}) != nullptr;
  }
  if (!found) state.SkipWithError("a key was not found");
}

// A bundle of `count` kernels for two processors and a GPU, each with contents of its own; what
// they hold matters to nobody who only opens it.
std::string large_bundle(int count) {
  cache::Manifest manifest;
  manifest.kernel_abi = TRITONRT_KERNEL_ABI;
  manifest.compiler = "0123456789abcdef";
  for (const char* target : {"cpu=x86-64-v2", "cpu=x86-64-v3", "device=a GPU"})
    manifest.targets.push_back(
        {target, manifest.keep("arch=x86_64\nbackend=cpu\n" + std::string(target) + "\n")});
  std::map<std::string, std::string> blobs;
  const auto keep = [&](const char* folder, std::string content, const char* suffix) {
    const std::string name = cache::blob_name(folder, content, suffix);
    blobs.emplace(name, std::move(content));
    return manifest.keep(name);
  };
  for (int i = 0; i < count; ++i) {
    const std::string serial = std::to_string(100000 + i);
    cache::ManifestKernel kernel;
    kernel.name = manifest.keep("triton_poi_fused_kernel_" + serial);
    kernel.id = manifest.keep("0123456789" + serial);
    kernel.source = keep("kernels", serial + std::string(4000, 't'), "ttir");
    kernel.options = {
        {"num_stages", "3"}, {"num_warps", "4"}, {"reference", "0"}, {"toolchain", "llvm"}};
    kernel.constexprs = {{"BLOCK_M", "128"}, {"BLOCK_N", "64"}};
    kernel.grid = "cdiv(n, BLOCK_M)";
    for (const char* name : {"in_ptr0", "in_ptr1", "out_ptr0"})
      kernel.parameters.push_back({"ptr:f32", name, 16, name[0] == 'o'});
    kernel.parameters.push_back({"i32", "xnumel", 16, false});
    for (std::size_t target = 0; target < manifest.targets.size(); ++target)
      for (const bool usual : {true, false}) {
        const std::string variant = serial + " " + std::to_string(2 * target + usual);
        kernel.variants.push_back({target,
                                   usual,
                                   usual,
                                   keep("code", variant + std::string(4000, 'c'), "so"),
                                   keep("code", variant + std::string(200, 'm'), "txt"),
                                   {}});
      }
    manifest.kernels.push_back(kernel);
  }
  return cache::make_bundle(manifest, blobs, {});
}

// Opens a bundle of a thousand kernels and finds one of them.
void time_bundle(benchmark::State& state) {
  const OwnCache cache;
  const std::string path = cache.folder() + "/k.trtb";
  std::ofstream(path, std::ios::binary) << large_bundle(1000);
  for (auto _ : state)
    benchmark::DoNotOptimize(Bundle::open(path).kernel("triton_poi_fused_kernel_100700"));
}

}  // namespace

void register_lookup() {
  add_measured("lookup/cpu/ready/tritonrt", time_ready);
  add_measured("lookup/cpu/source10k/tritonrt", time_source);
  add_measured("lookup/cpu/disk/tritonrt", time_disk);
  benchmark::RegisterBenchmark("lookup/cpu/key/tritonrt", time_key);
  benchmark::RegisterBenchmark("lookup/cpu/key4/tritonrt", time_key)->Threads(4);
  add_measured("lookup/cpu/bundle1000/tritonrt", time_bundle);
}

}  // namespace tritonrt::bench
