// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cache/manifest.h"

#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <algorithm>
#include <charconv>

#include "cache/json_tree.h"
#include "cache/key.h"
#include "cache/zip_file.h"

namespace tritonrt::cache {
namespace {

using Node = JsonTree::Node;
using Kind = JsonTree::Kind;

constexpr std::size_t kHashDigits = 64;

std::string hex(const Sha256& digest) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (const unsigned char byte : digest) {
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

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
    const char* last = value->text.data() + value->text.size();
    const auto [end, error] = std::from_chars(value->text.data(), last, number);
    if (value->kind != Kind::kNumber || error != std::errc() || end != last)
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

using Writer = rapidjson::Writer<rapidjson::StringBuffer>;

void write(Writer& out, const char* key, std::string_view text) {
  out.Key(key);
  out.String(text.data(), static_cast<rapidjson::SizeType>(text.size()));
}

void write(Writer& out, const char* key, const TextPairs& pairs) {
  out.Key(key);
  out.StartObject();
  for (const auto& [name, value] : pairs) write(out, std::string(name).c_str(), value);
  out.EndObject();
}

void write(Writer& out, const ManifestParameter& parameter) {
  out.StartObject();
  write(out, "type", parameter.type);
  write(out, "name", parameter.name);
  if (parameter.divisibility != 1) {
    out.Key("divisibility");
    out.Uint(parameter.divisibility);
  }
  if (!parameter.written) {
    out.Key("written");
    out.Bool(false);
  }
  out.EndObject();
}

void write(Writer& out, const ManifestVariant& variant) {
  out.StartObject();
  out.Key("target");
  out.Uint64(variant.target);
  out.Key("when");
  out.StartObject();
  out.Key("disjoint");
  out.Bool(variant.disjoint);
  out.Key("aligned");
  out.Bool(variant.aligned);
  out.EndObject();
  write(out, "code", variant.code);
  write(out, "metadata", variant.metadata);
  if (!variant.binary.empty()) write(out, "binary", variant.binary);
  out.EndObject();
}

void write(Writer& out, const ManifestTarget& target) {
  out.StartObject();
  write(out, "name", target.name);
  write(out, "description", target.description);
  out.EndObject();
}

void write(Writer& out, const ManifestKernel& kernel) {
  out.StartObject();
  write(out, "name", kernel.name);
  write(out, "id", kernel.id);
  write(out, "source", kernel.source);
  write(out, "options", kernel.options);
  write(out, "constexprs", kernel.constexprs);
  write(out, "grid", kernel.grid);
  out.Key("shared");
  out.Uint64(kernel.shared);
  out.Key("signature");
  out.StartArray();
  for (const ManifestParameter& parameter : kernel.parameters) write(out, parameter);
  out.EndArray();
  out.Key("variants");
  out.StartArray();
  for (const ManifestVariant& variant : kernel.variants) write(out, variant);
  out.EndArray();
  out.EndObject();
}

}  // namespace

bool is_blob_name(std::string_view name) {
  const std::size_t slash = name.find('/');
  const std::size_t dot = name.find('.', slash == std::string_view::npos ? 0 : slash);
  if (slash == 0 || slash == std::string_view::npos || dot != slash + 1 + kHashDigits) return false;
  const auto is_plain = [](std::string_view text) {
    return !text.empty() && text.size() <= 16 && std::all_of(text.begin(), text.end(), [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    });
  };
  const std::string_view digits = name.substr(slash + 1, kHashDigits);
  return is_plain(name.substr(0, slash)) && is_plain(name.substr(dot + 1)) &&
         digits.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

std::string blob_name(std::string_view folder, std::string_view content, std::string_view suffix) {
  return std::string(folder) + "/" + hex(sha256(content)) + "." + std::string(suffix);
}

bool is_blob(BlobName name, std::string_view content) {
  const std::size_t slash = name.find('/');
  return slash != std::string_view::npos &&
         name.substr(slash + 1, kHashDigits) == hex(sha256(content));
}

Manifest Manifest::parse(std::string document) {
  Manifest manifest;
  const JsonTree tree(manifest.texts.emplace_back(std::move(document)));
  const Reader read(tree);
  const Node& json = tree.root();
  const std::uint64_t format = read.number(json, "format", 0);
  if (format != kFormat)
    throw BundleError("it has format " + std::to_string(format) + ", this library reads format " +
                      std::to_string(kFormat));
  manifest.kernel_abi = static_cast<std::uint32_t>(read.number(json, "kernel_abi", 0));
  manifest.compiler = read.text(json, "compiler");
  read.each(json, "targets", [&](const Node& item) {
    manifest.targets.push_back({read.text(item, "name"), read.text(item, "description")});
  });
  read.each(json, "kernels", [&](const Node& item) {
    manifest.kernels.push_back(read_kernel(read, item, manifest.targets.size()));
  });
  return manifest;
}

std::string Manifest::to_json() const {
  // A kernel and a target a line: for people, and for `diff`.
  std::string text = "{\"format\":" + std::to_string(kFormat) +
                     ",\"kernel_abi\":" + std::to_string(kernel_abi) + ",";
  const auto append = [&](auto print) {
    rapidjson::StringBuffer buffer;
    Writer out(buffer);
    print(out);
    text.append(buffer.GetString(), buffer.GetSize());
  };
  const auto list = [&](const char* name, const auto& items) {
    text.append("\n\"").append(name).append("\":[");
    const char* separator = "\n";
    for (const auto& item : items) {
      text += separator;
      separator = ",\n";
      append([&](Writer& out) { write(out, item); });
    }
    text += "]";
  };
  text += "\"compiler\":";
  append([&](Writer& out) { out.String(std::string(compiler).c_str()); });
  text += ",";
  list("targets", targets);
  text += ",";
  list("kernels", kernels);
  return text + "}\n";
}

}  // namespace tritonrt::cache
