// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "src/cli/kernel_files.h"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "src/cli/kernel_options.h"
#include "src/replay/file_io.h"
#include "src/replay/launch_case.h"

namespace fs = std::filesystem;

namespace tritonrt::cli {
namespace {

using Json = nlohmann::json;

constexpr size_t kMaxText = size_t{64} << 20;
constexpr size_t kMaxJson = size_t{16} << 20;

Json read_json(const fs::path& path) {
  Json json = Json::parse(replay::read_file(path, kMaxJson), nullptr, /*allow_exceptions=*/false);
  if (!json.is_object())
    throw replay::InputError(replay::in_quotes(path.string()) + " is not a JSON object");
  return json;
}

// A number of the document, where it is one that can be an option.
std::optional<int> count(const Json& json, const char* key) {
  const auto found = json.find(key);
  if (found == json.end() || !found->is_number_integer()) return std::nullopt;
  const auto value = found->get<int64_t>();
  return value >= 0 && value <= 1024 ? std::optional<int>(static_cast<int>(value)) : std::nullopt;
}

std::string text_of(const Json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

// What both documents say under the same names.
BundleSource with_options(const Json& json, const KernelOptions& given) {
  KernelOptions options = given;
  if (!options.num_warps) options.num_warps = count(json, "num_warps");
  if (!options.num_stages) options.num_stages = count(json, "num_stages");
  BundleSource source;
  source.options = compile_options(options);
  source.kernel = options.kernel;
  if (const auto constexprs = json.find("constexprs");
      constexprs != json.end() && constexprs->is_object())
    for (const auto& [name, value] : constexprs->items())
      source.constexprs.emplace(name, text_of(value));
  return source;
}

BundleSource from_ttir(const fs::path& path, const KernelOptions& given) {
  fs::path beside = path;
  beside.replace_extension(".json");
  std::error_code ignored;
  const Json json = fs::is_regular_file(beside, ignored) ? read_json(beside) : Json::object();
  BundleSource source = with_options(json, given);
  source.text = replay::read_file(path, kMaxText);
  source.label = path.string();
  if (const auto shared = json.find("shared"); shared != json.end() && shared->is_number_unsigned())
    source.shared_bytes = shared->get<uint64_t>();
  return source;
}

BundleSource from_case(const replay::CaseFolder& folder, const KernelOptions& given) {
  const Json json = read_json(folder.path / "case.json");
  BundleSource source = with_options(json, given);
  const fs::path file = replay::path_inside(folder.path, json.value("ttir", "kernel.ttir"));
  source.text = replay::read_file(file, kMaxText);
  source.label = file.string();
  if (source.kernel.empty()) source.kernel = json.value("entry", "");
  return source;
}

std::vector<BundleSource> search(const fs::path& folder, const KernelOptions& given) {
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder))
    if (entry.is_regular_file() && entry.path().extension() == ".ttir")
      files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  std::vector<BundleSource> sources;
  sources.reserve(files.size());
  for (const fs::path& file : files) sources.push_back(from_ttir(file, given));
  return sources;
}

}  // namespace

std::vector<BundleSource> find_kernels(const std::string& path, const KernelOptions& given) {
  if (!fs::is_directory(path)) return {from_ttir(path, given)};
  std::vector<BundleSource> sources;
  for (const replay::CaseFolder& folder : replay::find_cases(path))
    sources.push_back(from_case(folder, given));
  if (sources.empty()) sources = search(path, given);
  if (sources.empty())
    throw replay::InputError("there are no kernels in " + replay::in_quotes(path) +
                             ": .ttir files or recorded launches expected");
  return sources;
}

}  // namespace tritonrt::cli
