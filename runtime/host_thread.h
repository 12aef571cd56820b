// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TRITONRT_RUNTIME_HOST_THREAD_H_
#define TRITONRT_RUNTIME_HOST_THREAD_H_

#include <functional>

#include "tritonrt/export.h"

namespace tritonrt::runtime {

// Runs `function` on the process's one thread for host work, after what was posted before. Drivers
// call back on threads that must not wait, and applications' functions may do anything: they meet
// here. `function` does not throw. The thread starts on the first call, and anew in a child of
// fork.
TRITONRT_API void post_to_host_thread(std::function<void()> function);

}  // namespace tritonrt::runtime

#endif  // TRITONRT_RUNTIME_HOST_THREAD_H_
