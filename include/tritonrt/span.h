// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TRITONRT_SPAN_H_
#define TRITONRT_SPAN_H_

#include <cstddef>
#include <vector>

namespace tritonrt {

// A view of contiguous elements that someone else owns (C++17 has no std::span).
template <typename T>
class Span;

template <typename T>
class Span<const T> {
 public:
  constexpr Span() noexcept = default;
  constexpr Span(const T* data, std::size_t size) noexcept : data_(data), size_(size) {}
  template <std::size_t N>
  constexpr Span(const T (&array)[N]) noexcept : data_(array), size_(N) {}
  Span(const std::vector<T>& v) noexcept : data_(v.data()), size_(v.size()) {}

  constexpr const T* data() const noexcept { return data_; }
  constexpr std::size_t size() const noexcept { return size_; }
  constexpr bool empty() const noexcept { return size_ == 0; }
  constexpr const T& operator[](std::size_t i) const noexcept { return data_[i]; }
  constexpr const T* begin() const noexcept { return data_; }
  constexpr const T* end() const noexcept { return data_ + size_; }

 private:
  const T* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace tritonrt

#endif  // TRITONRT_SPAN_H_
