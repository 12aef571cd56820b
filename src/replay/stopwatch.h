// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TRITONRT_REPLAY_STOPWATCH_H_
#define TRITONRT_REPLAY_STOPWATCH_H_

#include <chrono>

namespace tritonrt::replay {

// Wall time since it was made.
class Stopwatch {
 public:
  double ms() const {
    return std::chrono::duration<double, std::milli>(Clock::now() - start_).count();
  }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point start_ = Clock::now();
};

}  // namespace tritonrt::replay

#endif  // TRITONRT_REPLAY_STOPWATCH_H_
