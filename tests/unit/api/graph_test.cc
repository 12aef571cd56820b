// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>
#include <vector>

#include "tests/unit/api/fixture.h"

namespace tritonrt {
namespace {

using std::chrono::milliseconds;

class GraphTest : public OnDevice {};

TEST_P(GraphTest, ReplaysLaunchesCopiesAndFillsInOrder) {
  Stream stream(device_);
  Buffer a(device_, 64);
  Buffer b(device_, 64);
  int source[4] = {1, 2, 3, 4};
  int target[16] = {};
  const int pattern = -7;
  Graph graph(device_);
  EXPECT_EQ(graph.fill(a, &pattern, 4, 64), 0u);
  EXPECT_EQ(graph.launch(kernel("store"), {4}, a, 10, 20, 30), 1u);
  graph.copy(b, a, 64);
  graph.copy_from_host(b, source, 16, 32);
  graph.copy_to_host(b, target, 64);
  graph.copy_to_host(b, target, 0);
  EXPECT_EQ(graph.size(), 6u);
  for (int round = 0; round < 3; ++round) {
    source[0] = round;
    graph.replay(stream);
    stream.synchronize();
    EXPECT_EQ(target[0], 60);
    EXPECT_EQ(target[3], 63);
    EXPECT_EQ(target[4], -7);
    EXPECT_EQ(target[8], round);
    EXPECT_EQ(target[11], 4);
    EXPECT_EQ(target[15], -7);
  }
}

TEST_P(GraphTest, ArgumentsAndGridsChangeBetweenReplays) {
  Stream stream(device_);
  Buffer a(device_, 64);
  Buffer b(device_, 64);
  const int zero = 0;
  a.fill(&zero, 4, 64);
  b.fill(&zero, 4, 64);
  Graph graph(device_);
  const std::size_t step = graph.launch(kernel("store"), {2}, a, 1, 0, 0);
  graph.replay(stream);
  graph.set_arg(step, 1, 100);
  graph.set_arg(step, 0, Arg(b, 16));
  graph.set_grid(step, {3});
  graph.replay(stream);
  stream.synchronize();
  int got[16];
  a.copy_to_host(got, 64);
  EXPECT_EQ(got[1], 2);
  EXPECT_EQ(got[2], 0);
  b.copy_to_host(got, 64);
  EXPECT_EQ(got[3], 0);
  EXPECT_EQ(got[6], 102);
  EXPECT_EQ(error_of([&] { graph.set_arg(7, 0, a); }).message(),
            "step 7 of the graph is no launch");
  EXPECT_THROW(graph.set_arg(step, 9, a), Error);
  EXPECT_THROW(graph.set_arg(step, 1, 1.0f), Error);
}

TEST_P(GraphTest, WhatIsWrongIsFoundWhileRecording) {
  Graph graph(device_);
  Buffer a(device_, 64);
  int host[2];
  EXPECT_THROW(graph.launch(kernel("store"), {1}, a), Error);
  EXPECT_THROW(graph.launch(kernel("store"), {0}, a, 1, 2, 3), Error);
  EXPECT_THROW(graph.copy_to_host(a, host, 8, 60), Error);
  EXPECT_THROW(graph.fill(a, host, 3, 6), Error);
  EXPECT_EQ(graph.size(), 0u);
  Stream stream(device_);
  graph.replay(stream);  // of nothing
  EXPECT_THROW(Graph().replay(stream), Error);
}

INSTANTIATE_TEST_SUITE_P(Devices, GraphTest, ::testing::Values("cpu", "opencl"),
                         [](const auto& info) { return std::string(info.param); });

using CpuGraphTest = ApiTest;

TEST_F(CpuGraphTest, WaitsItsTurnBehindALargeLaunchAndMayGoBeforeItsWork) {
  Stream stream(cpu_);
  Buffer flag(cpu_, 64);
  Buffer out(cpu_, 64);
  Buffer counter(cpu_, 8);
  flag.fill("\0", 1, 64);
  out.fill("\0", 1, 64);
  counter.fill("\0", 1, 8);
  kernel("gated").launch(stream, {1}, flag, out);
  {
    Graph graph(cpu_);
    graph.launch(kernel("store"), {1}, counter, 5, 0, 0);
    graph.launch(kernel("slow"), {3}, counter);  // large: a job of its own
    const std::size_t last = graph.launch(kernel("count"), {1}, counter);
    graph.replay(stream);
    graph.set_grid(last, {50});  // not for the replay that is queued
  }
  EXPECT_FALSE(stream.is_idle());
  EXPECT_EQ(*counter.host_data_as<std::int64_t>(), 0);
  __atomic_store_n(flag.host_data_as<int>(), 1, __ATOMIC_RELEASE);
  stream.synchronize();
  EXPECT_EQ(*counter.host_data_as<std::int64_t>(), 5 + 3 + 1);
}

TEST_F(CpuGraphTest, BuffersOfAnotherDeviceAreErrorsThatNameBoth) {
  Device other;
  try {
    other = Device::open("opencl");
  } catch (const Error&) {
    GTEST_SKIP() << "no OpenCL device";
  }
  Graph graph(cpu_);
  Buffer there(other, 64);
  const std::string launch =
      error_of([&] { graph.launch(kernel("store"), {1}, there, 1, 2, 3); }).message();
  EXPECT_NE(launch.find("'opencl:0'"), std::string::npos) << launch;
  EXPECT_NE(launch.find("'cpu'"), std::string::npos) << launch;
  const std::string copy = error_of([&] { graph.copy_to_host(there, &other, 4); }).message();
  EXPECT_EQ(copy, "the buffer is of device 'opencl:0', the graph of 'cpu'");
  Stream stream(other);
  EXPECT_EQ(error_of([&] { graph.replay(stream); }).message(),
            "the graph is of device 'cpu', the stream of 'opencl:0'");
}

// Host functions and events across devices.
class OrderTest : public OnDevice {};

TEST_P(OrderTest, HostFunctionsRunInTheStreamsOrderOnAnotherThread) {
  Stream stream(device_);
  Buffer a(device_, 64);
  std::atomic<int> seen{0};
  std::atomic<bool> open{false};
  std::thread::id thread;
  kernel("store").launch(stream, {1}, a, 1, 0, 0);
  stream.call([&] {
    while (!open) std::this_thread::yield();
    thread = std::this_thread::get_id();
    seen = 1;
  });
  int got = 0;
  kernel("store").launch(stream, {1}, a, 2, 0, 0);
  a.copy_to_host(stream, &got, 4);
  EXPECT_EQ(got, 0);
  EXPECT_FALSE(stream.is_idle());
  open = true;
  stream.synchronize();
  EXPECT_EQ(seen, 1);
  EXPECT_EQ(got, 2);
  EXPECT_NE(thread, std::this_thread::get_id());
  EXPECT_THROW(stream.call(nullptr), Error);
}

TEST_P(OrderTest, WhatAHostFunctionThrowsIsTheStreamsErrorOnce) {
  Stream stream(device_);
  stream.call([] { throw Error(ErrorCode::kIo, "the disk is full"); });
  EXPECT_EQ(error_of([&] { stream.synchronize(); }).message(), "the disk is full");
  stream.synchronize();
  // It surfaces at the next call, whichever that is.
  stream.call([] { throw std::runtime_error("again"); });
  while (!stream.is_idle()) std::this_thread::yield();
  Buffer a(device_, 64);
  EXPECT_THROW(kernel("store").launch(stream, {1}, a, 2, 0, 0), std::runtime_error);
  kernel("store").launch(stream, {1}, a, 2, 0, 0);
  stream.synchronize();
}

TEST_P(OrderTest, AStreamWaitsForAnotherDevicesEvent) {
  Stream here(device_);
  Stream there(cpu_);
  Buffer flag(cpu_, 64);
  Buffer out(cpu_, 64);
  Buffer a(device_, 64);
  flag.fill("\0", 1, 64);
  const int before = 5;
  a.fill(&before, 4, 64);
  kernel("gated").launch(there, {1}, flag, out);
  here.wait(there.record());
  kernel("store").launch(here, {1}, a, 77, 0, 0);
  const Event done = here.record();
  there.wait(done);  // and back
  EXPECT_FALSE(done.is_complete());
  std::this_thread::sleep_for(milliseconds(5));
  EXPECT_FALSE(done.is_complete());
  __atomic_store_n(flag.host_data_as<int>(), 1, __ATOMIC_RELEASE);
  there.synchronize();
  EXPECT_TRUE(done.is_complete());
  here.synchronize();
  int got = 0;
  a.copy_to_host(&got, 4);
  EXPECT_EQ(got, 77);
}

INSTANTIATE_TEST_SUITE_P(Devices, OrderTest, ::testing::Values("cpu", "opencl"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace tritonrt
