// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an OpenCL device can do, read from the target's description.
#ifndef TRITONRT_COMPILER_BACKENDS_OPENCL_FEATURES_H
#define TRITONRT_COMPILER_BACKENDS_OPENCL_FEATURES_H

#include "compiler/backends/Backend.h"

namespace tritonrt::compiler::opencl {

struct Features {
  explicit Features(const KeyValues &target);

  bool isCpu;
  bool fp64;
  bool fp16;
  bool int64Atomics;
  int64_t localBytes;
  /// Widest vector register, in bytes.
  int64_t vectorBytes;
};

} // namespace tritonrt::compiler::opencl

#endif // TRITONRT_COMPILER_BACKENDS_OPENCL_FEATURES_H
