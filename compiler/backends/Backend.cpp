// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/backends/Backend.h"

#include "compiler/passes/Passes.h"

#include <mutex>
#include <vector>

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

void Backend::addMapping(mlir::OpPassManager &pm, const Job &job) const {
  job.traits.simt ? addSimtMapping(pm, job) : addVectorMapping(pm, job);
}

namespace {
struct Registry {
  std::mutex mutex;
  std::vector<std::unique_ptr<Backend>> backends;
};

Registry &registry() {
  static Registry instance;
  return instance;
}
} // namespace

const Backend *findBackend(const KeyValues &target) {
  std::lock_guard lock(registry().mutex);
  const Backend *best = nullptr;
  int most = 0;
  for (const auto &backend : registry().backends)
    if (int suits = backend->suits(target); suits > most) {
      most = suits;
      best = backend.get();
    }
  return best;
}

void registerBackend(std::unique_ptr<Backend> backend) {
  std::lock_guard lock(registry().mutex);
  registry().backends.push_back(std::move(backend));
}

} // namespace tritonrt::compiler
