// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <cstdint>
#include <numeric>
#include <vector>

#include "tests/unit/api/fixture.h"

namespace tritonrt {
namespace {

class BufferTest : public ApiTest {};

TEST_F(BufferTest, CopiesAtOffsets) {
  std::vector<char> bytes(1000);
  std::iota(bytes.begin(), bytes.end(), 0);
  Buffer buffer = Buffer::from_host(cpu_, bytes.data(), bytes.size());
  EXPECT_EQ(buffer.size(), 1000u);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(buffer.host_data()) % 64, 0u);
  char part[10] = {};
  buffer.copy_to_host(part, 10, 990);
  EXPECT_EQ(part[9], static_cast<char>(999));
  buffer.copy_from_host("hello", 5, 3);
  EXPECT_EQ(buffer.host_data_as<char>()[3], 'h');
  Stream stream(cpu_);
  Buffer other(cpu_, 100);
  other.copy_from(stream, buffer, 5, 3, 50);
  stream.synchronize();
  EXPECT_EQ(std::string(other.host_data_as<char>() + 50, 5), "hello");
}

TEST_F(BufferTest, RangesAreChecked) {
  Buffer buffer(cpu_, 16);
  char bytes[32];
  EXPECT_EQ(error_of([&] { buffer.copy_to_host(bytes, 8, 9); }).message(),
            "bytes [9, 9 + 8) lie outside a buffer of 16 bytes");
  EXPECT_THROW(buffer.copy_from_host(bytes, 17), Error);
  EXPECT_THROW(buffer.copy_from_host(bytes, 1, ~std::size_t{0}), Error);
  EXPECT_THROW(buffer.copy_from_host(nullptr, 1), Error);
  EXPECT_THROW(buffer.fill("abc", 3, 9), Error);
  EXPECT_THROW(buffer.fill("abcd", 4, 6), Error);
  EXPECT_THROW(Buffer().size(), Error);
  EXPECT_THROW(Buffer(Device(), 1), Error);
  buffer.copy_to_host(nullptr, 0, 16);
}

TEST_F(BufferTest, FillsEveryPatternSize) {
  for (const std::size_t size : {1u, 2u, 4u, 8u, 16u}) {
    std::vector<char> pattern(size);
    std::iota(pattern.begin(), pattern.end(), 1);
    Buffer buffer(cpu_, 10000);
    buffer.fill("\0", 1, 10000);
    buffer.fill(pattern.data(), size, 9600, 16);
    const char* bytes = buffer.host_data_as<char>();
    EXPECT_EQ(bytes[15], 0);
    EXPECT_EQ(bytes[9616], 0);
    for (std::size_t i = 0; i < 9600; ++i) ASSERT_EQ(bytes[16 + i], pattern[i % size]);
  }
}

TEST_F(BufferTest, EmptyAndWrapped) {
  Buffer empty(cpu_, 0);
  EXPECT_EQ(empty.size(), 0u);
  int value = 3;
  Buffer wrapped = Buffer::wrap_host(cpu_, &value, sizeof(value));
  const int four = 4;
  wrapped.copy_from_host(&four, sizeof(four));
  EXPECT_EQ(value, 4);
}

}  // namespace
}  // namespace tritonrt
