// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/parallel_for.h"

#include <algorithm>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <utility>

#include "runtime/cpu/cpu_device.h"
#include "tritonrt/error.h"

namespace tritonrt::runtime {
namespace {

// Outlives the job by as long as either side looks at it.
struct Done {
  std::mutex mutex;
  std::condition_variable changed;
  bool done = false;
};

class LoopJob final : public ParallelJob {
 public:
  LoopJob(std::size_t count, unsigned threads, const std::function<void(std::size_t)>& body,
          std::shared_ptr<Done> done)
      : body_(body), done_(std::move(done)) {
    total = static_cast<std::int64_t>(count);
    max_piece = 1;
    max_threads = threads;
    all_at_once = true;
    owner = this;
  }
  void run(std::int64_t begin, std::int64_t end) noexcept override {
    for (std::int64_t i = begin; i < end; ++i) body_(static_cast<std::size_t>(i));
  }
  void finished() noexcept override {
    const std::shared_ptr<Done> done = done_;
    delete this;
    const std::lock_guard lock(done->mutex);
    done->done = true;
    done->changed.notify_all();
  }

 private:
  const std::function<void(std::size_t)>& body_;  // the caller waits
  const std::shared_ptr<Done> done_;
};

}  // namespace

void parallel_for(std::size_t count, unsigned threads,
                  const std::function<void(std::size_t)>& run) {
  if (count > 1 && threads > 1) {
    try {
      Executor& executor = current_cpu_device()->executor();
      if (executor.concurrency() > 1) {
        const auto done = std::make_shared<Done>();
        auto job =
            std::make_unique<LoopJob>(count, std::min(threads, executor.concurrency()), run, done);
        const void* const owner = job->owner;
        executor.submit(job.release());
        while (executor.help(owner)) {
        }
        std::unique_lock lock(done->mutex);
        done->changed.wait(lock, [&] { return done->done; });
        return;
      }
    } catch (const Error&) {
      // No executor any more: this thread does it.
    }
  }
  for (std::size_t i = 0; i < count; ++i) run(i);
}

}  // namespace tritonrt::runtime
