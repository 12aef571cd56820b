// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Handles go in any order, and many threads make and use them at once.

#include <algorithm>
#include <array>
#include <atomic>
#include <functional>
#include <optional>
#include <thread>
#include <vector>

#include "tests/unit/api/fixture.h"

namespace tritonrt {
namespace {

class LifetimeTest : public OnDevice {};
INSTANTIATE_TEST_SUITE_P(Devices, LifetimeTest, ::testing::Values("cpu", "opencl"),
                         [](const auto& info) { return std::string(info.param); });

TEST_P(LifetimeTest, HandlesGoInAnyOrderWithWorkInFlight) {
  std::array<int, 6> order = {0, 1, 2, 3, 4, 5};
  kernel("store").prepare(device_);
  int round = 0;
  do {
    if (++round % 5 != 0) continue;
    std::optional<Stream> stream(std::in_place, device_);
    std::optional<Buffer> buffer(std::in_place, device_, 16384 * 4);
    std::optional<Kernel> store(kernel("store"));
    std::optional<BoundKernel> bound(store->bind(device_, *buffer, 1, 2, 3));
    std::optional<Graph> graph(std::in_place, device_);
    graph->launch(*store, Grid(16), *buffer, 1, 2, 3);
    bound->launch(*stream, {16384});
    store->launch(*stream, {16}, *buffer, 4, 5, 6);
    graph->replay(*stream);
    std::optional<Event> event(stream->record());
    const std::array<std::function<void()>, 6> drops = {
        [&] { stream.reset(); }, [&] { buffer.reset(); }, [&] { store.reset(); },
        [&] { bound.reset(); },  [&] { graph.reset(); },  [&] { event.reset(); }};
    for (const int which : order) drops[static_cast<std::size_t>(which)]();
  } while (std::next_permutation(order.begin(), order.end()));
  device_.synchronize();
}

TEST_P(LifetimeTest, HandlesOutliveAShutDown) {
  Device device = Device::open(GetParam());
  Stream stream(device);
  Buffer buffer(device, 4096);
  const Kernel store = kernel("store");
  BoundKernel bound = store.bind(device, buffer, 1, 2, 3);
  bound.launch(stream, {4});
  device.shutdown();
  device.shutdown();
  EXPECT_THROW(Stream{device}.synchronize(), Error);
  stream.synchronize();
  Device again = Device::open(GetParam());
  Stream fresh(again);
  Buffer out(again, 64);
  int got[4] = {};
  store.launch(fresh, {4}, out, 1, 2, 3);
  out.copy_to_host(got, 16);
  EXPECT_EQ(got[3], 9);
}

// Sources that differ in a comment share an artifact; options make others.
TEST_P(LifetimeTest, EightThreadsCompileAndLaunchOnFourStreams) {
  std::vector<Stream> streams;
  for (int s = 0; s < 4; ++s) streams.emplace_back(device_);
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t)
    threads.emplace_back([&, t] {
      Stream stream = streams[static_cast<std::size_t>(t % 4)];
      for (int i = 0; i < 6; ++i) {
        CompileOptions options;
        options.num_warps = 1 << ((t + i) % 3);
        const std::string comment = "# " + std::to_string(t % 2 == 0 ? i : t) + "\n";
        const Kernel store = Kernel::from_source(comment + "kernel store\n", options);
        Buffer out(device_, 4096 * 4);
        std::vector<int> got(4096);
        store.launch(stream, {4096}, out, t, i, 0);
        out.copy_to_host(stream, got.data(), got.size() * 4);
        stream.synchronize();
        wrong += got[4095] != t + i + 4095;
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace tritonrt
