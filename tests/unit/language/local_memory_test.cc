// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Programs that need more memory than the device has for one, and memory that work-items share: its
// banks, and registers that they read.

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "tests/unit/device_test.h"

namespace tritonrt {
namespace {

class LocalMemoryTest : public DeviceTest {
 protected:
  // Pointers of `rows` x `cols` elements of one program at %base, as %NAME.
  static std::string pointers(const std::string& name, const std::string& base, int rows,
                              int cols) {
    const std::string shape = std::to_string(rows) + "x" + std::to_string(cols);
    const std::string column = std::to_string(rows) + "x1", row = "1x" + std::to_string(cols);
    const auto line = [&](const std::string& result, const std::string& rest) {
      return "    %" + name + result + " = " + rest + "\n";
    };
    const std::string own = "%" + name;
    return line("_r", "tt.make_range {end = " + std::to_string(rows) +
                          " : i32, start = 0 : i32} : tensor<" + std::to_string(rows) + "xi32>") +
           line("_c", "tt.make_range {end = " + std::to_string(cols) +
                          " : i32, start = 0 : i32} : tensor<" + std::to_string(cols) + "xi32>") +
           line("_r1", "tt.expand_dims " + own + "_r {axis = 1 : i32} : tensor<" +
                           std::to_string(rows) + "xi32> -> tensor<" + column + "xi32>") +
           line("_c1", "tt.expand_dims " + own + "_c {axis = 0 : i32} : tensor<" +
                           std::to_string(cols) + "xi32> -> tensor<" + row + "xi32>") +
           line("_w",
                "arith.constant dense<" + std::to_string(cols) + "> : tensor<" + column + "xi32>") +
           line("_r2", "arith.muli " + own + "_r1, " + own + "_w : tensor<" + column + "xi32>") +
           line("_r3", "tt.broadcast " + own + "_r2 : tensor<" + column + "xi32> -> tensor<" +
                           shape + "xi32>") +
           line("_c3", "tt.broadcast " + own + "_c1 : tensor<" + row + "xi32> -> tensor<" + shape +
                           "xi32>") +
           line("_o", "arith.addi " + own + "_r3, " + own + "_c3 : tensor<" + shape + "xi32>") +
           line("_s",
                "tt.splat " + base + " : !tt.ptr<f32> -> tensor<" + shape + "x!tt.ptr<f32>>") +
           line("", "tt.addptr " + own + "_s, " + own + "_o : tensor<" + shape +
                        "x!tt.ptr<f32>>, tensor<" + shape + "xi32>");
  }

  Buffer upload(const std::vector<float>& values) {
    return Buffer::from_host(device_, values.data(), values.size() * sizeof(float));
  }
};
INSTANTIATE_TEST_SUITE_P(Devices, LocalMemoryTest, every_device(), name_of);

// More programs than run at a time, where the operands have no room in local memory.
TEST_P(LocalMemoryTest, ProductsWithoutLocalMemory) {
  constexpr int kSize = 32, kTile = kSize * kSize, kPrograms = 9000;
  const std::string tile = "tensor<32x32xf32>", tiles = "tensor<32x32x!tt.ptr<f32>>";
  CompileOptions options;
  if (std::string(GetParam().device) != "cpu") options.extra["target.local_bytes"] = "2048";
  const Kernel product = Kernel::from_source(
      "module {\n  tt.func public @k(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>, %out: !tt.ptr<f32>) {\n"
      "    %pid = tt.get_program_id x : i32\n"
      "    %size = arith.constant 1024 : i32\n"
      "    %start = arith.muli %pid, %size : i32\n"
      "    %from = tt.addptr %x, %start : !tt.ptr<f32>, i32\n"
      "    %to = tt.addptr %out, %start : !tt.ptr<f32>, i32\n" +
          pointers("a", "%from", kSize, kSize) + pointers("b", "%y", kSize, kSize) +
          pointers("c", "%to", kSize, kSize) + "    %zero = arith.constant dense<0.0> : " + tile +
          "\n    %av = tt.load %a : " + tiles + "\n    %bv = tt.load %b : " + tiles +
          "\n    %p = tt.dot %av, %bv, %zero, inputPrecision = ieee : " + tile + " * " + tile +
          " -> " + tile + "\n    %t = tt.trans %p {order = array<i32: 1, 0>} : " + tile + " -> " +
          tile + "\n    tt.store %c, %t : " + tiles + "\n    tt.return\n  }\n}\n",
      options);
  std::vector<float> x(std::size_t{kTile} * kPrograms), y(kTile), out(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i * 7 % 13) - 6;
  for (int i = 0; i < kTile; ++i) y[i] = static_cast<float>(i * 5 % 11) - 5;
  Stream stream(device_);
  Buffer bx = upload(x), by = upload(y), bout = upload(out);
  product.launch(stream, {kPrograms}, bx, by, bout);
  stream.synchronize();
  bout.copy_to_host(out.data(), out.size() * sizeof(float));
  for (const int p : {0, 1, kPrograms / 2, kPrograms - 1})
    for (int i = 0; i < kSize; ++i)
      for (int j = 0; j < kSize; ++j) {
        int sum = 0;
        for (int k = 0; k < kSize; ++k)
          sum += static_cast<int>(x[std::size_t{kTile} * p + j * kSize + k]) *
                 static_cast<int>(y[k * kSize + i]);
        ASSERT_EQ(out[std::size_t{kTile} * p + i * kSize + j], static_cast<float>(sum))
            << p << " " << i << " " << j;
      }
}

// Rows that lie apart, so that the items that walk down a column do not wait for each other.
TEST_P(LocalMemoryTest, RowsOfTransposedTilesHaveGaps) {
  constexpr int kSize = 64, kPrograms = 3, kTile = kSize * kSize;
  for (const char* type : {"f32", "f16", "i64"}) {
    const std::string element = type, shape = "tensor<64x64x";
    const std::string tile = shape + element + ">";
    CompileOptions options;
    if (std::string(GetParam().device) != "cpu") options.extra["target.banks"] = "1";
    const std::string text =
        "module {\n  tt.func public @k(%x: !tt.ptr<f32>, %out: !tt.ptr<f32>) {\n"
        "    %pid = tt.get_program_id x : i32\n"
        "    %size = arith.constant 4096 : i32\n"
        "    %start = arith.muli %pid, %size : i32\n"
        "    %from = tt.addptr %x, %start : !tt.ptr<f32>, i32\n"
        "    %to = tt.addptr %out, %start : !tt.ptr<f32>, i32\n" +
        pointers("a", "%from", kSize, kSize) + pointers("c", "%to", kSize, kSize) +
        "    %v = tt.load %a : " + shape + "!tt.ptr<f32>>\n" +
        (element == "f32"   ? "    %w = arith.addf %v, %v : " + tile + "\n"
         : element == "f16" ? "    %w = arith.truncf %v : " + shape + "f32> to " + tile + "\n"
                            : "    %w = arith.fptosi %v : " + shape + "f32> to " + tile + "\n") +
        "    %t = tt.trans %w {order = array<i32: 1, 0>} : " + tile + " -> " + tile + "\n" +
        (element == "f32"   ? "    %r = arith.addf %t, %t : " + tile + "\n"
         : element == "f16" ? "    %r = arith.extf %t : " + tile + " to " + shape + "f32>\n"
                            : "    %r = arith.sitofp %t : " + tile + " to " + shape + "f32>\n") +
        "    tt.store %c, %r : " + shape + "!tt.ptr<f32>>\n    tt.return\n  }\n}\n";
    const Kernel transposed = Kernel::from_source(text, options);
    std::vector<float> x(std::size_t{kTile} * kPrograms), out(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i % 2039);
    Stream stream(device_);
    Buffer bx = upload(x), bout = upload(out);
    transposed.launch(stream, {kPrograms}, bx, bout);
    stream.synchronize();
    bout.copy_to_host(out.data(), out.size() * sizeof(float));
    const float scale = element == "f32" ? 4.0f : 1.0f;
    for (int p = 0; p < kPrograms; ++p)
      for (int i = 0; i < kSize; ++i)
        for (int j = 0; j < kSize; ++j)
          ASSERT_EQ(out[kTile * p + i * kSize + j], scale * x[kTile * p + j * kSize + i])
              << type << " " << p << " " << i << " " << j;
  }
}

// In place: all is read before anything is written.
TEST_P(LocalMemoryTest, ATransposedTileOfFourMegabytes) {
  constexpr int kSize = 1024;
  const std::string tile = "tensor<1024x1024xf32>", tiles = "tensor<1024x1024x!tt.ptr<f32>>";
  const Kernel transposed = kernel(
      "%x: !tt.ptr<f32>", pointers("a", "%x", kSize, kSize) + "    %v = tt.load %a : " + tiles +
                              "\n    %t = tt.trans %v {order = array<i32: 1, 0>} : " + tile +
                              " -> " + tile + "\n    tt.store %a, %t : " + tiles + "\n");
  std::vector<float> x(kSize * kSize);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i);
  Stream stream(device_);
  Buffer buffer = upload(x);
  transposed.launch(stream, {1}, buffer);
  stream.synchronize();
  buffer.copy_to_host(x.data(), x.size() * sizeof(float));
  for (int i = 0; i < kSize; ++i)
    for (int j = 0; j < kSize; ++j)
      ASSERT_EQ(x[i * kSize + j], static_cast<float>(j * kSize + i)) << i << " " << j;
}

// Rows are summed in registers of a sub-group, by either vendor's functions.
TEST_P(LocalMemoryTest, ItemsReadEachOthersRegisters) {
  if (std::string(GetParam().name) != "opencl_simt" || !device_.info().sub_groups)
    GTEST_SKIP() << "no sub-groups";
  constexpr int kRows = 32, kCols = 64;
  const std::string tile = "tensor<32x64xf32>", tiles = "tensor<32x64x!tt.ptr<f32>>";
  for (const char* way : {"khr", "intel"}) {
    CompileOptions options;
    options.extra["target.shuffle"] = way;
    const Kernel sums = Kernel::from_source(
        "module {\n  tt.func public @k(%x: !tt.ptr<f32>, %out: !tt.ptr<f32>) {\n" +
            pointers("a", "%x", kRows, kCols) + "    %v = tt.load %a : " + tiles +
            "\n    %s = \"tt.reduce\"(%v) <{axis = 1 : i32}> ({\n"
            "    ^bb0(%l: f32, %r: f32):\n"
            "      %t = arith.addf %l, %r : f32\n"
            "      tt.reduce.return %t : f32\n"
            "    }) : (" +
            tile +
            ") -> tensor<32xf32>\n"
            "    %p = tt.splat %out : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>>\n"
            "    %q = tt.addptr %p, %a_r : tensor<32x!tt.ptr<f32>>, tensor<32xi32>\n"
            "    tt.store %q, %s : tensor<32x!tt.ptr<f32>>\n    tt.return\n  }\n}\n",
        options);
    std::vector<float> x(kRows * kCols), out(kRows);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i % 97);
    Stream stream(device_);
    Buffer bx = upload(x), bout = upload(out);
    sums.launch(stream, {1}, bx, bout);
    stream.synchronize();
    bout.copy_to_host(out.data(), out.size() * sizeof(float));
    for (int i = 0; i < kRows; ++i) {
      float sum = 0;
      for (int j = 0; j < kCols; ++j) sum += x[i * kCols + j];
      ASSERT_EQ(out[i], sum) << way << " " << i;
    }
  }
}

// What is read once and needed again once the largest product is known.
TEST_P(LocalMemoryTest, KeptTilesOfEightMegabytes) {
  constexpr int kSize = 1024;
  const std::string tile = "tensor<1024x1024xf32>", tiles = "tensor<1024x1024x!tt.ptr<f32>>";
  const std::string row = "tensor<1048576xf32>";
  const Kernel shifted = kernel(
      "%x: !tt.ptr<f32>, %y: !tt.ptr<f32>",
      pointers("a", "%x", kSize, kSize) + pointers("b", "%y", kSize, kSize) +
          "    %u = tt.load %a : " + tiles + "\n    %v = tt.load %b : " + tiles +
          "\n    %p = arith.mulf %u, %v : " + tile + "\n    %flat = tt.reshape %p : " + tile +
          " -> " + row +
          "\n    %most = \"tt.reduce\"(%flat) <{axis = 0 : i32}> ({\n"
          "    ^bb0(%l: f32, %r: f32):\n"
          "      %m = arith.maxnumf %l, %r : f32\n"
          "      tt.reduce.return %m : f32\n"
          "    }) : (" +
          row + ") -> f32\n    %s = tt.splat %most : f32 -> " + tile +
          "\n    %d = arith.subf %u, %s : " + tile + "\n    %e = arith.addf %v, %s : " + tile +
          "\n    tt.store %a, %e : " + tiles + "\n    tt.store %b, %d : " + tiles + "\n");
  std::vector<float> x(kSize * kSize), y(x.size());
  float most = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = static_cast<float>(i * 31 % 1021);
    y[i] = static_cast<float>(i * 17 % 509);
    most = std::max(most, x[i] * y[i]);
  }
  std::vector<float> gx(x.size()), gy(x.size());
  Stream stream(device_);
  Buffer bx = upload(x), by = upload(y);
  shifted.launch(stream, {1}, bx, by);
  stream.synchronize();
  bx.copy_to_host(gx.data(), gx.size() * sizeof(float));
  by.copy_to_host(gy.data(), gy.size() * sizeof(float));
  for (std::size_t i = 0; i < x.size(); ++i) {
    ASSERT_EQ(gx[i], y[i] + most) << i;
    ASSERT_EQ(gy[i], x[i] - most) << i;
  }
}

}  // namespace
}  // namespace tritonrt
