// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TRITONRT_RUNTIME_OPENCL_CL_HEADERS_H_
#define TRITONRT_RUNTIME_OPENCL_CL_HEADERS_H_

// OpenCL's C++ bindings with exceptions, asking of a platform no more than version 1.2.
#define CL_HPP_ENABLE_EXCEPTIONS
// 110, not 120: with that the bindings use a function that they leave out.
#define CL_HPP_MINIMUM_OPENCL_VERSION 110
#define CL_HPP_TARGET_OPENCL_VERSION 300
#include <CL/opencl.hpp>

#endif  // TRITONRT_RUNTIME_OPENCL_CL_HEADERS_H_
