// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TRITONRT_REPLAY_FILE_IO_H_
#define TRITONRT_REPLAY_FILE_IO_H_

#include <cstddef>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>

namespace tritonrt::replay {

// An input that cannot be used: a file that cannot be read, a malformed document, a value out of
// range. `what()` is one sentence that names the input.
class InputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// 'text', for messages.
std::string in_quotes(std::string_view text);

// The content of a regular file. Refuses directories, devices and files over `max_bytes`.
std::string read_file(const std::filesystem::path& path, size_t max_bytes);

// Writes `content` beside `path` and renames it there, so that `path` is never half-written. A
// path that is no regular file of a folder (/dev/stdout, a pipe) is written in place.
void write_file(const std::filesystem::path& path, std::string_view content);

// `folder / relative`, where `relative` comes from an untrusted document: absolute paths, `..`
// and links that lead out of `folder` are refused.
std::filesystem::path path_inside(const std::filesystem::path& folder, const std::string& relative);

}  // namespace tritonrt::replay

#endif  // TRITONRT_REPLAY_FILE_IO_H_
