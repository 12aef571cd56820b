// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cache/disk_tier.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstring>
#include <thread>
#include <utility>
#include <vector>

namespace tritonrt::cache {
namespace {

constexpr char kMagic[8] = {'T', 'R', 'T', 'C', 'A', 'C', 'H', 'E'};
constexpr std::uint32_t kFormat = 1;
constexpr std::uint64_t kMaxFile = std::uint64_t{256} << 20;
// Temporary files of processes that died; a live writer is done long before.
constexpr std::int64_t kStaleNs = std::int64_t{3600} * 1000000000;
constexpr std::string_view kSuffix = ".trt";
constexpr std::string_view kTempSuffix = ".tmp";
constexpr std::string_view kLockName = "lock";
// Longer than any sound compilation.
constexpr std::chrono::seconds kLockTime{60};

// What precedes the payload, in the machine's byte order: the native code in a cache is not
// portable either.
struct Header {
  char magic[8];
  std::uint32_t format;
  std::uint32_t reserved;
  Key key;
  std::uint64_t size;
  Key checksum;
};
static_assert(sizeof(Header) == 56);

std::optional<std::string> payload_of(const Key& key, std::string content) {
  Header header;
  if (content.size() < sizeof(header)) return std::nullopt;
  std::memcpy(&header, content.data(), sizeof(header));
  const std::string_view payload = std::string_view(content).substr(sizeof(header));
  if (std::memcmp(header.magic, kMagic, sizeof(kMagic)) != 0 || header.format != kFormat ||
      header.key != key || header.size != payload.size() || header.checksum != checksum(payload))
    return std::nullopt;
  content.erase(0, sizeof(header));
  return content;
}

std::string file_content(const Key& key, std::string_view payload) {
  Header header{};
  std::memcpy(header.magic, kMagic, sizeof(kMagic));
  header.format = kFormat;
  header.key = key;
  header.size = payload.size();
  header.checksum = checksum(payload);
  std::string content(reinterpret_cast<const char*>(&header), sizeof(header));
  content.append(payload);
  return content;
}

std::uint64_t left_of(std::uint64_t limit, std::uint64_t bytes) {
  return limit > bytes ? limit - bytes : 0;
}

// Nobody's fault: never there, or gone since; on network file systems, gone for this machine.
bool is_absence(const std::error_code& error) {
  return error == std::errc::no_such_file_or_directory || error.value() == ESTALE;
}

// The key that a file's name within the folder, "ab/30 digits.trt", stands for.
std::optional<Key> key_of(std::string_view name) {
  if (name.size() != 33 + kSuffix.size() || name[2] != '/' || !name.ends_with(kSuffix))
    return std::nullopt;
  const std::string digits = std::string(name.substr(0, 2)) + std::string(name.substr(3, 30));
  Key key;
  const char* middle = digits.data() + 16;
  if (std::from_chars(digits.data(), middle, key.high, 16).ptr != middle ||
      std::from_chars(middle, middle + 16, key.low, 16).ptr != middle + 16 || key.hex() != digits)
    return std::nullopt;
  return key;
}

}  // namespace

DiskTier::DiskTier(FileSystem& files, std::string folder, std::uint64_t max_bytes,
                   Counters& counters, Warn warn)
    : files_(files),
      folder_(max_bytes == 0 ? std::string() : std::move(folder)),
      max_bytes_(max_bytes),
      counters_(counters),
      warn_(std::move(warn)) {}

void DiskTier::failed(const char* action, const std::string& path, const std::error_code& error) {
  ++counters_.errors;
  if (warn_ && !warned_.exchange(true, std::memory_order_relaxed))
    warn_("cache folder '" + folder_ + "': cannot " + action + " '" + path +
          "': " + error.message() + "; what cannot be kept there is kept in memory");
}

bool DiskTier::is_ours(const FileInfo& info) const {
  return info.owner == files_.user() && !info.others_write && !info.group_writes;
}

std::string DiskTier::folder_of(const Key& key) const {
  return folder_ + "/" + key.hex().substr(0, 2);
}

std::string DiskTier::path_of(const Key& key) const {
  return folder_of(key) + "/" + key.hex().substr(2) + std::string(kSuffix);
}

std::optional<std::string> DiskTier::get(const Key& key) {
  if (!enabled()) return std::nullopt;
  const std::string path = path_of(key);
  std::string content;
  FileInfo info;
  if (const std::error_code error = files_.read(path, kMaxFile, content, info)) {
    if (!is_absence(error)) failed("read", path, error);
    return std::nullopt;
  }
  // Code that someone else may have written is not run.
  if (!is_ours(info)) {
    failed("trust", path, std::make_error_code(std::errc::operation_not_permitted));
    return std::nullopt;
  }
  std::optional<std::string> payload = payload_of(key, std::move(content));
  if (!payload) {
    ++counters_.corrupt;
    remove(key);
    return std::nullopt;
  }
  // Where nothing may be written, uses are not noted: what is there serves all the same.
  (void)files_.touch(path);
  return payload;
}

bool DiskTier::publish(const Key& key, std::string_view content, bool durable) {
  static std::atomic<std::uint64_t> serial{0};
  const std::string folder = folder_of(key);
  if (const std::error_code error = files_.make_directories(folder)) {
    failed("make", folder, error);
    return false;
  }
  const std::string temporary = folder + "/" + std::to_string(getpid()) + "-" +
                                std::to_string(serial.fetch_add(1)) + "-" + key.hex().substr(2, 8) +
                                std::string(kTempSuffix);
  std::error_code error = files_.write_new(temporary, content, durable);
  // A process of the same number died here, in another process namespace or before a restart.
  if (error == std::errc::file_exists) {
    error = files_.remove(temporary);
    if (!error) error = files_.write_new(temporary, content, durable);
  }
  if (error) {
    failed("write", temporary, error);
    return false;
  }
  const std::string path = path_of(key);
  error = files_.rename(temporary, path);
  if (!error) return true;
  failed("write", path, error);
  (void)files_.remove(temporary);
  return false;
}

void DiskTier::put(const Key& key, std::string_view payload, bool durable) {
  if (!enabled()) return;
  (void)put_file(key, file_content(key, payload), durable);
}

bool DiskTier::put_file(const Key& key, std::string_view content, bool durable) {
  if (content.size() > std::min(max_bytes_, kMaxFile)) return false;
  if (!publish(key, content, durable)) return false;
  ++counters_.stores;
  const std::lock_guard lock(mutex_);
  const unsigned folder = static_cast<unsigned>(key.high >> 56);
  if (!looked_) {
    // Too much by far for a small cache, where the count that then follows is cheap.
    std::vector<File> one;
    list(folder, one);
    left_ = left_of(max_bytes_, std::uint64_t{2} * kFolders * bytes_of(one));
    looked_ = true;
  }
  std::uint64_t& left = content.size() <= left_ ? left_ : left_in_[folder & ~(group_ - 1)];
  if (content.size() <= left)
    left -= content.size();
  else
    make_room(folder);
  return true;
}

// Keys spread evenly, so a group of folders tells about all, and keeps to its share of the limit by
// itself: a store costs the same among a thousand entries and a hundred thousand. Groups are so
// large that what was used longest ago in one is old among all, and that no entry is much of its
// share.
void DiskTier::make_room(unsigned folder) {
  constexpr std::size_t kEnough = 256;
  std::vector<File> some;
  const auto large_enough = [&] {
    std::uint64_t largest = 0;
    for (const File& file : some) largest = std::max(largest, file.info.size);
    return some.size() >= kEnough && max_bytes_ / kFolders * group_ >= 16 * largest;
  };
  for (;; group_ *= 2, left_in_.fill(0)) {
    some.clear();
    for (unsigned i = 0; i < group_; ++i) list((folder & ~(group_ - 1)) + i, some);
    if (group_ == kFolders || large_enough()) break;
  }
  const std::uint64_t share = group_ == kFolders ? max_bytes_ : max_bytes_ / kFolders * group_;
  // To a little below it, so that not every store that follows looks again.
  left_in_[folder & ~(group_ - 1)] = left_of(share, evict(std::move(some), share - share / 10));
}

std::uint64_t DiskTier::bytes_of(const std::vector<File>& files) {
  std::uint64_t bytes = 0;
  for (const File& file : files) bytes += file.info.size;
  return bytes;
}

std::unique_ptr<FileLock> DiskTier::lock(const Key& key, bool& waited) {
  waited = false;
  if (!enabled()) return nullptr;
  const std::string folder = folder_of(key);
  if (const std::error_code error = files_.make_directories(folder)) {
    failed("make", folder, error);
    return nullptr;
  }
  // One lock a folder: holders of different keys seldom meet, and no lock files pile up.
  const std::string path = folder + "/" + std::string(kLockName);
  const auto deadline = std::chrono::steady_clock::now() + kLockTime;
  std::chrono::milliseconds pause{1};
  for (;;) {
    std::error_code error;
    std::unique_ptr<FileLock> lock = files_.try_lock(path, error);
    if (lock != nullptr) return lock;
    if (error != std::errc::resource_unavailable_try_again) {
      failed("lock", path, error);
      return nullptr;
    }
    waited = true;
    if (std::chrono::steady_clock::now() >= deadline) return nullptr;
    std::this_thread::sleep_for(pause);
    pause = std::min(pause * 2, std::chrono::milliseconds(10));
  }
}

void DiskTier::remove(const Key& key) {
  if (!enabled()) return;
  const std::string path = path_of(key);
  const std::error_code error = files_.remove(path);
  if (error && !is_absence(error)) failed("remove", path, error);
}

std::vector<DiskTier::File> DiskTier::files() {
  std::vector<File> all;
  for (unsigned folder = 0; folder < kFolders; ++folder) list(folder, all);
  return all;
}

void DiskTier::list(unsigned folder, std::vector<File>& files) {
  static constexpr char kDigits[] = "0123456789abcdef";
  const std::string inner = {kDigits[folder / 16], kDigits[folder % 16]};
  const std::string path = folder_ + "/" + inner;
  std::vector<DirectoryEntry> entries;
  const std::error_code error = files_.list(path, entries);
  if (error && !is_absence(error)) failed("list", path, error);
  // Whatever else lies there is somebody's: a folder that was named by mistake loses nothing.
  for (const DirectoryEntry& entry : entries)
    if (entry.name.ends_with(kSuffix) || entry.name.ends_with(kTempSuffix))
      files.push_back({inner + "/" + entry.name, entry.info});
}

bool DiskTier::File::temporary() const { return name.ends_with(kTempSuffix); }

std::uint64_t DiskTier::evict(std::vector<File> all, std::uint64_t goal) {
  std::uint64_t bytes = bytes_of(all);
  const std::int64_t now = files_.now_ns();
  // What was used in times to come was used before the clock was set back. Where all is, because a
  // server's clock differs, the order among them still holds.
  const auto order = [now](const File& file) {
    const std::int64_t used = file.info.used_ns;
    return std::pair(used <= now || used - now <= kStaleNs, used);
  };
  std::sort(all.begin(), all.end(),
            [&](const File& a, const File& b) { return order(a) < order(b); });
  for (const File& file : all) {
    const bool stale = file.temporary() && now - file.info.used_ns > kStaleNs;
    if (!stale && (bytes <= goal || file.temporary())) continue;
    const std::error_code error = files_.remove(path_of(file));
    if (error && !is_absence(error)) {
      failed("remove", path_of(file), error);
      continue;
    }
    bytes -= file.info.size;
    if (!file.temporary()) ++counters_.evictions;
  }
  return bytes;
}

DiskUsage DiskTier::usage() {
  DiskUsage usage;
  if (!enabled()) return usage;
  for (const File& file : files()) {
    usage.bytes += file.info.size;
    ++(file.temporary() ? usage.temporaries : usage.entries);
  }
  return usage;
}

DiskCheck DiskTier::check(bool remove_damaged) {
  DiskCheck check;
  if (!enabled()) return check;
  for (const File& file : files()) {
    if (file.temporary()) continue;
    const std::string path = path_of(file);
    std::string content;
    FileInfo info;
    const std::error_code error = files_.read(path, kMaxFile, content, info);
    if (is_absence(error)) continue;  // evicted meanwhile
    const std::optional<Key> key = key_of(file.name);
    if (!error && key && !is_ours(info)) {
      check.foreign.push_back(path);
    } else if (!error && key && payload_of(*key, std::move(content))) {
      ++check.sound;
    } else {
      check.damaged.push_back(path);
      if (!remove_damaged) continue;
      if (const std::error_code removal = files_.remove(path)) failed("remove", path, removal);
    }
  }
  return check;
}

void DiskTier::trim(std::uint64_t bytes) {
  if (!enabled()) return;
  const std::lock_guard lock(mutex_);
  left_ = left_of(max_bytes_, evict(files(), bytes));
  left_in_.fill(0);
  looked_ = true;
}

void DiskTier::each(
    const std::function<void(const std::string& name, const std::string& content)>& take) {
  if (!enabled()) return;
  std::vector<File> all = files();
  std::sort(all.begin(), all.end(), [](const File& a, const File& b) { return a.name < b.name; });
  for (const File& file : all) {
    const std::optional<Key> key = key_of(file.name);
    std::string content;
    FileInfo info;
    if (!key || files_.read(path_of(file), kMaxFile, content, info) || !is_ours(info) ||
        !payload_of(*key, content))
      continue;
    take(file.name, content);
  }
}

bool DiskTier::adopt(const std::string& name, std::string_view content) {
  const std::optional<Key> key = key_of(name);
  if (!enabled() || !key || !payload_of(*key, std::string(content))) return false;
  return put_file(*key, content, false);
}

}  // namespace tritonrt::cache
