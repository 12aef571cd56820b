// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TRITONRT_CLI_KERNEL_OPTIONS_H_
#define TRITONRT_CLI_KERNEL_OPTIONS_H_

#include <map>
#include <string>
#include <vector>

#include "src/cli/commands.h"
#include "tritonrt/kernel.h"

namespace tritonrt::cli {

// Opens a device by name. Throws UsageError for a name that no device can have, and for a mapping
// that the named device never has.
Device open_device(const std::string& name, Mapping mapping);

// What open_device checks before it looks for the device.
void check_device_name(const std::string& name, Mapping mapping);

// What the command line says of compiling; the rest keeps its defaults.
CompileOptions compile_options(const KernelOptions& options);

// The compiler's options that say so: each of `changes` is KEY=VALUE, of a target's description.
std::map<std::string, std::string> target_options(const std::vector<std::string>& changes);

// The content of a key's file; empty where none is named.
std::string read_key(const std::string& file);

// Loads the kernel of a file with the options given; others keep their defaults.
Kernel load_kernel(const std::string& file, const KernelOptions& options);

}  // namespace tritonrt::cli

#endif  // TRITONRT_CLI_KERNEL_OPTIONS_H_
