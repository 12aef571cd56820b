// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/small_float.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace tritonrt::runtime {
namespace {

struct Format {
  int exponent_bits;
  int mantissa_bits;
  int bias;
  bool has_infinity;
  // What NaN is, without a sign; in the types with one zero only, it is the negative zero.
  std::uint64_t nan;
  // The largest finite value's bits.
  std::uint64_t largest;
};

Format format_of(DType type) {
  switch (type) {
    case DType::kF16:
      return {5, 10, 15, true, 0x7e00, 0x7bff};
    case DType::kBF16:
      return {8, 7, 127, true, 0x7fc0, 0x7f7f};
    case DType::kF8E4NV:
      return {4, 3, 7, false, 0x7f, 0x7e};
    case DType::kF8E5:
      return {5, 2, 15, true, 0x7e, 0x7b};
    case DType::kF8E4B8:
      return {4, 3, 8, false, 0x80, 0x7f};
    case DType::kF8E4B15:
      return {4, 3, 11, false, 0x80, 0x7f};
    default:
      return {5, 2, 16, false, 0x80, 0x7f};
  }
}

}  // namespace

std::uint64_t encode_float(DType type, double value) {
  if (type == DType::kF64) return std::bit_cast<std::uint64_t>(value);
  if (type == DType::kF32) return std::bit_cast<std::uint32_t>(static_cast<float>(value));
  const Format f = format_of(type);
  const std::uint64_t sign_bit = std::uint64_t{1} << (f.exponent_bits + f.mantissa_bits);
  const bool one_zero = f.nan == sign_bit;
  const std::uint64_t sign = std::signbit(value) ? sign_bit : 0;
  if (std::isnan(value)) return one_zero ? f.nan : sign | f.nan;
  const std::uint64_t overflow =
      f.has_infinity ? sign | ((sign_bit - 1) & ~((std::uint64_t{1} << f.mantissa_bits) - 1))
                     : (one_zero ? f.nan : sign | f.nan);
  if (std::isinf(value)) return overflow;

  // |value| as a multiple of the unit in the last place of its binade, subnormals sharing the
  // smallest normal's. The double holds this exactly, so rounding happens once.
  int exponent = 0;
  const double magnitude = std::fabs(value);
  if (magnitude == 0) return one_zero ? 0 : sign;
  std::frexp(magnitude, &exponent);
  int binade = exponent - 1 + f.bias;
  if (binade < 1) binade = 1;
  const double units = std::ldexp(magnitude, f.mantissa_bits + f.bias - binade);
  double rounded = std::floor(units);
  const double rest = units - rounded;
  if (rest > 0.5 || (rest == 0.5 && std::fmod(rounded, 2.0) != 0)) rounded += 1;
  // The implicit bit adds itself onto the exponent field, and a carry moves to the next binade.
  const std::uint64_t bits = (static_cast<std::uint64_t>(binade - 1) << f.mantissa_bits) +
                             static_cast<std::uint64_t>(rounded);
  if (bits > f.largest) return overflow;
  if (bits == 0 && one_zero) return 0;
  return sign | bits;
}

double decode_float(DType type, std::uint64_t bits) {
  if (type == DType::kF64) return std::bit_cast<double>(bits);
  if (type == DType::kF32) return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
  const Format f = format_of(type);
  const std::uint64_t sign_bit = std::uint64_t{1} << (f.exponent_bits + f.mantissa_bits);
  const std::uint64_t magnitude = bits & (sign_bit - 1);
  if (f.nan == sign_bit ? bits == f.nan : magnitude >= f.nan) return std::nan("");
  const double sign = (bits & sign_bit) != 0 ? -1.0 : 1.0;
  if (magnitude > f.largest)
    // Infinity, and NaN of other bits than ours.
    return magnitude == f.largest + 1 && f.has_infinity ? sign * HUGE_VAL : std::nan("");
  const std::uint64_t implicit = std::uint64_t{1} << f.mantissa_bits;
  const auto exponent = static_cast<int>(magnitude >> f.mantissa_bits);
  const std::uint64_t mantissa = (magnitude & (implicit - 1)) + (exponent != 0 ? implicit : 0);
  return sign * std::ldexp(static_cast<double>(mantissa),
                           std::max(exponent, 1) - f.bias - f.mantissa_bits);
}

}  // namespace tritonrt::runtime
