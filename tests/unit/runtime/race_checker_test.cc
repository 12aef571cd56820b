// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/cpu/race_checker.h"

#include <gtest/gtest.h>

namespace tritonrt::runtime {
namespace {

class RaceCheckerTest : public ::testing::Test {
 protected:
  static constexpr std::int32_t kRead = 1, kWrite = 2, kAtomic = 3;
  RaceChecker checker_{
      3, {RaceChecker::Kind::kRead, RaceChecker::Kind::kWrite, RaceChecker::Kind::kAtomic}};
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

TEST_F(RaceCheckerTest, NewProgramsStartAnew) {
  checker_.access(0, memory_, 4, kWrite);
  checker_.reset();
  checker_.access(1, memory_, 4, kRead);
  EXPECT_FALSE(checker_.race());
}

}  // namespace
}  // namespace tritonrt::runtime
