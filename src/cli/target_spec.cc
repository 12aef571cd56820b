// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "src/cli/target_spec.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "src/cli/commands.h"
#include "src/cli/kernel_options.h"
#include "src/replay/file_io.h"

namespace tritonrt::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kLevelPrefix = "cpu:";
constexpr std::string_view kSuffix = ".json";
constexpr size_t kMaxFile = size_t{16} << 20;

std::vector<BundleTarget> read_targets(const std::string& file, const std::string& name) {
  const auto malformed = [&](const std::string& what) {
    return replay::InputError(replay::in_quotes(file) + ": " + what +
                              "; a file of `tritonrt devices --save` expected");
  };
  const Json json = Json::parse(replay::read_file(file, kMaxFile), nullptr, false);
  if (!json.is_object() || !json.contains("targets") || !json["targets"].is_array())
    throw malformed("there is no list of targets in it");
  std::vector<BundleTarget> targets;
  for (const Json& entry : json["targets"]) {
    if (!entry.is_object() || !entry.contains("target") || !entry["target"].is_string() ||
        !entry.contains("name") || !entry["name"].is_string())
      throw malformed("a target has no name or no description");
    BundleTarget target;
    target.name = entry["name"];
    target.description = entry["target"];
    if (name.empty() || name == target.name) targets.push_back(std::move(target));
  }
  if (targets.empty())
    throw malformed(name.empty() ? "its list of targets is empty"
                                 : "it has no target " + replay::in_quotes(name));
  return targets;
}

BundleTarget processor_level(const std::string& spec) {
  const std::string level = spec.substr(kLevelPrefix.size());
  // What the other levels are called is this machine's architecture's business.
  const std::string mine = Device::open("cpu").portable_target();
  const size_t at = mine.find("cpu=", mine.find("\nbackend="));
  if (level.rfind("x86-64", 0) != 0 || level.find_first_of("\n=") != std::string::npos)
    throw UsageError("there is no processor level " + replay::in_quotes(level) +
                     "; x86-64, x86-64-v2, x86-64-v3 or x86-64-v4 expected");
  return {spec, mine.substr(0, at) + "cpu=" + level + "\n", {}};
}

}  // namespace

std::vector<BundleTarget> parse_target(const std::string& spec, Mapping mapping) {
  size_t suffix = spec.find(std::string(kSuffix) + ":");
  if (suffix != std::string::npos)
    return read_targets(spec.substr(0, suffix + kSuffix.size()),
                        spec.substr(suffix + kSuffix.size() + 1));
  if (spec.size() > kSuffix.size() &&
      spec.compare(spec.size() - kSuffix.size(), kSuffix.size(), kSuffix) == 0)
    return read_targets(spec, {});
  if (spec.compare(0, kLevelPrefix.size(), kLevelPrefix) == 0) return {processor_level(spec)};
  const Device device = open_device(spec, spec == "cpu" ? Mapping::kDefault : mapping);
  return {{device.name(), device.target(), device}};
}

std::string save_targets(const std::vector<Device>& devices) {
  Json list = Json::array();
  for (const Device& device : devices) {
    const DeviceInfo& info = device.info();
    list.push_back({{"name", info.name},
                    {"platform", info.platform},
                    {"device", info.device},
                    {"driver", info.driver},
                    {"mapping", to_string(info.mapping)},
                    {"target", device.portable_target()}});
  }
  const Json document = {{"schema", 1}, {"targets", std::move(list)}};
  return document.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace tritonrt::cli
