// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "src/replay/launch_case.h"

#include <limits>
#include <nlohmann/json.hpp>

#include "src/replay/file_io.h"
#include "src/replay/npy.h"
#include "tritonrt/args.h"

namespace fs = std::filesystem;
using Json = nlohmann::json;

namespace tritonrt::replay {
namespace {

constexpr size_t kMaxDocumentBytes = size_t{256} << 20;

// A value of a document together with where it stands, for messages.
class Node {
 public:
  Node(const Json& json, std::string where) : json_(json), where_(std::move(where)) {}

  [[noreturn]] void fail(const std::string& what) const { throw InputError(where_ + ": " + what); }

  bool has(const char* key) const { return json_.is_object() && json_.contains(key); }

  Node at(const char* key) const {
    if (!json_.is_object()) fail("an object expected");
    auto found = json_.find(key);
    if (found == json_.end()) fail(std::string("the key '") + key + "' is missing");
    return Node(*found, where_ + "." + key);
  }

  std::vector<Node> items() const {
    if (!json_.is_array()) fail("a list expected");
    std::vector<Node> nodes;
    nodes.reserve(json_.size());
    for (size_t i = 0; i < json_.size(); ++i)
      nodes.emplace_back(json_[i], where_ + "[" + std::to_string(i) + "]");
    return nodes;
  }

  std::string text() const {
    if (!json_.is_string()) fail("a string expected");
    return json_.get<std::string>();
  }

  // A non-negative integer up to `highest`.
  uint64_t count(uint64_t highest) const {
    if (!json_.is_number_integer() || (!json_.is_number_unsigned() && json_.get<int64_t>() < 0))
      fail("a non-negative integer expected");
    const uint64_t value = json_.get<uint64_t>();
    if (value > highest)
      fail(std::to_string(value) + " is over the limit of " + std::to_string(highest));
    return value;
  }

  double number() const {
    if (!json_.is_number()) fail("a number expected");
    return json_.get<double>();
  }

  bool flag() const {
    if (!json_.is_boolean()) fail("true or false expected");
    return json_.get<bool>();
  }

  bool flag_or(const char* key, bool otherwise) const {
    return has(key) ? at(key).flag() : otherwise;
  }

  const Json& json() const { return json_; }

 private:
  const Json& json_;
  std::string where_;
};

Json read_document(const fs::path& path) {
  const std::string text = read_file(path, kMaxDocumentBytes);
  if (text.empty()) throw InputError("'" + path.string() + "' is empty");
  try {
    return Json::parse(text);
  } catch (const Json::exception& error) {
    throw InputError("'" + path.string() + "' is not valid JSON: " + error.what());
  }
}

DType read_dtype(const Node& node) {
  const std::string name = node.text();
  const std::optional<DType> dtype = element_type(name);
  if (!dtype) node.fail("unknown type '" + name + "'");
  return *dtype;
}

class CaseReader {
 public:
  CaseReader(const fs::path& folder, const Node& root) : folder_(folder), root_(root) {}

  LaunchCase read() {
    if (root_.at("schema").count(std::numeric_limits<uint32_t>::max()) != 1)
      root_.at("schema").fail("only schema 1 is known");
    case_.name = root_.at("name").text();
    case_.ttir = path_inside(folder_, root_.at("ttir").text());
    case_.entry = root_.at("entry").text();
    read_grid();
    const std::vector<Node> buffers = root_.at("buffers").items();
    for (const Node& buffer : buffers) read_buffer(buffer);
    for (size_t i = 0; i < buffers.size(); ++i) read_pointer_table(buffers[i], case_.buffers[i]);
    for (const Node& argument : root_.at("args").items()) read_argument(argument);
    read_options();
    return std::move(case_);
  }

 private:
  void read_grid() {
    const std::vector<Node> sizes = root_.at("grid").items();
    if (sizes.empty() || sizes.size() > 3) root_.at("grid").fail("one to three sizes expected");
    for (size_t i = 0; i < sizes.size(); ++i)
      case_.grid[i] = static_cast<uint32_t>(sizes[i].count(std::numeric_limits<uint32_t>::max()));
  }

  void read_options() {
    const auto option = [&](const char* key) -> std::optional<uint32_t> {
      if (!root_.has(key)) return std::nullopt;
      return static_cast<uint32_t>(root_.at(key).count(1024));
    };
    case_.num_warps = option("num_warps");
    case_.num_stages = option("num_stages");
    if (root_.has("mesh") && root_.flag_or("cooperative", true)) {
      const size_t dimensions = root_.at("mesh").items().size();
      if (dimensions == 0 || dimensions > 3) root_.at("mesh").fail("one to three sizes expected");
      for (const Node& size : root_.at("mesh").items())
        case_.mesh.push_back(static_cast<uint32_t>(size.count(1 << 20)));
    }
    case_.must_refuse = root_.flag_or("must_refuse", false);
    case_.race = root_.flag_or("race", false);
    // A flag, or a sample of the message.
    case_.expect_error = root_.has("expect_error") && root_.at("expect_error").json() != false;
  }

  std::string read_block(const Node& file, DType dtype, uint64_t numel) {
    NpyArray array = read_npy(path_inside(folder_, file.text()));
    if (array.type != npy_type(dtype))
      file.fail("the file holds " + array.type + ", " + std::string(to_string(dtype)) +
                " is stored as " + std::string(npy_type(dtype)));
    if (array.element_count() != numel)
      file.fail("the file holds " + std::to_string(array.element_count()) + " elements, numel is " +
                std::to_string(numel));
    return std::move(array.data);
  }

  void read_buffer(const Node& node) {
    CaseBuffer buffer;
    buffer.id = node.at("id").text();
    if (find_buffer(buffer.id)) node.at("id").fail("a second buffer '" + buffer.id + "'");
    buffer.dtype = read_dtype(node.at("dtype"));
    const uint64_t numel = node.at("numel").count(kMaxNpyBytes);
    buffer.content = read_block(node.at("file"), buffer.dtype, numel);
    buffer.check = node.flag_or("check", true);
    if (node.has("expected")) {
      buffer.expected = read_block(node.at("expected"), buffer.dtype, numel);
      if (node.has("rtol")) buffer.tolerance.rtol = read_tolerance(node.at("rtol"));
      if (node.has("atol")) buffer.tolerance.atol = read_tolerance(node.at("atol"));
    }
    case_.buffers.push_back(std::move(buffer));
  }

  static double read_tolerance(const Node& node) {
    const double value = node.number();
    if (!(value >= 0)) node.fail("a tolerance is not negative");
    return value;
  }

  void read_pointer_table(const Node& node, CaseBuffer& buffer) {
    if (!node.has("pointer_table")) return;
    const std::vector<Node> entries = node.at("pointer_table").items();
    if (size_of(buffer.dtype) != sizeof(uint64_t))
      node.fail("a table of addresses has 8-byte elements");
    if (entries.size() * sizeof(uint64_t) != buffer.content.size())
      node.at("pointer_table").fail("one entry for each element expected");
    for (const Node& entry : entries)
      buffer.pointer_table.push_back(entry.json().is_null() ? std::nullopt
                                                            : std::optional(read_address(entry)));
  }

  Address read_address(const Node& node) {
    const std::string id = node.at("buffer").text();
    const std::optional<size_t> buffer = find_buffer(id);
    if (!buffer) node.at("buffer").fail("there is no buffer '" + id + "'");
    Address address;
    address.buffer = *buffer;
    if (node.has("offset_bytes"))
      address.offset_bytes = node.at("offset_bytes").count(case_.buffers[*buffer].content.size());
    return address;
  }

  void read_argument(const Node& node) {
    // A descriptor's own shape and strides come with the descriptor.
    if (node.has("of")) return;
    CaseArgument argument;
    argument.name = node.at("name").text();
    const std::string kind = node.at("kind").text();
    if (kind == "scalar") {
      argument.kind = CaseArgument::Kind::kScalar;
      argument.dtype = read_dtype(node.at("dtype"));
      argument.bits = read_scalar(argument.dtype, node.at("value"));
    } else if (kind == "pointer" || kind == "tensordesc") {
      argument.kind =
          kind == "pointer" ? CaseArgument::Kind::kPointer : CaseArgument::Kind::kDescriptor;
      argument.null = kind == "pointer" && node.at("buffer").json().is_null();
      if (!argument.null) argument.address = read_address(node);
      if (argument.kind == CaseArgument::Kind::kDescriptor) read_extents(node, argument);
    } else {
      node.at("kind").fail("unknown kind '" + kind + "'");
    }
    case_.arguments.push_back(std::move(argument));
  }

  static void read_extents(const Node& node, CaseArgument& argument) {
    for (const Node& size : node.at("shape").items())
      argument.shape.push_back(
          static_cast<int32_t>(size.count(std::numeric_limits<int32_t>::max())));
    for (const Node& stride : node.at("strides").items())
      argument.strides.push_back(
          static_cast<int64_t>(stride.count(std::numeric_limits<int64_t>::max())));
    if (argument.shape.empty() || argument.shape.size() > TensorDescriptor::kMaxRank ||
        argument.shape.size() != argument.strides.size())
      node.fail("shape and strides of the same rank, 1 to " +
                std::to_string(TensorDescriptor::kMaxRank) + ", expected");
  }

  static uint64_t read_scalar(DType dtype, const Node& node) {
    const Json& value = node.json();
    try {
      if (value.is_boolean()) return encode(dtype, value.get<bool>());
      // The text keeps 64-bit integers whole.
      if (value.is_number_integer()) return parse_value(dtype, value.dump());
      if (value.is_number() && is_float(dtype)) return encode(dtype, value.get<double>());
      if (value.is_string() && is_float(dtype)) return parse_value(dtype, node.text());
    } catch (const InputError& error) {
      node.fail(error.what());
    }
    node.fail("a value of type " + std::string(to_string(dtype)) + " expected");
  }

  std::optional<size_t> find_buffer(const std::string& id) const {
    for (size_t i = 0; i < case_.buffers.size(); ++i)
      if (case_.buffers[i].id == id) return i;
    return std::nullopt;
  }

  const fs::path& folder_;
  const Node& root_;
  LaunchCase case_;
};

}  // namespace

LaunchCase read_launch_case(const fs::path& folder) {
  const fs::path path = folder / "case.json";
  const Json document = read_document(path);
  const Node root(document, path.string());
  return CaseReader(folder, root).read();
}

std::vector<CaseFolder> find_cases(const fs::path& path) {
  std::error_code error;
  if (fs::exists(path / "case.json", error)) {
    const fs::path folder = path.has_filename() ? path : path.parent_path();
    return {{fs::absolute(folder, error).filename().string(), folder}};
  }
  const fs::path index = path / "index.json";
  if (!fs::exists(index, error)) return {};
  const Json document = read_document(index);
  const Node root(document, index.string());
  std::vector<CaseFolder> cases;
  for (const Node& entry : root.at("cases").items()) {
    const fs::path folder = path_inside(path, entry.at("dir").text());
    cases.push_back(
        {entry.has("name") ? entry.at("name").text() : folder.filename().string(), folder});
  }
  return cases;
}

}  // namespace tritonrt::replay
