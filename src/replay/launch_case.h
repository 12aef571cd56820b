// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TRITONRT_REPLAY_LAUNCH_CASE_H_
#define TRITONRT_REPLAY_LAUNCH_CASE_H_

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "src/replay/compare.h"
#include "src/replay/element.h"

namespace tritonrt::replay {

// A place in one of the case's buffers.
struct Address {
  size_t buffer = 0;  // index into LaunchCase::buffers
  uint64_t offset_bytes = 0;
};

struct CaseArgument {
  enum class Kind { kPointer, kScalar, kDescriptor };
  Kind kind = Kind::kScalar;
  std::string name;
  bool null = false;             // a pointer to nothing: no address
  Address address;               // pointer and descriptor
  DType dtype = DType::kI32;     // scalar: its type
  uint64_t bits = 0;             // scalar: its bits, zero-extended
  std::vector<int32_t> shape;    // descriptor
  std::vector<int64_t> strides;  // descriptor, in elements
};

struct CaseBuffer {
  std::string id;
  DType dtype = DType::kU8;
  std::string content;                  // before the launch
  std::optional<std::string> expected;  // after it; absent: unchanged
  bool check = true;
  Tolerance tolerance;
  // Addresses to be written into the block before the launch; nothing: the element stays.
  std::vector<std::optional<Address>> pointer_table;
};

// One kernel launch with its memory, as a folder with a case.json describes it.
struct LaunchCase {
  std::string name;
  std::filesystem::path ttir;
  std::string entry;
  std::array<uint32_t, 3> grid = {1, 1, 1};
  // As a caller passes them: a descriptor without the shape and strides that follow it in the
  // function's parameters.
  std::vector<CaseArgument> arguments;
  std::vector<CaseBuffer> buffers;
  std::optional<uint32_t> num_warps;
  std::optional<uint32_t> num_stages;
  std::vector<uint32_t> mesh;  // empty for an ordinary launch
  bool must_refuse = false;
  bool expect_error = false;
  bool race = false;
};

// Reads `folder`/case.json with its arrays. The document is not trusted: names must stay inside
// the folder, sizes must agree with the files, indices must exist. Throws InputError.
LaunchCase read_launch_case(const std::filesystem::path& folder);

// A launch folder and the name that its index (or, without one, the folder) gives it.
struct CaseFolder {
  std::string name;
  std::filesystem::path path;
};

// The launch folders that `path` stands for: itself if it holds a case.json, else the `dir`
// entries of its index.json; none if it holds neither. Throws InputError for a malformed index.
std::vector<CaseFolder> find_cases(const std::filesystem::path& path);

}  // namespace tritonrt::replay

#endif  // TRITONRT_REPLAY_LAUNCH_CASE_H_
