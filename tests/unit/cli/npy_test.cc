// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "src/replay/npy.h"

#include <gtest/gtest.h>

#include "src/replay/file_io.h"
#include "tests/unit/temp_folder.h"

namespace tritonrt::replay {
namespace {

std::string file_with(const std::string& header, const std::string& data, char version = 1) {
  std::string bytes("\x93NUMPY", 6);
  bytes += version;
  bytes += '\0';
  bytes += static_cast<char>(header.size() & 0xff);
  bytes += static_cast<char>(header.size() >> 8);
  if (version > 1) bytes += std::string(2, '\0');
  return bytes + header + data;
}

std::string plain(const std::string& descr, const std::string& shape) {
  return "{'descr': '" + descr + "', 'fortran_order': False, 'shape': " + shape + ", }\n";
}

std::string message_of(const std::string& bytes) {
  try {
    parse_npy(bytes, "x.npy");
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Npy, ReadsAFlatArray) {
  const NpyArray array =
      parse_npy(file_with(plain("<i2", "(3,)"), std::string("\1\0\2\0\3\0", 6)), "x");
  EXPECT_EQ(array.type, "i2");
  EXPECT_EQ(array.shape, std::vector<uint64_t>{3});
  EXPECT_EQ(array.element_count(), 3u);
  EXPECT_EQ(array.data, std::string("\1\0\2\0\3\0", 6));
}

TEST(Npy, ReadsEveryTypeAndVersion) {
  for (const char* descr :
       {"<f2", "<f4", "<f8", "|i1", "<i2", "<i4", "<i8", "|u1", "<u2", "<u4", "<u8", "|b1"})
    for (char version : {1, 2, 3}) {
      const size_t bytes = static_cast<size_t>(descr[2] - '0');
      const NpyArray array =
          parse_npy(file_with(plain(descr, "(2, 1)"), std::string(2 * bytes, 'x'), version), "x");
      EXPECT_EQ(array.type, std::string(descr + 1));
      EXPECT_EQ(array.element_count(), 2u);
    }
}

TEST(Npy, ReadsScalarsAndEmptyArrays) {
  EXPECT_EQ(parse_npy(file_with(plain("<f4", "()"), "abcd"), "x").element_count(), 1u);
  EXPECT_EQ(parse_npy(file_with(plain("<f4", "(0,)"), ""), "x").element_count(), 0u);
}

TEST(Npy, RefusesWhatItCannotRead) {
  EXPECT_EQ(message_of(""), "'x.npy' is empty");
  EXPECT_EQ(message_of("hello, this is text"), "'x.npy' is not a .npy file");
  EXPECT_NE(message_of(file_with(plain(">f4", "(1,)"), "abcd")).find("'>f4'"), std::string::npos);
  EXPECT_NE(message_of(file_with(plain("<c8", "(1,)"), "abcdefgh"))
                .find("has elements of type '<c8'; little-endian f2"),
            std::string::npos);
  EXPECT_NE(message_of(file_with(plain("<f4", "(2,)"), "abcd")).find("4 bytes"), std::string::npos);
  EXPECT_NE(message_of(file_with(plain("<f4", "(1,)"), "abcde"))
                .find("holds 5 bytes of elements, its shape asks for 4"),
            std::string::npos);
  EXPECT_NE(
      message_of(file_with("{'descr': '<f4', 'fortran_order': True, 'shape': (1, 1), }", "abcd"))
          .find("Fortran"),
      std::string::npos);
  EXPECT_NE(message_of(file_with("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,)}",
                                 "abcd"))
                .find("structured"),
            std::string::npos);
}

TEST(Npy, RefusesHostileHeaders) {
  EXPECT_NE(message_of(file_with(plain("<f8", "(4294967296, 4294967296)"), ""))
                .find("asks for more than can be addressed"),
            std::string::npos);
  EXPECT_NE(message_of(file_with(plain("<f8", "(99999999999999999999999,)"), ""))
                .find("a dimension expected"),
            std::string::npos);
  EXPECT_NE(message_of(file_with(plain("<f8", "(-1,)"), "")).find("a dimension expected"),
            std::string::npos);
  EXPECT_NE(message_of(file_with("{'descr': '<f4', 'shape': (1,)}", "abcd"))
                .find("has a header without descr, fortran_order or shape"),
            std::string::npos);
  EXPECT_NE(message_of(file_with("{'descr': '<f4", "")).find("a string does not end"),
            std::string::npos);
  EXPECT_NE(message_of(file_with("{", "")).find("a string expected"), std::string::npos);
  EXPECT_NE(
      message_of(file_with(plain("<f4", "(1,)") + "x", "abcd")).find("has text after its header"),
      std::string::npos);
  EXPECT_NE(message_of(file_with("{'descr': '<f4', 'fortran_order': Maybe, 'shape': (1,)}", "abcd"))
                .find("True or False expected"),
            std::string::npos);
  EXPECT_NE(message_of(file_with("{'order': 1}", "")).find("has the unknown header key 'order'"),
            std::string::npos);
  std::string late = file_with(plain("<f4", "(1,)"), "abcd");
  late[6] = 9;
  EXPECT_NE(message_of(late).find("has the unknown .npy version 9"), std::string::npos);
  const std::string whole = file_with(plain("<f4", "(1,)"), "abcd");
  EXPECT_NE(message_of(whole.substr(0, 20)).find("ends inside its header"), std::string::npos);
  for (size_t size = 0; size < whole.size(); ++size)
    EXPECT_NE(message_of(whole.substr(0, size)), "") << size;
}

TEST(Npy, WritesWhatNumpyWrites) {
  const NpyArray array = {"f4", {2, 1}, std::string("\0\0\x80\x3f\0\0\0\x40", 8)};
  const std::string bytes = format_npy(array);
  // numpy.save of [[1], [2]]: a header padded with spaces to a multiple of 64.
  std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 1), }";
  header.resize(128 - 10 - 1, ' ');
  EXPECT_EQ(bytes, std::string("\x93NUMPY\x01\x00\x76\x00", 10) + header + "\n" + array.data);
}

TEST(Npy, ComesBackFromAFile) {
  const TempFolder folder;
  for (const std::vector<uint64_t>& shape :
       {std::vector<uint64_t>{}, {1}, {0}, {3, 4}, {2, 3, 4, 5}}) {
    NpyArray array = {"u2", shape, ""};
    size_t count = 1;
    for (uint64_t dimension : shape) count *= dimension;
    for (size_t i = 0; i < 2 * count; ++i) array.data += static_cast<char>(i * 7);
    write_npy(folder.path() / "a.npy", array);
    const NpyArray back = read_npy(folder.path() / "a.npy");
    EXPECT_EQ(back.type, array.type);
    EXPECT_EQ(back.shape, array.shape);
    EXPECT_EQ(back.data, array.data);
  }
}

}  // namespace
}  // namespace tritonrt::replay
