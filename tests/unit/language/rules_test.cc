// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Rules of the language that tiles and work-items make easy to break.

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "tests/unit/device_test.h"

namespace tritonrt {
namespace {

class RulesTest : public DeviceTest {};
INSTANTIATE_TEST_SUITE_P(Devices, RulesTest, every_device(), name_of);

// A pointer that comes out of memory may point anywhere, into an argument's buffer too.
TEST_P(RulesTest, StoresThroughLoadedPointersAreSeenByLaterLoads) {
  const Kernel k = kernel("%tab: !tt.ptr<i64>, %x: !tt.ptr<i32>, %o: !tt.ptr<i32>", R"(
    %i = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %c64 = arith.constant dense<64> : tensor<64xi32>
    %c3 = arith.constant dense<3> : tensor<64xi32>
    %k = arith.constant dense<1000> : tensor<64xi32>
    %address = tt.load %tab : !tt.ptr<i64>
    %q = tt.int_to_ptr %address : i64 -> !tt.ptr<i32>
    %qs = tt.splat %q : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>
    %qp = tt.addptr %qs, %i : tensor<64x!tt.ptr<i32>>, tensor<64xi32>
    %xs = tt.splat %x : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>
    %xp = tt.addptr %xs, %i : tensor<64x!tt.ptr<i32>>, tensor<64xi32>
    %os = tt.splat %o : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>
    %op = tt.addptr %os, %i : tensor<64x!tt.ptr<i32>>, tensor<64xi32>
    %far = tt.addptr %op, %c64 : tensor<64x!tt.ptr<i32>>, tensor<64xi32>
    %a = tt.load %xp : tensor<64x!tt.ptr<i32>>
    %first = arith.muli %i, %c3 : tensor<64xi32>
    tt.store %qp, %first : tensor<64x!tt.ptr<i32>>
    %b = tt.load %xp : tensor<64x!tt.ptr<i32>>
    %second = arith.addi %b, %i : tensor<64xi32>
    tt.store %xp, %second : tensor<64x!tt.ptr<i32>>
    %c = tt.load %qp : tensor<64x!tt.ptr<i32>>
    %ak = arith.muli %a, %k : tensor<64xi32>
    %ab = arith.addi %ak, %b : tensor<64xi32>
    tt.store %op, %ab : tensor<64x!tt.ptr<i32>>
    tt.store %far, %c : tensor<64x!tt.ptr<i32>>
)");
  std::vector<std::int32_t> x(64), expected(128);
  for (int i = 0; i < 64; ++i) {
    x[i] = 100 - i;
    expected[i] = (100 - i) * 1000 + 3 * i;
    expected[64 + i] = 4 * i;
  }
  Buffer bx = buffer(x), out = buffer(std::vector<std::int32_t>(128));
  Buffer table = buffer(std::vector<std::uint64_t>{bx.device_address()});
  Stream stream(device_);
  k.launch(stream, {1}, table, bx, out);
  stream.synchronize();
  EXPECT_EQ(values<std::int32_t>(out), expected);
}

// Products of a + b e where e e = 0: nothing is neutral that consists of zeros.
using Dual = std::array<std::uint32_t, 2>;
Dual product(const Dual& x, const Dual& y) { return {x[0] * y[0], x[0] * y[1] + x[1] * y[0]}; }

constexpr const char* kProduct = R"(
    ^bb0(%a1: i32, %b1: i32, %a2: i32, %b2: i32):
      %a = arith.muli %a1, %a2 : i32
      %t = arith.muli %a1, %b2 : i32
      %u = arith.muli %b1, %a2 : i32
      %b = arith.addi %t, %u : i32
)";

std::string pointers(const std::string& name, const std::string& shape) {
  return "    %" + name + "s = tt.splat %" + name + " : !tt.ptr<i32> -> tensor<" + shape +
         "x!tt.ptr<i32>>\n    %" + name + "p = tt.addptr %" + name + "s, %at : tensor<" + shape +
         "x!tt.ptr<i32>>, tensor<" + shape + "xi32>\n";
}

// Along each axis of a tile, all of it or up to column %n.
class Combining : public RulesTest {
 protected:
  void check(int rows, int columns, int axis, int live) {
    const std::string shape = std::to_string(rows) + "x" + std::to_string(columns);
    const int kept = axis == 0 ? columns : rows, length = axis == 0 ? rows : columns;
    const std::string keeps = std::to_string(kept) + "x";
    std::string body = "    %r0 = tt.make_range {end = " + std::to_string(rows) +
                       " : i32, start = 0 : i32} : tensor<" + std::to_string(rows) +
                       "xi32>\n    %r1 = tt.expand_dims %r0 {axis = 1 : i32} : tensor<" +
                       std::to_string(rows) + "xi32> -> tensor<" + std::to_string(rows) +
                       "x1xi32>\n    %wide = arith.constant dense<" + std::to_string(columns) +
                       "> : tensor<" + std::to_string(rows) +
                       "x1xi32>\n    %r2 = arith.muli %r1, %wide : tensor<" + std::to_string(rows) +
                       "x1xi32>\n    %r = tt.broadcast %r2 : tensor<" + std::to_string(rows) +
                       "x1xi32> -> tensor<" + shape + "xi32>\n" +
                       "    %c0 = tt.make_range {end = " + std::to_string(columns) +
                       " : i32, start = 0 : i32} : tensor<" + std::to_string(columns) +
                       "xi32>\n    %c1 = tt.expand_dims %c0 {axis = 0 : i32} : tensor<" +
                       std::to_string(columns) + "xi32> -> tensor<1x" + std::to_string(columns) +
                       "xi32>\n    %c = tt.broadcast %c1 : tensor<1x" + std::to_string(columns) +
                       "xi32> -> tensor<" + shape + "xi32>\n    %at = arith.addi %r, %c : tensor<" +
                       shape + "xi32>\n" + "    %ns = tt.splat %n : i32 -> tensor<" + shape +
                       "xi32>\n    %m = arith.cmpi slt, %c, %ns : tensor<" + shape +
                       "xi32>\n    %two = arith.constant dense<2> : tensor<" + shape + "xi32>\n" +
                       pointers("x", shape) + pointers("y", shape);
    for (const char* name : {"x", "y"})
      body += std::string("    %") + name + "v = tt.load %" + name + "p, %m, %two : tensor<" +
              shape + "x!tt.ptr<i32>>\n";
    body += "    %t:2 = \"tt.reduce\"(%xv, %yv) <{axis = " + std::to_string(axis) + " : i32}> ({" +
            kProduct + "      tt.reduce.return %a, %b : i32, i32\n    }) : (tensor<" + shape +
            "xi32>, tensor<" + shape + "xi32>) -> (tensor<" + keeps + "i32>, tensor<" + keeps +
            "i32>)\n    %k = tt.make_range {end = " + std::to_string(kept) +
            " : i32, start = 0 : i32} : tensor<" + keeps + "i32>\n";
    for (int result : {0, 1}) {
      const std::string name = result == 0 ? "oa" : "ob";
      body += "    %" + name + "s = tt.splat %" + name + " : !tt.ptr<i32> -> tensor<" + keeps +
              "!tt.ptr<i32>>\n    %" + name + "p = tt.addptr %" + name + "s, %k : tensor<" + keeps +
              "!tt.ptr<i32>>, tensor<" + keeps + "i32>\n    tt.store %" + name + "p, %t#" +
              std::to_string(result) + " : tensor<" + keeps + "!tt.ptr<i32>>\n";
    }
    std::vector<std::uint32_t> x, y;
    std::uint32_t state = 12345;
    for (int i = 0; i < rows * columns; ++i) {
      state = state * 1664525 + 1013904223;
      x.push_back((state >> 8) | 1);
      y.push_back(state >> 3);
    }
    Buffer oa(device_, kept * 4), ob(device_, kept * 4);
    Stream stream(device_);
    kernel("%x: !tt.ptr<i32>, %y: !tt.ptr<i32>, %oa: !tt.ptr<i32>, %ob: !tt.ptr<i32>, %n: i32",
           body)
        .launch(stream, {1}, buffer(x), buffer(y), oa, ob, std::int32_t{live});
    stream.synchronize();
    std::vector<std::int32_t> a(kept), b(kept);
    for (int i = 0; i < kept; ++i) {
      const auto element = [&](int k) -> Dual {
        const int row = axis == 0 ? k : i, column = axis == 0 ? i : k;
        if (column >= live) return {2, 2};
        return {x[row * columns + column], y[row * columns + column]};
      };
      Dual sum = element(0);
      for (int k = 1; k < length; ++k) sum = product(element(k), sum);
      a[i] = static_cast<std::int32_t>(sum[0]);
      b[i] = static_cast<std::int32_t>(sum[1]);
    }
    const std::string where =
        shape + " axis " + std::to_string(axis) + " to " + std::to_string(live);
    EXPECT_EQ(values<std::int32_t>(oa), a) << where;
    EXPECT_EQ(values<std::int32_t>(ob), b) << where;
  }
};
INSTANTIATE_TEST_SUITE_P(Devices, Combining, every_device(), name_of);

TEST_P(Combining, StartsFromElementsAndTakesAllOperandsOfEach) {
  for (const auto& [rows, columns] : {std::pair{2, 64}, {8, 32}, {64, 4}, {1, 1024}, {16, 16}})
    for (const int axis : {0, 1})
      for (const int live : {columns, columns / 2 + 1}) check(rows, columns, axis, live);
}

}  // namespace
}  // namespace tritonrt
