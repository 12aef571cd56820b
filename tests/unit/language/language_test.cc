// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <bit>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "tests/unit/device_test.h"

namespace tritonrt {
namespace {

constexpr int kCount = 64;

// The text of a pointer tensor %NAME over `count` elements of %POINTER.
std::string pointers(const std::string& name, const std::string& pointer, const std::string& type,
                     int count) {
  const std::string n = std::to_string(count);
  return "    %" + name + "_r = tt.make_range {end = " + n + " : i32, start = 0 : i32} : tensor<" +
         n + "xi32>\n    %" + name + "_s = tt.splat %" + pointer + " : !tt.ptr<" + type +
         "> -> tensor<" + n + "x!tt.ptr<" + type + ">>\n    %" + name + " = tt.addptr %" + name +
         "_s, %" + name + "_r : tensor<" + n + "x!tt.ptr<" + type + ">>, tensor<" + n + "xi32>\n";
}

// %NAME = the elements behind %POINTER.
std::string load(const std::string& name, const std::string& pointer, const std::string& type,
                 int count = kCount) {
  return pointers(name + "_p", pointer, type, count) + "    %" + name + " = tt.load %" + name +
         "_p : tensor<" + std::to_string(count) + "x!tt.ptr<" + type + ">>\n";
}

std::string store(const std::string& name, const std::string& pointer, const std::string& type,
                  int count = kCount) {
  return pointers(name + "_q", pointer, type, count) + "    tt.store %" + name + "_q, %" + name +
         " : tensor<" + std::to_string(count) + "x!tt.ptr<" + type + ">>\n";
}

class LanguageTest : public DeviceTest {
 protected:
  // What the body leaves in %out, `count` elements, given %x and %y of the same count.
  template <typename Out, typename In>
  std::vector<Out> run(const std::string& in_type, const std::string& out_type,
                       const std::string& body, const std::vector<In>& x, const std::vector<In>& y,
                       std::size_t count = kCount) {
    Buffer bx = buffer(x), by = buffer(y), out = buffer(std::vector<Out>(count));
    const Kernel k = kernel("%px: !tt.ptr<" + in_type + ">, %py: !tt.ptr<" + in_type +
                                ">, %po: !tt.ptr<" + out_type + ">",
                            load("x", "px", in_type, static_cast<int>(x.size())) +
                                load("y", "py", in_type, static_cast<int>(y.size())) + body);
    Stream stream(device_);
    k.launch(stream, {1}, bx, by, out);
    stream.synchronize();
    return values<Out>(out);
  }
};

std::vector<std::int32_t> numbers(int first, int step) {
  std::vector<std::int32_t> result(kCount);
  for (int i = 0; i < kCount; ++i) result[i] = first + i * step;
  return result;
}

TEST_P(LanguageTest, BranchesAndLoopsInTheRegionOfAReduction) {
  // The larger of two, and its count as a second operand, found by a branch and a loop.
  const std::string body = R"(
    %one = arith.constant dense<1> : tensor<64xi32>
    %r:2 = "tt.reduce"(%x, %one) <{axis = 0 : i32}> ({
    ^bb0(%a: i32, %an: i32, %b: i32, %bn: i32):
      %c = arith.cmpi sgt, %a, %b : i32
      %m = scf.if %c -> (i32) {
        scf.yield %a : i32
      } else {
        scf.yield %b : i32
      }
      %c0 = arith.constant 0 : i32
      %c1 = arith.constant 1 : i32
      %n = scf.for %i = %c0 to %an step %c1 iter_args(%s = %bn) -> (i32) : i32 {
        %t = arith.addi %s, %c1 : i32
        scf.yield %t : i32
      }
      tt.reduce.return %m, %n : i32, i32
    }) : (tensor<64xi32>, tensor<64xi32>) -> (i32, i32)
    tt.store %po, %r#0 : !tt.ptr<i32>
    %c1 = arith.constant 1 : i32
    %q = tt.addptr %po, %c1 : !tt.ptr<i32>, i32
    tt.store %q, %r#1 : !tt.ptr<i32>
)";
  std::vector<std::int32_t> x = numbers(-100, 3);
  std::swap(x[17], x[63]);
  const auto got = run<std::int32_t>("i32", "i32", body, x, x, 2);
  EXPECT_EQ(got, (std::vector<std::int32_t>{-100 + 63 * 3, kCount}));
}

TEST_P(LanguageTest, BranchesInTheRegionOfAScan) {
  const std::string body = R"(
    %r = "tt.scan"(%x) <{axis = 0 : i32, reverse = false}> ({
    ^bb0(%a: i32, %b: i32):
      %c = arith.cmpi slt, %a, %b : i32
      %m = scf.if %c -> (i32) {
        scf.yield %a : i32
      } else {
        scf.yield %b : i32
      }
      tt.scan.return %m : i32
    }) : (tensor<64xi32>) -> tensor<64xi32>
)" + store("r", "po", "i32");
  std::vector<std::int32_t> x(kCount), least(kCount);
  for (int i = 0; i < kCount; ++i) x[i] = (i * 37 + 11) % 64 - i;
  for (int i = 0; i < kCount; ++i) least[i] = i == 0 ? x[0] : std::min(least[i - 1], x[i]);
  EXPECT_EQ(run<std::int32_t>("i32", "i32", body, x, x), least);
}

TEST_P(LanguageTest, LoopsOfElements) {
  // Steps of x -> x / 2 or 3 x + 1 until 1, of numbers 1 to 64.
  const std::string body = R"(
    %r = "tt.map_elementwise"(%x) <{pack = 1 : i32}> ({
    ^bb0(%a: i32):
      %c0 = arith.constant 0 : i32
      %c1 = arith.constant 1 : i32
      %c3 = arith.constant 3 : i32
      %w:2 = scf.while (%v = %a, %n = %c0) : (i32, i32) -> (i32, i32) {
        %c = arith.cmpi ne, %v, %c1 : i32
        scf.condition(%c) %v, %n : i32, i32
      } do {
      ^bb0(%v: i32, %n: i32):
        %odd = arith.andi %v, %c1 : i32
        %is = arith.cmpi ne, %odd, %c0 : i32
        %next = scf.if %is -> (i32) {
          %t = arith.muli %v, %c3 : i32
          %u = arith.addi %t, %c1 : i32
          scf.yield %u : i32
        } else {
          %h = arith.shrsi %v, %c1 : i32
          scf.yield %h : i32
        }
        %m = arith.addi %n, %c1 : i32
        scf.yield %next, %m : i32, i32
      }
      tt.map_elementwise.return %w#1 : i32
    }) : (tensor<64xi32>) -> tensor<64xi32>
)" + store("r", "po", "i32");
  const std::vector<std::int32_t> x = numbers(1, 1);
  std::vector<std::int32_t> steps(kCount);
  for (int i = 0; i < kCount; ++i)
    for (int v = x[i]; v != 1; v = v % 2 != 0 ? 3 * v + 1 : v / 2) ++steps[i];
  EXPECT_EQ(run<std::int32_t>("i32", "i32", body, x, x), steps);
}

TEST_P(LanguageTest, PacksOfElements) {
  const std::string body = R"(
    %r = "tt.map_elementwise"(%x, %y) <{pack = 4 : i32}> ({
    ^bb0(%a0: i32, %a1: i32, %a2: i32, %a3: i32, %b0: i32, %b1: i32, %b2: i32, %b3: i32):
      %s0 = arith.addi %a0, %a1 : i32
      %s1 = arith.subi %a2, %b0 : i32
      %s2 = arith.muli %a3, %b3 : i32
      tt.map_elementwise.return %s0, %s1, %s2, %b2 : i32, i32, i32, i32
    }) : (tensor<64xi32>, tensor<64xi32>) -> tensor<64xi32>
)" + store("r", "po", "i32");
  const std::vector<std::int32_t> x = numbers(5, 7), y = numbers(-9, 2);
  std::vector<std::int32_t> expected(kCount);
  for (int i = 0; i < kCount; i += 4) {
    expected[i] = x[i] + x[i + 1];
    expected[i + 1] = x[i + 2] - y[i];
    expected[i + 2] = x[i + 3] * y[i + 3];
    expected[i + 3] = y[i + 2];
  }
  EXPECT_EQ(run<std::int32_t>("i32", "i32", body, x, y), expected);
}

std::string assembly(const std::string& code, const std::string& constraints, int pack,
                     const std::string& operands, const std::string& types) {
  return "    %r = tt.elementwise_inline_asm \"" + code + "\" {constraints = \"" + constraints +
         "\", packed_element = " + std::to_string(pack) + " : i32, pure = true} " + operands +
         " : " + types + "\n";
}

TEST_P(LanguageTest, AssemblyOfIntegers) {
  // Bits 3 to 8 of x in the place of those of y, times 3, with the bytes turned round.
  const std::string code =
      "{ .reg .b32 t<3>; bfe.u32 t0, $1, 3, 6; // a field\\n bfi.b32 t1, t0, $2, 3, 6;\\n"
      "mad.lo.s32 t2, t1, 3, -7; prmt.b32 $0, t2, 0, 0x0123; }";
  const std::string body =
      assembly(code, "=r,r,r", 1, "%x, %y", "tensor<64xi32>, tensor<64xi32> -> tensor<64xi32>") +
      store("r", "po", "i32");
  const std::vector<std::int32_t> x = numbers(-1000, 77777), y = numbers(123456, -9999);
  std::vector<std::int32_t> expected(kCount);
  for (int i = 0; i < kCount; ++i) {
    const std::uint32_t field = static_cast<std::uint32_t>(x[i]) >> 3 & 63;
    std::uint32_t t = (static_cast<std::uint32_t>(y[i]) & ~(63u << 3)) | field << 3;
    t = t * 3 - 7;
    expected[i] = static_cast<std::int32_t>(__builtin_bswap32(t));
  }
  EXPECT_EQ(run<std::int32_t>("i32", "i32", body, x, y), expected);
}

TEST_P(LanguageTest, AssemblyConvertsAsPtxDoes) {
  const std::string body =
      assembly("cvt.rzi.s32.f32 $0, $1;", "=r,f", 1, "%x", "tensor<64xf32> -> tensor<64xi32>") +
      store("r", "po", "i32");
  std::vector<float> x(kCount);
  for (int i = 0; i < kCount; ++i) x[i] = (i - 30) * 1.75f;
  x[0] = std::numeric_limits<float>::quiet_NaN();
  x[1] = 3e9f;
  x[2] = -std::numeric_limits<float>::infinity();
  std::vector<std::int32_t> expected(kCount);
  for (int i = 3; i < kCount; ++i) expected[i] = static_cast<std::int32_t>(x[i]);
  expected[1] = std::numeric_limits<std::int32_t>::max();
  expected[2] = std::numeric_limits<std::int32_t>::min();
  EXPECT_EQ((run<std::int32_t>("f32", "i32", body, x, x)), expected);

  const std::string tf32 =
      assembly("cvt.rna.tf32.f32 $0, $1;", "=r,r", 1, "%x", "tensor<64xf32> -> tensor<64xf32>") +
      store("r", "po", "f32");
  for (int i = 0; i < kCount; ++i) x[i] = 1.0f + i * std::ldexp(1.0f, -12);
  const std::vector<float> got = run<float>("f32", "f32", tf32, x, x);
  // Ten bits of fraction; i / 4 of their last place, halves up.
  for (int i = 0; i < kCount; ++i)
    EXPECT_EQ(got[i], 1.0f + std::floor(i / 4.0f + 0.5f) * std::ldexp(1.0f, -10)) << i;
}

// The format with a bias of 15 that Triton converts by assembly of its own.
float decode_e4m3b15(unsigned byte) {
  const unsigned exponent = byte >> 3 & 15, fraction = byte & 7;
  const float magnitude = exponent == 0
                              ? std::ldexp(static_cast<float>(fraction), -17)
                              : std::ldexp(8.0f + fraction, static_cast<int>(exponent) - 18);
  return byte & 128 ? -magnitude : magnitude;
}

TEST_P(LanguageTest, AssemblyOfPackedBytes) {
  // Four bytes become four halves.
  const std::string code =
      "{ .reg .b32 a<2>, b<2>;\\n prmt.b32 a0, 0, $2, 0x5746;\\n and.b32 b0, a0, 0x7f007f00;\\n"
      " and.b32 b1, a0, 0x00ff00ff;\\n and.b32 a1, a0, 0x00800080;\\n shr.b32 b0, b0, 1;\\n"
      " add.u32 b1, b1, a1;\\n lop3.b32 $0, b0, 0x80008000, a0, 0xf8;\\n shl.b32 $1, b1, 7;\\n }";
  const std::string wide = "    %w = arith.extf %r : tensor<256xf16> to tensor<256xf32>\n";
  const std::string body = assembly(code, "=r,=r,r", 4, "%x", "tensor<256xi8> -> tensor<256xf16>") +
                           wide + store("w", "po", "f32", 256);
  std::vector<std::uint8_t> x(256);
  for (unsigned i = 0; i < 256; ++i) x[i] = static_cast<std::uint8_t>(i * 7 + 3);
  const std::vector<float> got = run<float>("i8", "f32", body, x, x, 256);
  for (unsigned i = 0; i < 256; ++i) EXPECT_EQ(got[i], decode_e4m3b15(x[i])) << int(x[i]);
}

TEST_P(LanguageTest, AssemblyThatIsNotKnownIsNamed) {
  const Kernel k = kernel("%p: !tt.ptr<i32>", "    %x = tt.load %p : !tt.ptr<i32>\n" +
                                                  assembly("vadd4.u32.u32.u32 $0, $1, $1, $1;",
                                                           "=r,r", 1, "%x", "i32 -> i32") +
                                                  "    tt.store %p, %r : !tt.ptr<i32>\n");
  try {
    k.prepare(device_);
    ADD_FAILURE() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_NE(error.message().find(":4:"), std::string::npos) << error.message();
    EXPECT_NE(error.message().find("vadd4.u32.u32.u32 $0, $1, $1, $1"), std::string::npos)
        << error.message();
  }
}

TEST_P(LanguageTest, AssemblyThatIsMalformedIsRefused) {
  if (std::string(GetParam().name) != "cpu") GTEST_SKIP() << "the same for every device";
  for (const char* code :
       {"mov.b32 {, $1;", "mov.b32 $0, {};", "mov.b32 $0, {$1};", "mov.b32 {}, $1;", "mov.b32 $0",
        "mul.lo.s32 $0, $1;", "setp $0, $1, $1;", "setp.lt $0, $1, $1;", "add.b7 $0, $1, $1;",
        "bfe.u32 $0, $1, 40, 40;", "@p add.s32 $0, $1, $1;", "add.s32 $0, $1, $7;", ".;", "add;",
        "cvt.s32 $0, $1;", "lop3.b32 $0, $1, $1;", "prmt.b32 $0, $1;", "bra end;", "};{"}) {
    const Kernel k = kernel("%p: !tt.ptr<i32>", "    %x = tt.load %p : !tt.ptr<i32>\n" +
                                                    assembly(code, "=r,r", 1, "%x", "i32 -> i32") +
                                                    "    tt.store %p, %r : !tt.ptr<i32>\n");
    EXPECT_THROW(k.prepare(device_), Error) << code;
  }
  // Shapes and packs that do not fit. Not pure, so that they are looked at without a use.
  const auto refuses = [&](int pack, const std::string& types) {
    std::string code = assembly("mov.b32 $0, $1;", "=r,r", pack, "%x", types);
    code.replace(code.find("pure = true"), 11, "pure = false");
    EXPECT_THROW(kernel("%px: !tt.ptr<i32>", load("x", "px", "i32") + code).prepare(device_), Error)
        << pack << types;
  };
  refuses(1, "tensor<64xi32> -> i32");
  refuses(1, "tensor<64xi32> -> tensor<32xi32>");
  for (const int pack : {0, 3, 128}) refuses(pack, "tensor<64xi32> -> tensor<64xi32>");
}

TEST_P(LanguageTest, CodeOfATensorOfRankZero) {
  const Kernel k = kernel("%p: !tt.ptr<i32>", R"(
    %x = tt.load %p : !tt.ptr<i32>
    %t = tt.splat %x : i32 -> tensor<i32>
    %m = "tt.map_elementwise"(%t) <{pack = 1 : i32}> ({
    ^bb0(%a: i32):
      %b = arith.addi %a, %a : i32
      tt.map_elementwise.return %b : i32
    }) : (tensor<i32>) -> tensor<i32>
    %s = tt.elementwise_inline_asm "add.s32 $0, $1, 1;" {constraints = "=r,r", packed_element = 1 : i32, pure = true} %m : tensor<i32> -> tensor<i32>
    %e = tt.expand_dims %s {axis = 0 : i32} : tensor<i32> -> tensor<1xi32>
    %u = tt.unsplat %e : tensor<1xi32>
    tt.store %p, %u : !tt.ptr<i32>
)");
  Buffer memory = buffer(std::vector<std::int32_t>{20});
  Stream stream(device_);
  k.launch(stream, {1}, memory);
  stream.synchronize();
  EXPECT_EQ(values<std::int32_t>(memory), std::vector<std::int32_t>{41});
}

TEST_P(LanguageTest, IntegersOfFourBits) {
  const std::string body = R"(
    %a = arith.trunci %x : tensor<64xi32> to tensor<64xi4>
    %b = arith.trunci %y : tensor<64xi32> to tensor<64xi4>
    %three = arith.constant dense<3> : tensor<64xi4>
    %m = arith.muli %a, %three : tensor<64xi4>
    %s = arith.subi %m, %b : tensor<64xi4>
    %c = arith.cmpi slt, %a, %b : tensor<64xi4>
    %d = arith.select %c, %s, %a : tensor<64xi1>, tensor<64xi4>
    %e = arith.extsi %d : tensor<64xi4> to tensor<64xi32>
    %f = arith.extui %s : tensor<64xi4> to tensor<64xi32>
    %c16 = arith.constant dense<16> : tensor<64xi32>
    %g = arith.muli %f, %c16 : tensor<64xi32>
    %r = arith.addi %e, %g : tensor<64xi32>
)" + store("r", "po", "i32");
  const std::vector<std::int32_t> x = numbers(-20, 5), y = numbers(3, 3);
  const auto narrow = [](int v) { return (v & 15) >= 8 ? (v & 15) - 16 : v & 15; };
  std::vector<std::int32_t> expected(kCount);
  for (int i = 0; i < kCount; ++i) {
    const int a = narrow(x[i]), b = narrow(y[i]), s = narrow(3 * a - b);
    expected[i] = (a < b ? s : a) + 16 * (s & 15);
  }
  EXPECT_EQ(run<std::int32_t>("i32", "i32", body, x, y), expected);
}

TEST_P(LanguageTest, BitsOfIntegersOfFourBits) {
  // Each result is a digit of %r.
  std::string body = R"(
    %a = arith.trunci %x : tensor<64xi32> to tensor<64xi4>
    %b = arith.trunci %y : tensor<64xi32> to tensor<64xi4>
    %odd = arith.constant dense<1> : tensor<64xi4>
    %d = arith.ori %b, %odd : tensor<64xi4>
    %sum, %carry = arith.addui_extended %a, %b : tensor<64xi4>, tensor<64xi1>
    %v0 = arith.select %carry, %a, %sum : tensor<64xi1>, tensor<64xi4>
    %v1, %v2 = arith.mulsi_extended %a, %b : tensor<64xi4>
    %low, %v3 = arith.mului_extended %a, %b : tensor<64xi4>
    %v4 = math.cttz %a : tensor<64xi4>
    %v5 = math.ctlz %a : tensor<64xi4>
    %v6 = math.absi %a : tensor<64xi4>
    %v7 = arith.floordivsi %a, %d : tensor<64xi4>
    %sixteen = arith.constant dense<16> : tensor<64xi32>
    %r0 = arith.constant dense<0> : tensor<64xi32>
)";
  for (int k = 0; k < 8; ++k) {
    const std::string n = std::to_string(k), next = std::to_string(k + 1);
    body += "%e" + n + " = arith.extui %v" + n + " : tensor<64xi4> to tensor<64xi32>\n%s" + n +
            " = arith.muli %r" + n + ", %sixteen : tensor<64xi32>\n%r" + next + " = arith.addi %s" +
            n + ", %e" + n + " : tensor<64xi32>\n";
  }
  body += store("r8", "po", "i32");
  const std::vector<std::int32_t> x = numbers(0, 1), y = numbers(-100, 7);
  std::vector<std::int32_t> expected(kCount);
  for (int i = 0; i < kCount; ++i) {
    const int a = x[i] & 15, b = y[i] & 15, sa = a < 8 ? a : a - 16, sb = b < 8 ? b : b - 16;
    const int divisor = (b | 1) < 8 ? b | 1 : (b | 1) - 16;
    const int zeros = a == 0 ? 4 : std::countr_zero(static_cast<unsigned>(a));
    const int leading = std::countl_zero(static_cast<unsigned>(a)) - 28;
    const double quotient = std::floor(static_cast<double>(sa) / divisor);
    const int digits[] = {
        a + b > 15 ? a : a + b,    sa * sb, sa * sb >> 4, a * b >> 4, zeros, leading, std::abs(sa),
        static_cast<int>(quotient)};
    unsigned number = 0;
    for (const int digit : digits) number = number << 4 | static_cast<unsigned>(digit & 15);
    expected[i] = static_cast<std::int32_t>(number);
  }
  EXPECT_EQ(run<std::int32_t>("i32", "i32", body, x, y), expected);
}

TEST_P(LanguageTest, ArithmeticOfSingleBits) {
  std::string body = R"(
    %one = arith.constant dense<1> : tensor<64xi32>
    %r0 = arith.constant dense<0> : tensor<64xi32>
    %a = arith.trunci %x : tensor<64xi32> to tensor<64xi1>
    %b = arith.trunci %y : tensor<64xi32> to tensor<64xi1>
    %true = arith.constant dense<true> : tensor<64xi1>
    %v0, %v1 = arith.addui_extended %a, %b : tensor<64xi1>, tensor<64xi1>
    %v2, %v3 = arith.mulsi_extended %a, %b : tensor<64xi1>
    %v4, %v5 = arith.mului_extended %a, %b : tensor<64xi1>
    %v6 = arith.shli %a, %b : tensor<64xi1>
    %v7 = arith.shrui %a, %b : tensor<64xi1>
    %v8 = arith.shrsi %a, %b : tensor<64xi1>
    %v9 = arith.divui %a, %true : tensor<64xi1>
    %v10 = arith.remui %a, %true : tensor<64xi1>
    %v11 = math.ctpop %a : tensor<64xi1>
    %v12 = math.cttz %a : tensor<64xi1>
    %v13 = math.ctlz %a : tensor<64xi1>
)";
  for (int k = 0; k < 14; ++k) {
    const std::string n = std::to_string(k), next = std::to_string(k + 1);
    body += "%e" + n + " = arith.extui %v" + n + " : tensor<64xi1> to tensor<64xi32>\n%s" + n +
            " = arith.shli %r" + n + ", %one : tensor<64xi32>\n%r" + next + " = arith.addi %s" + n +
            ", %e" + n + " : tensor<64xi32>\n";
  }
  body += store("r14", "po", "i32");
  const std::vector<std::int32_t> x = numbers(0, 1), y = numbers(-90, 3);
  std::vector<std::int32_t> expected(kCount);
  for (int i = 0; i < kCount; ++i) {
    const int a = x[i] & 1, b = y[i] & 1;
    // As numbers with a sign the bits are 0 and -1.
    const int product = -a * -b;
    const int bits[] = {(a + b) & 1, (a + b) >> 1,
                        product & 1, product >> 1 & 1,
                        a * b,       0,
                        a << b & 1,  a >> b,
                        -a >> b & 1, a,
                        0,           a,
                        1 - a,       1 - a};
    for (const int bit : bits) expected[i] = expected[i] << 1 | bit;
  }
  EXPECT_EQ(run<std::int32_t>("i32", "i32", body, x, y), expected);
}

TEST_P(LanguageTest, RoundedDivisionsAndPowers) {
  const std::string body = R"(
    %c1 = arith.ceildivsi %x, %y : tensor<64xi32>
    %c2 = arith.floordivsi %x, %y : tensor<64xi32>
    %seven = arith.constant dense<7> : tensor<64xi32>
    %e = arith.remsi %y, %seven : tensor<64xi32>
    %p = math.ipowi %x, %e : tensor<64xi32>
    %h = arith.constant dense<1000> : tensor<64xi32>
    %t = arith.muli %c1, %h : tensor<64xi32>
    %u = arith.addi %t, %c2 : tensor<64xi32>
    %r = arith.xori %u, %p : tensor<64xi32>
)" + store("r", "po", "i32");
  std::vector<std::int32_t> x = numbers(-7, 1), y = numbers(-32, 1);
  y[32] = 3;
  std::vector<std::int32_t> expected(kCount);
  for (int i = 0; i < kCount; ++i) {
    const double q = static_cast<double>(x[i]) / y[i];
    const int e = y[i] % 7;
    std::uint32_t power = 1;
    if (e < 0) power = x[i] == 1 ? 1u : x[i] == -1 ? (e % 2 != 0 ? ~0u : 1u) : 0u;
    for (int k = 0; k < e; ++k) power *= static_cast<std::uint32_t>(x[i]);
    const int parts = static_cast<int>(std::ceil(q)) * 1000 + static_cast<int>(std::floor(q));
    expected[i] = static_cast<std::int32_t>(static_cast<std::uint32_t>(parts) ^ power);
  }
  EXPECT_EQ(run<std::int32_t>("i32", "i32", body, x, y), expected);
}

float decode(unsigned bits, int exponent_bits, int fraction_bits) {
  const int bias = (1 << (exponent_bits - 1)) - 1;
  const int exponent = static_cast<int>(bits >> fraction_bits & ((1u << exponent_bits) - 1));
  const auto fraction = static_cast<float>(bits & ((1u << fraction_bits) - 1));
  const float unit = std::ldexp(1.0f, -fraction_bits);
  const float magnitude = exponent == 0 ? std::ldexp(fraction * unit, 1 - bias)
                                        : std::ldexp(1.0f + fraction * unit, exponent - bias);
  return bits >> (exponent_bits + fraction_bits) & 1 ? -magnitude : magnitude;
}

TEST_P(LanguageTest, ScaledProductsOfSixBitFloatsInBatches) {
  constexpr int kBatch = 2, kM = 16, kN = 16, kK = 64;
  const auto tensor = [](const std::string& name, const std::string& type, int b, int m, int n) {
    const std::string size = std::to_string(b * m * n);
    return load(name + "1", name, type, b * m * n) + "    %" + name + "2 = tt.reshape %" + name +
           "1 : tensor<" + size + "x" + type + "> -> tensor<" + std::to_string(b) + "x" +
           std::to_string(m) + "x" + std::to_string(n) + "x" + type + ">\n";
  };
  const std::string body = tensor("a", "i8", kBatch, kM, kK) + tensor("b", "i8", kBatch, kK, kN) +
                           tensor("sa", "i8", kBatch, kM, kK / 32) +
                           tensor("sb", "i8", kBatch, kN, kK / 32) + R"(
    %z = arith.constant dense<0.0> : tensor<2x16x16xf32>
    %d = tt.dot_scaled %a2 scale %sa2, %b2 scale %sb2, %z lhs = e2m3 rhs = e3m2 {fastMath = false} : tensor<2x16x64xi8>, tensor<2x16x2xi8> * tensor<2x64x16xi8>, tensor<2x16x2xi8> -> tensor<2x16x16xf32>
    %r = tt.reshape %d : tensor<2x16x16xf32> -> tensor<512xf32>
)" + store("r", "po", "f32", 512);
  const auto bytes = [](int count, int factor, int base, int range) {
    std::vector<std::uint8_t> result(count);
    for (int i = 0; i < count; ++i)
      result[i] = static_cast<std::uint8_t>(base + i * factor % range);
    return result;
  };
  const auto a = bytes(kBatch * kM * kK, 37, 0, 64), b = bytes(kBatch * kK * kN, 29, 0, 64);
  const auto sa = bytes(kBatch * kM * 2, 5, 124, 7), sb = bytes(kBatch * kN * 2, 3, 125, 5);
  Buffer ba = buffer(a), bb = buffer(b), bsa = buffer(sa), bsb = buffer(sb);
  Buffer out = buffer(std::vector<float>(512));
  Stream stream(device_);
  kernel("%a: !tt.ptr<i8>, %b: !tt.ptr<i8>, %sa: !tt.ptr<i8>, %sb: !tt.ptr<i8>, %po: !tt.ptr<f32>",
         body)
      .launch(stream, {1}, ba, bb, bsa, bsb, out);
  stream.synchronize();
  const std::vector<float> got = values<float>(out);
  for (int s = 0; s < kBatch; ++s)
    for (int m = 0; m < kM; ++m)
      for (int n = 0; n < kN; ++n) {
        double sum = 0;
        for (int k = 0; k < kK; ++k) {
          const double x = std::ldexp(decode(a[(s * kM + m) * kK + k], 2, 3),
                                      sa[(s * kM + m) * 2 + k / 32] - 127);
          const double y = std::ldexp(decode(b[(s * kK + k) * kN + n], 3, 2),
                                      sb[(s * kN + n) * 2 + k / 32] - 127);
          sum += x * y;
        }
        EXPECT_NEAR(got[(s * kM + m) * kN + n], sum, 1e-4 * std::fabs(sum) + 1e-3);
      }
}

TEST_P(LanguageTest, PollsEndWithTheValueOrTheTime) {
  const std::string body = load("v", "p", "i32") + pointers("at", "p", "i32", kCount) + R"(
    %five = arith.constant dense<5> : tensor<64xi32>
    %time = arith.constant 200000 : i64
    %r = tt.atomic_poll acquire, gpu, %at, %five timeout %time : tensor<64x!tt.ptr<i32>>, tensor<64xi32> -> tensor<64xi1>
    %w = arith.extui %r : tensor<64xi1> to tensor<64xi32>
    %c5 = arith.constant 5 : i32
    %c6 = arith.constant 6 : i32
    %yes = tt.atomic_poll acquire, gpu, %p, %c5 : !tt.ptr<i32>, i32 -> i1
    %no = tt.atomic_poll relaxed, cta, %p, %c6 timeout %time : !tt.ptr<i32>, i32 -> i1
    %y32 = arith.extui %yes : i1 to i32
    %n32 = arith.extui %no : i1 to i32
    %c2 = arith.constant 2 : i32
    %t = arith.muli %y32, %c2 : i32
    %u = arith.addi %t, %n32 : i32
    tt.store %q, %u : !tt.ptr<i32>
)" + store("w", "po", "i32");
  std::vector<std::int32_t> x(kCount, 5);
  x[7] = x[63] = 4;
  std::vector<std::int32_t> expected(kCount, 1);
  expected[7] = expected[63] = 0;
  Buffer bx = buffer(x), out = buffer(std::vector<std::int32_t>(kCount));
  Buffer scalar = buffer(std::vector<std::int32_t>(1));
  Stream stream(device_);
  kernel("%p: !tt.ptr<i32>, %po: !tt.ptr<i32>, %q: !tt.ptr<i32>", body)
      .launch(stream, {1}, bx, out, scalar);
  stream.synchronize();
  EXPECT_EQ(values<std::int32_t>(out), expected);
  EXPECT_EQ(values<std::int32_t>(scalar), std::vector<std::int32_t>{2});
}

TEST_P(LanguageTest, AWaitingKernelGivesUp) {
  // A device cannot be asked to stop but for the processor.
  if (std::string(GetParam().device) != "cpu") GTEST_SKIP();
  Buffer lock = buffer(std::vector<std::int32_t>{1});
  const Kernel k = kernel("%p: !tt.ptr<i32>", R"(
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    scf.while : () -> () {
      %old = tt.atomic_cas acquire, gpu, %p, %c0, %c1 : (!tt.ptr<i32>, i32, i32) -> i32
      %c = arith.cmpi ne, %old, %c0 : i32
      scf.condition(%c)
    } do {
      scf.yield
    }
)");
  Stream stream(device_);
  k.launch(stream, {1}, lock);
  try {
    stream.synchronize(std::chrono::milliseconds(50));
    ADD_FAILURE() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kTimeout);
    EXPECT_NE(error.message().find("tt.atomic_cas at line 7"), std::string::npos)
        << error.message();
  }
  stream.synchronize();
}

TEST_P(LanguageTest, ReductionsIntoDescribedTensors) {
  // A block of 16 at 8 of a tensor of 20: four columns lie outside.
  const auto reduced = [&](const std::string& kind, const std::string& type, auto old, auto value) {
    using T = decltype(old);
    const std::string one = type == "f32" ? "f32" : "i32";
    Buffer memory = buffer(std::vector<T>(32, old));
    Stream stream(device_);
    kernel("%p: !tt.ptr<" + one + ">, %v: " + one,
           "    %n = arith.constant 20 : i32\n    %s = arith.constant 1 : i64\n"
           "    %at = arith.constant 8 : i32\n"
           "    %d = tt.make_tensor_descriptor %p, [%n], [%s] : <" +
               one + ">, <16x" + one + ">\n    %b = tt.splat %v : " + one + " -> tensor<16x" + one +
               ">\n    tt.descriptor_reduce " + kind + ", %d[%at], %b : !tt.tensordesc<16x" + one +
               ">, tensor<16x" + one + ">\n")
        .launch(stream, {1}, memory, value);
    stream.synchronize();
    const std::vector<T> all = values<T>(memory);
    for (int i = 0; i < 32; ++i)
      if (i < 8 || i >= 20) EXPECT_EQ(all[i], old) << kind << " " << i;
    for (int i = 9; i < 20; ++i) EXPECT_EQ(all[i], all[8]);
    return all[8];
  };
  using I = std::int32_t;
  EXPECT_EQ(reduced("inc", "i32", I{4}, I{5}), 5);
  EXPECT_EQ(reduced("inc", "i32", I{5}, I{5}), 0);
  EXPECT_EQ(reduced("dec", "i32", I{4}, I{5}), 3);
  EXPECT_EQ(reduced("dec", "i32", I{0}, I{5}), 5);
  EXPECT_EQ(reduced("dec", "i32", I{9}, I{5}), 5);
  EXPECT_EQ(reduced("max", "i32", I{-4}, I{-5}), -4);
  EXPECT_EQ(reduced("max", "f32", 1.5f, 2.5f), 2.5f);
  EXPECT_EQ(reduced("min", "f32", 1.5f, -2.5f), -2.5f);
  EXPECT_EQ(reduced("add", "f32", 1.5f, 2.5f), 4.0f);
}

TEST_P(LanguageTest, BlockPointersMoveAndAreChecked) {
  // 5 rows of 11 columns in blocks of 4 x 8, from (-1, -3) on, three blocks a row.
  const std::string body = R"(
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %three = arith.constant 3 : i32
    %across = arith.constant 8 : i32
    %row = arith.constant -1 : i32
    %column = arith.constant -3 : i32
    %step = arith.constant 1 : i64
    %rows = arith.constant 5 : i64
    %columns = arith.constant 11 : i64
    %twice = arith.constant dense<2.0> : tensor<4x8xf32>
    %from = tt.make_tensor_ptr %x, [%rows, %columns], [%columns, %step], [%row, %column] {order = array<i32: 1, 0>} : <tensor<4x8xf32>>
    %to = tt.make_tensor_ptr %o, [%rows, %columns], [%columns, %step], [%row, %column] {order = array<i32: 1, 0>} : <tensor<4x8xf32>>
    %f:2 = scf.for %i = %zero to %three step %one iter_args(%a = %from, %b = %to) -> (!tt.ptr<tensor<4x8xf32>>, !tt.ptr<tensor<4x8xf32>>)  : i32 {
      %v = tt.load %a {boundaryCheck = array<i32: 0, 1>, padding = 1 : i32} : !tt.ptr<tensor<4x8xf32>>
      %w = arith.mulf %v, %twice : tensor<4x8xf32>
      tt.store %b, %w {boundaryCheck = array<i32: 0, 1>} : !tt.ptr<tensor<4x8xf32>>
      %c = tt.advance %a, [%zero, %across] : <tensor<4x8xf32>>
      %d = tt.advance %b, [%zero, %across] : <tensor<4x8xf32>>
      scf.yield %c, %d : !tt.ptr<tensor<4x8xf32>>, !tt.ptr<tensor<4x8xf32>>
    }
)";
  std::vector<float> x(55);
  for (int i = 0; i < 55; ++i) x[i] = 1.5f + static_cast<float>(i);
  std::vector<float> expected(55, -1.0f);
  for (int i = 0; i < 33; ++i) expected[i] = 2 * x[i];  // rows 0 to 2
  Buffer in = buffer(x), out = buffer(std::vector<float>(55, -1.0f));
  Stream stream(device_);
  kernel("%x: !tt.ptr<f32>, %o: !tt.ptr<f32>", body).launch(stream, {1}, in, out);
  stream.synchronize();
  EXPECT_EQ(values<float>(out), expected);
}

TEST_P(LanguageTest, DivisionNeverTraps) {
  const std::string body = R"(
    %q = arith.divsi %x, %y : tensor<64xi32>
    %m = arith.remsi %x, %y : tensor<64xi32>
    %u = arith.divui %x, %y : tensor<64xi32>
    %v = arith.remui %x, %y : tensor<64xi32>
    %z = arith.constant dense<0> : tensor<64xi32>
    %is = arith.cmpi ne, %y, %z : tensor<64xi32>
    %a = arith.addi %q, %m : tensor<64xi32>
    %b = arith.addi %u, %v : tensor<64xi32>
    %c = arith.xori %a, %b : tensor<64xi32>
    %r = arith.select %is, %c, %z : tensor<64xi1>, tensor<64xi32>
)" + store("r", "po", "i32");
  std::vector<std::int32_t> x = numbers(-100000, 4321), y = numbers(-8, 1);
  x[0] = std::numeric_limits<std::int32_t>::min();
  y[0] = -1;
  std::vector<std::int32_t> expected(kCount);
  for (int i = 1; i < kCount; ++i) {
    if (y[i] == 0) continue;
    const auto ux = static_cast<std::uint32_t>(x[i]), uy = static_cast<std::uint32_t>(y[i]);
    const std::uint32_t a = static_cast<std::uint32_t>(x[i] / y[i] + x[i] % y[i]);
    expected[i] = static_cast<std::int32_t>(a ^ (ux / uy + ux % uy));
  }
  std::vector<std::int32_t> got = run<std::int32_t>("i32", "i32", body, x, y);
  got[0] = 0;  // any number will do
  EXPECT_EQ(got, expected);
}

// Of one bit: a shift by 1 moves it out, and what divides is 1 or -1, which are the same.
TEST_P(LanguageTest, ArithmeticOnTruthValues) {
  std::string body = R"(
    %a = arith.trunci %x : tensor<64xi32> to tensor<64xi1>
    %b = arith.trunci %y : tensor<64xi32> to tensor<64xi1>
    %mh, %ml = "arith.mulsi_extended"(%a, %b) : (tensor<64xi1>, tensor<64xi1>) -> (tensor<64xi1>, tensor<64xi1>)
    %uh, %ul = "arith.mului_extended"(%a, %b) : (tensor<64xi1>, tensor<64xi1>) -> (tensor<64xi1>, tensor<64xi1>)
    %sum, %carry = arith.addui_extended %a, %b : tensor<64xi1>, tensor<64xi1>
)";
  const std::vector<std::string> ops = {"divsi", "divui", "floordivsi", "ceildivsi", "ceildivui",
                                        "remsi", "remui", "shli",       "shrui",     "shrsi"};
  std::vector<std::string> bits = {"%mh", "%ml", "%uh", "%ul", "%sum", "%carry"};
  for (const std::string& op : ops) {
    body += "    %" + op + " = arith." + op + " %a, %b : tensor<64xi1>\n";
    bits.push_back("%" + op);
  }
  std::string all = "%zero";
  body += "    %zero = arith.constant dense<0> : tensor<64xi32>\n";
  for (std::size_t i = 0; i < bits.size(); ++i) {
    const std::string n = std::to_string(i);
    body += "    %w" + n + " = arith.extui " + bits[i] + " : tensor<64xi1> to tensor<64xi32>\n" +
            "    %c" + n + " = arith.constant dense<" + n + "> : tensor<64xi32>\n" + "    %s" + n +
            " = arith.shli %w" + n + ", %c" + n + " : tensor<64xi32>\n" + "    %t" + n +
            " = arith.ori " + all + ", %s" + n + " : tensor<64xi32>\n";
    all = "%t" + n;
  }
  body += "    %r = arith.ori " + all + ", %zero : tensor<64xi32>\n" + store("r", "po", "i32");
  std::vector<std::int32_t> x = numbers(0, 1), y(kCount), expected(kCount);
  for (int i = 0; i < kCount; ++i) {
    y[i] = i / 2;
    const bool a = x[i] & 1, b = y[i] & 1, both = a && b, kept = a && !b;
    const std::vector<bool> want = {both, false, both, false, a != b, both, a,    a,
                                    a,    a,     a,    false, false,  kept, kept, a};
    for (std::size_t n = 0; n < want.size(); ++n) expected[i] |= want[n] << n;
  }
  const std::vector<std::int32_t> got = run<std::int32_t>("i32", "i32", body, x, y);
  for (int i = 0; i < kCount; ++i) {
    // Divided by 0 anything will do.
    const std::int32_t sure = (y[i] & 1) ? ~0 : ~(((1 << 7) - 1) << 6);
    EXPECT_EQ(got[i] & sure, expected[i] & sure) << i;
  }
}

TEST_P(LanguageTest, PowersOfFloatsWithWholeExponents) {
  const std::string body = R"(
    %n = arith.fptosi %y : tensor<64xf32> to tensor<64xi32>
    %r = math.fpowi %x, %n : tensor<64xf32>, tensor<64xi32>
)" + store("r", "po", "f32");
  std::vector<float> x(kCount), y(kCount), expected(kCount);
  for (int i = 0; i < kCount; ++i) {
    x[i] = static_cast<float>(i % 8) - 3.5f;
    y[i] = static_cast<float>(i / 8 - 4);
    expected[i] = static_cast<float>(std::pow(static_cast<double>(x[i]), y[i]));
  }
  const std::vector<float> got = run<float>("f32", "f32", body, x, y);
  for (int i = 0; i < kCount; ++i)
    EXPECT_NEAR(got[i], expected[i], 4e-7f * std::abs(expected[i])) << x[i] << " " << y[i];
}

TEST_P(LanguageTest, PairsOfTensorsOfRankZero) {
  const std::string body = R"(
    %a = tt.load %px : !tt.ptr<i32>
    %b = tt.load %py : !tt.ptr<i32>
    %az = tt.splat %a : i32 -> tensor<i32>
    %bz = tt.splat %b : i32 -> tensor<i32>
    %p = tt.join %az, %bz : tensor<i32> -> tensor<2xi32>
    %three = arith.constant dense<3> : tensor<2xi32>
    %q = arith.muli %p, %three : tensor<2xi32>
    %lz, %hz = tt.split %q : tensor<2xi32> -> tensor<i32>
    %l = tt.unsplat %lz : tensor<i32>
    %h = tt.unsplat %hz : tensor<i32>
    %d = arith.subi %h, %l : i32
    %r = tt.splat %d : i32 -> tensor<64xi32>
)" + store("r", "po", "i32");
  EXPECT_EQ(run<std::int32_t>("i32", "i32", body, numbers(5, 1), numbers(9, 1)),
            std::vector<std::int32_t>(kCount, 12));
}

// Registers hold single elements.
TEST_P(LanguageTest, AssemblyInTheRegionOfAMap) {
  const std::string body = R"(
    %r = "tt.map_elementwise"(%x, %y) <{pack = 1 : i32}> ({
    ^bb0(%a: i32, %b: i32):
      %c = tt.elementwise_inline_asm "add.s32 $0, $1, $2;" {constraints = "=r,r,r", packed_element = 1 : i32, pure = true} %a, %b : i32, i32 -> i32
      tt.map_elementwise.return %c : i32
    }) : (tensor<64xi32>, tensor<64xi32>) -> tensor<64xi32>
)" + store("r", "po", "i32");
  const std::vector<std::int32_t> x = numbers(-7, 3), y = numbers(1000, 7);
  std::vector<std::int32_t> expected(kCount);
  for (int i = 0; i < kCount; ++i) expected[i] = x[i] + y[i];
  EXPECT_EQ(run<std::int32_t>("i32", "i32", body, x, y), expected);
}

INSTANTIATE_TEST_SUITE_P(Devices, LanguageTest, every_device(), name_of);

}  // namespace
}  // namespace tritonrt
