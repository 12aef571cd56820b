// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TRITONRT_SRC_CONTEXT_H_
#define TRITONRT_SRC_CONTEXT_H_

#include <memory>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <unordered_map>

#include "cache/cache.h"
#include "runtime/driver.h"
#include "runtime/pack.h"
#include "src/compiler_library.h"
#include "tritonrt/cache.h"

namespace tritonrt::runtime {

// What kernels share: the cache, the compiler, and the executables that are loaded. Kernels keep
// the one that was current when they were made. Thread safe.
class Context {
 public:
  explicit Context(const CacheOptions& options);

  static std::shared_ptr<Context> current();
  static void replace(const CacheOptions& options);

  cache::Cache& cache() { return cache_; }
  CompilerLibrary& compiler() { return compiler_; }

  // The compiler's build id, without loading it. On a host without the compiler: that of the one
  // that filled the cache.
  const std::string& build_id();
  // Keeps the id for such a host.
  void remember_build_id();

  // The signature under a key; `make`, which may throw, gives it where it is not known.
  template <typename F>
  std::shared_ptr<const Signature> signature(const cache::Key& key, F make) {
    {
      const std::shared_lock lock(signatures_mutex_);
      if (const auto found = signatures_.find(key); found != signatures_.end())
        return found->second;
    }
    std::shared_ptr<const Signature> fresh = make();
    const std::unique_lock lock(signatures_mutex_);
    return signatures_.emplace(key, std::move(fresh)).first->second;
  }

  // One executable for each device and key, and the lock under which it is made.
  struct Loaded {
    std::mutex mutex;
    std::weak_ptr<Executable> executable;  // under mutex
  };
  std::shared_ptr<Loaded> loaded(const DeviceImpl& device, const cache::Key& key);

 private:
  struct LoadedKey {
    const DeviceImpl* device;
    cache::Key key;
    friend bool operator==(const LoadedKey&, const LoadedKey&) = default;
  };
  struct LoadedHash {
    std::size_t operator()(const LoadedKey& k) const noexcept {
      return k.key.low ^ reinterpret_cast<std::uintptr_t>(k.device);
    }
  };

  Context(const CacheOptions& options, const cache::Settings& settings);

  const std::string complaint_;
  cache::Cache cache_;
  CompilerLibrary compiler_;
  std::once_flag build_id_once_;
  std::string build_id_;
  std::once_flag remember_once_;
  std::shared_mutex signatures_mutex_;
  std::unordered_map<cache::Key, std::shared_ptr<const Signature>, cache::KeyHash> signatures_;
  std::mutex mutex_;
  std::unordered_map<LoadedKey, std::shared_ptr<Loaded>, LoadedHash> loaded_;
  std::size_t prune_at_ = 256;
};

}  // namespace tritonrt::runtime

#endif  // TRITONRT_SRC_CONTEXT_H_
