// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiles mapped IR for this machine and loads the result, for tests of the CPU backend.
#ifndef TRITONRT_TESTS_UNIT_COMPILER_LOADED_KERNEL_H
#define TRITONRT_TESTS_UNIT_COMPILER_LOADED_KERNEL_H

#include "compiler/api/kernel_abi.h"
#include "compiler/backends/Backend.h"

#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace tritonrt::compiler {

template <typename T> uint64_t slot(T value) {
  static_assert(sizeof(T) <= 8);
  uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof(T));
  return bits;
}

class LoadedKernel {
public:
  /// Compiles the one function of `text`; a failure ends the test program with the diagnostics.
  explicit LoadedKernel(const std::string &text, const std::string &options = "",
                        const std::string &special = "", const std::string &target = "");
  ~LoadedKernel();
  LoadedKernel(const LoadedKernel &) = delete;

  int32_t runSlots(std::vector<uint32_t> grid, std::vector<uint64_t> slots);

  /// All programs of a grid of up to three numbers.
  template <typename... Args> int32_t run(std::vector<uint32_t> grid, Args... args) {
    return runSlots(std::move(grid), {slot(args)...});
  }
  template <typename... Args>
  int32_t runRange(std::array<uint32_t, 3> grid, int64_t begin, int64_t end, Args... args) {
    return call(grid, begin, end, {slot(args)...});
  }

  Artifact artifact;
  volatile uint32_t stop = 0;

private:
  int32_t call(std::array<uint32_t, 3> grid, int64_t begin, int64_t end,
               const std::vector<uint64_t> &slots);

  void *library = nullptr;
  trt_entry_fn entry = nullptr;
};

/// The diagnostics of a kernel that cannot be compiled; "" if it can.
std::string compileError(const std::string &text);

} // namespace tritonrt::compiler

#endif // TRITONRT_TESTS_UNIT_COMPILER_LOADED_KERNEL_H
