// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tritonrt/error.h"

#include <utility>

namespace tritonrt {

Error::Error(ErrorCode code, std::string message) : code_(code), message_(std::move(message)) {}
Error::~Error() = default;
const char* Error::what() const noexcept { return message_.c_str(); }

const char* to_string(ErrorCode code) noexcept {
  switch (code) {
    case ErrorCode::kInvalidArgument:
      return "invalid argument";
    case ErrorCode::kInvalidInput:
      return "invalid input";
    case ErrorCode::kUnsupported:
      return "unsupported";
    case ErrorCode::kNotFound:
      return "not found";
    case ErrorCode::kCompileFailed:
      return "compilation failed";
    case ErrorCode::kDeviceError:
      return "device error";
    case ErrorCode::kOutOfMemory:
      return "out of memory";
    case ErrorCode::kTimeout:
      return "timeout";
    case ErrorCode::kStopped:
      return "stopped";
    case ErrorCode::kAssertFailed:
      return "assertion failed";
    case ErrorCode::kIo:
      return "i/o error";
    case ErrorCode::kInternal:
      return "internal error";
    case ErrorCode::kFrozen:
      return "frozen";
  }
  return "unknown error";
}

}  // namespace tritonrt
