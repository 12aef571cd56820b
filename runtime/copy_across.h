// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TRITONRT_RUNTIME_COPY_ACROSS_H_
#define TRITONRT_RUNTIME_COPY_ACROSS_H_

#include "runtime/driver.h"

namespace tritonrt::runtime {

// Copies from a buffer of another device, in the order of `stream`, which is of the target's.
void copy_across(StreamImpl& stream, BufferImpl& target, BufferImpl& source, const CopyPlan& plan);

}  // namespace tritonrt::runtime

#endif  // TRITONRT_RUNTIME_COPY_ACROSS_H_
