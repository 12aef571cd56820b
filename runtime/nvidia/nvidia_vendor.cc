// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What NVIDIA's OpenCL does not tell, and how its kernels are launched fastest.

#include <algorithm>

#include "runtime/nvidia/struct_launch.h"
#include "runtime/opencl/cl_vendor.h"

namespace tritonrt::runtime {
namespace {

// 90 for compute capability 9.0; 0 for devices of others.
cl_uint compute_capability(const cl::Device& device) {
  constexpr cl_device_info kMajor = 0x4000, kMinor = 0x4001;  // cl_nv_device_attribute_query
  try {
    if (device.getInfo<CL_DEVICE_VENDOR>().find("NVIDIA") == std::string::npos) return 0;
  } catch (const cl::Error&) {
    return 0;
  }
  cl_uint major = 0, minor = 0;
  if (clGetDeviceInfo(device(), kMajor, sizeof(major), &major, nullptr) != CL_SUCCESS ||
      clGetDeviceInfo(device(), kMinor, sizeof(minor), &minor, nullptr) != CL_SUCCESS)
    return 0;
  return 10 * major + minor;
}

// The driver reports 48 KiB whatever the chip has, but gives static arrays all of it.
std::uint64_t static_local_bytes(cl_uint capability) {
  const std::uint64_t kib = capability >= 90                       ? 227
                            : capability == 80 || capability == 87 ? 163
                            : capability >= 86                     ? 99
                            : capability == 75                     ? 64
                                                                   : 0;
  return kib << 10;
}

class NvidiaVendor final : public ClVendor {
 public:
  void describe(const cl::Device& device, std::map<std::string, std::string>& lines,
                std::uint64_t& local_bytes) const override {
    const cl_uint capability = compute_capability(device);
    if (capability == 0) return;
    lines["compute_capability"] = std::to_string(capability);
    local_bytes = std::max(local_bytes, static_local_bytes(capability));
  }

  // Any device whose pointers are addresses takes this form, whoever made it.
  std::shared_ptr<ClExecutable> make_executable(const std::shared_ptr<ClDevice>& device,
                                                const Artifact& artifact,
                                                const std::string& label) const override {
    if (artifact.metadata.arguments != kStructArguments) return nullptr;
    return std::make_shared<StructExecutable>(device, artifact, label);
  }
};

const bool registered = [] {
  register_cl_vendor(std::make_unique<NvidiaVendor>());
  return true;
}();

}  // namespace
}  // namespace tritonrt::runtime
