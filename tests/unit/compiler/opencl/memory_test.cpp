// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Accesses, atomics, scratch memory and control flow of the OpenCL backend, run on a device.
#include "tests/unit/compiler/opencl/device.h"

#include "gtest/gtest.h"

#include <bit>
#include <cstring>
#include <numeric>

namespace tritonrt::testing {
namespace {

template <typename T> std::vector<uint8_t> bytesOf(const std::vector<T> &values) {
  std::vector<uint8_t> bytes(values.size() * sizeof(T));
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

template <typename T> std::vector<T> valuesOf(const std::vector<uint8_t> &bytes) {
  std::vector<T> values(bytes.size() / sizeof(T));
  std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

class OpenCLMemory : public ::testing::Test {
protected:
  static void SetUpTestSuite() { device = new OpenCLDevice; }
  static void TearDownTestSuite() {
    delete device;
    device = nullptr;
  }
  void SetUp() override {
    if (!device->available())
      GTEST_SKIP() << "no OpenCL device";
  }

  void launch(const std::string &ir, const std::vector<LaunchArg> &args, size_t programs = 1) {
    Emitted emitted = emitMapped(ir, device->target());
    ASSERT_EQ(emitted.error, "");
    ASSERT_EQ(device->run(emitted.source, emitted.entry, args, programs), "") << emitted.source;
  }

  static OpenCLDevice *device;
};

OpenCLDevice *OpenCLMemory::device = nullptr;

TEST_F(OpenCLMemory, MaskedLanesAreNotTouched) {
  // Lanes 1 and 3 are off; `other` is 7; the store leaves what is there.
  auto in = bytesOf<int32_t>({10, 11, 12, 13}),
       out = bytesOf<int32_t>({-1, -1, -1, -1, -1, -1, -1, -1});
  launch(R"(
    func.func @k(%in: !mem.ptr<global>, %out: !mem.ptr<global>) {
      %c0 = arith.constant 0 : i64
      %c4 = arith.constant 4 : i64
      %m = arith.constant dense<[true, false, true, false]> : vector<4xi1>
      %other = arith.constant dense<7> : vector<4xi32>
      %a = mem.load %in[%c0] mask(%m : vector<4xi1>) other(%other : vector<4xi32>) : !mem.ptr<global> -> vector<4xi32>
      mem.store %a, %out[%c0] : vector<4xi32>, !mem.ptr<global>
      mem.store %a, %out[%c4] mask(%m : vector<4xi1>) : vector<4xi32>, !mem.ptr<global>
      return
    })",
         {{&in, 0, {}}, {&out, 0, {}}});
  EXPECT_EQ(valuesOf<int32_t>(out), (std::vector<int32_t>{10, 7, 12, 7, 10, -1, 12, -1}));
}

TEST_F(OpenCLMemory, OffLanesMayPointAnywhere) {
  auto in = bytesOf<int32_t>({10, 11, 12, 13}), out = bytesOf<int32_t>({-1, -1, -1, -1});
  launch(R"(
    func.func @k(%in: !mem.ptr<global>, %out: !mem.ptr<global>, %on: i1) {
      %c0 = arith.constant 0 : i64
      %far = arith.constant 1099511627776 : i64
      %off = arith.constant false
      %m = arith.constant dense<[true, false, true, false]> : vector<4xi1>
      %lanes = arith.constant dense<[3, 1073741824, 0, -1073741824]> : vector<4xi32>
      %a = mem.gather %in[%c0, %lanes : vector<4xi32>] mask(%m : vector<4xi1>) : !mem.ptr<global> -> vector<4xi32>
      %b = mem.load %in[%far] mask(%off : i1) : !mem.ptr<global> -> i32
      %bb = vector.broadcast %b : i32 to vector<4xi32>
      %c = arith.addi %a, %bb : vector<4xi32>
      %back = arith.constant dense<[1, 1073741824, 3, -1073741824]> : vector<4xi32>
      mem.scatter %c, %out[%c0, %back : vector<4xi32>] mask(%m : vector<4xi1>) : vector<4xi32>, !mem.ptr<global>
      mem.store %b, %out[%far] mask(%off : i1) : i32, !mem.ptr<global>
      mem.store %b, %out[%c0] mask(%on : i1) : i32, !mem.ptr<global>
      return
    })",
         {{&in, 0, {}}, {&out, 0, {}}, {nullptr, 0, {1}}});
  EXPECT_EQ(valuesOf<int32_t>(out), (std::vector<int32_t>{0, 13, -1, 10}));
}

TEST_F(OpenCLMemory, ScatterKeepsTheOrderOfLanes) {
  auto out = bytesOf<int64_t>({-1, -1, -1});
  launch(R"(
    func.func @k(%out: !mem.ptr<global>) {
      %c1 = arith.constant 1 : i64
      %v = arith.constant dense<[5, 6, 7, 8]> : vector<4xi64>
      %lanes = arith.constant dense<[0, 0, 1, -1]> : vector<4xi64>
      mem.scatter %v, %out[%c1, %lanes : vector<4xi64>] : vector<4xi64>, !mem.ptr<global>
      return
    })",
         {{&out, 0, {}}});
  EXPECT_EQ(valuesOf<int64_t>(out), (std::vector<int64_t>{8, 6, 7}));
}

TEST_F(OpenCLMemory, ABoolIsAByteAndAnyOtherByteIsTrue) {
  std::vector<uint8_t> in = {0, 1, 2, 255}, out(8, 9);
  launch(R"(
    func.func @k(%in: !mem.ptr<global>, %out: !mem.ptr<global>) {
      %c0 = arith.constant 0 : i64
      %c2 = arith.constant 2 : i64
      %c4 = arith.constant 4 : i64
      %a = mem.load %in[%c0] : !mem.ptr<global> -> vector<4xi1>
      mem.store %a, %out[%c0] : vector<4xi1>, !mem.ptr<global>
      %b = mem.load %in[%c2] : !mem.ptr<global> -> i1
      mem.store %b, %out[%c4] : i1, !mem.ptr<global>
      return
    })",
         {{&in, 0, {}}, {&out, 0, {}}});
  EXPECT_EQ(out, (std::vector<uint8_t>{0, 1, 1, 1, 1, 9, 9, 9}));
}

TEST_F(OpenCLMemory, UnitsOffsetsAndAddresses) {
  // Element i lies at 8 i + 4 of a buffer that the argument enters at byte 4.
  auto in = bytesOf<int32_t>({0, 1, 2, 3, 4, 5, 6, 7}), out = bytesOf<int32_t>({0, 0, 0, 0});
  launch(R"(
    func.func @k(%in: !mem.ptr<global>, %out: !mem.ptr<global>, %i: i64) {
      %c4 = arith.constant 4 : i64
      %c0 = arith.constant 0 : i64
      %c1 = arith.constant 1 : i64
      %c2 = arith.constant 2 : i64
      %p = mem.offset %in, %c4 : !mem.ptr<global>
      %a = mem.load %p[%i] {unit = 8 : i64} : !mem.ptr<global> -> i32
      mem.store %a, %out[%c0] : i32, !mem.ptr<global>
      %n = mem.to_int %p : !mem.ptr<global>
      %null = mem.null : !mem.ptr<global>
      %b = mem.load %null[%n] {unit = 1 : i64} : !mem.ptr<global> -> i32
      mem.store %b, %out[%c1] : i32, !mem.ptr<global>
      %q = mem.from_int %n : !mem.ptr<global>
      %c = mem.load %q[%c1] : !mem.ptr<global> -> vector<2xi32>
      mem.store %c, %out[%c2] : vector<2xi32>, !mem.ptr<global>
      return
    })",
         {{&in, 4, {}}, {&out, 0, {}}, {nullptr, 0, bytesOf<int64_t>({2})}});
  EXPECT_EQ(valuesOf<int32_t>(out), (std::vector<int32_t>{6, 2, 3, 4}));
}

TEST_F(OpenCLMemory, MemoryReadAsAnotherType) {
  // A store of one type, then of a shorter one into its middle, then the first type again.
  auto out = bytesOf<int32_t>({0x11111111, 0});
  launch(R"(
    func.func @k(%out: !mem.ptr<global>, %n: i64) attributes {tritonrt.scratch_bytes = 64 : i64} {
      %c0 = arith.constant 0 : i64
      %c1 = arith.constant 1 : i64
      %ones = arith.constant 1.0 : f32
      %h = arith.constant 8738 : i16
      %s = mem.alloc 64 {offset = 0 : i64} : !mem.ptr<scratch>
      scf.for %i = %c0 to %n step %c1 : i64 {
        mem.store %ones, %s[%c0] : f32, !mem.ptr<scratch>
        mem.store %h, %s[%c0] : i16, !mem.ptr<scratch>
        %b = mem.load %s[%c0] : !mem.ptr<scratch> -> i32
        mem.store %b, %out[%c1] : i32, !mem.ptr<global>
        mem.store %h, %out[%c0] : i16, !mem.ptr<global>
      }
      return
    })",
         {{&out, 0, {}}, {nullptr, 0, bytesOf<int64_t>({3})}});
  EXPECT_EQ(valuesOf<uint32_t>(out), (std::vector<uint32_t>{0x11112222, 0x3f802222}));
}

TEST_F(OpenCLMemory, LargeScratchAndReuse) {
  // 256 KiB: more than a stack holds for sure.
  auto out = bytesOf<float>(std::vector<float>(65536, 0));
  launch(R"(
    func.func @k(%out: !mem.ptr<global>) attributes {tritonrt.scratch_bytes = 262144 : i64} {
      %c0 = arith.constant 0 : i64
      %c16 = arith.constant 16 : i64
      %n = arith.constant 65536 : i64
      %s = mem.alloc 262144 {offset = 0 : i64} : !mem.ptr<scratch>
      scf.for %i = %c0 to %n step %c16 : i64 {
        %f = arith.sitofp %i : i64 to f32
        %v = vector.broadcast %f : f32 to vector<16xf32>
        mem.store %v, %s[%i] {align = 64 : i64} : vector<16xf32>, !mem.ptr<scratch>
      }
      scf.for %i = %c0 to %n step %c16 : i64 {
        %v = mem.load %s[%i] {align = 64 : i64} : !mem.ptr<scratch> -> vector<16xf32>
        mem.store %v, %out[%i] : vector<16xf32>, !mem.ptr<global>
      }
      return
    })",
         {{&out, 0, {}}});
  auto got = valuesOf<float>(out);
  for (size_t i = 0; i < got.size(); ++i)
    ASSERT_EQ(got[i], float(i / 16 * 16)) << i;
}

TEST_F(OpenCLMemory, LoopsSwapTheirValues) {
  // (a, b) -> (b, a + b), as often as n says; a while loop counts the same; an if picks.
  auto out = bytesOf<int64_t>({0, 0, 0, 0});
  launch(R"(
    func.func @k(%out: !mem.ptr<global>, %n: i32) {
      %zero = arith.constant 0 : i32
      %one = arith.constant 1 : i32
      %a0 = arith.constant 0 : i64
      %b0 = arith.constant 1 : i64
      %c0 = arith.constant 0 : i64
      %c1 = arith.constant 1 : i64
      %c2 = arith.constant 2 : i64
      %c3 = arith.constant 3 : i64
      %r:2 = scf.for %i = %zero to %n step %one iter_args(%a = %a0, %b = %b0) -> (i64, i64) : i32 {
        %s = arith.addi %a, %b : i64
        scf.yield %b, %s : i64, i64
      }
      mem.store %r#0, %out[%c0] : i64, !mem.ptr<global>
      %w:3 = scf.while (%k = %n, %a = %a0, %b = %b0) : (i32, i64, i64) -> (i32, i64, i64) {
        %go = arith.cmpi sgt, %k, %zero : i32
        scf.condition(%go) %k, %b, %a : i32, i64, i64
      } do {
      ^bb0(%k: i32, %b: i64, %a: i64):
        %less = arith.subi %k, %one : i32
        %s = arith.addi %a, %b : i64
        scf.yield %less, %b, %s : i32, i64, i64
      }
      mem.store %w#1, %out[%c1] : i64, !mem.ptr<global>
      %odd = arith.andi %n, %one : i32
      %isOdd = arith.cmpi eq, %odd, %one : i32
      %p = scf.if %isOdd -> i64 {
        scf.yield %r#0 : i64
      } else {
        %t = arith.addi %r#0, %r#1 : i64
        scf.yield %t : i64
      }
      mem.store %p, %out[%c2] : i64, !mem.ptr<global>
      %none:2 = scf.for %i = %n to %zero step %one iter_args(%a = %a0, %b = %b0) -> (i64, i64) : i32 {
        scf.yield %b, %a : i64, i64
      }
      mem.store %none#1, %out[%c3] : i64, !mem.ptr<global>
      return
    })",
         {{&out, 0, {}}, {nullptr, 0, bytesOf<int32_t>({10})}});
  EXPECT_EQ(valuesOf<int64_t>(out), (std::vector<int64_t>{55, 89, 55 + 89, 1}));
}

TEST_F(OpenCLMemory, VectorsAreTakenApartAndPutTogether) {
  auto in = bytesOf<int32_t>({1, 2, 3, 4}), out = bytesOf<int32_t>(std::vector<int32_t>(24, 0));
  launch(R"(
    func.func @k(%in: !mem.ptr<global>, %out: !mem.ptr<global>, %i: index) {
      %c0 = arith.constant 0 : i64
      %c4 = arith.constant 4 : i64
      %c8 = arith.constant 8 : i64
      %c12 = arith.constant 12 : i64
      %c16 = arith.constant 16 : i64
      %c20 = arith.constant 20 : i64
      %a = mem.load %in[%c0] : !mem.ptr<global> -> vector<4xi32>
      %r = vector.shuffle %a, %a [3, 2, 1, 0] : vector<4xi32>, vector<4xi32>
      mem.store %r, %out[%c0] : vector<4xi32>, !mem.ptr<global>
      %m = vector.shuffle %a, %r [0, 4, 1, 5] : vector<4xi32>, vector<4xi32>
      mem.store %m, %out[%c4] : vector<4xi32>, !mem.ptr<global>
      %x = vector.extract %a[2] : i32 from vector<4xi32>
      %y = vector.extract %a[%i] : i32 from vector<4xi32>
      %p = vector.insert %x, %a [0] : i32 into vector<4xi32>
      %q = vector.insert %y, %p [%i] : i32 into vector<4xi32>
      mem.store %q, %out[%c8] : vector<4xi32>, !mem.ptr<global>
      %f = vector.from_elements %x, %y, %y, %x : vector<4xi32>
      mem.store %f, %out[%c12] : vector<4xi32>, !mem.ptr<global>
      %half = vector.extract_strided_slice %a {offsets = [2], sizes = [2], strides = [1]} : vector<4xi32> to vector<2xi32>
      %both = vector.insert_strided_slice %half, %r {offsets = [0], strides = [1]} : vector<2xi32> into vector<4xi32>
      mem.store %both, %out[%c16] : vector<4xi32>, !mem.ptr<global>
      %two = arith.constant dense<2> : vector<4xi32>
      %big = arith.cmpi sgt, %a, %two : vector<4xi32>
      %flip = vector.shuffle %big, %big [3, 2, 1, 0] : vector<4xi1>, vector<4xi1>
      %bit = vector.extract %flip[0] : i1 from vector<4xi1>
      %set = vector.insert %bit, %big [1] : i1 into vector<4xi1>
      %number = arith.extui %set : vector<4xi1> to vector<4xi32>
      mem.store %number, %out[%c20] : vector<4xi32>, !mem.ptr<global>
      return
    })",
         {{&in, 0, {}}, {&out, 0, {}}, {nullptr, 0, bytesOf<int64_t>({1})}});
  EXPECT_EQ(valuesOf<int32_t>(out), (std::vector<int32_t>{4, 3, 2, 1, 1, 4, 2, 3, 3, 2, 3, 4,
                                                          3, 2, 2, 3, 3, 4, 2, 1, 0, 1, 1, 1}));
}

TEST_F(OpenCLMemory, MasksAreCarriedByLoops) {
  auto out = std::vector<uint8_t>(4, 9);
  launch(R"(
    func.func @k(%out: !mem.ptr<global>, %n: i64) {
      %c0 = arith.constant 0 : i64
      %c1 = arith.constant 1 : i64
      %v = arith.constant dense<[0, 1, 2, 3]> : vector<4xi64>
      %m0 = arith.constant dense<true> : vector<4xi1>
      %m = scf.for %i = %c0 to %n step %c1 iter_args(%a = %m0) -> (vector<4xi1>) : i64 {
        %s = vector.broadcast %i : i64 to vector<4xi64>
        %ne = arith.cmpi ne, %v, %s : vector<4xi64>
        %b = arith.andi %ne, %a : vector<4xi1>
        scf.yield %b : vector<4xi1>
      }
      mem.store %m, %out[%c0] : vector<4xi1>, !mem.ptr<global>
      return
    })",
         {{&out, 0, {}}, {nullptr, 0, bytesOf<int64_t>({2})}});
  EXPECT_EQ(out, (std::vector<uint8_t>{0, 0, 1, 1}));
}

/// One atomic by each of many programs on few elements.
TEST_F(OpenCLMemory, AtomicsOfManyPrograms) {
  constexpr size_t kPrograms = 3000;
  auto words = bytesOf<int32_t>({0, 0, 100, -1, 0x40, 0, 0});
  auto floats = bytesOf<float>({0, -1e30f, 1e30f});
  auto halves = bytesOf<int16_t>({0, 0, 5, 0});
  auto longs = bytesOf<int64_t>({0, 0});
  launch(R"(
    func.func @k(%w: !mem.ptr<global>, %f: !mem.ptr<global>, %h: !mem.ptr<global>, %l: !mem.ptr<global>) {
      %c0 = arith.constant 0 : i64
      %c1 = arith.constant 1 : i64
      %c2 = arith.constant 2 : i64
      %c3 = arith.constant 3 : i64
      %c4 = arith.constant 4 : i64
      %p = mem.program_id 0
      %p64 = arith.extsi %p : i32 to i64
      %p16 = arith.trunci %p : i32 to i16
      %pf = arith.sitofp %p : i32 to f32
      %one = arith.constant 1 : i32
      %one16 = arith.constant 1 : i16
      %onef = arith.constant 1.0 : f32
      %a = mem.atomic_rmw add, acq_rel, device, %w[%c0], %one : !mem.ptr<global>, i32
      %b = mem.atomic_rmw max, relaxed, device, %w[%c1], %p : !mem.ptr<global>, i32
      %c = mem.atomic_rmw min, relaxed, device, %w[%c2], %p : !mem.ptr<global>, i32
      %d = mem.atomic_rmw umin, relaxed, device, %w[%c3], %p : !mem.ptr<global>, i32
      %e = mem.atomic_rmw xor, release, device, %w[%c4], %p : !mem.ptr<global>, i32
      %g = mem.atomic_rmw fadd, acquire, device, %f[%c0], %onef : !mem.ptr<global>, f32
      %i = mem.atomic_rmw max, relaxed, device, %f[%c1], %pf : !mem.ptr<global>, f32
      %j = mem.atomic_rmw min, relaxed, device, %f[%c2], %pf : !mem.ptr<global>, f32
      %k = mem.atomic_rmw add, relaxed, device, %h[%c1], %one16 : !mem.ptr<global>, i16
      %n = mem.atomic_rmw max, relaxed, device, %h[%c2], %p16 : !mem.ptr<global>, i16
      %o = mem.atomic_rmw add, relaxed, device, %l[%c0], %p64 : !mem.ptr<global>, i64
      return
    })",
         {{&words, 0, {}}, {&floats, 0, {}}, {&halves, 0, {}}, {&longs, 0, {}}}, kPrograms);
  int32_t all = 0x40;
  for (size_t p = 0; p < kPrograms; ++p)
    all ^= int32_t(p);
  EXPECT_EQ(valuesOf<int32_t>(words),
            (std::vector<int32_t>{int32_t(kPrograms), int32_t(kPrograms) - 1, 0, 0, all, 0, 0}));
  EXPECT_EQ(valuesOf<float>(floats),
            (std::vector<float>{float(kPrograms), float(kPrograms) - 1, 0}));
  EXPECT_EQ(valuesOf<int16_t>(halves),
            (std::vector<int16_t>{0, int16_t(kPrograms), int16_t(kPrograms - 1), 0}));
  EXPECT_EQ(valuesOf<int64_t>(longs)[0], int64_t(kPrograms * (kPrograms - 1) / 2));
}

TEST_F(OpenCLMemory, CompareAndSwapAndOldValues) {
  auto memory = bytesOf<int32_t>({5, 6, std::bit_cast<int32_t>(1.5f), 0x00020001});
  auto out = bytesOf<int32_t>(std::vector<int32_t>(6, -1));
  launch(R"(
    func.func @k(%m: !mem.ptr<global>, %out: !mem.ptr<global>) {
      %c0 = arith.constant 0 : i64
      %c1 = arith.constant 1 : i64
      %c2 = arith.constant 2 : i64
      %c3 = arith.constant 3 : i64
      %c4 = arith.constant 4 : i64
      %c7 = arith.constant 7 : i64
      %five = arith.constant 5 : i32
      %nine = arith.constant 9 : i32
      %two = arith.constant 2 : i16
      %three = arith.constant 3 : i16
      %f = arith.constant 1.5 : f32
      %g = arith.constant 2.5 : f32
      %a = mem.atomic_cas acq_rel, device, %m[%c0], %five, %nine : !mem.ptr<global>, i32
      mem.store %a, %out[%c0] : i32, !mem.ptr<global>
      %b = mem.atomic_cas acq_rel, device, %m[%c1], %five, %nine : !mem.ptr<global>, i32
      mem.store %b, %out[%c1] : i32, !mem.ptr<global>
      %c = mem.atomic_cas acq_rel, device, %m[%c2], %f, %g : !mem.ptr<global>, f32
      mem.store %c, %out[%c2] : f32, !mem.ptr<global>
      %d = mem.atomic_cas acq_rel, device, %m[%c7], %two, %three : !mem.ptr<global>, i16
      %d32 = arith.extui %d : i16 to i32
      mem.store %d32, %out[%c3] : i32, !mem.ptr<global>
      %e = mem.atomic_load acquire, device, %m[%c0] : !mem.ptr<global> -> i32
      mem.atomic_store release, device, %out[%c4], %e : !mem.ptr<global>, i32
      return
    })",
         {{&memory, 0, {}}, {&out, 0, {}}});
  EXPECT_EQ(valuesOf<int32_t>(memory),
            (std::vector<int32_t>{9, 6, std::bit_cast<int32_t>(2.5f), 0x00030001}));
  EXPECT_EQ(valuesOf<int32_t>(out),
            (std::vector<int32_t>{5, 6, std::bit_cast<int32_t>(1.5f), 2, 9, -1}));
}

} // namespace
} // namespace tritonrt::testing
