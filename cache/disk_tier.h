// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TRITONRT_CACHE_DISK_TIER_H_
#define TRITONRT_CACHE_DISK_TIER_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "cache/file_system.h"
#include "cache/key.h"

namespace tritonrt::cache {

struct Counters {
  std::atomic<std::uint64_t> memory_hits{0};
  std::atomic<std::uint64_t> disk_hits{0};
  std::atomic<std::uint64_t> compiles{0};
  std::atomic<std::uint64_t> stores{0};
  std::atomic<std::uint64_t> evictions{0};
  std::atomic<std::uint64_t> corrupt{0};
  std::atomic<std::uint64_t> errors{0};
};

// Payloads in files named by their keys. A file is written beside its place and renamed, and holds
// its key, size and checksum, so a reader takes it whole or not at all; what fails a check is
// removed and counts as missing. What is dear to make is synchronised before the rename; the rest
// is not worth the time that takes. No operation throws: the tier is a convenience.
// Several processes may share the folder. Thread safe.
class DiskTier {
 public:
  // An empty folder name, or a limit of 0, makes a tier that holds nothing.
  DiskTier(FileSystem& files, std::string folder, std::uint64_t max_bytes, Counters& counters);

  bool enabled() const { return !folder_.empty(); }
  // The payload, if there is a sound file that the user owns. Marks it as used.
  std::optional<std::string> get(const Key& key);
  // Stores a payload, then removes the files used longest ago while they are over the limit.
  void put(const Key& key, std::string_view payload, bool durable);
  void remove(const Key& key);
  // Waits until no other holder, in any process, is busy with the key, and makes them wait in
  // turn; `waited` says whether there was one. Null when the tier cannot tell, or after waiting
  // beyond reason: work goes on, if need be twice.
  std::unique_ptr<FileLock> lock(const Key& key, bool& waited);

 private:
  struct Total {
    std::uint64_t bytes = 0;
    bool known = false;
  };
  std::string folder_of(const Key& key) const;
  std::string path_of(const Key& key) const;
  bool publish(const Key& key, std::string_view content, bool durable);
  std::uint64_t estimate(const Key& key);
  void evict();

  FileSystem& files_;
  const std::string folder_;
  const std::uint64_t max_bytes_;
  Counters& counters_;
  std::mutex mutex_;  // one eviction at a time
  Total total_;       // under mutex_; what this process knows of the folder's size
};

}  // namespace tritonrt::cache

#endif  // TRITONRT_CACHE_DISK_TIER_H_
