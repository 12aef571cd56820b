// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Devices `template`: every OpenCL device, launched in the chip's way.

#include <memory>
#include <string>

#include "runtime/opencl/cl_device.h"
#include "runtime/opencl/cl_driver.h"
#include "runtime/opencl/cl_executable.h"

namespace chip {
namespace {

using namespace tritonrt::runtime;

class TemplateExecutable final : public ClExecutable {
 public:
  using ClExecutable::ClExecutable;

  // The chip's axes count the other way round, which the compiler part knows.
  void enqueue(cl_kernel kernel, StreamImpl& stream, const tritonrt::Grid& grid) const override {
    enqueue_range(kernel, stream, {grid.z * work_items(), grid.y, grid.x}, {work_items(), 1, 1});
  }
};

class TemplateDevice final : public ClDevice {
 public:
  using ClDevice::ClDevice;

 protected:
  std::shared_ptr<ClExecutable> make_executable(const Artifact& artifact,
                                                const std::string& label) override {
    return std::make_shared<TemplateExecutable>(
        std::static_pointer_cast<ClDevice>(shared_from_this()), artifact, label);
  }
};

class TemplateDriver final : public ClDriver {
 public:
  TemplateDriver() : ClDriver("template") {}

 protected:
  // A real one says here which devices are its own.
  bool takes(const cl::Device&) const override { return true; }
  std::shared_ptr<ClDevice> make_device(const cl::Context& context, const cl::Device& device,
                                        const std::string& name,
                                        tritonrt::Mapping mapping) const override {
    return std::make_shared<TemplateDevice>(context, device, name, mapping);
  }
};

}  // namespace
}  // namespace chip

extern "C" TRITONRT_API tritonrt::runtime::Driver* tritonrt_driver_get(std::uint32_t abi) {
  if (abi != tritonrt::runtime::kDriverAbi) return nullptr;
  static auto* const driver = new chip::TemplateDriver;
  return driver;
}
