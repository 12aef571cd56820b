// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Order of memory accesses: compiled kernels whose arguments share memory against the evaluator,
// which runs op after op on whole tensors. All arguments lie in one buffer at random places, so
// loads and stores overlap in every way. One program a launch: between programs there is no order.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>

#include "compiler/frontend/Parse.h"
#include "src/replay/run_case.h"
#include "tests/evaluator/case_launch.h"

namespace tritonrt::evaluator {
namespace {

namespace fs = std::filesystem;

struct Kernel {
  const char* name;
  /// The function's body. %x, %y, %o point to i32 in one buffer, %n and %k are small numbers; %i is
  /// 0..63, %px %py %po the pointers moved by it, %m says i < n.
  const char* body;
};
// Names tests by what they test.
void PrintTo(const Kernel& kernel, std::ostream* os) { *os << kernel.name; }

constexpr Kernel kKernels[] = {
    {"ShiftedCopy", R"(
    %a = tt.load %px : tensor<64x!tt.ptr<i32>>
    %q = tt.addptr %px, %ks : tensor<64x!tt.ptr<i32>>, tensor<64xi32>
    tt.store %q, %a, %m : tensor<64x!tt.ptr<i32>>)"},
    {"InPlaceFlip", R"(
    %a = tt.load %px : tensor<64x!tt.ptr<i32>>
    %c63 = arith.constant dense<63> : tensor<64xi32>
    %r = arith.subi %c63, %i : tensor<64xi32>
    %sx = tt.splat %x : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>
    %q = tt.addptr %sx, %r : tensor<64x!tt.ptr<i32>>, tensor<64xi32>
    tt.store %q, %a : tensor<64x!tt.ptr<i32>>)"},
    {"InPlaceTranspose", R"(
    %j = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %c16 = arith.constant dense<16> : tensor<16x1xi32>
    %row = tt.expand_dims %j {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
    %col = tt.expand_dims %j {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
    %far = arith.muli %row, %c16 : tensor<16x1xi32>
    %b0 = tt.broadcast %far : tensor<16x1xi32> -> tensor<16x16xi32>
    %b1 = tt.broadcast %col : tensor<1x16xi32> -> tensor<16x16xi32>
    %f = arith.addi %b0, %b1 : tensor<16x16xi32>
    %t = tt.trans %f {order = array<i32: 1, 0>} : tensor<16x16xi32> -> tensor<16x16xi32>
    %sx = tt.splat %x : !tt.ptr<i32> -> tensor<16x16x!tt.ptr<i32>>
    %q = tt.addptr %sx, %f : tensor<16x16x!tt.ptr<i32>>, tensor<16x16xi32>
    %p = tt.addptr %sx, %t : tensor<16x16x!tt.ptr<i32>>, tensor<16x16xi32>
    %a = tt.load %q : tensor<16x16x!tt.ptr<i32>>
    tt.store %p, %a : tensor<16x16x!tt.ptr<i32>>)"},
    {"SumOfTwoArguments", R"(
    %a = tt.load %px, %m : tensor<64x!tt.ptr<i32>>
    %b = tt.load %py : tensor<64x!tt.ptr<i32>>
    %c = arith.addi %a, %b : tensor<64xi32>
    tt.store %po, %c, %m : tensor<64x!tt.ptr<i32>>)"},
    {"Swap", R"(
    %a = tt.load %px : tensor<64x!tt.ptr<i32>>
    %b = tt.load %py : tensor<64x!tt.ptr<i32>>
    tt.store %px, %b : tensor<64x!tt.ptr<i32>>
    tt.store %py, %a, %m : tensor<64x!tt.ptr<i32>>)"},
    {"LoadAtomicLoad", R"(
    %a = tt.load %px : tensor<64x!tt.ptr<i32>>
    %old = tt.atomic_rmw add, acq_rel, gpu, %py, %i, %m : (tensor<64x!tt.ptr<i32>>, tensor<64xi32>, tensor<64xi1>) -> tensor<64xi32>
    %b = tt.load %px : tensor<64x!tt.ptr<i32>>
    %c = arith.muli %a, %ks : tensor<64xi32>
    %d = arith.addi %b, %c : tensor<64xi32>
    tt.store %po, %d : tensor<64x!tt.ptr<i32>>)"},
    {"RelaxedAtomicBetweenLoads", R"(
    %a = tt.load %px : tensor<64x!tt.ptr<i32>>
    %old = tt.atomic_rmw max, relaxed, gpu, %py, %ks, %m : (tensor<64x!tt.ptr<i32>>, tensor<64xi32>, tensor<64xi1>) -> tensor<64xi32>
    %b = tt.load %px : tensor<64x!tt.ptr<i32>>
    %d = arith.xori %a, %b : tensor<64xi32>
    tt.store %po, %d : tensor<64x!tt.ptr<i32>>)"},
    {"StoreBehindBranch", R"(
    %a = tt.load %px : tensor<64x!tt.ptr<i32>>
    %c = arith.cmpi sgt, %n, %k : i32
    scf.if %c {
      tt.store %py, %i : tensor<64x!tt.ptr<i32>>
    } else {
      tt.store %po, %i, %m : tensor<64x!tt.ptr<i32>>
    }
    %b = tt.load %px : tensor<64x!tt.ptr<i32>>
    %d = arith.subi %a, %b : tensor<64xi32>
    tt.store %po, %d : tensor<64x!tt.ptr<i32>>)"},
    {"LoadMovesOverNoStore", R"(
    tt.store %py, %i, %m : tensor<64x!tt.ptr<i32>>
    %a = tt.load %px : tensor<64x!tt.ptr<i32>>
    tt.store %po, %a : tensor<64x!tt.ptr<i32>>
    %b = tt.load %py, %m, %ks : tensor<64x!tt.ptr<i32>>
    tt.store %px, %b : tensor<64x!tt.ptr<i32>>)"},
    {"LastStoreWins", R"(
    tt.store %px, %i : tensor<64x!tt.ptr<i32>>
    tt.store %py, %ks, %m : tensor<64x!tt.ptr<i32>>
    tt.store %po, %i : tensor<64x!tt.ptr<i32>>)"},
    {"TwoElementsOnePlace", R"(
    %c2 = arith.constant dense<2> : tensor<64xi32>
    %half = arith.divsi %i, %c2 : tensor<64xi32>
    %sx = tt.splat %x : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>
    %q = tt.addptr %sx, %half : tensor<64x!tt.ptr<i32>>, tensor<64xi32>
    %a = tt.load %q : tensor<64x!tt.ptr<i32>>
    %b = arith.addi %a, %ks : tensor<64xi32>
    tt.store %q, %b : tensor<64x!tt.ptr<i32>>)"},
    {"ShiftedStoreInLoop", R"(
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %one = arith.constant dense<1> : tensor<64xi32>
    %r = scf.for %t = %c0 to %n step %c1 iter_args(%p = %px) -> (tensor<64x!tt.ptr<i32>>)  : i32 {
      %a = tt.load %p : tensor<64x!tt.ptr<i32>>
      %b = arith.addi %a, %one : tensor<64xi32>
      %q = tt.addptr %p, %ks : tensor<64x!tt.ptr<i32>>, tensor<64xi32>
      tt.store %q, %b : tensor<64x!tt.ptr<i32>>
      %next = tt.addptr %p, %one : tensor<64x!tt.ptr<i32>>, tensor<64xi32>
      scf.yield %next : tensor<64x!tt.ptr<i32>>
    })"},
    {"AccumulateWhileStoring", R"(
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %step = arith.constant dense<8> : tensor<64xi32>
    %zero = arith.constant dense<0> : tensor<64xi32>
    %r:2 = scf.for %t = %c0 to %k step %c1 iter_args(%p = %px, %acc = %zero) -> (tensor<64x!tt.ptr<i32>>, tensor<64xi32>)  : i32 {
      %a = tt.load %p : tensor<64x!tt.ptr<i32>>
      %sum = arith.addi %acc, %a : tensor<64xi32>
      tt.store %py, %sum, %m : tensor<64x!tt.ptr<i32>>
      %next = tt.addptr %p, %step : tensor<64x!tt.ptr<i32>>, tensor<64xi32>
      scf.yield %next, %sum : tensor<64x!tt.ptr<i32>>, tensor<64xi32>
    }
    tt.store %po, %r#1 : tensor<64x!tt.ptr<i32>>)"},
    {"ReduceStoreReduce", R"(
    %a = tt.load %px : tensor<64x!tt.ptr<i32>>
    %s = "tt.reduce"(%a) <{axis = 0 : i32}> ({
    ^bb0(%u: i32, %v: i32):
      %w = arith.addi %u, %v : i32
      tt.reduce.return %w : i32
    }) : (tensor<64xi32>) -> i32
    %ss = tt.splat %s : i32 -> tensor<64xi32>
    %d = arith.subi %a, %ss : tensor<64xi32>
    tt.store %py, %d, %m : tensor<64x!tt.ptr<i32>>
    %b = tt.load %px : tensor<64x!tt.ptr<i32>>
    %g = "tt.reduce"(%b) <{axis = 0 : i32}> ({
    ^bb0(%u: i32, %v: i32):
      %w = arith.maxsi %u, %v : i32
      tt.reduce.return %w : i32
    }) : (tensor<64xi32>) -> i32
    tt.store %o, %g : !tt.ptr<i32>)"},
    {"ScanInPlace", R"(
    %a = tt.load %px, %m : tensor<64x!tt.ptr<i32>>
    %s = "tt.scan"(%a) <{axis = 0 : i32, reverse = false}> ({
    ^bb0(%u: i32, %v: i32):
      %w = arith.addi %u, %v : i32
      tt.scan.return %w : i32
    }) : (tensor<64xi32>) -> tensor<64xi32>
    tt.store %py, %s : tensor<64x!tt.ptr<i32>>
    %b = tt.load %px : tensor<64x!tt.ptr<i32>>
    tt.store %po, %b, %m : tensor<64x!tt.ptr<i32>>)"},
    {"GatherAfterStore", R"(
    %c63 = arith.constant dense<63> : tensor<64xi32>
    tt.store %py, %i : tensor<64x!tt.ptr<i32>>
    %a = tt.load %px : tensor<64x!tt.ptr<i32>>
    %w = arith.andi %a, %c63 : tensor<64xi32>
    %sx = tt.splat %x : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>
    %q = tt.addptr %sx, %w : tensor<64x!tt.ptr<i32>>, tensor<64xi32>
    %b = tt.load %q, %m : tensor<64x!tt.ptr<i32>>
    tt.store %po, %b : tensor<64x!tt.ptr<i32>>)"},
    {"ScalarBetweenTiles", R"(
    %a = tt.load %x : !tt.ptr<i32>
    tt.store %py, %i, %m : tensor<64x!tt.ptr<i32>>
    %b = tt.load %x : !tt.ptr<i32>
    %c = arith.subi %a, %b : i32
    tt.store %o, %c : !tt.ptr<i32>
    %d = tt.load %py : tensor<64x!tt.ptr<i32>>
    tt.store %px, %d : tensor<64x!tt.ptr<i32>>)"},
    {"NarrowStoreUnderWideLoad", R"(
    %s8 = tt.bitcast %y : !tt.ptr<i32> -> !tt.ptr<i8>
    %t8 = tt.splat %s8 : !tt.ptr<i8> -> tensor<64x!tt.ptr<i8>>
    %q8 = tt.addptr %t8, %i : tensor<64x!tt.ptr<i8>>, tensor<64xi32>
    %a = tt.load %px : tensor<64x!tt.ptr<i32>>
    %b = arith.trunci %a : tensor<64xi32> to tensor<64xi8>
    tt.store %q8, %b, %m : tensor<64x!tt.ptr<i8>>
    %c = tt.load %px : tensor<64x!tt.ptr<i32>>
    tt.store %po, %c : tensor<64x!tt.ptr<i32>>)"},
    // Large carried tiles, which are worked on in strips where strips cannot meet in memory.
    {"LargeTileStepsBySmallOnes", R"(
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %j = tt.make_range {end = 2048 : i32, start = 0 : i32} : tensor<2048xi32>
    %three = arith.constant dense<3> : tensor<2048xi32>
    %eight = arith.constant dense<8> : tensor<2048xi32>
    %sx = tt.splat %x : !tt.ptr<i32> -> tensor<2048x!tt.ptr<i32>>
    %q = tt.addptr %sx, %j : tensor<2048x!tt.ptr<i32>>, tensor<2048xi32>
    %r:2 = scf.for %t = %c0 to %k step %c1 iter_args(%p = %q, %acc = %j) -> (tensor<2048x!tt.ptr<i32>>, tensor<2048xi32>)  : i32 {
      %a = tt.load %p : tensor<2048x!tt.ptr<i32>>
      %b = arith.muli %acc, %three : tensor<2048xi32>
      %c = arith.addi %a, %b : tensor<2048xi32>
      tt.store %p, %c : tensor<2048x!tt.ptr<i32>>
      %next = tt.addptr %p, %eight : tensor<2048x!tt.ptr<i32>>, tensor<2048xi32>
      scf.yield %next, %c : tensor<2048x!tt.ptr<i32>>, tensor<2048xi32>
    })"},
    {"LargeTileStoredBehindItsLoop", R"(
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %j = tt.make_range {end = 2048 : i32, start = 0 : i32} : tensor<2048xi32>
    %sx = tt.splat %x : !tt.ptr<i32> -> tensor<2048x!tt.ptr<i32>>
    %q = tt.addptr %sx, %j : tensor<2048x!tt.ptr<i32>>, tensor<2048xi32>
    %so = tt.splat %o : !tt.ptr<i32> -> tensor<2048x!tt.ptr<i32>>
    %w = tt.addptr %so, %j : tensor<2048x!tt.ptr<i32>>, tensor<2048xi32>
    %r = scf.for %t = %c0 to %k step %c1 iter_args(%acc = %j) -> (tensor<2048xi32>)  : i32 {
      %ts = tt.splat %t : i32 -> tensor<2048xi32>
      %p = tt.addptr %q, %ts : tensor<2048x!tt.ptr<i32>>, tensor<2048xi32>
      %a = tt.load %p : tensor<2048x!tt.ptr<i32>>
      %c = arith.addi %a, %acc : tensor<2048xi32>
      scf.yield %c : tensor<2048xi32>
    }
    tt.store %w, %r : tensor<2048x!tt.ptr<i32>>)"},
    {"ProductOverItsOperands", R"(
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0> : tensor<32x32xi32>
    %c32b = arith.constant dense<32> : tensor<32x32xi32>
    %j = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %c32 = arith.constant dense<32> : tensor<32x1xi32>
    %row = tt.expand_dims %j {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
    %col = tt.expand_dims %j {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
    %far = arith.muli %row, %c32 : tensor<32x1xi32>
    %b0 = tt.broadcast %far : tensor<32x1xi32> -> tensor<32x32xi32>
    %b1 = tt.broadcast %col : tensor<1x32xi32> -> tensor<32x32xi32>
    %f = arith.addi %b0, %b1 : tensor<32x32xi32>
    %x8 = tt.bitcast %x : !tt.ptr<i32> -> !tt.ptr<i8>
    %y8 = tt.bitcast %y : !tt.ptr<i32> -> !tt.ptr<i8>
    %sx = tt.splat %x8 : !tt.ptr<i8> -> tensor<32x32x!tt.ptr<i8>>
    %sy = tt.splat %y8 : !tt.ptr<i8> -> tensor<32x32x!tt.ptr<i8>>
    %so = tt.splat %o : !tt.ptr<i32> -> tensor<32x32x!tt.ptr<i32>>
    %w = tt.addptr %so, %f : tensor<32x32x!tt.ptr<i32>>, tensor<32x32xi32>
    %r = scf.for %t = %c0 to %k step %c1 iter_args(%acc = %zero) -> (tensor<32x32xi32>)  : i32 {
      %ts = tt.splat %t : i32 -> tensor<32x32xi32>
      %g = arith.addi %f, %ts : tensor<32x32xi32>
      %p = tt.addptr %sx, %g : tensor<32x32x!tt.ptr<i8>>, tensor<32x32xi32>
      %q = tt.addptr %sy, %g : tensor<32x32x!tt.ptr<i8>>, tensor<32x32xi32>
      %a = tt.load %p : tensor<32x32x!tt.ptr<i8>>
      %b = tt.load %q : tensor<32x32x!tt.ptr<i8>>
      %d = tt.dot %a, %b, %acc : tensor<32x32xi8> * tensor<32x32xi8> -> tensor<32x32xi32>
      tt.store %w, %d : tensor<32x32x!tt.ptr<i32>>
      scf.yield %d : tensor<32x32xi32>
    }
    %half = arith.divsi %r, %c32b : tensor<32x32xi32>
    tt.store %w, %half : tensor<32x32x!tt.ptr<i32>>)"},
};

std::string Text(const std::string& body) {
  return std::string(R"(module {
  tt.func public @k(%x: !tt.ptr<i32>, %y: !tt.ptr<i32>, %o: !tt.ptr<i32>, %n: i32, %k: i32) {
    %i = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %ns = tt.splat %n : i32 -> tensor<64xi32>
    %ks = tt.splat %k : i32 -> tensor<64xi32>
    %m = arith.cmpi slt, %i, %ns : tensor<64xi32>
    %x0 = tt.splat %x : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>
    %px = tt.addptr %x0, %i : tensor<64x!tt.ptr<i32>>, tensor<64xi32>
    %y0 = tt.splat %y : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>
    %py = tt.addptr %y0, %i : tensor<64x!tt.ptr<i32>>, tensor<64xi32>
    %o0 = tt.splat %o : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>
    %po = tt.addptr %o0, %i : tensor<64x!tt.ptr<i32>>, tensor<64xi32>)") +
         body + "\n    tt.return\n  }\n}\n";
}

struct Target {
  const char *name, *device;
  Mapping mapping;
  int launches;  // of each kernel above
  int kernels;   // random ones
};
void PrintTo(const Target& target, std::ostream* os) { *os << target.name; }

constexpr Target kTargets[] = {{"Cpu", "cpu", Mapping::kDefault, 40, 100},
                               {"OpenClVector", "opencl", Mapping::kVector, 8, 8},
                               {"OpenClSimt", "opencl", Mapping::kSimt, 8, 8}};

/// A launch of @k in `file` with arguments at places that `random` gives.
replay::LaunchCase MakeLaunch(const fs::path& file, std::mt19937& random) {
  replay::LaunchCase launch;
  launch.ttir = file;
  launch.entry = "k";
  replay::CaseBuffer buffer;
  buffer.id = "memory";
  buffer.dtype = DType::kI32;
  buffer.content.resize(4 * 4096);
  for (size_t at = 0; at < buffer.content.size(); at += 4) {
    int32_t value = static_cast<int32_t>(random() % 2001) - 1000;
    std::memcpy(&buffer.content[at], &value, 4);
  }
  launch.buffers.push_back(buffer);
  for (const char* name : {"x", "y", "o"}) {
    replay::CaseArgument pointer;
    pointer.kind = replay::CaseArgument::Kind::kPointer;
    pointer.name = name;
    // Near each other, sometimes the same.
    pointer.address = {0, 4 * (256 + random() % 24 * (random() % 3))};
    launch.arguments.push_back(pointer);
  }
  for (uint64_t value : {random() % 80, random() % 9}) {
    replay::CaseArgument scalar;
    scalar.dtype = DType::kI32;
    scalar.bits = value;
    launch.arguments.push_back(scalar);
  }
  return launch;
}

class Order : public testing::TestWithParam<std::tuple<Target, Kernel>> {
 protected:
  void SetUp() override {
    file_ = fs::path(testing::TempDir()) / ("order_" + std::to_string(getpid()) + ".ttir");
    std::ofstream(file_) << Text(kernel_.body);
  }
  void TearDown() override { fs::remove(file_); }

  Target target_ = std::get<0>(GetParam());
  Kernel kernel_ = std::get<1>(GetParam());
  fs::path file_;
};

std::string Places(const replay::LaunchCase& launch) {
  std::string text;
  for (const replay::CaseArgument& argument : launch.arguments)
    text += " " + argument.name + "=" +
            std::to_string(argument.kind == replay::CaseArgument::Kind::kPointer
                               ? argument.address.offset_bytes / 4
                               : argument.bits);
  return text;
}

TEST_P(Order, OfAccessesIsTheProgramsOwn) {
  std::string error;
  auto parsed = compiler::parseModule(Text(kernel_.body), "k.ttir", error);
  ASSERT_TRUE(parsed) << error;
  std::mt19937 random(1);
  for (int i = 0; i < target_.launches; ++i) {
    replay::LaunchCase launch = MakeLaunch(file_, random);
    CaseOutcome expected = EvaluateCase(*parsed->module, launch);
    ASSERT_EQ(expected.error, "");
    launch.buffers[0].expected = expected.buffers[0];
    replay::RunOptions options;
    options.mapping = target_.mapping;
    replay::RunResult result = replay::run_case(launch, target_.device, options);
    if (result.mapping.empty() && std::string(target_.device) != "cpu")
      GTEST_SKIP() << "no OpenCL device: " << result.message;
    EXPECT_EQ(result.status, replay::Status::kPass) << result.message << Places(launch);
    if (result.status != replay::Status::kPass) break;
  }
}

INSTANTIATE_TEST_SUITE_P(Kernels, Order,
                         testing::Combine(testing::ValuesIn(kTargets), testing::ValuesIn(kKernels)),
                         [](const auto& info) {
                           return std::string(std::get<0>(info.param).name) +
                                  std::get<1>(info.param).name;
                         });

/// Kernels of random accesses: loads, stores and atomics at several index patterns, under masks,
/// branches and loops, with arithmetic, reductions and scans between.
class Generator {
 public:
  explicit Generator(std::mt19937& random) : random_(random) {}

  std::string Run() {
    // Index patterns that give every lane a place of its own.
    Line("%c63 = arith.constant dense<63> : tensor<64xi32>");
    Line("%c5 = arith.constant dense<5> : tensor<64xi32>");
    Line("%c2 = arith.constant dense<2> : tensor<64xi32>");
    Line("%c0 = arith.constant 0 : i32");
    Line("%c1 = arith.constant 1 : i32");
    Line("%c3 = arith.constant 3 : i32");
    Line("%ones = arith.constant dense<1> : tensor<64xi32>");
    Line("%flip = arith.subi %c63, %i : tensor<64xi32>");
    Line("%swap = arith.xori %i, %c5 : tensor<64xi32>");
    Line("%even = arith.muli %i, %c2 : tensor<64xi32>");
    Line("%next = arith.addi %i, %ones : tensor<64xi32>");
    Line("%far = arith.addi %i, %ks : tensor<64xi32>");
    Line("%half = arith.divsi %i, %c2 : tensor<64xi32>");
    tiles_ = {"%i", "%ks"};
    Steps(4 + random_() % 6, 0);
    return text_;
  }

 private:
  static constexpr const char* kTile = "tensor<64xi32>";

  void Line(const std::string& line) { text_ += "    " + line + "\n"; }
  std::string Fresh() { return "%t" + std::to_string(count_++); }
  std::string Tile() { return tiles_[random_() % tiles_.size()]; }
  std::string OneOf(std::initializer_list<const char*> words) {
    return words.begin()[random_() % words.size()];
  }

  std::string Pointers(bool injective) {
    std::string root = OneOf({"%x", "%y", "%o"});
    std::string index = OneOf({"%i", "%i", "%flip", "%swap", "%even", "%next", "%far", "%half"});
    if (injective && index == "%half") index = "%next";
    std::string wide = Fresh(), at = Fresh();
    Line(wide + " = tt.splat " + root + " : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>");
    Line(at + " = tt.addptr " + wide + ", " + index + " : tensor<64x!tt.ptr<i32>>, tensor<64xi32>");
    return at;
  }

  void Load() {
    std::string at = Pointers(false), result = Fresh();
    std::string rest = OneOf({"", ", %m", ", %m, %ks"});
    Line(result + " = tt.load " + at + rest + " : tensor<64x!tt.ptr<i32>>");
    tiles_.push_back(result);
  }
  void Store() {
    std::string at = Pointers(true);
    Line("tt.store " + at + ", " + Tile() + OneOf({"", ", %m"}) + " : tensor<64x!tt.ptr<i32>>");
  }
  void Atomic() {
    std::string at = Pointers(true), result = Fresh();
    Line(result + " = tt.atomic_rmw " + OneOf({"add", "max", "xor"}) + ", " +
         OneOf({"relaxed", "acq_rel"}) + ", gpu, " + at + ", " + Tile() +
         ", %m : (tensor<64x!tt.ptr<i32>>, tensor<64xi32>, tensor<64xi1>) -> tensor<64xi32>");
    // What masked lanes give is nobody's business.
    std::string kept = Fresh();
    Line(kept + " = arith.select %m, " + result + ", %i : tensor<64xi1>, tensor<64xi32>");
    if (random_() % 2) tiles_.push_back(kept);
  }
  void Arithmetic() {
    std::string result = Fresh();
    Line(result + " = arith." + OneOf({"addi", "subi", "xori", "maxsi"}) + " " + Tile() + ", " +
         Tile() + " : tensor<64xi32>");
    tiles_.push_back(result);
  }
  void Combine(const std::string& op, const std::string& attributes, const std::string& type) {
    std::string result = Fresh();
    Line(result + " = \"tt." + op + "\"(" + Tile() + ") <{" + attributes + "}> ({");
    Line("^bb0(%u: i32, %v: i32):");
    Line("  %w = arith." + OneOf({"addi", "maxsi", "minui"}) + " %u, %v : i32");
    Line("  tt." + op + ".return %w : i32");
    Line("}) : (tensor<64xi32>) -> " + type);
    if (type == kTile) return tiles_.push_back(result);
    std::string wide = Fresh();
    Line(wide + " = tt.splat " + result + " : i32 -> tensor<64xi32>");
    tiles_.push_back(wide);
  }
  void Scalar() {
    std::string root = OneOf({"%x", "%y", "%o"}), result = Fresh(), wide = Fresh();
    Line(result + " = tt.load " + root + " : !tt.ptr<i32>");
    Line(wide + " = tt.splat " + result + " : i32 -> tensor<64xi32>");
    if (random_() % 2) Line("tt.store " + OneOf({"%x", "%y", "%o"}) + ", %n : !tt.ptr<i32>");
    tiles_.push_back(wide);
  }
  void Branch(int depth) {
    std::string condition = Fresh();
    size_t outside = tiles_.size();
    Line(condition + " = arith.cmpi sgt, %n, %k : i32");
    Line("scf.if " + condition + " {");
    Steps(1 + random_() % 3, depth + 1);
    tiles_.resize(outside);
    Line("} else {");
    Steps(random_() % 3, depth + 1);
    tiles_.resize(outside);
    Line("}");
  }
  void Loop(int depth) {
    std::string result = Fresh(), index = Fresh(), carried = Fresh(), step = Fresh();
    std::string start = Tile();
    size_t outside = tiles_.size();
    Line(result + " = scf.for " + index + " = %c0 to " + OneOf({"%c3", "%k"}) +
         " step %c1 iter_args(" + carried + " = " + start + ") -> (tensor<64xi32>)  : i32 {");
    Line(step + " = tt.splat " + index + " : i32 -> tensor<64xi32>");
    tiles_.push_back(carried);
    tiles_.push_back(step);
    Steps(1 + random_() % 4, depth + 1);
    Line("scf.yield " + Tile() + " : tensor<64xi32>");
    Line("}");
    tiles_.resize(outside);
    tiles_.push_back(result);
  }

  void Steps(int count, int depth) {
    for (int i = 0; i < count; ++i) switch (random_() % (depth < 2 ? 12 : 10)) {
        case 0:
        case 1:
        case 2:
          Load();
          break;
        case 3:
        case 4:
        case 5:
          Store();
          break;
        case 6:
          Atomic();
          break;
        case 7:
          Arithmetic();
          break;
        case 8:
          if (random_() % 2)
            Combine("reduce", "axis = 0 : i32", "i32");
          else
            Combine("scan", "axis = 0 : i32, reverse = false", kTile);
          break;
        case 9:
          Scalar();
          break;
        case 10:
          Branch(depth);
          break;
        case 11:
          Loop(depth);
          break;
      }
  }

  std::mt19937& random_;
  std::string text_;
  std::vector<std::string> tiles_;
  int count_ = 0;
};

class RandomKernels : public testing::TestWithParam<Target> {};

TEST_P(RandomKernels, DoWhatTheirTextSays) {
  Target target = GetParam();
  fs::path file =
      fs::path(testing::TempDir()) / ("order_random_" + std::to_string(getpid()) + ".ttir");
  // A longer search: the number of kernels.
  const char* more = std::getenv("TRITONRT_ORDER_KERNELS");
  const int kernels = more ? std::atoi(more) : target.kernels;
  for (int seed = 0; seed < kernels; ++seed) {
    std::mt19937 random(seed);
    std::string text = Text(Generator(random).Run()), error;
    auto parsed = compiler::parseModule(text, "k.ttir", error);
    ASSERT_TRUE(parsed) << error << "\n" << text;
    std::ofstream(file) << text;
    for (int i = 0; i < 3; ++i) {
      replay::LaunchCase launch = MakeLaunch(file, random);
      CaseOutcome expected = EvaluateCase(*parsed->module, launch);
      ASSERT_EQ(expected.error, "") << text;
      launch.buffers[0].expected = expected.buffers[0];
      replay::RunOptions options;
      options.mapping = target.mapping;
      replay::RunResult result = replay::run_case(launch, target.device, options);
      if (result.mapping.empty() && std::string(target.device) != "cpu")
        GTEST_SKIP() << "no OpenCL device: " << result.message;
      ASSERT_EQ(result.status, replay::Status::kPass)
          << "seed " << seed << ": " << result.message << Places(launch) << "\n"
          << text;
    }
  }
  fs::remove(file);
}

INSTANTIATE_TEST_SUITE_P(Targets, RandomKernels, testing::ValuesIn(kTargets),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace tritonrt::evaluator
