// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Thousands of files that were bundles, manifests and cache entries once: each is an error or what
// it was, whatever a sanitizer watches for.

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <random>
#include <string>

#include "cache/bundle_file.h"
#include "cache/disk_tier.h"
#include "tests/unit/cache/memory_file_system.h"
#include "tests/unit/cache/small_bundle.h"
#include "tests/unit/temp_folder.h"

namespace tritonrt::cache {
namespace {

class Mutations {
 public:
  // Some edits of the kinds that files suffer, and attackers make.
  std::string of(std::string bytes) {
    for (int edits = 1 + below(4); edits > 0 && !bytes.empty(); --edits) edit(bytes);
    return bytes;
  }

 private:
  int below(std::size_t n) { return static_cast<int>(random_() % n); }

  void edit(std::string& bytes) {
    const std::size_t at = below(bytes.size());
    const std::size_t count = 1 + below(std::min<std::size_t>(bytes.size() - at, 64));
    switch (below(8)) {
      case 0:
        bytes[at] = static_cast<char>(bytes[at] ^ (1 << below(8)));
        break;
      case 1:
        bytes[at] = static_cast<char>(below(256));
        break;
      case 2:
        bytes.resize(at);
        break;
      case 3:
        bytes.erase(at, count);
        break;
      case 4:
        bytes.insert(below(bytes.size()), bytes.substr(at, count));
        break;
      case 5:
        // Sizes and offsets like to be all ones, all zeros, or nearly so.
        bytes.replace(at, std::min<std::size_t>(4, bytes.size() - at),
                      std::string(std::min<std::size_t>(4, bytes.size() - at),
                                  static_cast<char>(below(2) * 255)));
        break;
      case 6:
        for (std::size_t i = at; i < at + count; ++i) bytes[i] = static_cast<char>(below(256));
        break;
      default:
        static constexpr const char* kTokens[] = {"[",
                                                  "]",
                                                  "{",
                                                  "}",
                                                  "\"",
                                                  "\\",
                                                  ",",
                                                  "-1",
                                                  "1e999",
                                                  "null",
                                                  "99999999999999999999",
                                                  "\\u0000",
                                                  "PK\5\6",
                                                  "PK\1\2",
                                                  "\n"};
        bytes.insert(at, kTokens[below(std::size(kTokens))]);
    }
  }

  std::mt19937 random_{20261130};
};

void expect_sound(const ManifestDocument& manifest) {
  for (std::size_t i = 0; i < manifest.size(); ++i) {
    const ManifestKernel& kernel = manifest.kernel(i);
    EXPECT_FALSE(kernel.name.empty());
    EXPECT_EQ(kernel.name, manifest.name(i));
    EXPECT_EQ(kernel.source, manifest.source(i));
    EXPECT_TRUE(is_blob_name(kernel.source));
    for (const ManifestVariant& variant : kernel.variants) {
      EXPECT_LT(variant.target, manifest.targets().size());
      EXPECT_TRUE(is_blob_name(variant.code));
      EXPECT_TRUE(is_blob_name(variant.metadata));
    }
  }
}

TEST(Mutations, OfABundleAreRefusedOrHoldWhatTheyHeld) {
  const TempFolder temp;
  const std::string whole = small_bundle();
  Mutations mutations;
  int refused = 0;
  for (int i = 0; i < 4000; ++i) {
    try {
      const BundleFile file(temp.write("k.trtb", mutations.of(whole)).string(), {});
      expect_sound(file.manifest());
      file.verify();
      for (std::size_t k = 0; k < file.manifest().size(); ++k)
        EXPECT_EQ(file.read(file.manifest().kernel(k).source), kText);
    } catch (const BundleError&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 3000);
}

TEST(Mutations, OfAManifestAreRefusedOrInOrder) {
  const std::string bundle = small_bundle();
  const std::string whole = ZipReader(bundle).read(kManifestName, kMaxManifest);
  Mutations mutations;
  int refused = 0;
  for (int i = 0; i < 8000; ++i) {
    try {
      expect_sound(ManifestDocument(mutations.of(whole)));
    } catch (const BundleError&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 1000);
}

TEST(Mutations, OfACacheEntryAreMisses) {
  MemoryFileSystem files;
  Counters counters;
  DiskTier tier(files, "/c", 1 << 20, counters);
  const Key key{1, 2};
  const std::string payload(300, 'x');
  tier.put(key, payload, false);
  const auto sound = files.files;
  const std::string path = sound.begin()->first;
  Mutations mutations;
  for (int i = 0; i < 8000; ++i) {
    files.files = sound;
    std::string& content = files.files[path].content;
    content = mutations.of(content);
    const auto got = tier.get(key);
    EXPECT_TRUE(!got || *got == payload);
    EXPECT_TRUE(got || files.files.empty());
  }
}

}  // namespace
}  // namespace tritonrt::cache
