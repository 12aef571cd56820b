// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/cpu/scratch.h"

#include <cstdlib>

namespace tritonrt::runtime {
namespace {

struct Scratch {
  void* data = nullptr;
  std::size_t size = 0;
  ~Scratch() { std::free(data); }
};

thread_local Scratch t_scratch;

}  // namespace

void* thread_scratch(std::size_t size) noexcept {
  Scratch& scratch = t_scratch;
  if (scratch.size >= size) return scratch.data;
  constexpr std::size_t kAlignment = 64;
  const std::size_t rounded = (size + kAlignment - 1) / kAlignment * kAlignment;
  if (rounded < size) return nullptr;
  std::free(scratch.data);
  scratch.data = std::aligned_alloc(kAlignment, rounded);
  scratch.size = scratch.data != nullptr ? rounded : 0;
  return scratch.data;
}

}  // namespace tritonrt::runtime
