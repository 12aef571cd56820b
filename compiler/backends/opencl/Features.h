// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an OpenCL device can do, read from the target's description.
#ifndef TRITONRT_COMPILER_BACKENDS_OPENCL_FEATURES_H
#define TRITONRT_COMPILER_BACKENDS_OPENCL_FEATURES_H

#include "compiler/backends/Backend.h"

#include <string>

namespace tritonrt::compiler::opencl {

struct Features {
  explicit Features(const KeyValues &target);

  bool isCpu;
  bool fp64;
  bool fp16;
  bool int64Atomics;
  int64_t localBytes;
  /// What arguments may take of it.
  int64_t localArgumentBytes;
  /// Work-items of a group.
  int64_t mostItems;
  /// Work-items of a sub-group that read each other's registers, where the device has such.
  int64_t subGroup;
  /// Arrays of work-items are volatile: the driver mixes up values that it carries in registers
  /// from one side of a barrier to the other (Intel's for processors, 2026.22).
  bool keepsOwnInMemory;
  /// Work-items read each other's registers by the functions of Khronos' extension, not Intel's.
  bool khronosShuffles;
  /// Widest vector register, in bytes.
  int64_t vectorBytes;
  /// All parameters in one struct, with device addresses in it (kernel_abi.h).
  bool packsArguments = false;
};

class Emitter;

/// Scratch up to here is private memory, which CPU drivers keep on the stack of a worker thread; so
/// much an item of other devices may keep.
inline constexpr int64_t kPrivateBytes = 64 << 10;
inline constexpr int64_t kLargestStackBytes = 2 << 20;
/// Processors keep the arrays of all work-items of a group on one stack.
inline constexpr int64_t kLargestGroupBytes = 6 << 20;
/// Work-items that a compute unit of a GPU runs at a time, as far as its local memory lets it.
inline constexpr int64_t kUnitItems = 2048;
/// Work-items of a warp.
inline constexpr int64_t kWarp = 32;
/// The index within its warp of the work-item (own & keep) ^ flip, as an expression.
std::string laneText(int64_t keep, int64_t flip);

/// What OpenCL C leaves to the vendors. A backend for one of them overrides what it can say better.
class Vendor {
public:
  virtual ~Vendor() = default;

  /// Work-items that can read each other's registers: aligned groups of that many; 1 = none.
  virtual int64_t shuffleLanes(const KeyValues &target) const;
  /// An expression: `word`, a uint, of the work-item (own & keep) ^ flip of this one's warp.
  virtual std::string shuffle(Emitter &e, const std::string &word, int64_t keep,
                              int64_t flip) const;
  /// Attributes of the kernel that its shuffles need.
  virtual std::string kernelAttributes(const Features &features) const;
  /// Do kernels take all of their parameters as one struct with device addresses in it? Where the
  /// target does not say.
  virtual bool packsArguments() const { return false; }
  /// A statement after which other work-groups see what this item has written, if it was first.
  virtual std::string fence() const;
};

} // namespace tritonrt::compiler::opencl

#endif // TRITONRT_COMPILER_BACKENDS_OPENCL_FEATURES_H
