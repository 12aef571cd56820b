// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tritonrt/prepare.h"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <utility>

#include "runtime/check.h"
#include "runtime/deadline.h"
#include "runtime/signals.h"
#include "src/kernel_impl.h"

namespace tritonrt {
namespace runtime {

class PreparationImpl {
 public:
  PreparationImpl(std::vector<PrepareItem> items, PrepareOptions options)
      : items_(std::move(items)), on_progress_(std::move(options.on_progress)) {
    progress_.total = items_.size();
    const std::size_t threads = std::min<std::size_t>(std::max(1u, options.threads), items_.size());
    const SignalsBlocked blocked;
    for (std::size_t i = 0; i < threads; ++i) threads_.emplace_back([this] { work(); });
  }

  ~PreparationImpl() {
    cancel();
    for (std::thread& thread : threads_) thread.join();
  }

  PrepareProgress progress() {
    const std::lock_guard lock(mutex_);
    return progress_;
  }

  std::vector<PrepareFailure> failures() {
    const std::lock_guard lock(mutex_);
    return failures_;
  }

  bool wait(Timeout timeout) {
    std::unique_lock lock(mutex_);
    const auto done = [this] { return progress_.done == progress_.total; };
    if (timeout) return changed_.wait_until(lock, deadline_after(*timeout), done);
    changed_.wait(lock, done);
    return true;
  }

  void cancel() {
    {
      const std::lock_guard lock(mutex_);
      for (; next_ < items_.size(); ++next_) {
        failures_.push_back({next_, Error(ErrorCode::kStopped, "cancelled before it began")});
        ++progress_.failed;
        ++progress_.done;
      }
    }
    changed_.notify_all();
  }

 private:
  void work() {
    for (;;) {
      std::size_t index = 0;
      {
        const std::lock_guard lock(mutex_);
        if (next_ == items_.size()) return;
        index = next_++;
      }
      try {
        finish(index, prepare(items_[index]), nullptr);
      } catch (const Error& error) {
        finish(index, false, &error);
      } catch (const std::exception& error) {
        const Error wrapped(ErrorCode::kInternal, error.what());
        finish(index, false, &wrapped);
      }
    }
  }

  // Whether anything was compiled.
  static bool prepare(const PrepareItem& item) {
    if (!item.every_variant) return item.kernel.prepare(item.device).compiled;
    KernelImpl& kernel = *item.kernel.impl();
    DeviceVariants& variants = kernel.variants(*item.device.impl());
    bool compiled = false;
    for (const bool disjoint : {true, false})
      for (const bool generic : {false, true}) {
        PrepareResult result;
        kernel.executable(variants, {disjoint, generic}, &result);
        compiled = compiled || result.compiled;
      }
    return compiled;
  }

  void finish(std::size_t index, bool compiled, const Error* error) {
    const std::lock_guard one_at_a_time(report_mutex_);
    PrepareProgress now;
    {
      const std::lock_guard lock(mutex_);
      if (error != nullptr) {
        failures_.push_back({index, *error});
        ++progress_.failed;
      }
      if (compiled) ++progress_.compiled;
      ++progress_.done;
      now = progress_;
    }
    changed_.notify_all();
    if (on_progress_) on_progress_(now);
  }

  const std::vector<PrepareItem> items_;
  const std::function<void(const PrepareProgress&)> on_progress_;
  std::mutex report_mutex_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t next_ = 0;                  // under mutex_
  PrepareProgress progress_;              // under mutex_
  std::vector<PrepareFailure> failures_;  // under mutex_
  std::vector<std::thread> threads_;
};

}  // namespace runtime

PrepareProgress Preparation::progress() const {
  return impl_ != nullptr ? impl_->progress() : PrepareProgress();
}

std::vector<PrepareFailure> Preparation::failures() const {
  return impl_ != nullptr ? impl_->failures() : std::vector<PrepareFailure>();
}

void Preparation::wait() const {
  if (impl_ != nullptr) impl_->wait(std::nullopt);
}

bool Preparation::wait(std::chrono::nanoseconds timeout) const {
  return impl_ == nullptr || impl_->wait(timeout);
}

void Preparation::cancel() const {
  if (impl_ != nullptr) impl_->cancel();
}

Preparation prepare(std::vector<PrepareItem> items, PrepareOptions options) {
  for (const PrepareItem& item : items) {
    if (!item.kernel) throw Error(ErrorCode::kInvalidArgument, "the kernel handle is empty");
    runtime::need(item.device);
  }
  Preparation preparation;
  if (!items.empty())
    preparation.impl_ =
        std::make_shared<runtime::PreparationImpl>(std::move(items), std::move(options));
  return preparation;
}

}  // namespace tritonrt
