// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "src/replay/file_io.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace fs = std::filesystem;

namespace tritonrt::replay {
namespace {

[[noreturn]] void fail_with_errno(const char* action, const fs::path& path, int error) {
  throw InputError(std::string("cannot ") + action + " '" + path.string() +
                   "': " + std::strerror(error));
}

class FileDescriptor {
 public:
  explicit FileDescriptor(int fd) : fd_(fd) {}
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;
  ~FileDescriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  int get() const { return fd_; }

 private:
  int fd_;
};

void write_all(int fd, std::string_view content, const fs::path& path) {
  while (!content.empty()) {
    ssize_t written = ::write(fd, content.data(), content.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail_with_errno("write", path, errno);
    content.remove_prefix(static_cast<size_t>(written));
  }
}

}  // namespace

std::string in_quotes(std::string_view text) { return "'" + std::string(text) + "'"; }

std::string read_file(const fs::path& path, size_t max_bytes) {
  // O_NONBLOCK keeps the open of a FIFO without a writer from waiting for ever.
  FileDescriptor fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (fd.get() < 0) fail_with_errno("read", path, errno);
  struct stat status;
  if (::fstat(fd.get(), &status) != 0) fail_with_errno("read", path, errno);
  if (S_ISDIR(status.st_mode)) fail_with_errno("read", path, EISDIR);
  if (!S_ISREG(status.st_mode))
    throw InputError("cannot read '" + path.string() + "': not a regular file");
  if (static_cast<uint64_t>(status.st_size) > max_bytes)
    throw InputError("'" + path.string() + "' has " + std::to_string(status.st_size) +
                     " bytes, more than the limit of " + std::to_string(max_bytes));
  std::string content(static_cast<size_t>(status.st_size), '\0');
  size_t filled = 0;
  while (filled < content.size()) {
    ssize_t got = ::read(fd.get(), content.data() + filled, content.size() - filled);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail_with_errno("read", path, errno);
    if (got == 0) break;
    filled += static_cast<size_t>(got);
  }
  content.resize(filled);
  return content;
}

void write_file(const fs::path& path, std::string_view content) {
  struct stat status;
  const bool exists = ::stat(path.c_str(), &status) == 0;
  if (exists && (!S_ISREG(status.st_mode) || status.st_nlink == 0)) {
    FileDescriptor fd(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
    if (fd.get() < 0) fail_with_errno("write", path, errno);
    write_all(fd.get(), content, path);
    return;
  }
  std::string temporary = path.string() + ".XXXXXX";
  FileDescriptor fd(::mkostemp(temporary.data(), O_CLOEXEC));
  if (fd.get() < 0) fail_with_errno("write", path, errno);
  try {
    write_all(fd.get(), content, path);
    // mkostemp makes the file private; an output is to be as readable as any other new file.
    mode_t mask = ::umask(0);
    ::umask(mask);
    if (::fchmod(fd.get(), 0666 & ~mask) != 0) fail_with_errno("write", path, errno);
    if (::rename(temporary.c_str(), path.c_str()) != 0) fail_with_errno("write", path, errno);
  } catch (...) {
    ::unlink(temporary.c_str());
    throw;
  }
}

fs::path path_inside(const fs::path& folder, const std::string& relative) {
  auto refuse = [&](const char* why) {
    throw InputError("'" + relative + "' " + why + " '" + folder.string() + "'");
  };
  const fs::path part(relative);
  if (relative.empty() || relative.find('\0') != std::string::npos || part.is_absolute())
    refuse("is not the name of a file in");
  if (std::find(part.begin(), part.end(), fs::path("..")) != part.end()) refuse("leads out of");
  std::error_code error;
  const fs::path root = fs::weakly_canonical(folder, error);
  const fs::path full = fs::weakly_canonical(folder / part, error);
  const auto [mismatch, unused] = std::mismatch(root.begin(), root.end(), full.begin(), full.end());
  if (error || mismatch != root.end()) refuse("leads out of");
  return folder / part;
}

}  // namespace tritonrt::replay
