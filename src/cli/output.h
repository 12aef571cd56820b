// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TRITONRT_CLI_OUTPUT_H_
#define TRITONRT_CLI_OUTPUT_H_

#include <string_view>

namespace tritonrt::cli {

// Writes text to standard output at once. Throws InputError where it cannot (a full disk, a closed
// pipe).
void print(std::string_view text);

}  // namespace tritonrt::cli

#endif  // TRITONRT_CLI_OUTPUT_H_
