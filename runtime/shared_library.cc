// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/shared_library.h"

#include <dlfcn.h>

#include "tritonrt/error.h"

namespace tritonrt::runtime {

const std::string& library_folder() {
  static const std::string* folder = [] {
    Dl_info info{};
    std::string path;
    if (dladdr(reinterpret_cast<void*>(&library_folder), &info) != 0 && info.dli_fname != nullptr)
      path = info.dli_fname;
    const std::size_t slash = path.rfind('/');
    return new std::string(slash == std::string::npos ? "." : path.substr(0, slash));
  }();
  return *folder;
}

void* open_library(const std::string& path) {
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    const char* text = dlerror();
    std::string reason = text != nullptr ? text : "unknown reason";
    if (reason.starts_with(path + ": ")) reason.erase(0, path.size() + 2);
    throw Error(ErrorCode::kNotFound, "cannot load '" + path + "': " + reason);
  }
  return library;
}

void* find_symbol(void* library, const char* symbol, const std::string& path) {
  void* address = dlsym(library, symbol);
  if (address == nullptr)
    throw Error(ErrorCode::kInternal, "'" + path + "' has no symbol '" + symbol + "'");
  return address;
}

}  // namespace tritonrt::runtime
