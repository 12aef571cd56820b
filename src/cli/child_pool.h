// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TRITONRT_CLI_CHILD_POOL_H_
#define TRITONRT_CLI_CHILD_POOL_H_

#include <chrono>
#include <functional>
#include <string>
#include <vector>

namespace tritonrt::cli {

// How a child process ended.
struct ChildOutcome {
  bool timed_out = false;
  int signal = 0;  // that ended it; 0: none
  int exit_code = 0;
  std::string report;  // what it wrote to file descriptor kReportFd
  std::string errors;  // what it wrote to standard error
};

// Where a child finds the file that it writes its report to.
inline constexpr int kReportFd = 3;

// Runs this program once for each list of arguments, at most `jobs` at a time, and calls `done`
// with the list's index as each ends. A child that lives longer than `timeout` is killed with its
// process group. Children die with this process. Called from a single-threaded process.
void run_children(const std::vector<std::vector<std::string>>& argument_lists, unsigned jobs,
                  std::chrono::nanoseconds timeout,
                  const std::function<void(size_t, const ChildOutcome&)>& done);

}  // namespace tritonrt::cli

#endif  // TRITONRT_CLI_CHILD_POOL_H_
