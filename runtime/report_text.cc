// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/report_text.h"

#include <charconv>
#include <cinttypes>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <iterator>

#include "compiler/api/kernel_abi.h"
#include "runtime/small_float.h"

namespace tritonrt::runtime {
namespace {

std::uint64_t aligned(std::uint64_t bytes) {
  return (bytes + TRITONRT_REPORT_UNIT - 1) / TRITONRT_REPORT_UNIT * TRITONRT_REPORT_UNIT;
}

std::uint64_t value_bytes(const ReportValue& value) {
  return value.count * (value.is_pointer ? 8 : size_of(value.dtype));
}

template <typename... Args>
std::string format(const char* pattern, Args... args) {
  char text[64];
  std::snprintf(text, sizeof text, pattern, args...);
  return text;
}

bool is_float(DType type) { return type >= DType::kF16; }
bool is_unsigned(DType type) { return type >= DType::kU8 && type <= DType::kU64; }

// Hexadecimal digits that the type's width fills: none for an i1.
int hex_digits(const ReportValue& value) {
  if (value.is_pointer) return 16;
  return value.dtype == DType::kI1 ? 0 : static_cast<int>(2 * size_of(value.dtype));
}

// Whatever the process' locale: six digits behind the point, or C's %a.
std::string float_text(double value, bool hex) {
  char text[400];  // the longest f64 has 317 characters
  const double magnitude = std::fabs(value);
  const auto end =
      hex ? std::to_chars(text, std::end(text), magnitude, std::chars_format::hex)
          : std::to_chars(text, std::end(text), magnitude, std::chars_format::fixed, 6);
  const char* const prefix = hex && std::isfinite(value) ? "0x" : "";
  return (std::signbit(value) ? "-" : "") + (prefix + std::string(text, end.ptr));
}

std::string element_text(const ReportValue& value, bool hex, std::uint64_t bits) {
  const int width = static_cast<int>(8 * (value.is_pointer ? 8 : size_of(value.dtype)));
  if (!value.is_pointer && is_float(value.dtype))
    return float_text(decode_float(value.dtype, bits), hex);
  if (value.is_pointer || hex) return format("0x%0*" PRIx64, hex_digits(value), bits);
  if (value.dtype == DType::kI1) return (bits & 1) != 0 ? "1" : "0";
  if (is_unsigned(value.dtype)) return format("%" PRIu64, bits);
  const auto extended = static_cast<std::int64_t>(bits << (64 - width)) >> (64 - width);
  return format("%" PRId64, extended);
}

std::uint64_t load(const char* at, std::size_t bytes) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, at, bytes);
  return bits;
}

// "(  3, 12)": each index as wide as the last one of its dimension.
std::string index_text(const std::vector<std::int64_t>& shape, std::uint64_t element) {
  std::string text;
  for (std::size_t d = shape.size(); d-- > 0;) {
    const auto size = static_cast<std::uint64_t>(shape[d]);
    const int width = static_cast<int>(std::ceil(std::log10(static_cast<double>(size))));
    const std::string index = format("%*" PRIu64, width, element % size);
    text = text.empty() ? index : index + ", " + text;
    element /= size;
  }
  return text;
}

std::string program_text(const std::uint32_t (&program)[3]) {
  return format("(%" PRIu32 ", %" PRIu32 ", %" PRIu32 ")", program[0], program[1], program[2]);
}

}  // namespace

std::uint64_t record_bytes(const ReportOp& op) {
  std::uint64_t bytes = sizeof(trt_report_record);
  for (const ReportValue& value : op.values) bytes += aligned(value_bytes(value));
  return bytes;
}

void print_lines(const ReportOp& op, const std::uint32_t (&program)[3], const char* values,
                 const std::function<void(std::string_view)>& line) {
  const std::string head = "pid " + program_text(program);
  if (op.values.empty()) {
    line(head + op.text);
    return;
  }
  for (std::size_t i = 0; i < op.values.size(); ++i) {
    const ReportValue& value = op.values[i];
    const std::size_t bytes = value.is_pointer ? 8 : size_of(value.dtype);
    const std::string which =
        op.values.size() > 1 ? "(operand " + std::to_string(i) + ") " : std::string();
    for (std::uint64_t element = 0; element < value.count; ++element)
      line(head + " idx (" + index_text(value.shape, element) + ")" + op.text + which +
           element_text(value, op.hex, load(values + element * bytes, bytes)));
    values += aligned(value_bytes(value));
  }
}

std::string assert_message(const std::string& kernel, const ReportOp& op,
                           const std::uint32_t (&program)[3]) {
  return "kernel '" + kernel + "': device assert: " + op.text + " (program " +
         program_text(program) + ", line " + std::to_string(op.line) +
         (op.source.empty() ? "" : ", " + op.source) + ")";
}

}  // namespace tritonrt::runtime
