// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TRITONRT_TESTS_UNIT_DEVICE_TEST_H_
#define TRITONRT_TESTS_UNIT_DEVICE_TEST_H_

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tritonrt/tritonrt.h"

namespace tritonrt {

struct Target {
  const char* name;
  const char* device;
  Mapping mapping;
};

// A test of real kernels on every device and mapping; skipped where the device is missing.
class DeviceTest : public ::testing::TestWithParam<Target> {
 protected:
  void SetUp() override {
    const std::string name = GetParam().device;
    const std::string listed = name == "opencl" ? "opencl:0" : name;
    const std::vector<DeviceInfo> all = Device::list();
    if (std::none_of(all.begin(), all.end(), [&](const DeviceInfo& d) { return d.name == listed; }))
      GTEST_SKIP() << "no device " << name;
    DeviceOptions options;
    options.mapping = GetParam().mapping;
    device_ = Device::open(name, options);
  }

  // A kernel @k of a body without its return.
  static Kernel kernel(const std::string& parameters, const std::string& body,
                       const std::string& functions = {}) {
    return Kernel::from_source("module {\n" + functions + "  tt.func public @k(" + parameters +
                               ") {\n" + body + "    tt.return\n  }\n}\n");
  }

  template <typename T>
  Buffer buffer(const std::vector<T>& values) {
    return Buffer::from_host(device_, values.data(), values.size() * sizeof(T));
  }
  template <typename T>
  static std::vector<T> values(const Buffer& buffer) {
    std::vector<T> result(buffer.size() / sizeof(T));
    buffer.copy_to_host(result.data(), buffer.size());
    return result;
  }

  Device device_;
};

inline auto every_device() {
  return ::testing::Values(Target{"cpu", "cpu", Mapping::kDefault},
                           Target{"opencl_vector", "opencl", Mapping::kVector},
                           Target{"opencl_simt", "opencl", Mapping::kSimt});
}

inline std::string name_of(const ::testing::TestParamInfo<Target>& info) { return info.param.name; }

}  // namespace tritonrt

#endif  // TRITONRT_TESTS_UNIT_DEVICE_TEST_H_
