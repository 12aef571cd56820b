// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tritonrt/cache.h"

#include <cstdio>
#include <nlohmann/json.hpp>

#include "src/cli/commands.h"
#include "src/cli/output.h"

namespace tritonrt::cli {
namespace {

using Json = nlohmann::ordered_json;

std::string entries(uint64_t count) {
  return std::to_string(count) + (count == 1 ? " entry" : " entries");
}

int stats(bool json) {
  const CacheUsage usage = cache_usage();
  if (json) {
    const Json document = {{"directory", usage.directory},
                           {"entries", usage.entries},
                           {"bytes", usage.bytes},
                           {"max_bytes", usage.max_bytes}};
    print(document.dump(1, ' ', false, Json::error_handler_t::replace) + "\n");
  } else if (usage.directory.empty()) {
    print("no folder: kernels are kept in memory\n");
  } else {
    print(usage.directory + ": " + entries(usage.entries) + ", " + std::to_string(usage.bytes) +
          " bytes of " + std::to_string(usage.max_bytes) + "\n");
  }
  return kDone;
}

int verify(bool repair) {
  const CacheCheck check = verify_cache(repair);
  for (const std::string& file : check.damaged)
    std::fprintf(stderr, "%s: damaged%s\n", file.c_str(), repair ? ", removed" : "");
  for (const std::string& file : check.foreign)
    std::fprintf(stderr, "%s: not your own, never used\n", file.c_str());
  print(std::to_string(check.sound) + " sound, " + std::to_string(check.damaged.size()) +
        " damaged, " + std::to_string(check.foreign.size()) + " of others\n");
  return check.damaged.empty() || repair ? kDone : kFailed;
}

}  // namespace

int cache(const CacheCommand& command) {
  switch (command.action) {
    case CacheCommand::Action::kStats:
      return stats(command.json);
    case CacheCommand::Action::kVerify:
      return verify(command.repair);
    case CacheCommand::Action::kClear:
      clear_cache();
      return kDone;
    case CacheCommand::Action::kTrim:
      trim_cache(command.bytes.value_or(cache_usage().max_bytes));
      return stats(false);
    case CacheCommand::Action::kExport:
      print(entries(export_cache(command.file)) + "\n");
      return kDone;
    case CacheCommand::Action::kImport:
      print(entries(import_cache(command.file)) + "\n");
      return kDone;
  }
  return kWrongCall;
}

}  // namespace tritonrt::cli
