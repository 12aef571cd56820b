// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The library's door.

#include "runtime/opencl/cl_driver.h"

extern "C" TRITONRT_API tritonrt::runtime::Driver* tritonrt_driver_get(std::uint32_t abi) {
  if (abi != tritonrt::runtime::kDriverAbi) return nullptr;
  static auto* const driver = new tritonrt::runtime::ClDriver("opencl");
  return driver;
}
