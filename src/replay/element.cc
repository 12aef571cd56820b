// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "src/replay/element.h"

#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>

#include "src/replay/file_io.h"
#include "tritonrt/args.h"

namespace tritonrt::replay {
namespace {

static_assert(std::endian::native == std::endian::little, "elements are read in memory order");

// How a float is laid out. `has_infinity` is false for the formats whose highest exponent holds
// ordinary values, with NaN as the one pattern of all ones.
struct FloatFormat {
  int exponent_bits;
  int mantissa_bits;
  bool has_infinity;

  int bias() const { return (1 << (exponent_bits - 1)) - 1; }
  uint64_t exponent_mask() const { return (uint64_t{1} << exponent_bits) - 1; }
  uint64_t mantissa_mask() const { return (uint64_t{1} << mantissa_bits) - 1; }
};

enum class Kind : uint8_t { kBool, kSigned, kUnsigned, kFloat };

struct Traits {
  std::string_view npy;
  FloatFormat format;
  DType dtype;
  Kind kind;
};

constexpr Traits kTraits[] = {
    {"u1", {}, DType::kI1, Kind::kBool},
    {"i1", {}, DType::kI8, Kind::kSigned},
    {"i2", {}, DType::kI16, Kind::kSigned},
    {"i4", {}, DType::kI32, Kind::kSigned},
    {"i8", {}, DType::kI64, Kind::kSigned},
    {"u1", {}, DType::kU8, Kind::kUnsigned},
    {"u2", {}, DType::kU16, Kind::kUnsigned},
    {"u4", {}, DType::kU32, Kind::kUnsigned},
    {"u8", {}, DType::kU64, Kind::kUnsigned},
    {"f2", {5, 10, true}, DType::kF16, Kind::kFloat},
    {"u2", {8, 7, true}, DType::kBF16, Kind::kFloat},
    {"f4", {8, 23, true}, DType::kF32, Kind::kFloat},
    {"f8", {11, 52, true}, DType::kF64, Kind::kFloat},
    {"u1", {4, 3, false}, DType::kF8E4NV, Kind::kFloat},
    {"u1", {5, 2, true}, DType::kF8E5, Kind::kFloat},
};

const Traits* find_traits(DType dtype) {
  for (const Traits& traits : kTraits)
    if (traits.dtype == dtype) return &traits;
  return nullptr;
}

const Traits& traits_of(DType dtype) { return *find_traits(dtype); }

int bit_width(DType dtype) {
  return traits_of(dtype).kind == Kind::kBool ? 1 : static_cast<int>(8 * size_of(dtype));
}

double decode_float(const FloatFormat& format, uint64_t bits) {
  const uint64_t mantissa = bits & format.mantissa_mask();
  const uint64_t exponent = (bits >> format.mantissa_bits) & format.exponent_mask();
  const bool negative = (bits >> (format.mantissa_bits + format.exponent_bits)) & 1;
  double magnitude;
  if (exponent == format.exponent_mask() && format.has_infinity) {
    magnitude = mantissa ? std::numeric_limits<double>::quiet_NaN()
                         : std::numeric_limits<double>::infinity();
  } else if (exponent == format.exponent_mask() && mantissa == format.mantissa_mask()) {
    magnitude = std::numeric_limits<double>::quiet_NaN();
  } else if (exponent == 0) {
    magnitude = std::ldexp(static_cast<double>(mantissa), 1 - format.bias() - format.mantissa_bits);
  } else {
    magnitude = std::ldexp(static_cast<double>(mantissa + format.mantissa_mask() + 1),
                           static_cast<int>(exponent) - format.bias() - format.mantissa_bits);
  }
  return negative ? -magnitude : magnitude;
}

[[noreturn]] void not_a_value(DType dtype, std::string_view text) {
  throw InputError(in_quotes(text) + " is not a value of type " + std::string(to_string(dtype)));
}

// Parses [+-]?(0x)?digits into a magnitude.
bool parse_magnitude(std::string_view digits, uint64_t* magnitude) {
  int base = 10;
  if (digits.size() > 2 && digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X')) {
    base = 16;
    digits.remove_prefix(2);
  }
  auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), *magnitude, base);
  return error == std::errc() && end == digits.data() + digits.size();
}

uint64_t parse_integer(DType dtype, std::string_view text) {
  if (dtype == DType::kI1 && (text == "true" || text == "True")) return 1;
  if (dtype == DType::kI1 && (text == "false" || text == "False")) return 0;
  std::string_view digits = text;
  const bool negative = !digits.empty() && digits.front() == '-';
  if (!digits.empty() && (negative || digits.front() == '+')) digits.remove_prefix(1);
  uint64_t magnitude = 0;
  if (!parse_magnitude(digits, &magnitude)) not_a_value(dtype, text);
  const int width = bit_width(dtype);
  const uint64_t highest =
      is_signed(dtype) ? (uint64_t{1} << (width - 1)) - 1 : ~uint64_t{0} >> (64 - width);
  const uint64_t lowest = is_signed(dtype) ? highest + 1 : 0;
  if (magnitude > (negative ? lowest : highest)) not_a_value(dtype, text);
  return (negative ? ~magnitude + 1 : magnitude) & (~uint64_t{0} >> (64 - width));
}

uint64_t parse_float(DType dtype, std::string_view text) {
  std::string_view digits = text;
  if (!digits.empty() && digits.front() == '+') digits.remove_prefix(1);
  auto parse_all = [&](auto* value) {
    const char* const first = digits.data();
    const char* const last = first + digits.size();
    auto [end, error] = std::from_chars(first, last, *value);
    return end == last && error == std::errc();
  };
  // f32 is read directly, not through double, so that it is rounded once.
  if (float value = 0; dtype == DType::kF32 && parse_all(&value))
    return std::bit_cast<uint32_t>(value);
  double value = 0;
  if (!parse_all(&value)) not_a_value(dtype, text);
  return encode(dtype, value);
}

}  // namespace

std::optional<DType> element_type(std::string_view name) {
  const DType dtype = parse_dtype(name);
  if (find_traits(dtype) == nullptr) return std::nullopt;
  return dtype;
}

std::string_view npy_type(DType dtype) { return traits_of(dtype).npy; }
bool is_float(DType dtype) { return traits_of(dtype).kind == Kind::kFloat; }
bool is_signed(DType dtype) { return traits_of(dtype).kind == Kind::kSigned; }

uint64_t load_bits(DType dtype, const void* source) {
  uint64_t bits = 0;
  std::memcpy(&bits, source, size_of(dtype));
  return bits;
}

void store_bits(DType dtype, uint64_t bits, void* target) {
  std::memcpy(target, &bits, size_of(dtype));
}

int64_t integer_value(DType dtype, uint64_t bits) {
  const int shift = 64 - static_cast<int>(8 * size_of(dtype));
  return is_signed(dtype) ? static_cast<int64_t>(bits << shift) >> shift
                          : static_cast<int64_t>(bits);
}

double decode(DType dtype, uint64_t bits) {
  if (dtype == DType::kF64) return std::bit_cast<double>(bits);
  if (is_float(dtype)) return decode_float(traits_of(dtype).format, bits);
  if (dtype == DType::kU64) return static_cast<double>(bits);
  return static_cast<double>(integer_value(dtype, bits));
}

uint64_t encode(DType dtype, double value) {
  if (is_float(dtype)) return Arg::from_double(dtype, value).bits();
  const int width = bit_width(dtype);
  const double highest = std::ldexp(1.0, is_signed(dtype) ? width - 1 : width);
  const double lowest = is_signed(dtype) ? -highest : 0.0;
  const double truncated = std::trunc(value);
  if (!(truncated >= lowest && truncated < highest))
    throw InputError(std::to_string(value) + " is out of range for " +
                     std::string(to_string(dtype)));
  const uint64_t bits = truncated < 0 ? static_cast<uint64_t>(static_cast<int64_t>(truncated))
                                      : static_cast<uint64_t>(truncated);
  return bits & (~uint64_t{0} >> (64 - width));
}

uint64_t parse_value(DType dtype, std::string_view text) {
  return is_float(dtype) ? parse_float(dtype, text) : parse_integer(dtype, text);
}

std::string format_value(DType dtype, uint64_t bits) {
  if (dtype == DType::kU64) return std::to_string(bits);
  if (!is_float(dtype)) return std::to_string(integer_value(dtype, bits));
  // The shortest text that reads back as the same value.
  char text[32];
  const double value = decode(dtype, bits);
  const auto end = dtype == DType::kF64
                       ? std::to_chars(text, text + sizeof text, value).ptr
                       : std::to_chars(text, text + sizeof text, static_cast<float>(value)).ptr;
  return std::string(text, end);
}

}  // namespace tritonrt::replay
