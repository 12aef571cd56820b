// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TRITONRT_RUNTIME_OPENCL_CL_DRIVER_H_
#define TRITONRT_RUNTIME_OPENCL_CL_DRIVER_H_

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "runtime/driver.h"
#include "runtime/opencl/cl_device.h"
#include "runtime/opencl/cl_headers.h"

namespace tritonrt::runtime {

// Finds and opens OpenCL devices over all platforms, in the order of the ICD loader. Drivers for
// some kinds of them inherit it; their devices are `NAME`, `NAME:N` and `NAME:TEXT`.
class TRITONRT_API ClDriver : public Driver {
 public:
  explicit ClDriver(std::string name) : name_(std::move(name)) {}
  ~ClDriver() override;

  std::vector<DeviceInfo> list() override;
  std::shared_ptr<DeviceImpl> open(std::string_view selector, Mapping mapping) override;
  std::shared_ptr<DeviceImpl> adopt(void* context, void* device, Mapping mapping) override;

 protected:
  // Whether a device is one of this driver's.
  virtual bool takes(const cl::Device&) const { return true; }
  // `name` and `mapping` are what the device's info says.
  virtual std::shared_ptr<ClDevice> make_device(const cl::Context& context,
                                                const cl::Device& device, const std::string& name,
                                                Mapping mapping) const;

 private:
  std::string device_name(std::size_t index) const;
  std::size_t select(const std::vector<cl::Device>& devices, std::string_view selector) const;
  const std::vector<cl::Device>& found();

  const std::string name_;
  std::mutex mutex_;
  std::vector<cl::Device> devices_;
  unsigned forks_ = 0;  // when they were found
  std::map<std::pair<std::size_t, Mapping>, std::shared_ptr<ClDevice>> open_;
  std::map<std::tuple<void*, void*, Mapping>, std::weak_ptr<ClDevice>> adopted_;
};

}  // namespace tritonrt::runtime

#endif  // TRITONRT_RUNTIME_OPENCL_CL_DRIVER_H_
