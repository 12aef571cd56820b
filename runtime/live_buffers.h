// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TRITONRT_RUNTIME_LIVE_BUFFERS_H_
#define TRITONRT_RUNTIME_LIVE_BUFFERS_H_

#include <memory>
#include <vector>

#include "runtime/driver.h"

namespace tritonrt::runtime {

// The buffers of the process, for finding what an address in device memory points to. Kept only
// where launches are captured (TRITONRT_CAPTURE). Thread safe.
void note_buffer(const std::shared_ptr<BufferImpl>& buffer);
std::vector<std::shared_ptr<BufferImpl>> live_buffers();

}  // namespace tritonrt::runtime

#endif  // TRITONRT_RUNTIME_LIVE_BUFFERS_H_
