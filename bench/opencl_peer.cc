// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bench/opencl_peer.h"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <utility>

namespace tritonrt::bench {
namespace {

// All devices in the order of the ICD loader's platforms.
std::vector<cl::Device> all_devices() {
  std::vector<cl::Platform> platforms;
  try {
    cl::Platform::get(&platforms);
  } catch (const cl::Error&) {
    // The loader's way to say that there is no platform.
    return {};
  }
  std::vector<cl::Device> devices;
  for (const cl::Platform& platform : platforms) {
    std::vector<cl::Device> of_platform;
    try {
      platform.getDevices(CL_DEVICE_TYPE_ALL, &of_platform);
    } catch (const cl::Error&) {
      continue;
    }
    devices.insert(devices.end(), of_platform.begin(), of_platform.end());
  }
  return devices;
}

OpenClPeer open(PeerDevice which) {
  for (const cl::Device& device : all_devices()) {
    if (which == PeerDevice::kFirstCpu && device.getInfo<CL_DEVICE_TYPE>() != CL_DEVICE_TYPE_CPU)
      continue;
    const cl::Context context(device);
    return {device, context, cl::CommandQueue(context, device)};
  }
  throw std::runtime_error("there is no OpenCL device of this kind");
}

}  // namespace

const OpenClPeer& opencl_peer(PeerDevice which) {
  if (which == PeerDevice::kFirstCpu) {
    static const OpenClPeer peer = open(PeerDevice::kFirstCpu);
    return peer;
  }
  static const OpenClPeer peer = open(PeerDevice::kFirst);
  return peer;
}

cl::Kernel OpenClPeer::build(const std::string& source, const char* name) const {
  cl::Program program(context, source);
  program.build({device}, "-cl-fast-relaxed-math");
  return cl::Kernel(program, name);
}

cl::Buffer OpenClPeer::input(uint32_t array, int64_t count) const {
  const cl::Buffer buffer(context, CL_MEM_READ_WRITE, static_cast<size_t>(count) * sizeof(float));
  std::vector<float> piece;
  for (int64_t first = 0; first < count; first += kPieceElements) {
    piece.resize(static_cast<size_t>(std::min(kPieceElements, count - first)));
    for (size_t i = 0; i < piece.size(); ++i)
      piece[i] = input_value(array, first + static_cast<int64_t>(i));
    queue.enqueueWriteBuffer(buffer, CL_TRUE, static_cast<size_t>(first) * sizeof(float),
                             piece.size() * sizeof(float), piece.data());
  }
  return buffer;
}

cl::Buffer OpenClPeer::output(int64_t count) const {
  const size_t bytes = static_cast<size_t>(count) * sizeof(float);
  const cl::Buffer buffer(context, CL_MEM_READ_WRITE, bytes);
  queue.enqueueFillBuffer(buffer, std::numeric_limits<float>::quiet_NaN(), 0, bytes);
  queue.finish();
  return buffer;
}

ReadPiece OpenClPeer::reader(const cl::Buffer& buffer) const {
  return [queue = queue, buffer](int64_t first, int64_t count, float* target) {
    queue.enqueueReadBuffer(buffer, CL_TRUE, static_cast<size_t>(first) * sizeof(float),
                            static_cast<size_t>(count) * sizeof(float), target);
  };
}

Step OpenClPeer::step(cl::Kernel kernel, std::vector<cl::Buffer> arguments, size_t global_size,
                      size_t local_size) const {
  for (size_t i = 0; i < arguments.size(); ++i)
    kernel.setArg(static_cast<cl_uint>(i), arguments[i]);
  // A kernel does not keep its arguments alive; the step does.
  return [queue = queue, kernel = std::move(kernel), arguments = std::move(arguments), global_size,
          local_size] {
    queue.enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange(global_size),
                               cl::NDRange(local_size));
    queue.finish();
  };
}

}  // namespace tritonrt::bench
