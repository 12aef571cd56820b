// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TRITONRT_PYTHON_SRC_SESSION_H_
#define TRITONRT_PYTHON_SRC_SESSION_H_

#include <string>
#include <vector>

#include "python/src/python.h"

namespace tritonrt::python {

// An open device and the streams of it that no launch uses at the moment. Sessions live as long as
// the process; a child of fork gets its own. Protected by the GIL.
class Session {
 public:
  // The session of a device by its name, opened on first use.
  static Session& of(const std::string& name);

  tritonrt_device* device() const { return device_; }
  // Kernels read and write the caller's memory itself.
  bool shares_memory() const { return shares_memory_; }
  // A stream for one launch at a time, to be given back.
  tritonrt_stream* take_stream();
  void give_back(tritonrt_stream* stream) { idle_.push_back(stream); }
  // Belongs to this process and not to its parent.
  bool is_current() const;

 private:
  explicit Session(const std::string& name);

  tritonrt_device* device_ = nullptr;
  bool shares_memory_ = false;
  unsigned generation_;
  std::vector<tritonrt_stream*> idle_;
};

}  // namespace tritonrt::python

#endif  // TRITONRT_PYTHON_SRC_SESSION_H_
