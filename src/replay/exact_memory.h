// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TRITONRT_SRC_REPLAY_EXACT_MEMORY_H_
#define TRITONRT_SRC_REPLAY_EXACT_MEMORY_H_

#include <memory>

#include "tritonrt/device.h"
#include "tritonrt/memory.h"

namespace tritonrt::replay {

// Memory in which accesses outside of blocks show. On a CPU's own device each block ends where a
// page begins that nobody may touch, and another one lies before its first page; blocks are aligned
// to their elements alone. Elsewhere each block is a memory object of its own, of its exact size,
// for tools that watch those.
std::shared_ptr<MemoryResource> exact_memory(const Device& device);

}  // namespace tritonrt::replay

#endif  // TRITONRT_SRC_REPLAY_EXACT_MEMORY_H_
