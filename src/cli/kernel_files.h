// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TRITONRT_CLI_KERNEL_FILES_H_
#define TRITONRT_CLI_KERNEL_FILES_H_

#include <string>
#include <vector>

#include "src/cli/commands.h"
#include "tritonrt/bundle.h"

namespace tritonrt::cli {

// The kernels that a path stands for: a `.ttir` file (with what Triton's own `.json` beside it says
// of it), a folder of recorded launches, or any folder, Triton's cache say, that is searched for
// such files. In the order of their paths. `given` overrides what files say. Throws InputError.
std::vector<BundleSource> find_kernels(const std::string& path, const KernelOptions& given);

}  // namespace tritonrt::cli

#endif  // TRITONRT_CLI_KERNEL_FILES_H_
