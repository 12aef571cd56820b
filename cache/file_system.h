// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TRITONRT_CACHE_FILE_SYSTEM_H_
#define TRITONRT_CACHE_FILE_SYSTEM_H_

#include <sys/stat.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace tritonrt::cache {

struct FileInfo {
  std::uint64_t size = 0;
  std::int64_t used_ns = 0;  // when it was last written or touched
  std::uint32_t owner = 0;
  bool others_write = false;  // anybody may write to it
  bool group_writes = false;
};

// What the system tells of a file.
FileInfo file_info(const struct stat& status);

struct DirectoryEntry {
  std::string name;
  FileInfo info;
};

// A lock on a file, held until the end of the object's life or of the process.
class FileLock {
 public:
  virtual ~FileLock() = default;
};

// Every file operation of the cache. Nothing here throws; a test's own file system can make any
// call fail. Thread safe.
class FileSystem {
 public:
  virtual ~FileSystem() = default;
  // The whole of a regular file of at most `limit` bytes, and what is known of the file that was
  // read. Symbolic links are not followed at the last component.
  virtual std::error_code read(const std::string& path, std::uint64_t limit, std::string& content,
                               FileInfo& info) = 0;
  // Creates a file that must not exist and writes it; a durable one survives a loss of power once
  // this returns. Leaves nothing on failure.
  virtual std::error_code write_new(const std::string& path, std::string_view content,
                                    bool durable) = 0;
  // Replaces `to` in one step.
  virtual std::error_code rename(const std::string& from, const std::string& to) = 0;
  virtual std::error_code remove(const std::string& path) = 0;
  // With every missing parent; readable by the user alone. Success when it is there.
  virtual std::error_code make_directories(const std::string& path) = 0;
  // Regular files, in no order.
  virtual std::error_code list(const std::string& path, std::vector<DirectoryEntry>& entries) = 0;
  // Marks a file as used now.
  virtual std::error_code touch(const std::string& path) = 0;
  // Locks a file, which is created if need be, against every other holder in any process. Null
  // when it cannot, with `resource_unavailable_try_again` where someone else holds it.
  virtual std::unique_ptr<FileLock> try_lock(const std::string& path, std::error_code& error) = 0;
  // The time now, as FileInfo has it; a server's clock may be another.
  virtual std::int64_t now_ns() = 0;
  // The user whose files may be trusted.
  virtual std::uint32_t user() = 0;
};

// The machine's own. Lives as long as the process.
FileSystem& native_file_system();

}  // namespace tritonrt::cache

#endif  // TRITONRT_CACHE_FILE_SYSTEM_H_
