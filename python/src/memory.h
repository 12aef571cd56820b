// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TRITONRT_PYTHON_SRC_MEMORY_H_
#define TRITONRT_PYTHON_SRC_MEMORY_H_

#include <cstdint>
#include <vector>

#include "python/src/kernel.h"

namespace tritonrt::python {

// A pointer argument and the memory that it points into.
struct Memory {
  std::uint64_t address = 0;
  // The whole block, [begin, end): a tensor's storage. Both 0 where that is not known.
  std::uint64_t begin = 0, end = 0;
  // Which argument of the kernel it is.
  std::size_t argument = 0;
  bool written = false;
};

// Where an object with data_ptr(), an integer or None points.
Memory memory_of(PyObject* object);

// The blocks behind a launch's pointers as buffers of its device: the caller's memory itself where
// the device shares it, copies elsewhere. Blocks that overlap become one, so what aliases in the
// caller's memory aliases there too.
class Staging {
 public:
  // Puts buffers into the arguments. The GIL is not needed.
  tritonrt_status enter(Session& session, tritonrt_stream* stream,
                        const std::vector<Memory>& memories, tritonrt_arg* args);
  // Brings back what the kernel may have written; the stream has to be waited for afterwards.
  tritonrt_status leave(tritonrt_stream* stream);

 private:
  struct Block {
    std::uint64_t begin, end;
    bool written;
    BufferHandle buffer;
  };
  std::vector<Block> blocks_;
  bool copied_ = false;
};

}  // namespace tritonrt::python

#endif  // TRITONRT_PYTHON_SRC_MEMORY_H_
