// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <cstdint>
#include <type_traits>
#include <vector>

#include "tests/unit/api/fixture.h"

namespace tritonrt {
namespace {

using Add = KernelFn<Ptr<const float>, Ptr<const float>, Ptr<float>, std::int32_t>;
using Store = KernelFn<Ptr<std::int32_t>, std::int32_t, std::uint32_t, std::int32_t>;

template <typename Fn, typename... Args>
constexpr bool kTakes = std::is_invocable_v<const Fn&, Stream&, Grid, Args...>;

// Counts, kinds and narrowing are found by the compiler.
static_assert(kTakes<Add, Buffer&, Buffer&, Buffer&, int>);
static_assert(kTakes<Add, Buffer&, Buffer&, std::nullptr_t, short>);
static_assert(kTakes<Add, Buffer&, Buffer&, Ptr<float>, int>);
static_assert(!kTakes<Add, Buffer&, Buffer&, Buffer&>);
static_assert(!kTakes<Add, Buffer&, Buffer&, Buffer&, int, int>);
static_assert(!kTakes<Add, Buffer&, Buffer&, int, int>);
static_assert(!kTakes<Add, Buffer&, Buffer&, Buffer&, Buffer&>);
static_assert(!kTakes<Add, Buffer&, Buffer&, Buffer&, std::int64_t>);
static_assert(!kTakes<Add, Buffer&, Buffer&, Buffer&, float>);
static_assert(!kTakes<Add, Buffer&, Buffer&, Buffer&, bool>);
static_assert(!kTakes<Add, Buffer&, Buffer&, Ptr<double>, int>);
static_assert(kTakes<KernelFn<Float16, float, bool>, float, float, bool>);
static_assert(!kTakes<KernelFn<Float16, float, bool>, double, float, bool>);

class KernelFnTest : public ApiTest {};

TEST_F(KernelFnTest, LaunchesAndBinds) {
  std::vector<float> x(300, 1.5f), y(300, 2.0f), out(304, 0.0f);
  Stream stream(cpu_);
  Buffer bx = Buffer::from_host(cpu_, x.data(), 1200);
  Buffer by = Buffer::from_host(cpu_, y.data(), 1200);
  Buffer bout(cpu_, 1216);
  const Add add(kernel("add"));
  add(stream, {2}, bx, by, {bout, 16}, 300);
  stream.synchronize();
  EXPECT_EQ(bout.host_data_as<float>()[4], 3.5f);
  EXPECT_EQ(bout.host_data_as<float>()[303], 3.5f);
  BoundKernel bound = add.bind(cpu_, bx, bx, bout, 300);
  bound.launch(stream, {2});
  stream.synchronize();
  EXPECT_EQ(bout.host_data_as<float>()[299], 3.0f);
}

TEST_F(KernelFnTest, AnotherSignatureIsAnErrorThatNamesTheParameter) {
  using Wrong = KernelFn<Ptr<float>, Ptr<double>, Ptr<float>, std::int32_t>;
  EXPECT_EQ(error_of([&] { Wrong{kernel("add")}; }).message(),
            "kernel 'add': parameter 1 is ptr:f32, its KernelFn says ptr:f64");
  EXPECT_EQ(error_of([&] { Store{kernel("add")}; }).message(),
            "kernel 'add': parameter 0 is ptr:f32, its KernelFn says ptr:i32");
  EXPECT_EQ(error_of([&] { Add{kernel("count")}; }).code(), ErrorCode::kInvalidArgument);
  using Few = KernelFn<Buffer, Buffer, Buffer>;
  EXPECT_EQ(error_of([&] { Few{kernel("add")}; }).message(),
            "kernel 'add': parameter 3 is i32, its KernelFn says nothing");
  using Many = KernelFn<Buffer, Buffer, Buffer, std::int32_t, std::int32_t>;
  EXPECT_EQ(error_of([&] { Many{kernel("add")}; }).message(),
            "kernel 'add': parameter 4 is missing, its KernelFn says i32");
  Store{kernel("store")};  // unsigned for signed is the same to a signature
  KernelFn<TensorDescriptor, std::int32_t>{kernel("desc")};
}

TEST_F(KernelFnTest, AfterFreezeWhatWouldCompileIsAnErrorThatNamesTheVariant) {
  Stream stream(cpu_);
  Buffer out(cpu_, 64);
  Buffer x(cpu_, 64);
  const Kernel variant = kernel("variant");
  variant.prepare(cpu_);
  variant.freeze();
  variant.launch(stream, {1}, out, x, 16);
  const Error error = error_of([&] { variant.launch(stream, {1}, out, x, 3); });
  EXPECT_EQ(error.code(), ErrorCode::kFrozen);
  EXPECT_EQ(error.message(),
            "kernel 'variant' would have to be compiled for 'cpu' (disjoint=1 generic=1 "
            "num_warps=4) after freeze()");
  // What the cache holds is no compilation.
  kernel("variant").launch(stream, {1}, out, x, 3);
  fresh_process();
  const Kernel again = kernel("variant");
  again.freeze();
  again.launch(stream, {1}, out, x, 3);
  EXPECT_EQ(out.host_data_as<int>()[0], 3);
}

TEST_F(KernelFnTest, PreparesInTheBackgroundWithProgress) {
  std::vector<PrepareItem> items;
  for (const char* name : {"add", "store", "count", "slow"}) items.push_back({kernel(name), cpu_});
  items.push_back({kernel("variant"), cpu_, true});
  CompileOptions failing;
  failing.extra["fail"] = "1";
  items.push_back({kernel("float", failing), cpu_});
  std::vector<std::size_t> seen;
  PrepareOptions options;
  options.threads = 3;
  options.on_progress = [&](const PrepareProgress& progress) { seen.push_back(progress.done); };
  const Preparation preparation = prepare(items, options);
  EXPECT_TRUE(preparation.wait(std::chrono::nanoseconds::max()));
  preparation.wait();
  EXPECT_TRUE(preparation.wait(std::chrono::seconds(1)));
  const PrepareProgress progress = preparation.progress();
  EXPECT_EQ(progress.total, 6u);
  EXPECT_EQ(progress.done, 6u);
  EXPECT_EQ(progress.compiled, 5u);
  EXPECT_EQ(progress.failed, 1u);
  ASSERT_EQ(preparation.failures().size(), 1u);
  EXPECT_EQ(preparation.failures()[0].item, 5u);
  EXPECT_NE(preparation.failures()[0].error.message().find("math.sin"), std::string::npos);
  // Every variant is there: nothing is left to compile.
  items[4].kernel.freeze();
  Stream stream(cpu_);
  Buffer out(cpu_, 64);
  for (const int n : {16, 3}) {
    items[4].kernel.launch(stream, {1}, out, Buffer(cpu_, 64), n);
    items[4].kernel.launch(stream, {1}, out, out, n);
  }
  EXPECT_THROW(static_cast<void>(prepare({PrepareItem{}})), Error);
  EXPECT_EQ(Preparation().progress().total, 0u);
}

TEST_F(KernelFnTest, WhatIsCancelledBeforeItBeginsIsNotPrepared) {
  std::vector<PrepareItem> items(200, PrepareItem{kernel("add"), cpu_});
  const Preparation preparation = prepare(std::move(items));
  preparation.cancel();
  preparation.wait();
  EXPECT_EQ(preparation.progress().done, 200u);
  for (const PrepareFailure& failure : preparation.failures())
    EXPECT_EQ(failure.error.code(), ErrorCode::kStopped);
}

}  // namespace
}  // namespace tritonrt
