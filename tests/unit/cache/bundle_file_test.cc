// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cache/bundle_file.h"

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <string>

#include "tests/unit/cache/small_bundle.h"
#include "tests/unit/temp_folder.h"

namespace tritonrt::cache {
namespace {

class BundleFileTest : public ::testing::Test {
 protected:
  BundleFile open(const std::string& bytes) {
    return BundleFile(temp_.write("k.trtb", bytes).string(), {});
  }
  TempFolder temp_;
};

TEST_F(BundleFileTest, GivesBackWhatWasPutIn) {
  const BundleFile file(temp_.write("k.trtb", small_bundle()).string(), {});
  file.verify();
  EXPECT_TRUE(file.trusted());
  const ManifestDocument& manifest = file.manifest();
  EXPECT_EQ(manifest.compiler(), "build");
  ASSERT_EQ(manifest.size(), 1u);
  const ManifestKernel& kernel = manifest.kernel(0);
  EXPECT_EQ(kernel.name, "add");
  EXPECT_EQ(kernel.grid, "cdiv(n, BLOCK)");
  EXPECT_EQ(kernel.shared, 512u);
  EXPECT_EQ(kernel.constexprs, (TextPairs{{"BLOCK", "1024"}}));
  ASSERT_EQ(kernel.parameters.size(), 2u);
  EXPECT_EQ(kernel.parameters[0].divisibility, 16u);
  EXPECT_TRUE(kernel.parameters[0].written);
  EXPECT_FALSE(kernel.parameters[1].written);
  ASSERT_EQ(kernel.variants.size(), 1u);
  EXPECT_TRUE(kernel.variants[0].disjoint);
  EXPECT_FALSE(kernel.variants[0].aligned);
  EXPECT_EQ(file.read(kernel.source), kText);
  EXPECT_EQ(file.read(kernel.variants[0].code), kCode);
}

// A damaged byte is found, or lies where nothing depends on it: dates, attributes, local headers.
TEST_F(BundleFileTest, NoFlippedBitGivesOtherContents) {
  const std::string whole = small_bundle();
  std::size_t found = 0;
  for (std::size_t at = 0; at < whole.size(); ++at)
    for (const int bit : {0, 3, 7}) {
      std::string bytes = whole;
      bytes[at] = static_cast<char>(bytes[at] ^ (1 << bit));
      try {
        const BundleFile file(temp_.write("k.trtb", bytes).string(), {});
        file.verify();
        ASSERT_EQ(file.manifest().size(), 1u);
        EXPECT_EQ(file.read(file.manifest().kernel(0).source), kText);
        EXPECT_EQ(file.read(file.manifest().kernel(0).variants[0].code), kCode);
        EXPECT_EQ(file.manifest().kernel(0).name, "add");
      } catch (const BundleError& error) {
        EXPECT_FALSE(std::string(error.what()).empty());
        ++found;
      }
    }
  EXPECT_GT(found, 3 * whole.size() / 2);
}

TEST_F(BundleFileTest, EveryLengthButTheWholeIsRefused) {
  const std::string whole = small_bundle();
  for (std::size_t length = 0; length < whole.size(); ++length)
    EXPECT_THROW(open(whole.substr(0, length)), BundleError) << length;
}

TEST_F(BundleFileTest, AFolderOrNothingIsASystemError) {
  EXPECT_THROW(BundleFile(temp_.path().string(), {}), std::system_error);
  EXPECT_THROW(BundleFile((temp_.path() / "absent").string(), {}), std::system_error);
  EXPECT_THROW(BundleFile("/dev/zero", {}), std::system_error);
}

template <typename F>
std::string message_of(F call) {
  try {
    call();
  } catch (const BundleError& error) {
    return error.what();
  }
  ADD_FAILURE() << "nothing was thrown";
  return {};
}

TEST(ZipFile, WhatIsNoArchiveIsRefused) {
  EXPECT_EQ(message_of([] { ZipReader reader("PK"); }),
            "it is not a zip archive, or its end is missing");
}

TEST_F(BundleFileTest, ManifestsThatCannotBeReadSayWhy) {
  const auto refusal = [&](const std::string& manifest) {
    ZipWriter zip;
    zip.add("manifest.json", manifest);
    return message_of([&] { open(zip.finish()); });
  };
  EXPECT_EQ(refusal("{").find("manifest.json, byte 1: "), 0u);
  EXPECT_EQ(refusal("[]"), "manifest.json: an object was expected");
  EXPECT_EQ(refusal(R"({"format": 77})").find("it has format 77, this library reads format "), 0u);
}

TEST(ZipFile, TheSameNameTwiceIsRefused) {
  ZipWriter zip;
  zip.add("a", "1");
  zip.add("a", "2");
  const std::string bytes = zip.finish();
  EXPECT_EQ(message_of([&] { ZipReader(bytes).read("a", 10); }), "it has two entries named 'a'");
}

TEST(ZipFile, LimitsHold) {
  ZipWriter zip;
  zip.add("a", std::string(100, 'x'));
  zip.add("empty", "");
  const std::string bytes = zip.finish();
  ZipReader reader(bytes);
  EXPECT_EQ(reader.read("a", 100), std::string(100, 'x'));
  EXPECT_EQ(reader.read("empty", 0), "");
  EXPECT_EQ(message_of([&] { reader.read("a", 99); }),
            "the entry 'a' is larger than anything expected there");
  EXPECT_EQ(message_of([&] { reader.read("b", 99); }), "the entry 'b' is missing");
  EXPECT_EQ(reader.names(), (std::vector<std::string>{"a", "empty"}));
}

TEST(BlobName, OnlyTheFixedFormIsOne) {
  const std::string digits(64, 'a');
  EXPECT_TRUE(is_blob_name("code/" + digits + ".so"));
  for (const std::string& name :
       {"/" + digits + ".so", "../" + digits + ".so", "code/" + digits, "code/" + digits + ".",
        "code/" + digits + "a.so", "code/" + digits.substr(1) + ".so", "a/code/" + digits + ".so",
        "code/" + digits + ".so/x", "code/" + std::string(64, 'A') + ".so", std::string("code"),
        std::string()})
    EXPECT_FALSE(is_blob_name(name)) << name;
}

}  // namespace
}  // namespace tritonrt::cache
