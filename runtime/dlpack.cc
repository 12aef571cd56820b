// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tritonrt/dlpack.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "runtime/check.h"
#include "tritonrt/error.h"

// The exchange struct's layout, as DLPack's specification of version 1 has it.
namespace {

constexpr std::int32_t kHost = 1;
constexpr std::int32_t kPinnedHost = 3;
constexpr std::int32_t kOpenCl = 4;

struct DlDevice {
  std::int32_t type;
  std::int32_t index;
};

struct DlType {
  std::uint8_t code;
  std::uint8_t bits;
  std::uint16_t lanes;
};

struct DlTensor {
  void* data;
  DlDevice device;
  std::int32_t rank;
  DlType dtype;
  std::int64_t* shape;
  std::int64_t* strides;  // null: dense, in C order
  std::uint64_t byte_offset;
};

}  // namespace

struct DLManagedTensor {
  DlTensor tensor;
  void* owner;
  void (*deleter)(DLManagedTensor* self);
};

namespace tritonrt {
namespace {

struct TypeCode {
  DType dtype;
  std::uint8_t code;
  std::uint8_t bits;
};

// By DLPack's type codes: int 0, uint 1, float 2, bfloat 4, bool 6, and those of 8-bit floats.
constexpr TypeCode kTypes[] = {
    {DType::kI1, 6, 8},      {DType::kI8, 0, 8},      {DType::kI16, 0, 16},
    {DType::kI32, 0, 32},    {DType::kI64, 0, 64},    {DType::kU8, 1, 8},
    {DType::kU16, 1, 16},    {DType::kU32, 1, 32},    {DType::kU64, 1, 64},
    {DType::kF16, 2, 16},    {DType::kBF16, 4, 16},   {DType::kF32, 2, 32},
    {DType::kF64, 2, 64},    {DType::kF8E4B15, 9, 8}, {DType::kF8E4NV, 10, 8},
    {DType::kF8E4B8, 11, 8}, {DType::kF8E5, 12, 8},   {DType::kF8E5B16, 13, 8},
};

DType dtype_of(const DlType& type) {
  if (type.lanes == 1)
    for (const TypeCode& known : kTypes)
      if (known.code == type.code && known.bits == type.bits) return known.dtype;
  throw Error(ErrorCode::kUnsupported,
              "kernels have no type with DLPack's code " + std::to_string(type.code) + ", " +
                  std::to_string(type.bits) + " bits and " + std::to_string(type.lanes) + " lanes");
}

[[noreturn]] void refuse_size() {
  throw Error(ErrorCode::kInvalidArgument, "the tensor's shape and strides reach beyond 64 bits");
}

// Bytes from the tensor's first element to the end of its last.
std::size_t extent(const Tensor& tensor) {
  std::int64_t last = 0;
  for (std::size_t d = 0; d < tensor.shape.size(); ++d) {
    if (tensor.shape[d] < 0 || tensor.strides[d] < 0)
      throw Error(ErrorCode::kUnsupported,
                  "dimension " + std::to_string(d) + " of the tensor has the extent " +
                      std::to_string(tensor.shape[d]) + " and the stride " +
                      std::to_string(tensor.strides[d]) + ", expected none below 0");
    if (tensor.shape[d] == 0) return 0;
    std::int64_t reach = 0;
    if (__builtin_mul_overflow(tensor.strides[d], tensor.shape[d] - 1, &reach) ||
        __builtin_add_overflow(last, reach, &last))
      refuse_size();
  }
  std::size_t bytes = 0;
  if (__builtin_mul_overflow(static_cast<std::size_t>(last) + 1, size_of(tensor.dtype), &bytes))
    refuse_size();
  return bytes;
}

void read_shape(const DlTensor& from, Tensor& to) {
  if (from.rank < 0)
    throw Error(ErrorCode::kInvalidArgument,
                "the tensor has the rank " + std::to_string(from.rank) + ", expected 0 or more");
  const auto rank = static_cast<std::size_t>(from.rank);
  if (rank != 0) to.shape.assign(from.shape, from.shape + rank);
  to.strides.assign(rank, 1);
  if (from.strides != nullptr)
    to.strides.assign(from.strides, from.strides + rank);
  else
    for (std::size_t d = rank; d-- > 1;)
      if (__builtin_mul_overflow(to.strides[d], to.shape[d], &to.strides[d - 1])) refuse_size();
}

// Calls a tensor's deleter, once.
class Taken {
 public:
  explicit Taken(DLManagedTensor* tensor) : tensor_(tensor) {}
  ~Taken() {
    if (tensor_ != nullptr && tensor_->deleter != nullptr) tensor_->deleter(tensor_);
  }
  Taken(const Taken&) = delete;
  Taken& operator=(const Taken&) = delete;

 private:
  DLManagedTensor* const tensor_;
};

Buffer buffer_of(const DlTensor& from, const Tensor& to, const Device& device,
                 std::function<void()> release) {
  const std::size_t bytes = from.byte_offset + extent(to);
  switch (from.device.type) {
    case kHost:
    case kPinnedHost:
      return Buffer::wrap_host(device, from.data, bytes, std::move(release));
    case kOpenCl: {
      Buffer buffer(runtime::need(device).adopt_buffer(from.data));
      runtime::check_range(*buffer.impl(), bytes, 0);
      buffer.impl()->call_when_gone(std::move(release));
      return buffer;
    }
    default:
      throw Error(ErrorCode::kUnsupported, "no buffer can be made of memory on DLPack's device " +
                                               std::to_string(from.device.type));
  }
}

// What a tensor that was handed out keeps.
struct Handed {
  Tensor tensor;
  DLManagedTensor managed;
};

}  // namespace

Tensor from_dlpack(DLManagedTensor* tensor, const Device& device) {
  if (tensor == nullptr) throw Error(ErrorCode::kInvalidArgument, "the tensor is null");
  const auto taken = std::make_shared<Taken>(tensor);
  const DlTensor& from = tensor->tensor;
  Tensor to;
  to.dtype = dtype_of(from.dtype);
  to.offset = from.byte_offset;
  read_shape(from, to);
  to.buffer = buffer_of(from, to, device, [taken] {});
  return to;
}

DLManagedTensor* to_dlpack(const Tensor& tensor) {
  runtime::BufferImpl& buffer = runtime::need(tensor.buffer);
  if (tensor.shape.size() != tensor.strides.size())
    throw Error(ErrorCode::kInvalidArgument,
                "the tensor has " + std::to_string(tensor.shape.size()) + " extents and " +
                    std::to_string(tensor.strides.size()) +
                    " strides, expected one of each for a dimension");
  const auto type = std::find_if(std::begin(kTypes), std::end(kTypes),
                                 [&](const TypeCode& t) { return t.dtype == tensor.dtype; });
  if (type == std::end(kTypes))
    throw Error(ErrorCode::kInvalidArgument, "the tensor's type '" +
                                                 std::string(to_string(tensor.dtype)) +
                                                 "' is none that DLPack has; set Tensor::dtype");
  runtime::check_range(buffer, extent(tensor), tensor.offset);
  auto handed = std::make_unique<Handed>(Handed{tensor, {}});
  DlTensor& to = handed->managed.tensor;
  to.dtype = {type->code, type->bits, 1};
  to.rank = static_cast<std::int32_t>(tensor.shape.size());
  to.shape = handed->tensor.shape.data();
  to.strides = handed->tensor.strides.data();
  to.byte_offset = tensor.offset;
  if (void* const host = buffer.host_data()) {
    to.data = host;
    to.device = {kHost, 0};
  } else {
    to.data = buffer.native();
    to.byte_offset += buffer.base();
    to.device = {kOpenCl, 0};
  }
  handed->managed.owner = handed.get();
  handed->managed.deleter = [](DLManagedTensor* self) { delete static_cast<Handed*>(self->owner); };
  return &handed.release()->managed;
}

}  // namespace tritonrt
