// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cache/cache.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "tests/unit/cache/memory_file_system.h"

namespace tritonrt::cache {
namespace {

std::shared_ptr<const Entry> entry(const Key& canonical, std::string_view text) {
  auto e = std::make_shared<Entry>();
  e->canonical = canonical;
  e->canonical_sha = sha256(text);
  e->metadata = "kernel=k\n";
  e->code = std::string(
      "\x7f"
      "ELF\0code",
      9);
  e->device_binary = "binary";
  return e;
}

constexpr Key kSource{1, 2};
constexpr Key kOtherSource{5, 6};
constexpr Key kCanonical{3, 4};

TEST(Cache, FindsBySourceInMemoryAndOnDisk) {
  MemoryFileSystem files;
  Cache first(files, {"/c", 1 << 20});
  EXPECT_EQ(first.find_source(kSource), nullptr);
  first.store(kSource, entry(kCanonical, "text"));
  EXPECT_NE(first.find_source(kSource), nullptr);
  EXPECT_EQ(first.counters().memory_hits, 1u);

  Cache second(files, {"/c", 1 << 20});
  const auto found = second.find_source(kSource);
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(second.counters().disk_hits, 1u);
  EXPECT_EQ(found->code, entry(kCanonical, "text")->code);
  EXPECT_EQ(found->metadata, "kernel=k\n");
  EXPECT_EQ(found->device_binary, "binary");
  EXPECT_EQ(found->canonical, kCanonical);
}

TEST(Cache, TwoSourcesShareOneArtifact) {
  MemoryFileSystem files;
  Cache cache(files, {"/c", 1 << 20});
  cache.store(kSource, entry(kCanonical, "text"));
  const auto same = cache.find_canonical(kCanonical, sha256("text"));
  ASSERT_NE(same, nullptr);
  cache.link(kOtherSource, same);
  EXPECT_NE(Cache(files, {"/c", 1 << 20}).find_source(kOtherSource), nullptr);
}

TEST(Cache, ACollisionOfCanonicalKeysIsAMiss) {
  MemoryFileSystem files;
  Cache cache(files, {"/c", 1 << 20});
  cache.store(kSource, entry(kCanonical, "text"));
  EXPECT_EQ(cache.find_canonical(kCanonical, sha256("other text")), nullptr);
  cache.store(kOtherSource, entry(kCanonical, "other text"));
  // The first source's record still names the text that its artifact was made from.
  EXPECT_EQ(Cache(files, {"/c", 1 << 20}).find_source(kSource), nullptr);
}

TEST(Cache, ForgetsInBothTiers) {
  MemoryFileSystem files;
  Cache cache(files, {"/c", 1 << 20});
  const auto e = entry(kCanonical, "text");
  cache.store(kSource, e);
  cache.forget(kSource, *e);
  EXPECT_EQ(cache.find_source(kSource), nullptr);
  EXPECT_TRUE(files.files.empty());
}

TEST(Cache, WithoutAFolderItHoldsInMemory) {
  MemoryFileSystem files;
  Cache cache(files, {"", 1 << 20});
  cache.store(kSource, entry(kCanonical, "text"));
  cache.store_text({7, 8}, "a text");
  EXPECT_NE(cache.find_source(kSource), nullptr);
  EXPECT_EQ(cache.find_text({7, 8}), "a text");
  EXPECT_EQ(files.calls, 0);
}

TEST(Cache, ABrokenDiskNeverBreaksIt) {
  MemoryFileSystem files;
  files.fail_at = 0;
  files.fail_ever_after = true;
  Cache cache(files, {"/c", 1 << 20});
  cache.store(kSource, entry(kCanonical, "text"));
  EXPECT_NE(cache.find_source(kSource), nullptr);
  EXPECT_GE(cache.counters().errors, 1u);
}

TEST(Cache, SettingsComeFromTheEnvironment) {
  setenv("HOME", "/home/u", 1);
  unsetenv("XDG_CACHE_HOME");
  unsetenv("TRITONRT_CACHE_DIR");
  unsetenv("TRITONRT_CACHE_SIZE");
  EXPECT_EQ(settings_from_environment().folder, "/home/u/.cache/tritonrt");
  EXPECT_EQ(settings_from_environment().max_bytes, std::uint64_t{2} << 30);
  setenv("XDG_CACHE_HOME", "/x", 1);
  EXPECT_EQ(settings_from_environment().folder, "/x/tritonrt");
  setenv("XDG_CACHE_HOME", "relative", 1);
  EXPECT_EQ(settings_from_environment().folder, "/home/u/.cache/tritonrt");
  setenv("TRITONRT_CACHE_DIR", "/d", 1);
  setenv("TRITONRT_CACHE_SIZE", "0", 1);
  EXPECT_EQ(settings_from_environment().folder, "/d");
  EXPECT_EQ(settings_from_environment().max_bytes, 0u);
  for (const char* wrong : {"12 apples", "-1", "4G", "99999999999999999999"}) {
    setenv("TRITONRT_CACHE_SIZE", wrong, 1);
    const Settings settings = settings_from_environment();
    EXPECT_EQ(settings.max_bytes, std::uint64_t{2} << 30);
    EXPECT_NE(settings.complaint.find(wrong), std::string::npos) << settings.complaint;
  }
  unsetenv("TRITONRT_CACHE_DIR");
  unsetenv("XDG_CACHE_HOME");
  unsetenv("HOME");
  EXPECT_EQ(settings_from_environment().folder, "");
}

}  // namespace
}  // namespace tritonrt::cache
