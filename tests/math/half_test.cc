// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of f16 and bf16 are those of f32, rounded once: all 65536 arguments of each.
#include <gtest/gtest.h>
#include <tritonrt/tritonrt.h>

#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

namespace tritonrt::testing {
namespace {

/// Two buffers of results: of the op on `type` and of it on f32, both of the type.
std::string kernel_text(const std::string& op, const std::string& type) {
  std::string t = "tensor<1024x" + type + ">", p = "tensor<1024x!tt.ptr<" + type + ">>";
  return "module {\n  tt.func public @f(%x: !tt.ptr<" + type + ">, %o: !tt.ptr<" + type +
         ">, %q: !tt.ptr<" + type +
         ">) {\n    %pid = tt.get_program_id x : i32\n    %c = arith.constant 1024 : i32\n    %b = "
         "arith.muli %pid, %c : i32\n"
         "    %r = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32>\n"
         "    %bs = tt.splat %b : i32 -> tensor<1024xi32>\n    %i = arith.addi %bs, %r : "
         "tensor<1024xi32>\n"
         "    %xs = tt.splat %x : !tt.ptr<" +
         type + "> -> " + p + "\n    %xp = tt.addptr %xs, %i : " + p + ", tensor<1024xi32>\n" +
         "    %v = tt.load %xp : " + p + "\n    %y = " + op + " %v : " + t +
         "\n    %w = arith.extf %v : " + t + " to tensor<1024xf32>\n    %z = " + op +
         " %w : tensor<1024xf32>\n    %n = arith.truncf %z : tensor<1024xf32> to " + t +
         "\n    %os = tt.splat %o : !tt.ptr<" + type + "> -> " + p +
         "\n    %op = tt.addptr %os, %i : " + p +
         ", tensor<1024xi32>\n    tt.store %op, %y : " + p + "\n    %qs = tt.splat %q : !tt.ptr<" +
         type + "> -> " + p + "\n    %qp = tt.addptr %qs, %i : " + p +
         ", tensor<1024xi32>\n    tt.store %qp, %n : " + p + "\n    tt.return\n  }\n}\n";
}

class Halves : public ::testing::TestWithParam<const char*> {};

TEST_P(Halves, AreRoundedOnce) {
  Device device = Device::open("cpu");
  Stream stream(device);
  std::vector<uint16_t> x(65536), got(x.size()), expected(x.size());
  std::iota(x.begin(), x.end(), uint16_t{0});
  size_t bytes = 2 * x.size();
  for (const char* type : {"f16", "bf16"}) {
    Buffer in = Buffer::from_host(device, x.data(), bytes), out(device, bytes), wide(device, bytes);
    Kernel kernel = Kernel::from_source(kernel_text(GetParam(), type));
    kernel.launch(stream, Grid(64), in, out, wide);
    stream.synchronize();
    out.copy_to_host(got.data(), bytes);
    wide.copy_to_host(expected.data(), bytes);
    for (size_t i = 0; i < x.size(); ++i)
      ASSERT_EQ(got[i], expected[i]) << GetParam() << " of " << type << " with bits " << x[i];
  }
}

INSTANTIATE_TEST_SUITE_P(Math, Halves,
                         ::testing::Values("math.exp", "math.exp2", "math.log", "math.log2",
                                           "math.sin", "math.cos", "math.sqrt", "math.rsqrt",
                                           "math.erf", "math.floor", "math.ceil", "math.absf"),
                         [](const ::testing::TestParamInfo<const char*>& info) {
                           return std::string(info.param).substr(5);
                         });

}  // namespace
}  // namespace tritonrt::testing
