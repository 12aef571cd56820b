// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TRITONRT_TESTS_UNIT_CACHE_MEMORY_FILE_SYSTEM_H_
#define TRITONRT_TESTS_UNIT_CACHE_MEMORY_FILE_SYSTEM_H_

#include <functional>
#include <map>
#include <mutex>
#include <string>

#include "cache/file_system.h"

namespace tritonrt::cache {

// Files in memory, a clock of its own, and a switch that makes the n-th call fail.
class MemoryFileSystem final : public FileSystem {
 public:
  struct File {
    std::string content;
    std::int64_t used_ns = 0;
    std::uint32_t owner = 1000;
  };

  std::error_code read(const std::string& path, std::uint64_t limit, std::string& content,
                       FileInfo& info) override {
    if (fails()) return std::make_error_code(std::errc::io_error);
    const auto file = files.find(path);
    if (file == files.end()) return std::make_error_code(std::errc::no_such_file_or_directory);
    if (file->second.content.size() > limit) return std::make_error_code(std::errc::file_too_large);
    content = file->second.content;
    info = {content.size(), file->second.used_ns, file->second.owner};
    return {};
  }
  std::error_code write_new(const std::string& path, std::string_view content, bool) override {
    if (fails()) return std::make_error_code(std::errc::no_space_on_device);
    if (files.count(path) != 0) return std::make_error_code(std::errc::file_exists);
    files[path] = {std::string(content), ++clock, user_id};
    return {};
  }
  std::error_code rename(const std::string& from, const std::string& to) override {
    if (fails()) return std::make_error_code(std::errc::io_error);
    files[to] = files.at(from);
    files.erase(from);
    return {};
  }
  std::error_code remove(const std::string& path) override {
    if (fails()) return std::make_error_code(std::errc::permission_denied);
    return files.erase(path) != 0 ? std::error_code()
                                  : std::make_error_code(std::errc::no_such_file_or_directory);
  }
  std::error_code make_directories(const std::string&) override {
    return fails() ? std::make_error_code(std::errc::read_only_file_system) : std::error_code();
  }
  std::error_code list(const std::string& path, std::vector<DirectoryEntry>& entries) override {
    if (fails()) return std::make_error_code(std::errc::io_error);
    const std::string prefix = path + "/";
    for (auto at = files.lower_bound(prefix); at != files.end() && at->first.starts_with(prefix);
         ++at)
      entries.push_back({at->first.substr(prefix.size()),
                         {at->second.content.size(), at->second.used_ns, at->second.owner}});
    return {};
  }
  std::error_code touch(const std::string& path) override {
    if (fails()) return std::make_error_code(std::errc::permission_denied);
    files.at(path).used_ns = ++clock;
    return {};
  }
  std::unique_ptr<FileLock> try_lock(const std::string&, std::error_code& error) override {
    error.clear();
    if (fails()) error = std::make_error_code(std::errc::no_lock_available);
    return error ? nullptr : std::make_unique<FileLock>();
  }
  std::int64_t now_ns() override { return clock; }
  std::uint32_t user() override { return user_id; }

  std::map<std::string, File> files;
  std::int64_t clock = 0;
  std::uint32_t user_id = 1000;
  int calls = 0;
  int fail_at = -1;  // the call, counted from 0, that fails
  bool fail_ever_after = false;

 private:
  bool fails() {
    const int call = calls++;
    return fail_at >= 0 && (call == fail_at || (fail_ever_after && call > fail_at));
  }
};

}  // namespace tritonrt::cache

#endif  // TRITONRT_TESTS_UNIT_CACHE_MEMORY_FILE_SYSTEM_H_
