// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "src/replay/file_io.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "tests/unit/temp_folder.h"

namespace tritonrt::replay {
namespace {

namespace fs = std::filesystem;

template <typename Call>
std::string message_of(Call call) {
  try {
    call();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(FileIo, NamesWhatCannotBeRead) {
  const TempFolder folder;
  const auto read = [&](const fs::path& path) { return message_of([&] { read_file(path, 100); }); };
  EXPECT_NE(read(folder.path() / "absent").find("No such file"), std::string::npos);
  EXPECT_NE(read(folder.path()).find("directory"), std::string::npos);
  ASSERT_EQ(::mkfifo((folder.path() / "pipe").c_str(), 0600), 0);
  EXPECT_NE(read(folder.path() / "pipe").find("not a regular file"), std::string::npos);
  folder.write("big", std::string(101, 'x'));
  EXPECT_NE(read(folder.path() / "big").find("limit of 100"), std::string::npos);
}

TEST(FileIo, WritesWholeFiles) {
  const TempFolder folder;
  const fs::path path = folder.write("out", "a longer text than the next one");
  write_file(path, std::string("a\0b", 3));
  EXPECT_EQ(read_file(path, 100), std::string("a\0b", 3));
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()), 1);
  EXPECT_NE(message_of([&] { write_file(folder.path() / "no" / "file", "x"); }), "");
  EXPECT_NE(message_of([&] { write_file(folder.path(), "x"); }), "");
  write_file("/dev/null", "x");
}

TEST(FileIo, PathsStayInside) {
  const TempFolder folder;
  folder.write("a", "");
  fs::create_directory(folder.path() / "sub");
  fs::create_symlink("/etc", folder.path() / "out");
  fs::create_symlink("sub", folder.path() / "in");
  const auto inside = [&](const std::string& name) {
    return message_of([&] { path_inside(folder.path(), name); });
  };
  EXPECT_EQ(inside("a"), "");
  EXPECT_EQ(inside("sub/new"), "");
  EXPECT_EQ(inside("in/new"), "");
  for (const std::string& name :
       {std::string(), std::string("/etc/passwd"), std::string("../x"), std::string("sub/../../x"),
        std::string("out/passwd"), std::string("a\0b", 3)})
    EXPECT_NE(inside(name), "") << name;
}

}  // namespace
}  // namespace tritonrt::replay
