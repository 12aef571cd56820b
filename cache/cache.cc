// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cache/cache.h"

#include <charconv>
#include <cstdlib>
#include <cstring>
#include <mutex>

namespace tritonrt::cache {
namespace {

constexpr std::uint64_t kDefaultBytes = std::uint64_t{2} << 30;

void append(std::string& out, std::string_view part) {
  const std::uint64_t size = part.size();
  out.append(reinterpret_cast<const char*>(&size), sizeof(size));
  out.append(part);
}

// Takes one part off; false where the bytes do not hold it.
bool take(std::string_view& bytes, std::string_view& part) {
  std::uint64_t size = 0;
  if (bytes.size() < sizeof(size)) return false;
  std::memcpy(&size, bytes.data(), sizeof(size));
  bytes.remove_prefix(sizeof(size));
  if (bytes.size() < size) return false;
  part = bytes.substr(0, size);
  bytes.remove_prefix(size);
  return true;
}

std::string_view bytes_of(const Key& key) {
  return {reinterpret_cast<const char*>(&key), sizeof(key)};
}
std::string_view bytes_of(const Sha256& sha) {
  return {reinterpret_cast<const char*>(sha.data()), sha.size()};
}

std::string encode(const Entry& entry) {
  std::string out;
  append(out, bytes_of(entry.canonical_sha));
  append(out, entry.metadata);
  append(out, entry.code);
  append(out, entry.device_binary);
  return out;
}

std::shared_ptr<const Entry> decode(const Key& canonical, std::string_view bytes) {
  std::string_view sha;
  std::string_view metadata;
  std::string_view code;
  std::string_view binary;
  if (!take(bytes, sha) || !take(bytes, metadata) || !take(bytes, code) || !take(bytes, binary) ||
      sha.size() != sizeof(Sha256))
    return nullptr;
  auto entry = std::make_shared<Entry>();
  entry->canonical = canonical;
  std::memcpy(entry->canonical_sha.data(), sha.data(), sha.size());
  entry->metadata = metadata;
  entry->code = code;
  entry->device_binary = binary;
  return entry;
}

std::string from_environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string() : std::string(value);
}

}  // namespace

Settings settings_from_environment() {
  Settings settings;
  settings.folder = from_environment("TRITONRT_CACHE_DIR");
  // A relative XDG folder is to be ignored, says its specification.
  if (const std::string xdg = from_environment("XDG_CACHE_HOME");
      settings.folder.empty() && xdg.starts_with('/'))
    settings.folder = xdg + "/tritonrt";
  if (const std::string home = from_environment("HOME"); settings.folder.empty() && !home.empty())
    settings.folder = home + "/.cache/tritonrt";
  settings.max_bytes = kDefaultBytes;
  const std::string size = from_environment("TRITONRT_CACHE_SIZE");
  std::uint64_t bytes = 0;
  const auto [end, error] = std::from_chars(size.data(), size.data() + size.size(), bytes);
  if (!size.empty() && error == std::errc() && end == size.data() + size.size())
    settings.max_bytes = bytes;
  else if (!size.empty())
    settings.complaint = "TRITONRT_CACHE_SIZE is '" + size +
                         "', which is no number of bytes: the limit is " +
                         std::to_string(kDefaultBytes);
  return settings;
}

Cache::Cache(FileSystem& files, const Settings& settings)
    : disk_(files, settings.folder, settings.max_bytes, counters_, settings.warn) {}

std::shared_ptr<const Entry> Cache::in_memory(const Key& key) {
  Shard& s = shard(key);
  const std::shared_lock lock(s.mutex);
  const auto found = s.entries.find(key);
  return found == s.entries.end() ? nullptr : found->second;
}

void Cache::keep(const Key& key, const std::shared_ptr<const Entry>& entry) {
  Shard& s = shard(key);
  const std::unique_lock lock(s.mutex);
  s.entries[key] = entry;
}

std::shared_ptr<const Entry> Cache::on_disk(const Key& canonical, const Sha256& sha) {
  const std::optional<std::string> payload = disk_.get(canonical);
  if (!payload) return nullptr;
  std::shared_ptr<const Entry> entry = decode(canonical, *payload);
  if (entry == nullptr) {
    ++counters_.corrupt;
    disk_.remove(canonical);
    return nullptr;
  }
  return entry->canonical_sha == sha ? entry : nullptr;
}

std::shared_ptr<const Entry> Cache::find_source(const Key& source) {
  if (auto entry = in_memory(source)) {
    ++counters_.memory_hits;
    return entry;
  }
  const std::optional<std::string> record = disk_.get(source);
  Key canonical;
  Sha256 sha;
  if (!record || record->size() != sizeof(canonical) + sizeof(sha)) return nullptr;
  std::memcpy(&canonical, record->data(), sizeof(canonical));
  std::memcpy(sha.data(), record->data() + sizeof(canonical), sizeof(sha));
  auto entry = in_memory(canonical);
  if (entry == nullptr || entry->canonical_sha != sha) entry = on_disk(canonical, sha);
  if (entry == nullptr) return nullptr;
  ++counters_.disk_hits;
  keep(canonical, entry);
  keep(source, entry);
  return entry;
}

std::shared_ptr<const Entry> Cache::find_canonical(const Key& canonical, const Sha256& sha) {
  if (auto entry = in_memory(canonical); entry != nullptr && entry->canonical_sha == sha) {
    ++counters_.memory_hits;
    return entry;
  }
  auto entry = on_disk(canonical, sha);
  if (entry != nullptr) {
    ++counters_.disk_hits;
    keep(canonical, entry);
  }
  return entry;
}

void Cache::store(const Key& source, const std::shared_ptr<const Entry>& entry) {
  keep(entry->canonical, entry);
  if (disk_.enabled()) disk_.put(entry->canonical, encode(*entry), true);
  link(source, entry);
}

void Cache::link(const Key& source, const std::shared_ptr<const Entry>& entry) {
  keep(source, entry);
  if (!disk_.enabled()) return;
  std::string record(bytes_of(entry->canonical));
  record.append(bytes_of(entry->canonical_sha));
  disk_.put(source, record, false);
}

void Cache::forget(const Key& source, const Entry& entry) {
  for (const Key& key : {source, entry.canonical}) {
    Shard& s = shard(key);
    const std::unique_lock lock(s.mutex);
    s.entries.erase(key);
  }
  disk_.remove(source);
  disk_.remove(entry.canonical);
}

void Cache::clear() {
  for (Shard& s : shards_) {
    const std::unique_lock lock(s.mutex);
    s.entries.clear();
    s.texts.clear();
  }
  disk_.trim(0);
}

std::optional<std::string> Cache::find_text(const Key& key) {
  {
    Shard& s = shard(key);
    const std::shared_lock lock(s.mutex);
    if (const auto found = s.texts.find(key); found != s.texts.end()) return found->second;
  }
  std::optional<std::string> text = disk_.get(key);
  if (text) {
    Shard& s = shard(key);
    const std::unique_lock lock(s.mutex);
    s.texts[key] = *text;
  }
  return text;
}

void Cache::store_text(const Key& key, std::string_view text) {
  {
    Shard& s = shard(key);
    const std::unique_lock lock(s.mutex);
    s.texts[key] = text;
  }
  disk_.put(key, text, false);
}

}  // namespace tritonrt::cache
