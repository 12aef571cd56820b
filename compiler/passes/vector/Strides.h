// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TRITONRT_COMPILER_PASSES_VECTOR_STRIDES_H
#define TRITONRT_COMPILER_PASSES_VECTOR_STRIDES_H

#include "compiler/dialect/nests/Nests.h"

namespace tritonrt::compiler::mapvector {

/// Is one step of a view's dimension `size` bytes? A stride may be any number, or not be known.
inline bool isStrideOf(nests::ViewOp view, int64_t stride, int64_t size) {
  int64_t unit = view.getUnit();
  return size % unit == 0 && stride == size / unit;
}

} // namespace tritonrt::compiler::mapvector

#endif // TRITONRT_COMPILER_PASSES_VECTOR_STRIDES_H
