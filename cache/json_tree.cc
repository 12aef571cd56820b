// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cache/json_tree.h"

#ifdef __SSE2__
#define RAPIDJSON_SSE2  // texts and white space are skipped in blocks
#endif
#include <rapidjson/error/en.h>
#include <rapidjson/reader.h>

#include "cache/zip_file.h"

namespace tritonrt::cache {

// Takes the parser's events; false stops it.
struct JsonTree::Builder {
  using Size = rapidjson::SizeType;

  explicit Builder(std::vector<Node>& nodes) : nodes(nodes) { nodes.resize(1); }

  bool Null() { return add(Kind::kNull, {}); }
  bool Bool(bool value) { return add(value ? Kind::kTrue : Kind::kFalse, {}); }
  bool RawNumber(const char* text, Size size, bool) { return add(Kind::kNumber, {text, size}); }
  bool String(const char* text, Size size, bool) { return add(Kind::kString, {text, size}); }
  bool Key(const char* text, Size size, bool) {
    key = {text, size};
    return true;
  }
  bool StartObject() { return open(Kind::kObject); }
  bool StartArray() { return open(Kind::kArray); }
  bool EndObject(Size) { return close(); }
  bool EndArray(Size) { return close(); }
  // Numbers come as they are written.
  bool Int(int) { return false; }
  bool Uint(unsigned) { return false; }
  bool Int64(std::int64_t) { return false; }
  bool Uint64(std::uint64_t) { return false; }
  bool Double(double) { return false; }

  bool add(Kind kind, std::string_view text) {
    if (nodes.size() > kMaxNodes) return false;
    const auto index = static_cast<std::uint32_t>(nodes.size());
    nodes.push_back({key, text, 0, 0, kind});
    key = {};
    if (!parents.empty()) {
      Parent& parent = parents.back();
      (parent.last == 0 ? nodes[parent.index].first : nodes[parent.last].next) = index;
      parent.last = index;
    }
    return true;
  }
  bool open(Kind kind) {
    if (!add(kind, {})) return false;
    parents.push_back({static_cast<std::uint32_t>(nodes.size() - 1), 0});
    return true;
  }
  bool close() {
    parents.pop_back();
    return true;
  }

  struct Parent {
    std::uint32_t index;
    std::uint32_t last;  // child so far
  };
  std::vector<Node>& nodes;
  std::vector<Parent> parents;
  std::string_view key;
};

JsonTree::JsonTree(std::string& document) {
  // Blocks may reach beyond the end; the parser stops at the first NUL.
  document.append(16, '\0');
  nodes_.reserve(document.size() / 16);
  Builder builder(nodes_);
  rapidjson::InsituStringStream stream(document.data());
  rapidjson::Reader reader;
  constexpr unsigned kFlags = rapidjson::kParseInsituFlag | rapidjson::kParseIterativeFlag |
                              rapidjson::kParseNumbersAsStringsFlag;
  const rapidjson::ParseResult result = reader.Parse<kFlags>(stream, builder);
  if (!result)
    throw BundleError("manifest.json, byte " + std::to_string(result.Offset()) + ": " +
                      rapidjson::GetParseError_En(result.Code()));
}

}  // namespace tritonrt::cache
