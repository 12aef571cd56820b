// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <thread>
#include <vector>

#include "tests/unit/api/fixture.h"

namespace tritonrt {
namespace {

class KernelTest : public ApiTest {
 protected:
  // Launches "add" on 1000 elements and checks the sums.
  void add(const Kernel& add) {
    std::vector<float> x(1000), y(1000), sum(1000);
    for (int i = 0; i < 1000; ++i) {
      x[i] = static_cast<float>(i);
      y[i] = 0.5f;
    }
    Stream stream(cpu_);
    Buffer bx = Buffer::from_host(cpu_, x.data(), 4000);
    Buffer by = Buffer::from_host(cpu_, y.data(), 4000);
    Buffer out(cpu_, 4000);
    add.launch(stream, {4}, bx, by, out, 1000);
    stream.synchronize();
    out.copy_to_host(sum.data(), 4000);
    for (int i = 0; i < 1000; ++i) ASSERT_EQ(sum[i], i + 0.5f);
  }
};

TEST_F(KernelTest, CompilesOnceThenIsCached) {
  EXPECT_TRUE(kernel("add").prepare(cpu_).compiled);
  EXPECT_FALSE(kernel("add").prepare(cpu_).compiled);
  EXPECT_EQ(cache_stats().compiles, 1u);
  fresh_process();
  const Kernel again = kernel("add");
  EXPECT_FALSE(again.prepare(cpu_).compiled);
  EXPECT_EQ(cache_stats().compiles, 0u);
  EXPECT_GE(cache_stats().disk_hits, 1u);
  add(again);
}

TEST_F(KernelTest, ACommentChangesTheSourceKeyOnly) {
  EXPECT_TRUE(kernel("add").prepare(cpu_).compiled);
  const Kernel same = Kernel::from_source("# a comment\nkernel add\n");
  EXPECT_FALSE(same.prepare(cpu_).compiled);
  EXPECT_EQ(cache_stats().compiles, 1u);
  add(same);
}

TEST_F(KernelTest, OptionsMakeAnotherArtifact) {
  EXPECT_TRUE(kernel("add").prepare(cpu_).compiled);
  CompileOptions options;
  options.num_warps = 8;
  EXPECT_TRUE(kernel("add", options).prepare(cpu_).compiled);
  options = {};
  options.reference = true;
  EXPECT_TRUE(kernel("add", options).prepare(cpu_).compiled);
  options = {};
  options.extra["fuse"] = "0";
  EXPECT_TRUE(kernel("add", options).prepare(cpu_).compiled);
  options.num_warps = 3;
  EXPECT_THROW(kernel("add", options), Error);
  options = {};
  options.extra["num_warps"] = "4";
  EXPECT_THROW(kernel("add", options), Error);
  options.extra.clear();
  options.extra["a"] = "1\nnum_warps=9";
  EXPECT_THROW(kernel("add", options), Error);
}

TEST_F(KernelTest, SignatureIsReadWithoutADevice) {
  const Kernel add = kernel("add");
  EXPECT_EQ(add.name(), "add");
  ASSERT_EQ(add.signature().size(), 4u);
  EXPECT_EQ(add.signature()[2].name, "out");
  EXPECT_EQ(add.signature()[2].type, "ptr:f32");
  EXPECT_EQ(add.signature()[2].divisibility, 16u);
  EXPECT_TRUE(add.signature()[2].written);
  EXPECT_FALSE(add.signature()[0].written);
  EXPECT_EQ(add.stage(cpu_, "tt"), "add");
  EXPECT_EQ(error_of([&] { add.stage(cpu_, "nothing"); }).message(), "no stage 'nothing'");
}

TEST_F(KernelTest, ErrorsCarryThePosition) {
  const Error error = error_of([&] {
    Kernel::from_source("kernel add\n  tt.nonsense\n", {}, {}, "bad.ttir").prepare(cpu_);
  });
  EXPECT_EQ(error.code(), ErrorCode::kInvalidInput);
  EXPECT_EQ(error.message(), "bad.ttir:2:1: error: unknown op '  tt.nonsense'\nand a note");
  EXPECT_EQ(error_of([&] { Kernel::from_source(""); }).code(), ErrorCode::kInvalidInput);
  EXPECT_EQ(error_of([&] { Kernel::from_file("/no/such.ttir"); }).message(),
            "cannot read '/no/such.ttir': No such file or directory");
  EXPECT_EQ(error_of([&] { Kernel::from_file("/tmp"); }).code(), ErrorCode::kIo);
  EXPECT_EQ(error_of([&] { Kernel::from_source("kernel add\n", {}, "mul").name(); }).message(),
            "no kernel 'mul'; there is 'add'");
}

TEST_F(KernelTest, ARefusedCompilationIsAnErrorEachTimeAndKeepsNothing) {
  CompileOptions options;
  options.extra["fail"] = "1";
  const Kernel bad = kernel("add", options);
  for (int i = 0; i < 2; ++i) {
    const Error error = error_of([&] { bad.prepare(cpu_); });
    EXPECT_EQ(error.code(), ErrorCode::kCompileFailed);
    EXPECT_EQ(error.message(), "k.ttir:4:2: error: math.sin cannot be selected");
  }
  EXPECT_EQ(cache_stats().compiles, 0u);
}

TEST_F(KernelTest, BoundLaunchesChangeOneArgument) {
  Stream stream(cpu_);
  Buffer a(cpu_, 64);
  Buffer b(cpu_, 64);
  BoundKernel store = kernel("store").bind(cpu_, a, 1, 2, 3);
  store.launch(stream, {4});
  EXPECT_EQ(a.host_data_as<int>()[3], 9);
  store.set_arg(1, 10);
  store.launch(stream, {4});
  EXPECT_EQ(a.host_data_as<int>()[3], 18);
  store.set_arg(0, Arg(b, 8));
  store.launch(stream, {4});
  EXPECT_EQ(b.host_data_as<int>()[5], 18);
  EXPECT_EQ(error_of([&] { store.set_arg(1, 1.5f); }).message(),
            "kernel 'store': argument 1 (a): expected i32, got f32");
  EXPECT_EQ(error_of([&] { store.set_arg(4, 1); }).message(),
            "kernel 'store' has no argument 4: it takes 4");
  EXPECT_THROW(BoundKernel().launch(stream, {1}), Error);
}

TEST_F(KernelTest, ABoundLaunchChangesItsVariantWithItsArguments) {
  Stream stream(cpu_);
  Buffer out(cpu_, 64);
  Buffer x(cpu_, 64);
  BoundKernel variant = kernel("variant").bind(cpu_, out, x, 16);
  variant.launch(stream, {2, 3, 4});
  EXPECT_EQ(out.host_data_as<int>()[0], 1);
  EXPECT_EQ(out.host_data_as<int>()[3], 4);
  variant.set_arg(2, 17);
  variant.launch(stream, {1});
  EXPECT_EQ(out.host_data_as<int>()[0], 3);
  variant.set_arg(1, out);
  variant.launch(stream, {1});
  EXPECT_EQ(out.host_data_as<int>()[0], 2);
}

TEST_F(KernelTest, ABoundLaunchKeepsItsBuffers) {
  Stream stream(cpu_);
  BoundKernel store;
  {
    Buffer out(cpu_, 1 << 20);
    store = kernel("store").bind(cpu_, out, 1, 2, 3);
  }
  Buffer other(cpu_, 1 << 20);
  other.fill("\0", 1, 1 << 20);
  store.launch(stream, {1000});
  EXPECT_EQ(other.host_data_as<int>()[0], 0);
}

TEST_F(KernelTest, ManyThreadsCompileOnce) {
  const Kernel shared = kernel("add");
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t)
    threads.emplace_back([&, t] {
      // Half of them share the kernel, half have one of their own.
      add(t % 2 == 0 ? shared : kernel("add"));
      add(kernel("add"));
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(cache_stats().compiles, 1u);
}

TEST_F(KernelTest, KernelsOfOneNameDoNotMeet) {
  // Libraries from memory come and go, and their descriptors' numbers come again.
  Stream stream(cpu_);
  Buffer out(cpu_, 4096);
  for (int i = 0; i < 20; ++i) {
    kernel("store").launch(stream, {1}, out, i, 0, 0);
    stream.synchronize();
    EXPECT_EQ(out.host_data_as<int>()[0], i);
    kernel("scratch").launch(stream, {1}, out);
    stream.synchronize();
    EXPECT_EQ(out.host_data_as<int>()[0], 1);
  }
}

TEST_F(KernelTest, ADamagedCacheIsRecompiled) {
  kernel("add").prepare(cpu_);
  ASSERT_EQ(std::system(("for f in " + folder_ + "/*/*.trt; do truncate -s -1 $f; done").c_str()),
            0);
  fresh_process();
  const Kernel again = kernel("add");
  EXPECT_TRUE(again.prepare(cpu_).compiled);
  EXPECT_GE(cache_stats().corrupt, 1u);
  add(again);
}

TEST_F(KernelTest, ACacheThatCannotBeWrittenIsNoError) {
  CacheOptions options;
  options.directory = "/proc/no/such";
  options.compiler_library = fake_compiler();
  set_cache_options(options);
  add(kernel("add"));
  EXPECT_EQ(cache_stats().compiles, 1u);
  EXPECT_GE(cache_stats().errors, 1u);
}

TEST_F(KernelTest, WithoutTheCompilerTheCacheServes) {
  kernel("add").prepare(cpu_);
  CacheOptions options;
  options.directory = folder_;
  options.compiler_library = "/no/compiler.so";
  set_cache_options(options);
  add(kernel("add"));
  const Error error = error_of([&] { kernel("store").prepare(cpu_); });
  EXPECT_EQ(error.code(), ErrorCode::kNotFound);
  EXPECT_NE(error.message().find("/no/compiler.so"), std::string::npos);
}

}  // namespace
}  // namespace tritonrt
