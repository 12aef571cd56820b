// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/backends/Backend.h"

#include "compiler/BuildId.h"
#include "compiler/Registration.h"
#include "compiler/api/backend_stamp.h"
#include "compiler/passes/PassList.h"
#include "compiler/passes/Passes.h"

#include <deque>
#include <dlfcn.h>
#include <map>
#include <mutex>
#include <optional>

namespace tritonrt::compiler {

KeyValues::KeyValues(llvm::StringRef text) {
  llvm::SmallVector<llvm::StringRef> lines;
  text.split(lines, '\n', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  for (llvm::StringRef line : lines) {
    auto [key, value] = line.split('=');
    values[key] = value.str();
  }
}

llvm::StringRef KeyValues::get(llvm::StringRef key, llvm::StringRef fallback) const {
  auto it = values.find(key);
  return it == values.end() ? fallback : llvm::StringRef(it->second);
}

void KeyValues::change(llvm::StringRef prefix, const KeyValues &changes) {
  for (const auto &entry : changes.values) {
    llvm::StringRef key = entry.getKey();
    if (key.consume_front(prefix) && key.consume_front("."))
      values[key] = entry.getValue();
  }
}

int64_t KeyValues::getInt(llvm::StringRef key, int64_t fallback) const {
  int64_t value;
  return get(key).getAsInteger(10, value) ? fallback : value;
}

void Backend::addToTile(PassList &passes, const Job &job) const {
  compiler::addToTile(passes, job);
}

void Backend::addToNests(PassList &passes, const Job &job) const {
  compiler::addToNests(passes, job);
}

void Backend::addMapping(PassList &passes, const Job &job) const {
  job.traits.simt ? addSimtMapping(passes, job) : addVectorMapping(passes, job);
}

namespace {

struct Entry {
  std::unique_ptr<Backend> backend;
  /// Of a backend from a library of its own.
  std::optional<BackendStamp> stamp;
  /// Made when first asked for.
  std::optional<DialectSet> dialects;
  bool hasDialects = false;

  bool serves(const KeyValues &target) const {
    return !stamp || stamp->serves(target.get("backend").str());
  }
};

struct Registry {
  std::mutex mutex;
  // A deque: what is in it stays where it is.
  std::deque<Entry> entries;
  std::map<std::string, std::string> loaded; // messages by path

  /// Set while its library's initialisers run. Only one library is loaded at a time.
  const BackendStamp *loading = nullptr;
  std::mutex loadMutex;

  Entry &entryOf(const Backend &backend) {
    return *llvm::find_if(entries, [&](const Entry &e) { return e.backend.get() == &backend; });
  }
};

Registry &registry() {
  static Registry instance;
  return instance;
}

/// What the backend brings, in front of ours.
void fillDialects(Entry &entry) {
  DialectSet &set = entry.dialects.emplace();
  entry.backend->registerDialects(set.registry);
  entry.hasDialects = !set.registry.isSubsetOf(mlir::DialectRegistry());
  for (llvm::StringRef name : set.registry.getDialectNames())
    set.foreign.insert(name);
  registerAllDialects(set.registry);
}

const DialectSet *dialectsOf(Entry &entry) {
  if (!entry.dialects)
    fillDialects(entry);
  return entry.hasDialects ? &*entry.dialects : nullptr;
}

} // namespace

const Backend *findBackend(const KeyValues &target) {
  std::lock_guard lock(registry().mutex);
  const Backend *best = nullptr;
  int most = 0;
  for (const Entry &entry : registry().entries) {
    int suits = entry.serves(target) ? entry.backend->suits(target) : 0;
    if (suits > most) {
      most = suits;
      best = entry.backend.get();
    }
  }
  return best;
}

void registerBackend(std::unique_ptr<Backend> backend) {
  Registry &all = registry();
  std::lock_guard lock(all.mutex);
  Entry &entry = all.entries.emplace_back();
  entry.backend = std::move(backend);
  if (all.loading)
    entry.stamp = *all.loading;
}

std::string identityOf(const Backend &backend) {
  std::lock_guard lock(registry().mutex);
  const Entry &entry = registry().entryOf(backend);
  return (backend.name() + " " + (entry.stamp ? entry.stamp->version : TRITONRT_VERSION)).str();
}

const DialectSet *dialectsOf(const Backend &backend) {
  std::lock_guard lock(registry().mutex);
  return dialectsOf(registry().entryOf(backend));
}

std::vector<const Backend *> backendsWithDialects() {
  std::lock_guard lock(registry().mutex);
  std::vector<const Backend *> found;
  for (Entry &entry : registry().entries)
    if (dialectsOf(entry))
      found.push_back(entry.backend.get());
  llvm::stable_sort(found, [](auto *a, auto *b) { return a->name() < b->name(); });
  return found;
}

std::string loadBackends(const std::string &path) {
  Registry &all = registry();
  std::lock_guard lock(all.loadMutex);
  auto [known, isNew] = all.loaded.try_emplace(path);
  std::string &message = known->second;
  if (!isNew)
    return message;
  BackendStamp stamp;
  message = whyRefused(path, "compiler", kInterface, stamp);
  if (!message.empty())
    return message;
  all.loading = &stamp;
  // Never closed: its dialects and passes are referred to as long as the process runs.
  if (!dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL))
    message = "cannot load the backend '" + stamp.name + "': " + dlerror();
  all.loading = nullptr;
  return message;
}

} // namespace tritonrt::compiler
