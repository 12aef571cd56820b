// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TRITONRT_RUNTIME_OPENCL_CL_ERROR_H_
#define TRITONRT_RUNTIME_OPENCL_CL_ERROR_H_

#include <string>

#include "runtime/opencl/cl_headers.h"
#include "tritonrt/error.h"

namespace tritonrt::runtime {

// "CL_OUT_OF_RESOURCES (-5)".
TRITONRT_API std::string cl_error_name(cl_int code);

// The error that a driver's code means, with what was being done.
TRITONRT_API Error cl_failure(cl_int code, const std::string& doing);

inline void cl_check(cl_int code, const char* doing) {
  if (code != CL_SUCCESS) throw cl_failure(code, doing);
}

}  // namespace tritonrt::runtime

#endif  // TRITONRT_RUNTIME_OPENCL_CL_ERROR_H_
