// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TRITONRT_BACKEND_H_
#define TRITONRT_BACKEND_H_

#include <string>
#include <string_view>
#include <vector>

#include "tritonrt/export.h"

namespace tritonrt {

// Backends in libraries of their own (docs/backends.md): NAME-runtime.so brings devices `NAME`,
// NAME-compiler.so compiles for them. They are looked for in the folders of TRITONRT_BACKEND_PATH
// (separated by colons), then in those added here, then in `tritonrt-backends` beside
// libtritonrt.so, and opened when first needed. Thread safe.
TRITONRT_API void add_backend_folder(std::string_view folder);

struct BackendInfo {
  std::string name;
  std::string version;
  std::string part;  // "compiler" or "runtime"
  std::string path;
  // Why a runtime part cannot be used; a compiler part says so when something is compiled.
  std::string problem;
};
// What is found, sorted by name. Opens nothing.
TRITONRT_API std::vector<BackendInfo> list_backends();

}  // namespace tritonrt

#endif  // TRITONRT_BACKEND_H_
