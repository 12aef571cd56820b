// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The OpenCL driver, on the first device there is; skipped where there is none.

#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <numeric>
#include <thread>
#include <vector>

#include "tests/unit/api/fixture.h"

namespace tritonrt {
namespace {

class OpenClTest : public ApiTest {
 protected:
  void SetUp() override {
    for (const DeviceInfo& info : Device::list())
      if (info.name == "opencl:0") device_ = Device::open("opencl");
    if (!device_) GTEST_SKIP() << "no OpenCL device";
  }
  void check_add(const Kernel& add) {
    std::vector<float> x(1000), y(1000, 0.5f), sum(1000);
    std::iota(x.begin(), x.end(), 0.0f);
    Stream stream(device_);
    Buffer bx = Buffer::from_host(device_, x.data(), 4000);
    Buffer by = Buffer::from_host(device_, y.data(), 4000);
    Buffer out(device_, 4064);
    add.launch(stream, {4}, bx, by, Arg(out, 64), 1000);
    out.copy_to_host(sum.data(), 4000, 64);
    for (int i = 0; i < 1000; ++i) ASSERT_EQ(sum[i], i + 0.5f);
  }
  Device device_;
};

TEST_F(OpenClTest, TellsAboutItself) {
  const DeviceInfo& info = device_.info();
  EXPECT_EQ(info.name, "opencl:0");
  EXPECT_FALSE(info.platform.empty());
  EXPECT_GE(info.compute_units, 1u);
  EXPECT_NE(device_.target().find("backend=opencl\n"), std::string::npos);
  EXPECT_EQ(Device::open("opencl:0"), device_);
  EXPECT_EQ(Device::open("opencl:" + info.platform.substr(0, 8)).info().platform, info.platform);
  DeviceOptions changed;
  changed.mapping = info.mapping == Mapping::kSimt ? Mapping::kVector : Mapping::kSimt;
  const Device other = Device::open("opencl", changed);
  EXPECT_EQ(other.info().mapping, changed.mapping);
  EXPECT_NE(other.target(), device_.target());
  EXPECT_EQ(error_of([] { Device::open("opencl:999"); }).code(), ErrorCode::kNotFound);
  EXPECT_EQ(error_of([] { Device::open("opencl:no such thing"); }).code(), ErrorCode::kNotFound);
}

TEST_F(OpenClTest, RunsFromSourceAndThenFromItsBinary) {
  EXPECT_TRUE(kernel("add").prepare(device_).compiled);
  check_add(kernel("add"));
  fresh_process();
  const Kernel again = kernel("add");
  const PrepareResult result = again.prepare(device_);
  EXPECT_FALSE(result.compiled);
  check_add(again);
}

TEST_F(OpenClTest, BoundLaunchesChangeOneArgument) {
  Stream stream(device_);
  Buffer a(device_, 64);
  Buffer b(device_, 64);
  BoundKernel store = kernel("store").bind(device_, a, 1, 2, 3);
  store.launch(stream, {4});
  store.set_arg(1, 10);
  store.set_arg(0, Arg(b, 16));
  store.launch(stream, {4});
  stream.synchronize();
  int got[16];
  a.copy_to_host(got, 64);
  EXPECT_EQ(got[3], 9);
  b.copy_to_host(got, 64);
  EXPECT_EQ(got[7], 18);
}

// The form that NVIDIA's driver launches fastest, on whatever device is there.
class PackedArgumentsTest : public OpenClTest {
 protected:
  static CompileOptions packed() {
    CompileOptions options;
    options.extra["target.arguments"] = "struct";
    return options;
  }
};

TEST_F(PackedArgumentsTest, LaunchesSlicesOffsetsAndBoundChanges) {
  check_add(kernel("add", packed()));
  const Kernel store = kernel("store", packed());
  Stream stream(device_);
  Buffer a(device_, 256);
  const Buffer slice = a.slice(64, 128);
  EXPECT_EQ(slice.device_address(), a.device_address() + 64);
  int got[64];
  store.launch(stream, {4}, a, 1, 2, 3);
  store.launch(stream, {4}, Arg(slice, 64), 10, 2, 3);
  BoundKernel bound = store.bind(device_, slice, 20, 2, 3);
  bound.launch(stream, {4});
  bound.set_arg(0, Arg(a, 240));
  bound.set_arg(1, 30);
  bound.launch(stream, {4});
  bound.launch(stream, {2});
  stream.synchronize();
  a.copy_to_host(got, 256);
  EXPECT_EQ(got[3], 9);
  EXPECT_EQ(got[32 + 3], 18);
  EXPECT_EQ(got[16 + 3], 28);
  EXPECT_EQ(got[60 + 3], 38);
}

TEST_F(PackedArgumentsTest, MemoryLivesUntilItsWorkHasRun) {
  // Straight from the driver: each buffer's memory object goes with it.
  const auto before = device_.memory_resource();
  device_.set_memory_resource(device_.memory_upstream());
  const Kernel store = kernel("store", packed());
  store.prepare(device_);
  constexpr unsigned kPrograms = 1u << 16;
  std::vector<int> got(kPrograms);
  Buffer result(device_, kPrograms * 4);
  for (int round = 0; round < 20; ++round) {
    Stream stream(device_);
    {
      Buffer passing(device_, kPrograms * 4);
      store.launch(stream, {kPrograms}, passing, round, 0, 0);
      result.copy_from(stream, passing, kPrograms * 4);
      store.launch(stream, {kPrograms}, passing, -1, 0, 0);
    }
    Buffer other(device_, kPrograms * 4);
    Stream another(device_);
    store.launch(another, {kPrograms}, other, 7, 0, 0);
    stream.synchronize();
    result.copy_to_host(got.data(), got.size() * 4);
    ASSERT_EQ(got[kPrograms - 1], round + static_cast<int>(kPrograms) - 1);
    other.copy_to_host(got.data(), got.size() * 4);
    for (unsigned i = 0; i < kPrograms; i += 1021) ASSERT_EQ(got[i], 7 + static_cast<int>(i));
  }
  device_.set_memory_resource(before);
}

// Host copies wait for all work of the device, so threads wait for each other's streams too.
TEST_F(OpenClTest, ThreadsThatWaitForAllWorkTakeNoneOfAnothersWaits) {
  const Kernel add = kernel("add");
  add.prepare(device_);
  std::vector<std::thread> threads;
  std::atomic<int> wrong{0};
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      Stream stream(device_);
      std::vector<float> x(1000, static_cast<float>(t)), sum(1000);
      for (int round = 0; round < 100; ++round) {
        Buffer bx = Buffer::from_host(device_, x.data(), 4000);
        Buffer out(device_, 4000);
        add.launch(stream, {4}, bx, bx, out, 1000);
        stream.synchronize();
        out.copy_to_host(sum.data(), 4000);
        for (const float value : sum) wrong += value != 2.0f * static_cast<float>(t);
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

TEST_F(OpenClTest, CopiesFillsAndEvents) {
  StreamOptions timing;
  timing.timing = true;
  Stream stream(device_, timing);
  Buffer a(device_, 4096);
  Buffer b(device_, 4096);
  const int pattern = 0x01020304;
  const Event start = stream.record();
  a.fill(stream, &pattern, 4, 4096);
  b.copy_from(stream, a, 1024, 0, 1024);
  const Event end = stream.record();
  stream.synchronize();
  int got[256];
  b.copy_to_host(got, 1024, 1024);
  EXPECT_EQ(got[255], pattern);
  EXPECT_TRUE(end.is_complete());
  EXPECT_GE(end.elapsed_ms(start), 0.0);
  end.synchronize(std::chrono::seconds(10));
  stream.synchronize(std::chrono::seconds(10));
  Stream other(device_);
  other.wait(end);
  other.synchronize();
  EXPECT_EQ(a.host_data(), nullptr);
}

TEST_F(OpenClTest, BuffersOfAnotherDeviceAreErrorsThatNameBoth) {
  Stream stream(device_);
  Buffer here(device_, 64);
  Buffer there(cpu_, 64);
  const std::string message =
      error_of([&] { kernel("store").launch(stream, {1}, there, 1, 2, 3); }).message();
  EXPECT_NE(message.find("argument 0 (out): the buffer is on device 'cpu'"), std::string::npos);
  EXPECT_NE(message.find("the launch on 'opencl:0'"), std::string::npos);
  int host = 0;
  EXPECT_NE(error_of([&] { kernel("store").launch(stream, {1}, Arg::host(&host, 1), 1, 2, 3); })
                .message()
                .find("takes buffers, not host pointers"),
            std::string::npos);
  EXPECT_THROW(Buffer::wrap_host(device_, &host, 4), Error);
  Stream cpu_stream(cpu_);
  EXPECT_THROW(here.copy_to_host(cpu_stream, &host, 4), Error);
}

TEST_F(OpenClTest, AChildOfForkIsToldThatTheDeviceIsGone) {
  const pid_t child = fork();
  if (child == 0) {
    int refused = 0;
    for (const auto& use :
         {+[](const Device& d) { Buffer(d, 64); }, +[](const Device& d) { Stream{d}; },
          +[](const Device&) { Device::open("opencl"); }}) {
      try {
        use(device_);
      } catch (const Error& error) {
        refused += error.message().find("fork") != std::string::npos;
      }
    }
    _exit(refused == 3 ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  Buffer(device_, 64);  // the parent goes on
}

TEST_F(OpenClTest, TheDriversLogIsInTheError) {
  const Error error = error_of([&] { kernel("refused").prepare(device_); });
  EXPECT_EQ(error.code(), ErrorCode::kCompileFailed);
  EXPECT_NE(error.message().find("refuses it: CL_BUILD_PROGRAM_FAILURE"), std::string::npos);
  EXPECT_NE(error.message().find("this"), std::string::npos);
}

TEST_F(OpenClTest, ARefusedBinaryIsRebuiltFromSource) {
  kernel("add").prepare(device_);
  // Another cache, that holds the artifact with a broken binary, cannot be made from here; a
  // broken file is: its checksum fails and it is compiled again.
  ASSERT_EQ(std::system(("for f in " + folder_ + "/*/*.trt; do truncate -s -9 $f; done").c_str()),
            0);
  fresh_process();
  const Kernel again = kernel("add");
  EXPECT_TRUE(again.prepare(device_).compiled);
  check_add(again);
}

}  // namespace
}  // namespace tritonrt
