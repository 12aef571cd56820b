// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/backend_libraries.h"

#include <dirent.h>

#include <algorithm>
#include <cstdlib>
#include <mutex>
#include <utility>

#include "runtime/shared_library.h"
#include "tritonrt/backend.h"
#include "tritonrt_runtime_interface.h"

namespace tritonrt::runtime {
namespace {

constexpr std::string_view kSuffix = ".so";
constexpr std::string_view kKinds[] = {"compiler", "runtime"};

// What the folders hold, found out once.
struct Libraries {
  std::mutex mutex;
  std::vector<std::string> added;
  bool known = false;
  std::vector<BackendLibrary> all;

  static Libraries& instance() {
    static Libraries* libraries = new Libraries;
    return *libraries;
  }

  std::vector<std::string> folders() const {
    std::vector<std::string> folders;
    const char* const path = std::getenv("TRITONRT_BACKEND_PATH");
    for (std::string_view rest = path != nullptr ? path : ""; !rest.empty();) {
      const std::string_view folder = rest.substr(0, rest.find(':'));
      rest.remove_prefix(std::min(rest.size(), folder.size() + 1));
      if (!folder.empty()) folders.emplace_back(folder);
    }
    folders.insert(folders.end(), added.begin(), added.end());
    folders.push_back(library_folder() + "/tritonrt-backends");
    return folders;
  }

  void add_of(const std::string& folder) {
    DIR* const entries = opendir(folder.c_str());
    if (entries == nullptr) return;
    while (const dirent* const entry = readdir(entries)) {
      std::string_view name = entry->d_name;
      if (!name.ends_with(kSuffix)) continue;
      name.remove_suffix(kSuffix.size());
      const std::string_view kind = name.substr(name.rfind('-') + 1);
      if (std::find(std::begin(kKinds), std::end(kKinds), kind) == std::end(kKinds)) continue;
      BackendLibrary library{folder + "/" + entry->d_name, {}};
      // Another file's name may look the same.
      if (readBackendStamp(library.path, library.stamp) && library.stamp.kind == kind)
        add(std::move(library));
    }
    closedir(entries);
  }

  void add(BackendLibrary library) {
    const auto same = [&](const BackendLibrary& other) {
      return other.stamp.name == library.stamp.name && other.stamp.kind == library.stamp.kind;
    };
    if (std::none_of(all.begin(), all.end(), same)) all.push_back(std::move(library));
  }

  const std::vector<BackendLibrary>& get() {
    if (known) return all;
    all.clear();
    for (const std::string& folder : folders()) add_of(folder);
    std::sort(all.begin(), all.end(), [](const BackendLibrary& a, const BackendLibrary& b) {
      return std::pair(a.stamp.name, a.stamp.kind) < std::pair(b.stamp.name, b.stamp.kind);
    });
    known = true;
    return all;
  }
};

}  // namespace

void add_backend_folder(std::string folder) {
  Libraries& libraries = Libraries::instance();
  const std::lock_guard lock(libraries.mutex);
  libraries.added.push_back(std::move(folder));
  libraries.known = false;
}

std::vector<BackendLibrary> backend_libraries() {
  Libraries& libraries = Libraries::instance();
  const std::lock_guard lock(libraries.mutex);
  return libraries.get();
}

BackendLibrary find_backend_library(std::string_view name, std::string_view kind) {
  for (BackendLibrary& library : backend_libraries())
    if (library.stamp.name == name && library.stamp.kind == kind) return std::move(library);
  return {};
}

std::string backend_identities(std::string_view backend) {
  std::string text;
  Libraries& libraries = Libraries::instance();
  const std::lock_guard lock(libraries.mutex);
  for (const BackendLibrary& library : libraries.get()) {
    const BackendStamp& stamp = library.stamp;
    if (!stamp.serves(backend)) continue;
    for (const std::string* part : {&stamp.name, &stamp.kind, &stamp.version, &stamp.build})
      text.append(*part).append(part == &stamp.build ? "\n" : " ");
  }
  return text;
}

}  // namespace tritonrt::runtime

namespace tritonrt {

void add_backend_folder(std::string_view folder) {
  runtime::add_backend_folder(std::string(folder));
}

std::vector<BackendInfo> list_backends() {
  std::vector<BackendInfo> infos;
  for (runtime::BackendLibrary& library : runtime::backend_libraries()) {
    BackendInfo info;
    if (library.stamp.kind == "runtime")
      info.problem = whyRefused(library.path, "runtime", TRITONRT_RUNTIME_INTERFACE, library.stamp);
    info.name = std::move(library.stamp.name);
    info.version = std::move(library.stamp.version);
    info.part = std::move(library.stamp.kind);
    info.path = std::move(library.path);
    infos.push_back(std::move(info));
  }
  return infos;
}

}  // namespace tritonrt
