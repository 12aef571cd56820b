// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TRITONRT_RUNTIME_DEADLINE_H_
#define TRITONRT_RUNTIME_DEADLINE_H_

// When waits with a time-out end, and how.

#include <algorithm>
#include <chrono>
#include <string>

#include "tritonrt/error.h"
#include "tritonrt/export.h"

namespace tritonrt::runtime {

// Callers may wait as long as the type can say, which the clock's time cannot be added to: the sum
// would lie in the past. What is longer than a year is a year.
inline std::chrono::steady_clock::time_point deadline_after(std::chrono::nanoseconds timeout) {
  constexpr std::chrono::nanoseconds kLongest = std::chrono::hours(24 * 365);
  return std::chrono::steady_clock::now() + std::min(timeout, kLongest);
}

// The error for work that did not end in time: `work` says whose, `gave_up` what gave up when it
// was told to stop, and may be empty; `goes_on`: it has not stopped.
TRITONRT_API Error timed_out(const std::string& work, std::chrono::nanoseconds timeout,
                             const std::string& gave_up, bool goes_on);

}  // namespace tritonrt::runtime

#endif  // TRITONRT_RUNTIME_DEADLINE_H_
