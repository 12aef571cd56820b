// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TRITONRT_SRC_LOG_H_
#define TRITONRT_SRC_LOG_H_

#include <string>

namespace tritonrt::runtime {

// Hands a message to the application's handler, if there is one.
void log(const std::string& message);

}  // namespace tritonrt::runtime

#endif  // TRITONRT_SRC_LOG_H_
