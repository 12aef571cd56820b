// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mapped IR through the CPU backend, loaded and run. Expected values are computed here, in C++.

#include "tests/unit/compiler/loaded_kernel.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <vector>

namespace tritonrt::compiler {
namespace {

TEST(CpuBackend, AddsVectorsUnderAMask) {
  LoadedKernel kernel(R"(
    func.func @add(%x: !mem.ptr<global>, %y: !mem.ptr<global>, %out: !mem.ptr<global>, %n: i32) {
      %pid = mem.program_id 0
      %w = arith.constant 32 : i32
      %i = arith.muli %pid, %w : i32
      %first = arith.extsi %i : i32 to i64
      %c0 = arith.constant 0 : i64
      %c16 = arith.constant 16 : i64
      %c32 = arith.constant 32 : i64
      %lanes = arith.constant dense<[0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15]> : vector<16xi64>
      %n64 = arith.extsi %n : i32 to i64
      %ns = vector.broadcast %n64 : i64 to vector<16xi64>
      scf.for %k = %c0 to %c32 step %c16 : i64 {
        %at = arith.addi %first, %k : i64
        %ats = vector.broadcast %at : i64 to vector<16xi64>
        %e = arith.addi %ats, %lanes : vector<16xi64>
        %m = arith.cmpi slt, %e, %ns : vector<16xi64>
        %a = mem.load %x[%at] mask(%m : vector<16xi1>) : !mem.ptr<global> -> vector<16xf32>
        %b = mem.load %y[%at] mask(%m : vector<16xi1>) : !mem.ptr<global> -> vector<16xf32>
        %c = arith.addf %a, %b : vector<16xf32>
        mem.store %c, %out[%at] mask(%m : vector<16xi1>) : vector<16xf32>, !mem.ptr<global>
      }
      return
    })",
                      "", "disjoint=1\n");
  constexpr int kCount = 1000;
  std::vector<float> x(kCount), y(kCount), out(kCount + 64, -1.0f);
  std::iota(x.begin(), x.end(), 0.5f);
  std::iota(y.begin(), y.end(), 7.25f);
  kernel.run({32}, x.data(), y.data(), out.data(), kCount);
  for (int i = 0; i < kCount; ++i)
    ASSERT_EQ(out[i], x[i] + y[i]) << i;
  for (size_t i = kCount; i < out.size(); ++i)
    ASSERT_EQ(out[i], -1.0f) << i;
}

TEST(CpuBackend, NumbersProgramsOverARangeOfAGrid) {
  LoadedKernel kernel(R"(
    func.func @ids(%out: !mem.ptr<global>) {
      %x = mem.program_id 0
      %y = mem.program_id 1
      %z = mem.program_id 2
      %gx = mem.num_programs 0
      %gy = mem.num_programs 1
      %a = arith.muli %z, %gy : i32
      %b = arith.addi %a, %y : i32
      %c = arith.muli %b, %gx : i32
      %d = arith.addi %c, %x : i32
      %e = arith.extsi %d : i32 to i64
      %hundred = arith.constant 100 : i32
      %yh = arith.muli %y, %hundred : i32
      %zh = arith.muli %z, %hundred : i32
      %zhh = arith.muli %zh, %hundred : i32
      %f = arith.addi %x, %yh : i32
      %g = arith.addi %f, %zhh : i32
      mem.store %g, %out[%e] : i32, !mem.ptr<global>
      return
    })");
  const std::array<uint32_t, 3> grid = {7, 5, 3};
  for (int64_t begin : {0, 1, 6, 7, 34, 35, 36, 104}) {
    for (int64_t end : {1, 7, 8, 35, 70, 105}) {
      std::vector<int32_t> out(105, -1);
      kernel.runRange(grid, begin, end, out.data());
      for (int64_t i = 0; i < 105; ++i) {
        int32_t expected = i % 7 + i / 7 % 5 * 100 + i / 35 * 10000;
        ASSERT_EQ(out[i], i >= begin && i < end ? expected : -1) << begin << " " << end << " " << i;
      }
    }
  }
}

TEST(CpuBackend, IntegersNeitherTrapNorPoison) {
  LoadedKernel kernel(R"(
    func.func @ints(%x: !mem.ptr<global>, %y: !mem.ptr<global>, %out: !mem.ptr<global>, %n: i64) {
      %c0 = arith.constant 0 : i64
      %c1 = arith.constant 1 : i64
      %eight = arith.constant 8 : i64
      scf.for %i = %c0 to %n step %c1 : i64 {
        %a = mem.load %x[%i] : !mem.ptr<global> -> i32
        %b = mem.load %y[%i] : !mem.ptr<global> -> i32
        %row = arith.muli %i, %eight : i64
        %p = mem.offset %out, %c0 : !mem.ptr<global>
        %q = arith.divsi %a, %b : i32
        %r = arith.remsi %a, %b : i32
        %s = arith.shli %a, %b : i32
        %t = arith.shrui %a, %b : i32
        %u = arith.shrsi %a, %b : i32
        %v = arith.divui %a, %b : i32
        %w = arith.remui %a, %b : i32
        %z = arith.floordivsi %a, %b : i32
        mem.store %q, %p[%row] : i32, !mem.ptr<global>
        %i1 = arith.addi %row, %c1 : i64
        mem.store %r, %p[%i1] : i32, !mem.ptr<global>
        %i2 = arith.addi %i1, %c1 : i64
        mem.store %s, %p[%i2] : i32, !mem.ptr<global>
        %i3 = arith.addi %i2, %c1 : i64
        mem.store %t, %p[%i3] : i32, !mem.ptr<global>
        %i4 = arith.addi %i3, %c1 : i64
        mem.store %u, %p[%i4] : i32, !mem.ptr<global>
        %i5 = arith.addi %i4, %c1 : i64
        mem.store %v, %p[%i5] : i32, !mem.ptr<global>
        %i6 = arith.addi %i5, %c1 : i64
        mem.store %w, %p[%i6] : i32, !mem.ptr<global>
        %i7 = arith.addi %i6, %c1 : i64
        mem.store %z, %p[%i7] : i32, !mem.ptr<global>
      }
      return
    })");
  const int32_t least = std::numeric_limits<int32_t>::min();
  std::vector<int32_t> x, y;
  for (int32_t a : {0, 1, -1, 7, -7, 100, -100, least, least + 1, 0x7fffffff})
    for (int32_t b : {0, 1, -1, 2, -2, 3, -3, 31, 32, 33, least, 0x7fffffff}) {
      x.push_back(a);
      y.push_back(b);
    }
  std::vector<int32_t> out(8 * x.size());
  kernel.run({1}, x.data(), y.data(), out.data(), int64_t(x.size()));
  for (size_t i = 0; i < x.size(); ++i) {
    int64_t a = x[i], b = y[i];
    uint32_t ua = x[i], ub = y[i];
    const int32_t *got = &out[8 * i];
    if (b != 0) {
      EXPECT_EQ(got[0], int32_t(a / b)) << a << " / " << b;
      EXPECT_EQ(got[1], int32_t(a % b)) << a << " % " << b;
      EXPECT_EQ(uint32_t(got[5]), ua / ub);
      EXPECT_EQ(uint32_t(got[6]), ua % ub);
      EXPECT_EQ(got[7], int32_t(std::floor(double(a) / double(b)))) << a << " // " << b;
    }
    EXPECT_EQ(uint32_t(got[2]), ub < 32 ? ua << ub : 0u);
    EXPECT_EQ(uint32_t(got[3]), ub < 32 ? ua >> ub : 0u);
    EXPECT_EQ(got[4], x[i] >> (ub < 32 ? ub : 31));
  }
}

TEST(CpuBackend, FloatsToIntegersSaturate) {
  LoadedKernel kernel(R"(
    func.func @casts(%x: !mem.ptr<global>, %out: !mem.ptr<global>, %bytes: !mem.ptr<global>) {
      %c0 = arith.constant 0 : i64
      %a = mem.load %x[%c0] : !mem.ptr<global> -> vector<8xf32>
      %b = arith.fptosi %a : vector<8xf32> to vector<8xi32>
      mem.store %b, %out[%c0] : vector<8xi32>, !mem.ptr<global>
      %c = arith.fptoui %a : vector<8xf32> to vector<8xi8>
      mem.store %c, %bytes[%c0] : vector<8xi8>, !mem.ptr<global>
      return
    })");
  const float x[8] = {1.9f, -1.9f, 3e9f, -3e9f, NAN, INFINITY, 255.5f, -1.0f};
  const int32_t most = std::numeric_limits<int32_t>::max(), least = -most - 1;
  const int32_t expected[8] = {1, -1, most, least, 0, most, 255, -1};
  const uint8_t expectedBytes[8] = {1, 255, 255, 0, 0, 255, 255, 255};
  int32_t out[8];
  uint8_t bytes[8];
  kernel.run({1}, x, out, bytes);
  for (int i = 0; i < 8; ++i) {
    EXPECT_EQ(out[i], expected[i]) << x[i];
    EXPECT_EQ(bytes[i], expectedBytes[i]) << x[i];
  }
}

TEST(CpuBackend, GathersScattersAndKeepsDisabledLanesAway) {
  LoadedKernel kernel(R"(
    func.func @permute(%x: !mem.ptr<global>, %index: !mem.ptr<global>, %out: !mem.ptr<global>,
                       %keep: !mem.ptr<global>) {
      %c0 = arith.constant 0 : i64
      %i = mem.load %index[%c0] : !mem.ptr<global> -> vector<8xi32>
      %m = mem.load %keep[%c0] : !mem.ptr<global> -> vector<8xi1>
      %other = arith.constant dense<-5> : vector<8xi16>
      %v = mem.gather %x[%c0, %i : vector<8xi32>] mask(%m : vector<8xi1>)
           other(%other : vector<8xi16>) : !mem.ptr<global> -> vector<8xi16>
      %first = arith.constant 8 : i64
      mem.store %v, %out[%c0] : vector<8xi16>, !mem.ptr<global>
      mem.scatter %v, %out[%first, %i : vector<8xi32>] mask(%m : vector<8xi1>)
          : vector<8xi16>, !mem.ptr<global>
      return
    })");
  std::vector<int16_t> x(8), out(16, 77);
  std::iota(x.begin(), x.end(), int16_t(10));
  const int32_t index[8] = {7, 0, 3, 3, 1 << 30, -5, 2, 6};
  const uint8_t keep[8] = {1, 1, 0xff, 1, 0, 0, 1, 1};
  kernel.run({1}, x.data(), index, out.data(), keep);
  std::vector<int16_t> expected(16, 77);
  for (int i = 0; i < 8; ++i) {
    expected[i] = keep[i] ? x[index[i]] : -5;
    if (keep[i])
      expected[8 + index[i]] = x[index[i]];
  }
  EXPECT_EQ(out, expected);
}

TEST(CpuBackend, ReadsThroughATableOfAddresses) {
  LoadedKernel kernel(R"(
    func.func @table(%t: !mem.ptr<global>, %out: !mem.ptr<global>) {
      %c0 = arith.constant 0 : i64
      %c1 = arith.constant 1 : i64
      %null = mem.null : !mem.ptr<global>
      %a = mem.load %t[%c0] : !mem.ptr<global> -> vector<4xi64>
      %v = mem.gather %null[%c0, %a : vector<4xi64>] {unit = 1 : i64}
           : !mem.ptr<global> -> vector<4xf32>
      mem.store %v, %out[%c0] : vector<4xf32>, !mem.ptr<global>
      %p = mem.load %t[%c1] : !mem.ptr<global> -> !mem.ptr<global>
      %w = mem.load %p[%c0] : !mem.ptr<global> -> f32
      %c4 = arith.constant 4 : i64
      mem.store %w, %out[%c4] : f32, !mem.ptr<global>
      return
    })",
                      "", "disjoint=1\n");
  float values[4] = {1, 2, 3, 4}, out[5] = {};
  const float *table[4] = {&values[3], &values[1], &values[2], &values[0]};
  kernel.run({1}, table, out);
  EXPECT_EQ(out[0], 4);
  EXPECT_EQ(out[1], 2);
  EXPECT_EQ(out[2], 3);
  EXPECT_EQ(out[3], 1);
  EXPECT_EQ(out[4], 2);
}

TEST(CpuBackend, AtomicsGiveTheOldValue) {
  LoadedKernel kernel(R"(
    func.func @count(%x: !mem.ptr<global>, %old: !mem.ptr<global>) {
      %c0 = arith.constant 0 : i64
      %c1 = arith.constant 1 : i64
      %c2 = arith.constant 2 : i64
      %c3 = arith.constant 3 : i64
      %pid = mem.program_id 0
      %at = arith.extsi %pid : i32 to i64
      %f = arith.constant 1.5 : f32
      %i = arith.constant 3 : i32
      %h = arith.constant 0.5 : f16
      %a = mem.atomic_rmw fadd, acq_rel, device, %x[%c0], %f : !mem.ptr<global>, f32
      %b = mem.atomic_rmw umax, relaxed, device, %x[%c1], %pid : !mem.ptr<global>, i32
      %c = mem.atomic_rmw add, release, device, %x[%c2], %i : !mem.ptr<global>, i32
      mem.store %c, %old[%at] : i32, !mem.ptr<global>
      %cas = mem.atomic_cas acq_rel, system, %x[%c3], %pid, %i : !mem.ptr<global>, i32
      return
    })");
  struct {
    float sum = 0;
    uint32_t top = 4;
    int32_t count = 0;
    int32_t swapped = 2;
  } x;
  int32_t old[10];
  kernel.run({10}, &x, old);
  EXPECT_EQ(x.sum, 15.0f);
  EXPECT_EQ(x.top, 9u);
  EXPECT_EQ(x.count, 30);
  EXPECT_EQ(x.swapped, 3);
  for (int i = 0; i < 10; ++i)
    EXPECT_EQ(old[i], 3 * i);
}

TEST(CpuBackend, LoopsCarryValuesAndBranchesJoinThem) {
  LoadedKernel kernel(R"(
    func.func @collatz(%n: i64, %out: !mem.ptr<global>) {
      %c0 = arith.constant 0 : i64
      %c1 = arith.constant 1 : i64
      %c2 = arith.constant 2 : i64
      %c3 = arith.constant 3 : i64
      %r:2 = scf.while (%v = %n, %k = %c0) : (i64, i64) -> (i64, i64) {
        %go = arith.cmpi ne, %v, %c1 : i64
        scf.condition(%go) %v, %k : i64, i64
      } do {
      ^bb0(%v: i64, %k: i64):
        %bit = arith.andi %v, %c1 : i64
        %odd = arith.cmpi eq, %bit, %c1 : i64
        %next = scf.if %odd -> i64 {
          %t = arith.muli %v, %c3 : i64
          %u = arith.addi %t, %c1 : i64
          scf.yield %u : i64
        } else {
          %h = arith.shrui %v, %c1 : i64
          scf.yield %h : i64
        }
        %more = arith.addi %k, %c1 : i64
        scf.yield %next, %more : i64, i64
      }
      %s = scf.for %i = %c0 to %r#1 step %c2 iter_args(%acc = %c0) -> i64 : i64 {
        %t = arith.addi %acc, %i : i64
        scf.yield %t : i64
      }
      mem.store %r#1, %out[%c0] : i64, !mem.ptr<global>
      mem.store %s, %out[%c1] : i64, !mem.ptr<global>
      return
    })");
  int64_t out[2];
  kernel.run({1}, int64_t(27), out);
  EXPECT_EQ(out[0], 111);
  EXPECT_EQ(out[1], 55 * 56);
}

TEST(CpuBackend, ReadsScalarsOfEveryWidth) {
  LoadedKernel kernel(R"(
    func.func @scalars(%a: i1, %b: i8, %c: i16, %d: f16, %e: f64, %out: !mem.ptr<global>) {
      %c0 = arith.constant 0 : i64
      %c1 = arith.constant 1 : i64
      %x = arith.uitofp %a : i1 to f64
      %y = arith.sitofp %b : i8 to f64
      %z = arith.sitofp %c : i16 to f64
      %w = arith.extf %d : f16 to f64
      %s = arith.addf %x, %y : f64
      %t = arith.addf %s, %z : f64
      %u = arith.addf %t, %w : f64
      %v = arith.addf %u, %e : f64
      mem.store %v, %out[%c0] : f64, !mem.ptr<global>
      return
    })");
  double out = 0;
  // f16 0x3800 is 0.5; the high bits of a slot mean nothing.
  kernel.runSlots({1}, {0x101, 0xffffffffffffff80u, 0x1230003, 0x3800, slot(1000.25), slot(&out)});
  EXPECT_EQ(out, 1.0 - 128 + 3 + 0.5 + 1000.25);
}

TEST(CpuBackend, DividesALoopByOneNumber) {
  LoadedKernel kernel(R"(
    func.func @divide(%x: !mem.ptr<global>, %out: !mem.ptr<global>, %s: f32, %n: i64) {
      %c0 = arith.constant 0 : i64
      %c16 = arith.constant 16 : i64
      %all = vector.broadcast %s : f32 to vector<16xf32>
      scf.for %i = %c0 to %n step %c16 : i64 {
        %a = mem.load %x[%i] : !mem.ptr<global> -> vector<16xf32>
        %q = arith.divf %a, %all : vector<16xf32>
        mem.store %q, %out[%i] : vector<16xf32>, !mem.ptr<global>
      }
      return
    })");
  std::vector<float> x = {0.0f,     -0.0f,   1.0f,     -1.0f, INFINITY, -INFINITY, NAN,  1e-45f,
                          1.2e-38f, 3.4e38f, -3.4e38f, 7.0f,  1e-30f,   1e30f,     0.1f, -0.3f};
  uint32_t state = 1;
  for (int i = 0; i < 16 * 4096; ++i) {
    state = state * 1664525u + 1013904223u;
    x.push_back(std::ldexp(1.0f + float(state >> 9) * 0x1p-23f, int(state & 31) - 16));
  }
  std::vector<float> out(x.size());
  for (float s : {1.0f, 3.0f, 1023.37f, 0.1f, 1e-20f, 1e20f, -7.0f, 0.0f, INFINITY, NAN, 1e-40f,
                  1.9999999f, 1e38f}) {
    kernel.run({1}, x.data(), out.data(), s, int64_t(x.size()));
    for (size_t i = 0; i < x.size(); ++i) {
      float expected = x[i] / s;
      if (std::isnan(expected))
        ASSERT_TRUE(std::isnan(out[i])) << x[i] << " / " << s;
      else
        ASSERT_TRUE(out[i] == expected || std::nextafterf(out[i], expected) == expected)
            << x[i] << " / " << s << " got " << out[i] << " expected " << expected;
      if (std::isnormal(expected) && std::fabs(x[i]) > 1e-15f && std::fabs(x[i]) < 1e15f)
        ASSERT_EQ(out[i], expected) << x[i] << " / " << s;
    }
  }
}

TEST(CpuBackend, ReductionsSkipNanUnlessItIsAllThereIs) {
  LoadedKernel kernel(R"(
    func.func @most(%x: !mem.ptr<global>, %out: !mem.ptr<global>, %n: i64) {
      %c0 = arith.constant 0 : i64
      %c4 = arith.constant 4 : i64
      %least = arith.constant dense<0xFF800000> : vector<4xf32>
      %nan = arith.constant dense<0x7FC00000> : vector<4xf32>
      %r:2 = scf.for %i = %c0 to %n step %c4 iter_args(%a = %least, %b = %nan)
          -> (vector<4xf32>, vector<4xf32>) : i64 {
        %v = mem.load %x[%i] : !mem.ptr<global> -> vector<4xf32>
        %p = arith.maxnumf %v, %a : vector<4xf32>
        %q = arith.maxnumf %b, %v : vector<4xf32>
        scf.yield %p, %q : vector<4xf32>, vector<4xf32>
      }
      mem.store %r#0, %out[%c0] : vector<4xf32>, !mem.ptr<global>
      mem.store %r#1, %out[%c4] : vector<4xf32>, !mem.ptr<global>
      return
    })");
  const float x[12] = {NAN, 2, NAN, -5, 3, NAN, NAN, -4, 1, 7, NAN, NAN};
  float out[8];
  kernel.run({1}, x, out, int64_t(12));
  const float expected[4] = {3, 7, -INFINITY, -4};
  for (int i = 0; i < 4; ++i)
    EXPECT_EQ(out[i], expected[i]) << i;
  EXPECT_EQ(out[4], 3);
  EXPECT_EQ(out[5], 7);
  EXPECT_TRUE(std::isnan(out[6]));
  EXPECT_EQ(out[7], -4);
}

/// The same values whether a launch's output is large or small, and wherever it starts.
TEST(CpuBackend, LargeOutputsGoPastTheCaches) {
  LoadedKernel kernel(R"(
    func.func @twice(%x: !mem.ptr<global>, %out: !mem.ptr<global>) {
      %c0 = arith.constant 0 : i64
      %c16 = arith.constant 16 : i64
      %c1024 = arith.constant 1024 : i64
      %c1024_i32 = arith.constant 1024 : i32
      %pid = mem.program_id 0
      %first = arith.muli %pid, %c1024_i32 : i32
      %at = arith.extsi %first : i32 to i64
      %c4 = arith.constant 4 : i64
      %bytes = arith.muli %at, %c4 : i64
      %p = mem.offset %x, %bytes : !mem.ptr<global>
      %q = mem.offset %out, %bytes : !mem.ptr<global>
      scf.for %i = %c0 to %c1024 step %c16 : i64 {
        %a = mem.load %p[%i] : !mem.ptr<global> -> vector<16xf32>
        %b = arith.addf %a, %a : vector<16xf32>
        mem.store %b, %q[%i] : vector<16xf32>, !mem.ptr<global>
      }
      return
    })");
  constexpr size_t kCount = size_t{9} << 20;
  std::vector<float> x(kCount + 16), out(kCount + 32);
  for (size_t i = 0; i < kCount; ++i)
    x[i] = float(i % 8191);
  auto *aligned = reinterpret_cast<float *>((reinterpret_cast<uintptr_t>(out.data()) + 63) & ~63ul);
  for (float *to : {aligned, aligned + 4}) {
    std::fill(out.begin(), out.end(), -1.0f);
    kernel.run({uint32_t(kCount / 1024)}, x.data(), to);
    for (size_t i = 0; i < kCount; ++i)
      ASSERT_EQ(to[i], 2 * x[i]) << i;
  }
}

TEST(CpuBackend, StopsWaitingWhenTold) {
  LoadedKernel kernel(R"(
    func.func @wait(%flag: !mem.ptr<global>) {
      %c0 = arith.constant 0 : i64
      %zero = arith.constant 0 : i32
      scf.while : () -> () {
        %v = mem.atomic_load acquire, device, %flag[%c0] : !mem.ptr<global> -> i32
        %go = arith.cmpi eq, %v, %zero : i32
        scf.condition(%go)
      } do {
        mem.poll_stop 3
        scf.yield
      }
      return
    })");
  int32_t flag = 1;
  EXPECT_EQ(kernel.run({4}, &flag), 0);
  flag = 0;
  kernel.stop = 1;
  EXPECT_EQ(kernel.run({4}, &flag), 3);
}

TEST(CpuBackend, GivesScratchItsPlaces) {
  LoadedKernel kernel(R"(
    func.func @scratch(%out: !mem.ptr<global>) attributes {tritonrt.scratch_bytes = 192 : i64} {
      %a = mem.alloc 64 {offset = 0 : i64} : !mem.ptr<scratch>
      %b = mem.alloc 64 {offset = 128 : i64} : !mem.ptr<scratch>
      %c0 = arith.constant 0 : i64
      %v = arith.constant dense<[1, 2, 3, 4]> : vector<4xi32>
      %w = arith.constant dense<[5, 6, 7, 8]> : vector<4xi32>
      mem.store %v, %a[%c0] : vector<4xi32>, !mem.ptr<scratch>
      mem.store %w, %b[%c0] : vector<4xi32>, !mem.ptr<scratch>
      %x = mem.load %a[%c0] : !mem.ptr<scratch> -> vector<4xi32>
      %y = mem.load %b[%c0] : !mem.ptr<scratch> -> vector<4xi32>
      %s = vector.shuffle %x, %y [0, 4, 3, 7] : vector<4xi32>, vector<4xi32>
      mem.store %s, %out[%c0] : vector<4xi32>, !mem.ptr<global>
      return
    })");
  EXPECT_EQ(kernel.artifact.scratchBytes, 192);
  std::array<int32_t, 4> out{};
  kernel.run({1}, out.data());
  EXPECT_EQ(out, (std::array<int32_t, 4>{1, 5, 4, 8}));
}

TEST(CpuBackend, CallsTheMathLibrary) {
  LoadedKernel kernel(R"(
    func.func @gamma(%x: !mem.ptr<global>) {
      %c0 = arith.constant 0 : i64
      %a = mem.load %x[%c0] : !mem.ptr<global> -> vector<2xf64>
      %b = math.sinh %a : vector<2xf64>
      mem.store %b, %x[%c0] : vector<2xf64>, !mem.ptr<global>
      return
    })");
  double x[2] = {0.5, -2.0};
  kernel.run({1}, x);
  EXPECT_DOUBLE_EQ(x[0], std::sinh(0.5));
  EXPECT_DOUBLE_EQ(x[1], std::sinh(-2.0));
}

/// Also where it is the code generator that calls: a processor without FMA.
TEST(CpuBackend, NamesTheMathLibraryOnlyIfItNeedsIt) {
  const char *fma = R"(
    func.func @fma(%x: !mem.ptr<global>, %s: f32) {
      %c0 = arith.constant 0 : i64
      %a = mem.load %x[%c0] : !mem.ptr<global> -> f32
      %b = math.fma %a, %s, %a : f32
      mem.store %b, %x[%c0] : f32, !mem.ptr<global>
      return
    })";
  EXPECT_NE(LoadedKernel(fma, "", "", "cpu=x86-64\n").artifact.bytes.find("libm.so"),
            std::string::npos);
  EXPECT_EQ(LoadedKernel(fma, "", "", "cpu=haswell\n").artifact.bytes.find("libm.so"),
            std::string::npos);
}

TEST(CpuBackend, ClangTakesTheSameIr) {
  LoadedKernel kernel(R"(
    func.func @inc(%x: !mem.ptr<global>) {
      %c0 = arith.constant 0 : i64
      %one = arith.constant dense<1.0> : vector<16xf32>
      %a = mem.load %x[%c0] : !mem.ptr<global> -> vector<16xf32>
      %b = arith.addf %a, %one : vector<16xf32>
      mem.store %b, %x[%c0] : vector<16xf32>, !mem.ptr<global>
      return
    })",
                      "toolchain=clang\n");
  float x[16] = {41};
  kernel.run({1}, x);
  EXPECT_EQ(x[0], 42);
  EXPECT_EQ(x[15], 1);
}

TEST(CpuBackend, NamesWhatItCannotEmit) {
  EXPECT_NE(compileError(R"(
    func.func @wide(%x: i128) {
      return
    })")
                .find("parameter 0 has the type 'i128'"),
            std::string::npos);
  EXPECT_NE(compileError(R"(
    func.func @matrix(%x: f32) {
      %v = vector.broadcast %x : f32 to vector<2x2xf32>
      return
    })")
                .find("vector<2x2xf32>"),
            std::string::npos);
  EXPECT_NE(compileError(R"(
    func.func @memref(%x: memref<4xf32>) {
      return
    })")
                .find("memref<4xf32>"),
            std::string::npos);
}

TEST(CpuBackend, ArtifactsAreSmall) {
  LoadedKernel kernel("func.func @nothing() { return }");
  EXPECT_LT(kernel.artifact.bytes.size(), 4096u);
}

} // namespace
} // namespace tritonrt::compiler
