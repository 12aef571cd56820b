// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TRITONRT_CLI_TARGET_SPEC_H_
#define TRITONRT_CLI_TARGET_SPEC_H_

#include <string>
#include <vector>

#include "tritonrt/bundle.h"
#include "tritonrt/device.h"

namespace tritonrt::cli {

// What `--target` names: a device of this machine; `cpu:LEVEL`, any processor of a level of
// instruction sets (x86-64, x86-64-v2, -v3, -v4); or `FILE.json[:NAME]`, the devices that
// `devices --save` wrote on another machine. Throws UsageError, or InputError for a malformed file.
std::vector<BundleTarget> parse_target(const std::string& spec, Mapping mapping);

// The document of `devices --save` for these devices.
std::string save_targets(const std::vector<Device>& devices);

}  // namespace tritonrt::cli

#endif  // TRITONRT_CLI_TARGET_SPEC_H_
