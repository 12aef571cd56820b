// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/pack.h"

#include <bit>
#include <utility>

#include "runtime/small_float.h"
#include "tritonrt/error.h"

namespace tritonrt::runtime {
namespace {

bool is_float(DType type) { return type >= DType::kF16; }

// The bits of an integer, sign- or zero-extended from its width as its type says.
std::uint64_t extend(DType type, std::uint64_t bits) {
  switch (type) {
    case DType::kI1:
      return bits & 1;
    case DType::kI8:
      return static_cast<std::uint64_t>(static_cast<std::int8_t>(bits));
    case DType::kI16:
      return static_cast<std::uint64_t>(static_cast<std::int16_t>(bits));
    case DType::kI32:
      return static_cast<std::uint64_t>(static_cast<std::int32_t>(bits));
    case DType::kU8:
      return bits & 0xff;
    case DType::kU16:
      return bits & 0xffff;
    case DType::kU32:
      return bits & 0xffffffff;
    default:
      return bits;
  }
}

bool is_multiple(std::uint64_t value, std::uint32_t of) {
  if (std::has_single_bit(of)) return (value & (of - 1)) == 0;
  return static_cast<std::int64_t>(value) % static_cast<std::int64_t>(of) == 0;
}

std::string describe(const Arg& arg) {
  std::string type(to_string(arg.dtype()));
  switch (arg.kind()) {
    case Arg::Kind::kNull:
      return "a null pointer";
    case Arg::Kind::kBuffer:
    case Arg::Kind::kHostPointer:
      return arg.dtype() == DType::kUnknown ? "a pointer" : "ptr:" + type;
    case Arg::Kind::kDescriptor:
      return "a tensor descriptor";
    case Arg::Kind::kScalar:
      return type;
  }
  return "?";
}

}  // namespace

std::string Special::text() const {
  return std::string("disjoint=") + (disjoint ? "1" : "0") + "\ngeneric=" + (generic ? "1" : "0") +
         "\n";
}

Signature::Signature(Metadata metadata)
    : kernel(std::move(metadata.kernel)), parameters(std::move(metadata.parameters)) {
  codes.reserve(parameters.size());
  for (const Parameter& p : parameters)
    codes.push_back({p.kind, p.dtype, p.written, static_cast<std::uint8_t>(p.block_shape.size()),
                     p.divisibility});
}

Frame::Frame(std::size_t count)
    : count_(count), slots_(inline_slots_), buffers_(inline_buffers_), ranges_(inline_ranges_) {
  if (count <= kInline) return;
  heap_slots_ = std::make_unique<std::uint64_t[]>(count);
  heap_buffers_ = std::make_unique<BufferImpl*[]>(count);
  heap_ranges_ = std::make_unique<Range[]>(count);
  slots_ = heap_slots_.get();
  buffers_ = heap_buffers_.get();
  ranges_ = heap_ranges_.get();
}

void Packer::fail(std::size_t index, const std::string& text) const {
  const std::string& name = signature_.parameters[index].name;
  throw Error(ErrorCode::kInvalidArgument,
              "kernel '" + signature_.kernel + "': argument " + std::to_string(index) +
                  (name.empty() ? "" : " (" + name + ")") + ": " + text);
}

void Packer::fail_type(std::size_t index, const Arg& arg) const {
  fail(index, "expected " + signature_.parameters[index].type + ", got " + describe(arg));
}

void Packer::pack(Span<const Arg> args) {
  const std::size_t count = signature_.codes.size();
  std::size_t index = 0;
  std::size_t taken = 0;
  while (index < count && taken < args.size()) index += pack_one(index, args[taken++]);
  if (index == count && taken == args.size()) return;
  // What is missing, or left over, beside what was taken.
  const std::size_t given = index + (args.size() - taken);
  throw Error(ErrorCode::kInvalidArgument,
              "kernel '" + signature_.kernel + "' takes " + std::to_string(count) +
                  (count == 1 ? " argument, got " : " arguments, got ") + std::to_string(given));
}

std::size_t Packer::pack_one(std::size_t index, const Arg& arg) {
  switch (signature_.codes[index].kind) {
    case Parameter::Kind::kPointer:
      pack_pointer(index, arg);
      return 1;
    case Parameter::Kind::kScalar:
      pack_scalar(index, arg);
      return 1;
    case Parameter::Kind::kDescriptor:
      if (arg.kind() == Arg::Kind::kDescriptor) return pack_descriptor(index, arg);
      pack_pointer(index, arg);
      return 1;
  }
  return 1;
}

void Packer::point_to(std::size_t index, const Buffer& buffer, std::uint64_t offset) {
  BufferImpl* impl = buffer.impl().get();
  if (impl == nullptr) fail(index, "the buffer handle is empty");
  if (&impl->device() != &device_) {
    fail(index, "the buffer is on device '" + impl->device().info().name + "' (" +
                    impl->device().info().device + "), the launch on '" + device_.info().name +
                    "' (" + device_.info().device + ")");
  }
  if (offset > impl->size())
    fail(index, "the offset of " + std::to_string(offset) + " bytes lies beyond a buffer of " +
                    std::to_string(impl->size()));
  frame_.slots_[index] = impl->base() + offset;
  frame_.buffers_[index] = impl;
  frame_.ranges_[index] = {impl->range_begin(), impl->range_end()};
}

void Packer::pack_pointer(std::size_t index, const Arg& arg) {
  const Signature::Code& code = signature_.codes[index];
  if (arg.dtype() != DType::kUnknown && code.dtype != DType::kUnknown &&
      arg.kind() != Arg::Kind::kScalar && !same_storage(arg.dtype(), code.dtype))
    fail_type(index, arg);
  switch (arg.kind()) {
    case Arg::Kind::kBuffer:
      point_to(index, *arg.buffer(), arg.bits());
      return;
    case Arg::Kind::kNull:
      frame_.slots_[index] = 0;
      frame_.buffers_[index] = nullptr;
      frame_.ranges_[index] = {0, 0};
      return;
    case Arg::Kind::kHostPointer:
      if (!device_.takes_host_pointers())
        fail(index, "the device '" + device_.info().name + "' takes buffers, not host pointers");
      frame_.slots_[index] = arg.bits();
      frame_.buffers_[index] = nullptr;
      // Of unknown extent: it may overlap anything.
      frame_.ranges_[index] = arg.extent() != 0
                                  ? Frame::Range{arg.bits(), arg.bits() + arg.extent()}
                                  : Frame::Range{0, ~std::uint64_t{0}};
      return;
    default:
      fail_type(index, arg);
  }
}

void Packer::pack_scalar(std::size_t index, const Arg& arg) {
  const Signature::Code& code = signature_.codes[index];
  if (arg.kind() != Arg::Kind::kScalar) fail_type(index, arg);
  std::uint64_t bits = arg.bits();
  if (!same_storage(arg.dtype(), code.dtype)) {
    const bool rounds =
        arg.dtype() == DType::kF32 && (code.dtype == DType::kF16 || code.dtype == DType::kBF16);
    if (!rounds) fail_type(index, arg);
    bits = encode_float(code.dtype, std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
  } else if (!is_float(code.dtype)) {
    bits = extend(code.dtype == DType::kI1 ? DType::kI1 : arg.dtype(), bits);
  }
  frame_.slots_[index] = bits;
  frame_.buffers_[index] = nullptr;
  frame_.ranges_[index] = {0, 0};
}

std::size_t Packer::pack_descriptor(std::size_t index, const Arg& arg) {
  const TensorDescriptor& descriptor = *arg.descriptor();
  const Signature::Code& code = signature_.codes[index];
  if (descriptor.rank != code.rank)
    fail(index, "expected a descriptor of rank " + std::to_string(code.rank) + ", got rank " +
                    std::to_string(descriptor.rank));
  if (descriptor.dtype != DType::kUnknown && !same_storage(descriptor.dtype, code.dtype))
    fail(index, "expected a descriptor of " + std::string(to_string(code.dtype)) + ", got one of " +
                    std::string(to_string(descriptor.dtype)));
  const std::size_t rank = code.rank;
  if (index + 2 * rank >= signature_.codes.size())
    fail(index, "the signature lacks the descriptor's shape and strides");
  if (descriptor.buffer == nullptr) fail(index, "the descriptor has no buffer");
  point_to(index, *descriptor.buffer, descriptor.offset);
  for (std::size_t i = 0; i < rank; ++i) {
    pack_scalar(index + 1 + i, Arg(descriptor.shape[i]));
    pack_scalar(index + 1 + rank + i, Arg(descriptor.strides[i]));
  }
  return 1 + 2 * rank;
}

void Packer::use(StreamImpl& stream) const {
  for (std::size_t i = 0; i < signature_.codes.size(); ++i)
    if (frame_.buffers_[i] != nullptr) frame_.buffers_[i]->use(stream, signature_.codes[i].written);
}

bool Packer::overlaps() const {
  const std::vector<Signature::Code>& codes = signature_.codes;
  for (std::size_t w = 0; w < codes.size(); ++w) {
    const Frame::Range& a = frame_.ranges_[w];
    if (codes[w].kind == Parameter::Kind::kScalar || !codes[w].written || a.begin == a.end)
      continue;
    for (std::size_t other = 0; other < codes.size(); ++other) {
      const Frame::Range& b = frame_.ranges_[other];
      // A pair of written arguments is met once.
      if (other == w || (codes[other].written && other < w)) continue;
      if (a.begin < b.end && b.begin < a.end) return true;
    }
  }
  return false;
}

Special Packer::special() const {
  Special special;
  special.generic = !keeps(signature_, frame_);
  special.disjoint = !overlaps();
  return special;
}

bool Packer::keeps(const Signature& signature, const Frame& frame) {
  for (std::size_t i = 0; i < signature.codes.size(); ++i) {
    const Signature::Code& code = signature.codes[i];
    if (code.divisibility != 1 && !is_multiple(frame.slots_[i], code.divisibility)) return false;
    // The last of a descriptor's strides, which follow its shape.
    const std::size_t last = i + 2 * std::size_t{code.rank};
    if (code.kind == Parameter::Kind::kDescriptor && last < signature.codes.size() &&
        frame.slots_[last] != 1)
      return false;
  }
  return true;
}

void check_grid(const Grid& grid, const std::string& kernel) {
  constexpr std::uint64_t kMax = (std::uint64_t{1} << 31) - 1;
  const std::uint64_t plane = std::uint64_t{grid.x} * grid.y;
  if (plane != 0 && grid.z != 0 && plane <= kMax && plane * grid.z <= kMax) return;
  throw Error(ErrorCode::kInvalidArgument,
              "kernel '" + kernel + "': the grid " + std::to_string(grid.x) + " x " +
                  std::to_string(grid.y) + " x " + std::to_string(grid.z) +
                  " is not within 1 to 2147483647 programs");
}

}  // namespace tritonrt::runtime
