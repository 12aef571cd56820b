// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TRITONRT_RUNTIME_PACK_H_
#define TRITONRT_RUNTIME_PACK_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "runtime/driver.h"
#include "tritonrt/args.h"
#include "tritonrt/kernel.h"
#include "tritonrt/span.h"

namespace tritonrt::runtime {

// What a launch promises the compiler; each combination is a variant of the kernel.
struct Special {
  bool disjoint = true;  // nothing the kernel may write overlaps another argument's memory
  // An argument breaks a tt.divisibility of the text, or a descriptor's last stride is not 1.
  bool generic = false;

  static constexpr std::size_t kVariants = 4;
  std::size_t index() const { return (disjoint ? 1u : 0u) | (generic ? 2u : 0u); }
  // As the compiler reads it.
  std::string text() const;
  friend bool operator==(const Special&, const Special&) = default;
};

// The signature, prepared for checking arguments fast.
struct Signature {
  std::string kernel;
  std::vector<Parameter> parameters;

  struct Code {
    Parameter::Kind kind;
    DType dtype;
    bool written;
    std::uint8_t rank;           // of a descriptor's block
    std::uint32_t divisibility;  // 1: no promise
  };
  std::vector<Code> codes;

  explicit Signature(Metadata metadata);
};

// Packed arguments, with what their special needs of them. Small signatures take no heap.
class Frame {
 public:
  explicit Frame(std::size_t count);

  PackedArgs args() const { return {slots_, buffers_, count_}; }
  std::size_t count() const { return count_; }

  // Memory behind a pointer argument, as addresses; begin == end where there is none.
  struct Range {
    std::uint64_t begin;
    std::uint64_t end;
  };
  Range range(std::size_t index) const { return ranges_[index]; }

 private:
  friend class Packer;
  static constexpr std::size_t kInline = 16;
  std::size_t count_;
  std::uint64_t inline_slots_[kInline];
  BufferImpl* inline_buffers_[kInline];
  Range inline_ranges_[kInline];
  std::unique_ptr<std::uint64_t[]> heap_slots_;
  std::unique_ptr<BufferImpl*[]> heap_buffers_;
  std::unique_ptr<Range[]> heap_ranges_;
  std::uint64_t* slots_;
  BufferImpl** buffers_;
  Range* ranges_;
};

// Checks arguments against a signature and puts them into a frame. Errors name the kernel and the
// argument, by index and name.
class Packer {
 public:
  Packer(const Signature& signature, DeviceImpl& device, Frame& frame)
      : signature_(signature), device_(device), frame_(frame) {}

  // All arguments; fills the frame. A tensor descriptor fills its shape and strides too.
  void pack(Span<const Arg> args);
  // One argument of a frame that is filled, at parameter `index`. Returns how many parameters it
  // fills.
  std::size_t pack_one(std::size_t index, const Arg& arg);
  // Says that the frame's buffers are about to be used on a stream.
  void use(StreamImpl& stream) const;
  // The variant that a filled frame needs.
  Special special() const;
  // Whether a filled frame keeps what a signature promises.
  static bool keeps(const Signature& signature, const Frame& frame);

 private:
  void pack_pointer(std::size_t index, const Arg& arg);
  void pack_scalar(std::size_t index, const Arg& arg);
  std::size_t pack_descriptor(std::size_t index, const Arg& arg);
  void point_to(std::size_t index, const Buffer& buffer, std::uint64_t offset);
  bool overlaps() const;
  [[noreturn]] void fail(std::size_t index, const std::string& text) const;
  [[noreturn]] void fail_type(std::size_t index, const Arg& arg) const;

  const Signature& signature_;
  DeviceImpl& device_;
  Frame& frame_;
};

// Throws kInvalidArgument for an empty grid and one beyond 2^31 - 1 programs.
void check_grid(const Grid& grid, const std::string& kernel);

}  // namespace tritonrt::runtime

#endif  // TRITONRT_RUNTIME_PACK_H_
