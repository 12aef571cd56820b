// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TRITONRT_RUNTIME_COPY_PLAN_H_
#define TRITONRT_RUNTIME_COPY_PLAN_H_

#include <cstddef>
#include <vector>

#include "tritonrt/buffer.h"
#include "tritonrt/export.h"

namespace tritonrt::runtime {

// A copy of an N-D block in its shortest form: runs of contiguous bytes, repeated along dimensions
// that nothing can be said of in fewer. Outermost first, by the target's strides.
struct TRITONRT_API CopyPlan {
  struct Dim {
    std::size_t count;
    std::ptrdiff_t source;  // bytes from one run to the next
    std::ptrdiff_t target;
  };

  std::size_t run = 0;  // bytes; 0: nothing to copy
  std::vector<Dim> dims;
  std::size_t source_offset = 0;  // of the first run
  std::size_t target_offset = 0;

  // Throws kInvalidArgument where the block is malformed or leaves one of the memories.
  static CopyPlan make(const CopyBlock& block, std::size_t source_size, std::size_t target_size);

  // Bytes that the block holds.
  std::size_t bytes() const;

  // Calls `copy(source_offset, target_offset)` for each place of all dimensions but the innermost
  // `inner` ones.
  template <typename Copy>
  void for_each(std::size_t inner, Copy copy) const {
    const std::size_t outer = dims.size() - inner;
    std::vector<std::size_t> at(outer, 0);
    std::ptrdiff_t source = static_cast<std::ptrdiff_t>(source_offset);
    std::ptrdiff_t target = static_cast<std::ptrdiff_t>(target_offset);
    for (;;) {
      copy(static_cast<std::size_t>(source), static_cast<std::size_t>(target));
      std::size_t d = outer;
      while (d > 0 && ++at[d - 1] == dims[d - 1].count) {
        --d;
        source -= dims[d].source * static_cast<std::ptrdiff_t>(dims[d].count - 1);
        target -= dims[d].target * static_cast<std::ptrdiff_t>(dims[d].count - 1);
        at[d] = 0;
      }
      if (d == 0) return;
      source += dims[d - 1].source;
      target += dims[d - 1].target;
    }
  }

  // The same between two host memories.
  void copy(const void* source, void* target) const;
};

}  // namespace tritonrt::runtime

#endif  // TRITONRT_RUNTIME_COPY_PLAN_H_
