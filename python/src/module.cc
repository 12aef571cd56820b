// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "python/src/python.h"

namespace tritonrt::python {

Names names;
PyObject* error_type = nullptr;

void check(tritonrt_status status) {
  if (status == TRITONRT_OK) return;
  if (status == TRITONRT_OUT_OF_MEMORY) {
    PyErr_SetString(PyExc_MemoryError, tritonrt_last_error());
    throw PythonError();
  }
  const Ref error(checked(PyObject_CallFunction(error_type, "s", tritonrt_last_error())));
  const Ref kind(checked(PyUnicode_FromString(tritonrt_status_name(status))));
  if (PyObject_SetAttrString(error.get(), "status", kind.get()) != 0) throw PythonError();
  PyErr_SetObject(error_type, error.get());
  throw PythonError();
}

namespace {

PyObject* devices(PyObject*, PyObject*) {
  return entry([] {
    size_t count = 0;
    check(tritonrt_device_count(&count));
    Ref list(checked(PyList_New(0)));
    for (size_t i = 0; i < count; ++i) {
      char name[64];
      check(tritonrt_device_name(i, name, sizeof(name)));
      const Ref item(checked(PyUnicode_FromString(name)));
      if (PyList_Append(list.get(), item.get()) != 0) throw PythonError();
    }
    return list.release();
  });
}

PyObject* set_capture(PyObject*, PyObject* args) {
  return entry([&]() -> PyObject* {
    const char* folder = nullptr;
    if (!PyArg_ParseTuple(args, "z", &folder)) throw PythonError();
    check(tritonrt_set_capture(folder));
    set_capturing(folder != nullptr);
    Py_RETURN_NONE;
  });
}

void add(PyObject* module, const char* name, PyObject* object) {
  const Ref owned(checked(object));
  if (PyObject_SetAttrString(module, name, object) != 0) throw PythonError();
}

void make_names() {
  const auto make = [](const char* text) { return checked(PyUnicode_InternFromString(text)); };
  names = {make("data_ptr"),
           make("untyped_storage"),
           make("nbytes"),
           make("device"),
           make("type"),
           make("memory_range"),
           make("base"),
           make("shape"),
           make("strides"),
           make("padding"),
           make("round_f32_to_tf32")};
}

PyMethodDef methods[] = {{"devices", devices, METH_NOARGS, "Names of the devices of this machine."},
                         {"set_capture", set_capture, METH_VARARGS,
                          "Saves launches into a folder from now on, or no longer with None."},
                         {nullptr, nullptr, 0, nullptr}};

PyModuleDef definition = {PyModuleDef_HEAD_INIT,
                          "tritonrt._core",
                          "libtritonrt for Triton's Python.",
                          -1,
                          methods,
                          nullptr,
                          nullptr,
                          nullptr,
                          nullptr};

}  // namespace
}  // namespace tritonrt::python

PyMODINIT_FUNC PyInit__core() {
  using namespace tritonrt::python;
  return entry([] {
    make_names();
    error_type = checked(PyErr_NewExceptionWithDoc(
        "tritonrt.Error", "A failure of libtritonrt; `status` tells its kind.", PyExc_RuntimeError,
        nullptr));
    Ref module(checked(PyModule_Create(&definition)));
    Py_INCREF(error_type);
    add(module.get(), "Error", error_type);
    add(module.get(), "Kernel", make_kernel_type());
    add(module.get(), "Launcher", make_launcher_type());
    return module.release();
  });
}
