// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/live_buffers.h"

#include <cstdlib>
#include <mutex>

namespace tritonrt::runtime {
namespace {

struct List {
  std::mutex mutex;
  std::vector<std::weak_ptr<BufferImpl>> buffers;
};

List& list() {
  static List* list = new List;
  return *list;
}

}  // namespace

void note_buffer(const std::shared_ptr<BufferImpl>& buffer) {
  static const bool keep = std::getenv("TRITONRT_CAPTURE") != nullptr;
  if (!keep) return;
  List& all = list();
  const std::lock_guard lock(all.mutex);
  std::erase_if(all.buffers, [](const std::weak_ptr<BufferImpl>& b) { return b.expired(); });
  all.buffers.push_back(buffer);
}

std::vector<std::shared_ptr<BufferImpl>> live_buffers() {
  std::vector<std::shared_ptr<BufferImpl>> live;
  List& all = list();
  const std::lock_guard lock(all.mutex);
  for (const std::weak_ptr<BufferImpl>& weak : all.buffers)
    if (auto buffer = weak.lock()) live.push_back(std::move(buffer));
  return live;
}

}  // namespace tritonrt::runtime
