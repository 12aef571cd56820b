// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/opencl/cl_staging.h"

#include <algorithm>
#include <cstdlib>

#include "runtime/opencl/cl_error.h"
#include "runtime/parallel_copy.h"

namespace tritonrt::runtime {
namespace {

// Devices of type CPU copy at memory's speed as it is. TRITONRT_STAGING=0|1 says otherwise.
bool is_wanted(bool is_cpu) {
  const char* text = std::getenv("TRITONRT_STAGING");
  if (text != nullptr && (*text == '0' || *text == '1')) return *text == '1';
  return !is_cpu;
}

}  // namespace

ClStaging::ClStaging(const cl::Context& context, const cl::Device& device, bool is_cpu)
    : context_(context), device_(device), wanted_(is_wanted(is_cpu)) {}

bool ClStaging::pays(std::size_t size) {
  if (!wanted_ || size < kLeast) return false;
  const std::lock_guard lock(mutex_);
  return make_ring();
}

bool ClStaging::make_ring() {
  if (tried_) return slots_[0].data != nullptr;
  tried_ = true;
  try {
    queue_ = cl::CommandQueue(context_, device_);
    ring_ = cl::Buffer(context_, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, kSlots * kSlotBytes);
    char* const data = static_cast<char*>(queue_.enqueueMapBuffer(
        ring_, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, kSlots * kSlotBytes));
    for (std::size_t i = 0; i < kSlots; ++i) slots_[i].data = data + i * kSlotBytes;
    return true;
  } catch (const cl::Error&) {
    return false;  // no pinned memory left: copies go the slow way
  }
}

void ClStaging::await(Slot& slot) {
  if (slot.busy() == nullptr) return;
  const cl_event event = slot.busy();
  const cl_int code = clWaitForEvents(1, &event);
  slot.busy = cl::Event();
  cl_check(code, "copying through pinned memory");
}

void ClStaging::write(cl_command_queue queue, cl_mem memory, std::size_t offset, const char* data,
                      std::size_t size) {
  const std::lock_guard lock(mutex_);
  std::size_t next = 0;
  for (std::size_t done = 0; done < size; done += kSlotBytes) {
    Slot& slot = slots_[next++ % kSlots];
    const std::size_t bytes = std::min(kSlotBytes, size - done);
    await(slot);
    parallel_copy(slot.data, data + done, bytes);
    cl_event event = nullptr;
    cl_check(clEnqueueWriteBuffer(queue, memory, CL_FALSE, offset + done, bytes, slot.data, 0,
                                  nullptr, &event),
             "copying to a buffer");
    slot.busy = cl::Event(event);
    cl_check(clFlush(queue), "flushing a queue");
  }
}

void ClStaging::read(cl_command_queue queue, cl_mem memory, std::size_t offset, char* data,
                     std::size_t size) {
  const std::lock_guard lock(mutex_);
  const std::size_t pieces = (size + kSlotBytes - 1) / kSlotBytes;
  const auto bytes_of = [&](std::size_t piece) {
    return std::min(kSlotBytes, size - piece * kSlotBytes);
  };
  const auto begin = [&](std::size_t piece) {
    Slot& slot = slots_[piece % kSlots];
    await(slot);
    cl_event event = nullptr;
    cl_check(clEnqueueReadBuffer(queue, memory, CL_FALSE, offset + piece * kSlotBytes,
                                 bytes_of(piece), slot.data, 0, nullptr, &event),
             "copying from a buffer");
    slot.busy = cl::Event(event);
    cl_check(clFlush(queue), "flushing a queue");
  };
  for (std::size_t piece = 0; piece < std::min(kSlots, pieces); ++piece) begin(piece);
  for (std::size_t piece = 0; piece < pieces; ++piece) {
    Slot& slot = slots_[piece % kSlots];
    await(slot);
    parallel_copy(data + piece * kSlotBytes, slot.data, bytes_of(piece));
    if (piece + kSlots < pieces) begin(piece + kSlots);
  }
}

}  // namespace tritonrt::runtime
