// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "src/cli/output.h"

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "src/replay/file_io.h"

namespace tritonrt::cli {

void print(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0)
    throw replay::InputError(std::string("cannot write to standard output: ") +
                             std::strerror(errno));
}

}  // namespace tritonrt::cli
