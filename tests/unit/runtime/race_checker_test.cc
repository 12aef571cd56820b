// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/cpu/race_checker.h"

#include <gtest/gtest.h>

namespace tritonrt::runtime {
namespace {

class RaceCheckerTest : public ::testing::Test {
 protected:
  static constexpr std::int32_t kRead = 1, kWrite = 2, kAtomic = 3, kRelaxed = 4, kRelease = 5,
                                kAcquire = 6;
  RaceChecker checker_{3,
                       {{},
                        {.writes = true},
                        {.writes = true, .atomic = true, .acquires = true, .releases = true},
                        {.writes = true, .atomic = true},
                        {.writes = true, .atomic = true, .releases = true},
                        {.atomic = true, .acquires = true}}};
  char memory_[16] = {};
};

TEST_F(RaceCheckerTest, OneProgramAndSharedReadsAreFine) {
  checker_.access(0, memory_, 8, kWrite);
  checker_.access(0, memory_, 8, kRead);
  checker_.meet({0, 1, 2});
  for (std::uint32_t program = 0; program < 3; ++program)
    checker_.access(program, memory_, 8, kRead);
  EXPECT_FALSE(checker_.race());
}

TEST_F(RaceCheckerTest, OverlapsInOneByteRace) {
  checker_.access(0, memory_, 4, kWrite);
  checker_.access(1, memory_ + 4, 4, kWrite);
  EXPECT_FALSE(checker_.race());
  checker_.access(1, memory_ + 3, 2, kRead);
  ASSERT_TRUE(checker_.race());
  EXPECT_EQ(*checker_.race(), std::make_pair(kWrite, kRead));
}

TEST_F(RaceCheckerTest, ABarrierOrdersItsOwnProgramsOnly) {
  checker_.access(0, memory_, 4, kWrite);
  checker_.meet({0, 1});
  checker_.access(1, memory_, 4, kRead);
  EXPECT_FALSE(checker_.race());
  checker_.access(2, memory_, 4, kRead);
  EXPECT_TRUE(checker_.race());
}

TEST_F(RaceCheckerTest, AnyOfSeveralReadersRacesWithAWrite) {
  checker_.access(0, memory_, 4, kRead);
  checker_.access(1, memory_, 4, kRead);
  checker_.meet({1, 2});
  checker_.access(2, memory_, 4, kWrite);
  ASSERT_TRUE(checker_.race());
  EXPECT_EQ(*checker_.race(), std::make_pair(kRead, kWrite));
}

TEST_F(RaceCheckerTest, AtomicsDoNotRaceAndOrderWhatWasBefore) {
  checker_.access(0, memory_ + 8, 4, kWrite);
  checker_.access(0, memory_, 4, kAtomic);
  checker_.access(1, memory_, 4, kAtomic);
  checker_.access(1, memory_ + 8, 4, kRead);
  EXPECT_FALSE(checker_.race());
  checker_.access(2, memory_, 4, kRead);
  EXPECT_TRUE(checker_.race());
}

TEST_F(RaceCheckerTest, RelaxedAtomicsOrderNothing) {
  checker_.access(0, memory_ + 8, 4, kWrite);
  checker_.access(0, memory_, 4, kRelaxed);
  checker_.access(1, memory_, 4, kRelaxed);
  EXPECT_FALSE(checker_.race());
  checker_.access(1, memory_ + 8, 4, kRead);
  ASSERT_TRUE(checker_.race());
  EXPECT_EQ(*checker_.race(), std::make_pair(kWrite, kRead));
}

TEST_F(RaceCheckerTest, ReleasesReachAcquires) {
  checker_.access(0, memory_ + 8, 4, kWrite);
  checker_.access(0, memory_, 4, kRelease);
  checker_.access(1, memory_, 4, kAcquire);
  checker_.access(1, memory_ + 8, 4, kWrite);
  EXPECT_FALSE(checker_.race());
  // An atomic that only releases has heard of nobody.
  checker_.access(2, memory_, 4, kRelease);
  checker_.access(2, memory_ + 8, 4, kRead);
  EXPECT_TRUE(checker_.race());
}

TEST_F(RaceCheckerTest, EachOfSeveralAtomicsRacesWithARead) {
  checker_.access(0, memory_, 4, kRelaxed);
  checker_.access(1, memory_, 4, kRelaxed);
  checker_.meet({1, 2});
  checker_.access(2, memory_, 4, kRead);
  ASSERT_TRUE(checker_.race());
  EXPECT_EQ(*checker_.race(), std::make_pair(kRelaxed, kRead));
}

TEST_F(RaceCheckerTest, ReadsAreHeardOfThroughOtherReads) {
  checker_.access(0, memory_, 4, kRead);
  checker_.access(1, memory_, 4, kRead);
  checker_.access(2, memory_, 4, kRead);
  checker_.meet({0, 1, 2});
  checker_.access(1, memory_, 4, kRead);
  checker_.access(2, memory_, 4, kRead);
  checker_.meet({1, 2});
  checker_.access(2, memory_, 4, kWrite);
  EXPECT_FALSE(checker_.race());
  checker_.access(0, memory_, 1, kRead);
  EXPECT_TRUE(checker_.race());
}

TEST_F(RaceCheckerTest, TheNextSetHasItsOwnMemoryAnew) {
  checker_.access(0, memory_, 4, kWrite);
  checker_.begin_set(memory_, 4);
  checker_.access(1, memory_, 4, kRead);
  EXPECT_FALSE(checker_.race());
}

TEST_F(RaceCheckerTest, SetsRaceWithEachOther) {
  checker_.access(0, memory_, 4, kWrite);
  checker_.begin_set(memory_ + 4, 4);
  checker_.meet({0, 1, 2});
  checker_.access(0, memory_, 4, kRead);
  ASSERT_TRUE(checker_.race());
  EXPECT_EQ(*checker_.race(), std::make_pair(kWrite, kRead));
}

TEST_F(RaceCheckerTest, AtomicsOrderSets) {
  checker_.access(0, memory_ + 8, 4, kWrite);
  checker_.access(0, memory_, 4, kAtomic);
  checker_.begin_set(memory_ + 12, 4);
  checker_.access(2, memory_, 4, kAtomic);
  checker_.meet({1, 2});
  checker_.access(1, memory_ + 8, 4, kWrite);
  EXPECT_FALSE(checker_.race());
}

}  // namespace
}  // namespace tritonrt::runtime
