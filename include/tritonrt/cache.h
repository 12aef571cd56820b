// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TRITONRT_CACHE_H_
#define TRITONRT_CACHE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

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

// The folder of the disk tier, as it is now.
struct CacheUsage {
  std::string directory;        // empty: there is no disk tier
  std::uint64_t max_bytes = 0;  // its limit
  std::uint64_t bytes = 0;
  std::uint64_t entries = 0;
};
TRITONRT_API CacheUsage cache_usage();

struct CacheCheck {
  std::uint64_t sound = 0;           // entries
  std::vector<std::string> damaged;  // files
  std::vector<std::string> foreign;  // files that are not the user's own: never used
};
// Reads and checks every entry; with `repair`, removes those that are damaged.
TRITONRT_API CacheCheck verify_cache(bool repair = false);

// Removes all entries, in memory too. Kernels that are loaded stay so.
TRITONRT_API void clear_cache();
// Removes the entries used longest ago until at most `max_bytes` are left on disk.
TRITONRT_API void trim_cache(std::uint64_t max_bytes);

// The entries as one file, and back; both give the number of entries. An imported file holds code
// that will be run: it must belong to the user, and not be writable for others. Throw kIo and
// kNotFound for a file that cannot be read, kInvalidInput for one that was not exported,
// kUnsupported without a disk tier.
TRITONRT_API std::uint64_t export_cache(const std::string& path);
TRITONRT_API std::uint64_t import_cache(const std::string& path);

}  // namespace tritonrt

#endif  // TRITONRT_CACHE_H_
