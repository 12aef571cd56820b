// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <benchmark/benchmark.h>

#include <cstring>

#include "bench/groups.h"

int main(int argc, char** argv) {
  if (argc == 2 && std::strcmp(argv[1], tritonrt::bench::kFirstLaunch) == 0)
    return tritonrt::bench::first_launch();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  tritonrt::bench::register_vadd();
  tritonrt::bench::register_softmax();
  tritonrt::bench::register_layernorm();
  tritonrt::bench::register_matmul();
  tritonrt::bench::register_products();
  tritonrt::bench::register_attention();
  tritonrt::bench::register_kernel_set();
  tritonrt::bench::register_launch();
  tritonrt::bench::register_graph();
  tritonrt::bench::register_pool();
  tritonrt::bench::register_copy();
  tritonrt::bench::register_lookup();
  tritonrt::bench::register_cache_folder();
  tritonrt::bench::register_first_launch();
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
