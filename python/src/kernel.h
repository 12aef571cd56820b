// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TRITONRT_PYTHON_SRC_KERNEL_H_
#define TRITONRT_PYTHON_SRC_KERNEL_H_

#include <string>
#include <vector>

#include "python/src/session.h"

namespace tritonrt::python {

struct KernelParameter {
  std::string name;
  std::string type;
  tritonrt_parameter_kind kind;
  tritonrt_dtype dtype;
  bool written;
};

// A kernel's text, loaded for a device: what stands behind a Kernel object.
struct LoadedKernel {
  std::string device;
  KernelHandle handle;
  std::vector<KernelParameter> parameters;
  Session* session = nullptr;

  Session& open() {
    if (session == nullptr || !session->is_current()) session = &Session::of(device);
    return *session;
  }
};

// Raises TypeError for anything but a Kernel.
LoadedKernel& kernel_of(PyObject* object);

}  // namespace tritonrt::python

#endif  // TRITONRT_PYTHON_SRC_KERNEL_H_
