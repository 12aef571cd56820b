// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TRITONRT_OPENMP_H_
#define TRITONRT_OPENMP_H_

// An executor on the application's own OpenMP: there where this header is compiled with it.
//
//   tritonrt::set_executor(std::make_shared<tritonrt::OpenMpExecutor>());
#ifdef _OPENMP

#include <omp.h>

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <utility>

#include "tritonrt/executor.h"

namespace tritonrt {

// Runs launches in parallel regions that a thread of its own opens, so that its team stays alive
// between them and submit returns at once.
class OpenMpExecutor final : public Executor {
 public:
  OpenMpExecutor() : threads_(omp_get_max_threads()), leader_([this] { lead(); }) {}
  ~OpenMpExecutor() override {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      stopping_ = true;
    }
    wake_.notify_one();
    leader_.join();
  }

  unsigned concurrency() const override { return static_cast<unsigned>(threads_); }

  void submit(unsigned threads, std::function<void()> work) override {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      queue_.push_back({static_cast<int>(threads), std::move(work)});
    }
    wake_.notify_one();
  }

 private:
  struct Call {
    int threads;
    std::function<void()> work;
  };

  void lead() {
    for (;;) {
      Call call;
      {
        std::unique_lock<std::mutex> lock(mutex_);
        wake_.wait(lock, [this] { return stopping_ || !queue_.empty(); });
        if (queue_.empty()) return;
        call = std::move(queue_.front());
        queue_.pop_front();
      }
#pragma omp parallel num_threads(call.threads)
      call.work();
    }
  }

  const int threads_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<Call> queue_;  // under mutex_
  bool stopping_ = false;   // under mutex_
  std::thread leader_;
};

}  // namespace tritonrt

#endif  // _OPENMP

#endif  // TRITONRT_OPENMP_H_
