// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The launcher that Triton calls for each launch: it packs the arguments by the kernel's own
// signature, launches, and waits, since the caller reads its tensors like any others.

#include <array>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "python/src/kernel.h"
#include "python/src/memory.h"

namespace tritonrt::python {
namespace {

// What Triton passes before the kernel's arguments.
enum Leading {
  kGridX,
  kGridY,
  kGridZ,
  kStream,
  kFunction,
  kMetadata,
  kLaunchMetadata,
  kEnterHook,
  kExitHook,
  kLeading
};

// What becomes of an argument of the Python function.
struct Slot {
  enum class Kind { kSkip, kPass, kTuple, kDescriptor };
  Kind kind;
  std::vector<Slot> inner;
};

struct LauncherObject {
  PyObject_HEAD std::vector<Slot>* slots;
};

// The library looks there as well.
bool captures_by_environment() {
  const char* const folder = std::getenv("TRITONRT_CAPTURE");
  return folder != nullptr && *folder != '\0';
}

bool capturing = captures_by_environment();

std::string text_of(PyObject* object) {
  const char* const text = PyUnicode_AsUTF8AndSize(object, nullptr);
  if (text == nullptr) throw PythonError();
  return text;
}

std::vector<Slot> slots_of(PyObject* signature) {
  std::vector<Slot> slots;
  const Py_ssize_t size = PyTuple_Size(signature);
  if (size < 0) throw PythonError();
  for (Py_ssize_t i = 0; i < size; ++i) {
    PyObject* const item = PyTuple_GetItem(signature, i);
    if (PyTuple_Check(item)) {
      slots.push_back({Slot::Kind::kTuple, slots_of(item)});
      continue;
    }
    const std::string type = text_of(item);
    if (type == "constexpr")
      slots.push_back({Slot::Kind::kSkip, {}});
    else if (type.rfind("tensordesc", 0) == 0)
      slots.push_back({Slot::Kind::kDescriptor, {}});
    else
      slots.push_back({Slot::Kind::kPass, {}});
  }
  return slots;
}

// The values of one launch, in the order of the kernel's parameters.
class Packer {
 public:
  explicit Packer(const LoadedKernel& kernel)
      : kernel_(kernel),
        // Buffers are wanted, not addresses: the device has memory of its own, or a recording
        // has to see which arguments share memory.
        staged_(capturing || !kernel.session->shares_memory()) {
    if (kernel.parameters.size() > args_.size()) many_.resize(kernel.parameters.size());
  }

  void pack(const std::vector<Slot>& slots, PyObject* values, Py_ssize_t first) {
    if (PyTuple_Size(values) - first != static_cast<Py_ssize_t>(slots.size()))
      raise(std::to_string(PyTuple_Size(values) - first) + " arguments, where the signature has " +
            std::to_string(slots.size()));
    for (const Slot& slot : slots) {
      PyObject* const value = PyTuple_GetItem(values, first++);
      switch (slot.kind) {
        case Slot::Kind::kSkip:
          break;
        case Slot::Kind::kPass:
          add(value);
          break;
        case Slot::Kind::kTuple:
          pack(slot.inner, value, 0);
          break;
        case Slot::Kind::kDescriptor:
          add_descriptor(value);
          break;
      }
    }
  }

  // Nothing may be missing.
  void finish() const {
    if (count_ != kernel_.parameters.size())
      raise(std::to_string(count_) + " arguments, where the kernel has " +
            std::to_string(kernel_.parameters.size()) + " parameters");
  }

  tritonrt_arg* args() { return many_.empty() ? args_.data() : many_.data(); }
  std::size_t count() const { return count_; }
  const std::vector<Memory>& memories() const { return memories_; }
  bool staged() const { return staged_; }

 private:
  [[noreturn]] static void raise(const std::string& message) {
    PyErr_SetString(PyExc_TypeError, message.c_str());
    throw PythonError();
  }

  void add(PyObject* value) {
    if (count_ >= kernel_.parameters.size()) raise("more arguments than the kernel has parameters");
    const KernelParameter& parameter = kernel_.parameters[count_];
    args()[count_] = parameter.kind == TRITONRT_PARAMETER_SCALAR ? scalar(parameter.dtype, value)
                                                                 : pointer(parameter, value);
    ++count_;
  }

  tritonrt_arg pointer(const KernelParameter& parameter, PyObject* value) {
    Memory memory = memory_of(value);
    if (memory.address == 0) return tritonrt_arg_null();
    if (staged_) {
      if (memory.end == 0)
        raise("argument '" + parameter.name +
              "' does not say how much memory it has: tensors of torch do, and objects with "
              "memory_range() or nbytes");
      memory.argument = count_;
      memory.written = parameter.written;
      memories_.push_back(memory);
    }
    return tritonrt_arg_host(reinterpret_cast<const void*>(memory.address),
                             memory.end != 0 ? memory.end - memory.address : 0);
  }

  static tritonrt_arg scalar(tritonrt_dtype dtype, PyObject* value) {
    switch (dtype) {
      case TRITONRT_F64:
        return tritonrt_arg_f64(real(value));
      case TRITONRT_F32:
      case TRITONRT_F16:
      case TRITONRT_BF16:
        return tritonrt_arg_f32(static_cast<float>(real(value)));
      case TRITONRT_I1:
        return tritonrt_arg_bool(PyObject_IsTrue(value));
      default:
        return tritonrt_arg_bits(dtype, integer(value));
    }
  }

  static double real(PyObject* value) {
    const double number = PyFloat_AsDouble(value);
    if (number == -1.0 && PyErr_Occurred()) throw PythonError();
    return number;
  }

  static std::uint64_t integer(PyObject* value) {
    const long long number = PyLong_AsLongLong(value);
    if (number != -1 || !PyErr_Occurred()) return static_cast<std::uint64_t>(number);
    if (!PyErr_ExceptionMatches(PyExc_OverflowError)) throw PythonError();
    PyErr_Clear();
    const unsigned long long large = PyLong_AsUnsignedLongLong(value);
    if (PyErr_Occurred()) throw PythonError();
    return large;
  }

  // A descriptor made on the host is lowered to its base, shape and strides, to as many flags as
  // this version of Triton has, and to shape and strides once more. The flags tell whether NaN is
  // read outside and whether values are rounded to TF32.
  void add_descriptor(PyObject* descriptor) {
    const auto attribute = [&](PyObject* name) {
      return Ref(checked(PyObject_GetAttr(descriptor, name)));
    };
    const auto add_all = [&](const Ref& list) {
      const Py_ssize_t size = PySequence_Size(list.get());
      for (Py_ssize_t i = 0; i < size; ++i)
        add(Ref(checked(PySequence_GetItem(list.get(), i))).get());
    };
    const Ref shape = attribute(names.shape), strides = attribute(names.strides);
    add(attribute(names.base).get());
    add_all(shape);
    add_all(strides);
    if (next_is_flag()) {
      const Ref padding = attribute(names.padding);
      add(PyUnicode_Check(padding.get()) && text_of(padding.get()) == "nan" ? Py_True : Py_False);
    }
    if (next_is_flag()) add(attribute(names.round_f32_to_tf32).get());
    add_all(shape);
    add_all(strides);
  }

  bool next_is_flag() const {
    return count_ < kernel_.parameters.size() && kernel_.parameters[count_].dtype == TRITONRT_I1 &&
           kernel_.parameters[count_].kind == TRITONRT_PARAMETER_SCALAR;
  }

  const LoadedKernel& kernel_;
  const bool staged_;
  std::size_t count_ = 0;
  std::array<tritonrt_arg, 32> args_;
  std::vector<tritonrt_arg> many_;
  std::vector<Memory> memories_;
};

std::uint32_t extent(PyObject* args, Leading which) {
  const long long value = PyLong_AsLongLong(PyTuple_GetItem(args, which));
  if (value == -1 && PyErr_Occurred()) throw PythonError();
  if (value < 0 || value > UINT32_MAX) {
    PyErr_Format(PyExc_ValueError, "the grid has an extent of %lld", value);
    throw PythonError();
  }
  return static_cast<std::uint32_t>(value);
}

tritonrt_status run(LoadedKernel& kernel, tritonrt_stream* stream, tritonrt_grid grid,
                    Packer& packer) {
  Staging staging;
  tritonrt_status status = TRITONRT_OK;
  if (packer.staged())
    status = staging.enter(*kernel.session, stream, packer.memories(), packer.args());
  if (status == TRITONRT_OK)
    status =
        tritonrt_kernel_launch(kernel.handle.get(), stream, grid, packer.args(), packer.count());
  if (status == TRITONRT_OK && packer.staged()) status = staging.leave(stream);
  // Also after a failure: copies in flight use memory that is given up here.
  const tritonrt_status waited = tritonrt_stream_synchronize(stream);
  return status != TRITONRT_OK ? status : waited;
}

void call_hook(PyObject* hook, PyObject* metadata) {
  if (hook == Py_None) return;
  Ref(checked(PyObject_CallFunctionObjArgs(hook, metadata, nullptr)));
}

PyObject* launch(PyObject* self, PyObject* args, PyObject*) {
  return entry([&]() -> PyObject* {
    if (PyTuple_Size(args) < kLeading) {
      PyErr_SetString(PyExc_TypeError,
                      "a launcher takes a grid, a stream, a function, two "
                      "metadata, two hooks and the kernel's arguments");
      throw PythonError();
    }
    LoadedKernel& kernel = kernel_of(PyTuple_GetItem(args, kFunction));
    Session& session = kernel.open();
    const tritonrt_grid grid{extent(args, kGridX), extent(args, kGridY), extent(args, kGridZ)};
    Packer packer(kernel);
    packer.pack(*reinterpret_cast<LauncherObject*>(self)->slots, args, kLeading);
    packer.finish();
    PyObject* const metadata = PyTuple_GetItem(args, kLaunchMetadata);
    call_hook(PyTuple_GetItem(args, kEnterHook), metadata);
    if (grid.x != 0 && grid.y != 0 && grid.z != 0) {
      tritonrt_stream* const stream = session.take_stream();
      tritonrt_status status = TRITONRT_OK;
      {
        WithoutGil unlocked;
        status = run(kernel, stream, grid, packer);
      }
      session.give_back(stream);
      check(status);
    }
    call_hook(PyTuple_GetItem(args, kExitHook), metadata);
    Py_RETURN_NONE;
  });
}

PyObject* launcher_new(PyTypeObject* type, PyObject* args, PyObject*) {
  return entry([&]() -> PyObject* {
    PyObject* signature = nullptr;
    if (!PyArg_ParseTuple(args, "O", &signature)) throw PythonError();
    auto slots = std::make_unique<std::vector<Slot>>(slots_of(signature));
    PyObject* const object = checked(PyType_GenericAlloc(type, 0));
    reinterpret_cast<LauncherObject*>(object)->slots = slots.release();
    return object;
  });
}

void launcher_dealloc(PyObject* object) {
  delete reinterpret_cast<LauncherObject*>(object)->slots;
  PyTypeObject* const type = Py_TYPE(object);
  PyObject_Free(object);
  Py_DECREF(type);
}

PyType_Slot launcher_slots[] = {
    {Py_tp_new, reinterpret_cast<void*>(launcher_new)},
    {Py_tp_dealloc, reinterpret_cast<void*>(launcher_dealloc)},
    {Py_tp_call, reinterpret_cast<void*>(launch)},
    {Py_tp_doc, const_cast<char*>("Launcher(signature): launches kernels of a signature, "
                                  "a tuple of Triton's names of types, which may hold tuples.")},
    {0, nullptr}};
PyType_Spec launcher_spec = {"tritonrt._core.Launcher", sizeof(LauncherObject), 0,
                             Py_TPFLAGS_DEFAULT, launcher_slots};

}  // namespace

void set_capturing(bool on) { capturing = on; }

PyObject* make_launcher_type() { return PyType_FromSpec(&launcher_spec); }

}  // namespace tritonrt::python
