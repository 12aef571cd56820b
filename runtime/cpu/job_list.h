// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TRITONRT_RUNTIME_CPU_JOB_LIST_H_
#define TRITONRT_RUNTIME_CPU_JOB_LIST_H_

#include <algorithm>
#include <vector>

#include "runtime/cpu/executor.h"

namespace tritonrt::runtime {

// Jobs that threads may enter, in order of submission. All functions are called under the lock of
// the executor that owns the list; `claim` and `run` of an entered job are not.
class JobList {
 public:
  void add(ParallelJob* job) {
    job->listed_ = true;
    jobs_.push_back(job);
  }

  // The first job with room, entered; of `owner` alone, if one is given. Null where there is none.
  ParallelJob* enter(const void* owner = nullptr) {
    for (ParallelJob* job : jobs_) {
      if ((owner != nullptr && job->owner != owner) || job->active_ >= job->max_threads) continue;
      ++job->active_;
      return job;
    }
    return nullptr;
  }

  bool has_room(const ParallelJob* job) const {
    return job->listed_ && job->active_ < job->max_threads;
  }

  // A thread found nothing more to do: nobody enters any more. True where it was the last inside,
  // and ends the job.
  bool leave(ParallelJob* job) {
    if (job->listed_) {
      job->listed_ = false;
      jobs_.erase(std::find(jobs_.begin(), jobs_.end(), job));
    }
    return --job->active_ == 0;
  }

 private:
  std::vector<ParallelJob*> jobs_;
};

}  // namespace tritonrt::runtime

#endif  // TRITONRT_RUNTIME_CPU_JOB_LIST_H_
