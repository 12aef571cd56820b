// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/fork.h"

#include <pthread.h>

#include <atomic>

namespace tritonrt::runtime {
namespace {

std::atomic<unsigned> g_forks{0};

}  // namespace

unsigned fork_count() {
  static const int registered =
      pthread_atfork(nullptr, nullptr, [] { g_forks.fetch_add(1, std::memory_order_relaxed); });
  static_cast<void>(registered);
  return g_forks.load(std::memory_order_relaxed);
}

}  // namespace tritonrt::runtime
