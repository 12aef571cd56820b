// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TRITONRT_REPLAY_NPY_H_
#define TRITONRT_REPLAY_NPY_H_

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace tritonrt::replay {

// A numpy array: little-endian elements of f2 f4 f8, i1 i2 i4 i8, u1 u2 u4 u8 or b1 in C order.
struct NpyArray {
  std::string type;             // kind and bytes, as "f4"
  std::vector<uint64_t> shape;  // empty: a scalar, one element
  std::string data;             // element count × item_size() bytes

  size_t item_size() const { return static_cast<size_t>(type[1] - '0'); }
  uint64_t element_count() const;
};

// Reads the formats 1.0 to 3.0. Everything in the header is checked against the size of the input
// before memory is asked for. `name` stands in messages. Throws InputError.
NpyArray parse_npy(std::string_view bytes, const std::string& name);
NpyArray read_npy(const std::filesystem::path& path);

std::string format_npy(const NpyArray& array);
void write_npy(const std::filesystem::path& path, const NpyArray& array);

// The largest array file that is read, in bytes.
inline constexpr size_t kMaxNpyBytes = size_t{8} << 30;

}  // namespace tritonrt::replay

#endif  // TRITONRT_REPLAY_NPY_H_
