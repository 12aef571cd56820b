// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cache/disk_tier.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "tests/unit/cache/memory_file_system.h"
#include "tests/unit/temp_folder.h"

namespace tritonrt::cache {
namespace {

Key key(std::uint64_t n) { return {n * 0x9e3779b97f4a7c15, n}; }

class DiskTierTest : public ::testing::Test {
 protected:
  MemoryFileSystem files_;
  Counters counters_;
};

TEST_F(DiskTierTest, GivesBackWhatItGot) {
  DiskTier tier(files_, "/c", 1 << 20, counters_);
  EXPECT_FALSE(tier.get(key(1)));
  tier.put(key(1), "payload", true);
  EXPECT_EQ(tier.get(key(1)), "payload");
  EXPECT_FALSE(tier.get(key(2)));
  EXPECT_EQ(counters_.errors, 0u);
  // In a new process.
  EXPECT_EQ(DiskTier(files_, "/c", 1 << 20, counters_).get(key(1)), "payload");
}

TEST_F(DiskTierTest, AnyFlippedByteIsAMissAndIsRemoved) {
  DiskTier tier(files_, "/c", 1 << 20, counters_);
  tier.put(key(1), "payload", true);
  const auto sound = files_.files;
  const std::string path = sound.begin()->first;
  const std::size_t size = sound.begin()->second.content.size();
  for (std::size_t i = 0; i < size; ++i) {
    if (i >= 12 && i < 16) continue;  // reserved
    files_.files = sound;
    files_.files[path].content[i] ^= 0x10;
    EXPECT_FALSE(tier.get(key(1))) << "byte " << i;
    EXPECT_TRUE(files_.files.empty());
  }
  for (std::size_t length = 0; length < size; ++length) {
    files_.files = sound;
    files_.files[path].content.resize(length);
    EXPECT_FALSE(tier.get(key(1))) << "length " << length;
  }
}

TEST_F(DiskTierTest, AFileUnderAnotherKeyIsAMiss) {
  DiskTier tier(files_, "/c", 1 << 20, counters_);
  tier.put(key(1), "one", true);
  const auto one = *files_.files.begin();
  tier.put(key(2), "two", true);
  for (auto& [path, file] : files_.files)
    if (path != one.first) file = one.second;
  EXPECT_FALSE(tier.get(key(2)));
}

TEST_F(DiskTierTest, AnotherUsersFileIsNotTaken) {
  DiskTier tier(files_, "/c", 1 << 20, counters_);
  tier.put(key(1), "payload", true);
  files_.files.begin()->second.owner = 1001;
  EXPECT_FALSE(tier.get(key(1)));
  EXPECT_EQ(files_.files.size(), 1u);
}

TEST_F(DiskTierTest, EvictsWhatWasUsedLongestAgo) {
  const std::string payload(1000, 'x');
  DiskTier tier(files_, "/c", 5000, counters_);
  for (int i = 1; i <= 4; ++i) tier.put(key(i), payload, true);
  EXPECT_TRUE(tier.get(key(1)));  // now 2 is the oldest
  tier.put(key(5), payload, true);
  std::uint64_t bytes = 0;
  for (const auto& [path, file] : files_.files) bytes += file.content.size();
  EXPECT_LE(bytes, 5000u);
  EXPECT_TRUE(tier.get(key(1)));
  EXPECT_TRUE(tier.get(key(5)));
  EXPECT_FALSE(tier.get(key(2)));
  EXPECT_GE(counters_.evictions, 1u);
}

TEST_F(DiskTierTest, AStoreAmongManyLooksAtFew) {
  constexpr int kMany = 40000;
  const std::string payload(44, 'x');
  constexpr std::uint64_t kFile = 100;  // with what precedes the payload
  {
    DiskTier fill(files_, "/c", 1 << 30, counters_);
    for (int i = 0; i < kMany; ++i) fill.put(key(i), payload, false);
    for (int i = 0; i < 1000; ++i) EXPECT_TRUE(fill.get(key(i)));
  }
  DiskTier tier(files_, "/c", kMany * kFile, counters_);
  files_.calls = 0;
  constexpr int kStores = 4000;
  for (int i = 0; i < kStores; ++i) tier.put(key(kMany + i), payload, false);
  EXPECT_LT(files_.calls, 6 * kStores);
  EXPECT_LE(files_.files.size() * kFile, tier.max_bytes() * 102 / 100);
  EXPECT_GE(files_.files.size() * kFile, tier.max_bytes() * 85 / 100);
  // What was used last is there.
  files_.fail_at = -1;
  for (int i = 0; i < 1000; ++i) EXPECT_TRUE(tier.get(key(i))) << i;
}

// One of many times the size of the others is not what has to go at once, nor drives out its
// folder.
TEST_F(DiskTierTest, ALargeEntryAmongManySmallOnesStays) {
  DiskTier tier(files_, "/c", 2'000'000, counters_);
  for (int i = 0; i < 30000; ++i) tier.put(key(i), std::string(44, 'x'), false);
  tier.put(key(-1), std::string(50'000, 'y'), false);
  for (int i = 30000; i < 31000; ++i) tier.put(key(i), std::string(44, 'x'), false);
  EXPECT_TRUE(tier.get(key(-1)));
  EXPECT_GE(files_.files.size(), 15000u);
}

TEST_F(DiskTierTest, AClockThatIsSetBackOrAheadHarmsNothing) {
  constexpr std::int64_t kYear = std::int64_t{365} * 86400 * 1000000000;
  const std::string payload(1000, 'x');
  files_.clock = 5 * kYear;
  DiskTier tier(files_, "/c", 5000, counters_);
  for (int i = 1; i <= 4; ++i) tier.put(key(i), payload, true);
  // Years back: what is stored now is newer than all that was there, and so is what is used now.
  files_.clock = kYear;
  EXPECT_TRUE(tier.get(key(1)));
  for (int i = 5; i <= 7; ++i) {
    tier.put(key(i), payload, true);
    EXPECT_TRUE(tier.get(key(i))) << i;
  }
  EXPECT_TRUE(tier.get(key(1)));
  EXPECT_FALSE(tier.get(key(2)));
  // A writer at work is not taken for one that died long ago, beside an entry of times to come.
  files_.files["/c/00/1-0-00000000.tmp"] = {"half", files_.clock};
  files_.files.begin()->second.used_ns = 9 * kYear;
  tier.trim(2500);
  EXPECT_EQ(files_.files.count("/c/00/1-0-00000000.tmp"), 1u);
  files_.clock = 10 * kYear;
  tier.trim(2500);
  EXPECT_EQ(files_.files.count("/c/00/1-0-00000000.tmp"), 0u);
}

// A folder named by mistake: objects of git, say, lie in folders of the same names.
TEST_F(DiskTierTest, FilesThatAreNoEntriesAreLeftAlone) {
  DiskTier tier(files_, "/c", 3000, counters_);
  tier.put(key(1), std::string(1000, 'x'), true);
  const std::string folder = files_.files.begin()->first.substr(0, 5);
  files_.files[folder + "/0123456789012345678901234567890123456789"] = {"an object"};
  files_.files[folder + "/notes.txt"] = {std::string(5000, 'n')};
  for (int i = 2; i < 10; ++i) tier.put(key(i), std::string(1000, 'x'), true);
  EXPECT_TRUE(tier.check(true).damaged.empty());
  EXPECT_LE(tier.usage().bytes, 3000u);
  tier.trim(0);
  EXPECT_EQ(tier.usage().entries, 0u);
  EXPECT_EQ(files_.files.size(), 2u);
}

TEST_F(DiskTierTest, ZeroBytesWritesNothing) {
  DiskTier tier(files_, "/c", 0, counters_);
  EXPECT_FALSE(tier.enabled());
  tier.put(key(1), "payload", true);
  EXPECT_FALSE(tier.get(key(1)));
  EXPECT_EQ(files_.calls, 0);
}

TEST_F(DiskTierTest, EveryFileOperationMayFail) {
  const auto script = [](DiskTier& tier) {
    tier.put(key(1), "one", true);
    tier.put(key(2), "two", true);
    const auto one = tier.get(key(1));
    EXPECT_TRUE(!one || *one == "one");
    tier.put(key(1), "one", true);
    tier.put(key(3), std::string(3000, 'z'), true);
    const auto two = tier.get(key(2));
    EXPECT_TRUE(!two || *two == "two");
    tier.remove(key(2));
    bool waited = true;
    const auto lock = tier.lock(key(4), waited);
    EXPECT_FALSE(waited);
  };
  DiskTier whole(files_, "/c", 2000, counters_);
  script(whole);
  const int calls = files_.calls;
  ASSERT_GT(calls, 20);
  for (const bool ever_after : {false, true}) {
    for (int at = 0; at < calls; ++at) {
      MemoryFileSystem files;
      files.fail_at = at;
      files.fail_ever_after = ever_after;
      Counters counters;
      DiskTier tier(files, "/c", 2000, counters);
      script(tier);
      for (const auto& [path, file] : files.files) {
        if (ever_after) continue;  // then temporary files cannot be removed either
        EXPECT_EQ(path.find(".tmp"), std::string::npos) << "call " << at << " left " << path;
      }
      files.fail_at = -1;
      tier.put(key(9), "nine", true);
      EXPECT_EQ(tier.get(key(9)), "nine");
    }
  }
}

class RealFolder : public ::testing::Test {
 protected:
  TempFolder temp_;
  std::string folder_ = temp_.path().string();
  Counters counters_;
};

TEST_F(RealFolder, MakesItsFoldersForTheUserAlone) {
  const std::string inner = folder_ + "/a/b";
  DiskTier tier(native_file_system(), inner, 1 << 20, counters_);
  tier.put(key(1), std::string("with\0nul", 8), true);
  EXPECT_EQ(tier.get(key(1)), std::string("with\0nul", 8));
  struct stat status{};
  ASSERT_EQ(stat(inner.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0700u);
}

TEST_F(RealFolder, AFolderThatIsAFileIsNoFolder) {
  std::ofstream(folder_ + "/file") << "x";
  DiskTier tier(native_file_system(), folder_ + "/file/c", 1 << 20, counters_);
  tier.put(key(1), "payload", true);
  EXPECT_FALSE(tier.get(key(1)));
  EXPECT_GE(counters_.errors, 1u);
}

TEST_F(RealFolder, ASymbolicLinkIsNotFollowed) {
  DiskTier tier(native_file_system(), folder_, 1 << 20, counters_);
  tier.put(key(1), "payload", true);
  const std::string hex = key(1).hex();
  const std::string path = folder_ + "/" + hex.substr(0, 2) + "/" + hex.substr(2) + ".trt";
  ASSERT_EQ(rename(path.c_str(), (folder_ + "/moved").c_str()), 0);
  ASSERT_EQ(symlink((folder_ + "/moved").c_str(), path.c_str()), 0);
  EXPECT_FALSE(tier.get(key(1)));
}

TEST_F(RealFolder, AKeysLockHoldsOffAnotherProcess) {
  DiskTier tier(native_file_system(), folder_, 1 << 20, counters_);
  bool waited = true;
  auto lock = tier.lock(key(1), waited);
  EXPECT_NE(lock, nullptr);
  EXPECT_FALSE(waited);
  // Another descriptor of this process is as good as another process.
  std::thread releases([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    lock.reset();
  });
  const auto second =
      DiskTier(native_file_system(), folder_, 1 << 20, counters_).lock(key(1), waited);
  EXPECT_NE(second, nullptr);
  EXPECT_TRUE(waited);
  releases.join();
}

TEST_F(RealFolder, ThreadsRaceOnOneKey) {
  DiskTier tier(native_file_system(), folder_, 1 << 20, counters_);
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i < 20; ++i) {
        tier.put(key(1), "the same", true);
        const auto got = tier.get(key(1));
        EXPECT_EQ(got, "the same");
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(counters_.corrupt, 0u);
}

}  // namespace
}  // namespace tritonrt::cache
