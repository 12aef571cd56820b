// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TRITONRT_CACHE_DISK_TIER_H_
#define TRITONRT_CACHE_DISK_TIER_H_

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cache/file_system.h"
#include "cache/key.h"

namespace tritonrt::cache {

// What a folder holds.
struct DiskUsage {
  std::uint64_t entries = 0;
  std::uint64_t bytes = 0;
  std::uint64_t temporaries = 0;  // of writers at work, or that died
};

struct DiskCheck {
  std::uint64_t sound = 0;
  std::vector<std::string> damaged;  // files
  std::vector<std::string> foreign;  // of other users, or writable for anybody: never used
};

// Takes one sentence for people. Must not throw.
using Warn = std::function<void(const std::string&)>;

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
  // `warn` is told of the first operation that fails.
  DiskTier(FileSystem& files, std::string folder, std::uint64_t max_bytes, Counters& counters,
           Warn warn = {});

  bool enabled() const { return !folder_.empty(); }
  // The payload, if there is a sound file that the user owns. Marks it as used.
  std::optional<std::string> get(const Key& key);
  // Stores a payload, then removes the files used longest ago while they are over the limit.
  void put(const Key& key, std::string_view payload, bool durable);
  void remove(const Key& key);

  // For looking after the folder. Each sees what is there while it looks.
  DiskUsage usage();
  DiskCheck check(bool remove_damaged);
  // Removes the files used longest ago until at most `bytes` are left.
  void trim(std::uint64_t bytes);
  // Hands out each sound entry as its file holds it, under a name that adopt() takes.
  void each(const std::function<void(const std::string& name, const std::string& content)>& take);
  // Takes over what each() gave; false for what it did not give, or where it cannot be kept.
  bool adopt(const std::string& name, std::string_view content);
  const std::string& folder() const { return folder_; }
  std::uint64_t max_bytes() const { return max_bytes_; }

  // Waits until no other holder, in any process, is busy with the key, and makes them wait in
  // turn; `waited` says whether there was one. Null when the tier cannot tell, or after waiting
  // beyond reason: work goes on, if need be twice.
  std::unique_ptr<FileLock> lock(const Key& key, bool& waited);

 private:
  struct File {
    std::string name;  // within the folder
    FileInfo info;
    bool temporary() const;
  };
  static constexpr unsigned kFolders = 256;  // named by the first byte of keys
  std::string folder_of(const Key& key) const;
  std::string path_of(const Key& key) const;
  // Counts a failure.
  void failed(const char* action, const std::string& path, const std::error_code& error);
  bool put_file(const Key& key, std::string_view content, bool durable);
  // The user's own, and nobody else may write to it.
  bool is_ours(const FileInfo& info) const;
  bool publish(const Key& key, std::string_view content, bool durable);
  std::string path_of(const File& file) const { return folder_ + "/" + file.name; }
  // Entries and temporary files: all, or those of one of the folders.
  std::vector<File> files();
  void list(unsigned folder, std::vector<File>& files);
  static std::uint64_t bytes_of(const std::vector<File>& files);
  // Removes what is stale, and what was used longest ago while more than `goal` bytes of these
  // files are left. Gives the bytes that are.
  std::uint64_t evict(std::vector<File> all, std::uint64_t goal);
  // Evicts in the group of this folder; under mutex_.
  void make_room(unsigned folder);

  FileSystem& files_;
  const std::string folder_;
  const std::uint64_t max_bytes_;
  Counters& counters_;
  const Warn warn_;
  std::atomic<bool> warned_{false};
  std::mutex mutex_;  // one eviction at a time
  // Under mutex_: what this process may store before it looks at what is there: at all, or in a
  // group of folders, by the first of them. A group's size is a power of two.
  bool looked_ = false;
  std::uint64_t left_ = 0;
  unsigned group_ = 1;
  std::array<std::uint64_t, kFolders> left_in_{};
};

}  // namespace tritonrt::cache

#endif  // TRITONRT_CACHE_DISK_TIER_H_
