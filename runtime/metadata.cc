// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/metadata.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

#include "tritonrt/error.h"

namespace tritonrt::runtime {
namespace {

[[noreturn]] void malformed(std::string_view line) {
  throw Error(ErrorCode::kInternal, "malformed kernel metadata: '" + std::string(line) + "'");
}

// Takes what is before the first `separator` off `text`, and the separator with it.
std::string_view take(std::string_view& text, char separator) {
  const std::size_t at = text.find(separator);
  const std::string_view head = text.substr(0, at);
  text = at == std::string_view::npos ? std::string_view() : text.substr(at + 1);
  return head;
}

template <typename T>
T number(std::string_view text, std::string_view line) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) malformed(line);
  return value;
}

Parameter parse_parameter(std::string_view value, std::string_view line) {
  Parameter parameter;
  const std::string_view type = take(value, ' ');
  parameter.type = type;
  parameter.name = take(value, ' ');
  while (!value.empty()) {
    const std::string_view attribute = take(value, ' ');
    if (attribute.starts_with("divisibility="))
      parameter.divisibility = number<std::uint32_t>(attribute.substr(13), line);
  }
  if (parameter.divisibility == 0) parameter.divisibility = 1;
  std::string_view rest = type;
  if (type.starts_with("ptr:")) {
    parameter.kind = Parameter::Kind::kPointer;
    rest.remove_prefix(4);
  } else if (type.starts_with("desc:")) {
    parameter.kind = Parameter::Kind::kDescriptor;
    rest.remove_prefix(5);
    const std::string_view element = take(rest, ':');
    while (!rest.empty())
      parameter.block_shape.push_back(number<std::int64_t>(take(rest, 'x'), line));
    rest = element;
  }
  parameter.dtype = parse_dtype(rest);
  if (parameter.kind == Parameter::Kind::kScalar && parameter.dtype == DType::kUnknown)
    malformed(line);
  return parameter;
}

WaitOp parse_wait(std::string_view value, std::string_view line) {
  WaitOp wait;
  wait.number = number<std::int32_t>(take(value, ' '), line);
  wait.line = number<std::uint32_t>(take(value, ' '), line);
  wait.op = value;
  return wait;
}

AccessOp parse_access(std::string_view value, std::string_view line) {
  AccessOp access;
  for (const char letter : take(value, ' ')) {
    access.kind.writes |= letter == 'w';
    access.kind.atomic |= letter == 'a';
    access.kind.acquires |= letter == '<';
    access.kind.releases |= letter == '>';
  }
  static_cast<WaitOp&>(access) = parse_wait(value, line);
  return access;
}

// Undoes the escapes of a text of metadata.
std::string unescape(std::string_view text, std::string_view line) {
  std::string result;
  while (!text.empty()) {
    const char c = text.front();
    text.remove_prefix(1);
    if (c != '\\') {
      result += c;
      continue;
    }
    unsigned byte = 0;
    const auto [end, error] =
        std::from_chars(text.data(), text.data() + std::min<std::size_t>(text.size(), 2), byte, 16);
    if (error != std::errc() || end != text.data() + 2) malformed(line);
    result += static_cast<char>(byte);
    text.remove_prefix(2);
  }
  return result;
}

ReportValue parse_report_value(std::string_view text, std::string_view line) {
  ReportValue value;
  const std::string_view type = take(text, ':');
  value.is_pointer = type == "ptr";
  value.dtype = parse_dtype(type == "u1" ? "i1" : type);
  if (value.dtype == DType::kUnknown && !value.is_pointer) malformed(line);
  while (!text.empty()) {
    value.shape.push_back(number<std::int64_t>(take(text, 'x'), line));
    value.count *= static_cast<std::uint64_t>(value.shape.back());
  }
  return value;
}

ReportOp parse_report(std::string_view value, std::string_view line) {
  ReportOp op;
  op.line = number<std::uint32_t>(take(value, ' '), line);
  op.source = unescape(take(value, ' '), line);
  if (op.source == "-") op.source.clear();
  const std::string_view kind = take(value, ' ');
  op.is_assert = kind == "assert";
  if (!op.is_assert) {
    if (kind != "print") malformed(line);
    op.hex = take(value, ' ') == "1";
    std::string_view values = take(value, ' ');
    while (!values.empty() && values != "-")
      op.values.push_back(parse_report_value(take(values, ','), line));
  }
  op.text = unescape(value, line);
  return op;
}

void apply_writes(std::string_view list, std::vector<Parameter>& parameters,
                  std::string_view line) {
  for (Parameter& parameter : parameters) parameter.written = false;
  while (!list.empty()) {
    const auto index = number<std::size_t>(take(list, ','), line);
    if (index >= parameters.size()) malformed(line);
    parameters[index].written = true;
  }
}

}  // namespace

Metadata Metadata::parse(std::string_view text) {
  Metadata m;
  std::optional<std::string_view> writes;
  std::vector<ReportOp> reports;
  while (!text.empty()) {
    const std::string_view line = take(text, '\n');
    std::string_view value = line;
    const std::string_view key = take(value, '=');
    if (key == "kernel")
      m.kernel = value;
    else if (key == "entry")
      m.entry = value;
    else if (key == "work_items")
      m.work_items = number<std::uint32_t>(value, line);
    else if (key == "scratch_bytes")
      m.scratch_bytes = number<std::uint64_t>(value, line);
    else if (key == "local_bytes")
      m.local_bytes = number<std::uint64_t>(value, line);
    else if (key == "build_options")
      m.build_options = value;
    else if (key == "stop")
      m.stop = value == "1";
    else if (key == "arguments")
      m.arguments = value;
    else if (key == "work")
      m.work = number<std::uint64_t>(value, line);
    else if (key == "waits")
      m.waits = value == "1";
    else if (key == "mesh")
      m.mesh = value == "1";
    else if (key == "spills")
      m.spills = value == "1";
    else if (key == "mesh_bytes")
      m.mesh_bytes = number<std::uint64_t>(value, line);
    else if (key == "mesh_grid")
      m.mesh_grid = value == "1";
    else if (key == "access")
      m.accesses.push_back(parse_access(value, line));
    else if (key == "mesh_alike")
      m.mesh_alike = value == "1";
    else if (key == "mesh_groups")
      m.mesh_groups = number<std::uint32_t>(value, line);
    else if (key == "mesh_local")
      m.mesh_local = number<std::uint64_t>(value, line);
    else if (key == "mesh_split")
      m.mesh_split = number<std::uint64_t>(value, line);
    else if (key == "max_shard")
      m.max_shard = number<std::int64_t>(value, line);
    else if (key == "writes")
      writes = value;
    else if (key == "wait")
      m.wait_ops.push_back(parse_wait(value, line));
    else if (key == "report")
      reports.push_back(parse_report(value, line));
    else if (key == "arg")
      m.parameters.push_back(parse_parameter(value, line));
  }
  if (!reports.empty())
    m.reports = std::make_shared<KernelReports>(KernelReports{m.kernel, std::move(reports)});
  // Without the list every pointer may be written.
  for (Parameter& parameter : m.parameters)
    parameter.written = parameter.kind != Parameter::Kind::kScalar;
  if (writes) apply_writes(*writes, m.parameters, "writes=" + std::string(*writes));
  if (m.work == 0) m.work = 1;
  if (m.work_items == 0) m.work_items = 1;
  return m;
}

}  // namespace tritonrt::runtime
