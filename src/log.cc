// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "src/log.h"

#include <memory>
#include <mutex>
#include <utility>

#include "tritonrt/log.h"

namespace tritonrt {
namespace {

struct Handler {
  std::mutex mutex;
  std::shared_ptr<const LogHandler> current;  // under mutex
};

// Never destroyed: messages may come after main.
Handler& handler() {
  static Handler* handler = new Handler;
  return *handler;
}

}  // namespace

void set_log_handler(LogHandler fresh) {
  auto shared = fresh ? std::make_shared<const LogHandler>(std::move(fresh)) : nullptr;
  const std::lock_guard lock(handler().mutex);
  handler().current = std::move(shared);
}

namespace runtime {

void log(const std::string& message) {
  std::shared_ptr<const LogHandler> current;
  {
    const std::lock_guard lock(handler().mutex);
    current = handler().current;
  }
  if (current != nullptr) (*current)(message);
}

}  // namespace runtime
}  // namespace tritonrt
