// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/deadline.h"

namespace tritonrt::runtime {

Error timed_out(const std::string& work, std::chrono::nanoseconds timeout,
                const std::string& gave_up, bool goes_on) {
  return Error(ErrorCode::kTimeout,
               work + " did not end within " + std::to_string(timeout.count() / 1000000) + " ms" +
                   (gave_up.empty() ? "" : ": " + gave_up) +
                   (goes_on ? "; it goes on, as nothing in it looks whether it is to stop" : ""));
}

}  // namespace tritonrt::runtime
