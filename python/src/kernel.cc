// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "python/src/kernel.h"

namespace tritonrt::python {
namespace {

struct KernelObject {
  PyObject_HEAD LoadedKernel* kernel;
};

PyTypeObject* kernel_type = nullptr;

std::vector<KernelParameter> parameters_of(const tritonrt_kernel* kernel) {
  size_t count = 0;
  check(tritonrt_kernel_parameter_count(kernel, &count));
  std::vector<KernelParameter> parameters;
  for (size_t i = 0; i < count; ++i) {
    tritonrt_parameter parameter{};
    parameter.struct_size = sizeof(parameter);
    check(tritonrt_kernel_get_parameter(kernel, i, &parameter));
    parameters.push_back(
        {parameter.name, parameter.type, parameter.kind, parameter.dtype, parameter.written != 0});
  }
  return parameters;
}

std::unique_ptr<LoadedKernel> load(const char* text, Py_ssize_t size, const char* device,
                                   int num_warps, int num_stages) {
  tritonrt_compile_options options{};
  options.struct_size = sizeof(options);
  options.num_warps = num_warps;
  options.num_stages = num_stages;
  tritonrt_kernel* handle = nullptr;
  tritonrt_status status = TRITONRT_OK;
  {
    WithoutGil unlocked;
    status =
        tritonrt_kernel_from_source(text, static_cast<size_t>(size), &options, nullptr, &handle);
  }
  check(status);
  auto kernel = std::make_unique<LoadedKernel>();
  kernel->handle.reset(handle);
  kernel->device = device;
  kernel->parameters = parameters_of(handle);
  return kernel;
}

PyObject* kernel_new(PyTypeObject* type, PyObject* args, PyObject* kwargs) {
  return entry([&]() -> PyObject* {
    const char* text = nullptr;
    Py_ssize_t size = 0;
    const char* device = nullptr;
    int num_warps = 4, num_stages = 3;
    static const char* keywords[] = {"text", "device", "num_warps", "num_stages", nullptr};
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "y#s|ii", const_cast<char**>(keywords), &text,
                                     &size, &device, &num_warps, &num_stages))
      throw PythonError();
    std::unique_ptr<LoadedKernel> kernel = load(text, size, device, num_warps, num_stages);
    PyObject* const object = checked(PyType_GenericAlloc(type, 0));
    reinterpret_cast<KernelObject*>(object)->kernel = kernel.release();
    return object;
  });
}

void kernel_dealloc(PyObject* object) {
  delete reinterpret_cast<KernelObject*>(object)->kernel;
  PyTypeObject* const type = Py_TYPE(object);
  PyObject_Free(object);
  Py_DECREF(type);
}

PyObject* kernel_prepare(PyObject* self, PyObject*) {
  return entry([&] {
    LoadedKernel& kernel = kernel_of(self);
    Session& session = kernel.open();
    int compiled = 0;
    tritonrt_status status = TRITONRT_OK;
    {
      WithoutGil unlocked;
      status = tritonrt_kernel_prepare(kernel.handle.get(), session.device(), &compiled);
    }
    check(status);
    return PyBool_FromLong(compiled);
  });
}

PyObject* kernel_parameters(PyObject* self, void*) {
  return entry([&] {
    const LoadedKernel& kernel = kernel_of(self);
    Ref list(checked(PyList_New(0)));
    for (const KernelParameter& p : kernel.parameters) {
      const Ref item(checked(
          Py_BuildValue("(ssO)", p.name.c_str(), p.type.c_str(), p.written ? Py_True : Py_False)));
      if (PyList_Append(list.get(), item.get()) != 0) throw PythonError();
    }
    return list.release();
  });
}

PyMethodDef kernel_methods[] = {
    {"prepare", kernel_prepare, METH_NOARGS,
     "Makes the kernel callable on its device; tells whether it had to be compiled."},
    {nullptr, nullptr, 0, nullptr}};
PyGetSetDef kernel_getset[] = {
    {"parameters", kernel_parameters, nullptr,
     "A list of (name, type, whether the kernel may write through it).", nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr}};
PyType_Slot kernel_slots[] = {
    {Py_tp_new, reinterpret_cast<void*>(kernel_new)},
    {Py_tp_dealloc, reinterpret_cast<void*>(kernel_dealloc)},
    {Py_tp_methods, kernel_methods},
    {Py_tp_getset, kernel_getset},
    {Py_tp_doc, const_cast<char*>("Kernel(text, device, num_warps=4, num_stages=3): a kernel's "
                                  ".ttir text, loaded for a device.")},
    {0, nullptr}};
PyType_Spec kernel_spec = {"tritonrt._core.Kernel", sizeof(KernelObject), 0, Py_TPFLAGS_DEFAULT,
                           kernel_slots};

}  // namespace

LoadedKernel& kernel_of(PyObject* object) {
  if (Py_TYPE(object) != kernel_type) {
    PyErr_SetString(PyExc_TypeError, "not a kernel of tritonrt");
    throw PythonError();
  }
  return *reinterpret_cast<KernelObject*>(object)->kernel;
}

PyObject* make_kernel_type() {
  PyObject* const type = PyType_FromSpec(&kernel_spec);
  kernel_type = reinterpret_cast<PyTypeObject*>(type);
  return type;
}

}  // namespace tritonrt::python
