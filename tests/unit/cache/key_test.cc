// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cache/key.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace tritonrt::cache {
namespace {

KeyParts parts() {
  return {
      digest_input("module {}"), "add", "num_warps=4\n", "disjoint=1\n", "build", "backend=cpu\n",
      "chip 1.0 0123\n"};
}

TEST(Key, EveryPartCounts) {
  std::set<std::string> keys;
  keys.insert(make_key(KeyKind::kSource, parts()).hex());
  keys.insert(make_key(KeyKind::kCanonical, parts()).hex());
  keys.insert(make_key(KeyKind::kSignature, parts()).hex());
  for (std::string_view KeyParts::* part :
       {&KeyParts::kernel, &KeyParts::options, &KeyParts::special, &KeyParts::build_id,
        &KeyParts::target, &KeyParts::tools}) {
    KeyParts changed = parts();
    const std::string other = std::string(changed.*part) + "x";
    changed.*part = other;
    keys.insert(make_key(KeyKind::kSource, changed).hex());
  }
  KeyParts changed = parts();
  changed.input = digest_input("module { }");
  keys.insert(make_key(KeyKind::kSource, changed).hex());
  EXPECT_EQ(keys.size(), 10u);
}

TEST(Key, PartsDoNotRunTogether) {
  KeyParts a = parts();
  KeyParts b = parts();
  a.kernel = "ab";
  a.options = "c";
  b.kernel = "a";
  b.options = "bc";
  EXPECT_NE(make_key(KeyKind::kSource, a), make_key(KeyKind::kSource, b));
}

TEST(Key, IsStableAndHexIsFaithful) {
  EXPECT_EQ(make_key(KeyKind::kSource, parts()), make_key(KeyKind::kSource, parts()));
  EXPECT_EQ((Key{0x0123456789abcdef, 0xfedcba9876543210}).hex(),
            "0123456789abcdeffedcba9876543210");
}

// FIPS 180-2, appendix B.1.
TEST(Key, Sha256OfAbc) {
  const Sha256 digest = sha256("abc");
  EXPECT_EQ(digest[0], 0xba);
  EXPECT_EQ(digest[1], 0x78);
  EXPECT_EQ(digest[30], 0x15);
  EXPECT_EQ(digest[31], 0xad);
}

}  // namespace
}  // namespace tritonrt::cache
