// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/driver.h"

namespace tritonrt::runtime {

BufferImpl::~BufferImpl() = default;
EventImpl::~EventImpl() = default;
StreamImpl::~StreamImpl() = default;
BoundLaunch::~BoundLaunch() = default;
Executable::~Executable() = default;
DeviceImpl::~DeviceImpl() = default;

}  // namespace tritonrt::runtime
