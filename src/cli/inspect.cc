// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "src/cli/commands.h"
#include "src/cli/kernel_options.h"
#include "src/cli/output.h"

namespace tritonrt::cli {

int inspect(const InspectCommand& command) {
  const Device device = open_device(command.device, command.options.mapping);
  std::string text = load_kernel(command.file, command.options).stage(device, command.stage);
  if (!text.empty() && text.back() != '\n') text += '\n';
  print(text);
  return kDone;
}

}  // namespace tritonrt::cli
