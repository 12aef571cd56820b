// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "src/cli/kernel_options.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "src/replay/file_io.h"
#include "tritonrt/backend.h"
#include "tritonrt/bundle.h"

namespace tritonrt::cli {

namespace {

// NAME, NAME:N or NAME:TEXT.
bool is_device_name(std::string_view name) {
  const std::string_view driver = name.substr(0, name.find(':'));
  if (driver.size() + 1 == name.size()) return false;
  if (driver == "cpu" || driver == "opencl") return true;
  const std::vector<BackendInfo> backends = list_backends();
  return std::any_of(backends.begin(), backends.end(), [&](const BackendInfo& backend) {
    return backend.part == "runtime" && backend.name == driver;
  });
}

}  // namespace

void check_device_name(const std::string& name, Mapping mapping) {
  if (name == "cpu" && mapping == Mapping::kSimt)
    throw UsageError("the device cpu has the vector mapping only, not simt");
  if (!is_device_name(name))
    throw UsageError("there is no device of the form " + replay::in_quotes(name) +
                     "; cpu, opencl, opencl:N or opencl:TEXT expected, or one of a backend in "
                     "TRITONRT_BACKEND_PATH");
}

Device open_device(const std::string& name, Mapping mapping) {
  check_device_name(name, mapping);
  return Device::open(name, DeviceOptions{mapping});
}

std::map<std::string, std::string> target_options(const std::vector<std::string>& changes) {
  std::map<std::string, std::string> options;
  for (const std::string& change : changes) {
    const size_t sign = change.find('=');
    if (sign == 0 || sign == std::string::npos)
      throw UsageError("--target " + replay::in_quotes(change) + ": KEY=VALUE expected");
    options["target." + change.substr(0, sign)] = change.substr(sign + 1);
  }
  return options;
}

CompileOptions compile_options(const KernelOptions& options) {
  CompileOptions compile;
  if (options.num_warps) compile.num_warps = *options.num_warps;
  if (options.num_stages) compile.num_stages = *options.num_stages;
  compile.extra = target_options(options.target);
  if (options.toolchain) compile.toolchain = *options.toolchain;
  compile.reference = options.reference;
  return compile;
}

std::string read_key(const std::string& file) {
  constexpr size_t kMaxKey = 4096;
  return file.empty() ? std::string() : replay::read_file(file, kMaxKey);
}

Kernel load_kernel(const std::string& file, const KernelOptions& options) {
  if (!is_bundle(file) && !options.public_key.empty())
    throw UsageError("--key is for bundles, and " + replay::in_quotes(file) + " is none");
  if (!is_bundle(file)) return Kernel::from_file(file, compile_options(options), options.kernel);
  if (options.toolchain || options.reference || !options.target.empty())
    throw UsageError("a bundle's kernels are compiled: their options cannot be changed");
  // These choose from what is there.
  Constexprs wanted;
  if (options.num_warps) wanted.emplace("num_warps", std::to_string(*options.num_warps));
  if (options.num_stages) wanted.emplace("num_stages", std::to_string(*options.num_stages));
  const Bundle bundle = Bundle::open(file, {read_key(options.public_key)});
  const std::string name =
      options.kernel.empty() && bundle.size() == 1 ? bundle.info(0).name : options.kernel;
  return bundle.kernel(name, wanted);
}

}  // namespace tritonrt::cli
