// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <bit>

#include "src/c/handles.h"

static_assert(static_cast<int>(tritonrt::DType::kF8E5B16) == TRITONRT_F8E5B16);
static_assert(tritonrt::TensorDescriptor::kMaxRank == TRITONRT_MAX_RANK);

namespace tritonrt::c {
namespace {

DType dtype_of(const tritonrt_dtype& from) {
  const int dtype = number_of(from);
  if (dtype < TRITONRT_DTYPE_UNKNOWN || dtype > TRITONRT_F8E5B16)
    throw Error(ErrorCode::kInvalidArgument, "there is no dtype " + std::to_string(dtype) +
                                                 ", expected a constant of tritonrt_dtype");
  return static_cast<DType>(dtype);
}

TensorDescriptor descriptor_of(const tritonrt_tensor_descriptor& from) {
  TensorDescriptor to;
  to.buffer = &need(from.buffer, "the descriptor's buffer").value;
  to.offset = from.offset;
  to.dtype = dtype_of(from.dtype);
  to.rank = from.rank;
  if (from.rank < 0 || from.rank > TRITONRT_MAX_RANK)
    throw Error(ErrorCode::kInvalidArgument,
                "a descriptor's rank is 1 to 5, got " + std::to_string(from.rank));
  for (int i = 0; i < from.rank; ++i) {
    to.shape[i] = from.shape[i];
    to.strides[i] = from.strides[i];
  }
  return to;
}

}  // namespace

Arguments::Arguments(const tritonrt_arg* args, std::size_t count) {
  if (count != 0) need(args, "args");
  descriptors_.reserve(count);
  list_.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    const tritonrt_arg& arg = args[i];
    const DType dtype = dtype_of(arg.dtype);
    switch (number_of(arg.kind)) {
      case TRITONRT_ARG_NULL:
        list_.emplace_back(nullptr);
        break;
      case TRITONRT_ARG_BUFFER:
        list_.emplace_back(
            need(static_cast<const tritonrt_buffer*>(arg.object), "an argument's buffer").value,
            arg.bits, dtype);
        break;
      case TRITONRT_ARG_HOST:
        list_.push_back(Arg::host(arg.object, arg.bits, dtype));
        break;
      case TRITONRT_ARG_SCALAR:
        list_.push_back(Arg::from_bits(dtype, arg.bits));
        break;
      case TRITONRT_ARG_DESCRIPTOR:
        descriptors_.push_back(descriptor_of(
            need(static_cast<const tritonrt_tensor_descriptor*>(arg.object), "a descriptor")));
        list_.emplace_back(descriptors_.back());
        break;
      default:
        throw Error(ErrorCode::kInvalidArgument, "argument " + std::to_string(i) +
                                                     " has the kind " +
                                                     std::to_string(number_of(arg.kind)) +
                                                     ", expected a constant of tritonrt_arg_kind");
    }
  }
}

}  // namespace tritonrt::c

namespace {

tritonrt_arg scalar(tritonrt_dtype dtype, uint64_t bits) {
  return {TRITONRT_ARG_SCALAR, dtype, bits, nullptr};
}

// The bits of a signed integer, extended.
uint64_t bits_of(int64_t value) { return static_cast<uint64_t>(value); }

}  // namespace

tritonrt_arg tritonrt_arg_null(void) {
  return {TRITONRT_ARG_NULL, TRITONRT_DTYPE_UNKNOWN, 0, nullptr};
}
tritonrt_arg tritonrt_arg_buffer(const tritonrt_buffer* buffer, size_t offset) {
  return {TRITONRT_ARG_BUFFER, TRITONRT_DTYPE_UNKNOWN, offset, buffer};
}
tritonrt_arg tritonrt_arg_host(const void* data, size_t size) {
  return {TRITONRT_ARG_HOST, TRITONRT_DTYPE_UNKNOWN, size, data};
}
tritonrt_arg tritonrt_arg_descriptor(const tritonrt_tensor_descriptor* descriptor) {
  return {TRITONRT_ARG_DESCRIPTOR, TRITONRT_DTYPE_UNKNOWN, 0, descriptor};
}
tritonrt_arg tritonrt_arg_bool(int value) { return scalar(TRITONRT_I1, value != 0); }
tritonrt_arg tritonrt_arg_i8(int8_t value) { return scalar(TRITONRT_I8, bits_of(value)); }
tritonrt_arg tritonrt_arg_i16(int16_t value) { return scalar(TRITONRT_I16, bits_of(value)); }
tritonrt_arg tritonrt_arg_i32(int32_t value) { return scalar(TRITONRT_I32, bits_of(value)); }
tritonrt_arg tritonrt_arg_i64(int64_t value) { return scalar(TRITONRT_I64, bits_of(value)); }
tritonrt_arg tritonrt_arg_f32(float value) {
  return scalar(TRITONRT_F32, std::bit_cast<uint32_t>(value));
}
tritonrt_arg tritonrt_arg_f64(double value) {
  return scalar(TRITONRT_F64, std::bit_cast<uint64_t>(value));
}
tritonrt_arg tritonrt_arg_bits(tritonrt_dtype dtype, uint64_t bits) {
  // Which dtype it is, is looked at where the argument is used: there an error can be told.
  tritonrt_arg arg = scalar(TRITONRT_DTYPE_UNKNOWN, bits);
  std::memcpy(&arg.dtype, &dtype, sizeof(dtype));
  return arg;
}
