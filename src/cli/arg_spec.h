// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TRITONRT_CLI_ARG_SPEC_H_
#define TRITONRT_CLI_ARG_SPEC_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tritonrt/dtype.h"

namespace tritonrt::cli {

// One `--arg` of `tritonrt run`:
//   TYPE:VALUE                             a scalar
//   *TYPE:N[:zero|iota|rand[=SEED]]        a buffer of N elements, zero where nothing is said
//   *TYPE:FILE.npy                         a buffer with a file's content
//   @I                                     the buffer of argument I
//   null                                   a null pointer
// Pointers take the suffixes `+BYTES` (an offset) and `:out=FILE.npy` (written after the launch).
struct ArgSpec {
  enum class Kind { kScalar, kBuffer, kAlias, kNull };
  enum class Fill { kZero, kIota, kRandom, kFile };

  Kind kind = Kind::kScalar;
  DType dtype = DType::kUnknown;  // scalar and buffer
  uint64_t bits = 0;              // scalar
  Fill fill = Fill::kZero;
  uint64_t count = 0;            // elements, unless they come from a file
  std::optional<uint64_t> seed;  // random; otherwise the argument's index
  std::string file;              // kFile
  size_t alias = 0;              // kAlias: index of an argument
  uint64_t offset_bytes = 0;
  std::string out_file;  // empty: not written
};

// Throws InputError for text of another form or a value out of range.
ArgSpec parse_arg_spec(std::string_view text);

// The bytes of a buffer argument before the launch; `index` is its place in the list. For a file,
// `shape` becomes the file's shape, otherwise {count}. Throws InputError.
std::string buffer_content(const ArgSpec& spec, size_t index, std::vector<uint64_t>* shape);

}  // namespace tritonrt::cli

#endif  // TRITONRT_CLI_ARG_SPEC_H_
