// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TRITONRT_ERROR_H_
#define TRITONRT_ERROR_H_

#include <exception>
#include <string>

#include "tritonrt/export.h"

namespace tritonrt {

enum class ErrorCode {
  kInvalidArgument,  // a wrong call: count, type, device, range or grid
  kInvalidInput,     // the kernel's text is malformed or fails verification
  kUnsupported,      // right, but this target or build cannot do it
  kNotFound,         // no such file, kernel, device, stage or library
  kCompileFailed,    // the compiler or the driver's build refused the kernel
  kDeviceError,      // the driver reported a failure
  kOutOfMemory,
  kTimeout,
  kStopped,  // a waiting kernel gave up after a time-out or shutdown()
  kIo,
  kInternal,
  kFrozen,        // something would have to be compiled after freeze()
  kAssertFailed,  // a tt.assert of a kernel did not hold
};

// The exception that every public function throws. what() says what failed, where and what was
// expected; for an error in a kernel's text its first line is `FILE:LINE:COL: error: TEXT`.
class TRITONRT_API Error : public std::exception {
 public:
  Error(ErrorCode code, std::string message);
  ~Error() override;

  ErrorCode code() const noexcept { return code_; }
  const std::string& message() const noexcept { return message_; }
  const char* what() const noexcept override;

 private:
  ErrorCode code_;
  std::string message_;
};

// "invalid argument", "timeout", ...
TRITONRT_API const char* to_string(ErrorCode code) noexcept;

}  // namespace tritonrt

#endif  // TRITONRT_ERROR_H_
