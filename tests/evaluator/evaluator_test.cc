// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The evaluator against recorded launches, and the frontend's passes against the evaluator.
#include "tests/evaluator/evaluator.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "compiler/frontend/Parse.h"
#include "compiler/frontend/Passes.h"
#include "compiler/passes/PassList.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "tests/evaluator/case_launch.h"

namespace tritonrt::evaluator {
namespace {

namespace fs = std::filesystem;
using compiler::ParsedModule;

std::string ReadFile(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream content;
  content << file.rdbuf();
  return content.str();
}

std::unique_ptr<ParsedModule> Parse(const std::string& text) {
  std::string error;
  auto parsed = compiler::parseModule(text, "k.ttir", error);
  EXPECT_TRUE(parsed) << error;
  return parsed;
}

bool RunFrontend(ParsedModule& parsed) {
  compiler::PassList passes;
  compiler::addFrontendPasses(passes);
  return succeeded(std::move(passes).run(*parsed.module)) &&
         succeeded(mlir::verify(*parsed.module));
}

/// Launches of the corpus that the evaluator judges: small enough to interpret.
std::vector<fs::path> SmallCases() {
  std::vector<fs::path> cases;
  if (!fs::exists(fs::path(TRITONRT_CORPUS) / "cases")) return cases;
  for (const auto& entry : fs::directory_iterator(fs::path(TRITONRT_CORPUS) / "cases"))
    if (entry.path().filename().string().starts_with("own") &&
        entry.path().filename().string().find("__t") == std::string::npos)
      cases.push_back(entry.path());
  std::sort(cases.begin(), cases.end());
  return cases;
}

TEST(Evaluator, AgreesWithRecordedLaunchesBeforeAndAfterTheFrontend) {
  std::vector<fs::path> cases = SmallCases();
  if (cases.empty()) GTEST_SKIP() << "no corpus at " << TRITONRT_CORPUS;
  int ran = 0;
  for (const fs::path& folder : cases) {
    replay::LaunchCase launch = replay::read_launch_case(folder);
    if (launch.must_refuse || launch.expect_error || launch.race) continue;
    auto parsed = Parse(ReadFile(launch.ttir));
    ASSERT_TRUE(parsed) << folder;
    CaseOutcome plain = EvaluateCase(*parsed->module, launch);
    // Not all ops are modelled; what is must be right.
    if (plain.error.find("not known to the evaluator") != std::string::npos ||
        plain.error.find("does not end") != std::string::npos)
      continue;
    ++ran;
    EXPECT_EQ(plain.error, "") << folder;
    EXPECT_EQ(Difference(launch, plain), "") << folder;
    ASSERT_TRUE(RunFrontend(*parsed)) << folder;
    CaseOutcome structured = EvaluateCase(*parsed->module, launch);
    EXPECT_EQ(structured.error, "") << folder;
    // Addresses differ from run to run.
    for (size_t b = 0; b < launch.buffers.size(); ++b)
      if (launch.buffers[b].pointer_table.empty())
        EXPECT_EQ(structured.buffers[b], plain.buffers[b]) << folder;
  }
  EXPECT_GT(ran, 150);
}

//===----------------------------------------------------------------------===//
// Counted loops, for every kind of start and bound
//===----------------------------------------------------------------------===//

struct Loop {
  const char *type, *compare, *update;
  int64_t step;
};
// Names tests by what they test.
void PrintTo(const Loop& loop, std::ostream* os) {
  *os << loop.update << " " << loop.step << " while " << loop.compare << " " << loop.type;
}

std::string LoopText(const Loop& loop) {
  std::string t = loop.type;
  return "module { tt.func public @k(%trips: !tt.ptr<i64>, %last: !tt.ptr<" + t + ">, %a: " + t +
         ", %b: " + t + ") {\n  %step = arith.constant " + std::to_string(loop.step) + " : " + t +
         "\n  %zero = arith.constant 0 : i64\n  %one = arith.constant 1 : i64\n"
         "  %r:3 = scf.while (%i = %a, %n = %zero, %sum = %a) : (" +
         t + ", i64, " + t + ") -> (" + t + ", i64, " + t + ") {\n    %c = arith.cmpi " +
         loop.compare + " : " + t + "\n    scf.condition(%c) %i, %n, %sum : " + t + ", i64, " + t +
         "\n  } do {\n  ^bb0(%i: " + t + ", %n: i64, %sum: " + t +
         "):\n"
         "    %m = arith.addi %n, %one : i64\n    %s = arith.addi %sum, %i : " +
         t + "\n    %j = arith." + loop.update + " %i, %step : " + t +
         "\n    scf.yield %j, %m, %s : " + t + ", i64, " + t +
         "\n  }\n  tt.store %trips, %r#1 : !tt.ptr<i64>\n"
         "  %x = arith.xori %r#0, %r#2 : " +
         t + "\n  tt.store %last, %x : !tt.ptr<" + t + ">\n  tt.return\n} }\n";
}

/// What the loop leaves behind for this start and bound; "endless" if it does not end.
std::string Behaviour(mlir::ModuleOp module, int64_t start, int64_t bound) {
  int64_t trips = -1, last = 0;
  Launch launch;
  launch.kernel = "k";
  launch.args = {reinterpret_cast<uint64_t>(&trips), reinterpret_cast<uint64_t>(&last),
                 static_cast<uint64_t>(start), static_cast<uint64_t>(bound)};
  launch.max_steps = 5'000;
  std::string error = Evaluate(module, launch);
  if (!error.empty()) return error.find("does not end") != std::string::npos ? "endless" : error;
  return std::to_string(trips) + " trips, " + std::to_string(last);
}

class CountedLoops : public testing::TestWithParam<Loop> {};

TEST_P(CountedLoops, DoTheSameForEveryStartAndBound) {
  auto before = Parse(LoopText(GetParam())), after = Parse(LoopText(GetParam()));
  ASSERT_TRUE(before && after);
  ASSERT_TRUE(RunFrontend(*after));
  unsigned width = GetParam().type[1] == '8' ? 8 : std::stoi(GetParam().type + 1);
  int64_t least = width == 64 ? INT64_MIN : -(int64_t{1} << (width - 1)), greatest = -(least + 1);
  std::vector<int64_t> points = {0, 1, -1, 5, 32, 100, -7};
  for (int64_t near : {0, 1, 6, 31}) {
    points.push_back(least + near);
    points.push_back(greatest - near);
  }
  for (int64_t start : points)
    for (int64_t bound : points) {
      std::string expected = Behaviour(*before->module, start, bound);
      // Includes the loops that do end, but after too many trips to follow.
      if (expected != "endless")
        EXPECT_EQ(Behaviour(*after->module, start, bound), expected) << start << ", " << bound;
    }
}

INSTANTIATE_TEST_SUITE_P(
    Kinds, CountedLoops,
    testing::Values(Loop{"i32", "slt, %i, %b", "addi", 1}, Loop{"i32", "slt, %i, %b", "addi", 32},
                    Loop{"i32", "slt, %i, %b", "addi", 7}, Loop{"i32", "sgt, %b, %i", "addi", 8},
                    Loop{"i32", "sle, %i, %b", "addi", 1}, Loop{"i32", "sgt, %i, %b", "subi", 1},
                    Loop{"i32", "sgt, %i, %b", "subi", 32}, Loop{"i32", "sge, %i, %b", "subi", 1},
                    Loop{"i32", "sgt, %i, %b", "addi", -1}, Loop{"i32", "ne, %i, %b", "addi", 1},
                    Loop{"i32", "ne, %i, %b", "subi", 1}, Loop{"i32", "ne, %i, %b", "addi", 2},
                    Loop{"i32", "ult, %i, %b", "addi", 1}, Loop{"i8", "slt, %i, %b", "addi", 4},
                    Loop{"i8", "slt, %i, %b", "addi", 3}, Loop{"i8", "slt, %i, %b", "addi", 100},
                    Loop{"i8", "sgt, %i, %b", "subi", 5}, Loop{"i8", "slt, %i, %b", "subi", -128},
                    Loop{"i8", "sgt, %i, %b", "addi", -128}, Loop{"i16", "ne, %i, %b", "addi", -1},
                    Loop{"i64", "slt, %i, %b", "addi", 32}, Loop{"i64", "sgt, %i, %b", "subi", 1},
                    Loop{"i64", "ne, %i, %b", "addi", 1}),
    [](const auto& info) { return "n" + std::to_string(info.index); });

/// Bounds that are constants allow more.
TEST(CountedLoops, ConstantBoundsCountDown) {
  for (int64_t bound : {0, 1, 5, -1, -120, -128, 127})
    for (int64_t step : {1, 3, 32, 100}) {
      Loop loop{"i8", "sgt, %i, %k", "subi", step};
      std::string text = LoopText(loop);
      text.insert(text.find("  %zero"),
                  "  %k = arith.constant " + std::to_string(bound) + " : i8\n");
      auto before = Parse(text), after = Parse(text);
      ASSERT_TRUE(before && after);
      ASSERT_TRUE(RunFrontend(*after));
      bool counted = true;
      after->module->walk([&](mlir::scf::WhileOp) { counted = false; });
      EXPECT_EQ(counted, step == 1 || bound >= -128 + step - 1) << bound << ", " << step;
      for (int64_t start = -128; start < 128; ++start)
        EXPECT_EQ(Behaviour(*after->module, start, 0), Behaviour(*before->module, start, 0))
            << start << " down to " << bound << " by " << step;
    }
}

}  // namespace
}  // namespace tritonrt::evaluator
