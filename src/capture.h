// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TRITONRT_SRC_CAPTURE_H_
#define TRITONRT_SRC_CAPTURE_H_

#include <atomic>
#include <filesystem>
#include <functional>
#include <mutex>
#include <string>

#include "runtime/driver.h"
#include "runtime/pack.h"

namespace tritonrt::runtime {

class KernelImpl;

// Saves every launch with its memory before and after, as TRITONRT_CAPTURE=DIR asks for: a folder
// a launch, in the form that `tritonrt replay` reads, and an index of them all. A captured launch
// waits for earlier work and for its own. Thread safe.
class Capture {
 public:
  // Null where nothing is captured.
  static Capture* active() { return active_.load(std::memory_order_relaxed); }
  // Reads the environment, once. Throws kIo where the folder cannot be made.
  static void open_from_environment();
  // Captures into `folder` from now on; an empty one stops. Throws as above.
  static void set_folder(const std::string& folder);

  // Calls `run`, which enqueues the launch, between the two looks at memory. Throws kIo where the
  // files cannot be written, and kUnsupported for a host pointer of unknown size.
  void launch(KernelImpl& kernel, StreamImpl& stream, const Grid& grid, const Frame& frame,
              const std::function<void()>& run);

 private:
  explicit Capture(std::filesystem::path folder);
  std::filesystem::path next_folder(const std::string& kernel);
  void add_to_index(const std::string& name);

  static std::atomic<Capture*> active_;
  const std::filesystem::path folder_;
  std::atomic<unsigned> next_{0};
  std::mutex index_mutex_;
};

}  // namespace tritonrt::runtime

#endif  // TRITONRT_SRC_CAPTURE_H_
