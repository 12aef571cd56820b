// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// With the application's OpenMP: launches on its threads, and from inside its regions.

#include "tritonrt/openmp.h"

#include <atomic>

#include "tests/unit/api/fixture.h"

namespace tritonrt {
namespace {

class OpenMpTest : public ApiTest {
 protected:
  ~OpenMpTest() override { set_executor(nullptr); }
  static void expect_launch_runs(const Device& device, const Kernel& store) {
    Stream stream(device);
    Buffer out(device, 100000 * 4);
    store.launch(stream, {100000}, out, 1, 2, 3);
    stream.synchronize();
    EXPECT_EQ(out.host_data_as<int>()[99999], 99999 + 6);
  }
};

TEST_F(OpenMpTest, LaunchesRunInParallelRegions) {
  set_executor(std::make_shared<OpenMpExecutor>());
  const Kernel store = kernel("store");
  for (int i = 0; i < 20; ++i) expect_launch_runs(cpu_, store);
}

TEST_F(OpenMpTest, LaunchesFromInsideARegionWork) {
  const Kernel store = kernel("store");
  for (const bool own : {false, true}) {
    if (own) set_executor(std::make_shared<OpenMpExecutor>());
#pragma omp parallel num_threads(4)
    for (int i = 0; i < 5; ++i) expect_launch_runs(cpu_, store);
  }
}

}  // namespace
}  // namespace tritonrt
