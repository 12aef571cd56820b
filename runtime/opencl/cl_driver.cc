// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/opencl/cl_driver.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <utility>

#include "runtime/fork.h"
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

}  // namespace

ClDriver::~ClDriver() = default;

std::shared_ptr<ClDevice> ClDriver::make_device(const cl::Context& context,
                                                const cl::Device& device, const std::string& name,
                                                Mapping mapping) const {
  return std::make_shared<ClDevice>(context, device, name, mapping);
}

std::string ClDriver::device_name(std::size_t index) const {
  return name_ + ":" + std::to_string(index);
}

// The index of the device that a selector means.
std::size_t ClDriver::select(const std::vector<cl::Device>& devices,
                             std::string_view selector) const {
  if (devices.empty())
    throw Error(ErrorCode::kNotFound,
                "no OpenCL platform of this machine has a device for '" + name_ + "'");
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

std::vector<DeviceInfo> ClDriver::list() {
  const std::lock_guard lock(mutex_);
  std::vector<DeviceInfo> infos;
  const std::vector<cl::Device>& devices = found();
  infos.reserve(devices.size());
  for (std::size_t i = 0; i < devices.size(); ++i)
    infos.push_back(describe_cl_device(devices[i], device_name(i), Mapping::kDefault));
  return infos;
}

std::shared_ptr<DeviceImpl> ClDriver::open(std::string_view selector, Mapping mapping) {
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
      device =
          make_device(cl::Context(devices[index]), devices[index], device_name(index), mapping);
    return device;
  } catch (const cl::Error& error) {
    throw cl_failure(error.err(), "opening '" + device_name(index) + "'");
  }
}

std::shared_ptr<DeviceImpl> ClDriver::adopt(void* context, void* device, Mapping mapping) {
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
    const std::string name =
        place != all.end() ? device_name(static_cast<std::size_t>(place - all.begin())) : name_;
    mapping = describe_cl_device(id, name, mapping).mapping;
    std::weak_ptr<ClDevice>& known = adopted_[{context, device, mapping}];
    std::shared_ptr<ClDevice> opened = known.lock();
    if (opened == nullptr || opened->is_shut_down()) {
      opened = make_device(own, id, name, mapping);
      known = opened;
    }
    return opened;
  } catch (const cl::Error& error) {
    throw cl_failure(error.err(), "adopting an OpenCL context");
  }
}

const std::vector<cl::Device>& ClDriver::found() {
  if (devices_.empty()) {
    for (const cl::Device& device : all_devices())
      if (takes(device)) devices_.push_back(device);
    forks_ = fork_count();
  }
  return devices_;
}

}  // namespace tritonrt::runtime
