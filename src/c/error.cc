// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <string>

#include "src/c/handles.h"

namespace tritonrt::c {
namespace {

// The last failure of a thread. A message that does not fit into memory is left out.
std::string& last_message() {
  thread_local std::string message;
  return message;
}

}  // namespace

tritonrt_status fail(tritonrt_status status, const char* message) noexcept {
  try {
    last_message() = message;
  } catch (const std::bad_alloc&) {
    last_message().clear();
  }
  return status;
}

tritonrt_status status_of(ErrorCode code) noexcept {
  switch (code) {
    case ErrorCode::kInvalidArgument:
      return TRITONRT_INVALID_ARGUMENT;
    case ErrorCode::kInvalidInput:
      return TRITONRT_INVALID_INPUT;
    case ErrorCode::kUnsupported:
      return TRITONRT_UNSUPPORTED;
    case ErrorCode::kNotFound:
      return TRITONRT_NOT_FOUND;
    case ErrorCode::kCompileFailed:
      return TRITONRT_COMPILE_FAILED;
    case ErrorCode::kDeviceError:
      return TRITONRT_DEVICE_ERROR;
    case ErrorCode::kOutOfMemory:
      return TRITONRT_OUT_OF_MEMORY;
    case ErrorCode::kTimeout:
      return TRITONRT_TIMEOUT;
    case ErrorCode::kStopped:
      return TRITONRT_STOPPED;
    case ErrorCode::kIo:
      return TRITONRT_IO;
    case ErrorCode::kInternal:
      return TRITONRT_INTERNAL;
    case ErrorCode::kFrozen:
      return TRITONRT_FROZEN;
    case ErrorCode::kAssertFailed:
      return TRITONRT_ASSERT_FAILED;
  }
  return TRITONRT_INTERNAL;
}

}  // namespace tritonrt::c

using tritonrt::ErrorCode;

uint32_t tritonrt_api_version(void) { return TRITONRT_C_API_VERSION; }

const char* tritonrt_status_name(tritonrt_status status) {
  const int number = tritonrt::c::number_of(status);
  if (number == TRITONRT_OK) return "ok";
  for (int code = 0; code <= static_cast<int>(ErrorCode::kAssertFailed); ++code)
    if (tritonrt::c::status_of(static_cast<ErrorCode>(code)) == number)
      return tritonrt::to_string(static_cast<ErrorCode>(code));
  return "unknown status";
}

const char* tritonrt_last_error(void) { return tritonrt::c::last_message().c_str(); }
