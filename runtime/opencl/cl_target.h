// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TRITONRT_RUNTIME_OPENCL_CL_TARGET_H_
#define TRITONRT_RUNTIME_OPENCL_CL_TARGET_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "runtime/opencl/cl_headers.h"
#include "tritonrt/device.h"

namespace tritonrt::runtime {

// What a device tells about itself. `name` is the device's name for Device::open.
TRITONRT_API DeviceInfo describe_cl_device(const cl::Device& device, const std::string& name,
                                           Mapping mapping);

// The version of OpenCL C that programs are built with: "1.2", "2.0" or "3.0".
TRITONRT_API std::string cl_c_standard(const cl::Device& device);

// Most local memory that a kernel's arguments may take, where its arrays may take `array_bytes`.
TRITONRT_API std::uint64_t local_argument_bytes(const cl::Device& device,
                                                std::uint64_t array_bytes);

// The target description, as compiler/api/kernel_abi.h lists it; its backend is the name of the
// device's driver. `arguments`: the form in which kernels must take them, empty for the compiler's
// choice.
TRITONRT_API std::string cl_target_text(const cl::Device& device, const DeviceInfo& info,
                                        const std::string& arguments);

// How well OpenCL C made for `target` suits a device described by `here`: 0 where it may use what
// the device has not, more the more they have in common.
TRITONRT_API int cl_suits(std::string_view target, std::string_view here);

}  // namespace tritonrt::runtime

#endif  // TRITONRT_RUNTIME_OPENCL_CL_TARGET_H_
