// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TRITONRT_DTYPE_H_
#define TRITONRT_DTYPE_H_

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "tritonrt/export.h"

namespace tritonrt {

// Element types of kernels. Signed and unsigned integers of one width are the same type to a
// kernel's signature; both exist so that host code can say how it reads them.
enum class DType : std::uint8_t {
  kUnknown,  // a pointer whose elements are not said
  kI1,       // a byte, 0 or 1
  kI8,
  kI16,
  kI32,
  kI64,
  kU8,
  kU16,
  kU32,
  kU64,
  kF16,
  kBF16,
  kF32,
  kF64,
  kF8E4NV,   // f8E4M3FN
  kF8E5,     // f8E5M2
  kF8E4B8,   // f8E4M3FNUZ
  kF8E4B15,  // f8E4M3B11FNUZ
  kF8E5B16,  // f8E5M2FNUZ
};

// Bytes of one element; 0 for kUnknown.
TRITONRT_API std::size_t size_of(DType type) noexcept;

// "i32", "bf16", "f8e4nv", ...; "?" for kUnknown.
TRITONRT_API std::string_view to_string(DType type) noexcept;

// The type of that name, in our spelling ("f32", "f8e4nv") or Triton's ("fp32", "fp8e4nv");
// kUnknown where there is none.
TRITONRT_API DType parse_dtype(std::string_view name) noexcept;

// True where a value of one type may be passed where a kernel wants the other: the same type, or
// integers of the same width, i1 and 8-bit integers being one as both are stored as a byte.
TRITONRT_API bool same_storage(DType a, DType b) noexcept;

}  // namespace tritonrt

#endif  // TRITONRT_DTYPE_H_
