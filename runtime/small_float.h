// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TRITONRT_RUNTIME_SMALL_FLOAT_H_
#define TRITONRT_RUNTIME_SMALL_FLOAT_H_

#include <cstdint>

#include "tritonrt/dtype.h"

namespace tritonrt::runtime {

// The bits of `value` in a floating-point type, rounded to nearest even in one step. Overflow
// gives infinity, or NaN in the types without one. REQUIRES: `type` is floating-point.
std::uint64_t encode_float(DType type, double value);

// The value of a floating-point type's bits.
double decode_float(DType type, std::uint64_t bits);

}  // namespace tritonrt::runtime

#endif  // TRITONRT_RUNTIME_SMALL_FLOAT_H_
