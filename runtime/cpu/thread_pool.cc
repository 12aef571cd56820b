// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/cpu/thread_pool.h"

#include <algorithm>
#include <chrono>
#include <system_error>

#include "runtime/signals.h"

namespace tritonrt::runtime {
namespace {

// Long enough to bridge the host's work between two launches, short enough not to matter to
// anyone else's work on this processor.
constexpr std::chrono::microseconds kSpinTime{30};

// How long spinners hold back for the owner of a job for one thread: what the call that waits for
// it takes to arrive.
constexpr std::chrono::microseconds kOwnerTime{2};

}  // namespace

ThreadPool::ThreadPool(unsigned threads, unsigned processors)
    : concurrency_(std::max(1u, threads)),
      max_spinners_(std::min(concurrency_, std::max(1u, processors)) - 1) {}

ThreadPool::~ThreadPool() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    epoch_.fetch_add(1, std::memory_order_release);
  }
  wake_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void ThreadPool::submit(ParallelJob* job) {
  const std::lock_guard lock(mutex_);
  jobs_.add(job);
  owner_first_.store(job->max_threads == 1 && job->owner != nullptr, std::memory_order_relaxed);
  epoch_.fetch_add(1, std::memory_order_release);
  if (spinners_ == 0) invite();
  // The one that submits comes by itself.
  for (unsigned i = 2; job->all_at_once && i < job->max_threads; ++i) invite_another();
}

void ThreadPool::invite_another() {
  if (sleepers_ > wakes_) {
    ++wakes_;
    wake_.notify_one();
  } else if (threads_.size() < concurrency_) {
    start_thread();
  }
}

void ThreadPool::start_thread() {
  const SignalsBlocked blocked;
  try {
    threads_.emplace_back([this] { work(); });
  } catch (const std::system_error&) {
    // Fewer threads do: those that run, and in any case the one that waits for the job.
  }
}

void ThreadPool::invite() {
  // One that is called and not awake yet will do.
  if (sleepers_ > wakes_ || wakes_ == 0) invite_another();
}

bool ThreadPool::help(const void* owner) {
  ParallelJob* mine = nullptr;
  {
    const std::lock_guard lock(mutex_);
    mine = jobs_.enter(owner);
  }
  if (mine == nullptr) return false;
  participate(mine);
  return true;
}

void ThreadPool::participate(ParallelJob* job) {
  std::int64_t begin = 0;
  std::int64_t end = 0;
  if (job->claim(begin, end)) {
    job->run(begin, end);
    // Each thread brings in another, once it has seen that there is work to share: by then the
    // owner, if it waits for the job, has joined without being called.
    if (job->has_more()) {
      const std::lock_guard lock(mutex_);
      if (jobs_.has_room(job) && spinners_ == 0) invite();
    }
    while (job->claim(begin, end)) job->run(begin, end);
  }
  bool last = false;
  {
    const std::lock_guard lock(mutex_);
    last = jobs_.leave(job);
  }
  if (last) job->finished();
}

void ThreadPool::spin(std::unique_lock<std::mutex>& lock) {
  const std::uint64_t seen = epoch_.load(std::memory_order_relaxed);
  ++spinners_;
  lock.unlock();
  const auto deadline = std::chrono::steady_clock::now() + kSpinTime;
  bool late = false;
  while (!late && epoch_.load(std::memory_order_acquire) == seen) {
    for (int i = 0; i < 16 && epoch_.load(std::memory_order_relaxed) == seen; ++i) spin_pause();
    late = std::chrono::steady_clock::now() >= deadline;
  }
  if (!late && owner_first_.load(std::memory_order_relaxed)) {
    const auto taken = std::chrono::steady_clock::now() + kOwnerTime;
    while (std::chrono::steady_clock::now() < taken) spin_pause();
  }
  lock.lock();
  --spinners_;
}

void ThreadPool::work() {
  std::unique_lock lock(mutex_);
  bool spun = false;
  for (;;) {
    if (ParallelJob* job = jobs_.enter()) {
      lock.unlock();
      participate(job);
      lock.lock();
      spun = false;
    } else if (stopping_) {
      return;
    } else if (!spun && spinners_ < max_spinners_) {
      const std::uint64_t before = epoch_.load(std::memory_order_relaxed);
      spin(lock);
      spun = epoch_.load(std::memory_order_relaxed) == before;
    } else {
      ++sleepers_;
      wake_.wait(lock, [this] { return wakes_ > 0 || stopping_; });
      --sleepers_;
      if (wakes_ > 0) --wakes_;
      spun = false;
    }
  }
}

}  // namespace tritonrt::runtime
