// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tritonrt/device.h"

#include <dirent.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <utility>

#include "runtime/check.h"
#include "runtime/shared_library.h"
#include "runtime/trace.h"
#include "tritonrt/error.h"

namespace tritonrt {
namespace {

constexpr std::string_view kModulePrefix = "libtritonrt-";
constexpr std::string_view kModuleSuffix = ".so";
// The compiler lies beside the drivers and is none of them.
constexpr std::string_view kCompiler = "compiler";

// Drivers by name. Modules are opened on first use and stay.
class Drivers {
 public:
  runtime::Driver& get(const std::string& name) {
    if (name == "cpu") return runtime::cpu_driver();
    const std::lock_guard lock(mutex_);
    const auto found = drivers_.find(name);
    if (found != drivers_.end()) return *found->second;
    const std::string path = runtime::library_folder() + "/" + std::string(kModulePrefix) + name +
                             std::string(kModuleSuffix);
    void* library = runtime::open_library(path);
    const auto get_driver = reinterpret_cast<runtime::GetDriverFn>(
        runtime::find_symbol(library, runtime::kGetDriverSymbol, path));
    runtime::Driver* driver = get_driver(runtime::kDriverAbi);
    if (driver == nullptr)
      throw Error(ErrorCode::kNotFound, "'" + path + "' is of another version than this library");
    drivers_.emplace(name, driver);
    return *driver;
  }

  // Names of the modules that lie beside the library, sorted.
  static std::vector<std::string> modules() {
    std::vector<std::string> names;
    DIR* folder = opendir(runtime::library_folder().c_str());
    if (folder == nullptr) return names;
    while (const dirent* entry = readdir(folder)) {
      std::string_view name = entry->d_name;
      if (!name.starts_with(kModulePrefix) || !name.ends_with(kModuleSuffix)) continue;
      name.remove_prefix(kModulePrefix.size());
      name.remove_suffix(kModuleSuffix.size());
      if (name != kCompiler) names.emplace_back(name);
    }
    closedir(folder);
    std::sort(names.begin(), names.end());
    return names;
  }

  static Drivers& instance() {
    static Drivers* drivers = new Drivers;
    return *drivers;
  }

 private:
  std::mutex mutex_;
  std::map<std::string, runtime::Driver*> drivers_;
};

bool is_driver_name(std::string_view name) {
  return !name.empty() && name != kCompiler && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
  });
}

}  // namespace

namespace runtime {

Driver& driver_of(const std::string& name) {
  Trace::open_from_environment();
  return Drivers::instance().get(name);
}

}  // namespace runtime

std::string_view to_string(Mapping mapping) noexcept {
  switch (mapping) {
    case Mapping::kVector:
      return "vector";
    case Mapping::kSimt:
      return "simt";
    default:
      return "default";
  }
}

std::vector<DeviceInfo> Device::list() {
  std::vector<DeviceInfo> devices = runtime::cpu_driver().list();
  for (const std::string& module : Drivers::modules()) {
    try {
      std::vector<DeviceInfo> more = Drivers::instance().get(module).list();
      devices.insert(devices.end(), std::make_move_iterator(more.begin()),
                     std::make_move_iterator(more.end()));
    } catch (const Error&) {
      // A driver that cannot be loaded here has no devices here.
    }
  }
  return devices;
}

Device Device::open(std::string_view name, const DeviceOptions& options) {
  runtime::Trace::open_from_environment();
  const std::size_t colon = name.find(':');
  const std::string driver(name.substr(0, colon));
  if (!is_driver_name(driver))
    throw Error(ErrorCode::kInvalidArgument, "'" + std::string(name) +
                                                 "' is not a device name; expected cpu, opencl, "
                                                 "opencl:N or opencl:TEXT");
  const std::string_view selector =
      colon == std::string_view::npos ? std::string_view() : name.substr(colon + 1);
  if (colon != std::string_view::npos && selector.empty())
    throw Error(ErrorCode::kInvalidArgument,
                "'" + std::string(name) + "' is not a device name: nothing follows the colon");
  try {
    return Device(Drivers::instance().get(driver).open(selector, options.mapping));
  } catch (const Error& error) {
    if (error.code() != ErrorCode::kNotFound) throw;
    throw Error(ErrorCode::kNotFound, "no device '" + std::string(name) + "': " + error.message());
  }
}

Device::Device(std::shared_ptr<runtime::DeviceImpl> impl) noexcept : impl_(std::move(impl)) {}

using runtime::need;

const DeviceInfo& Device::info() const { return need(*this).info(); }
const std::string& Device::target() const { return need(*this).target(); }
std::string Device::portable_target() const { return need(*this).portable_target(); }

std::shared_ptr<MemoryResource> Device::memory_resource() const {
  return need(*this).memory().shared();
}
std::shared_ptr<MemoryResource> Device::memory_upstream() const {
  return need(*this).memory().upstream();
}
void Device::set_memory_resource(std::shared_ptr<MemoryResource> resource) {
  need(*this).memory().set(std::move(resource));
}
MemoryStats Device::memory_stats() const { return need(*this).memory().stats(); }
void Device::trim_memory() { need(*this).memory().current().trim(); }

void Device::synchronize() { need(*this).synchronize(); }
void Device::shutdown() { need(*this).shutdown(); }

}  // namespace tritonrt
