// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Many atomics whose old values nobody asks for, to places that the data names.

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "tests/unit/device_test.h"

namespace tritonrt {
namespace {

constexpr std::int32_t kPrograms = 32, kBlock = 1024, kCount = kPrograms * kBlock;
// Places lie from before the pointer to far behind it.
constexpr std::int32_t kBefore = 8, kPlaces = 40000;

class AtomicsTest : public DeviceTest {
 protected:
  // `kind` of %v[i] at %o[%at[i]] for each i that is no multiple of 5.
  static Kernel scattered(const std::string& kind, const std::string& type,
                          const std::string& after = {}) {
    const auto pointer = [](const std::string& name, const std::string& of) {
      return "    %" + name + "s = tt.splat %" + name + " : !tt.ptr<" + of +
             "> -> tensor<1024x!tt.ptr<" + of + ">>\n    %" + name + "p = tt.addptr %" + name +
             "s, %i : tensor<1024x!tt.ptr<" + of + ">>, tensor<1024xi32>\n    %" + name +
             "v = tt.load %" + name + "p : tensor<1024x!tt.ptr<" + of + ">>\n";
    };
    return kernel("%at: !tt.ptr<i32>, %v: !tt.ptr<" + type + ">, %o: !tt.ptr<" + type + ">",
                  R"(
    %pid = tt.get_program_id x : i32
    %size = arith.constant 1024 : i32
    %first = arith.muli %pid, %size : i32
    %firsts = tt.splat %first : i32 -> tensor<1024xi32>
    %range = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32>
    %i = arith.addi %firsts, %range : tensor<1024xi32>
    %five = arith.constant dense<5> : tensor<1024xi32>
    %zero = arith.constant dense<0> : tensor<1024xi32>
    %rest = arith.remsi %i, %five : tensor<1024xi32>
    %live = arith.cmpi ne, %rest, %zero : tensor<1024xi32>
)" + pointer("at", "i32") +
                      pointer("v", type) + "    %os = tt.splat %o : !tt.ptr<" + type +
                      "> -> tensor<1024x!tt.ptr<" + type +
                      ">>\n    %op = tt.addptr %os, %atv : tensor<1024x!tt.ptr<" + type +
                      ">>, tensor<1024xi32>\n    %old = tt.atomic_rmw " + kind +
                      ", acq_rel, gpu, %op, %vv, %live : (tensor<1024x!tt.ptr<" + type +
                      ">>, tensor<1024x" + type + ">, tensor<1024xi1>) -> tensor<1024x" + type +
                      ">\n" + after);
  }

  static std::vector<std::int32_t> places() {
    std::vector<std::int32_t> at(kCount);
    for (std::int32_t i = 0; i < kCount; ++i) {
      const std::uint32_t random = static_cast<std::uint32_t>(i) * 2654435761u >> 8;
      // Most meet in few places, as they do in a histogram.
      at[i] = static_cast<std::int32_t>(random % (i % 4 ? 300 : kPlaces - kBefore)) - kBefore;
    }
    return at;
  }

  template <typename T>
  void check(const std::string& kind, const std::string& type, std::function<T(T, T)> combine) {
    const std::vector<std::int32_t> at = places();
    std::vector<T> v(kCount), o(kPlaces);
    for (std::int32_t i = 0; i < kCount; ++i) v[i] = static_cast<T>(i * 37 % 1009 - 504);
    for (std::int32_t i = 0; i < kPlaces; ++i) o[i] = static_cast<T>(i % 13 * 100 - 600);
    Buffer out = buffer(o);
    Stream stream(device_);
    scattered(kind, type)
        .launch(stream, Grid(kPrograms), buffer(at), buffer(v), Arg(out, kBefore * sizeof(T)));
    stream.synchronize();
    for (std::int32_t i = 0; i < kCount; ++i)
      if (i % 5 != 0) o[at[i] + kBefore] = combine(o[at[i] + kBefore], v[i]);
    EXPECT_EQ(values<T>(out), o) << kind;
  }
};
INSTANTIATE_TEST_SUITE_P(Devices, AtomicsTest, every_device(), name_of);

TEST_P(AtomicsTest, IntegersMeetInAnyOrder) {
  using I = std::int32_t;
  using U = std::uint32_t;
  check<I>("add", "i32", [](I a, I b) { return a + b; });
  check<I>("and", "i32", [](I a, I b) { return a & b; });
  check<I>("or", "i32", [](I a, I b) { return a | b; });
  check<I>("xor", "i32", [](I a, I b) { return a ^ b; });
  check<I>("max", "i32", [](I a, I b) { return std::max(a, b); });
  check<I>("min", "i32", [](I a, I b) { return std::min(a, b); });
  check<I>("umax", "i32", [](I a, I b) { return static_cast<I>(std::max(U(a), U(b))); });
  check<I>("umin", "i32", [](I a, I b) { return static_cast<I>(std::min(U(a), U(b))); });
}

// Whole numbers, so that no order of additions rounds.
TEST_P(AtomicsTest, FloatsMeetInAnyOrder) {
  check<float>("fadd", "f32", [](float a, float b) { return a + b; });
}

// A program sees what it added itself, be it that nobody asked for the old value.
TEST_P(AtomicsTest, ProgramReadsWhatItAdded) {
  const Kernel k = scattered("add", "i32", R"(
    %seen = tt.load %op : tensor<1024x!tt.ptr<i32>>
    tt.store %vp, %seen : tensor<1024x!tt.ptr<i32>>
)");
  std::vector<std::int32_t> at = places(), v(kCount, 1), o(kPlaces), expected(kCount);
  // Each program has places of its own.
  for (std::int32_t i = 0; i < kCount; ++i) at[i] = i / kBlock * 100 + i % 97;
  for (std::int32_t first = 0; first < kCount; first += kBlock) {
    for (std::int32_t i = first; i < first + kBlock; ++i) o[at[i]] += i % 5 != 0;
    for (std::int32_t i = first; i < first + kBlock; ++i) expected[i] = o[at[i]];
  }
  Buffer seen = buffer(v), out = buffer(std::vector<std::int32_t>(kPlaces));
  Stream stream(device_);
  k.launch(stream, Grid(kPrograms), buffer(at), seen, out);
  stream.synchronize();
  EXPECT_EQ(values<std::int32_t>(seen), expected);
  EXPECT_EQ(values<std::int32_t>(out), o);
}

// What is added to is also where the addresses come from: nothing is disjoint.
TEST_P(AtomicsTest, AddressesAreReadFromWhatWasAddedTo) {
  std::vector<std::int32_t> at(kCount);
  for (std::int32_t i = 0; i < kCount; ++i) at[i] = i;
  const std::vector<std::int32_t> v(kCount, kCount);
  Buffer both = buffer(at);
  Stream stream(device_);
  scattered("add", "i32").launch(stream, Grid(kPrograms), both, buffer(v), both);
  stream.synchronize();
  for (std::int32_t i = 0; i < kCount; ++i) at[i] += i % 5 != 0 ? kCount : 0;
  EXPECT_EQ(values<std::int32_t>(both), at);
}

}  // namespace
}  // namespace tritonrt
