// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TRITONRT_RUNTIME_PARALLEL_FOR_H_
#define TRITONRT_RUNTIME_PARALLEL_FOR_H_

#include <cstddef>
#include <functional>

#include "tritonrt/export.h"

namespace tritonrt::runtime {

// Calls run(0) to run(count - 1), in increasing order, on this thread and up to `threads` - 1 of
// the CPU device's; returns when all have returned. `run` does not throw, and does not wait for
// what may need those threads.
TRITONRT_API void parallel_for(std::size_t count, unsigned threads,
                               const std::function<void(std::size_t)>& run);

}  // namespace tritonrt::runtime

#endif  // TRITONRT_RUNTIME_PARALLEL_FOR_H_
