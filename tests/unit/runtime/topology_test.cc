// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/cpu/topology.h"

#include <gtest/gtest.h>
#include <sched.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "tests/unit/temp_folder.h"

namespace tritonrt::runtime {
namespace {

// A tree of control groups as the kernel shows them.
class ControlGroupTest : public ::testing::Test {
 protected:
  void group(const std::string& path, const std::string& limit) {
    std::filesystem::create_directories(temp_.path() / "root" / path);
    temp_.write("root/" + path + "/cpu.max", limit + "\n");
  }
  double quota(const std::string& membership) {
    const auto file = temp_.write("membership", membership);
    return control_group_quota(file.string(), (temp_.path() / "root").string());
  }
  TempFolder temp_;
};

TEST_F(ControlGroupTest, TheLeastOfAllGroupsAroundCounts) {
  group("a/b/c", "max 100000");
  group("a/b", "250000 100000");
  group("a", "400000 100000");
  group("other", "50000 100000");
  EXPECT_EQ(quota("0::/a/b/c\n"), 2.5);
  EXPECT_EQ(quota("0::/a\n"), 4);
  EXPECT_EQ(quota("1:name=x:/\n0::/other\n"), 0.5);
  EXPECT_TRUE(std::isinf(quota("0::/\n")));
  EXPECT_TRUE(std::isinf(quota("0::/gone\n")));
  EXPECT_TRUE(std::isinf(quota("")));
}

TEST_F(ControlGroupTest, TheOlderFilesCountToo) {
  std::filesystem::create_directories(temp_.path() / "root/cpu");
  temp_.write("root/cpu/cpu.cfs_quota_us", "150000\n");
  temp_.write("root/cpu/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(quota("4:cpu:/x\n"), 1.5);
  temp_.write("root/cpu/cpu.cfs_quota_us", "-1\n");
  EXPECT_TRUE(std::isinf(quota("4:cpu:/x\n")));
}

TEST(Topology, AffinityAndOpenMpLimitTheThreads) {
  cpu_set_t before;
  ASSERT_EQ(sched_getaffinity(0, sizeof(before), &before), 0);
  int first = 0;
  while (!CPU_ISSET(first, &before)) ++first;
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(first, &one);
  ASSERT_EQ(sched_setaffinity(0, sizeof(one), &one), 0);
  const char* const set = std::getenv("OMP_NUM_THREADS");
  const std::string kept = set != nullptr ? set : "";
  unsetenv("OMP_NUM_THREADS");
  EXPECT_EQ(allowed_processors(), 1u);
  EXPECT_EQ(default_threads(), 1u);
  setenv("OMP_NUM_THREADS", "3,2", 1);
  EXPECT_EQ(default_threads(), 3u);
  set != nullptr ? setenv("OMP_NUM_THREADS", kept.c_str(), 1) : unsetenv("OMP_NUM_THREADS");
  ASSERT_EQ(sched_setaffinity(0, sizeof(before), &before), 0);
}

}  // namespace
}  // namespace tritonrt::runtime
