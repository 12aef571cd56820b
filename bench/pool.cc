// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Allocations and releases replayed from a log: the pool, and what it saves.
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/groups.h"
#include "bench/problem.h"
#ifdef TRITONRT_BENCH_OPENCL
#include "bench/opencl_peer.h"
#endif

namespace tritonrt::bench {
namespace {

struct Call {
  bool allocate;
  uint32_t id;
  size_t size;
};

// What a model with layers asks for: each layer takes a few activations of sizes that recur, and
// scratch that it gives back at once; activations live until the backward pass gives them back in
// reverse. From a fixed seed: the same log on every machine.
std::vector<Call> make_log() {
  constexpr size_t kSizes[] = {512, 4096, 6000, 65536, 100000, 262144, 1u << 20, 3u << 20};
  constexpr uint32_t kLayers = 256;
  std::mt19937 random(1);
  std::vector<Call> log;
  std::vector<std::pair<uint32_t, size_t>> living;
  uint32_t next = 0;
  const auto take = [&](size_t size) {
    log.push_back({true, next, size});
    return next++;
  };
  for (uint32_t layer = 0; layer < kLayers; ++layer) {
    for (int i = 0; i < 4; ++i) {
      const size_t size = kSizes[random() % std::size(kSizes)];
      const uint32_t scratch = take(kSizes[random() % std::size(kSizes)]);
      living.emplace_back(take(size), size);
      log.push_back({false, scratch, 0});
    }
    // Every few layers a part of the activations goes.
    if (layer % 8 != 7) continue;
    for (int i = 0; i < 32; ++i) {
      log.push_back({false, living.back().first, 0});
      living.pop_back();
    }
  }
  for (; !living.empty(); living.pop_back()) log.push_back({false, living.back().first, 0});
  return log;
}

// Replays the log with blocks that `allocate` makes and `release` takes.
template <typename Block, typename Allocate, typename Release>
Step replayed(Allocate allocate, Release release) {
  const auto log = std::make_shared<const std::vector<Call>>(make_log());
  size_t blocks = 0;
  for (const Call& call : *log) blocks += call.allocate;
  const auto held = std::make_shared<std::vector<Block>>(blocks);
  const Step step = [=] {
    for (const Call& call : *log) {
      if (call.allocate)
        (*held)[call.id] = allocate(call.size);
      else
        release((*held)[call.id]);
    }
  };
  step();
  return step;
}

Step pool_step(const std::string& name) {
  const Device device = Device::open(name);
  const std::shared_ptr<MemoryResource> pool = device.memory_resource();
  Step step = replayed<MemoryBlock>(
      [device, pool](size_t size) {
        MemoryBlock block = pool->allocate(size);
        if (block.size < size) throw std::runtime_error("a block is too small");
        return block;
      },
      [pool](const MemoryBlock& block) { pool->release(block); });
  const MemoryStats stats = device.memory_stats();
  if (stats.allocations != stats.releases) throw std::runtime_error("blocks were lost");
  return step;
}

Step malloc_step() {
  return replayed<void*>(
      [](size_t size) {
        void* block = std::malloc(size);
        benchmark::DoNotOptimize(block);
        return block;
      },
      [](void* block) { std::free(block); });
}

#ifdef TRITONRT_BENCH_OPENCL
Step raw_step() {
  const cl::Context context = opencl_peer(PeerDevice::kFirst).context;
  return replayed<cl::Buffer>(
      [context](size_t size) { return cl::Buffer(context, CL_MEM_READ_WRITE, size); },
      [](cl::Buffer& block) { block = cl::Buffer(); });
}
#endif

}  // namespace

void register_pool() {
  add_benchmark("pool/cpu/REPLAY/tritonrt", Work(), [] { return pool_step("cpu"); });
  add_benchmark("pool/cpu/REPLAY/malloc", Work(), malloc_step);
  add_benchmark("pool/opencl/REPLAY/tritonrt", Work(), [] { return pool_step("opencl"); });
#ifdef TRITONRT_BENCH_OPENCL
  add_benchmark("pool/opencl/REPLAY/raw", Work(), raw_step);
#endif
}

}  // namespace tritonrt::bench
