// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/cpu/cpu_stream.h"

#include <algorithm>
#include <utility>

#include "runtime/cpu/cpu_device.h"
#include "runtime/cpu/thread_pool.h"
#include "runtime/cpu/topology.h"
#include "runtime/deadline.h"
#include "runtime/host_thread.h"
#include "runtime/trace.h"
#include "tritonrt/error.h"

namespace tritonrt::runtime {
namespace {

using Clock = std::chrono::steady_clock;

// How long a waiter looks out for the end before it sleeps.
constexpr std::chrono::microseconds kSpinTime{20};
// A sleeping waiter looks again for work to help with, should no thread have come for it.
constexpr std::chrono::milliseconds kHelpInterval{100};
// After a time-out, how long a stopped kernel gets to report which op gave up.
constexpr std::chrono::milliseconds kStopGrace{500};

class RecordTask final : public CpuTask {
 public:
  explicit RecordTask(std::shared_ptr<CpuEvent> event) : event_(std::move(event)) {}
  bool start(CpuStream&) override {
    event_->complete();
    return true;
  }

 private:
  std::shared_ptr<CpuEvent> event_;
};

class WaitTask final : public CpuTask {
 public:
  explicit WaitTask(std::shared_ptr<EventImpl> event) : event_(std::move(event)) {}
  std::string name() const override { return "the wait for an event"; }
  bool start(CpuStream& stream) override {
    // The task may end, and be deleted, before on_complete returns.
    const std::shared_ptr<EventImpl> event = event_;
    event->on_complete(
        [s = std::static_pointer_cast<CpuStream>(stream.shared_from_this())] { s->task_ended(); });
    return false;
  }

 private:
  std::shared_ptr<EventImpl> event_;
};

class CallTask final : public CpuTask {
 public:
  explicit CallTask(std::function<void()> function) : function_(std::move(function)) {}
  std::string name() const override { return "a function that the stream calls"; }
  bool start(CpuStream& stream) override {
    auto self = std::static_pointer_cast<CpuStream>(stream.shared_from_this());
    post_to_host_thread([self, function = std::move(function_)]() mutable {
      try {
        function();
      } catch (...) {
        self->fail(std::current_exception());
      }
      function = nullptr;  // lets go of what it keeps
      self->task_ended();
    });
    return false;
  }

 private:
  std::function<void()> function_;
};

}  // namespace

bool CpuEvent::wait(Timeout timeout) {
  std::unique_lock lock(mutex_);
  const auto done = [this] { return is_complete(); };
  if (timeout) return changed_.wait_until(lock, deadline_after(*timeout), done);
  changed_.wait(lock, done);
  return true;
}

std::optional<std::uint64_t> CpuEvent::timestamp() {
  const std::uint64_t time = time_.load(std::memory_order_acquire);
  return time == 0 ? std::nullopt : std::optional(time);
}

void CpuEvent::complete() {
  std::vector<std::function<void()>> then;
  {
    const std::lock_guard lock(mutex_);
    time_.store(now_ns(), std::memory_order_release);
    then.swap(then_);
  }
  changed_.notify_all();
  for (const std::function<void()>& function : then) function();
}

void CpuEvent::on_complete(std::function<void()> then) {
  {
    const std::lock_guard lock(mutex_);
    if (!is_complete()) {
      then_.push_back(std::move(then));
      return;
    }
  }
  then();
}

CpuStream::CpuStream(std::shared_ptr<CpuDevice> device, const StreamOptions& options)
    : StreamImpl(std::move(device), options) {}
// Queued work keeps its stream: none is left.
CpuStream::~CpuStream() { retire_stream(id(), nullptr); }

CpuDevice& CpuStream::cpu_device() const { return static_cast<CpuDevice&>(device()); }

bool CpuStream::own_queued() {
  return (state_.fetch_or(kBusy | kQueued, std::memory_order_acq_rel) & kBusy) == 0;
}

void CpuStream::enqueue(std::unique_ptr<CpuTask> task) {
  bool owner = false;
  {
    const std::lock_guard lock(mutex_);
    queue_.push_back(std::move(task));
    count_enqueued(1);
    owner = own_queued();
  }
  if (owner) advance();
}

void CpuStream::enqueue(std::vector<std::unique_ptr<CpuTask>> tasks) {
  if (tasks.empty()) return;
  bool owner = false;
  {
    const std::lock_guard lock(mutex_);
    for (std::unique_ptr<CpuTask>& task : tasks) queue_.push_back(std::move(task));
    count_enqueued(tasks.size());
    owner = own_queued();
  }
  if (owner) advance();
}

void CpuStream::advance() {
  const auto self = shared_from_this();
  for (;;) {
    CpuTask* task = nullptr;
    {
      const std::lock_guard lock(mutex_);
      if (queue_.empty()) {
        state_.store(kIdle, std::memory_order_seq_cst);
        if (waiters_.load(std::memory_order_seq_cst) != 0) changed_.notify_all();
        return;
      }
      current_ = std::move(queue_.front());
      queue_.pop_front();
      task = current_.get();
    }
    try {
      if (!task->start(*this)) return;
    } catch (...) {
      fail(std::current_exception());
    }
    if (!end_current()) return;
  }
}

bool CpuStream::end_current() {
  std::unique_ptr<CpuTask> ended;
  {
    const std::lock_guard lock(mutex_);
    ended = std::move(current_);
  }
  // What the task keeps is let go before anybody sees that it has ended.
  ended.reset();
  const std::lock_guard lock(mutex_);
  const bool more = !queue_.empty();
  if (!more) state_.store(kIdle, std::memory_order_seq_cst);
  completed_.fetch_add(1, std::memory_order_release);
  if (waiters_.load(std::memory_order_seq_cst) != 0) changed_.notify_all();
  return more;
}

void CpuStream::task_ended() {
  const auto self = shared_from_this();
  if (end_current()) advance();
}

void CpuStream::notify_waiters() noexcept {
  const std::lock_guard lock(mutex_);
  changed_.notify_all();
}

void CpuStream::fail(std::exception_ptr error) {
  const std::lock_guard lock(mutex_);
  if (error_ == nullptr) error_ = std::move(error);
  failed_.store(true, std::memory_order_release);
}

std::exception_ptr CpuStream::take_error() {
  const std::lock_guard lock(mutex_);
  failed_.store(false, std::memory_order_relaxed);
  return std::exchange(error_, nullptr);
}

void CpuStream::rethrow() {
  if (const std::exception_ptr error = take_error()) std::rethrow_exception(error);
}

void CpuStream::stop(bool all) {
  if (all) stopping_.store(true, std::memory_order_release);
  const std::lock_guard lock(mutex_);
  if (current_ != nullptr) current_->stop();
}

CpuStream::Goal CpuStream::goal() {
  const std::lock_guard lock(mutex_);
  return {enqueued(), completed_.load(std::memory_order_acquire) >= enqueued()};
}

bool CpuStream::reached(const Goal& goal) const {
  if (state_.load(std::memory_order_seq_cst) == kIdle) return true;
  return !goal.idle && completed_.load(std::memory_order_acquire) >= goal.ticket;
}

bool CpuStream::sleep(const Goal& goal, Clock::time_point deadline) {
  std::unique_lock lock(mutex_);
  waiters_.fetch_add(1, std::memory_order_seq_cst);
  const bool done = changed_.wait_until(lock, deadline, [&] { return reached(goal); });
  waiters_.fetch_sub(1, std::memory_order_seq_cst);
  return done;
}

void CpuStream::wait_helping(const Goal& goal) {
  static const bool may_spin = allowed_processors() > 1;
  while (!reached(goal)) {
    if (cpu_device().executor().help(this)) continue;
    const auto deadline = Clock::now() + kSpinTime;
    while (may_spin && !reached(goal) && Clock::now() < deadline)
      for (int i = 0; i < 16; ++i) spin_pause();
    if (!reached(goal)) sleep(goal, Clock::now() + kHelpInterval);
  }
}

void CpuStream::time_out(const Goal& goal, std::chrono::nanoseconds timeout) {
  std::string work = "work enqueued earlier";
  {
    const std::lock_guard lock(mutex_);
    if (current_ != nullptr) work = current_->name();
  }
  stop(false);
  const bool ended = sleep(goal, Clock::now() + kStopGrace);
  if (!ended) late_.store(true, std::memory_order_relaxed);
  std::string why;
  if (const std::exception_ptr error = ended ? take_error() : nullptr) {
    try {
      std::rethrow_exception(error);
    } catch (const std::exception& e) {
      why = e.what();
    }
  }
  throw timed_out(work, timeout, why, !ended);
}

bool CpuStream::wait_stopped() {
  const Goal all = goal();
  if (!late_.load(std::memory_order_relaxed)) {
    wait_helping(all);
    return true;
  }
  return sleep(all, Clock::now() + kStopGrace);
}

void CpuStream::synchronize(Timeout timeout) {
  const Goal target = goal();
  if (!timeout) {
    wait_helping(target);
  } else {
    // The waiting thread must stay free to look at the clock, so it does not help.
    if (!reached(target) && !sleep(target, deadline_after(*timeout))) time_out(target, *timeout);
  }
  rethrow();
}

std::shared_ptr<EventImpl> CpuStream::record() {
  auto event = std::make_shared<CpuEvent>(device().shared_from_this());
  if (try_begin()) {
    event->complete();
    end();
  } else {
    enqueue(std::make_unique<RecordTask>(event));
  }
  return event;
}

void CpuStream::wait(const std::shared_ptr<EventImpl>& event) {
  if (!event->is_complete()) enqueue(std::make_unique<WaitTask>(event));
}

void CpuStream::call(std::function<void()> function) {
  check();
  enqueue(std::make_unique<CallTask>(std::move(function)));
}

}  // namespace tritonrt::runtime
