// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Loops of products, whatever number of turns they take and however many of them are under way.

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "tests/unit/device_test.h"

namespace tritonrt {
namespace {

class ProductsTest : public DeviceTest {};
INSTANTIATE_TEST_SUITE_P(Devices, ProductsTest, every_device(), name_of);

// Tiles of 16 x 16 x 16 with masks at all edges.
TEST_P(ProductsTest, TurnsOverlapAsOptionsSay) {
  constexpr std::int32_t kM = 37, kN = 41;
  for (const int stages : {1, 2, 3}) {
    CompileOptions options;
    options.num_stages = stages;
    if (std::string(GetParam().device) != "cpu")
      options.extra["alternate"] = stages > 2 ? "1" : "0";
    const Kernel kernel = Kernel::from_file(
        std::string(TRITONRT_TEST_KERNELS) + "/cases/matmul_ragged/kernel.ttir", options);
    for (const std::int32_t k : {0, 5, 16, 29, 48, 64, 75}) {
      std::vector<float> a(kM * std::max(k, 1)), b(kN * std::max(k, 1)), c(kM * kN, -1);
      for (std::size_t i = 0; i < a.size(); ++i) a[i] = static_cast<float>(i * 7 % 23) - 11;
      for (std::size_t i = 0; i < b.size(); ++i) b[i] = static_cast<float>(i * 5 % 19) - 9;
      Buffer out = buffer(c);
      Stream stream(device_);
      kernel.launch(stream, Grid(3, 3), buffer(a), buffer(b), out, kM, kN, k);
      stream.synchronize();
      // Small whole numbers: no order rounds.
      for (std::int32_t i = 0; i < kM; ++i)
        for (std::int32_t j = 0; j < kN; ++j) {
          float sum = 0;
          for (std::int32_t l = 0; l < k; ++l) sum += a[i * k + l] * b[l * kN + j];
          c[i * kN + j] = sum;
        }
      EXPECT_EQ(values<float>(out), c) << "k = " << k << ", stages = " << stages;
    }
  }
}

}  // namespace
}  // namespace tritonrt
