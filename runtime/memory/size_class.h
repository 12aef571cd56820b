// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TRITONRT_RUNTIME_MEMORY_SIZE_CLASS_H_
#define TRITONRT_RUNTIME_MEMORY_SIZE_CLASS_H_

#include <bit>
#include <cstddef>

namespace tritonrt::runtime {

// The class of a size: its number and the bytes of its blocks.
struct SizeClass {
  std::size_t index;
  std::size_t capacity;
};

inline constexpr std::size_t kSizeClasses = std::size_t{8} * 48;
inline constexpr std::size_t kMaxBlockBytes = std::size_t{1} << 50;

// Eight classes between powers of two, so that at most an eighth is wasted beside the `unit` that
// all are multiples of. REQUIRES: 0 < size <= kMaxBlockBytes; `unit` is a power of two.
inline SizeClass size_class(std::size_t size, std::size_t unit) {
  const std::size_t units = (size + unit - 1) / unit;
  if (units <= 8) return {units - 1, units * unit};
  const int octave = std::bit_width(units - 1) - 4;  // units in (8 << octave, 16 << octave]
  const std::size_t step = std::size_t{1} << octave;
  const std::size_t eighths = (units + step - 1) / step;  // 9 .. 16
  return {static_cast<std::size_t>(octave) * 8 + eighths - 1, eighths * step * unit};
}

}  // namespace tritonrt::runtime

#endif  // TRITONRT_RUNTIME_MEMORY_SIZE_CLASS_H_
