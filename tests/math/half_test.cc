// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of f16 and bf16 are those of f32, rounded once: all 65536 arguments of each, on each
// device.
#include <gtest/gtest.h>
#include <tritonrt/tritonrt.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

namespace tritonrt::testing {
namespace {

struct Place {
  const char *name, *device;
  Mapping mapping;
};
void PrintTo(const Place& place, std::ostream* os) { *os << place.name; }

/// An op of `arguments` operands: x, then numbers made from where x stands.
struct Function {
  const char* op;
  int arguments = 1;
};
void PrintTo(const Function& function, std::ostream* os) { *os << function.op; }

constexpr Function kFunctions[] = {
    {"math.exp"},          {"math.exp2"},        {"math.expm1"},    {"math.log"},
    {"math.log2"},         {"math.log10"},       {"math.log1p"},    {"math.sin"},
    {"math.cos"},          {"math.tan"},         {"math.sinh"},     {"math.cosh"},
    {"math.tanh"},         {"math.asin"},        {"math.acos"},     {"math.atan"},
    {"math.asinh"},        {"math.acosh"},       {"math.atanh"},    {"math.sqrt"},
    {"math.rsqrt"},        {"math.cbrt"},        {"math.erf"},      {"math.erfc"},
    {"math.floor"},        {"math.ceil"},        {"math.trunc"},    {"math.round"},
    {"math.roundeven"},    {"math.absf"},        {"arith.negf"},    {"math.atan2", 2},
    {"math.powf", 2},      {"math.copysign", 2}, {"arith.addf", 2}, {"arith.subf", 2},
    {"arith.mulf", 2},     {"arith.divf", 2},    {"arith.remf", 2}, {"arith.maxnumf", 2},
    {"arith.minimumf", 2}, {"math.fma", 3}};

std::string line(const std::string& text) { return "    " + text + "\n"; }

/// Two buffers of results: of the op on `type` and of it on f32, both of the type.
std::string kernel_text(const Function& function, const std::string& type) {
  const std::string tile = "tensor<1024x" + type + ">", wide = "tensor<1024xf32>";
  const std::string index = "tensor<1024xi32>", pointers = "tensor<1024x!tt.ptr<" + type + ">>";
  const std::string pointer = "!tt.ptr<" + type + ">";
  std::string text = "module {\n  tt.func public @f(%x: " + pointer + ", %o: " + pointer +
                     ", %q: " + pointer + ") {\n";
  text += line("%pid = tt.get_program_id x : i32");
  text += line("%c = arith.constant 1024 : i32");
  text += line("%b = arith.muli %pid, %c : i32");
  text += line("%r = tt.make_range {end = 1024 : i32, start = 0 : i32} : " + index);
  text += line("%bs = tt.splat %b : i32 -> " + index);
  text += line("%i = arith.addi %bs, %r : " + index);
  std::string narrow_operands, wide_operands;
  for (int k = 0; k < function.arguments; ++k) {
    const std::string n = std::to_string(k);
    // The other operands are x elsewhere: the k-th of them at index (index * 257^k + 40503 k).
    text += line("%f" + n + " = arith.constant dense<" +
                 (k == 0   ? "1"
                  : k == 1 ? "257"
                           : "8191") +
                 "> : " + index);
    text +=
        line("%d" + n + " = arith.constant dense<" + std::to_string(40503 * k) + "> : " + index);
    text += line("%m" + n + " = arith.constant dense<65535> : " + index);
    text += line("%t" + n + " = arith.muli %i, %f" + n + " : " + index);
    text += line("%u" + n + " = arith.addi %t" + n + ", %d" + n + " : " + index);
    text += line("%j" + n + " = arith.andi %u" + n + ", %m" + n + " : " + index);
    text += line("%s" + n + " = tt.splat %x : " + pointer + " -> " + pointers);
    text += line("%p" + n + " = tt.addptr %s" + n + ", %j" + n + " : " + pointers + ", " + index);
    text += line("%v" + n + " = tt.load %p" + n + " : " + pointers);
    text += line("%w" + n + " = arith.extf %v" + n + " : " + tile + " to " + wide);
    narrow_operands += (k ? ", %v" : "%v") + n;
    wide_operands += (k ? ", %w" : "%w") + n;
  }
  text += line("%y = " + std::string(function.op) + " " + narrow_operands + " : " + tile);
  text += line("%z = " + std::string(function.op) + " " + wide_operands + " : " + wide);
  text += line("%n = arith.truncf %z : " + wide + " to " + tile);
  for (const auto& [buffer, value] : {std::pair("%o", "%y"), std::pair("%q", "%n")}) {
    const std::string to(buffer);
    text += line(to + "s = tt.splat " + to + " : " + pointer + " -> " + pointers);
    text += line(to + "p = tt.addptr " + to + "s, %i : " + pointers + ", " + index);
    text += line("tt.store " + to + "p, " + value + " : " + pointers);
  }
  return text + "    tt.return\n  }\n}\n";
}

bool is_nan(uint16_t bits, const std::string& type) {
  return (bits & 0x7fff) > (type == "f16" ? 0x7c00 : 0x7f80);
}

class Halves : public ::testing::TestWithParam<std::tuple<Function, Place>> {};

TEST_P(Halves, AreRoundedOnce) {
  const auto& [function, place] = GetParam();
  const std::string listed = place.device == std::string("opencl") ? "opencl:0" : place.device;
  const std::vector<DeviceInfo> all = Device::list();
  if (std::none_of(all.begin(), all.end(), [&](const DeviceInfo& d) { return d.name == listed; }))
    GTEST_SKIP() << "no device " << place.device;
  DeviceOptions options;
  options.mapping = place.mapping;
  Device device = Device::open(place.device, options);
  Stream stream(device);
  std::vector<uint16_t> x(65536), got(x.size()), expected(x.size());
  std::iota(x.begin(), x.end(), uint16_t{0});
  const size_t bytes = 2 * x.size();
  for (const std::string type : {"f16", "bf16"}) {
    Buffer in = Buffer::from_host(device, x.data(), bytes), out(device, bytes), wide(device, bytes);
    Kernel kernel = Kernel::from_source(kernel_text(function, type));
    kernel.launch(stream, Grid(64), in, out, wide);
    stream.synchronize();
    out.copy_to_host(got.data(), bytes);
    wide.copy_to_host(expected.data(), bytes);
    for (size_t i = 0; i < x.size(); ++i) {
      if (is_nan(got[i], type) && is_nan(expected[i], type)) continue;
      ASSERT_EQ(got[i], expected[i]) << function.op << " of " << type << " with bits " << x[i];
    }
  }
}

std::string test_name(const ::testing::TestParamInfo<std::tuple<Function, Place>>& info) {
  const std::string op = std::get<0>(info.param).op;
  return op.substr(op.find('.') + 1) + "_" + std::get<1>(info.param).name;
}

INSTANTIATE_TEST_SUITE_P(
    Math, Halves,
    ::testing::Combine(::testing::ValuesIn(kFunctions),
                       ::testing::Values(Place{"cpu", "cpu", Mapping::kDefault},
                                         Place{"vector", "opencl", Mapping::kVector},
                                         Place{"simt", "opencl", Mapping::kSimt})),
    test_name);

}  // namespace
}  // namespace tritonrt::testing
