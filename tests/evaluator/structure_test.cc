// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random graphs of blocks, with loops in loops, loops of several entries and several ways out:
// made structured they have to do the same.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

#include "compiler/frontend/Parse.h"
#include "compiler/frontend/Passes.h"
#include "compiler/passes/PassList.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "src/replay/run_case.h"
#include "tests/evaluator/case_launch.h"
#include "tests/evaluator/evaluator.h"

namespace tritonrt::evaluator {
namespace {

/// A function of `blocks` blocks that carry (a, b, left). Each takes one off `left`, leaves the
/// function where it is used up, stores what it has seen, and goes to one of two blocks.
std::string RandomGraph(std::mt19937& random, int blocks) {
  std::ostringstream os;
  auto value = [&](int i, const char* name) { return "%" + std::string(name) + std::to_string(i); };
  auto jump = [&](int from) {
    int to = random() % blocks;
    std::string first = random() % 2 ? "n" : "b", second = random() % 2 ? "n" : "a";
    return "^bb" + std::to_string(to) + "x(" + value(from, first.c_str()) + ", " +
           value(from, second.c_str()) + ", " + value(from, "l") + " : i32, i32, i32)";
  };
  os << "module { tt.func public @k(%o: !tt.ptr<i32>, %x: i32, %y: i32, %budget: i32) {\n"
        "  %c0 = arith.constant 0 : i32\n  %c1 = arith.constant 1 : i32\n"
        "  %c3 = arith.constant 3 : i32\n"
        "  cf.br ^bb0x(%x, %y, %budget : i32, i32, i32)\n";
  for (int i = 0; i < blocks; ++i) {
    std::string a = value(i, "a"), b = value(i, "b"), n = value(i, "n"), l = value(i, "l");
    os << "^bb" << i << "x(" << a << ": i32, " << b << ": i32, " << value(i, "t") << ": i32):\n"
       << "  " << l << " = arith.subi " << value(i, "t") << ", %c1 : i32\n"
       << "  " << value(i, "s") << " = arith.cmpi sle, " << l << ", %c0 : i32\n"
       << "  cf.cond_br " << value(i, "s") << ", ^bb" << i << "end, ^bb" << i << "go\n"
       << "^bb" << i << "end:\n  tt.store %o, " << a << " : !tt.ptr<i32>\n  tt.return\n"
       << "^bb" << i << "go:\n"
       << "  " << value(i, "p") << " = tt.addptr %o, " << l << " : !tt.ptr<i32>, i32\n"
       << "  tt.store " << value(i, "p") << ", " << b << " : !tt.ptr<i32>\n"
       << "  " << value(i, "m") << " = arith.muli " << a << ", %c3 : i32\n"
       << "  " << n << " = arith.addi " << value(i, "m") << ", " << b << " : i32\n"
       << "  " << value(i, "d") << " = arith.andi " << n << ", " << (random() % 2 ? "%c1" : "%c3")
       << " : i32\n"
       << "  " << value(i, "e") << " = arith.cmpi eq, " << value(i, "d") << ", %c1 : i32\n";
    if (random() % 6 == 0)
      os << "  tt.return\n";
    else
      os << "  cf.cond_br " << value(i, "e") << ", " << jump(i) << ", " << jump(i) << "\n";
  }
  os << "} }\n";
  return os.str();
}

std::vector<int32_t> MemoryAfter(mlir::ModuleOp module, int32_t x, int32_t y) {
  std::vector<int32_t> memory(64, -7);
  Launch launch;
  launch.kernel = "k";
  launch.args = {reinterpret_cast<uint64_t>(memory.data()), static_cast<uint32_t>(x),
                 static_cast<uint32_t>(y), 40};
  EXPECT_EQ(Evaluate(module, launch), "");
  return memory;
}

TEST(Structure, RandomGraphsDoTheSame) {
  std::mt19937 random(3);
  for (int graph = 0; graph < 150; ++graph) {
    std::string text = RandomGraph(random, 1 + random() % 6), error;
    auto before = compiler::parseModule(text, "k.ttir", error);
    auto after = compiler::parseModule(text, "k.ttir", error);
    ASSERT_TRUE(before && after) << error << "\n" << text;
    compiler::PassList passes;
    compiler::addFrontendPasses(passes);
    ASSERT_TRUE(succeeded(std::move(passes).run(*after->module))) << text;
    ASSERT_TRUE(succeeded(mlir::verify(*after->module))) << text;
    for (int32_t x : {0, 1, 5, -3, 1000000007})
      for (int32_t y : {0, 2, -9})
        ASSERT_EQ(MemoryAfter(*after->module, x, y), MemoryAfter(*before->module, x, y))
            << x << ", " << y << "\n"
            << text;
  }
}

/// The same through the whole compiler, on the CPU.
TEST(Structure, CompiledGraphsDoTheSame) {
  namespace fs = std::filesystem;
  std::mt19937 random(11);
  fs::path file =
      fs::path(testing::TempDir()) / ("structure_" + std::to_string(getpid()) + ".ttir");
  for (int graph = 0; graph < 25; ++graph) {
    std::string text = RandomGraph(random, 2 + random() % 5), error;
    auto parsed = compiler::parseModule(text, "k.ttir", error);
    ASSERT_TRUE(parsed) << error << "\n" << text;
    std::ofstream(file) << text;
    replay::LaunchCase launch;
    launch.ttir = file;
    launch.entry = "k";
    replay::CaseBuffer memory;
    memory.id = "memory";
    memory.dtype = DType::kI32;
    memory.content.assign(4 * 64, '\x11');
    launch.buffers.push_back(memory);
    launch.arguments.resize(4);
    launch.arguments[0].kind = replay::CaseArgument::Kind::kPointer;
    for (size_t i = 1; i < 4; ++i) launch.arguments[i].bits = i == 3 ? 40 : random() % 100;
    CaseOutcome expected = EvaluateCase(*parsed->module, launch);
    ASSERT_EQ(expected.error, "");
    launch.buffers[0].expected = expected.buffers[0];
    replay::RunResult result = replay::run_case(launch, "cpu", {});
    ASSERT_EQ(result.status, replay::Status::kPass) << result.message << "\n" << text;
  }
  fs::remove(file);
}

}  // namespace
}  // namespace tritonrt::evaluator
