// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/host_thread.h"

#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>

#include "runtime/fork.h"
#include "runtime/signals.h"

namespace tritonrt::runtime {
namespace {

class HostThread {
 public:
  HostThread() {
    const SignalsBlocked blocked;
    std::thread([this] { work(); }).detach();
  }

  void post(std::function<void()> function) {
    {
      const std::lock_guard lock(mutex_);
      queue_.push_back(std::move(function));
    }
    wake_.notify_one();
  }

 private:
  [[noreturn]] void work() {
    for (;;) {
      std::function<void()> function;
      {
        std::unique_lock lock(mutex_);
        wake_.wait(lock, [this] { return !queue_.empty(); });
        function = std::move(queue_.front());
        queue_.pop_front();
      }
      function();
    }
  }

  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<std::function<void()>> queue_;
};

// The thread of this process. Never ended: it sleeps when the process ends.
struct Current {
  std::mutex mutex;
  HostThread* thread = nullptr;
  unsigned forks = 0;
};

}  // namespace

void post_to_host_thread(std::function<void()> function) {
  static Current* current = new Current;
  HostThread* thread = nullptr;
  {
    const std::lock_guard lock(current->mutex);
    if (current->thread == nullptr || current->forks != fork_count()) {
      current->thread = new HostThread;
      current->forks = fork_count();
    }
    thread = current->thread;
  }
  thread->post(std::move(function));
}

}  // namespace tritonrt::runtime
