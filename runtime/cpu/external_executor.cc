// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/cpu/external_executor.h"

#include <algorithm>
#include <mutex>
#include <utility>

#include "runtime/cpu/job_list.h"

namespace tritonrt {

Executor::~Executor() = default;

}  // namespace tritonrt

namespace tritonrt::runtime {

struct ExternalExecutor::Jobs {
  std::mutex mutex;
  JobList list;  // under mutex

  // Works on one job, of `owner` alone if one is given. False where there is none with room.
  bool work_on_one(const void* owner) {
    ParallelJob* job = nullptr;
    {
      const std::lock_guard lock(mutex);
      job = list.enter(owner);
    }
    if (job == nullptr) return false;
    std::int64_t begin = 0;
    std::int64_t end = 0;
    while (job->claim(begin, end)) job->run(begin, end);
    bool last = false;
    {
      const std::lock_guard lock(mutex);
      last = list.leave(job);
    }
    if (last) job->finished();
    return true;
  }
};

ExternalExecutor::ExternalExecutor(std::shared_ptr<tritonrt::Executor> threads, unsigned limit)
    : threads_(std::move(threads)), limit_(std::max(1u, limit)), jobs_(std::make_shared<Jobs>()) {}

unsigned ExternalExecutor::concurrency() const {
  return std::max(1u, std::min(limit_, threads_->concurrency()));
}

void ExternalExecutor::submit(ParallelJob* job) {
  const unsigned threads = std::min(job->max_threads, concurrency());
  {
    const std::lock_guard lock(jobs_->mutex);
    jobs_->list.add(job);
  }
  // The job may be over, and gone, from here on.
  threads_->submit(threads, [jobs = jobs_] {
    while (jobs->work_on_one(nullptr)) {
    }
  });
}

bool ExternalExecutor::help(const void* owner) { return jobs_->work_on_one(owner); }

}  // namespace tritonrt::runtime
