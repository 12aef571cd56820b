// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TRITONRT_BENCH_GROUPS_H_
#define TRITONRT_BENCH_GROUPS_H_

namespace tritonrt::bench {

// Each registers the benchmarks of one group.
void register_vadd();
void register_softmax();
void register_layernorm();
void register_matmul();
void register_launch();
void register_graph();
void register_pool();
void register_copy();
void register_lookup();

}  // namespace tritonrt::bench

#endif  // TRITONRT_BENCH_GROUPS_H_
