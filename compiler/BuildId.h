// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TRITONRT_COMPILER_BUILDID_H
#define TRITONRT_COMPILER_BUILDID_H

namespace tritonrt::compiler {

/// Names this build of the compiler in cache keys: 32 hex digits over the content of its sources.
/// The text file `libtritonrt-compiler.build-id` beside the library holds the same and a newline.
extern const char *const kBuildId;

/// Names the headers that libraries of backends are built with: 32 hex digits.
extern const char *const kInterface;

} // namespace tritonrt::compiler

#endif // TRITONRT_COMPILER_BUILDID_H
