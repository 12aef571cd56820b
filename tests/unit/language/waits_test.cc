// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Kernels that wait for a program that never comes, and are told to stop.

#include <chrono>
#include <cstdint>
#include <string>

#include "tests/unit/device_test.h"
#include "tests/unit/error_of.h"

namespace tritonrt {
namespace {

class WaitsTest : public DeviceTest {
 protected:
  // Spins until %flag is 1, then stores 7 to %out. The waiting op stands in line 6.
  static Kernel wait_kernel(const CompileOptions& options = {}) {
    return Kernel::from_source(
        "module {\n"
        "  tt.func public @wait(%flag: !tt.ptr<i32>, %out: !tt.ptr<i32>) {\n"
        "    %one = arith.constant 1 : i32\n"
        "    %seven = arith.constant 7 : i32\n"
        "    scf.while : () -> () {\n"
        "      %seen = tt.atomic_cas acq_rel, gpu, %flag, %one, %one : (!tt.ptr<i32>, i32, i32) -> "
        "i32\n"
        "      %again = arith.cmpi ne, %seen, %one : i32\n"
        "      scf.condition(%again)\n"
        "    } do {\n"
        "      scf.yield\n"
        "    }\n"
        "    tt.store %out, %seven : !tt.ptr<i32>\n"
        "    tt.return\n"
        "  }\n"
        "}\n",
        options);
  }
};
INSTANTIATE_TEST_SUITE_P(Devices, WaitsTest, every_device(), name_of);

TEST_P(WaitsTest, ATimeOutEndsThemAndNamesTheOp) {
  for (const char* form : {"each", "struct"}) {
    CompileOptions options;
    options.extra["target.arguments"] = form;
    const Kernel wait = wait_kernel(options);
    wait.prepare(device_);
    Stream stream(device_);
    std::int32_t values[2] = {0, 0};
    Buffer flag = Buffer::from_host(device_, &values[0], 4);
    Buffer out = Buffer::from_host(device_, &values[1], 4);
    wait.launch(stream, {1}, flag, out);
    const auto begin = std::chrono::steady_clock::now();
    const Error error = error_of([&] { stream.synchronize(std::chrono::milliseconds(300)); });
    EXPECT_EQ(error.code(), ErrorCode::kTimeout);
    EXPECT_NE(error.message().find("kernel 'wait': tt.atomic_cas at line 6"), std::string::npos)
        << error.message();
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20));
    // The stream goes on, and so does the kernel.
    out.copy_to_host(&values[1], 4);
    EXPECT_EQ(values[1], 0);
    values[0] = 1;
    flag.copy_from_host(stream, &values[0], 4);
    wait.launch(stream, {3}, flag, out);
    stream.synchronize(std::chrono::seconds(60));
    out.copy_to_host(&values[1], 4);
    EXPECT_EQ(values[1], 7);
  }
}

// The wait stands in loops that hold barriers where programs have several work-items; what follows
// it is not run.
TEST_P(WaitsTest, ATimeOutEndsThemInsideOfLoops) {
  const Kernel wait = Kernel::from_source(
      "module {\n"
      "  tt.func public @look_back(%flag: !tt.ptr<i32>, %out: !tt.ptr<i32>, %n: i32) {\n"
      "    %zero = arith.constant 0 : i32\n"
      "    %one = arith.constant 1 : i32\n"
      "    %range = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32>\n"
      "    scf.for %i = %zero to %n step %one : i32 {\n"
      "      %turn = tt.splat %i : i32 -> tensor<256xi32>\n"
      "      %terms = arith.addi %range, %turn : tensor<256xi32>\n"
      "      %sum = \"tt.reduce\"(%terms) <{axis = 0 : i32}> ({\n"
      "      ^bb0(%a: i32, %b: i32):\n"
      "        %c = arith.addi %a, %b : i32\n"
      "        tt.reduce.return %c : i32\n"
      "      }) : (tensor<256xi32>) -> i32\n"
      "      %seen = scf.while (%back = %i) : (i32) -> i32 {\n"
      "        %more = arith.cmpi sge, %back, %zero : i32\n"
      "        scf.condition(%more) %back : i32\n"
      "      } do {\n"
      "      ^bb0(%back: i32):\n"
      "        %at = tt.addptr %flag, %back : !tt.ptr<i32>, i32\n"
      "        %first = tt.load %at {isVolatile = true} : !tt.ptr<i32>\n"
      "        %got = scf.while (%value = %first) : (i32) -> i32 {\n"
      "          %again = arith.cmpi eq, %value, %zero : i32\n"
      "          scf.condition(%again) %value : i32\n"
      "        } do {\n"
      "        ^bb0(%value: i32):\n"
      "          %next = tt.load %at {isVolatile = true} : !tt.ptr<i32>\n"
      "          scf.yield %next : i32\n"
      "        }\n"
      "        %before = arith.subi %back, %got : i32\n"
      "        scf.yield %before : i32\n"
      "      }\n"
      "      %to = tt.addptr %out, %i : !tt.ptr<i32>, i32\n"
      "      %whole = arith.addi %sum, %seen : i32\n"
      "      tt.store %to, %whole : !tt.ptr<i32>\n"
      "    }\n"
      "    tt.return\n"
      "  }\n"
      "}\n");
  wait.prepare(device_);
  Stream stream(device_);
  std::int32_t flags[4] = {1, 1, 0, 1}, sums[4] = {-5, -5, -5, -5};
  Buffer flag = Buffer::from_host(device_, flags, sizeof flags);
  Buffer out = Buffer::from_host(device_, sums, sizeof sums);
  wait.launch(stream, {1}, flag, out, std::int32_t{4});
  const Error error = error_of([&] { stream.synchronize(std::chrono::milliseconds(300)); });
  EXPECT_EQ(error.code(), ErrorCode::kTimeout);
  EXPECT_NE(error.message().find("kernel 'look_back': tt.load at line"), std::string::npos)
      << error.message();
  const std::int32_t sum = 255 * 256 / 2;
  out.copy_to_host(sums, sizeof sums);
  EXPECT_EQ(sums[0], sum - 1);
  EXPECT_EQ(sums[1], sum + 256 - 1);
  EXPECT_EQ(sums[2], -5);
  EXPECT_EQ(sums[3], -5);
  flags[2] = 1;
  flag.copy_from_host(stream, flags, sizeof flags);
  wait.launch(stream, {1}, flag, out, std::int32_t{4});
  stream.synchronize(std::chrono::seconds(60));
  out.copy_to_host(sums, sizeof sums);
  for (int i = 0; i < 4; ++i) EXPECT_EQ(sums[i], sum + 256 * i - 1) << i;
}

// Nothing in it waits for others. It ends by itself, so that no test leaves a thread busy for ever.
TEST_P(WaitsTest, WhatCannotBeStoppedIsLeftToItself) {
  if (GetParam().mapping == Mapping::kSimt)
    GTEST_SKIP() << "the mapping makes no difference, and each takes a thread of the driver's";
  const Kernel busy = Kernel::from_source(
      "module {\n"
      "  tt.func public @busy(%x: !tt.ptr<i32>) {\n"
      "    %zero = arith.constant 0 : i64\n"
      "    %one = arith.constant 1 : i64\n"
      "    %most = arith.constant 1500000000 : i64\n"
      "    %seven = arith.constant 7 : i32\n"
      "    scf.for %i = %zero to %most step %one : i64 {\n"
      "      %v = tt.load %x : !tt.ptr<i32>\n"
      "      %t = arith.trunci %i : i64 to i32\n"
      "      %w = arith.muli %v, %seven : i32\n"
      "      %u = arith.xori %w, %t : i32\n"
      "      tt.store %x, %u : !tt.ptr<i32>\n"
      "    }\n"
      "    tt.return\n"
      "  }\n"
      "}\n");
  busy.prepare(device_);
  const auto begin = std::chrono::steady_clock::now();
  {
    Stream stream(device_);
    const std::int32_t one = 1;
    Buffer x(device_, 4);
    x.copy_from_host(stream, &one, 4);
    busy.launch(stream, {1}, x);
    const Error error = error_of([&] { stream.synchronize(std::chrono::milliseconds(200)); });
    EXPECT_EQ(error.code(), ErrorCode::kTimeout);
    EXPECT_NE(error.message().find("kernel 'busy'"), std::string::npos) << error.message();
    EXPECT_NE(error.message().find("did not end within 200 ms; it goes on"), std::string::npos)
        << error.message();
    EXPECT_FALSE(stream.is_idle());
    // Other streams go on, and the ends of handles wait for nothing.
    Stream other(device_);
    Buffer y(device_, 4);
    y.copy_from_host(other, &one, 4);
    other.synchronize(std::chrono::seconds(5));
  }
  device_.shutdown();
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(6));
}

TEST_P(WaitsTest, ShutdownEndsThem) {
  const Kernel wait = wait_kernel();
  wait.prepare(device_);
  Stream stream(device_);
  const std::int32_t zero = 0;
  Buffer flag = Buffer::from_host(device_, &zero, 4);
  Buffer out = Buffer::from_host(device_, &zero, 4);
  wait.launch(stream, {4}, flag, out);
  device_.shutdown();
  const Error error = error_of([&] { stream.synchronize(); });
  EXPECT_EQ(error.code(), ErrorCode::kStopped);
  EXPECT_NE(error.message().find("tt.atomic_cas at line 6"), std::string::npos) << error.message();
}

}  // namespace
}  // namespace tritonrt
