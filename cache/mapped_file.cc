// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cache/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

namespace tritonrt::cache {

MappedFile::~MappedFile() {
  if (data_ != nullptr) munmap(const_cast<char*>(data_), size_);
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)),
      size_(std::exchange(other.size_, 0)),
      info_(other.info_) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  std::swap(info_, other.info_);
  return *this;
}

std::error_code MappedFile::open(const std::string& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return {errno, std::generic_category()};
  std::error_code error;
  struct stat status{};
  if (fstat(fd, &status) != 0) {
    error = {errno, std::generic_category()};
  } else if (S_ISDIR(status.st_mode)) {
    error = std::make_error_code(std::errc::is_a_directory);
  } else if (!S_ISREG(status.st_mode)) {
    error = std::make_error_code(std::errc::invalid_argument);
  } else if (status.st_size > 0) {
    MappedFile fresh;
    fresh.size_ = static_cast<std::size_t>(status.st_size);
    fresh.info_ = file_info(status);
    void* data = mmap(nullptr, fresh.size_, PROT_READ, MAP_PRIVATE, fd, 0);
    if (data == MAP_FAILED) {
      error = {errno, std::generic_category()};
    } else {
      fresh.data_ = static_cast<const char*>(data);
      *this = std::move(fresh);
    }
  }
  ::close(fd);
  return error;
}

}  // namespace tritonrt::cache
