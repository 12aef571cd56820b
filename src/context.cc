// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "src/context.h"

#include "runtime/shared_library.h"
#include "src/log.h"

namespace tritonrt::runtime {
namespace {

cache::Settings settings(const CacheOptions& options) {
  cache::Settings settings = cache::settings_from_environment();
  settings.warn = log;
  if (options.directory) settings.folder = *options.directory;
  if (options.max_bytes) {
    settings.max_bytes = *options.max_bytes;
    settings.complaint.clear();
  }
  return settings;
}

// The current context. Never destroyed: kernels may outlive main.
struct Current {
  std::mutex mutex;
  std::shared_ptr<Context> context;
};

Current& current_context() {
  static Current* current = new Current;
  return *current;
}

cache::Key build_id_key() { return cache::make_key(cache::KeyKind::kBuildId, {}); }

}  // namespace

Context::Context(const CacheOptions& options) : Context(options, settings(options)) {}

Context::Context(const CacheOptions& options, const cache::Settings& settings)
    : complaint_(settings.complaint),
      cache_(cache::native_file_system(), settings),
      compiler_(options.compiler_library ? *options.compiler_library
                                         : library_folder() + "/libtritonrt-compiler.so") {}

std::shared_ptr<Context> Context::current() {
  Current& current = current_context();
  std::shared_ptr<Context> fresh;
  {
    const std::lock_guard lock(current.mutex);
    if (current.context != nullptr) return current.context;
    fresh = std::make_shared<Context>(CacheOptions());
    current.context = fresh;
  }
  // Whoever hears it may use the library.
  if (!fresh->complaint_.empty()) log(fresh->complaint_);
  return fresh;
}

void Context::replace(const CacheOptions& options) {
  auto context = std::make_shared<Context>(options);
  Current& current = current_context();
  const std::lock_guard lock(current.mutex);
  current.context = std::move(context);
}

const std::string& Context::build_id() {
  std::call_once(build_id_once_, [this] {
    build_id_ = compiler_.build_id_beside();
    if (build_id_.empty()) build_id_ = cache_.find_text(build_id_key()).value_or("");
  });
  return build_id_;
}

void Context::remember_build_id() {
  std::call_once(remember_once_, [this] {
    if (cache_.find_text(build_id_key()) != build_id())
      cache_.store_text(build_id_key(), build_id());
  });
}

std::shared_ptr<Context::Loaded> Context::loaded(const DeviceImpl& device, const cache::Key& key) {
  const std::lock_guard lock(mutex_);
  std::shared_ptr<Loaded>& slot = loaded_[{&device, key}];
  if (slot == nullptr) slot = std::make_shared<Loaded>();
  const std::shared_ptr<Loaded> result = slot;
  if (loaded_.size() > prune_at_) {
    // Nobody else holds the slot, so nobody looks at the executable in it.
    std::erase_if(loaded_, [](const auto& item) {
      return item.second.use_count() == 1 && item.second->executable.expired();
    });
    prune_at_ = 2 * loaded_.size() + 256;
  }
  return result;
}

}  // namespace tritonrt::runtime

namespace tritonrt {

void set_cache_options(const CacheOptions& options) { runtime::Context::replace(options); }

CacheStats cache_stats() {
  const std::shared_ptr<runtime::Context> context = runtime::Context::current();
  const cache::Counters& c = context->cache().counters();
  CacheStats stats;
  stats.memory_hits = c.memory_hits;
  stats.disk_hits = c.disk_hits;
  stats.compiles = c.compiles;
  stats.stores = c.stores;
  stats.evictions = c.evictions;
  stats.corrupt = c.corrupt;
  stats.errors = c.errors;
  return stats;
}

}  // namespace tritonrt
