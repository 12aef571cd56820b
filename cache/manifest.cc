// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cache/manifest.h"

#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <algorithm>

#include "cache/key.h"

namespace tritonrt::cache {
namespace {

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
  if (!kernel.family.empty()) write(out, "family", kernel.family);
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

std::string Manifest::to_json() const {
  // A kernel and a target a line: for people, for `diff`, and for ManifestDocument, which looks for
  // the first three members of a kernel at the start of its line.
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
