// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TRITONRT_OPTIONS_H_
#define TRITONRT_OPTIONS_H_

#include <map>
#include <string>

#include "tritonrt/export.h"

namespace tritonrt {

// How a kernel is compiled. All of it is part of the cache key; none of it changes results beyond
// the reassociation of floating-point sums.
struct CompileOptions {
  int num_warps = 4;
  int num_stages = 3;
  // How machine code is made on the CPU: "llvm" in process, "clang" by the system's compiler.
  std::string toolchain = "llvm";
  // The slow form, for finding where a later form differs: no fusion, no extents, scalar loops.
  bool reference = false;
  // Developer switches, `key=value`. Keys must not be those above.
  std::map<std::string, std::string> extra;
};

}  // namespace tritonrt

#endif  // TRITONRT_OPTIONS_H_
