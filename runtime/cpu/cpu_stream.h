// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TRITONRT_RUNTIME_CPU_CPU_STREAM_H_
#define TRITONRT_RUNTIME_CPU_CPU_STREAM_H_

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "runtime/driver.h"

namespace tritonrt::runtime {

class CpuDevice;
class CpuStream;

// Work in a stream's queue.
class CpuTask {
 public:
  virtual ~CpuTask() = default;
  // Starts the task. True: it is over when this returns. False: it ends later, and then calls
  // CpuStream::task_ended from whatever thread it ends on. Errors go to CpuStream::fail.
  virtual bool start(CpuStream& stream) = 0;
  // Asks a task that has been started to give up waiting for other programs.
  virtual void stop() {}
  // Whose work it is, for errors.
  virtual std::string name() const { return "work of the stream"; }
};

class CpuEvent final : public EventImpl {
 public:
  explicit CpuEvent(std::shared_ptr<DeviceImpl> device) : EventImpl(std::move(device)) {}
  bool is_complete() override { return time_.load(std::memory_order_acquire) != 0; }
  bool wait(Timeout timeout) override;
  std::optional<std::uint64_t> timestamp() override;
  void complete();
  void on_complete(std::function<void()> then) override;

 private:
  std::atomic<std::uint64_t> time_{0};  // 0: not yet
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::function<void()>> then_;  // under mutex_
};

// The stream is a token that travels: whoever takes it from idle to busy owns the stream, runs
// what is queued, and puts it back. A small launch takes it, runs in place and puts it back.
class CpuStream final : public StreamImpl {
 public:
  CpuStream(std::shared_ptr<CpuDevice> device, const StreamOptions& options);
  ~CpuStream() override;

  void synchronize(Timeout timeout) override;
  bool is_idle() override { return state_.load(std::memory_order_acquire) == kIdle; }
  std::shared_ptr<EventImpl> record() override;
  void wait(const std::shared_ptr<EventImpl>& event) override;
  void wait_foreign(const std::shared_ptr<EventImpl>& event) override { wait(event); }
  void call(std::function<void()> function) override;

  bool has_run(std::uint64_t ticket) override {
    return is_idle() || completed_.load(std::memory_order_acquire) >= ticket;
  }

  CpuDevice& cpu_device() const;

  // Takes the stream if it is idle.
  bool try_begin() noexcept {
    std::uint32_t expected = kIdle;
    return state_.compare_exchange_strong(expected, kBusy, std::memory_order_acquire,
                                          std::memory_order_relaxed);
  }
  // Gives it back, or goes on with what was queued meanwhile.
  void end() noexcept {
    std::uint32_t expected = kBusy;
    if (!state_.compare_exchange_strong(expected, kIdle, std::memory_order_seq_cst,
                                        std::memory_order_relaxed))
      advance();
    else if (waiters_.load(std::memory_order_seq_cst) != 0)
      notify_waiters();
  }

  void enqueue(std::unique_ptr<CpuTask> task);
  // All of them, with nothing between them.
  void enqueue(std::vector<std::unique_ptr<CpuTask>> tasks);
  // A started task is over: goes on with the next.
  void task_ended();
  // Waits as synchronize does, and leaves errors for it.
  void drain() { wait_helping(goal()); }
  // Keeps the first error for the next call that may report one.
  void fail(std::exception_ptr error);
  // Throws it.
  void check() {
    if (failed_.load(std::memory_order_relaxed)) rethrow();
  }
  // Asks the running task, and those queued behind it when `all`, to give up waiting.
  void stop(bool all);
  // Waits for all work after stop(true); work that a time-out was thrown for is waited for no
  // longer than it takes to stop. False where some goes on.
  bool wait_stopped();
  bool is_stopping() const { return stopping_.load(std::memory_order_acquire); }

 private:
  static constexpr std::uint32_t kIdle = 0;
  static constexpr std::uint32_t kBusy = 1;    // someone owns the stream
  static constexpr std::uint32_t kQueued = 2;  // and there is, or was, something in the queue

  // What a waiter waits for: everything that was in the queue when it came.
  struct Goal {
    std::uint64_t ticket;
    bool idle;  // nothing was queued, but someone was running in place
  };

  // Says that something is queued, under mutex_. True where that makes the caller the owner.
  bool own_queued();
  void advance();
  // Takes leave of the running task, and of the stream if nothing is queued: whoever sees the last
  // task done sees the stream idle. False when the stream is no longer the caller's.
  bool end_current();
  void notify_waiters() noexcept;
  Goal goal();
  bool reached(const Goal& goal) const;
  bool sleep(const Goal& goal, std::chrono::steady_clock::time_point deadline);
  void wait_helping(const Goal& goal);
  [[noreturn]] void time_out(const Goal& goal, std::chrono::nanoseconds timeout);
  std::exception_ptr take_error();
  void rethrow();

  std::atomic<std::uint32_t> state_{kIdle};
  std::atomic<bool> failed_{false};  // there is an error_
  std::atomic<std::uint32_t> waiters_{0};
  std::atomic<bool> stopping_{false};
  std::atomic<bool> late_{false};  // a time-out was thrown for work that went on
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::unique_ptr<CpuTask>> queue_;  // under mutex_
  std::unique_ptr<CpuTask> current_;            // changed by the owner under mutex_
  std::atomic<std::uint64_t> completed_{0};
  std::exception_ptr error_;  // under mutex_
};

}  // namespace tritonrt::runtime

#endif  // TRITONRT_RUNTIME_CPU_CPU_STREAM_H_
