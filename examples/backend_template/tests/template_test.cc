// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Launches over a grid whose axes differ, on the template's device and on the one it is made from.

#include <tritonrt/tritonrt.h>

#include <cstdint>
#include <cstdio>
#include <vector>

namespace {

constexpr std::uint32_t kGrid[] = {5, 3, 2};

bool launch(const char* name, const char* file) {
  const tritonrt::Device device = tritonrt::Device::open(name);
  tritonrt::Stream stream(device);
  tritonrt::Kernel kernel = tritonrt::Kernel::from_file(file);
  std::vector<std::int32_t> values(kGrid[0] * kGrid[1] * kGrid[2], -1);
  const std::size_t bytes = values.size() * sizeof(values[0]);
  tritonrt::Buffer out = tritonrt::Buffer::from_host(device, values.data(), bytes);
  kernel.launch(stream, tritonrt::Grid(kGrid[0], kGrid[1], kGrid[2]), out);
  stream.synchronize();
  out.copy_to_host(values.data(), bytes);
  std::size_t at = 0;
  for (std::uint32_t z = 0; z < kGrid[2]; ++z)
    for (std::uint32_t y = 0; y < kGrid[1]; ++y)
      for (std::uint32_t x = 0; x < kGrid[0]; ++x, ++at)
        if (values[at] != static_cast<std::int32_t>(1024 * x + 32 * y + z)) {
          std::printf("%s: program %u %u %u stored %d\n", name, x, y, z, values[at]);
          return false;
        }
  std::printf("%s: %zu programs are right\n", device.info().name.c_str(), at);
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  try {
    return launch("template", argv[1]) && launch("opencl", argv[1]) ? 0 : 1;
  } catch (const tritonrt::Error& error) {
    std::printf("%s\n", error.what());
    return 1;
  }
}
