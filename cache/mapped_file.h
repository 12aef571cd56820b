// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TRITONRT_CACHE_MAPPED_FILE_H_
#define TRITONRT_CACHE_MAPPED_FILE_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <system_error>

#include "cache/file_system.h"

namespace tritonrt::cache {

// A regular file's bytes, mapped for reading. They are what the file held when it was opened as
// long as nobody writes into it in place; replacing it by a rename is safe. Thread safe.
class MappedFile {
 public:
  MappedFile() = default;
  ~MappedFile();
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;

  std::error_code open(const std::string& path);

  std::string_view bytes() const { return {data_, size_}; }
  // Of the file that was opened.
  const FileInfo& info() const { return info_; }

 private:
  const char* data_ = nullptr;
  std::size_t size_ = 0;
  FileInfo info_;
};

}  // namespace tritonrt::cache

#endif  // TRITONRT_CACHE_MAPPED_FILE_H_
