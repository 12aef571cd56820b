// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/opencl/cl_target.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <map>
#include <vector>

#include "runtime/opencl/cl_vendor.h"
#include "runtime/target_text.h"

namespace tritonrt::runtime {
namespace {

// A property that the device may not know, by an older version say.
template <cl_device_info kName, typename T>
T property(const cl::Device& device, T fallback) {
  try {
    return static_cast<T>(device.getInfo<kName>());
  } catch (const cl::Error&) {
    return fallback;
  }
}

template <cl_device_info kName>
std::string text(const cl::Device& device) {
  std::string value = property<kName>(device, std::string());
  while (!value.empty() && (value.back() == '\0' || value.back() == ' ')) value.pop_back();
  for (char& c : value)
    if (c == '\n') c = ' ';
  return value;
}

bool has_extension(const std::string& extensions, const std::string& name) {
  return (" " + extensions + " ").find(" " + name + " ") != std::string::npos;
}

std::string type_name(cl_device_type type) {
  if (type & CL_DEVICE_TYPE_CPU) return "cpu";
  if (type & CL_DEVICE_TYPE_GPU) return "gpu";
  return "accelerator";
}

// FNV-1a: a fingerprint of the list, in the key beside the driver's version.
std::string fingerprint(const std::string& bytes) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  char digits[20];
  std::snprintf(digits, sizeof(digits), "%016llx", static_cast<unsigned long long>(hash));
  return digits;
}

bool has_sub_groups(const cl::Device& device, const std::string& extensions) {
  return has_extension(extensions, "cl_khr_subgroups") ||
         has_extension(extensions, "cl_intel_subgroups") ||
         property<CL_DEVICE_MAX_NUM_SUB_GROUPS>(device, cl_uint{0}) > 0;
}

// What the device's vendor knows better than OpenCL tells.
std::uint64_t ask_vendors(const cl::Device& device, std::map<std::string, std::string>& lines) {
  std::uint64_t local_bytes = property<CL_DEVICE_LOCAL_MEM_SIZE>(device, cl_ulong{0});
  for (const auto& vendor : cl_vendors()) vendor->describe(device, lines, local_bytes);
  return local_bytes;
}

// How a kernel reads a register of another of 16 work-items, 8 on processors, where its source must
// say how.
std::string shuffle(const cl::Device& device, const std::string& type,
                    const std::string& extensions) {
  constexpr cl_device_info kSubGroupSizes = 0x4108;
  const char* way = has_extension(extensions, "cl_intel_subgroups")        ? "intel"
                    : has_extension(extensions, "cl_khr_subgroup_shuffle") ? "khr"
                                                                           : "none";
  if (!has_extension(extensions, "cl_intel_required_subgroup_size")) return "none";
  std::size_t bytes = 0;
  if (clGetDeviceInfo(device(), kSubGroupSizes, 0, nullptr, &bytes) != CL_SUCCESS) return "none";
  std::vector<std::size_t> sizes(bytes / sizeof(std::size_t));
  if (sizes.empty() ||
      clGetDeviceInfo(device(), kSubGroupSizes, bytes, sizes.data(), nullptr) != CL_SUCCESS)
    return "none";
  const std::size_t wanted = type == "cpu" ? 8 : 16;
  return std::find(sizes.begin(), sizes.end(), wanted) != sizes.end() ? way : "none";
}

}  // namespace

DeviceInfo describe_cl_device(const cl::Device& device, const std::string& name, Mapping mapping) {
  const std::string extensions = text<CL_DEVICE_EXTENSIONS>(device);
  const cl::Platform platform(property<CL_DEVICE_PLATFORM>(device, cl_platform_id{}));
  DeviceInfo info;
  info.name = name;
  try {
    info.platform = platform.getInfo<CL_PLATFORM_NAME>();
  } catch (const cl::Error&) {
    info.platform = "unknown";
  }
  info.device = text<CL_DEVICE_NAME>(device);
  info.type =
      type_name(property<CL_DEVICE_TYPE>(device, cl_device_type{CL_DEVICE_TYPE_ACCELERATOR}));
  info.driver = text<CL_DRIVER_VERSION>(device);
  info.compute_units = property<CL_DEVICE_MAX_COMPUTE_UNITS>(device, cl_uint{1});
  std::map<std::string, std::string> unused;
  info.local_bytes = ask_vendors(device, unused);
  info.global_bytes = property<CL_DEVICE_GLOBAL_MEM_SIZE>(device, cl_ulong{0});
  info.sub_groups = has_sub_groups(device, extensions);
  info.fp16 = has_extension(extensions, "cl_khr_fp16");
  info.fp64 = has_extension(extensions, "cl_khr_fp64") ||
              property<CL_DEVICE_DOUBLE_FP_CONFIG>(device, cl_device_fp_config{0}) != 0;
  if (mapping == Mapping::kDefault)
    mapping = info.type == "cpu" ? Mapping::kVector : Mapping::kSimt;
  info.mapping = mapping;
  return info;
}

std::uint64_t local_argument_bytes(const cl::Device& device, std::uint64_t array_bytes) {
  const std::uint64_t reported = property<CL_DEVICE_LOCAL_MEM_SIZE>(device, cl_ulong{0});
  // A driver whose arrays may take more (NVIDIA's) keeps some of what it reports for itself.
  constexpr std::uint64_t kKept = 1024;
  return array_bytes > reported && reported > kKept ? reported - kKept : reported;
}

std::string cl_c_standard(const cl::Device& device) {
  // "OpenCL C 1.2 and what the vendor adds".
  const std::string version = text<CL_DEVICE_OPENCL_C_VERSION>(device);
  constexpr std::size_t kPrefix = sizeof("OpenCL C ") - 1;
  const char major = version.size() > kPrefix ? version[kPrefix] : '1';
  return major >= '3' ? "3.0" : major == '2' ? "2.0" : "1.2";
}

std::string cl_target_text(const cl::Device& device, const DeviceInfo& info,
                           const std::string& arguments) {
  const std::string extensions = text<CL_DEVICE_EXTENSIONS>(device);
  const auto number = [](auto value) { return std::to_string(value); };
  std::string platform_version;
  try {
    platform_version =
        cl::Platform(device.getInfo<CL_DEVICE_PLATFORM>()).getInfo<CL_PLATFORM_VERSION>();
  } catch (const cl::Error&) {
    // Left empty: the device's and the driver's versions are there.
  }
  const bool int64_atomics = has_extension(extensions, "cl_khr_int64_base_atomics") &&
                             has_extension(extensions, "cl_khr_int64_extended_atomics");
  std::map<std::string, std::string> lines = {
      {"address_bits", number(property<CL_DEVICE_ADDRESS_BITS>(device, cl_uint{64}))},
      {"backend", info.name.substr(0, info.name.find(':'))},
      {"c_std", cl_c_standard(device)},
      {"compute_capability", "0"},
      {"device", info.device},
      {"device_version", text<CL_DEVICE_VERSION>(device)},
      {"driver", info.driver},
      {"extensions_hash", fingerprint(extensions)},
      {"fp16", info.fp16 ? "1" : "0"},
      {"fp64", info.fp64 ? "1" : "0"},
      {"int64_atomics", int64_atomics ? "1" : "0"},
      {"local_argument_bytes", number(local_argument_bytes(device, info.local_bytes))},
      {"local_bytes", number(info.local_bytes)},
      {"mapping", std::string(to_string(info.mapping))},
      {"max_work_group", number(property<CL_DEVICE_MAX_WORK_GROUP_SIZE>(device, std::size_t{1}))},
      {"platform", info.platform},
      {"platform_version", platform_version},
      {"shuffle", shuffle(device, info.type, extensions)},
      {"sub_groups", info.sub_groups ? "1" : "0"},
      {"type", info.type},
      {"vendor", text<CL_DEVICE_VENDOR>(device)},
      {"width_char", number(property<CL_DEVICE_NATIVE_VECTOR_WIDTH_CHAR>(device, cl_uint{1}))},
      {"width_double", number(property<CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE>(device, cl_uint{0}))},
      {"width_float", number(property<CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT>(device, cl_uint{1}))},
      {"width_half", number(property<CL_DEVICE_NATIVE_VECTOR_WIDTH_HALF>(device, cl_uint{0}))},
      {"width_int", number(property<CL_DEVICE_NATIVE_VECTOR_WIDTH_INT>(device, cl_uint{1}))},
      {"width_long", number(property<CL_DEVICE_NATIVE_VECTOR_WIDTH_LONG>(device, cl_uint{1}))},
      {"width_short", number(property<CL_DEVICE_NATIVE_VECTOR_WIDTH_SHORT>(device, cl_uint{1}))},
  };
  if (!arguments.empty()) lines["arguments"] = arguments;
  ask_vendors(device, lines);
  std::string all;
  for (const auto& [key, value] : lines) all.append(key).append("=").append(value).append("\n");
  return all;
}

int cl_suits(std::string_view target, std::string_view here) {
  // A platform's programs may hold what only its compiler knows; the mapping decides how a program
  // is launched.
  for (const std::string_view key :
       {"backend", "address_bits", "arguments", "mapping", "platform", "type"})
    if (target_value(target, key) != target_value(here, key)) return 0;
  for (const std::string_view key :
       {"fp16", "fp64", "int64_atomics", "local_bytes", "max_work_group", "sub_groups"})
    if (target_number(target, key) > target_number(here, key)) return 0;
  if (target_value(target, "c_std") > target_value(here, "c_std")) return 0;
  int common = 1;
  while (!target.empty()) {
    const std::string_view line = target.substr(0, target.find('\n'));
    target.remove_prefix(std::min(target.size(), line.size() + 1));
    const std::string_view key = line.substr(0, line.find('='));
    if (target_value(here, key) == line.substr(std::min(line.size(), key.size() + 1))) ++common;
  }
  return common;
}

}  // namespace tritonrt::runtime
