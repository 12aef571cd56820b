// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TRITONRT_ARGS_H_
#define TRITONRT_ARGS_H_

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "tritonrt/buffer.h"
#include "tritonrt/dtype.h"
#include "tritonrt/export.h"

namespace tritonrt {

// A tensor descriptor made on the host, for a parameter of type `!tt.tensordesc`. It stands for
// the parameter and for the shape and stride parameters that follow it in the signature.
struct TensorDescriptor {
  static constexpr int kMaxRank = 5;

  const Buffer* buffer = nullptr;
  std::size_t offset = 0;  // bytes
  DType dtype = DType::kUnknown;
  int rank = 0;
  std::int32_t shape[kMaxRank] = {};    // elements
  std::int64_t strides[kMaxRank] = {};  // elements
};

// One argument of a launch. Cheap to make and copy; it refers to the buffer or descriptor it was
// made from, which must live until the call that takes it returns.
//
// A scalar's type must be the parameter's: integers by width (signed or not), floating point
// exactly, except that a float may be passed for f16 and bf16 and is rounded to nearest even.
class TRITONRT_API Arg {
 public:
  enum class Kind : std::uint8_t { kNull, kBuffer, kHostPointer, kScalar, kDescriptor };

  // A null pointer.
  constexpr Arg() noexcept = default;
  constexpr Arg(std::nullptr_t) noexcept {}

  // The start of a buffer, or `offset` bytes into it. With a dtype, the parameter's element type
  // is checked against it.
  Arg(const Buffer& buffer) noexcept : Arg(buffer, 0) {}
  Arg(const Buffer& buffer, std::size_t offset, DType dtype = DType::kUnknown) noexcept
      : kind_(Kind::kBuffer), dtype_(dtype), bits_(offset), object_(&buffer) {}

  // Host memory, for the CPU device. `bytes` is what lies behind the pointer; 0 = not known, which
  // costs the kernel the knowledge that its arguments do not overlap.
  static Arg host(const void* pointer, std::size_t bytes = 0,
                  DType dtype = DType::kUnknown) noexcept;
  template <typename T, typename = std::enable_if_t<std::is_arithmetic<T>::value>>
  static Arg host(const T* pointer, std::size_t count) noexcept {
    return host(static_cast<const void*>(pointer), count * sizeof(T), dtype_of<T>());
  }

  Arg(const TensorDescriptor& descriptor) noexcept
      : kind_(Kind::kDescriptor), dtype_(descriptor.dtype), object_(&descriptor) {}

  // Scalars by their C++ type.
  template <typename T, typename = std::enable_if_t<std::is_arithmetic<T>::value>>
  Arg(T value) noexcept : kind_(Kind::kScalar), dtype_(dtype_of<T>()) {
    if constexpr (std::is_floating_point<T>::value) {
      set_float(static_cast<double>(value));
    } else {
      bits_ = static_cast<std::uint64_t>(value);  // sign-extends signed types
    }
  }
  // A scalar of any type from its bits, in the low bytes.
  static Arg from_bits(DType dtype, std::uint64_t bits) noexcept;
  // A floating-point scalar of any type, rounded to nearest even.
  static Arg from_double(DType dtype, double value);

  Kind kind() const noexcept { return kind_; }
  DType dtype() const noexcept { return dtype_; }
  // Scalar: its bits. Buffer: the byte offset. Host pointer: the address.
  std::uint64_t bits() const noexcept { return bits_; }
  // Host pointer: bytes behind it, 0 = unknown.
  std::uint64_t extent() const noexcept { return extent_; }
  const Buffer* buffer() const noexcept {
    return kind_ == Kind::kBuffer ? static_cast<const Buffer*>(object_) : nullptr;
  }
  const TensorDescriptor* descriptor() const noexcept {
    return kind_ == Kind::kDescriptor ? static_cast<const TensorDescriptor*>(object_) : nullptr;
  }

 private:
  template <typename T>
  static constexpr DType dtype_of() noexcept {
    if (std::is_same<T, bool>::value) return DType::kI1;
    if (std::is_floating_point<T>::value) return sizeof(T) == 4 ? DType::kF32 : DType::kF64;
    const bool s = std::is_signed<T>::value;
    switch (sizeof(T)) {
      case 1:
        return s ? DType::kI8 : DType::kU8;
      case 2:
        return s ? DType::kI16 : DType::kU16;
      case 4:
        return s ? DType::kI32 : DType::kU32;
      default:
        return s ? DType::kI64 : DType::kU64;
    }
  }
  void set_float(double value) noexcept;

  Kind kind_ = Kind::kNull;
  DType dtype_ = DType::kUnknown;
  std::uint64_t bits_ = 0;
  std::uint64_t extent_ = 0;
  const void* object_ = nullptr;
};

}  // namespace tritonrt

#endif  // TRITONRT_ARGS_H_
