// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TRITONRT_RUNTIME_PARALLEL_COPY_H_
#define TRITONRT_RUNTIME_PARALLEL_COPY_H_

#include <cstddef>

#include "tritonrt/export.h"

namespace tritonrt::runtime {

// memcpy, by up to four of the CPU device's threads where there is enough to copy.
TRITONRT_API void parallel_copy(void* target, const void* source, std::size_t size);

}  // namespace tritonrt::runtime

#endif  // TRITONRT_RUNTIME_PARALLEL_COPY_H_
