// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Devices `spirv`: OpenCL's, whose programs come as SPIR-V.

#include <memory>
#include <string>

#include "runtime/opencl/cl_device.h"
#include "runtime/opencl/cl_driver.h"
#include "runtime/opencl/cl_executable.h"

namespace tritonrt::runtime {
namespace {

class IlExecutable final : public ClExecutable {
 public:
  using ClExecutable::ClExecutable;

 protected:
  cl::Program create_program(const std::string& code) const override {
    cl_int status = CL_SUCCESS;
    cl_program program =
        clCreateProgramWithIL(device().context()(), code.data(), code.size(), &status);
    if (status != CL_SUCCESS) throw cl::Error(status, "clCreateProgramWithIL");
    return cl::Program(program);
  }
};

class IlDevice final : public ClDevice {
 public:
  using ClDevice::ClDevice;

 protected:
  std::shared_ptr<ClExecutable> make_executable(const Artifact& artifact,
                                                const std::string& label) override {
    return std::make_shared<IlExecutable>(std::static_pointer_cast<ClDevice>(shared_from_this()),
                                          artifact, label);
  }
};

class IlDriver final : public ClDriver {
 public:
  IlDriver() : ClDriver("spirv") {}

 protected:
  bool takes(const cl::Device& device) const override {
    // "SPIR-V_1.0 SPIR-V_1.1 ..."; devices of OpenCL before 2.1 do not know the question.
    char versions[1024] = {};
    return clGetDeviceInfo(device(), CL_DEVICE_IL_VERSION, sizeof(versions) - 1, versions,
                           nullptr) == CL_SUCCESS &&
           std::string(versions).find("SPIR-V") != std::string::npos;
  }
  std::shared_ptr<ClDevice> make_device(const cl::Context& context, const cl::Device& device,
                                        const std::string& name, Mapping mapping) const override {
    return std::make_shared<IlDevice>(context, device, name, mapping);
  }
};

}  // namespace
}  // namespace tritonrt::runtime

extern "C" TRITONRT_API tritonrt::runtime::Driver* tritonrt_driver_get(std::uint32_t abi) {
  if (abi != tritonrt::runtime::kDriverAbi) return nullptr;
  static auto* const driver = new tritonrt::runtime::IlDriver;
  return driver;
}
