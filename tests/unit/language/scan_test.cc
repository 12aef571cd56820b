// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Scans of more elements than a program has work-items, and of fewer, by regions that do not
// commute.

#include <cstdint>
#include <string>
#include <vector>

#include "tests/unit/device_test.h"

namespace tritonrt {
namespace {

struct Shape {
  int rows, cols;
};

class ScanTest : public DeviceTest {
 protected:
  static std::string tensor(const Shape& shape, const std::string& element) {
    return "tensor<" + std::to_string(shape.rows) + "x" + std::to_string(shape.cols) + "x" +
           element + ">";
  }

  // %at: the number of each element of a tile.
  static std::string numbers(const Shape& shape) {
    const std::string rows = std::to_string(shape.rows), cols = std::to_string(shape.cols);
    const std::string column = "tensor<" + rows + "x1xi32>", row = "tensor<1x" + cols + "xi32>";
    const std::string tile = tensor(shape, "i32");
    return "    %r0 = tt.make_range {end = " + rows + " : i32, start = 0 : i32} : tensor<" + rows +
           "xi32>\n    %r1 = tt.expand_dims %r0 {axis = 1 : i32} : tensor<" + rows + "xi32> -> " +
           column + "\n    %w = arith.constant dense<" + cols + "> : " + column +
           "\n    %r2 = arith.muli %r1, %w : " + column +
           "\n    %r3 = tt.broadcast %r2 : " + column + " -> " + tile +
           "\n    %c0 = tt.make_range {end = " + cols + " : i32, start = 0 : i32} : tensor<" +
           cols + "xi32>\n    %c1 = tt.expand_dims %c0 {axis = 0 : i32} : tensor<" + cols +
           "xi32> -> " + row + "\n    %c2 = tt.broadcast %c1 : " + row + " -> " + tile +
           "\n    %at = arith.addi %r3, %c2 : " + tile + "\n";
  }

  // %NAME: where the tile lies in the argument of that name.
  static std::string pointers(const std::string& name, const Shape& shape) {
    const std::string type = tensor(shape, "!tt.ptr<i32>");
    return "    %" + name + "s = tt.splat %" + name + " : !tt.ptr<i32> -> " + type + "\n    %" +
           name + "p = tt.addptr %" + name + "s, %at : " + type + ", " + tensor(shape, "i32") +
           "\n";
  }
  static std::string load(const std::string& name, const Shape& shape) {
    return pointers(name, shape) + "    %" + name + "v = tt.load %" + name +
           "p : " + tensor(shape, "!tt.ptr<i32>") + "\n";
  }
  static std::string store(const std::string& name, const std::string& value, const Shape& shape) {
    return pointers(name, shape) + "    tt.store %" + name + "p, " + value + " : " +
           tensor(shape, "!tt.ptr<i32>") + "\n";
  }

  // h = a * (what came before) + b, in 32 bits that wrap around, and with it the product of all a.
  static std::string affine(const std::string& name, const Shape& shape, int axis, bool reverse) {
    const std::string tile = tensor(shape, "i32");
    return "    %" + name + ":2 = \"tt.scan\"(%av, %bv) <{axis = " + std::to_string(axis) +
           " : i32, reverse = " + (reverse ? "true" : "false") +
           "}> ({\n"
           "    ^bb0(%a1: i32, %b1: i32, %a2: i32, %b2: i32):\n"
           "      %p = arith.muli %a1, %a2 : i32\n"
           "      %q = arith.muli %a2, %b1 : i32\n"
           "      %s = arith.addi %q, %b2 : i32\n"
           "      tt.scan.return %p, %s : i32, i32\n"
           "    }) : (" +
           tile + ", " + tile + ") -> (" + tile + ", " + tile + ")\n";
  }

  static std::vector<std::int32_t> affine_of(const std::vector<std::int32_t>& a,
                                             const std::vector<std::int32_t>& b, const Shape& shape,
                                             int axis, bool reverse) {
    std::vector<std::int32_t> h(a.size());
    const int lines = axis == 0 ? shape.cols : shape.rows;
    const int length = axis == 0 ? shape.rows : shape.cols;
    for (int line = 0; line < lines; ++line) {
      std::uint32_t before = 0;
      for (int k = 0; k < length; ++k) {
        const int at = reverse ? length - 1 - k : k;
        const std::size_t i =
            axis == 0 ? std::size_t(at) * shape.cols + line : std::size_t(line) * shape.cols + at;
        before = static_cast<std::uint32_t>(a[i]) * before + static_cast<std::uint32_t>(b[i]);
        h[i] = static_cast<std::int32_t>(before);
      }
    }
    return h;
  }
};
INSTANTIATE_TEST_SUITE_P(Devices, ScanTest, every_device(), name_of);

TEST_P(ScanTest, OrderHoldsAlongBothAxesAndBothWays) {
  const struct {
    Shape shape;
    int warps;
  } cases[] = {{{1, 4096}, 4}, {{1, 1024}, 16}, {{4, 512}, 1}, {{128, 32}, 4}, {{8, 16}, 4}};
  for (const auto& [shape, warps] : cases) {
    SCOPED_TRACE(std::to_string(shape.rows) + " x " + std::to_string(shape.cols) + ", " +
                 std::to_string(warps) + " warps");
    std::string body = numbers(shape) + load("a", shape) + load("b", shape);
    const char* outputs[] = {"u", "v", "w0", "x"};
    for (int which = 0; which < 4; ++which) {
      const std::string name = "h" + std::to_string(which);
      body += affine(name, shape, which / 2, which % 2 != 0) +
              store(outputs[which], "%" + name + "#1", shape);
    }
    CompileOptions options;
    options.num_warps = warps;
    const Kernel scans = Kernel::from_source(
        "module {\n  tt.func public @k(%a: !tt.ptr<i32>, %b: !tt.ptr<i32>, %u: !tt.ptr<i32>, "
        "%v: !tt.ptr<i32>, %w0: !tt.ptr<i32>, %x: !tt.ptr<i32>) {\n" +
            body + "    tt.return\n  }\n}\n",
        options);
    std::vector<std::int32_t> a(std::size_t(shape.rows) * shape.cols), b(a.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
      a[i] = static_cast<std::int32_t>(i * 2654435761u >> 7 | 1u);
      b[i] = static_cast<std::int32_t>(i * 40503u ^ 0x5bd1e995u);
    }
    Stream stream(device_);
    Buffer ba = buffer(a), bb = buffer(b);
    Buffer h[] = {buffer(b), buffer(b), buffer(b), buffer(b)};
    scans.launch(stream, {1}, ba, bb, h[0], h[1], h[2], h[3]);
    stream.synchronize();
    for (int which = 0; which < 4; ++which)
      EXPECT_EQ(values<std::int32_t>(h[which]), affine_of(a, b, shape, which / 2, which % 2 != 0))
          << "axis " << which / 2 << (which % 2 != 0 ? ", reverse" : "");
  }
}

// The last number that is not 0: nothing is neutral to it. A sum of the same numbers runs beside.
TEST_P(ScanTest, ARegionOfNoNeutralElementBesideAReduction) {
  for (const Shape& shape : {Shape{4, 2048}, Shape{64, 64}, Shape{2, 16}}) {
    SCOPED_TRACE(std::to_string(shape.rows) + " x " + std::to_string(shape.cols));
    const std::string tile = tensor(shape, "i32");
    const std::string rows = std::to_string(shape.rows);
    const Kernel last =
        kernel("%a: !tt.ptr<i32>, %u: !tt.ptr<i32>, %sums: !tt.ptr<i32>",
               numbers(shape) + load("a", shape) +
                   "    %l = \"tt.scan\"(%av) <{axis = 1 : i32, reverse = false}> ({\n"
                   "    ^bb0(%early: i32, %late: i32):\n"
                   "      %zero = arith.constant 0 : i32\n"
                   "      %none = arith.cmpi eq, %late, %zero : i32\n"
                   "      %kept = arith.select %none, %early, %late : i32\n"
                   "      tt.scan.return %kept : i32\n"
                   "    }) : (" +
                   tile + ") -> " + tile +
                   "\n    %s = \"tt.reduce\"(%av) <{axis = 1 : i32}> ({\n"
                   "    ^bb0(%l0: i32, %r: i32):\n"
                   "      %t = arith.addi %l0, %r : i32\n"
                   "      tt.reduce.return %t : i32\n"
                   "    }) : (" +
                   tile + ") -> tensor<" + rows + "xi32>\n" + store("u", "%l", shape) +
                   "    %o = tt.splat %sums : !tt.ptr<i32> -> tensor<" + rows +
                   "x!tt.ptr<i32>>\n    %op = tt.addptr %o, %r0 : tensor<" + rows +
                   "x!tt.ptr<i32>>, tensor<" + rows + "xi32>\n    tt.store %op, %s : tensor<" +
                   rows + "x!tt.ptr<i32>>\n");
    std::vector<std::int32_t> a(std::size_t(shape.rows) * shape.cols), expected(a.size());
    std::vector<std::int32_t> sums(shape.rows);
    for (std::size_t i = 0; i < a.size(); ++i)
      a[i] = i * 2654435761u % 5u == 0 ? static_cast<std::int32_t>(i * 7u % 1000u) - 500 : 0;
    for (int r = 0; r < shape.rows; ++r) {
      std::int32_t before = 0;
      for (int c = 0; c < shape.cols; ++c) {
        const std::int32_t value = a[std::size_t(r) * shape.cols + c];
        sums[r] += value;
        before = value != 0 ? value : before;
        expected[std::size_t(r) * shape.cols + c] = before;
      }
    }
    Stream stream(device_);
    Buffer ba = buffer(a), bu = buffer(a), bs = buffer(sums);
    last.launch(stream, {1}, ba, bu, bs);
    stream.synchronize();
    EXPECT_EQ(values<std::int32_t>(bu), expected);
    EXPECT_EQ(values<std::int32_t>(bs), sums);
  }
}

}  // namespace
}  // namespace tritonrt
