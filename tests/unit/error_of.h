// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TRITONRT_TESTS_UNIT_ERROR_OF_H_
#define TRITONRT_TESTS_UNIT_ERROR_OF_H_

#include <gtest/gtest.h>

#include "tritonrt/tritonrt.h"

namespace tritonrt {

// What the call throws.
template <typename F>
Error error_of(F call) {
  try {
    call();
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << "nothing was thrown";
  return Error(ErrorCode::kInternal, "");
}

}  // namespace tritonrt

#endif  // TRITONRT_TESTS_UNIT_ERROR_OF_H_
