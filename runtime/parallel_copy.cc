// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/parallel_copy.h"

#include <algorithm>
#include <condition_variable>
#include <cstring>
#include <memory>
#include <mutex>

#include "runtime/cpu/cpu_device.h"
#include "tritonrt/error.h"

namespace tritonrt::runtime {
namespace {

constexpr std::size_t kPiece = std::size_t{256} << 10;
constexpr unsigned kMaxThreads = 4;

// Outlives the job by as long as either side looks at it.
struct Done {
  std::mutex mutex;
  std::condition_variable changed;
  bool done = false;
};

class CopyJob final : public ParallelJob {
 public:
  CopyJob(void* target, const void* source, std::size_t size, std::shared_ptr<Done> done)
      : target_(static_cast<char*>(target)),
        source_(static_cast<const char*>(source)),
        size_(size),
        done_(std::move(done)) {
    total = static_cast<std::int64_t>((size + kPiece - 1) / kPiece);
    max_threads = kMaxThreads;
    owner = this;
  }
  void run(std::int64_t begin, std::int64_t end) noexcept override {
    const std::size_t from = static_cast<std::size_t>(begin) * kPiece;
    const std::size_t to = std::min(size_, static_cast<std::size_t>(end) * kPiece);
    std::memcpy(target_ + from, source_ + from, to - from);
  }
  void finished() noexcept override {
    const std::shared_ptr<Done> done = done_;
    delete this;
    const std::lock_guard lock(done->mutex);
    done->done = true;
    done->changed.notify_all();
  }

 private:
  char* const target_;
  const char* const source_;
  const std::size_t size_;
  const std::shared_ptr<Done> done_;
};

}  // namespace

void parallel_copy(void* target, const void* source, std::size_t size) {
  if (size >= 4 * kPiece) {
    try {
      Executor& executor = current_cpu_device()->executor();
      if (executor.concurrency() > 1) {
        const auto done = std::make_shared<Done>();
        const void* owner = nullptr;
        {
          auto job = std::make_unique<CopyJob>(target, source, size, done);
          owner = job->owner;
          executor.submit(job.release());
        }
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
  std::memcpy(target, source, size);
}

}  // namespace tritonrt::runtime
