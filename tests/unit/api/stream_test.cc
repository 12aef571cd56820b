// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <algorithm>
#include <chrono>
#include <thread>
#include <vector>
#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

#include "tests/unit/api/fixture.h"

namespace tritonrt {
namespace {

using std::chrono::milliseconds;

class StreamTest : public ApiTest {
 protected:
  StreamTest() : before_(cpu_options()) {}
  ~StreamTest() override { set_cpu_options(before_); }
  void threads(unsigned count) {
    CpuOptions options = before_;
    options.threads = count;
    set_cpu_options(options);
  }
  const CpuOptions before_;
};

TEST_F(StreamTest, LargeLaunchesAreAsynchronousAndInOrder) {
  for (const unsigned count : {1u, 2u, 4u}) {
    threads(count);
    Stream stream(cpu_);
    Buffer flag(cpu_, 64);
    Buffer out(cpu_, 64);
    flag.fill("\0", 1, 64);
    out.fill("\0", 1, 64);
    // It comes back although the kernel cannot end before the flag is raised below.
    kernel("gated").launch(stream, {8}, flag, out);
    EXPECT_FALSE(stream.is_idle());
    int got = 0;
    out.copy_to_host(stream, &got, 4, 28);
    const int minus = -1;
    out.fill(stream, &minus, 4, 32);
    const Event end = stream.record();
    EXPECT_FALSE(end.is_complete());
    EXPECT_EQ(got, 0);
    __atomic_store_n(flag.host_data_as<int>(), 1, __ATOMIC_RELEASE);
    stream.synchronize();
    EXPECT_TRUE(end.is_complete());
    EXPECT_TRUE(stream.is_idle());
    EXPECT_EQ(got, 1);
    EXPECT_EQ(out.host_data_as<int>()[7], -1);
  }
}

TEST_F(StreamTest, ASmallLaunchBehindALargeOneWaitsItsTurn) {
  threads(2);
  Stream stream(cpu_);
  Buffer counter(cpu_, 8);
  counter.fill("\0", 1, 8);
  kernel("slow").launch(stream, {10}, counter);
  kernel("store").launch(stream, {1}, counter, 100, 0, 0);
  stream.synchronize();
  EXPECT_EQ(*counter.host_data_as<std::int32_t>(), 100);
}

TEST_F(StreamTest, ASmallLaunchOnAnIdleStreamIsDoneWhenItReturns) {
  Stream stream(cpu_);
  Buffer out(cpu_, 64);
  kernel("store").launch(stream, {4}, out, 1, 2, 3);
  EXPECT_TRUE(stream.is_idle());
  EXPECT_EQ(out.host_data_as<int>()[3], 9);
}

TEST_F(StreamTest, BuffersAndStreamsMayGoBeforeTheirWork) {
  threads(2);
  Buffer counter(cpu_, 8);
  counter.fill("\0", 1, 8);
  const Kernel slow = kernel("slow");
  {
    Stream stream(cpu_);
    slow.launch(stream, {5}, counter);
    Buffer temporary(cpu_, 8);
    slow.launch(stream, {5}, temporary);
    slow.launch(stream, {5}, counter);
  }
  cpu_.synchronize();
  for (int i = 0; i < 1000 && *counter.host_data_as<std::int64_t>() < 10; ++i)
    std::this_thread::sleep_for(milliseconds(1));
  EXPECT_EQ(*counter.host_data_as<std::int64_t>(), 10);
}

TEST_F(StreamTest, StreamsWaitForEachOthersEvents) {
  threads(2);
  Stream first(cpu_);
  Stream second(cpu_);
  Buffer counter(cpu_, 8);
  counter.fill("\0", 1, 8);
  kernel("slow").launch(first, {10}, counter);
  second.wait(first.record());
  std::int64_t got = 0;
  counter.copy_to_host(second, &got, 8);
  second.synchronize();
  EXPECT_EQ(got, 10);
  first.synchronize();
}

TEST_F(StreamTest, EventsTimeAndTimeOut) {
  threads(1);
  Stream stream(cpu_);
  Buffer flag(cpu_, 64);
  Buffer out(cpu_, 64);
  flag.fill("\0", 1, 64);
  const Event start = stream.record();
  kernel("gated").launch(stream, {1}, flag, out);
  const Event end = stream.record();
  EXPECT_EQ(error_of([&] { end.synchronize(milliseconds(5)); }).code(), ErrorCode::kTimeout);
  std::thread opener([&] {
    std::this_thread::sleep_for(milliseconds(20));
    __atomic_store_n(flag.host_data_as<int>(), 1, __ATOMIC_RELEASE);
  });
  // The longest time-out that there is does not lie in the past.
  EXPECT_NO_THROW(end.synchronize(std::chrono::nanoseconds::max()));
  opener.join();
  stream.synchronize(std::chrono::nanoseconds::max());
  EXPECT_GE(end.elapsed_ms(start), 5.0);
  EXPECT_TRUE(Event().is_complete());
}

TEST_F(StreamTest, ATimeOutStopsAWaitingKernelAndNamesTheOp) {
  Stream stream(cpu_);
  Buffer flag(cpu_, 64);
  Buffer out(cpu_, 64);
  flag.fill("\0", 1, 64);
  const Kernel wait = kernel("wait");
  wait.launch(stream, {1}, flag, out);
  const Error error = error_of([&] { stream.synchronize(milliseconds(30)); });
  EXPECT_EQ(error.code(), ErrorCode::kTimeout);
  EXPECT_NE(error.message().find("within 30 ms: kernel 'wait': tt.atomic_cas at line 7"),
            std::string::npos)
      << error.message();
  // The stream goes on.
  __atomic_store_n(flag.host_data_as<int>(), 1, __ATOMIC_RELEASE);
  wait.launch(stream, {2}, flag, out);
  stream.synchronize(milliseconds(5000));
  EXPECT_EQ(out.host_data_as<int>()[1], 1);
}

TEST_F(StreamTest, ProgramsMayWaitForLowerNumberedOnes) {
  for (const unsigned count : {1u, 2u, 4u}) {
    threads(count);
    Stream stream(cpu_);
    Buffer turn(cpu_, 8);
    turn.fill("\0", 1, 8);
    kernel("chain").launch(stream, {200}, turn);
    stream.synchronize();
    EXPECT_EQ(*turn.host_data_as<std::int64_t>(), 200);
  }
}

TEST_F(StreamTest, ShutdownStopsWaitingKernels) {
  Device device = Device::open("cpu");
  Stream stream(device);
  Buffer flag(device, 64);
  flag.fill("\0", 1, 64);
  kernel("wait").launch(stream, {1}, flag, Buffer(device, 64));
  device.shutdown();
  EXPECT_EQ(error_of([&] { stream.synchronize(); }).code(), ErrorCode::kStopped);
}

TEST_F(StreamTest, ScratchIsAlignedAndOfOneThread) {
  threads(2);
  Stream stream(cpu_);
  Buffer out(cpu_, 400);
  kernel("scratch").launch(stream, {100}, out);
  stream.synchronize();
  for (int i = 0; i < 100; ++i) ASSERT_EQ(out.host_data_as<int>()[i], 1);
}

TEST_F(StreamTest, ManyThreadsOnManyStreams) {
  threads(3);
  std::vector<Stream> streams;
  for (int s = 0; s < 4; ++s) streams.emplace_back(cpu_);
  const Kernel store = kernel("store");
  const Kernel slow = kernel("slow");
  std::vector<std::thread> workers;
  for (int t = 0; t < 8; ++t)
    workers.emplace_back([&, t] {
      Stream stream = streams[static_cast<std::size_t>(t % 4)];
      Buffer out(cpu_, 16384 * 4);
      Buffer counter(cpu_, 8);
      counter.fill("\0", 1, 8);
      for (int i = 0; i < 50; ++i) {
        // Small ones run in place, large ones go to the pool.
        const unsigned programs = i % 3 == 0 ? 16384 : 16;
        store.launch(stream, {programs}, out, t, i, 0);
        if (i % 10 == 0) slow.launch(stream, {1}, counter);
        if (i % 7 == 0) stream.synchronize();
      }
      stream.synchronize();
      EXPECT_EQ(out.host_data_as<int>()[15], t + 49 + 15);
      EXPECT_EQ(*counter.host_data_as<std::int64_t>(), 5);
    });
  for (std::thread& worker : workers) worker.join();
}

// With many more threads than processors a launch takes no more than a few times as long.
TEST_F(StreamTest, TooManyThreadsDoNotCollapse) {
  const unsigned processors = std::max(1u, std::thread::hardware_concurrency());
  const Kernel store = kernel("store");
  Buffer out(cpu_, (1u << 18) * 4);
  const auto best_of = [&](unsigned count) {
    threads(count);
    Stream stream(cpu_);
    auto best = std::chrono::nanoseconds::max();
    for (int batch = 0; batch < 8; ++batch) {
      const auto begin = std::chrono::steady_clock::now();
      for (int i = 0; i < 50; ++i) store.launch(stream, {1u << 18}, out, 1, 2, i);
      stream.synchronize();
      best = std::min<std::chrono::nanoseconds>(best, std::chrono::steady_clock::now() - begin);
    }
    EXPECT_EQ(out.host_data_as<int>()[9], 1 + 2 + 49 + 9);
    return best;
  };
  const auto fit = best_of(processors);
  EXPECT_LT(best_of(std::min(64u, 8 * processors)), 8 * fit);
}

TEST_F(StreamTest, LaunchesFromManyThreadsIntoOneStreamDoNotMeet) {
  threads(2);
  Stream stream(cpu_);
  Buffer counter(cpu_, 8);
  counter.fill("\0", 1, 8);
  Buffer other(cpu_, 16384 * 4);
  const Kernel count = kernel("count");
  const Kernel store = kernel("store");
  count.prepare(cpu_);
  store.prepare(cpu_);
  std::vector<std::thread> workers;
  for (int t = 0; t < 4; ++t)
    workers.emplace_back([&, t] {
      for (int i = 0; i < 2000; ++i) {
        count.launch(stream, {1}, counter);
        if (i % 5 == t) store.launch(stream, {9000}, other, 1, 2, 3);
        if (i % 3 == 0) stream.synchronize();
      }
    });
  for (std::thread& worker : workers) worker.join();
  stream.synchronize();
  EXPECT_EQ(*counter.host_data_as<std::int64_t>(), 4 * 2000);
}

#if defined(__x86_64__)
TEST_F(StreamTest, TheFloatingPointStateIsTheCallersBeforeAndAfter) {
  Stream stream(cpu_);
  Buffer out(cpu_, 8);
  const Kernel kernel_float = kernel("float");
  kernel_float.prepare(cpu_);
  const unsigned before = _mm_getcsr();
  _mm_setcsr(0x1f80 | 0x8040 | 0x2000);  // flush to zero, denormals are zero, round down
  const unsigned own = _mm_getcsr();
  kernel_float.launch(stream, {1}, out);
  const unsigned after = _mm_getcsr();
  _mm_setcsr(before);
  EXPECT_EQ(after, own);
  // In the kernel: subnormals are kept, and 1/3 is rounded to nearest.
  EXPECT_NE(out.host_data_as<float>()[0], 0.0f);
  EXPECT_EQ(out.host_data_as<std::uint32_t>()[1], 0x3eaaaaabu);
}
#endif

TEST_F(StreamTest, EmptyHandlesAreErrors) {
  EXPECT_THROW(Stream().synchronize(), Error);
  EXPECT_THROW(Stream{Device()}, Error);
  Stream empty;
  EXPECT_THROW(kernel("store").launch(empty, {1}, 1), Error);
}

}  // namespace
}  // namespace tritonrt
