// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// math_sweep: runs each function of a mathematical library as a kernel on devices, over dense and
// special arguments, and compares with values of 128 bits. Prints the greatest errors as a table.
#include <fnmatch.h>
#include <tritonrt/tritonrt.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "tests/math/arguments.h"
#include "tests/math/reference.h"
#include "tests/math/ulps.h"

namespace tritonrt::testing {
namespace {

constexpr int kBlock = 1024, kPrograms = 1024;

struct Options {
  std::vector<std::string> devices;
  std::string functions = "*";
  uint64_t stride = 65521;  // f32 arguments of one operand: every so many of all 2^32
  int64_t count = 20000;    // others: so many of each kind
  bool check = false;
};

/// out[i] = f(x[i], ...) for all i below the length of the buffers.
std::string kernel_text(const Reference& f, bool wide) {
  std::string real = wide ? "f64" : "f32", n = std::to_string(kBlock);
  auto type = [&](char letter) { return letter == 'r' ? real : std::string("i32"); };
  std::string signature = f.signature, parameters, loads, operands, types;
  for (size_t i = 0; i + 1 < signature.size(); ++i) {
    std::string t = type(signature[i]), id = std::to_string(i);
    parameters += "%x" + id + ": !tt.ptr<" + t + ">, ";
    loads += "    %s" + id + " = tt.splat %x" + id + " : !tt.ptr<" + t + "> -> tensor<" + n +
             "x!tt.ptr<" + t + ">>\n    %p" + id + " = tt.addptr %s" + id + ", %i : tensor<" + n +
             "x!tt.ptr<" + t + ">>, tensor<" + n + "xi32>\n    %v" + id + " = tt.load %p" + id +
             " : tensor<" + n + "x!tt.ptr<" + t + ">>\n";
    operands += (i ? ", %v" : "%v") + id;
    types += (i ? ", tensor<" : "tensor<") + n + "x" + t + ">";
  }
  std::string result = type(signature.back());
  return "module {\n  tt.func public @f(" + parameters + "%o: !tt.ptr<" + result + ">) {\n" +
         "    %pid = tt.get_program_id x : i32\n    %c = arith.constant " + n + " : i32\n" +
         "    %b = arith.muli %pid, %c : i32\n    %r = tt.make_range {end = " + n +
         " : i32, start = 0 : i32} : tensor<" + n +
         "xi32>\n    %bs = tt.splat %b : i32 -> tensor<" + n +
         "xi32>\n    %i = arith.addi %bs, %r : tensor<" + n + "xi32>\n" + loads +
         "    %y = tt.extern_elementwise " + operands +
         " {libname = \"\", libpath = \"\", pure = true, symbol = \"__nv_" + f.name +
         (wide ? "" : "f") + "\"} : (" + types + ") -> tensor<" + n + "x" + result + ">\n" +
         "    %so = tt.splat %o : !tt.ptr<" + result + "> -> tensor<" + n + "x!tt.ptr<" + result +
         ">>\n    %po = tt.addptr %so, %i : tensor<" + n + "x!tt.ptr<" + result + ">>, tensor<" +
         n + "xi32>\n" + "    tt.store %po, %y : tensor<" + n + "x!tt.ptr<" + result +
         ">>\n    tt.return\n  }\n}\n";
}

struct Worst {
  double ulps = 0;
  std::vector<double> at;
  double got = 0, expected = 0;
  std::string error;  // why there is no figure
};

/// Runs one function in one format on one device.
template <class T>
class Sweep {
 public:
  Sweep(const Device& device, const Reference& f, const Options& options)
      : f_(f), options_(options), arity_(std::strlen(f.signature) - 1), stream_(device) {
    Kernel kernel = Kernel::from_source(kernel_text(f, sizeof(T) == 8));
    std::vector<Arg> args;
    for (size_t i = 0; i <= arity_; ++i) {
      host_.emplace_back(kMany * (f.signature[i] == 'r' ? sizeof(T) : 4));
      buffers_.emplace_back(device, host_.back().size());
    }
    for (Buffer& buffer : buffers_) args.emplace_back(buffer);
    bound_ = kernel.bind(device, Span<const Arg>(args.data(), args.size()));
  }

  Worst run() {
    Arguments<T> source(f_, options_.stride, options_.count);
    for (size_t n = 0; (n = source.fill(host_, kMany)) != 0;) {
      for (size_t i = 0; i < arity_; ++i)
        buffers_[i].copy_from_host(host_[i].data(), host_[i].size());
      bound_.launch(stream_, Grid((n + kBlock - 1) / kBlock));
      stream_.synchronize();
      buffers_[arity_].copy_to_host(host_[arity_].data(), host_[arity_].size());
      compare(n);
    }
    return worst_;
  }

 private:
  static constexpr size_t kMany = size_t{kBlock} * kPrograms;

  double operand(size_t which, size_t at) const {
    const char* data = host_[which].data();
    if (f_.signature[which] == 'r') return reinterpret_cast<const T*>(data)[at];
    return reinterpret_cast<const int32_t*>(data)[at];
  }

  void compare(size_t n) {
    for (size_t i = 0; i < n; ++i) {
      double got = operand(arity_, i);
      Quad x[4] = {};
      for (size_t k = 0; k < arity_; ++k) x[k] = operand(k, i);
      // An f64 reference is off by less than this; only what may be the worst is looked at closely.
      if (sizeof(T) == 4 && f_.quick &&
          ulps<T>(T(got), f_.quick(double(x[0]))) < worst_.ulps - 1e-6)
        continue;
      Quad expected = f_.exact(x);
      double error = f_.signature[arity_] == 'r' ? ulps<T>(T(got), expected)
                                                 : (got == double(expected) ? 0 : kWrong);
      double absolute = sizeof(T) == 4 ? f_.absolute32 : f_.absolute64;
      if (absolute && std::fabs(double(x[arity_ - 1])) > 8 && std::isfinite(got))
        error = std::fabs(got - double(expected)) <= absolute ? 0 : error;
      if (error <= worst_.ulps) continue;
      worst_ = {error, {}, got, double(expected), ""};
      for (size_t k = 0; k < arity_; ++k) worst_.at.push_back(operand(k, i));
    }
  }

  const Reference& f_;
  const Options& options_;
  size_t arity_;
  Stream stream_;
  std::vector<std::vector<char>> host_;
  std::vector<Buffer> buffers_;
  BoundKernel bound_;
  Worst worst_;
};

template <class T>
Worst sweep(const Device& device, const Reference& f, const Options& options) try {
  return Sweep<T>(device, f, options).run();
} catch (const Error& error) {
  Worst failed;
  failed.error = error.message();
  return failed;
}

std::string figure(const Worst& worst) {
  if (!worst.error.empty()) return "error";
  if (worst.ulps >= kWrong) return "wrong";
  char text[32];
  std::snprintf(text, sizeof(text), "%.2f", worst.ulps);
  return text;
}

std::string bound(double ulps) {
  char text[32];
  std::snprintf(text, sizeof(text), "%g", ulps);
  return text;
}

/// Prints what breaks a bound to stderr. Is it within?
bool judge(const Reference& f, const std::string& device, const char* format, const Worst& worst,
           double allowed) {
  if (worst.error.empty() && worst.ulps <= allowed) return true;
  if (!worst.error.empty()) {
    std::fprintf(stderr, "%s %s %s: %s\n", f.name, format, device.c_str(), worst.error.c_str());
    return false;
  }
  std::fprintf(stderr, "%s %s %s: %s ULP at", f.name, format, device.c_str(),
               figure(worst).c_str());
  for (double x : worst.at) std::fprintf(stderr, " %a", x);
  std::fprintf(stderr, ": got %.17g, expected %.17g, allowed %g ULP\n", worst.got, worst.expected,
               allowed);
  return false;
}

bool print_table(const Options& options) {
  std::vector<Device> devices;
  std::string head = "| function | f32 allowed |", rule = "| --- | ---: |", wide = " f64 allowed |",
              wide_rule = " ---: |";
  for (const std::string& text : options.devices) {
    // NAME or NAME@MAPPING
    size_t at = text.find('@');
    DeviceOptions chosen;
    if (at != std::string::npos)
      chosen.mapping = text.substr(at + 1) == "simt" ? Mapping::kSimt : Mapping::kVector;
    devices.push_back(Device::open(text.substr(0, at), chosen));
    head += " " + text + " |";
    rule += " ---: |";
    wide += " " + text + " |";
    wide_rule += " ---: |";
  }
  std::printf("%s%s\n%s%s\n", head.c_str(), wide.c_str(), rule.c_str(), wide_rule.c_str());
  bool good = true;
  for (const Reference& f : references()) {
    if (fnmatch(options.functions.c_str(), f.name, 0) != 0) continue;
    std::string narrow = "| " + std::string(f.name) + " | " + bound(f.f32) + " |",
                wides = " " + bound(f.f64) + " |";
    for (size_t d = 0; d < devices.size(); ++d) {
      Worst w32 = sweep<float>(devices[d], f, options);
      good &= judge(f, options.devices[d], "f32", w32, f.f32);
      narrow += " " + figure(w32) + " |";
      if (!devices[d].info().fp64) {
        wides += " none |";
        continue;
      }
      Worst w64 = sweep<double>(devices[d], f, options);
      good &= judge(f, options.devices[d], "f64", w64, f.f64);
      wides += " " + figure(w64) + " |";
    }
    std::printf("%s%s\n", narrow.c_str(), wides.c_str());
    std::fflush(stdout);
  }
  return good;
}

int usage() {
  std::fprintf(
      stderr,
      "math_sweep [--device NAME[@vector|@simt]]... [--function GLOB] [--stride N] [--count N]\n"
      "  Greatest errors of the mathematical functions in units in the last place, as a table.\n"
      "  --stride N  every Nth of the 2^32 arguments in f32 (65521); 1 takes all\n"
      "  --count N   random arguments of each kind in f64 and of two operands (20000)\n"
      "  Exit 1 where a bound is broken.\n");
  return 2;
}

int run(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    std::string word = argv[i];
    if (i + 1 >= argc) return usage();
    std::string value = argv[++i];
    if (word == "--device")
      options.devices.push_back(value);
    else if (word == "--function")
      options.functions = value;
    else if (word == "--stride")
      options.stride = std::max<uint64_t>(std::strtoull(value.c_str(), nullptr, 10), 1);
    else if (word == "--count")
      options.count = std::strtoll(value.c_str(), nullptr, 10);
    else
      return usage();
  }
  if (options.devices.empty()) options.devices = {"cpu"};
  return print_table(options) ? 0 : 1;
}

}  // namespace
}  // namespace tritonrt::testing

int main(int argc, char** argv) try {
  return tritonrt::testing::run(argc, argv);
} catch (const tritonrt::Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
