// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TRITONRT_RUNTIME_BACKEND_LIBRARIES_H_
#define TRITONRT_RUNTIME_BACKEND_LIBRARIES_H_

#include <string>
#include <string_view>
#include <vector>

#include "compiler/api/backend_stamp.h"

namespace tritonrt::runtime {

// Libraries of backends: NAME-compiler.so and NAME-runtime.so, in the folders of
// TRITONRT_BACKEND_PATH, in those that the application adds, and in the one beside this library, in
// that order. Of several of one name and kind the first counts. Nothing here loads them.
// Thread safe.
struct BackendLibrary {
  std::string path;
  BackendStamp stamp;
};

// Adds a folder to the end of the application's. What is opened already stays.
void add_backend_folder(std::string folder);

// Of both kinds, sorted by name.
std::vector<BackendLibrary> backend_libraries();

// The library of that name and kind; an empty path where there is none.
BackendLibrary find_backend_library(std::string_view name, std::string_view kind);

// Name, version and build of every library that may take part in compiling for targets with
// `backend=` this: a part of cache keys.
std::string backend_identities(std::string_view backend);

}  // namespace tritonrt::runtime

#endif  // TRITONRT_RUNTIME_BACKEND_LIBRARIES_H_
