// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TRITONRT_RUNTIME_FORK_H_
#define TRITONRT_RUNTIME_FORK_H_

#include "tritonrt/export.h"

namespace tritonrt::runtime {

// Forks that this process descends from since the first call: what was made under another count
// has lost its threads.
TRITONRT_API unsigned fork_count();

}  // namespace tritonrt::runtime

#endif  // TRITONRT_RUNTIME_FORK_H_
