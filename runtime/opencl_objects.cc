// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <string>

#include "runtime/check.h"
#include "runtime/live_buffers.h"
#include "tritonrt/error.h"
#include "tritonrt/opencl.h"

namespace tritonrt::opencl {
namespace {

void check_given(const void* object, const char* what) {
  if (object == nullptr)
    throw Error(ErrorCode::kInvalidArgument, std::string("the ") + what + " is null");
}

}  // namespace

using runtime::need;

Device adopt_device(_cl_context* context, _cl_device_id* device, const DeviceOptions& options) {
  check_given(context, "context");
  check_given(device, "device");
  return Device(runtime::driver_of("opencl").adopt(context, device, options.mapping));
}

Stream adopt_queue(const Device& device, _cl_command_queue* queue) {
  check_given(queue, "queue");
  return Stream(need(device).adopt_stream(queue));
}

Buffer adopt_memory(const Device& device, _cl_mem* memory) {
  check_given(memory, "memory object");
  Buffer buffer(need(device).adopt_buffer(memory));
  runtime::note_buffer(buffer.impl());
  return buffer;
}

Event adopt_event(const Device& device, _cl_event* event) {
  check_given(event, "event");
  return Event(need(device).adopt_event(event));
}

_cl_context* context_of(const Device& device) {
  return static_cast<_cl_context*>(need(device).native_context());
}

_cl_device_id* device_id_of(const Device& device) {
  return static_cast<_cl_device_id*>(need(device).native_device());
}

_cl_command_queue* queue_of(const Stream& stream) {
  return static_cast<_cl_command_queue*>(need(stream).native());
}

_cl_mem* memory_of(const Buffer& buffer, std::size_t* offset) {
  runtime::BufferImpl& impl = need(buffer);
  void* const memory = impl.native();
  if (memory != nullptr && offset != nullptr) *offset = impl.base();
  return static_cast<_cl_mem*>(memory);
}

_cl_event* event_of(const Event& event) {
  return event ? static_cast<_cl_event*>(event.impl()->native()) : nullptr;
}

}  // namespace tritonrt::opencl
