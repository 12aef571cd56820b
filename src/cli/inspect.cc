// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "src/cli/commands.h"
#include "src/cli/kernel_options.h"
#include "src/cli/output.h"
#include "tritonrt/error.h"

namespace tritonrt::cli {

int inspect(const InspectCommand& command) {
  const Device device = open_device(command.device, command.options.mapping);
  const Kernel kernel = load_kernel(command.file, command.options);
  std::string text;
  try {
    text = kernel.stage(device, command.stage);
  } catch (const Error& error) {
    // Which stages there are is the backend's to know.
    if (error.message().find("has no stage '") == std::string::npos) throw;
    throw UsageError(error.message());
  }
  if (!text.empty() && text.back() != '\n') text += '\n';
  print(text);
  return kDone;
}

}  // namespace tritonrt::cli
