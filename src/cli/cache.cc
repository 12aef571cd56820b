// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tritonrt/cache.h"

#include <cstdio>
#include <nlohmann/json.hpp>

#include "src/cli/commands.h"
#include "src/cli/output.h"
#include "tritonrt/log.h"

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

// Whether no more is left than was asked for.
int check_left(uint64_t bytes) {
  const CacheUsage usage = cache_usage();
  if (usage.bytes <= bytes && cache_stats().errors == 0) return kDone;
  std::fprintf(stderr, "error: %s are left, %llu bytes\n", entries(usage.entries).c_str(),
               static_cast<unsigned long long>(usage.bytes));
  return kFailed;
}

}  // namespace

int cache(const CacheCommand& command) {
  set_log_handler(
      [](const std::string& text) { std::fprintf(stderr, "warning: %s\n", text.c_str()); });
  switch (command.action) {
    case CacheCommand::Action::kStats:
      return stats(command.json);
    case CacheCommand::Action::kVerify:
      return verify(command.repair);
    case CacheCommand::Action::kClear:
      clear_cache();
      return check_left(0);
    case CacheCommand::Action::kTrim: {
      const uint64_t bytes = command.bytes.value_or(cache_usage().max_bytes);
      trim_cache(bytes);
      stats(false);
      return check_left(bytes);
    }
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
