// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TRITONRT_CACHE_CACHE_H_
#define TRITONRT_CACHE_CACHE_H_

#include <array>
#include <memory>
#include <optional>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <unordered_map>

#include "cache/disk_tier.h"
#include "cache/file_system.h"
#include "cache/key.h"

namespace tritonrt::cache {

// A compiled kernel as it is kept.
struct Entry {
  Key canonical;
  Sha256 canonical_sha{};  // of the canonical text: what a collision of keys would differ in
  std::string metadata;
  std::string code;
  std::string device_binary;
};

struct Settings {
  std::string folder;  // empty: memory only
  std::uint64_t max_bytes = 0;
  Warn warn = {};  // may be empty
  // What is wrong with where these come from, in one sentence; empty: nothing.
  std::string complaint = {};
};

// From TRITONRT_CACHE_DIR, XDG_CACHE_HOME, HOME and TRITONRT_CACHE_SIZE.
Settings settings_from_environment();

// Compiled kernels by source key and by canonical key, in memory and on disk. Nothing throws but
// for want of memory. Thread safe; a hit in memory takes one shared lock of a sixteenth of the map.
class Cache {
 public:
  Cache(FileSystem& files, const Settings& settings);

  std::shared_ptr<const Entry> find_source(const Key& source);
  // Only an entry made from the same canonical text counts.
  std::shared_ptr<const Entry> find_canonical(const Key& canonical, const Sha256& sha);
  // Keeps the entry under its canonical key, and lets the source key lead to it.
  void store(const Key& source, const std::shared_ptr<const Entry>& entry);
  // Lets another source key lead to an entry that is kept already.
  void link(const Key& source, const std::shared_ptr<const Entry>& entry);
  // Forgets an entry that turned out to be unusable.
  void forget(const Key& source, const Entry& entry);

  // Holds off others, in other processes too, who would make what is missing under the key. When
  // `waited`, someone has probably made it.
  std::unique_ptr<FileLock> lock(const Key& source, bool& waited) {
    return disk_.lock(source, waited);
  }

  // Small texts under a key of their own.
  std::optional<std::string> find_text(const Key& key);
  void store_text(const Key& key, std::string_view text);

  // Forgets everything, on disk too.
  void clear();

  Counters& counters() { return counters_; }
  DiskTier& disk() { return disk_; }

 private:
  struct Shard {
    std::shared_mutex mutex;
    std::unordered_map<Key, std::shared_ptr<const Entry>, KeyHash> entries;
    std::unordered_map<Key, std::string, KeyHash> texts;
  };
  Shard& shard(const Key& key) { return shards_[key.high >> 60]; }
  std::shared_ptr<const Entry> in_memory(const Key& key);
  void keep(const Key& key, const std::shared_ptr<const Entry>& entry);
  std::shared_ptr<const Entry> on_disk(const Key& canonical, const Sha256& sha);

  Counters counters_;
  DiskTier disk_;
  std::array<Shard, 16> shards_;
};

}  // namespace tritonrt::cache

#endif  // TRITONRT_CACHE_CACHE_H_
