// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TRITONRT_RUNTIME_SHARED_LIBRARY_H_
#define TRITONRT_RUNTIME_SHARED_LIBRARY_H_

#include <string>

namespace tritonrt::runtime {

// The folder of the library or program that holds this code. Empty where it cannot be found out.
const std::string& library_folder();

// Opens a shared library with its symbols kept to itself, and never closes it: drivers and the
// compiler leave threads and handlers behind. Throws kNotFound with the loader's reason.
void* open_library(const std::string& path);

// Throws kInternal when the library lacks it.
void* find_symbol(void* library, const char* symbol, const std::string& path);

}  // namespace tritonrt::runtime

#endif  // TRITONRT_RUNTIME_SHARED_LIBRARY_H_
