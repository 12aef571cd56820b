// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/opencl/cl_buffer.h"

#include <atomic>

#include "runtime/opencl/cl_device.h"
#include "runtime/opencl/cl_error.h"
#include "runtime/opencl/cl_stream.h"
#include "runtime/opencl/cl_trace.h"

namespace tritonrt::runtime {

std::uint64_t next_memory_range(std::size_t size) {
  static std::atomic<std::uint64_t> next{1};
  return next.fetch_add(size + 1, std::memory_order_relaxed);
}

ClBuffer::ClBuffer(const std::shared_ptr<ClDevice>& device, std::size_t size)
    : BufferImpl(device, size),
      resource_(&device->memory().current()),
      block_(resource_->allocate(size)),
      memory_(static_cast<cl_mem>(block_.memory), true) {
  base_ = block_.offset;
  // What another buffer's work still does to the memory comes first.
  uses_.set(block_.last_write, block_.last_read);
  range_begin_ = next_memory_range(size);
  range_end_ = range_begin_ + size;
}

ClBuffer::ClBuffer(const std::shared_ptr<ClDevice>& device, const cl::Buffer& memory)
    : BufferImpl(device, memory.getInfo<CL_MEM_SIZE>()), memory_(memory) {
  // A sub-buffer overlaps the object that it is a part of.
  cl_mem root = memory_();
  std::size_t origin = 0;
  cl_mem parent = nullptr;
  if (clGetMemObjectInfo(root, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof(parent), &parent, nullptr) ==
          CL_SUCCESS &&
      parent != nullptr) {
    root = parent;
    origin = memory.getInfo<CL_MEM_OFFSET>();
  }
  std::size_t whole = 0;
  cl_check(clGetMemObjectInfo(root, CL_MEM_SIZE, sizeof(whole), &whole, nullptr),
           "asking for a memory object's size");
  const auto [begin, end] = device->range_of(root, whole);
  const bool anywhere = end == ~std::uint64_t{0};
  range_begin_ = anywhere ? begin : begin + origin;
  range_end_ = anywhere ? end : range_begin_ + size_;
}

void* ClBuffer::native() {
  static_cast<ClDevice&>(device()).hand_out(memory_());
  return memory_();
}

ClBuffer::~ClBuffer() {
  if (resource_ == nullptr) {
    if (whole_ == nullptr) static_cast<ClDevice&>(device()).in_flight().hold(memory_());
    return;
  }
  block_.last_write = uses_.last_write();
  block_.last_read = uses_.last_read();
  resource_->release(block_);
}

ClBuffer::ClBuffer(ClBuffer& whole, std::size_t offset, std::size_t size)
    : BufferImpl(whole.device().shared_from_this(), size), memory_(whole.memory_) {
  whole_ = whole.whole().shared_from_this();
  base_ = whole.base_ + offset;
  range_begin_ = whole.range_begin_ + offset;
  range_end_ = range_begin_ + size;
}

std::shared_ptr<BufferImpl> ClBuffer::slice(std::size_t offset, std::size_t size) {
  return std::make_shared<ClBuffer>(*this, offset, size);
}

std::uint64_t ClBuffer::device_address() { return memory_address() + base_; }

std::uint64_t ClBuffer::find_address() {
  const std::uint64_t address = static_cast<ClDevice&>(device()).addresses().of(memory_());
  memory_address_.store(address, std::memory_order_relaxed);
  return address;
}

ClEnqueuing ClBuffer::queue(StreamImpl* stream) const {
  if (stream == nullptr) return {static_cast<ClDevice&>(device()).drained_queue(), nullptr};
  auto& own = static_cast<ClStream&>(*stream);
  return {own.queue(), &own};
}

void ClBuffer::copy_from_host(StreamImpl* stream, const void* data, std::size_t size,
                              std::size_t offset) {
  ClTraced traced("copy", "copy from host", stream != nullptr ? stream->id() : 0);
  const ClEnqueuing target = queue(stream);
  ClStaging& staging = static_cast<ClDevice&>(device()).staging();
  if (staging.pays(size))
    staging.write(target, stream == nullptr, memory_(), base_ + offset,
                  static_cast<const char*>(data), size);
  else
    cl_check(clEnqueueWriteBuffer(target, memory_(), CL_FALSE, base_ + offset, size, data, 0,
                                  nullptr, traced.slot()),
             "copying to a buffer");
  // A blocking write only promises that `data` may be reused: the buffer itself may change later,
  // when another queue's kernel has already run.
  if (stream == nullptr) cl_check(clFinish(target), "copying to a buffer");
}

void ClBuffer::copy_to_host(StreamImpl* stream, void* data, std::size_t size, std::size_t offset) {
  ClTraced traced("copy", "copy to host", stream != nullptr ? stream->id() : 0);
  ClStaging& staging = static_cast<ClDevice&>(device()).staging();
  if (staging.pays(size)) {
    staging.read(queue(stream), stream == nullptr, memory_(), base_ + offset,
                 static_cast<char*>(data), size);
    return;
  }
  cl_check(clEnqueueReadBuffer(queue(stream), memory_(), stream == nullptr ? CL_TRUE : CL_FALSE,
                               base_ + offset, size, data, 0, nullptr, traced.slot()),
           "copying from a buffer");
}

void ClBuffer::copy_from(StreamImpl* stream, BufferImpl& source, std::size_t size,
                         std::size_t source_offset, std::size_t offset) {
  ClTraced traced("copy", "copy", stream != nullptr ? stream->id() : 0);
  const ClEnqueuing target = queue(stream);
  auto& from = static_cast<ClBuffer&>(source);
  cl_check(clEnqueueCopyBuffer(target, from.memory_(), memory_(), from.base_ + source_offset,
                               base_ + offset, size, 0, nullptr, traced.slot()),
           "copying between buffers");
  if (stream == nullptr) cl_check(clFinish(target), "copying between buffers");
}

void ClBuffer::fill(StreamImpl* stream, const void* pattern, std::size_t pattern_size,
                    std::size_t size, std::size_t offset) {
  const ClEnqueuing target = queue(stream);
  const auto put = [&](const void* bytes, std::size_t count, std::size_t at, std::size_t length) {
    ClTraced traced("copy", "fill", stream != nullptr ? stream->id() : 0);
    cl_check(
        clEnqueueFillBuffer(target, memory_(), bytes, count, at, length, 0, nullptr, traced.slot()),
        "filling a buffer");
  };
  const std::size_t begin = base_ + offset;
  const std::size_t end = begin + size;
  const auto* const bytes = static_cast<const unsigned char*>(pattern);
  const std::size_t shift = begin % pattern_size;
  if (shift == 0) {
    put(pattern, pattern_size, begin, size);
  } else {
    // The driver fills from multiples of the pattern's size only. A part that begins elsewhere
    // gets a turned pattern between single bytes.
    unsigned char turned[16];
    for (std::size_t i = 0; i < pattern_size; ++i)
      turned[i] = bytes[(i + pattern_size - shift) % pattern_size];
    const std::size_t first = begin - shift + pattern_size;
    const std::size_t last = end - end % pattern_size;
    for (std::size_t i = begin; i < first; ++i) put(&turned[i % pattern_size], 1, i, 1);
    if (first < last) put(turned, pattern_size, first, last - first);
    for (std::size_t i = last; i < end; ++i) put(&turned[i % pattern_size], 1, i, 1);
  }
  if (stream == nullptr) cl_check(clFinish(target), "filling a buffer");
}

}  // namespace tritonrt::runtime
