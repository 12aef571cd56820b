// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TRITONRT_PREPARE_H_
#define TRITONRT_PREPARE_H_

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

#include "tritonrt/device.h"
#include "tritonrt/error.h"
#include "tritonrt/export.h"
#include "tritonrt/kernel.h"

namespace tritonrt {

namespace runtime {
class PreparationImpl;
}

// A kernel to be made callable on a device.
struct PrepareItem {
  Kernel kernel;
  Device device;
  // Besides the usual variant, those for arguments that overlap and for arguments that break a
  // promise of the text, so that no launch ever compiles.
  bool every_variant = false;
};

struct PrepareProgress {
  std::size_t total = 0;
  std::size_t done = 0;      // failed ones among them
  std::size_t compiled = 0;  // not found in the cache
  std::size_t failed = 0;
};

struct PrepareFailure {
  std::size_t item;  // index into what was asked for
  Error error;
};

struct PrepareOptions {
  unsigned threads = 1;
  // Called after each item, from a thread of the library, one call at a time. Must not throw.
  std::function<void(const PrepareProgress&)> on_progress;
};

// Kernels being compiled in the background. The last handle's end drops what has not begun and
// waits for what has: no compiler runs while the process ends. A handle, thread safe.
class TRITONRT_API Preparation {
 public:
  // Nothing to prepare: done.
  Preparation() noexcept = default;

  PrepareProgress progress() const;
  // Items that could not be prepared so far.
  std::vector<PrepareFailure> failures() const;

  // Blocks until all is done; throws nothing of the items'. With a time-out: false when it passed
  // first.
  void wait() const;
  bool wait(std::chrono::nanoseconds timeout) const;

  // Drops what has not begun: it counts as failed, with kStopped.
  void cancel() const;

 private:
  friend Preparation prepare(std::vector<PrepareItem> items, PrepareOptions options);
  std::shared_ptr<runtime::PreparationImpl> impl_;
};

// Begins to make kernels callable, in the order given. Throws kInvalidArgument for empty handles.
[[nodiscard]] TRITONRT_API Preparation prepare(std::vector<PrepareItem> items,
                                               PrepareOptions options = {});

}  // namespace tritonrt

#endif  // TRITONRT_PREPARE_H_
