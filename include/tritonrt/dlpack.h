// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TRITONRT_DLPACK_H_
#define TRITONRT_DLPACK_H_

// Tensors to and from other libraries by DLPack, without a copy. The exchange struct is DLPack's
// own `DLManagedTensor`; its header is not needed here.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tritonrt/args.h"
#include "tritonrt/buffer.h"
#include "tritonrt/dtype.h"
#include "tritonrt/export.h"

struct DLManagedTensor;

namespace tritonrt {

// A buffer seen as an N-D array.
struct Tensor {
  Buffer buffer;
  std::size_t offset = 0;  // bytes before element (0, ..., 0)
  DType dtype = DType::kUnknown;
  std::vector<std::int64_t> shape;    // elements
  std::vector<std::int64_t> strides;  // elements; not negative

  // As a kernel's pointer argument.
  Arg arg() const { return Arg(buffer, offset, dtype); }
};

// Takes a tensor over: its deleter is called when the buffer and the work on it are gone, or at
// once where this throws. Memory of the host becomes a buffer of the CPU device, an OpenCL memory
// object one of `device`, which must be of its context. Throws kUnsupported for other devices and
// for types that kernels do not have, kInvalidArgument for a device that does not fit.
TRITONRT_API Tensor from_dlpack(DLManagedTensor* tensor, const Device& device);

// Hands a tensor out; it keeps the buffer until the taker calls its deleter. Synchronise before the
// taker looks at it. Throws kInvalidArgument where the tensor leaves its buffer.
TRITONRT_API DLManagedTensor* to_dlpack(const Tensor& tensor);

}  // namespace tritonrt

#endif  // TRITONRT_DLPACK_H_
