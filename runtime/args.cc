// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tritonrt/args.h"

#include <bit>
#include <string>

#include "runtime/small_float.h"
#include "tritonrt/error.h"

namespace tritonrt {
namespace {

bool is_float(DType type) { return type >= DType::kF16; }

}  // namespace

Arg Arg::host(const void* pointer, std::size_t bytes, DType dtype) noexcept {
  Arg arg;
  if (pointer == nullptr) return arg;
  arg.kind_ = Kind::kHostPointer;
  arg.dtype_ = dtype;
  arg.bits_ = reinterpret_cast<std::uintptr_t>(pointer);
  arg.extent_ = bytes;
  return arg;
}

Arg Arg::from_bits(DType dtype, std::uint64_t bits) noexcept {
  Arg arg;
  arg.kind_ = Kind::kScalar;
  arg.dtype_ = dtype;
  arg.bits_ = bits;
  return arg;
}

Arg Arg::from_double(DType dtype, double value) {
  if (!is_float(dtype))
    throw Error(ErrorCode::kInvalidArgument,
                "'" + std::string(to_string(dtype)) + "' is not a floating-point type");
  return from_bits(dtype, runtime::encode_float(dtype, value));
}

void Arg::set_float(double value) noexcept { bits_ = runtime::encode_float(dtype_, value); }

}  // namespace tritonrt
