// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TRITONRT_RUNTIME_CPU_THREAD_POOL_H_
#define TRITONRT_RUNTIME_CPU_THREAD_POOL_H_

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>
#include <vector>

#include "runtime/cpu/executor.h"
#include "runtime/cpu/job_list.h"

namespace tritonrt::runtime {

// The default executor. Idle threads spin for a few microseconds, so that work that follows soon
// costs no system call, and then sleep. No more threads spin than leave a processor to the caller.
// Threads start when first needed. Jobs start in the order of submission; a job's owner may work
// on it too, within the same limit of threads.
class ThreadPool final : public Executor {
 public:
  // `processors`: how many may really run at once; with one, nothing spins.
  ThreadPool(unsigned threads, unsigned processors);
  // Ends the threads. REQUIRES: every job has finished.
  ~ThreadPool() override;

  unsigned concurrency() const override { return concurrency_; }
  void submit(ParallelJob* job) override;
  bool help(const void* owner) override;

 private:
  void work();
  // Runs pieces until none is left, then leaves. Takes the lock for leaving.
  void participate(ParallelJob* job);
  // Brings one more thread to listed work, under the lock; the second even where one is about to
  // come already.
  void invite();
  void invite_another();
  void start_thread();
  // Waits a moment for work without a system call. Leaves the lock meanwhile.
  void spin(std::unique_lock<std::mutex>& lock);

  const unsigned concurrency_;
  const unsigned max_spinners_;
  std::mutex mutex_;
  std::condition_variable wake_;
  JobList jobs_;
  std::atomic<std::uint64_t> epoch_{0};  // counts submissions; what spinners watch
  // The newest job is for one thread. Its owner, if it waits for it at once, runs it soonest and
  // has the data at hand, so spinners let it come first.
  std::atomic<bool> owner_first_{false};
  unsigned spinners_ = 0;
  unsigned sleepers_ = 0;
  unsigned wakes_ = 0;  // sleepers that have been called and are not awake yet
  bool stopping_ = false;
  std::vector<std::thread> threads_;
};

// Lets the sibling hyper-thread run, and tells the processor that this is a spin.
inline void spin_pause() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

}  // namespace tritonrt::runtime

#endif  // TRITONRT_RUNTIME_CPU_THREAD_POOL_H_
