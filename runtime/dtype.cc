// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tritonrt/dtype.h"

#include <array>

namespace tritonrt {
namespace {

struct Row {
  DType type;
  std::uint8_t size;
  std::string_view name;
  std::string_view triton_name;
};

// In the order of the enumeration.
constexpr std::array<Row, 19> kRows = {{
    {DType::kUnknown, 0, "?", "?"},
    {DType::kI1, 1, "i1", "u1"},
    {DType::kI8, 1, "i8", "i8"},
    {DType::kI16, 2, "i16", "i16"},
    {DType::kI32, 4, "i32", "i32"},
    {DType::kI64, 8, "i64", "i64"},
    {DType::kU8, 1, "u8", "u8"},
    {DType::kU16, 2, "u16", "u16"},
    {DType::kU32, 4, "u32", "u32"},
    {DType::kU64, 8, "u64", "u64"},
    {DType::kF16, 2, "f16", "fp16"},
    {DType::kBF16, 2, "bf16", "bf16"},
    {DType::kF32, 4, "f32", "fp32"},
    {DType::kF64, 8, "f64", "fp64"},
    {DType::kF8E4NV, 1, "f8e4nv", "fp8e4nv"},
    {DType::kF8E5, 1, "f8e5", "fp8e5"},
    {DType::kF8E4B8, 1, "f8e4b8", "fp8e4b8"},
    {DType::kF8E4B15, 1, "f8e4b15", "fp8e4b15"},
    {DType::kF8E5B16, 1, "f8e5b16", "fp8e5b16"},
}};

// Integers compare by their width alone: the signed type, with i1 stored as a byte.
DType storage_class(DType type) {
  switch (type) {
    case DType::kI1:
    case DType::kU8:
      return DType::kI8;
    case DType::kU16:
      return DType::kI16;
    case DType::kU32:
      return DType::kI32;
    case DType::kU64:
      return DType::kI64;
    default:
      return type;
  }
}

}  // namespace

std::size_t size_of(DType type) noexcept { return kRows[static_cast<std::size_t>(type)].size; }

std::string_view to_string(DType type) noexcept {
  return kRows[static_cast<std::size_t>(type)].name;
}

DType parse_dtype(std::string_view name) noexcept {
  for (const Row& row : kRows)
    if (name == row.name || name == row.triton_name) return row.type;
  return DType::kUnknown;
}

bool same_storage(DType a, DType b) noexcept { return storage_class(a) == storage_class(b); }

}  // namespace tritonrt
