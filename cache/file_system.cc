// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cache/file_system.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <new>

namespace tritonrt::cache {
namespace {

std::error_code last_error() { return {errno, std::generic_category()}; }

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return fd_; }
  // Closes now, to hear of errors that come late on network file systems.
  int close() {
    const int fd = fd_;
    fd_ = -1;
    return ::close(fd);
  }

 private:
  int fd_;
};

// Whether it is on the disk, as far as the file system can tell: some have no such thing.
bool synchronise(int fd) {
  return fsync(fd) == 0 || errno == EINVAL || errno == ENOSYS || errno == EOPNOTSUPP;
}

bool write_all(int fd, std::string_view content) {
  while (!content.empty()) {
    const ssize_t n = ::write(fd, content.data(), content.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return false;
    content.remove_prefix(static_cast<std::size_t>(n));
  }
  return true;
}

class NativeFileLock final : public FileLock {
 public:
  explicit NativeFileLock(int fd) : fd_(fd) {}
  int fd() const { return fd_.get(); }

 private:
  const Descriptor fd_;  // closing it unlocks
};

class NativeFileSystem final : public FileSystem {
 public:
  std::error_code read(const std::string& path, std::uint64_t limit, std::string& content,
                       FileInfo& info) override {
    const Descriptor fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
    if (fd.get() < 0) return last_error();
    struct stat status{};
    if (fstat(fd.get(), &status) != 0) return last_error();
    if (!S_ISREG(status.st_mode)) return std::make_error_code(std::errc::invalid_argument);
    info = file_info(status);
    if (info.size > limit) return std::make_error_code(std::errc::file_too_large);
    try {
      content.resize(info.size);
    } catch (const std::bad_alloc&) {
      return std::make_error_code(std::errc::not_enough_memory);
    }
    std::size_t have = 0;
    while (have < content.size()) {
      const ssize_t n = ::read(fd.get(), content.data() + have, content.size() - have);
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) return last_error();
      if (n == 0) break;
      have += static_cast<std::size_t>(n);
    }
    content.resize(have);
    return {};
  }

  std::error_code write_new(const std::string& path, std::string_view content,
                            bool durable) override {
    Descriptor fd(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600));
    if (fd.get() < 0) return last_error();
    if (!write_all(fd.get(), content) || (durable && !synchronise(fd.get())) || fd.close() != 0) {
      const std::error_code error = last_error();
      ::unlink(path.c_str());
      return error;
    }
    return {};
  }

  std::error_code rename(const std::string& from, const std::string& to) override {
    return ::rename(from.c_str(), to.c_str()) == 0 ? std::error_code() : last_error();
  }

  std::error_code remove(const std::string& path) override {
    return ::unlink(path.c_str()) == 0 ? std::error_code() : last_error();
  }

  std::error_code make_directories(const std::string& path) override {
    if (::mkdir(path.c_str(), 0700) == 0) return {};
    if (errno == ENOENT) {
      const std::size_t slash = path.rfind('/');
      if (slash == std::string::npos || slash == 0) return last_error();
      if (const std::error_code error = make_directories(path.substr(0, slash))) return error;
      if (::mkdir(path.c_str(), 0700) == 0) return {};
    }
    if (errno != EEXIST) return last_error();
    struct stat status{};
    if (::stat(path.c_str(), &status) != 0) return last_error();
    return S_ISDIR(status.st_mode) ? std::error_code()
                                   : std::make_error_code(std::errc::not_a_directory);
  }

  std::error_code list(const std::string& path, std::vector<DirectoryEntry>& entries) override {
    DIR* folder = opendir(path.c_str());
    if (folder == nullptr) return last_error();
    const int fd = dirfd(folder);
    if (fd < 0) {
      const std::error_code error = last_error();
      closedir(folder);
      return error;
    }
    const dirent* entry = nullptr;
    while (errno = 0, (entry = readdir(folder)) != nullptr) {
      struct stat status{};
      // A file may vanish between the two calls: someone else removed it.
      if (fstatat(fd, entry->d_name, &status, AT_SYMLINK_NOFOLLOW) != 0) continue;
      if (S_ISREG(status.st_mode)) entries.push_back({entry->d_name, file_info(status)});
    }
    const std::error_code error(errno, std::generic_category());
    closedir(folder);
    return error;
  }

  std::error_code touch(const std::string& path) override {
    return utimensat(AT_FDCWD, path.c_str(), nullptr, AT_SYMLINK_NOFOLLOW) == 0 ? std::error_code()
                                                                                : last_error();
  }

  std::unique_ptr<FileLock> try_lock(const std::string& path, std::error_code& error) override {
    error.clear();
    auto lock = std::make_unique<NativeFileLock>(
        ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
    if (lock->fd() >= 0 && flock(lock->fd(), LOCK_EX | LOCK_NB) == 0) return lock;
    error = last_error();
    return nullptr;
  }

  std::int64_t now_ns() override {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(
               std::chrono::system_clock::now().time_since_epoch())
        .count();
  }

  std::uint32_t user() override { return geteuid(); }
};

}  // namespace

FileInfo file_info(const struct stat& status) {
  FileInfo info;
  info.size = static_cast<std::uint64_t>(status.st_size);
  info.used_ns = std::int64_t{status.st_mtim.tv_sec} * 1000000000 + status.st_mtim.tv_nsec;
  info.owner = status.st_uid;
  info.others_write = (status.st_mode & S_IWOTH) != 0;
  info.group_writes = (status.st_mode & S_IWGRP) != 0;
  return info;
}

FileSystem& native_file_system() {
  static NativeFileSystem* file_system = new NativeFileSystem;
  return *file_system;
}

}  // namespace tritonrt::cache
