// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TRITONRT_PYTHON_SRC_PYTHON_H_
#define TRITONRT_PYTHON_SRC_PYTHON_H_

// Python's stable interface since 3.10, so that one build serves every later version, and what the
// files of the module share. All of it is called with the GIL held.

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <memory>
#include <utility>

#include "tritonrt/tritonrt_c.h"

namespace tritonrt::python {

// Owns a reference.
class Ref {
 public:
  Ref() = default;
  explicit Ref(PyObject* object) : object_(object) {}
  Ref(Ref&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  Ref& operator=(Ref&& other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~Ref() { Py_XDECREF(object_); }
  PyObject* get() const { return object_; }
  PyObject* release() { return std::exchange(object_, nullptr); }
  explicit operator bool() const { return object_ != nullptr; }

 private:
  PyObject* object_ = nullptr;
};

// Thrown after Python's error indicator has been set; the entry points return NULL for it.
struct PythonError {};

// Names of attributes, made once.
struct Names {
  PyObject *data_ptr, *untyped_storage, *nbytes, *device, *type, *memory_range, *base, *shape,
      *strides, *padding, *round_f32_to_tf32;
};
extern Names names;
// tritonrt.Error, a RuntimeError whose `status` is the kind of failure.
extern PyObject* error_type;

// The object, or an exception if it is NULL.
inline PyObject* checked(PyObject* object) {
  if (object == nullptr) throw PythonError();
  return object;
}

// Raises what the C interface reports.
void check(tritonrt_status status);

// Runs `body`, which returns a new reference.
template <typename F>
PyObject* entry(F body) noexcept {
  try {
    return body();
  } catch (const PythonError&) {
    return nullptr;
  } catch (const std::exception& error) {
    PyErr_SetString(PyExc_RuntimeError, error.what());
    return nullptr;
  }
}

// Lets other threads run Python while it lives.
class WithoutGil {
 public:
  WithoutGil() : state_(PyEval_SaveThread()) {}
  ~WithoutGil() { PyEval_RestoreThread(state_); }
  WithoutGil(const WithoutGil&) = delete;
  WithoutGil& operator=(const WithoutGil&) = delete;

 private:
  PyThreadState* state_;
};

struct Releaser {
  void operator()(tritonrt_buffer* buffer) const { tritonrt_buffer_release(buffer); }
  void operator()(tritonrt_kernel* kernel) const { tritonrt_kernel_release(kernel); }
};
using BufferHandle = std::unique_ptr<tritonrt_buffer, Releaser>;
using KernelHandle = std::unique_ptr<tritonrt_kernel, Releaser>;

// The types of the module; new references.
PyObject* make_kernel_type();
PyObject* make_launcher_type();

// Whether launches are being saved, so that they need buffers instead of addresses.
void set_capturing(bool on);

}  // namespace tritonrt::python

#endif  // TRITONRT_PYTHON_SRC_PYTHON_H_
