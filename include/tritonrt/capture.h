// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TRITONRT_CAPTURE_H_
#define TRITONRT_CAPTURE_H_

#include <string>

#include "tritonrt/export.h"

namespace tritonrt {

// From now on saves every launch of the process with its memory before and after, in the form that
// `tritonrt replay` reads; an empty folder stops. A captured launch waits for earlier work and for
// its own. TRITONRT_CAPTURE does the same for a whole process. Thread safe; throws kIo where the
// folder cannot be made.
TRITONRT_API void set_capture(const std::string& directory);

}  // namespace tritonrt

#endif  // TRITONRT_CAPTURE_H_
