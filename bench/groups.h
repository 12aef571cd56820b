// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TRITONRT_BENCH_GROUPS_H_
#define TRITONRT_BENCH_GROUPS_H_

namespace tritonrt::bench {

// Each registers the benchmarks of one group.
void register_vadd();
void register_softmax();
void register_layernorm();
void register_matmul();
void register_products();
void register_attention();
void register_kernel_set();
void register_launch();
void register_graph();
void register_pool();
void register_copy();
void register_lookup();
void register_cache_folder();
void register_first_launch();

// Instead of benchmarks, one launch: prints the milliseconds it took since main, those of the
// processor, and how many kernels were compiled.
inline constexpr const char* kFirstLaunch = "--first-launch";
int first_launch();

}  // namespace tritonrt::bench

#endif  // TRITONRT_BENCH_GROUPS_H_
