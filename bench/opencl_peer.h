// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TRITONRT_BENCH_OPENCL_PEER_H_
#define TRITONRT_BENCH_OPENCL_PEER_H_

#define CL_HPP_ENABLE_EXCEPTIONS
#define CL_HPP_MINIMUM_OPENCL_VERSION 120
#define CL_HPP_TARGET_OPENCL_VERSION 120
#include <CL/opencl.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "bench/problem.h"

namespace tritonrt::bench {

// An OpenCL device with an in-order queue, as a program without this library uses it.
struct OpenClPeer {
  cl::Device device;
  cl::Context context;
  cl::CommandQueue queue;

  bool is_cpu() const { return device.getInfo<CL_DEVICE_TYPE>() == CL_DEVICE_TYPE_CPU; }

  // The kernel `name` of a source text.
  cl::Kernel build(const std::string& source, const char* name) const;

  // A buffer of `count` floats: input values (see problem.h), or NaN.
  cl::Buffer input(uint32_t array, int64_t count) const;
  cl::Buffer output(int64_t count) const;

  ReadPiece reader(const cl::Buffer& buffer) const;

  // Runs a kernel with these arguments to its end.
  Step step(cl::Kernel kernel, std::vector<cl::Buffer> arguments, size_t global_size,
            size_t local_size) const;
};

enum class PeerDevice {
  kFirst,     // the device that `opencl:0` names
  kFirstCpu,  // the first of type CPU
};

// Opened once. Throws std::runtime_error where there is none.
const OpenClPeer& opencl_peer(PeerDevice which);

}  // namespace tritonrt::bench

#endif  // TRITONRT_BENCH_OPENCL_PEER_H_
