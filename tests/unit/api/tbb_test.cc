// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Launches from inside the tasks of another library's threads.

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <atomic>

#include "tests/unit/api/fixture.h"

namespace tritonrt {
namespace {

class TbbTest : public ApiTest {};

TEST_F(TbbTest, LaunchesFromInsideARegionWork) {
  const Kernel store = kernel("store");
  std::atomic<int> wrong{0};
  tbb::task_arena arena(4);
  arena.execute([&] {
    tbb::parallel_for(0, 40, [&](int i) {
      Stream stream(cpu_);
      // Every other launch is small, and runs where it is called.
      const unsigned programs = i % 2 == 0 ? 100000 : 100;
      Buffer out(cpu_, 100000 * 4);
      store.launch(stream, {programs}, out, i, 2, 3);
      stream.synchronize();
      wrong += out.host_data_as<int>()[programs - 1] != static_cast<int>(programs) - 1 + i + 5;
    });
  });
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace tritonrt
