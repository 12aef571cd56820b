// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/opencl/cl_stop.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>

#include "runtime/mesh.h"
#include "runtime/opencl/cl_buffer.h"
#include "runtime/opencl/cl_device.h"
#include "runtime/opencl/cl_error.h"

namespace tritonrt::runtime {
namespace {

constexpr std::size_t kPage = 4096;

}  // namespace

ClStopWords::ClStopWords(const std::shared_ptr<ClDevice>& device)
    : queue_(device->context(), device->device()) {
  static_assert(kBytes <= kPage);
  cl_int code = CL_SUCCESS;
  cl_mem_flags flags = CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR;
  std::array<cl_uint, kBytes / sizeof(cl_uint)> zeros{};
  void* content = zeros.data();
  if (device->is_cpu()) {
    host_ = static_cast<cl_uint*>(std::aligned_alloc(kPage, kPage));
    if (host_ == nullptr) throw Error(ErrorCode::kOutOfMemory, "no memory for a stop word");
    std::memset(host_, 0, kPage);
    flags = CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR;
    content = host_;
  }
  const cl::Buffer memory(clCreateBuffer(device->context()(), flags, kBytes, content, &code));
  if (code == CL_SUCCESS && host_ != nullptr)
    code = clSetMemObjectDestructorCallback(
        memory(), [](cl_mem, void* host) { std::free(host); }, host_);
  cl_check(code, "making a stop word");
  buffer_ = std::make_shared<ClBuffer>(device, memory);
}

ClStopWords::~ClStopWords() = default;

std::uint64_t ClStopWords::offset_of(const std::shared_ptr<const Metadata>& kernel) {
  const std::lock_guard lock(mutex_);
  auto known = std::find(kernels_.begin(), kernels_.end(), kernel);
  if (known == kernels_.end()) known = kernels_.insert(known, kernel);
  const auto place = static_cast<std::size_t>(known - kernels_.begin());
  return std::min(place, kKernels - 1) * 2 * sizeof(cl_uint);
}

void ClStopWords::stop() noexcept {
  const cl_uint one = 1;
  if (host_ != nullptr) {
    for (std::size_t k = 0; k < kKernels; ++k)
      __atomic_store_n(host_ + 2 * k, one, __ATOMIC_RELEASE);
    return;
  }
  // The second word of each is the kernels' to write.
  for (std::size_t k = 0; k < kKernels; ++k)
    clEnqueueFillBuffer(queue_(), buffer_->memory(), &one, sizeof(one), k * 2 * sizeof(one),
                        sizeof(one), 0, nullptr, nullptr);
  // Not waited for: a device may run one queue after the other.
  clFlush(queue_());
}

std::string ClStopWords::gave_up() {
  std::array<cl_uint, kBytes / sizeof(cl_uint)> words{};
  if (host_ != nullptr)
    for (std::size_t i = 0; i < words.size(); ++i)
      words[i] = __atomic_load_n(host_ + i, __ATOMIC_ACQUIRE);
  else if (clEnqueueReadBuffer(queue_(), buffer_->memory(), CL_TRUE, 0, kBytes, words.data(), 0,
                               nullptr, nullptr) != CL_SUCCESS)
    return {};
  std::string text;
  const std::lock_guard lock(mutex_);
  for (std::size_t k = 0; k < std::min(kernels_.size(), kKernels); ++k) {
    if (words[2 * k + 1] == 0) continue;
    if (!text.empty()) text += "; ";
    text += runtime::gave_up(*kernels_[k], static_cast<std::int32_t>(words[2 * k + 1])).message();
  }
  return text;
}

}  // namespace tritonrt::runtime
