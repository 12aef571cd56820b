// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Adds two vectors with a kernel that Triton made, on each device named (`cpu` if none), and checks
// the result: vector_add [DEVICE...]

#include <tritonrt/tritonrt.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

namespace {

constexpr std::int32_t kElements = 1000003;
constexpr std::int32_t kBlock = 1024;  // elements of one program: fixed when Triton made the text

// Counts the elements of `out` that are not x + y.
std::size_t count_wrong(const std::vector<float>& x, const std::vector<float>& y,
                        const std::vector<float>& out) {
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < out.size(); ++i) wrong += out[i] != x[i] + y[i];
  return wrong;
}

bool add_on(const std::string& name) {
  tritonrt::Device device = tritonrt::Device::open(name);
  tritonrt::Stream stream(device);
  tritonrt::Kernel kernel = tritonrt::Kernel::from_file(KERNEL_FILE);

  std::vector<float> x(kElements), y(kElements), out(kElements);
  for (std::int32_t i = 0; i < kElements; ++i) {
    x[i] = 0.25f * static_cast<float>(i % 1001);
    y[i] = 1.0f - 0.5f * static_cast<float>(i % 77);
  }
  const std::size_t bytes = x.size() * sizeof(float);
  tritonrt::Buffer device_x = tritonrt::Buffer::from_host(device, x.data(), bytes);
  tritonrt::Buffer device_y = tritonrt::Buffer::from_host(device, y.data(), bytes);
  tritonrt::Buffer device_out(device, bytes);

  // Binding compiles, or finds in the cache, the variant that these arguments need.
  tritonrt::BoundKernel add = kernel.bind(device, device_x, device_y, device_out, kElements);
  const tritonrt::Grid grid((kElements + kBlock - 1) / kBlock);

  const auto start = std::chrono::steady_clock::now();
  add.launch(stream, grid);
  stream.synchronize();
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;

  device_out.copy_to_host(out.data(), bytes);
  const std::size_t wrong = count_wrong(x, y, out);
  std::printf("%-8s %-28s %s in %.2f ms, ran in %.3f ms, %zu of %d sums are right\n", name.c_str(),
              device.info().device.substr(0, 28).c_str(),
              add.prepared().compiled ? "compiled" : "cached", add.prepared().ms, took.count(),
              out.size() - wrong, kElements);
  return wrong == 0;
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> devices(argv + 1, argv + argc);
  if (devices.empty()) devices.push_back("cpu");
  bool right = true;
  for (const std::string& device : devices) {
    try {
      right = add_on(device) && right;
    } catch (const tritonrt::Error& error) {
      std::fprintf(stderr, "%s: %s\n", device.c_str(), error.what());
      right = false;
    }
  }
  return right ? 0 : 1;
}
