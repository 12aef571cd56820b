// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A hundred small kernels, one after the other: enqueued one by one, and as a recorded graph.
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/groups.h"
#include "bench/kernel_texts.h"
#include "bench/problem.h"

namespace tritonrt::bench {
namespace {

constexpr int32_t kKernels = 100;

void check(const std::vector<int32_t>& values) {
  for (int32_t i = 0; i < kKernels; ++i)
    if (values[static_cast<size_t>(i)] != i)
      throw std::runtime_error("wrong result: " + std::to_string(values[static_cast<size_t>(i)]) +
                               ", expected " + std::to_string(i));
}

// Kernel i stores i to element i. `enqueue` runs once and is checked before it is timed, with the
// wait for its end.
template <typename Enqueue>
Step checked(const Device& device, const Buffer& out, Enqueue enqueue) {
  Stream stream(device);
  std::vector<int32_t> values(kKernels, -1);
  Buffer target = out;
  target.copy_from_host(values.data(), values.size() * sizeof(int32_t));
  enqueue(stream);
  stream.synchronize();
  out.copy_to_host(values.data(), values.size() * sizeof(int32_t));
  check(values);
  return [stream, enqueue]() mutable {
    enqueue(stream);
    stream.synchronize();
  };
}

Step replayed(const std::string& device_name) {
  const Device device = Device::open(device_name);
  const Buffer out(device, kKernels * sizeof(int32_t));
  const Kernel kernel = Kernel::from_source(kLaunchStoreText);
  auto graph = std::make_shared<Graph>(device);
  for (int32_t i = 0; i < kKernels; ++i)
    graph->launch(kernel, Grid(1), Arg(out, static_cast<size_t>(i) * sizeof(int32_t)), i, 0, 0);
  return checked(device, out, [graph](Stream& stream) { graph->replay(stream); });
}

Step launched(const std::string& device_name) {
  const Device device = Device::open(device_name);
  const Buffer out(device, kKernels * sizeof(int32_t));
  const Kernel kernel = Kernel::from_source(kLaunchStoreText);
  auto bound = std::make_shared<std::vector<BoundKernel>>();
  for (int32_t i = 0; i < kKernels; ++i)
    bound->push_back(
        kernel.bind(device, Arg(out, static_cast<size_t>(i) * sizeof(int32_t)), i, 0, 0));
  return checked(device, out, [bound](Stream& stream) {
    for (BoundKernel& one : *bound) one.launch(stream, Grid(1));
  });
}

}  // namespace

void register_graph() {
  for (const std::string device : {"cpu", "opencl"}) {
    const std::string name = "graph/" + device + "/" + std::to_string(kKernels);
    add_benchmark(name + "/tritonrt", Work(), [=] { return replayed(device); });
    add_benchmark(name + "/launches", Work(), [=] { return launched(device); });
  }
}

}  // namespace tritonrt::bench
