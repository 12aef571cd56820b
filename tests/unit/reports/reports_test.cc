// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <map>
#include <string>
#include <vector>

#include "tests/unit/device_test.h"
#include "tritonrt/tritonrt_c.h"

namespace tritonrt {
namespace {

using Lines = std::vector<std::string>;

class ReportsTest : public DeviceTest {
 protected:
  void SetUp() override {
    DeviceTest::SetUp();
    set_print_handler([this](const PrintedLine& line) {
      lines_.emplace_back(line.text);
      last_line_ = line.line;
      last_source_ = line.source;
      last_kernel_ = line.kernel;
    });
  }
  void TearDown() override { set_print_handler({}); }

  // What one launch of a kernel without parameters prints.
  Lines printed(const std::string& body, const Grid& grid = {}) {
    lines_.clear();
    Stream stream(device_);
    kernel("", body).launch(stream, grid);
    stream.synchronize();
    return lines_;
  }
  static Error error_of(Stream& stream) {
    try {
      stream.synchronize();
    } catch (const Error& error) {
      return error;
    }
    ADD_FAILURE() << "nothing was thrown";
    return Error(ErrorCode::kInternal, "");
  }

  Lines lines_;
  std::uint32_t last_line_ = 0;
  std::string last_source_, last_kernel_;
};

constexpr char kRange4[] =
    "    %r = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>\n";

TEST_P(ReportsTest, PrintsAnElementALine) {
  const Lines got = printed(std::string(kRange4) +
                            "    tt.print \" x: \" {hex = false, isSigned = array<i32: 1>} : %r : "
                            "tensor<4xi32>\n");
  EXPECT_EQ(got, (Lines{"pid (0, 0, 0) idx (0) x: 0", "pid (0, 0, 0) idx (1) x: 1",
                        "pid (0, 0, 0) idx (2) x: 2", "pid (0, 0, 0) idx (3) x: 3"}));
  EXPECT_EQ(last_line_, 4u);
  EXPECT_EQ(last_kernel_, "k");
  EXPECT_EQ(last_source_, "");
}

TEST_P(ReportsTest, PrintsEveryType) {
  const std::string constants =
      "    %i8 = arith.constant -3 : i8\n"
      "    %i16 = arith.constant -3 : i16\n"
      "    %i64 = arith.constant -3000000000000 : i64\n"
      "    %i1 = arith.constant true\n"
      "    %f16 = arith.constant -1.5 : f16\n"
      "    %bf16 = arith.constant 3.0e+38 : bf16\n"
      "    %f32 = arith.constant 0.1 : f32\n"
      "    %f64 = arith.constant 0.1 : f64\n"
      "    %inf = arith.constant 0xFF800000 : f32\n"
      "    %f8 = arith.constant 448.0 : f8E4M3FN\n";
  const std::string operands =
      "%i8, %i8, %i16, %i64, %i64, %i1, %f16, %bf16, %f32, %f64, %inf, %f8 : "
      "i8, i8, i16, i64, i64, i1, f16, bf16, f32, f64, f32, f8E4M3FN\n";
  const auto values = [&](const std::string& hex) {
    Lines texts =
        printed(constants + "    tt.print \" v: \" {hex = " + hex +
                ", isSigned = array<i32: 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0>} : " + operands);
    for (std::size_t i = 0; i < texts.size(); ++i) {
      const std::string head = "pid (0, 0, 0) idx () v: (operand " + std::to_string(i) + ") ";
      EXPECT_EQ(texts[i].substr(0, head.size()), head);
      texts[i].erase(0, head.size());
    }
    return texts;
  };
  EXPECT_EQ(values("false"),
            (Lines{"-3", "253", "65533", "-3000000000000", "18446741073709551616", "1", "-1.500000",
                   "300405527047390987276260395623357874176.000000", "0.100000", "0.100000", "-inf",
                   "448.000000"}));
  EXPECT_EQ(values("true"), (Lines{"0xfd", "0xfd", "0xfffd", "0xfffffd458210d000",
                                   "0xfffffd458210d000", "0x1", "-0x1.8p+0", "0x1.c4p+127",
                                   "0x1.99999ap-4", "0x1.999999999999ap-4", "-inf", "0x1.cp+8"}));
}

TEST_P(ReportsTest, PrintsIndicesAsWideAsTheLast) {
  const Lines got = printed(
      "    %r = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>\n"
      "    %m = tt.reshape %r : tensor<32xi32> -> tensor<2x1x16xi32>\n"
      "    %t = tt.trans %m {order = array<i32: 2, 1, 0>} : tensor<2x1x16xi32> -> "
      "tensor<16x1x2xi32>\n"
      "    tt.print \" \" {hex = false, isSigned = array<i32: 1>} : %t : tensor<16x1x2xi32>\n");
  ASSERT_EQ(got.size(), 32u);
  EXPECT_EQ(got[0], "pid (0, 0, 0) idx ( 0, 0, 0) 0");
  EXPECT_EQ(got[1], "pid (0, 0, 0) idx ( 0, 0, 1) 16");
  EXPECT_EQ(got[31], "pid (0, 0, 0) idx (15, 0, 1) 31");
}

TEST_P(ReportsTest, TextIsOnlyText) {
  const Lines got = printed(
      "    tt.print \" %s%n\\22\\5C\\0A*/ \" {hex = false, isSigned = "
      "array<i32>}\n");
  EXPECT_EQ(got, Lines{"pid (0, 0, 0) %s%n\"\\\n*/ "});
}

TEST_P(ReportsTest, ProgramsPrintInTheirOwnOrder) {
  const Lines got = printed(
      "    %x = tt.get_program_id x : i32\n"
      "    %c0 = arith.constant 0 : i32\n    %c1 = arith.constant 1 : i32\n"
      "    %c3 = arith.constant 3 : i32\n"
      "    scf.for %i = %c0 to %c3 step %c1  : i32 {\n"
      "      %odd = arith.andi %x, %c1 : i32\n"
      "      %is = arith.cmpi eq, %odd, %c1 : i32\n"
      "      scf.if %is {\n"
      "        tt.print \" i: \" {hex = false, isSigned = array<i32: 1>} : %i : i32\n"
      "      }\n"
      "    }\n",
      Grid(3, 2, 2));
  std::map<std::string, Lines> of;
  for (const std::string& line : got) of[line.substr(0, 13)].push_back(line.substr(13));
  ASSERT_EQ(of.size(), 4u);
  for (const char* pid : {"pid (1, 0, 0)", "pid (1, 1, 0)", "pid (1, 0, 1)", "pid (1, 1, 1)"})
    EXPECT_EQ(of[pid], (Lines{" idx () i: 0", " idx () i: 1", " idx () i: 2"})) << pid;
}

TEST_P(ReportsTest, LaunchesBetweenTwoCallsOfSynchronize) {
  const std::string print =
      "    tt.print \" a: \" {hex = false, isSigned = array<i32: 1>} : %n : "
      "i32\n";
  const Kernel a = kernel("%n: i32", print);
  const Kernel b =
      kernel("%n: i32", "    tt.print \" b\" {hex = false, isSigned = array<i32>}\n" + print);
  Stream stream(device_), other(device_);
  BoundKernel bound = a.bind(device_, std::int32_t{7});
  bound.launch(stream, {1});
  b.launch(stream, {1}, std::int32_t{8});
  bound.set_arg(0, std::int32_t{9});
  bound.launch(stream, {1});
  a.launch(other, {1}, std::int32_t{10});
  stream.synchronize();
  EXPECT_EQ(lines_, (Lines{"pid (0, 0, 0) idx () a: 7", "pid (0, 0, 0) b",
                           "pid (0, 0, 0) idx () a: 8", "pid (0, 0, 0) idx () a: 9"}));
  lines_.clear();
  stream.synchronize();
  EXPECT_EQ(lines_, Lines{});
  device_.synchronize();
  EXPECT_EQ(lines_, Lines{"pid (0, 0, 0) idx () a: 10"});
}

TEST_P(ReportsTest, AFullBufferCountsWhatItLoses) {
  set_print_handler([this](const PrintedLine& line) { lines_.emplace_back(line.text); }, 1);
  const Kernel k = kernel("", std::string(kRange4) +
                                  "    tt.print \" x: \" {hex = false, isSigned = array<i32: 1>} : "
                                  "%r : tensor<4xi32>\n");
  Stream stream(device_);
  for (int round = 0; round < 2; ++round) {
    lines_.clear();
    k.launch(stream, {1000});
    stream.synchronize();
    ASSERT_FALSE(lines_.empty());
    // 4 KiB less the header hold 85 records of 48 bytes.
    EXPECT_EQ(lines_.size(), 85u * 4 + 1);
    EXPECT_EQ(lines_.back(), "915 prints did not fit the stream's buffer of 4096 bytes");
  }
}

TEST_P(ReportsTest, TheCInterfaceHasThemToo) {
  const auto take = [](void* data, const tritonrt_printed_line* line) {
    static_cast<Lines*>(data)->push_back(std::string(line->kernel) + ":" +
                                         std::to_string(line->line) + " " + line->text);
  };
  ASSERT_EQ(tritonrt_set_print_handler(take, &lines_, 0), TRITONRT_OK);
  EXPECT_EQ(printed("    tt.print \" here\" {hex = false, isSigned = array<i32>}\n", Grid(1, 2)),
            (Lines{"k:3 pid (0, 0, 0) here", "k:3 pid (0, 1, 0) here"}));
  ASSERT_EQ(tritonrt_set_print_handler(nullptr, nullptr, 0), TRITONRT_OK);
  EXPECT_EQ(printed("    tt.print \" here\" {hex = false, isSigned = array<i32>}\n"), Lines{});
}

constexpr char kCheckedCopy[] = "%x: !tt.ptr<i32>, %y: !tt.ptr<i32>, %limit: i32";
constexpr char kCheckedCopyBody[] =
    "    %p = tt.get_program_id x : i32\n"
    "    %c8 = arith.constant 8 : i32\n"
    "    %s = arith.muli %p, %c8 : i32\n"
    "    %r = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>\n"
    "    %ss = tt.splat %s : i32 -> tensor<8xi32>\n"
    "    %o = arith.addi %ss, %r : tensor<8xi32>\n"
    "    %xs = tt.splat %x : !tt.ptr<i32> -> tensor<8x!tt.ptr<i32>>\n"
    "    %xp = tt.addptr %xs, %o : tensor<8x!tt.ptr<i32>>, tensor<8xi32>\n"
    "    %v = tt.load %xp : tensor<8x!tt.ptr<i32>>\n"
    "    %l = tt.splat %limit : i32 -> tensor<8xi32>\n"
    "    %ok = arith.cmpi slt, %v, %l : tensor<8xi32>\n"
    "    tt.assert %ok, \"too large\" : tensor<8xi1> loc(\"model.py\":42:7)\n"
    "    %ys = tt.splat %y : !tt.ptr<i32> -> tensor<8x!tt.ptr<i32>>\n"
    "    %yp = tt.addptr %ys, %o : tensor<8x!tt.ptr<i32>>, tensor<8xi32>\n"
    "    tt.store %yp, %v : tensor<8x!tt.ptr<i32>>\n";

TEST_P(ReportsTest, AFailedAssertIsAnErrorOfSynchronize) {
  const Kernel k = kernel(kCheckedCopy, kCheckedCopyBody);
  std::vector<std::int32_t> in(32), out(32, -1);
  for (int i = 0; i < 32; ++i) in[i] = i;
  const Buffer x = Buffer::from_host(device_, in.data(), 128);
  Buffer y = Buffer::from_host(device_, out.data(), 128);
  Stream stream(device_);

  k.launch(stream, {4}, x, y, std::int32_t{32});
  stream.synchronize();
  y.copy_to_host(out.data(), 128);
  EXPECT_EQ(out, in);

  std::fill(out.begin(), out.end(), -1);
  y.copy_from_host(out.data(), 128);
  k.launch(stream, {4}, x, y, std::int32_t{30});
  const Error error = error_of(stream);
  EXPECT_EQ(error.code(), ErrorCode::kAssertFailed);
  EXPECT_EQ(error.message(),
            "kernel 'k': device assert: too large (program (3, 0, 0), line 14, model.py:42)");
  // The program ended there.
  y.copy_to_host(out.data(), 128);
  for (int i = 0; i < 32; ++i) EXPECT_EQ(out[i], i < 24 ? i : -1) << i;

  // Told once, and the stream goes on.
  stream.synchronize();
  k.launch(stream, {4}, x, y, std::int32_t{32});
  stream.synchronize();
  y.copy_to_host(out.data(), 128);
  EXPECT_EQ(out, in);
}

TEST_P(ReportsTest, AnAssertIsNeverLost) {
  set_print_handler({}, 1);
  const Kernel k = kernel("",
                          "    %p = tt.get_program_id x : i32\n"
                          "    tt.print \" x\" {hex = false, isSigned = array<i32: 1>} : %p : "
                          "i32\n"
                          "    %c9 = arith.constant 999 : i32\n"
                          "    %ok = arith.cmpi ne, %p, %c9 : i32\n"
                          "    tt.assert %ok, \"last\" : i1\n");
  Stream stream(device_);
  k.launch(stream, {1000});
  const Error error = error_of(stream);
  EXPECT_EQ(error.code(), ErrorCode::kAssertFailed);
  EXPECT_NE(error.message().find("device assert failed"), std::string::npos) << error.message();
}

// As Triton writes every sum of integers where it debugs.
TEST_P(ReportsTest, AssertsInTheRegionOfAReductionAndAScan) {
  for (const bool scans : {false, true}) {
    const std::string op = scans ? "scan" : "reduce", more = scans ? ", reverse = false" : "";
    const std::string result = scans ? "tensor<64xi32>" : "i32";
    const std::string body =
        "    %r = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>\n"
        "    %xs = tt.splat %x : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>\n"
        "    %xp = tt.addptr %xs, %r : tensor<64x!tt.ptr<i32>>, tensor<64xi32>\n"
        "    %v = tt.load %xp : tensor<64x!tt.ptr<i32>>\n"
        "    %s = \"tt." +
        op + "\"(%v) <{axis = 0 : i32" + more +
        "}> ({\n"
        "    ^bb0(%a: i32, %b: i32):\n"
        "      %aw = arith.extsi %a : i32 to i64\n"
        "      %bw = arith.extsi %b : i32 to i64\n"
        "      %w = arith.addi %aw, %bw : i64\n"
        "      %most = arith.constant 2147483647 : i64\n"
        "      %ok = arith.cmpi sle, %w, %most : i64\n"
        "      tt.assert %ok, \"overflow\" : i1\n"
        "      %t = arith.addi %a, %b : i32\n"
        "      tt." +
        op +
        ".return %t : i32\n"
        "    }) : (tensor<64xi32>) -> " +
        result + "\n" +
        (scans ? "    tt.store %xp, %s : tensor<64x!tt.ptr<i32>>\n"
               : "    tt.store %x, %s : !tt.ptr<i32>\n");
    const Kernel k = kernel("%x: !tt.ptr<i32>", body);
    Stream stream(device_);
    const Buffer small = buffer(std::vector<std::int32_t>(64, 1000));
    k.launch(stream, {1}, small);
    stream.synchronize();
    EXPECT_EQ(values<std::int32_t>(small)[scans ? 63 : 0], 64000) << op;
    k.launch(stream, {1}, buffer(std::vector<std::int32_t>(64, 1 << 26)));
    const Error error = error_of(stream);
    EXPECT_EQ(error.code(), ErrorCode::kAssertFailed);
    EXPECT_NE(error.message().find("device assert: overflow (program (0, 0, 0), line 14"),
              std::string::npos)
        << error.message();
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, ReportsTest, every_device(), name_of);

}  // namespace
}  // namespace tritonrt
