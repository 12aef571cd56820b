// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TRITONRT_OPENCL_H_
#define TRITONRT_OPENCL_H_

// Sharing objects with an application's own OpenCL code. The types are those behind cl_context,
// cl_device_id, cl_command_queue, cl_mem and cl_event; OpenCL's headers are not needed here.

#include <cstddef>

#include "tritonrt/buffer.h"
#include "tritonrt/device.h"
#include "tritonrt/event.h"
#include "tritonrt/export.h"
#include "tritonrt/stream.h"

// OpenCL's own names. NOLINTBEGIN(bugprone-reserved-identifier)
struct _cl_context;
struct _cl_device_id;
struct _cl_command_queue;
struct _cl_mem;
struct _cl_event;
// NOLINTEND(bugprone-reserved-identifier)

namespace tritonrt::opencl {

// Adopted objects are retained, and released with the last handle. All throw kInvalidArgument for
// what is null or of another context, and kUnsupported where the device is no OpenCL device.

// The device in the application's context. The same pair gives the same Device while one is open.
TRITONRT_API Device adopt_device(_cl_context* context, _cl_device_id* device,
                                 const DeviceOptions& options = {});
// An in-order queue of the device's context. The application may go on enqueuing to it.
TRITONRT_API Stream adopt_queue(const Device& device, _cl_command_queue* queue);
// A whole memory object, sub-buffers too. Order with the application's own commands is its own to
// keep, by one queue or by events.
TRITONRT_API Buffer adopt_memory(const Device& device, _cl_mem* memory);
TRITONRT_API Event adopt_event(const Device& device, _cl_event* event);

// What stands behind a handle, not retained: valid while the handle is. Null for other devices.
TRITONRT_API _cl_context* context_of(const Device& device);
TRITONRT_API _cl_device_id* device_id_of(const Device& device);
TRITONRT_API _cl_command_queue* queue_of(const Stream& stream);
// A buffer may be a part of a memory object: `offset` becomes its first byte in it.
TRITONRT_API _cl_mem* memory_of(const Buffer& buffer, std::size_t* offset);
TRITONRT_API _cl_event* event_of(const Event& event);

}  // namespace tritonrt::opencl

#endif  // TRITONRT_OPENCL_H_
