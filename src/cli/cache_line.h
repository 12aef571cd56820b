// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TRITONRT_CLI_CACHE_LINE_H_
#define TRITONRT_CLI_CACHE_LINE_H_

#include <CLI/CLI.hpp>

#include "src/cli/commands.h"

namespace tritonrt::cli {

// --key.
void add_public_key(CLI::App& app, std::string& file);

// The command lines of `bundle` and `cache`: they fill the commands.
void add_bundle(CLI::App& app, BundleCommand& command);
void add_cache(CLI::App& app, CacheCommand& command);

}  // namespace tritonrt::cli

#endif  // TRITONRT_CLI_CACHE_LINE_H_
