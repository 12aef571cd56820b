// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A matrix product by eight programs that talk: each keeps its rows of the left matrix and hands
// its columns of the right one to the next program, so the right matrix is read from memory once.
//
//   tritonrt bundle create -o shift_gemm.trtb shift_gemm.ttir
//   shift_gemm shift_gemm.trtb [DEVICE[=group|resident|split]...]
//
// The kernel is what `tools/tle_kernels.py text shift_gemm m=128 n=128 k=64 tiles=8` writes.

#include <tritonrt/tritonrt.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

namespace {

constexpr std::size_t kRows = 128, kColumns = 128, kDepth = 64;
constexpr std::uint32_t kPrograms = 8;  // of a mesh: fixed in the kernel's text

tritonrt::MeshMapping mapping_of(const std::string& name) {
  for (const auto mapping : {tritonrt::MeshMapping::kGroup, tritonrt::MeshMapping::kResident,
                             tritonrt::MeshMapping::kSplit})
    if (tritonrt::to_string(mapping) == name) return mapping;
  return tritonrt::MeshMapping::kDefault;
}

// The largest difference from the product in double precision.
double largest_error(const std::vector<float>& a, const std::vector<float>& b,
                     const std::vector<float>& c) {
  double largest = 0;
  for (std::size_t i = 0; i < kRows; ++i)
    for (std::size_t j = 0; j < kColumns; ++j) {
      double sum = 0;
      for (std::size_t k = 0; k < kDepth; ++k)
        sum += static_cast<double>(a[i * kDepth + k]) * static_cast<double>(b[k * kColumns + j]);
      const double error = std::fabs(sum - static_cast<double>(c[i * kColumns + j]));
      // A NaN is larger than everything.
      if (!(error <= largest)) largest = error;
    }
  return largest;
}

bool multiply_on(const tritonrt::Kernel& kernel, const std::string& name,
                 tritonrt::MeshMapping mapping) {
  tritonrt::Device device = tritonrt::Device::open(name);
  tritonrt::Stream stream(device);
  std::vector<float> a(kRows * kDepth), b(kDepth * kColumns), c(kRows * kColumns, NAN);
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = static_cast<float>(i % 29) / 16 - 1;
  for (std::size_t i = 0; i < b.size(); ++i) b[i] = static_cast<float>(i % 37) / 32 - 0.5f;
  const auto upload = [&](const std::vector<float>& values) {
    return tritonrt::Buffer::from_host(device, values.data(), values.size() * sizeof(float));
  };
  tritonrt::Buffer device_a = upload(a), device_b = upload(b), device_c = upload(c);

  tritonrt::LaunchOptions options;
  options.mesh = tritonrt::Mesh(kPrograms);
  options.mesh_mapping = mapping;
  const tritonrt::Arg arguments[] = {device_a, device_b, device_c};
  const std::string how = kernel.mesh_mapping(device, kPrograms, options, arguments);
  kernel.launch(stream, kPrograms, options, device_a, device_b, device_c);
  stream.synchronize();

  device_c.copy_to_host(c.data(), c.size() * sizeof(float));
  const double error = largest_error(a, b, c);
  std::printf("%-8s %-28s as %-8s largest error %.2g\n", name.c_str(),
              device.info().device.substr(0, 28).c_str(), how.c_str(), error);
  return error < 1e-4;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "shift_gemm BUNDLE [DEVICE[=MAPPING]...]\n");
    return 2;
  }
  std::vector<std::string> devices(argv + 2, argv + argc);
  if (devices.empty()) devices.push_back("cpu");
  bool right = true;
  for (const std::string& wanted : devices) {
    const std::size_t sign = wanted.find('=');
    const std::string mapping = sign == std::string::npos ? "" : wanted.substr(sign + 1);
    try {
      const tritonrt::Kernel kernel = tritonrt::Kernel::from_bundle(argv[1], "shift_gemm");
      right = multiply_on(kernel, wanted.substr(0, sign), mapping_of(mapping)) && right;
    } catch (const tritonrt::Error& error) {
      std::fprintf(stderr, "%s: %s\n", wanted.c_str(), error.what());
      right = false;
    }
  }
  return right ? 0 : 1;
}
