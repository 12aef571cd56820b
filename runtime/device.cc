// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tritonrt/device.h"

#include <dirent.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <utility>

#include "runtime/backend_libraries.h"
#include "runtime/check.h"
#include "runtime/shared_library.h"
#include "runtime/trace.h"
#include "tritonrt/error.h"
#include "tritonrt_runtime_interface.h"

namespace tritonrt {
namespace {

constexpr std::string_view kPrefix = "libtritonrt-";
constexpr std::string_view kSuffix = ".so";
// The compiler lies beside the drivers and is none of them.
constexpr std::string_view kCompiler = "compiler";

// Drivers by name: built in, in libraries beside this one, or in those of backends. Libraries are
// opened on first use and stay.
class Drivers {
 public:
  runtime::Driver& get(const std::string& name) {
    const std::lock_guard lock(mutex_);
    const auto found = drivers_.find(name);
    if (found != drivers_.end()) return *found->second;
    runtime::Driver& driver = make(name);
    drivers_.emplace(name, &driver);
    return driver;
  }

  void add_built_in(const char* name, runtime::Driver& (*get)()) {
    const std::lock_guard lock(mutex_);
    built_in_.emplace(name, get);
  }

  // Built-in ones first, each kind sorted.
  std::vector<std::string> names() {
    std::vector<std::string> names;
    {
      const std::lock_guard lock(mutex_);
      for (const auto& [name, get] : built_in_) names.push_back(name);
    }
    const std::ptrdiff_t first = static_cast<std::ptrdiff_t>(names.size());
    add_libraries_beside(names);
    for (const runtime::BackendLibrary& library : runtime::backend_libraries())
      if (library.stamp.kind == "runtime") names.push_back(library.stamp.name);
    std::sort(names.begin() + first, names.end());
    return names;
  }

  static Drivers& instance() {
    static Drivers* drivers = new Drivers;
    return *drivers;
  }

 private:
  static std::string path_beside(const std::string& name) {
    return runtime::library_folder() + "/" + std::string(kPrefix) + name + std::string(kSuffix);
  }

  static void add_libraries_beside(std::vector<std::string>& names) {
    DIR* folder = opendir(runtime::library_folder().c_str());
    if (folder == nullptr) return;
    while (const dirent* entry = readdir(folder)) {
      std::string_view name = entry->d_name;
      if (!name.starts_with(kPrefix) || !name.ends_with(kSuffix)) continue;
      name.remove_prefix(kPrefix.size());
      name.remove_suffix(kSuffix.size());
      if (name != kCompiler) names.emplace_back(name);
    }
    closedir(folder);
  }

  runtime::Driver& make(const std::string& name) {
    const auto built_in = built_in_.find(name);
    if (built_in != built_in_.end()) return built_in->second();
    runtime::BackendLibrary backend = runtime::find_backend_library(name, "runtime");
    if (!backend.path.empty()) {
      const std::string refusal =
          whyRefused(backend.path, "runtime", TRITONRT_RUNTIME_INTERFACE, backend.stamp);
      if (!refusal.empty()) throw Error(ErrorCode::kNotFound, refusal);
    }
    const std::string path = backend.path.empty() ? path_beside(name) : backend.path;
    void* library = runtime::open_library(path);
    const auto get_driver = reinterpret_cast<runtime::GetDriverFn>(
        runtime::find_symbol(library, runtime::kGetDriverSymbol, path));
    runtime::Driver* driver = get_driver(runtime::kDriverAbi);
    if (driver == nullptr)
      throw Error(ErrorCode::kNotFound, "'" + path +
                                            "' is of another version than this library; install "
                                            "both from one build");
    return *driver;
  }

  std::mutex mutex_;
  std::map<std::string, runtime::Driver& (*)()> built_in_;  // under mutex_
  std::map<std::string, runtime::Driver*> drivers_;         // under mutex_
};

bool is_driver_name(std::string_view name) {
  return !name.empty() && name != kCompiler && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
  });
}

std::string known_names() {
  std::string text;
  for (const std::string& name : Drivers::instance().names())
    text.append(text.empty() ? "" : ", ").append(name);
  return text;
}

}  // namespace

namespace runtime {

bool add_built_in_driver(const char* name, Driver& (*get)()) {
  Drivers::instance().add_built_in(name, get);
  return true;
}

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
  std::vector<DeviceInfo> devices;
  for (const std::string& name : Drivers::instance().names()) {
    try {
      std::vector<DeviceInfo> more = Drivers::instance().get(name).list();
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
    throw Error(ErrorCode::kInvalidArgument,
                "'" + std::string(name) +
                    "' is not a device name; expected NAME, NAME:N or NAME:TEXT, where NAME is one "
                    "of " +
                    known_names());
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
