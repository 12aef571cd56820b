// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TRITONRT_CACHE_H_
#define TRITONRT_CACHE_H_

#include <cstdint>
#include <optional>
#include <string>

#include "tritonrt/export.h"

namespace tritonrt {

// Where compiled kernels are kept, and where the compiler is found. Process-wide.
struct CacheOptions {
  // Folder of the disk tier. Unset: TRITONRT_CACHE_DIR, else $XDG_CACHE_HOME/tritonrt, else
  // ~/.cache/tritonrt; with none of them, or one that cannot be written, memory only.
  std::optional<std::string> directory;
  // Limit of the disk tier in bytes; 0 keeps everything in memory. Unset: TRITONRT_CACHE_SIZE,
  // else 2 GiB.
  std::optional<std::uint64_t> max_bytes;
  // Path of libtritonrt-compiler.so. Unset: beside libtritonrt.so.
  std::optional<std::string> compiler_library;
};

struct CacheStats {
  std::uint64_t memory_hits = 0;
  std::uint64_t disk_hits = 0;
  std::uint64_t compiles = 0;
  std::uint64_t stores = 0;
  std::uint64_t evictions = 0;
  std::uint64_t corrupt = 0;  // entries that failed a check and were treated as missing
  std::uint64_t errors = 0;   // file operations that failed; none of them fails a launch
};

// Takes effect for kernels loaded afterwards, and empties the memory tier. Thread safe.
TRITONRT_API void set_cache_options(const CacheOptions& options);
TRITONRT_API CacheStats cache_stats();

}  // namespace tritonrt

#endif  // TRITONRT_CACHE_H_
