// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cache/manifest_document.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "cache/json_tree.h"
#include "cache/zip_file.h"

namespace tritonrt::cache {
namespace {

using Node = JsonTree::Node;
using Kind = JsonTree::Kind;

// Around the kernels, where each stands in a line of its own.
constexpr std::string_view kListBegin = "\n\"kernels\":[\n";
constexpr std::string_view kListEnd = "]}\n";

// Reads fields of a document that may be anything.
class Reader {
 public:
  explicit Reader(const JsonTree& tree) : tree_(tree) {}

  const Node* find(const Node& object, std::string_view key) const {
    if (object.kind != Kind::kObject) throw BundleError("manifest.json: an object was expected");
    for (std::uint32_t i = object.first; i != 0; i = tree_.at(i).next)
      if (tree_.at(i).key == key) return &tree_.at(i);
    return nullptr;
  }

  std::string_view text(const Node& object, std::string_view key) const {
    const Node* value = find(object, key);
    if (value == nullptr) return {};
    if (value->kind != Kind::kString) bad(key, "a string");
    return value->text;
  }

  std::uint64_t number(const Node& object, std::string_view key, std::uint64_t fallback) const {
    const Node* value = find(object, key);
    if (value == nullptr) return fallback;
    std::uint64_t number = 0;
    const std::string_view text = value->text;
    const auto [end, error] = std::from_chars(text.begin(), text.end(), number);
    if (value->kind != Kind::kNumber || error != std::errc() || end != text.end())
      bad(key, "a whole number");
    return number;
  }

  bool flag(const Node& object, std::string_view key, bool fallback) const {
    const Node* value = find(object, key);
    if (value == nullptr) return fallback;
    if (value->kind != Kind::kTrue && value->kind != Kind::kFalse) bad(key, "true or false");
    return value->kind == Kind::kTrue;
  }

  template <typename F>
  void each(const Node& object, std::string_view key, F call) const {
    const Node* value = find(object, key);
    if (value == nullptr) return;
    if (value->kind != Kind::kArray) bad(key, "an array");
    for (std::uint32_t i = value->first; i != 0; i = tree_.at(i).next) call(tree_.at(i));
  }

  BlobName blob(const Node& object, std::string_view key) const {
    const std::string_view name = text(object, key);
    if (!name.empty() && !is_blob_name(name)) bad(key, "the name of an entry");
    return name;
  }

  // Numbers and flags are texts to whoever reads these.
  TextPairs pairs(const Node& object, std::string_view key) const {
    TextPairs pairs;
    const Node* value = find(object, key);
    if (value == nullptr) return pairs;
    if (value->kind != Kind::kObject) bad(key, "an object");
    for (std::uint32_t i = value->first; i != 0; i = tree_.at(i).next) {
      const Node& member = tree_.at(i);
      if (member.kind == Kind::kArray || member.kind == Kind::kObject)
        bad(key, "an object of texts and numbers");
      const bool has_text = member.kind == Kind::kString || member.kind == Kind::kNumber;
      pairs.emplace_back(member.key, has_text                      ? member.text
                                     : member.kind == Kind::kTrue  ? "true"
                                     : member.kind == Kind::kFalse ? "false"
                                                                   : "null");
    }
    std::sort(pairs.begin(), pairs.end());
    return pairs;
  }

  [[noreturn]] static void bad(std::string_view key, const char* expected) {
    throw BundleError("manifest.json: '" + std::string(key) + "' is not " + expected);
  }

 private:
  const JsonTree& tree_;
};

ManifestVariant read_variant(const Reader& read, const Node& value, std::size_t targets) {
  ManifestVariant variant;
  variant.target = read.number(value, "target", targets);
  if (variant.target >= targets) Reader::bad("target", "the index of a target");
  if (const Node* when = read.find(value, "when")) {
    variant.disjoint = read.flag(*when, "disjoint", false);
    variant.aligned = read.flag(*when, "aligned", false);
  }
  variant.code = read.blob(value, "code");
  variant.metadata = read.blob(value, "metadata");
  variant.binary = read.blob(value, "binary");
  if (variant.code.empty() || variant.metadata.empty())
    throw BundleError("manifest.json: a variant has no code or no metadata");
  return variant;
}

ManifestKernel read_kernel(const Reader& read, const Node& value, std::size_t targets) {
  ManifestKernel kernel;
  kernel.name = read.text(value, "name");
  kernel.id = read.text(value, "id");
  kernel.source = read.blob(value, "source");
  if (kernel.name.empty() || kernel.source.empty())
    throw BundleError("manifest.json: a kernel has no name or no source");
  kernel.family = read.text(value, "family");
  kernel.options = read.pairs(value, "options");
  kernel.constexprs = read.pairs(value, "constexprs");
  kernel.grid = read.text(value, "grid");
  kernel.shared = read.number(value, "shared", 0);
  read.each(value, "signature", [&](const Node& item) {
    ManifestParameter parameter;
    parameter.type = read.text(item, "type");
    parameter.name = read.text(item, "name");
    parameter.divisibility = static_cast<std::uint32_t>(
        std::min<std::uint64_t>(read.number(item, "divisibility", 1), 1u << 30));
    parameter.written = read.flag(item, "written", true);
    // These go into lines of metadata.
    for (const std::string_view text : {parameter.type, parameter.name})
      if (text.find_first_of(" \n") != std::string_view::npos)
        Reader::bad("signature", "a list of parameters");
    kernel.parameters.push_back(parameter);
  });
  read.each(value, "variants", [&](const Node& item) {
    kernel.variants.push_back(read_variant(read, item, targets));
  });
  return kernel;
}

// Takes `key` and the rest of the text that it opens off a line; false where they are not there, or
// the text has escapes.
bool take_text(std::string_view& line, std::string_view key, std::string_view& text) {
  if (!line.starts_with(key)) return false;
  const std::size_t end = line.find_first_of("\"\\", key.size());
  if (end == std::string_view::npos || line[end] != '"') return false;
  text = line.substr(key.size(), end - key.size());
  line.remove_prefix(end + 1);
  return true;
}

}  // namespace

ManifestDocument::ManifestDocument(std::string document) : document_(std::move(document)) {
  const std::size_t list = document_.find(kListBegin);
  if (list != std::string::npos) {
    const std::size_t first = list + kListBegin.size();
    std::vector<Entry> lines;
    if (split(std::string_view(document_).substr(first), lines)) {
      // A whole document without these lines, and without a kernel: so they were in its list.
      head_ = document_.substr(0, first).append(kListEnd);
      if (read_head().empty()) {
        entries_ = std::move(lines);
        parsed_.resize(entries_.size());
        return;
      }
    }
  }
  head_ = std::move(document_);
  document_.clear();
  entries_ = read_head();
}

bool ManifestDocument::split(std::string_view list, std::vector<Entry>& lines) {
  if (!list.ends_with(kListEnd)) return false;
  list.remove_suffix(kListEnd.size());
  while (!list.empty()) {
    std::string_view line = list.substr(0, list.find('\n'));
    list.remove_prefix(std::min(list.size(), line.size() + 1));
    if (!list.empty()) {
      if (!line.ends_with(',')) return false;
      line.remove_suffix(1);
    }
    Entry& entry = lines.emplace_back();
    entry.text = line;
    if (!take_text(line, "{\"name\":\"", entry.name) || !take_text(line, ",\"id\":\"", entry.id) ||
        !take_text(line, ",\"source\":\"", entry.source))
      return false;
  }
  return true;
}

std::vector<ManifestDocument::Entry> ManifestDocument::read_head() {
  const JsonTree tree(head_);
  const Reader read(tree);
  const Node& json = tree.root();
  const std::uint64_t format = read.number(json, "format", 0);
  if (format != Manifest::kFormat)
    throw BundleError("it has format " + std::to_string(format) + ", this library reads format " +
                      std::to_string(Manifest::kFormat));
  kernel_abi_ = static_cast<std::uint32_t>(read.number(json, "kernel_abi", 0));
  compiler_ = read.text(json, "compiler");
  targets_.clear();
  parsed_.clear();
  read.each(json, "targets", [&](const Node& item) {
    targets_.push_back({read.text(item, "name"), read.text(item, "description")});
  });
  std::vector<Entry> entries;
  read.each(json, "kernels", [&](const Node& item) {
    auto parsed = std::make_unique<Parsed>();
    parsed->kernel = read_kernel(read, item, targets_.size());
    entries.push_back({{}, parsed->kernel.name, parsed->kernel.id, parsed->kernel.source});
    parsed_.push_back(std::move(parsed));
  });
  return entries;
}

const ManifestKernel& ManifestDocument::kernel(std::size_t index) const {
  const std::lock_guard lock(mutex_);
  std::unique_ptr<Parsed>& slot = parsed_[index];
  if (slot == nullptr) {
    auto parsed = std::make_unique<Parsed>();
    parsed->text = entries_[index].text;
    const JsonTree tree(parsed->text);
    parsed->kernel = read_kernel(Reader(tree), tree.root(), targets_.size());
    slot = std::move(parsed);
  }
  return slot->kernel;
}

}  // namespace tritonrt::cache
