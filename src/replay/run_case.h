// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TRITONRT_REPLAY_RUN_CASE_H_
#define TRITONRT_REPLAY_RUN_CASE_H_

#include <chrono>
#include <map>
#include <string>
#include <string_view>

#include "src/replay/launch_case.h"
#include "tritonrt/bundle.h"
#include "tritonrt/device.h"
#include "tritonrt/kernel.h"

namespace tritonrt::replay {

enum class Status {
  kPass,   // every buffer is as the case says, or the kernel was refused where that is right
  kFail,   // it ran and a buffer differs
  kError,  // refused, crashed or timed out
};

std::string_view to_string(Status status);

struct RunOptions {
  Mapping mapping = Mapping::kDefault;
  MeshMapping mesh_mapping = MeshMapping::kDefault;
  bool reference = false;
  bool check_races = false;   // of programs that talk; on the CPU
  bool exact_memory = false;  // nothing may be touched outside of buffers, see exact_memory.h
  std::map<std::string, std::string> extra;  // of CompileOptions
  std::chrono::nanoseconds timeout = std::chrono::seconds(60);
  const Bundle* bundle =
      nullptr;  // where kernels come from instead of their text; by text and options
};

struct RunResult {
  Status status = Status::kError;
  std::string message;
  std::string mapping;       // the one in use; empty if the device could not be opened
  std::string mesh_mapping;  // of programs that talk; empty for others
  bool compiled = true;      // false: found in the cache
  bool runs_on = false;      // after a time-out: it could not be stopped
  double compile_ms = 0;
  double run_ms = 0;
};

// Runs one launch on the device of that name and checks its buffers. Never throws: whatever goes
// wrong is the result. The time-out bounds the launch, not the compilation. Thread safe.
RunResult run_case(const LaunchCase& launch, const std::string& device, const RunOptions& options);

// The same for the case in a folder; a malformed case is an error.
RunResult run_case(const std::filesystem::path& folder, const std::string& device,
                   const RunOptions& options);

}  // namespace tritonrt::replay

#endif  // TRITONRT_REPLAY_RUN_CASE_H_
