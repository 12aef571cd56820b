// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TRITONRT_RUNTIME_CPU_EXECUTOR_H_
#define TRITONRT_RUNTIME_CPU_EXECUTOR_H_

#include <atomic>
#include <cstdint>

namespace tritonrt::runtime {

// A range of programs to be run by up to `max_threads` threads in contiguous pieces. Pieces are
// handed out in increasing order, so a program may wait for lower-numbered ones.
class ParallelJob {
 public:
  virtual ~ParallelJob() = default;

  // Runs [begin, end). Called from several threads at once.
  virtual void run(std::int64_t begin, std::int64_t end) noexcept = 0;
  // Called once, when every program has run, on the thread that left last. May delete the job and
  // may submit another.
  virtual void finished() noexcept = 0;

  // Takes the next piece. False when none is left. Pieces shrink towards the end, so that threads
  // that are slowed down hold up the others little.
  bool claim(std::int64_t& begin, std::int64_t& end) noexcept {
    begin = next_.load(std::memory_order_relaxed);
    while (begin < total) {
      const std::int64_t rest = total - begin;
      std::int64_t size = max_threads == 1 ? rest : rest / (2 * std::int64_t{max_threads});
      if (size < min_piece) size = min_piece;
      if (size > max_piece) size = max_piece;
      if (size > rest) size = rest;
      end = begin + size;
      if (next_.compare_exchange_weak(begin, end, std::memory_order_relaxed)) return true;
    }
    return false;
  }

  bool has_more() const noexcept { return next_.load(std::memory_order_relaxed) < total; }

  std::int64_t total = 0;
  std::int64_t min_piece = 1;
  std::int64_t max_piece = INT64_MAX;
  unsigned max_threads = 1;
  // All of them are wanted from the start: each piece is long.
  bool all_at_once = false;
  // Whose job this is, for Executor::help.
  const void* owner = nullptr;

 private:
  friend class JobList;
  std::atomic<std::int64_t> next_{0};
  // Both under the executor's lock: threads inside, and whether more may enter.
  unsigned active_ = 0;
  bool listed_ = false;
};

// Runs jobs on threads. Thread safe.
class Executor {
 public:
  virtual ~Executor() = default;
  // Threads that one job may use.
  virtual unsigned concurrency() const = 0;
  // Starts the job and returns. The job lives until its finished().
  virtual void submit(ParallelJob* job) = 0;
  // Lets the calling thread work on a job of `owner` if there is one with room. False when not.
  virtual bool help(const void* owner) = 0;
};

}  // namespace tritonrt::runtime

#endif  // TRITONRT_RUNTIME_CPU_EXECUTOR_H_
