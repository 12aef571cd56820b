// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TRITONRT_TESTS_UNIT_API_FIXTURE_H_
#define TRITONRT_TESTS_UNIT_API_FIXTURE_H_

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "tests/unit/error_of.h"
#include "tests/unit/temp_folder.h"
#include "tritonrt/tritonrt.h"

namespace tritonrt {

// The compiler without LLVM, in the same build as this program.
inline std::string fake_compiler() {
  const auto program = std::filesystem::read_symlink("/proc/self/exe");
  return program.parent_path().parent_path() / "lib/fake/libtritonrt-fake-compiler.so";
}

// A cache folder of its own and the compiler without LLVM.
class ApiTest : public ::testing::Test {
 protected:
  ApiTest() { fresh_process(); }

  // An empty memory tier over the same folder, as a new process would have.
  void fresh_process() {
    CacheOptions options;
    options.directory = folder_;
    options.compiler_library = fake_compiler();
    set_cache_options(options);
  }

  static Kernel kernel(const std::string& name, const CompileOptions& options = {}) {
    return Kernel::from_source("kernel " + name + "\n", options, {}, "k.ttir");
  }

  TempFolder temp_;
  std::string folder_ = temp_.path().string();
  Device cpu_ = Device::open("cpu");
};

// For test suites that run on several devices, by name; skipped where one is absent.
class OnDevice : public ApiTest, public ::testing::WithParamInterface<const char*> {
 protected:
  void SetUp() override {
    try {
      device_ = Device::open(GetParam());
    } catch (const Error&) {
      GTEST_SKIP() << "no device " << GetParam();
    }
  }
  Device device_;
};

// The process's memory map.
inline std::string maps() {
  std::ifstream file("/proc/self/maps");
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

}  // namespace tritonrt

#endif  // TRITONRT_TESTS_UNIT_API_FIXTURE_H_
