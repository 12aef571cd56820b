// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every function of CUDA's libdevice and HIP's libraries that Triton can call gives the right
// values on every device: special operands and random ones.
#include <gtest/gtest.h>
#include <tritonrt/tritonrt.h>

#include <cmath>
#include <cstring>
#include <fstream>
#include <limits>
#include <map>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "tests/math/library_reference.h"

namespace tritonrt::testing {
namespace {

constexpr size_t kBlock = 256, kMany = 2048;
constexpr size_t kTogether = 8;  // functions of one kernel

size_t bytes_of(const std::string& type) { return std::stoul(type.substr(1)) / 8; }

/// By their operands' types.
std::map<std::vector<std::string>, std::vector<LibraryFunction>> functions() {
  std::ifstream file(TRITONRT_LIBRARY_NAMES);
  std::map<std::vector<std::string>, std::vector<LibraryFunction>> groups;
  LibraryFunction f;
  for (std::string types; file >> f.symbol >> types >> f.result;) {
    f.operands.clear();
    std::istringstream list(types);
    for (std::string type; std::getline(list, type, ',');) f.operands.push_back(type);
    groups[f.operands].push_back(f);
  }
  return groups;
}

/// o_k[i] = f_k(x_0[i], x_1[i], ...).
std::string kernel_text(const LibraryFunction* f, size_t count) {
  const std::string n = std::to_string(kBlock);
  std::string parameters, loads, names, types, calls;
  auto pointers = [&](const std::string& id, const std::string& type) {
    std::string tile = "tensor<" + n + "x!tt.ptr<" + type + ">>";
    parameters += (parameters.empty() ? "%" : ", %") + id + ": !tt.ptr<" + type + ">";
    loads += "    %s" + id + " = tt.splat %" + id + " : !tt.ptr<" + type + "> -> " + tile +
             "\n    %p" + id + " = tt.addptr %s" + id + ", %i : " + tile + ", tensor<" + n +
             "xi32>\n";
    return tile;
  };
  for (size_t i = 0; i < f->operands.size(); ++i) {
    std::string id = "x" + std::to_string(i);
    std::string tile = pointers(id, f->operands[i]);
    loads += "    %v" + id + " = tt.load %p" + id + " : " + tile + "\n";
    names += (i ? ", %v" : "%v") + id;
    types += (i ? ", tensor<" : "tensor<") + n + "x" + f->operands[i] + ">";
  }
  for (size_t k = 0; k < count; ++k) {
    std::string id = "o" + std::to_string(k), tile = pointers(id, f[k].result);
    calls += "    %y" + id + " = tt.extern_elementwise " + names +
             " {libname = \"\", libpath = \"\", pure = true, symbol = \"" + f[k].symbol +
             "\"} : (" + types + ") -> tensor<" + n + "x" + f[k].result + ">\n    tt.store %p" +
             id + ", %y" + id + " : " + tile + "\n";
  }
  return "module {\n  tt.func public @f(" + parameters +
         ") {\n    %pid = tt.get_program_id x : i32\n    %c = arith.constant " + n +
         " : i32\n    %b = arith.muli %pid, %c : i32\n    %r = tt.make_range {end = " + n +
         " : i32, start = 0 : i32} : tensor<" + n +
         "xi32>\n    %bs = tt.splat %b : i32 -> tensor<" + n +
         "xi32>\n    %i = arith.addi %bs, %r : tensor<" + n + "xi32>\n" + loads + calls +
         "    tt.return\n  }\n}\n";
}

class Operands {
 public:
  /// Half of them special, so that those of two operands meet.
  Bits next(const std::string& type, bool is_order) {
    if (is_order) return random_() % 9 == 0 ? Bits(uint32_t(-1)) : random_() % 12;
    if (type == "f32") return real<float, uint32_t>();
    if (type == "f64") return real<double, uint64_t>();
    return integer(int(bytes_of(type)) * 8);
  }

 private:
  template <class T, class Word>
  Bits real() {
    using Limits = std::numeric_limits<T>;
    static const T special[] = {0,
                                T(0.5),
                                1,
                                T(1.5),
                                2,
                                T(2.5),
                                3,
                                T(0.1),
                                10,
                                24,
                                127,
                                Limits::min(),
                                Limits::denorm_min(),
                                Limits::max(),
                                Limits::infinity(),
                                Limits::epsilon(),
                                1 + Limits::epsilon(),
                                T(2147483648.0),
                                T(4294967296.0),
                                T(9223372036854775808.0),
                                T(18446744073709551616.0),
                                T(2147483647.5),
                                T(65504),
                                T(65520),
                                T(88.7),
                                T(709.7)};
    T x = 0;
    Word word = 0;
    switch (random_() % 8) {
      case 0:
        x = Limits::quiet_NaN();
        if (random_() % 4 == 0) break;
        [[fallthrough]];
      case 1:
      case 2:
        x = special[random_() % std::size(special)];
        break;
      case 3:
        word = Word(random_());
        std::memcpy(&x, &word, sizeof(x));
        if (std::isnan(x)) x = Limits::quiet_NaN();
        break;
      case 4:
        x = T(int64_t(random_()) >> (random_() % 62)) / 2;
        break;
      case 5:
        x = T(uniform());
        break;
      default:
        x = T(std::ldexp(uniform(), int(random_() % 12)));
    }
    if (random_() & 1) x = -x;
    std::memcpy(&word, &x, sizeof(x));
    return word;
  }
  Bits integer(int width) {
    Bits mask = width == 64 ? ~Bits{0} : (Bits{1} << width) - 1, top = Bits{1} << (width - 1);
    const Bits special[] = {0,   1,        2,        3,        31,      32,
                            255, 0x7fffff, 0x800000, 0xffffff, 0x3210,  0x7654,
                            top, top - 1,  top + 1,  mask,     mask - 1};
    if (random_() % 2) return special[random_() % std::size(special)] & mask;
    return Bits(int64_t(random_()) >> (random_() % 64)) & mask;
  }
  double uniform() { return double(random_() >> 11) * 0x1p-53; }

  std::mt19937_64 random_{7};
};

struct Place {
  const char* name;
  const char* device;
  Mapping mapping;
};
void PrintTo(const Place& place, std::ostream* os) { *os << place.name; }

class LibraryValues : public ::testing::TestWithParam<Place> {
 protected:
  void check(const Device& device, const LibraryFunction* f, size_t count) {
    Stream stream(device);
    Operands source;
    std::vector<std::vector<Bits>> operands(f->operands.size(), std::vector<Bits>(kMany));
    std::vector<Buffer> buffers;
    std::vector<Arg> args;
    for (size_t i = 0; i < operands.size(); ++i) {
      bool is_order =
          i == 0 && f->operands.size() == 2 && f->operands[0] == "i32" && f->operands[1][0] == 'f';
      for (Bits& x : operands[i]) x = source.next(f->operands[i], is_order);
      size_t bytes = bytes_of(f->operands[i]);
      std::vector<char> host(kMany * bytes);
      for (size_t k = 0; k < kMany; ++k) std::memcpy(&host[k * bytes], &operands[i][k], bytes);
      buffers.push_back(Buffer::from_host(device, host.data(), host.size()));
    }
    for (size_t k = 0; k < count; ++k) buffers.emplace_back(device, kMany * bytes_of(f[k].result));
    for (Buffer& buffer : buffers) args.emplace_back(buffer);
    Kernel kernel = Kernel::from_source(kernel_text(f, count));
    kernel.bind(device, Span<const Arg>(args.data(), args.size()))
        .launch(stream, Grid(kMany / kBlock));
    stream.synchronize();
    for (size_t k = 0; k < count; ++k) compare(f[k], operands, buffers[operands.size() + k]);
  }

  static void compare(const LibraryFunction& f, const std::vector<std::vector<Bits>>& operands,
                      const Buffer& buffer) {
    LibraryReference reference(f);
    size_t bytes = bytes_of(f.result);
    std::vector<char> host(kMany * bytes);
    buffer.copy_to_host(host.data(), host.size());
    for (size_t i = 0; i < kMany; ++i) {
      Bits x[4] = {}, got = 0;
      for (size_t k = 0; k < operands.size(); ++k) x[k] = operands[k][i];
      std::memcpy(&got, &host[i * bytes], bytes);
      std::string expected;
      if (reference.accepts(x, got, expected)) continue;
      std::ostringstream said;
      said << f.symbol << std::hexfloat;
      for (size_t k = 0; k < operands.size(); ++k)
        said << " " << real_of(x[k], f.operands[k]) << " (0x" << std::hex << x[k] << ")";
      ADD_FAILURE() << said.str() << ": got 0x" << std::hex << got << " " << std::hexfloat
                    << real_of(got, f.result) << ", expected " << expected;
      return;
    }
  }
};

TEST_P(LibraryValues, OfAllFunctions) {
  DeviceOptions options;
  options.mapping = GetParam().mapping;
  Device device = Device::open("cpu");
  try {
    device = Device::open(GetParam().device, options);
  } catch (const Error& error) {
    GTEST_SKIP() << error.message();
  }
  for (const auto& [types, group] : functions())
    for (size_t i = 0; i < group.size(); i += kTogether)
      check(device, &group[i], std::min(kTogether, group.size() - i));
}

INSTANTIATE_TEST_SUITE_P(Math, LibraryValues,
                         ::testing::Values(Place{"cpu", "cpu", Mapping::kVector},
                                           Place{"vector", "opencl:portable", Mapping::kVector},
                                           Place{"simt", "opencl:portable", Mapping::kSimt}),
                         [](const ::testing::TestParamInfo<Place>& info) {
                           return std::string(info.param.name);
                         });

}  // namespace
}  // namespace tritonrt::testing
