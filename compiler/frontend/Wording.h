// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TRITONRT_COMPILER_FRONTEND_WORDING_H
#define TRITONRT_COMPILER_FRONTEND_WORDING_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace tritonrt::compiler {

/// What MLIR's reader and verifier say, in words for somebody who has a kernel: what they expected
/// and what to do are added where they leave it out. Other messages stay as they are.
std::string reworded(llvm::StringRef message);

} // namespace tritonrt::compiler

#endif // TRITONRT_COMPILER_FRONTEND_WORDING_H
