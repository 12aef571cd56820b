// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// math_sweep: runs each function of a mathematical library as a kernel on devices, over dense and
// special arguments, and compares with values of 128 bits. Prints the greatest errors as a table.
#include <fnmatch.h>
#include <tritonrt/tritonrt.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <future>
#include <string>
#include <thread>
#include <vector>

#include "tests/math/arguments.h"
#include "tests/math/reference.h"
#include "tests/math/ulps.h"

namespace tritonrt::testing {
namespace {

constexpr int kBlock = 1024, kPrograms = 4096;

struct Options {
  std::vector<std::string> devices;
  std::string functions = "*";
  uint64_t stride = 65521;  // f32 arguments of one operand: every so many of all 2^32
  int64_t count = 20000;    // others: so many of each kind
  int jobs = 1;             // functions at a time
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

constexpr const char* kNone = "none";  // of a device without fp64

/// One function in one format, on all devices side by side: arguments and exact values are made
/// once, and most results are the same everywhere.
template <class T>
class Sweep {
 public:
  Sweep(const std::vector<Device>& devices, const Reference& f, const Options& options)
      : f_(f), options_(options), arity_(std::strlen(f.signature) - 1) {
    for (size_t i = 0; i < arity_; ++i) operands_.emplace_back(kMany * bytes_of(i));
    Kernel kernel = Kernel::from_source(kernel_text(f, sizeof(T) == 8));
    worst_.resize(devices.size());
    for (size_t d = 0; d < devices.size(); ++d) {
      if (sizeof(T) == 8 && !devices[d].info().fp64) {
        worst_[d].error = kNone;
        continue;
      }
      try {
        places_.push_back(place(devices[d], kernel, d));
      } catch (const Error& error) {
        worst_[d].error = error.message();
      }
    }
  }

  std::vector<Worst> run() {
    Arguments<T> source(f_, options_.stride, options_.count);
    for (size_t n = 0; !places_.empty() && (n = source.fill(operands_, kMany)) != 0;) {
      for (Place& place : places_) {
        for (size_t i = 0; i < arity_; ++i)
          place.buffers[i].copy_from_host(operands_[i].data(), n * bytes_of(i));
        place.bound.launch(place.stream, Grid((n + kBlock - 1) / kBlock));
      }
      for (Place& place : places_) {
        place.stream.synchronize();
        place.buffers[arity_].copy_to_host(place.results.data(), n * bytes_of(arity_));
      }
      compare_on_all_cores(n);
    }
    return worst_;
  }

 private:
  static constexpr size_t kMany = size_t{kBlock} * kPrograms;

  struct Place {
    size_t device;
    Stream stream;
    std::vector<Buffer> buffers;
    BoundKernel bound;
    std::vector<char> results;
  };

  size_t bytes_of(size_t which) const { return f_.signature[which] == 'r' ? sizeof(T) : 4; }

  Place place(const Device& device, const Kernel& kernel, size_t index) {
    std::vector<Buffer> buffers;
    std::vector<Arg> args;
    for (size_t i = 0; i <= arity_; ++i) buffers.emplace_back(device, kMany * bytes_of(i));
    for (Buffer& buffer : buffers) args.emplace_back(buffer);
    BoundKernel bound = kernel.bind(device, Span<const Arg>(args.data(), args.size()));
    return {index, Stream(device), std::move(buffers), std::move(bound),
            std::vector<char>(kMany * bytes_of(arity_))};
  }

  double number(const std::vector<char>& data, size_t which, size_t at) const {
    if (f_.signature[which] == 'r') return reinterpret_cast<const T*>(data.data())[at];
    return reinterpret_cast<const int32_t*>(data.data())[at];
  }

  void compare_on_all_cores(size_t n) {
    size_t parts = std::clamp<size_t>(n / 4096, 1, std::thread::hardware_concurrency());
    std::vector<std::vector<Worst>> found(parts, worst_);
    std::vector<std::thread> threads;
    for (size_t part = 0; part < parts; ++part)
      threads.emplace_back([&, part] {
        for (size_t i = n * part / parts; i < n * (part + 1) / parts; ++i) compare(i, found[part]);
      });
    for (std::thread& thread : threads) thread.join();
    for (const std::vector<Worst>& part : found)
      for (size_t d = 0; d < worst_.size(); ++d)
        if (part[d].ulps > worst_[d].ulps) worst_[d] = part[d];
  }

  /// An f64 reference is off by less than a millionth of an ULP of f32; only what may be the worst
  /// is looked at closely.
  void compare(size_t i, std::vector<Worst>& worst) const {
    double x[4] = {};
    for (size_t k = 0; k < arity_; ++k) x[k] = number(operands_[k], k, i);
    double quick = sizeof(T) == 4 && f_.quick ? f_.quick(x[0]) : 0;
    double last = 0, error = -1;
    for (const Place& place : places_) {
      double got = number(place.results, arity_, i);
      Worst& most = worst[place.device];
      if (sizeof(T) == 4 && f_.quick) {
        double near = quick_ulps(float(got), quick);
        if (near == 0 || near < most.ulps - 1e-6) continue;
      }
      if (error < 0 || std::memcmp(&got, &last, sizeof(got)) != 0) error = error_of(got, x);
      last = got;
      if (error > most.ulps)
        most = {error, std::vector<double>(x, x + arity_), got, double(exact_of(x)), ""};
    }
  }

  // Apart, so that no compiler widens the operands before it is known that they are asked for.
  [[gnu::noinline]] Quad exact_of(const double* x) const {
    Quad operands[4] = {x[0], x[1], x[2], x[3]};
    return f_.exact(operands);
  }

  double error_of(double got, const double* x) const {
    Quad expected = exact_of(x);
    double error = f_.signature[arity_] == 'r' ? ulps<T>(T(got), expected)
                                               : (got == double(expected) ? 0 : kWrong);
    double absolute = sizeof(T) == 4 ? f_.absolute32 : f_.absolute64;
    if (absolute && std::fabs(x[arity_ - 1]) > 8 && std::isfinite(got))
      error = std::fabs(got - double(expected)) <= absolute ? 0 : error;
    return error;
  }

  const Reference& f_;
  const Options& options_;
  size_t arity_;
  std::vector<std::vector<char>> operands_;
  std::vector<Place> places_;
  std::vector<Worst> worst_;
};

std::string figure(const Worst& worst) {
  if (worst.error == kNone) return kNone;
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
  if (worst.error == kNone || (worst.error.empty() && worst.ulps <= allowed)) return true;
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

std::vector<Device> open_devices(const Options& options) {
  std::vector<Device> devices;
  for (const std::string& text : options.devices) {
    // NAME or NAME@MAPPING
    size_t at = text.find('@');
    DeviceOptions chosen;
    if (at != std::string::npos)
      chosen.mapping = text.substr(at + 1) == "simt" ? Mapping::kSimt : Mapping::kVector;
    devices.push_back(Device::open(text.substr(0, at), chosen));
  }
  return devices;
}

void print_head(const Options& options) {
  std::string head = "| function | f32 allowed |", rule = "| --- | ---: |", wide = " f64 allowed |",
              wide_rule = " ---: |";
  for (const std::string& text : options.devices) {
    head += " " + text + " |";
    rule += " ---: |";
    wide += " " + text + " |";
    wide_rule += " ---: |";
  }
  std::printf("One f32 argument in %llu, %lld of each kind in f64.\n\n",
              static_cast<unsigned long long>(options.stride),
              static_cast<long long>(options.count));
  std::printf("%s%s\n%s%s\n", head.c_str(), wide.c_str(), rule.c_str(), wide_rule.c_str());
}

/// The line of one function, or nothing where it is not asked for.
std::string row(const std::vector<Device>& devices, const Reference& f, const Options& options,
                std::atomic<bool>& good) {
  if (fnmatch(options.functions.c_str(), f.name, 0) != 0) return "";
  std::string narrow = "| " + std::string(f.name) + " | " + bound(f.f32) + " |",
              wide = " " + bound(f.f64) + " |";
  std::vector<Worst> in32 = Sweep<float>(devices, f, options).run(),
                     in64 = Sweep<double>(devices, f, options).run();
  for (size_t d = 0; d < devices.size(); ++d) {
    bool both = judge(f, options.devices[d], "f32", in32[d], f.f32);
    if (!judge(f, options.devices[d], "f64", in64[d], f.f64) || !both) good = false;
    narrow += " " + figure(in32[d]) + " |";
    wide += " " + figure(in64[d]) + " |";
  }
  return narrow + wide + "\n";
}

bool print_table(const Options& options) {
  std::vector<Device> devices = open_devices(options);
  print_head(options);
  const std::vector<Reference>& all = references();
  std::vector<std::promise<std::string>> rows(all.size());
  std::atomic<size_t> next{0};
  std::atomic<bool> good{true};
  std::vector<std::thread> workers;
  for (int job = 0; job < options.jobs; ++job)
    workers.emplace_back([&] {
      for (size_t i; (i = next++) < all.size();) {
        try {
          rows[i].set_value(row(devices, all[i], options, good));
        } catch (...) {
          rows[i].set_exception(std::current_exception());
        }
      }
    });
  for (std::promise<std::string>& text : rows) {
    try {
      std::fputs(text.get_future().get().c_str(), stdout);
    } catch (const Error& error) {
      std::fprintf(stderr, "%s\n", error.what());
      good = false;
    }
    std::fflush(stdout);
  }
  for (std::thread& worker : workers) worker.join();
  return good;
}

int usage() {
  std::fprintf(
      stderr,
      "math_sweep [--device NAME[@vector|@simt]]... [--function GLOB] [--stride N] [--count N] "
      "[--jobs N]\n"
      "  Greatest errors of the mathematical functions in units in the last place, as a table.\n"
      "  --stride N  every Nth of the 2^32 arguments in f32 (65521); 1 takes all\n"
      "  --count N   random arguments of each kind in f64 and of two operands (20000)\n"
      "  --jobs N    functions at a time; all cores work for each (1)\n"
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
    else if (word == "--jobs")
      options.jobs = std::max(std::atoi(value.c_str()), 1);
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
