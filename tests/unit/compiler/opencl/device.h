// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Builds and runs OpenCL C of our backend on the first OpenCL device, with the plain C interface.
#ifndef TRITONRT_TESTS_UNIT_COMPILER_OPENCL_DEVICE_H
#define TRITONRT_TESTS_UNIT_COMPILER_OPENCL_DEVICE_H

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <cstdint>
#include <string>
#include <vector>

namespace tritonrt::testing {

/// One argument of a launch: a buffer that the kernel may change, or a scalar.
struct LaunchArg {
  std::vector<uint8_t> *buffer = nullptr;
  uint64_t offset = 0;
  std::vector<uint8_t> scalar;
};

class OpenCLDevice {
public:
  /// Takes the first device of all platforms; `available()` says whether there is one.
  OpenCLDevice();
  ~OpenCLDevice();
  OpenCLDevice(const OpenCLDevice &) = delete;
  OpenCLDevice &operator=(const OpenCLDevice &) = delete;

  bool available() const { return device != nullptr; }
  bool has(const std::string &extension) const;
  /// The description that the backend compiles for.
  std::string target() const;

  /// Runs `entry` with `programs` work-groups of one item. Returns "" or what went wrong.
  std::string run(const std::string &source, const std::string &entry,
                  const std::vector<LaunchArg> &args, size_t programs = 1);

private:
  cl_device_id device = nullptr;
  cl_context context = nullptr;
  cl_command_queue queue = nullptr;
};

/// Parses mapped IR and emits it for `device`. On failure the text is empty and `error` says why.
struct Emitted {
  std::string source;
  std::string entry;
  std::string error;
};
Emitted emitMapped(const std::string &ir, const std::string &target);

} // namespace tritonrt::testing

#endif // TRITONRT_TESTS_UNIT_COMPILER_OPENCL_DEVICE_H
