// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "python/src/memory.h"

#include <algorithm>
#include <array>

namespace tritonrt::python {
namespace {

std::uint64_t number_of(PyObject* object) {
  const Ref owned(checked(object));
  const unsigned long long value = PyLong_AsUnsignedLongLong(object);
  if (value == static_cast<unsigned long long>(-1) && PyErr_Occurred()) throw PythonError();
  return value;
}

std::uint64_t call_number(PyObject* object, PyObject* method) {
  return number_of(PyObject_CallMethodObjArgs(object, method, nullptr));
}

// An attribute, or nothing where there is none.
Ref maybe_attribute(PyObject* object, PyObject* name) {
  Ref found(PyObject_GetAttr(object, name));
  if (!found) {
    if (!PyErr_ExceptionMatches(PyExc_AttributeError)) throw PythonError();
    PyErr_Clear();
  }
  return found;
}

// Refuses memory that is not the CPU's: reading it would end the process.
void check_reachable(PyObject* storage) {
  const Ref device = maybe_attribute(storage, names.device);
  const Ref kind = device ? maybe_attribute(device.get(), names.type) : Ref();
  if (!kind || !PyUnicode_Check(kind.get())) return;
  if (PyUnicode_CompareWithASCIIString(kind.get(), "cpu") == 0) return;
  PyErr_Format(PyExc_ValueError,
               "a tensor lies in memory of '%S', which kernels here cannot reach: copy it to the "
               "CPU first (tensor.cpu())",
               device.get());
  throw PythonError();
}

void set_storage(PyObject* storage, Memory& memory) {
  check_reachable(storage);
  memory.begin = call_number(storage, names.data_ptr);
  memory.end = memory.begin + call_number(storage, names.nbytes);
}

// The last type that had an untyped_storage(): nearly always torch.Tensor, and asking an object
// for an attribute that it lacks is dear.
PyTypeObject* tensor_type = nullptr;

// The storage of a tensor that was asked for before. A tensor is known by a weak reference, so that
// another one at its place in memory is not taken for it; while its data_ptr() stays the same and
// the old storage lives with its old size, that storage is still what the pointer leads into.
struct Known {
  PyObject* tensor = nullptr;  // weak references
  PyObject* storage = nullptr;
  std::uint64_t address = 0, begin = 0, size = 0;
};

Known& known_of(const PyObject* object) {
  static std::array<Known, 256> table;
  return table[(reinterpret_cast<std::uintptr_t>(object) >> 4) % table.size()];
}

bool set_from_known(const Known& known, PyObject* object, Memory& memory) {
  if (known.tensor == nullptr || known.address != memory.address ||
      PyWeakref_GetObject(known.tensor) != object)
    return false;
  PyObject* const storage = PyWeakref_GetObject(known.storage);
  if (storage == nullptr || storage == Py_None) return false;
  Py_INCREF(storage);
  const Ref owned(storage);
  if (call_number(storage, names.nbytes) != known.size) return false;
  memory.begin = known.begin;
  memory.end = known.begin + known.size;
  return true;
}

void set_from_tensor(PyObject* object, Memory& memory) {
  Known& known = known_of(object);
  if (set_from_known(known, object, memory)) return;
  const Ref storage(checked(PyObject_CallMethodObjArgs(object, names.untyped_storage, nullptr)));
  set_storage(storage.get(), memory);
  Ref tensor_ref(checked(PyWeakref_NewRef(object, nullptr)));
  Ref storage_ref(checked(PyWeakref_NewRef(storage.get(), nullptr)));
  const Ref old_tensor(std::exchange(known.tensor, tensor_ref.release()));
  const Ref old_storage(std::exchange(known.storage, storage_ref.release()));
  known.address = memory.address;
  known.begin = memory.begin;
  known.size = memory.end - memory.begin;
}

bool set_from_storage(PyObject* object, Memory& memory) {
  if (Py_TYPE(object) == tensor_type) {
    set_from_tensor(object, memory);
    return true;
  }
  const Ref method = maybe_attribute(object, names.untyped_storage);
  if (!method) return false;
  const Ref storage(checked(PyObject_CallNoArgs(method.get())));
  set_storage(storage.get(), memory);
  Py_XDECREF(tensor_type);
  tensor_type = Py_TYPE(object);
  Py_INCREF(tensor_type);
  return true;
}

// In order: a tensor of torch; an object that knows its block; a wrapper around a tensor, as
// triton.reinterpret makes; an object that knows its size.
void set_extent(PyObject* object, Memory& memory) {
  if (set_from_storage(object, memory)) return;
  if (const Ref method = maybe_attribute(object, names.memory_range)) {
    const Ref range(checked(PyObject_CallNoArgs(method.get())));
    unsigned long long begin = 0, size = 0;
    if (!PyArg_ParseTuple(range.get(), "KK", &begin, &size)) throw PythonError();
    memory.begin = begin;
    memory.end = begin + size;
    return;
  }
  const Ref base = maybe_attribute(object, names.base);
  if (base && base.get() != Py_None && set_from_storage(base.get(), memory)) return;
  const Ref size = maybe_attribute(object, names.nbytes);
  if (!size || !PyLong_Check(size.get())) return;
  const unsigned long long bytes = PyLong_AsUnsignedLongLong(size.get());
  if (PyErr_Occurred()) throw PythonError();
  memory.begin = memory.address;
  memory.end = memory.begin + bytes;
}

}  // namespace

Memory memory_of(PyObject* object) {
  Memory memory;
  if (object == Py_None) return memory;
  if (PyLong_Check(object)) {
    memory.address = PyLong_AsUnsignedLongLong(object);
    if (PyErr_Occurred()) throw PythonError();
    return memory;
  }
  memory.address = call_number(object, names.data_ptr);
  if (memory.address != 0) set_extent(object, memory);
  if (memory.address < memory.begin || memory.address > memory.end) memory.begin = memory.end = 0;
  return memory;
}

tritonrt_status Staging::enter(Session& session, tritonrt_stream* stream,
                               const std::vector<Memory>& memories, tritonrt_arg* args) {
  for (const Memory& memory : memories)
    if (memory.begin < memory.end)
      blocks_.push_back({memory.begin, memory.end, memory.written, nullptr});
  std::sort(blocks_.begin(), blocks_.end(),
            [](const Block& a, const Block& b) { return a.begin < b.begin; });
  std::size_t kept = 0;
  for (std::size_t i = 1; i < blocks_.size(); ++i) {
    Block& last = blocks_[kept];
    if (blocks_[i].begin < last.end) {
      last.end = std::max(last.end, blocks_[i].end);
      last.written |= blocks_[i].written;
    } else {
      blocks_[++kept] = std::move(blocks_[i]);
    }
  }
  if (!blocks_.empty()) blocks_.resize(kept + 1);
  copied_ = !session.shares_memory();
  for (Block& block : blocks_) {
    void* const host = reinterpret_cast<void*>(block.begin);
    const size_t size = block.end - block.begin;
    tritonrt_buffer* buffer = nullptr;
    tritonrt_status status = copied_
                                 ? tritonrt_buffer_create(session.device(), size, &buffer)
                                 : tritonrt_buffer_wrap_host(session.device(), host, size, &buffer);
    block.buffer.reset(buffer);
    if (status == TRITONRT_OK && copied_)
      status = tritonrt_buffer_copy_from_host(buffer, stream, host, size, 0);
    if (status != TRITONRT_OK) return status;
  }
  for (const Memory& memory : memories) {
    if (memory.begin >= memory.end) continue;
    const auto block = std::prev(
        std::upper_bound(blocks_.begin(), blocks_.end(), memory.begin,
                         [](std::uint64_t at, const Block& block) { return at < block.begin; }));
    args[memory.argument] = tritonrt_arg_buffer(block->buffer.get(), memory.address - block->begin);
  }
  return TRITONRT_OK;
}

tritonrt_status Staging::leave(tritonrt_stream* stream) {
  if (!copied_) return TRITONRT_OK;
  for (const Block& block : blocks_) {
    if (!block.written) continue;
    const tritonrt_status status = tritonrt_buffer_copy_to_host(
        block.buffer.get(), stream, reinterpret_cast<void*>(block.begin), block.end - block.begin,
        0);
    if (status != TRITONRT_OK) return status;
  }
  return TRITONRT_OK;
}

}  // namespace tritonrt::python
