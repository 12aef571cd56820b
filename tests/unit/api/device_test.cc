// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tests/unit/api/fixture.h"

namespace tritonrt {
namespace {

class DeviceTest : public ApiTest {};

TEST_F(DeviceTest, TheCpuIsThere) {
  const std::vector<DeviceInfo> devices = Device::list();
  ASSERT_FALSE(devices.empty());
  EXPECT_EQ(devices[0].name, "cpu");
  EXPECT_EQ(cpu_.info().type, "cpu");
  EXPECT_GE(cpu_.info().compute_units, 1u);
  EXPECT_EQ(cpu_.info().mapping, Mapping::kVector);
  EXPECT_EQ(Device::open("cpu"), cpu_);
  EXPECT_NE(cpu_.target().find("backend=cpu\n"), std::string::npos);
}

TEST_F(DeviceTest, WrongNamesAreErrors) {
  const auto code = [&](const char* name) { return error_of([&] { Device::open(name); }).code(); };
  EXPECT_EQ(code(""), ErrorCode::kInvalidArgument);
  EXPECT_EQ(code("../x"), ErrorCode::kInvalidArgument);
  EXPECT_EQ(code("cpu:1"), ErrorCode::kInvalidArgument);
  EXPECT_EQ(code("cpu:"), ErrorCode::kInvalidArgument);
  EXPECT_EQ(code("compiler"), ErrorCode::kInvalidArgument);
  EXPECT_EQ(code("quantum"), ErrorCode::kNotFound);
  DeviceOptions simt;
  simt.mapping = Mapping::kSimt;
  EXPECT_EQ(error_of([&] { Device::open("cpu", simt); }).code(), ErrorCode::kUnsupported);
  EXPECT_THROW(Device().info(), Error);
}

TEST_F(DeviceTest, ThreadsAndChunkAreSettings) {
  const CpuOptions before = cpu_options();
  CpuOptions options;
  options.threads = 3;
  options.min_chunk_size = 1;
  set_cpu_options(options);
  EXPECT_EQ(cpu_options().threads, 3u);
  EXPECT_EQ(cpu_options().min_chunk_size, 1u);
  Stream stream(cpu_);
  Buffer out(cpu_, 4000);
  kernel("store").launch(stream, {1000}, out, 1, 2, 3);
  stream.synchronize();
  for (int i = 0; i < 1000; ++i) ASSERT_EQ(out.host_data_as<int>()[i], 6 + i);
  set_cpu_options(before);
}

TEST_F(DeviceTest, ShutdownEndsItAndOpeningStartsAfresh) {
  Device device = Device::open("cpu");
  Stream stream(device);
  Buffer out(device, 4000);
  const Kernel store = kernel("store");
  store.launch(stream, {1000}, out, 1, 2, 3);
  device.shutdown();
  device.shutdown();
  EXPECT_EQ(out.host_data_as<int>()[999], 6 + 999);
  EXPECT_EQ(error_of([&] { store.launch(stream, {1}, out, 1, 2, 3); }).code(),
            ErrorCode::kInvalidArgument);
  EXPECT_THROW(Stream{device}, Error);
  Device again = Device::open("cpu");
  EXPECT_NE(again, device);
  Stream fresh(again);
  Buffer buffer(again, 4000);
  store.launch(fresh, {1000}, buffer, 1, 2, 3);
  fresh.synchronize();
  EXPECT_EQ(buffer.host_data_as<int>()[999], 6 + 999);
  // Buffers of the old device are not of the new one.
  EXPECT_NE(error_of([&] { store.launch(fresh, {1}, out, 1, 2, 3); }).message().find("on device"),
            std::string::npos);
}

}  // namespace
}  // namespace tritonrt
