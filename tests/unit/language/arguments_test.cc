// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Parameters of every type, in both forms that OpenCL kernels take them in.

#include <cstdint>
#include <string>
#include <vector>

#include "tests/unit/device_test.h"

namespace tritonrt {
namespace {

class ArgumentsTest : public DeviceTest {};
INSTANTIATE_TEST_SUITE_P(Devices, ArgumentsTest, every_device(), name_of);

std::string text() {
  std::string body;
  int at = 0;
  const auto store = [&](const std::string& value) {
    const std::string n = std::to_string(at++);
    body += "    %i" + n + " = arith.constant " + n + " : i32\n    %p" + n +
            " = tt.addptr %out, %i" + n + " : !tt.ptr<i64>, i32\n    tt.store %p" + n + ", " +
            value + " : !tt.ptr<i64>\n";
  };
  const auto as_i64 = [&](const std::string& op, const std::string& value,
                          const std::string& from) {
    const std::string name = value + "_wide";
    body += "    " + name + " = arith." + op + " " + value + " : " + from + " to i64\n";
    return name;
  };
  store(as_i64("extui", "%a", "i1"));
  store(as_i64("extsi", "%b", "i8"));
  store(as_i64("extsi", "%c", "i16"));
  store(as_i64("extsi", "%d", "i32"));
  store("%e");
  body +=
      "    %f_bits = arith.bitcast %f : f16 to i16\n    %g_bits = arith.bitcast %g : bf16 to i16\n"
      "    %h_bits = arith.bitcast %h : f32 to i32\n    %k_bits = arith.bitcast %k : f64 to i64\n";
  store(as_i64("extui", "%f_bits", "i16"));
  store(as_i64("extui", "%g_bits", "i16"));
  store(as_i64("extui", "%h_bits", "i32"));
  store("%k_bits");
  body += "    %in = tt.load %x : !tt.ptr<i64>\n";
  store("%in");
  return "module {\n  tt.func public @k(%out: !tt.ptr<i64>, %a: i1, %b: i8, %c: i16, %d: i32, "
         "%e: i64, %f: f16, %g: bf16, %h: f32, %k: f64, %x: !tt.ptr<i64>) {\n" +
         body + "    tt.return\n  }\n}\n";
}

TEST_P(ArgumentsTest, EveryTypeArrives) {
  for (const char* form : {"each", "struct"}) {
    CompileOptions options;
    options.extra["target.arguments"] = form;
    const Kernel kernel = Kernel::from_source(text(), options);
    Stream stream(device_);
    const std::int64_t input[3] = {1, -77, 3};
    Buffer out(device_, 96);
    Buffer x = Buffer::from_host(device_, input, sizeof input);
    kernel.launch(stream, {1}, Arg(out, 8), true, std::int8_t{-3}, std::int16_t{-300},
                  std::int32_t{-70000}, std::int64_t{-5000000000},
                  Arg::from_double(DType::kF16, 1.5), Arg::from_double(DType::kBF16, -2.0), 0.1f,
                  0.1, Arg(x, 8));
    std::vector<std::int64_t> got(12);
    stream.synchronize();
    out.copy_to_host(got.data(), 96);
    const std::vector<std::int64_t> expected = {
        1, -3, -300, -70000, -5000000000, 0x3e00, 0xc000, 0x3dcccccd, 0x3fb999999999999a, -77};
    EXPECT_EQ(std::vector<std::int64_t>(got.begin() + 1, got.begin() + 11), expected) << form;
  }
}

// Triton's own descriptors have contiguous rows; others are right as well.
TEST_P(ArgumentsTest, ADescriptorMayHaveGapsInItsRows) {
  const Kernel kernel = Kernel::from_source(R"(module {
  tt.func public @k(%x: !tt.tensordesc<4x16xi32>, %r: i32, %c: i32, %rs: i64, %cs: i64,
                    %o: !tt.tensordesc<4x16xi32>, %r1: i32, %c1: i32, %rs1: i64, %cs1: i64) {
    %zero = arith.constant 0 : i32
    %v = tt.descriptor_load %x[%zero, %zero] : !tt.tensordesc<4x16xi32> -> tensor<4x16xi32>
    tt.descriptor_store %o[%zero, %zero], %v : !tt.tensordesc<4x16xi32>, tensor<4x16xi32>
    tt.return
  }
})");
  std::vector<std::int32_t> input(4 * 48);
  for (std::size_t i = 0; i < input.size(); ++i) input[i] = static_cast<std::int32_t>(i);
  const Buffer x = Buffer::from_host(device_, input.data(), input.size() * 4);
  Stream stream(device_);
  for (const std::int64_t gap : {1, 3, 1}) {
    Buffer out(device_, 64 * 4);
    TensorDescriptor from, to;
    from.buffer = &x;
    to.buffer = &out;
    from.dtype = to.dtype = DType::kI32;
    from.rank = to.rank = 2;
    from.shape[0] = to.shape[0] = 4;
    from.shape[1] = to.shape[1] = 16;
    from.strides[0] = 48;
    from.strides[1] = gap;
    to.strides[0] = 16;
    to.strides[1] = 1;
    kernel.launch(stream, {1}, from, to);
    stream.synchronize();
    std::vector<std::int32_t> got(64), expected;
    out.copy_to_host(got.data(), 64 * 4);
    for (int row = 0; row < 4; ++row)
      for (int col = 0; col < 16; ++col)
        expected.push_back(static_cast<std::int32_t>(row * 48 + col * gap));
    EXPECT_EQ(got, expected) << gap;
  }
}

}  // namespace
}  // namespace tritonrt
