// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "python/src/session.h"

#include <pthread.h>

#include <map>

namespace tritonrt::python {
namespace {

// How many forks lie between this process and the one that loaded the module.
unsigned generation = 0;

// What kernels print goes where Python's print does. Called while a launch waits for its end.
void print(void*, const tritonrt_printed_line* line) {
  const PyGILState_STATE state = PyGILState_Ensure();
  if (PyObject* const out = PySys_GetObject("stdout"); out != nullptr && out != Py_None)
    if (PyFile_WriteString(line->text, out) != 0 || PyFile_WriteString("\n", out) != 0)
      PyErr_WriteUnraisable(out);
  PyGILState_Release(state);
}

std::map<std::string, Session*>& sessions() {
  static auto* const map = [] {
    pthread_atfork(nullptr, nullptr, [] { ++generation; });
    check(tritonrt_set_print_handler(print, nullptr, 0));
    return new std::map<std::string, Session*>;
  }();
  return *map;
}

}  // namespace

Session& Session::of(const std::string& name) {
  Session*& session = sessions()[name];
  // What a parent opened stays: its threads do not exist here, so it cannot be closed.
  if (session == nullptr || !session->is_current()) session = new Session(name);
  return *session;
}

Session::Session(const std::string& name) : generation_(generation) {
  {
    const char* const text = name.c_str();
    tritonrt_status status = TRITONRT_OK;
    {
      WithoutGil unlocked;
      status = tritonrt_device_open(text, TRITONRT_MAPPING_DEFAULT, &device_);
    }
    check(status);
  }
  tritonrt_device_info info{};
  info.struct_size = sizeof(info);
  check(tritonrt_device_get_info(device_, &info));
  shares_memory_ = std::string(info.name) == "cpu";
}

bool Session::is_current() const { return generation_ == generation; }

tritonrt_stream* Session::take_stream() {
  tritonrt_stream* stream = nullptr;
  if (idle_.empty()) {
    check(tritonrt_stream_create(device_, 0, &stream));
  } else {
    stream = idle_.back();
    idle_.pop_back();
  }
  return stream;
}

}  // namespace tritonrt::python
