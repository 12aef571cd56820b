// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TRITONRT_KERNEL_FN_H_
#define TRITONRT_KERNEL_FN_H_

#include <cstddef>
#include <string>
#include <type_traits>
#include <utility>

#include "tritonrt/args.h"
#include "tritonrt/buffer.h"
#include "tritonrt/error.h"
#include "tritonrt/kernel.h"
#include "tritonrt/stream.h"

namespace tritonrt {

// Element and scalar types that C++17 has no type for.
struct Float16 {};
struct BFloat16 {};
struct Float8E4NV {};
struct Float8E5 {};

// A pointer parameter of KernelFn to elements of type T: made from a buffer, or a buffer and an
// offset in bytes, or nullptr.
template <typename T>
class Ptr {
 public:
  Ptr(std::nullptr_t) noexcept {}
  Ptr(const Buffer& buffer, std::size_t offset = 0) noexcept;
  const Arg& arg() const noexcept { return arg_; }

 private:
  Arg arg_;
};

namespace internal {

template <typename T>
constexpr DType dtype_of() {
  if constexpr (std::is_same_v<T, Float16>) {
    return DType::kF16;
  } else if constexpr (std::is_same_v<T, BFloat16>) {
    return DType::kBF16;
  } else if constexpr (std::is_same_v<T, Float8E4NV>) {
    return DType::kF8E4NV;
  } else if constexpr (std::is_same_v<T, Float8E5>) {
    return DType::kF8E5;
  } else if constexpr (std::is_same_v<T, bool>) {
    return DType::kI1;
  } else if constexpr (std::is_floating_point_v<T>) {
    return sizeof(T) == 4 ? DType::kF32 : DType::kF64;
  } else {
    static_assert(std::is_integral_v<T>, "no element type of kernels");
    constexpr DType kSigned[] = {DType::kI8, DType::kI16, DType::kI32, DType::kI64};
    constexpr DType kUnsigned[] = {DType::kU8, DType::kU16, DType::kU32, DType::kU64};
    constexpr int kLog = sizeof(T) == 1 ? 0 : sizeof(T) == 2 ? 1 : sizeof(T) == 4 ? 2 : 3;
    return std::is_signed_v<T> ? kSigned[kLog] : kUnsigned[kLog];
  }
}

// A scalar that takes its own type, or one that widens to it: nothing is narrowed unseen.
template <typename T>
class Exact {
 public:
  template <typename U, typename = decltype(T{std::declval<U>()}),
            typename = std::enable_if_t<
                std::is_arithmetic_v<U> && (std::is_same_v<T, bool> == std::is_same_v<U, bool>) &&
                (std::is_floating_point_v<T> == std::is_floating_point_v<U>)>>
  Exact(U value) noexcept : value_{value} {}
  Arg arg() const noexcept { return Arg(value_); }

 private:
  T value_;
};

// What a call takes for a parameter declared as T, and what the signature must say of it.
template <typename T>
struct ParameterOf {
  using Given = Exact<T>;
  static constexpr Parameter::Kind kKind = Parameter::Kind::kScalar;
  static constexpr DType kDType = dtype_of<T>();
};
template <typename T>
struct ParameterOf<Ptr<T>> {
  using Given = Ptr<T>;
  static constexpr Parameter::Kind kKind = Parameter::Kind::kPointer;
  static constexpr DType kDType = dtype_of<std::remove_const_t<T>>();
};
// A float that is rounded to the 16-bit type.
template <typename T>
struct RoundedParameter {
  using Given = Exact<float>;
  static constexpr Parameter::Kind kKind = Parameter::Kind::kScalar;
  static constexpr DType kDType = dtype_of<T>();
};
template <>
struct ParameterOf<Float16> : RoundedParameter<Float16> {};
template <>
struct ParameterOf<BFloat16> : RoundedParameter<BFloat16> {};
template <>
struct ParameterOf<Buffer> {
  class Given {
   public:
    Given(const Buffer& buffer) noexcept : arg_(buffer) {}
    const Arg& arg() const noexcept { return arg_; }

   private:
    Arg arg_;
  };
  static constexpr Parameter::Kind kKind = Parameter::Kind::kPointer;
  static constexpr DType kDType = DType::kUnknown;
};
template <>
struct ParameterOf<TensorDescriptor> {
  class Given {
   public:
    Given(const TensorDescriptor& descriptor) noexcept : arg_(descriptor) {}
    const Arg& arg() const noexcept { return arg_; }

   private:
    Arg arg_;
  };
  static constexpr Parameter::Kind kKind = Parameter::Kind::kDescriptor;
  static constexpr DType kDType = DType::kUnknown;
};

}  // namespace internal

// A kernel with its parameters as C++ types: a call with too few arguments, with a scalar that
// would be narrowed or with something that is no buffer does not compile.
//
//   KernelFn<Ptr<const float>, Ptr<const float>, Ptr<float>, std::int32_t> add(kernel);
//   add(stream, {blocks}, x, y, out, n);
//
// Parameters: Ptr<T>; Buffer, a pointer to anything; arithmetic types; Float16 and BFloat16, which
// take a float; TensorDescriptor, which stands for its shape and strides as well.
template <typename... Params>
class KernelFn {
 public:
  // Throws kInvalidArgument where the kernel's signature is another one, and kInvalidInput where
  // its text is wrong.
  explicit KernelFn(Kernel kernel) : kernel_(std::move(kernel)) {
    std::size_t index = 0;
    (expect(index, internal::ParameterOf<Params>::kKind, internal::ParameterOf<Params>::kDType),
     ...);
    if (index != kernel_.signature().size()) mismatch(index, "nothing");
  }

  void operator()(Stream& stream, const Grid& grid,
                  typename internal::ParameterOf<Params>::Given... args) const {
    const Arg list[sizeof...(Params) + 1] = {args.arg()..., Arg()};
    kernel_.launch(stream, grid, Span<const Arg>(list, sizeof...(Params)));
  }

  BoundKernel bind(const Device& device,
                   typename internal::ParameterOf<Params>::Given... args) const {
    const Arg list[sizeof...(Params) + 1] = {args.arg()..., Arg()};
    return kernel_.bind(device, Span<const Arg>(list, sizeof...(Params)));
  }

  const Kernel& kernel() const noexcept { return kernel_; }

 private:
  void expect(std::size_t& index, Parameter::Kind kind, DType dtype) const {
    const auto& signature = kernel_.signature();
    const bool typed = dtype != DType::kUnknown;
    const bool same = index < signature.size() && signature[index].kind == kind &&
                      (!typed || signature[index].dtype == DType::kUnknown ||
                       same_storage(signature[index].dtype, dtype));
    if (!same)
      mismatch(index, kind == Parameter::Kind::kScalar       ? std::string(to_string(dtype))
                      : kind == Parameter::Kind::kDescriptor ? "a tensor descriptor"
                      : typed ? "ptr:" + std::string(to_string(dtype))
                              : "a pointer");
    const std::size_t rank = signature[index].block_shape.size();
    index += kind == Parameter::Kind::kDescriptor ? 1 + 2 * rank : 1;
  }

  [[noreturn]] void mismatch(std::size_t index, const std::string& said) const {
    const auto& signature = kernel_.signature();
    throw Error(ErrorCode::kInvalidArgument,
                "kernel '" + kernel_.name() + "': parameter " + std::to_string(index) + " is " +
                    (index < signature.size() ? signature[index].type : "missing") +
                    ", its KernelFn says " + said);
  }

  Kernel kernel_;
};

template <typename T>
Ptr<T>::Ptr(const Buffer& buffer, std::size_t offset) noexcept
    : arg_(buffer, offset, internal::dtype_of<std::remove_const_t<T>>()) {}

}  // namespace tritonrt

#endif  // TRITONRT_KERNEL_FN_H_
