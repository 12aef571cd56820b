// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The module's door: finds devices over all platforms, in the order of the ICD loader.

#include <algorithm>
#include <cctype>
#include <charconv>
#include <map>
#include <mutex>
#include <tuple>
#include <utility>

#include "runtime/driver.h"
#include "runtime/fork.h"
#include "runtime/opencl/cl_device.h"
#include "runtime/opencl/cl_error.h"
#include "runtime/opencl/cl_target.h"

namespace tritonrt::runtime {
namespace {

std::vector<cl::Device> all_devices() {
  std::vector<cl::Device> all;
  std::vector<cl::Platform> platforms;
  try {
    cl::Platform::get(&platforms);
  } catch (const cl::Error&) {
    return all;  // the loader's way to say that there is none
  }
  for (const cl::Platform& platform : platforms) {
    std::vector<cl::Device> devices;
    try {
      platform.getDevices(CL_DEVICE_TYPE_ALL, &devices);
    } catch (const cl::Error&) {
      continue;  // a platform without devices
    }
    all.insert(all.end(), devices.begin(), devices.end());
  }
  return all;
}

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

std::string device_name(std::size_t index) { return "opencl:" + std::to_string(index); }

// The index of the device that a selector means.
std::size_t select(const std::vector<cl::Device>& devices, std::string_view selector) {
  if (devices.empty())
    throw Error(ErrorCode::kNotFound, "no OpenCL platform has a device on this machine");
  if (selector.empty()) return 0;
  if (std::all_of(selector.begin(), selector.end(), [](char c) { return c >= '0' && c <= '9'; })) {
    std::size_t index = devices.size();
    std::from_chars(selector.data(), selector.data() + selector.size(), index);
    if (index < devices.size()) return index;
    throw Error(ErrorCode::kNotFound,
                "there are " + std::to_string(devices.size()) + " OpenCL devices, counted from 0");
  }
  const std::string wanted = lower(std::string(selector));
  for (std::size_t i = 0; i < devices.size(); ++i) {
    const DeviceInfo info = describe_cl_device(devices[i], device_name(i), Mapping::kDefault);
    if (lower(info.platform).find(wanted) != std::string::npos ||
        lower(info.device).find(wanted) != std::string::npos)
      return i;
  }
  throw Error(ErrorCode::kNotFound,
              "no OpenCL platform or device name contains '" + std::string(selector) + "'");
}

class ClDriver final : public Driver {
 public:
  std::vector<DeviceInfo> list() override {
    const std::lock_guard lock(mutex_);
    std::vector<DeviceInfo> infos;
    const std::vector<cl::Device>& devices = found();
    infos.reserve(devices.size());
    for (std::size_t i = 0; i < devices.size(); ++i)
      infos.push_back(describe_cl_device(devices[i], device_name(i), Mapping::kDefault));
    return infos;
  }

  std::shared_ptr<DeviceImpl> open(std::string_view selector, Mapping mapping) override {
    const std::lock_guard lock(mutex_);
    if (!devices_.empty() && forks_ != fork_count())
      throw Error(ErrorCode::kUnsupported,
                  "OpenCL was used before fork, which its drivers do not survive");
    const std::vector<cl::Device>& devices = found();
    const std::size_t index = select(devices, selector);
    try {
      mapping = describe_cl_device(devices[index], device_name(index), mapping).mapping;
      std::shared_ptr<ClDevice>& device = open_[{index, mapping}];
      if (device == nullptr || device->is_shut_down())
        device = std::make_shared<ClDevice>(cl::Context(devices[index]), devices[index],
                                            device_name(index), mapping);
      return device;
    } catch (const cl::Error& error) {
      throw cl_failure(error.err(), "opening '" + device_name(index) + "'");
    }
  }

  std::shared_ptr<DeviceImpl> adopt(void* context, void* device, Mapping mapping) override {
    const std::lock_guard lock(mutex_);
    try {
      const cl::Context own(static_cast<cl_context>(context), true);
      const cl::Device id(static_cast<cl_device_id>(device), true);
      const std::vector<cl::Device> of_context = own.getInfo<CL_CONTEXT_DEVICES>();
      const auto same = [&](const cl::Device& other) { return other() == id(); };
      if (std::none_of(of_context.begin(), of_context.end(), same))
        throw Error(ErrorCode::kInvalidArgument, "the device is not of the context");
      const std::vector<cl::Device>& all = found();
      const auto place = std::find_if(all.begin(), all.end(), same);
      const std::string name = place != all.end()
                                   ? device_name(static_cast<std::size_t>(place - all.begin()))
                                   : "opencl";
      mapping = describe_cl_device(id, name, mapping).mapping;
      std::weak_ptr<ClDevice>& known = adopted_[{context, device, mapping}];
      std::shared_ptr<ClDevice> opened = known.lock();
      if (opened == nullptr || opened->is_shut_down()) {
        opened = std::make_shared<ClDevice>(own, id, name, mapping);
        known = opened;
      }
      return opened;
    } catch (const cl::Error& error) {
      throw cl_failure(error.err(), "adopting an OpenCL context");
    }
  }

  static ClDriver& instance() {
    static ClDriver* driver = new ClDriver;
    return *driver;
  }

 private:
  const std::vector<cl::Device>& found() {
    if (devices_.empty()) {
      devices_ = all_devices();
      forks_ = fork_count();
    }
    return devices_;
  }

  std::mutex mutex_;
  std::vector<cl::Device> devices_;
  unsigned forks_ = 0;  // when they were found
  std::map<std::pair<std::size_t, Mapping>, std::shared_ptr<ClDevice>> open_;
  std::map<std::tuple<void*, void*, Mapping>, std::weak_ptr<ClDevice>> adopted_;
};

}  // namespace
}  // namespace tritonrt::runtime

extern "C" TRITONRT_API tritonrt::runtime::Driver* tritonrt_driver_get(std::uint32_t abi) {
  if (abi != tritonrt::runtime::kDriverAbi) return nullptr;
  return &tritonrt::runtime::ClDriver::instance();
}
