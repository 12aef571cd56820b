// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TRITONRT_LOG_H_
#define TRITONRT_LOG_H_

#include <functional>
#include <string>

#include "tritonrt/export.h"

namespace tritonrt {

// Is told what is worth knowing and fails nothing: one warning for each cache folder that cannot be
// used, say. Called on any thread that uses the library, several at once; must not throw.
using LogHandler = std::function<void(const std::string& message)>;

// Sets the handler; an empty one, as at the start, drops all messages. Returns while calls of the
// old one may still run. Thread safe.
TRITONRT_API void set_log_handler(LogHandler handler);

}  // namespace tritonrt

#endif  // TRITONRT_LOG_H_
