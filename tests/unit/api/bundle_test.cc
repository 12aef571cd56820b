// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tritonrt/bundle.h"

#include <thread>

#include "tests/unit/api/fixture.h"

namespace tritonrt {
namespace {

class BundleTest : public ApiTest {
 protected:
  static BundleSource source(const std::string& name, const Constexprs& constexprs = {}) {
    BundleSource source;
    source.text = "kernel " + name + "\n";
    source.constexprs = constexprs;
    return source;
  }
  static BundleTarget level(const std::string& name) {
    return {name, "arch=x86_64\nbackend=cpu\ncpu=" + name + "\n", {}};
  }
  Bundle save(const BundleBuilder& builder) {
    return Bundle::open(temp_.write("k.trtb", builder.bytes()).string());
  }
  // From here on there is no compiler.
  void take_compiler_away() {
    CacheOptions options;
    options.directory = folder_ + "/none";
    options.compiler_library = folder_ + "/absent.so";
    set_cache_options(options);
  }
  // Which variant a launch took: 1 disjoint, 2 generic.
  int variant_of(const Kernel& kernel, const Buffer& out, const Buffer& x, int n) {
    Stream stream(cpu_);
    kernel.launch(stream, {1}, out, x, n);
    stream.synchronize();
    return out.host_data_as<int>()[0];
  }
};

TEST_F(BundleTest, ALaunchTakesCodeWhoseConditionsItKeeps) {
  BundleBuilder builder;
  const BundleTarget here{"here", cpu_.target(), {}};
  builder.add(source("variant"), {&here, 1});
  const Bundle bundle = save(builder);
  take_compiler_away();
  const Kernel kernel = bundle.kernel("variant");
  Buffer out(cpu_, 64);
  Buffer x(cpu_, 64);
  EXPECT_EQ(variant_of(kernel, out, x, 16), 1);
  // The one for any arguments serves all the others.
  EXPECT_EQ(variant_of(kernel, out, x, 17), 2);
  EXPECT_EQ(variant_of(kernel, out, out, 16), 2);
  EXPECT_FALSE(kernel.prepare(cpu_).compiled);
  EXPECT_EQ(cache_stats().compiles, 0u);
}

TEST_F(BundleTest, IsFoundByNameAndConstexprs) {
  BundleBuilder builder;
  const BundleTarget here{"here", cpu_.target(), {}};
  builder.add(source("add", {{"BLOCK", "128"}}), {&here, 1});
  builder.add(source("add", {{"BLOCK", "256"}}), {&here, 1});
  builder.add(source("store"), {&here, 1});
  const Bundle bundle = save(builder);
  ASSERT_EQ(bundle.size(), 3u);
  EXPECT_EQ(bundle.kernel("add", {{"BLOCK", "256"}}).name(), "add");
  EXPECT_EQ(bundle.kernel("store").signature().size(), 4u);
  EXPECT_EQ(bundle.kernel(bundle.info(0).id).name(), "add");
  EXPECT_EQ(error_of([&] { bundle.kernel("add"); }).code(), ErrorCode::kInvalidArgument);
  EXPECT_NE(error_of([&] { bundle.kernel("add"); }).message().find("BLOCK=128"), std::string::npos);
  EXPECT_EQ(error_of([&] { bundle.kernel("add", {{"BLOCK", "1"}}); }).code(), ErrorCode::kNotFound);
  EXPECT_EQ(error_of([&] { bundle.kernel("absent"); }).code(), ErrorCode::kNotFound);
  EXPECT_EQ(error_of([&] { bundle.info(3); }).code(), ErrorCode::kInvalidArgument);
  EXPECT_EQ(bundle.find_source("kernel add\n").size(), 2u);
}

TEST_F(BundleTest, TheBestThatFitsIsLoaded) {
  // The code is the same for each: what tells is whether there is any that fits.
  for (const char* name : {"x86-64", "x86-64-v2", "x86-64-v3", "x86-64-v4", "x86-64-v9", "z80"}) {
    fresh_process();
    BundleBuilder builder;
    const BundleTarget target = level(name);
    builder.add(source("store"), {&target, 1});
    const Bundle bundle = save(builder);
    take_compiler_away();
    bool fits = true;
    try {
      bundle.kernel("store").prepare(cpu_);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kNotFound);
      fits = false;
    }
    const std::string mine = cpu_.portable_target();
    const std::string highest = mine.substr(mine.rfind('=') + 1, mine.size() - mine.rfind('=') - 2);
    const std::string level_name = name;
    // Names of levels sort as the levels do, the first of them without a number.
    EXPECT_EQ(fits, level_name <= highest && level_name.rfind("x86-64", 0) == 0) << name;
  }
}

TEST_F(BundleTest, AddingAgainReplacesAndTakingOverKeeps) {
  BundleBuilder first;
  const BundleTarget v2 = level("x86-64-v2");
  first.add(source("store"), {&v2, 1});
  const std::string once = first.bytes();
  first.add(source("store"), {&v2, 1});
  EXPECT_EQ(first.bytes(), once);

  const Bundle bundle = save(first);
  BundleBuilder second;
  const BundleTarget base = level("x86-64");
  second.add(source("store"), {&base, 1});
  second.add(bundle);
  EXPECT_EQ(second.size(), 1u);
  const Bundle both = Bundle::open(temp_.write("both.trtb", second.bytes()).string());
  EXPECT_EQ(both.info(0).variants.size(), 4u);
  EXPECT_EQ(both.targets().size(), 2u);
}

TEST_F(BundleTest, RefusedKernelsLeaveTheBuilderAsItWas) {
  BundleBuilder builder;
  const BundleTarget here{"here", cpu_.target(), {}};
  BundleSource bad = source("store");
  bad.text = "nonsense\n";
  bad.label = "bad.ttir";
  EXPECT_EQ(error_of([&] { builder.add(bad, {&here, 1}); }).code(), ErrorCode::kInvalidInput);
  bad = source("store");
  bad.options.extra["fail"] = "1";
  EXPECT_EQ(error_of([&] { builder.add(bad, {&here, 1}); }).code(), ErrorCode::kCompileFailed);
  EXPECT_EQ(builder.size(), 0u);
}

TEST_F(BundleTest, AKernelOutlivesItsBundleAndThreadsShareIt) {
  BundleBuilder builder;
  const BundleTarget here{"here", cpu_.target(), {}};
  builder.add(source("store"), {&here, 1});
  Kernel kernel = save(builder).kernel("store");
  take_compiler_away();
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t)
    threads.emplace_back([&] {
      Stream stream(cpu_);
      Buffer out(cpu_, 64);
      for (int i = 0; i < 20; ++i) kernel.launch(stream, {1}, out, 1, 2, 3);
      stream.synchronize();
      EXPECT_EQ(out.host_data_as<int>()[0], 6);
    });
  for (std::thread& thread : threads) thread.join();
}

TEST_F(BundleTest, AGridComesWithTheKernel) {
  BundleBuilder builder;
  BundleSource store = source("store", {{"BLOCK", "128"}, {"NAME", "text"}});
  const auto grid_of = [&](const std::string& expression, int a, int b) {
    store.grid = expression;
    builder.add(store, {});
    const Kernel kernel = save(builder).kernel("store");
    const Buffer out(cpu_, 64);
    const Arg args[] = {out, a, b, 7};
    return kernel.grid(args);
  };
  const Grid plain = grid_of("cdiv(a, BLOCK), b*2 ,max(c,1)", 1000, 3);
  EXPECT_EQ(plain.x, 8u);
  EXPECT_EQ(plain.y, 6u);
  EXPECT_EQ(plain.z, 7u);
  EXPECT_EQ(grid_of("triton.cdiv(a, b) - -7 // 2 + (a % 3)", 10, 4).x, 8u);  // 3 - (-7 // 2) + 1
  for (const char* wrong :
       {"a +", "cdiv(a)", "d", "NAME", "out", "a / (b - b)", "a, b, c, a", "0 * a", "(((a)", "-a",
        "9223372036854775807 + a", "99999999999999999999", "a b", "system(a, b)", "$"})
    EXPECT_ANY_THROW(grid_of(wrong, 10, 4)) << wrong;
  EXPECT_ANY_THROW(grid_of(std::string(100000, '(') + "a", 10, 4));
  EXPECT_EQ(error_of([&] { kernel("store").grid({}); }).code(), ErrorCode::kNotFound);
}

TEST_F(BundleTest, EmptyHandlesAreErrors) {
  EXPECT_EQ(error_of([] { Bundle().size(); }).code(), ErrorCode::kInvalidArgument);
  EXPECT_EQ(error_of([] { Bundle::open("/nowhere/k.trtb"); }).code(), ErrorCode::kNotFound);
  BundleBuilder builder;
  EXPECT_EQ(error_of([&] { builder.add(Bundle()); }).code(), ErrorCode::kInvalidArgument);
}

TEST_F(BundleTest, TheLogHearsOnceOfAFolderThatCannotBeUsed) {
  std::vector<std::string> heard;
  set_log_handler([&](const std::string& message) { heard.push_back(message); });
  CacheOptions options;
  options.directory = "/proc/nowhere";
  options.compiler_library = fake_compiler();
  set_cache_options(options);
  for (const char* name : {"store", "add"}) kernel(name).prepare(cpu_);
  set_log_handler({});
  ASSERT_EQ(heard.size(), 1u);
  EXPECT_NE(heard[0].find("/proc/nowhere"), std::string::npos) << heard[0];
  EXPECT_GE(cache_stats().errors, 2u);
}

}  // namespace
}  // namespace tritonrt
