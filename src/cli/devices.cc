// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <nlohmann/json.hpp>

#include "src/cli/commands.h"
#include "src/cli/output.h"
#include "src/cli/target_spec.h"
#include "src/replay/file_io.h"

namespace tritonrt::cli {
namespace {

using Json = nlohmann::ordered_json;

Json to_json(const DeviceInfo& info) {
  return {{"name", info.name},
          {"platform", info.platform},
          {"device", info.device},
          {"type", info.type},
          {"driver", info.driver},
          {"compute_units", info.compute_units},
          {"local_bytes", info.local_bytes},
          {"global_bytes", info.global_bytes},
          {"sub_groups", info.sub_groups},
          {"fp16", info.fp16},
          {"fp64", info.fp64},
          {"mapping", to_string(info.mapping)}};
}

std::string describe(const DeviceInfo& info, size_t name_width) {
  std::string line = info.name + std::string(name_width - info.name.size(), ' ') + "  " +
                     info.device + " (" + info.platform + ", " + info.type + ", " +
                     std::to_string(info.compute_units) + " compute units, " +
                     std::to_string(info.global_bytes >> 20) + " MiB, mapping " +
                     std::string(to_string(info.mapping));
  if (info.fp16) line += ", fp16";
  if (info.fp64) line += ", fp64";
  if (info.sub_groups) line += ", sub-groups";
  return line + ")\n";
}

}  // namespace

int devices(const DevicesCommand& command) {
  const std::vector<DeviceInfo> list = Device::list();
  if (!command.save_file.empty()) {
    std::vector<Device> opened;
    for (const DeviceInfo& info : list) opened.push_back(Device::open(info.name));
    replay::write_file(command.save_file, save_targets(opened));
    return kDone;
  }
  if (command.json) {
    Json array = Json::array();
    for (const DeviceInfo& info : list) array.push_back(to_json(info));
    // Names come from drivers and need not be UTF-8.
    print(array.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
    return kDone;
  }
  size_t width = 0;
  for (const DeviceInfo& info : list) width = std::max(width, info.name.size());
  for (const DeviceInfo& info : list) print(describe(info, width));
  return kDone;
}

}  // namespace tritonrt::cli
