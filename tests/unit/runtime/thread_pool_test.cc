// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/cpu/thread_pool.h"

#include <gtest/gtest.h>

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

namespace tritonrt::runtime {
namespace {

// Counts how often each program runs and by whom, and tells its end.
class CountingJob : public ParallelJob {
 public:
  CountingJob(std::int64_t programs, unsigned threads) : counts_(programs) {
    total = programs;
    max_threads = threads;
  }
  void run(std::int64_t begin, std::int64_t end) noexcept override {
    const unsigned now = inside_.fetch_add(1) + 1;
    unsigned most = most_.load();
    while (now > most && !most_.compare_exchange_weak(most, now)) {
    }
    for (std::int64_t i = begin; i < end; ++i) counts_[static_cast<std::size_t>(i)].fetch_add(1);
    inside_.fetch_sub(1);
  }
  void finished() noexcept override {
    const std::lock_guard lock(mutex_);
    done_ = true;
    changed_.notify_all();
  }
  void wait() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return done_; });
  }
  bool each_once() const {
    for (const std::atomic<int>& count : counts_)
      if (count != 1) return false;
    return true;
  }
  unsigned most() const { return most_; }

 private:
  std::vector<std::atomic<int>> counts_;
  std::atomic<unsigned> inside_{0};
  std::atomic<unsigned> most_{0};
  std::mutex mutex_;
  std::condition_variable changed_;
  bool done_ = false;
};

TEST(ThreadPool, RunsEveryProgramOnce) {
  for (const unsigned threads : {1u, 2u, 5u}) {
    ThreadPool pool(threads, 2);
    for (const std::int64_t programs : {1, 2, 3, 64, 1000}) {
      CountingJob job(programs, threads);
      pool.submit(&job);
      job.wait();
      EXPECT_TRUE(job.each_once()) << threads << " threads, " << programs << " programs";
      EXPECT_LE(job.most(), threads);
    }
  }
}

TEST(ThreadPool, TheOwnerHelpsWithinTheLimit) {
  ThreadPool pool(1, 1);
  for (int i = 0; i < 200; ++i) {
    CountingJob job(50, 1);
    job.owner = &job;
    pool.submit(&job);
    pool.help(&job);
    job.wait();
    EXPECT_TRUE(job.each_once());
    EXPECT_EQ(job.most(), 1u);
  }
  int nobody = 0;
  EXPECT_FALSE(pool.help(&nobody));
}

TEST(ThreadPool, ManySubmittersOversubscribed) {
  ThreadPool pool(4, 2);
  std::vector<std::thread> submitters;
  for (int t = 0; t < 6; ++t)
    submitters.emplace_back([&] {
      for (int i = 0; i < 100; ++i) {
        CountingJob job(17, 3);
        job.owner = &job;
        pool.submit(&job);
        if (i % 2 == 0) pool.help(&job);
        job.wait();
        EXPECT_TRUE(job.each_once());
        EXPECT_LE(job.most(), 3u);
      }
    });
  for (std::thread& thread : submitters) thread.join();
}

TEST(ThreadPool, PiecesIncreaseAndRespectTheirLimits) {
  CountingJob job(1000, 4);
  job.min_piece = 10;
  job.max_piece = 100;
  std::int64_t begin = 0;
  std::int64_t end = 0;
  std::int64_t last = 0;
  while (job.claim(begin, end)) {
    EXPECT_EQ(begin, last);
    EXPECT_LE(end - begin, 100);
    if (end != 1000) {
      EXPECT_GE(end - begin, 10);
    }
    last = end;
  }
  EXPECT_EQ(last, 1000);
}

}  // namespace
}  // namespace tritonrt::runtime
