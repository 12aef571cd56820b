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
