// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "src/cli/arg_spec.h"

#include <charconv>

#include "src/replay/element.h"
#include "src/replay/file_io.h"
#include "src/replay/npy.h"

namespace tritonrt::cli {

using replay::in_quotes;
using replay::InputError;

namespace {

// More than any machine holds, and small enough that sizes in bytes do not overflow.
constexpr uint64_t kMaxElements = uint64_t{1} << 48;

bool ends_with_digits_after(std::string_view text, size_t plus) {
  return plus != std::string_view::npos && plus + 1 < text.size() &&
         text.find_first_not_of("0123456789", plus + 1) == std::string_view::npos;
}

uint64_t parse_count(std::string_view text, std::string_view what, uint64_t highest) {
  uint64_t value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value > highest)
    throw InputError(in_quotes(text) + " is not " + std::string(what));
  return value;
}

// Takes `+BYTES` off the end of `text`.
void take_offset(std::string_view& text, ArgSpec& spec) {
  const size_t plus = text.rfind('+');
  if (!ends_with_digits_after(text, plus)) return;
  spec.offset_bytes = parse_count(text.substr(plus + 1), "an offset in bytes", kMaxElements);
  text = text.substr(0, plus);
}

// Takes the suffixes off the end, in either order.
void take_suffixes(std::string_view& text, ArgSpec& spec) {
  take_offset(text, spec);
  constexpr std::string_view kOut = ":out=";
  const size_t out = text.rfind(kOut);
  if (out == std::string_view::npos) return;
  spec.out_file = text.substr(out + kOut.size());
  if (spec.out_file.empty()) throw InputError("':out=' without a file name");
  text = text.substr(0, out);
  if (spec.offset_bytes == 0) take_offset(text, spec);
}

DType parse_type(std::string_view name) {
  const std::optional<DType> dtype = replay::element_type(name);
  if (!dtype)
    throw InputError("unknown type " + in_quotes(name) +
                     "; i1 i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64 f8e4nv f8e5 are known");
  return *dtype;
}

void parse_fill(std::string_view text, ArgSpec& spec) {
  constexpr std::string_view kRandom = "rand";
  if (text == "zero") {
    spec.fill = ArgSpec::Fill::kZero;
  } else if (text == "iota") {
    spec.fill = ArgSpec::Fill::kIota;
  } else if (text == kRandom) {
    spec.fill = ArgSpec::Fill::kRandom;
  } else if (text.substr(0, kRandom.size() + 1) == "rand=") {
    spec.fill = ArgSpec::Fill::kRandom;
    spec.seed = parse_count(text.substr(kRandom.size() + 1), "a seed", ~uint64_t{0});
  } else {
    throw InputError(in_quotes(text) +
                     " is no way to fill a buffer; zero, iota, rand or rand=SEED "
                     "expected");
  }
}

void parse_buffer(std::string_view text, ArgSpec& spec) {
  const size_t colon = text.find(':');
  if (colon == std::string_view::npos)
    throw InputError("a buffer is written *TYPE:N or *TYPE:FILE.npy");
  spec.kind = ArgSpec::Kind::kBuffer;
  spec.dtype = parse_type(text.substr(0, colon));
  const std::string_view source = text.substr(colon + 1);
  const size_t digits = std::min(source.find_first_not_of("0123456789"), source.size());
  if (digits == 0 || (digits < source.size() && source[digits] != ':')) {
    if (source.empty()) throw InputError("a buffer is written *TYPE:N or *TYPE:FILE.npy");
    spec.fill = ArgSpec::Fill::kFile;
    spec.file = source;
    return;
  }
  spec.count = parse_count(source.substr(0, digits), "a number of elements", kMaxElements);
  if (digits < source.size()) parse_fill(source.substr(digits + 1), spec);
}

// Counter-based, so that element i is the same whatever the length.
uint64_t random_bits(uint64_t seed, uint64_t index) {
  uint64_t z = (seed + 1) * 0x9e3779b97f4a7c15 + index * 0xd1342543de82ef95;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

uint64_t random_element(DType dtype, uint64_t bits) {
  if (dtype == DType::kI1) return bits >> 63;
  // 24 bits: every f32 in [-1, 1) that comes out is exact, and none rounds up to 1.
  if (dtype == DType::kF32 || dtype == DType::kF64)
    return replay::encode(dtype, static_cast<double>(bits >> 40) * 0x1p-23 - 1.0);
  // 3 bits behind the point fit every smaller type.
  if (replay::is_float(dtype)) {
    const int digits = dtype == DType::kF16 ? 10 : dtype == DType::kBF16 ? 7 : 2;
    return replay::encode(
        dtype, static_cast<double>(bits >> (63 - digits)) / static_cast<double>(1 << digits) - 1.0);
  }
  return (bits >> 32) % 100;
}

}  // namespace

ArgSpec parse_arg_spec(std::string_view text) {
  ArgSpec spec;
  const bool pointer =
      !text.empty() && (text[0] == '*' || text[0] == '@' || text.substr(0, 4) == "null");
  if (pointer) take_suffixes(text, spec);
  if (text == "null") {
    spec.kind = ArgSpec::Kind::kNull;
    if (spec.offset_bytes != 0 || !spec.out_file.empty()) throw InputError("null takes no suffix");
  } else if (pointer && text[0] == '@') {
    spec.kind = ArgSpec::Kind::kAlias;
    spec.alias = parse_count(text.substr(1), "the index of an argument", 1 << 20);
  } else if (pointer && text[0] == '*') {
    parse_buffer(text.substr(1), spec);
  } else {
    const size_t colon = text.find(':');
    if (colon == std::string_view::npos)
      throw InputError(in_quotes(text) +
                       " is no argument; TYPE:VALUE, *TYPE:N, *TYPE:FILE.npy, @I or "
                       "null expected");
    spec.dtype = parse_type(text.substr(0, colon));
    spec.bits = replay::parse_value(spec.dtype, text.substr(colon + 1));
  }
  return spec;
}

std::string buffer_content(const ArgSpec& spec, size_t index, std::vector<uint64_t>* shape) {
  if (spec.fill == ArgSpec::Fill::kFile) {
    replay::NpyArray array = replay::read_npy(spec.file);
    const bool boolean = array.type == "b1" && spec.dtype == DType::kI1;
    if (array.type != replay::npy_type(spec.dtype) && !boolean)
      throw InputError(in_quotes(spec.file) + " holds " + array.type + "; " +
                       std::string(to_string(spec.dtype)) + " is stored as " +
                       std::string(replay::npy_type(spec.dtype)));
    *shape = array.shape;
    return std::move(array.data);
  }
  *shape = {spec.count};
  const size_t size = size_of(spec.dtype);
  std::string content(spec.count * size, '\0');
  for (uint64_t i = 0; i < spec.count && spec.fill != ArgSpec::Fill::kZero; ++i) {
    uint64_t bits = i;
    if (spec.fill == ArgSpec::Fill::kRandom)
      bits = random_element(spec.dtype, random_bits(spec.seed.value_or(index), i));
    else if (replay::is_float(spec.dtype))
      bits = replay::encode(spec.dtype, static_cast<double>(i));
    else if (spec.dtype == DType::kI1)
      bits = i & 1;
    replay::store_bits(spec.dtype, bits, content.data() + i * size);
  }
  return content;
}

}  // namespace tritonrt::cli
