/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The peers in plain C that compiled kernels are compared with: what a careful C programmer writes
 * and clang vectorises, with libmvec for exp and OpenMP for threads. */
#ifndef TRITONRT_BENCH_CLANG_PEERS_H_
#define TRITONRT_BENCH_CLANG_PEERS_H_

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* out[i] = x[i] + y[i] for n elements. */
void clang_vector_add(const float* x, const float* y, float* out, int64_t n);

/* Each row of `cols` elements: exp(x - max) / sum. */
void clang_softmax(const float* x, float* out, int64_t rows, int64_t cols);

/* Each row of `cols` elements: (x - mean) * rstd * weight + bias, with rstd = 1 / sqrt(variance +
 * eps); the rows' mean and rstd as well. */
void clang_layer_norm(const float* x, const float* weight, const float* bias, float* out,
                      float* mean_out, float* rstd_out, int64_t rows, int64_t cols, float eps);

/* One program of the launch kernel. */
typedef void (*launch_store_fn)(int32_t program, int32_t* out, int32_t a, int32_t b, int32_t c);
void clang_launch_store(int32_t program, int32_t* out, int32_t a, int32_t b, int32_t c);

#ifdef __cplusplus
}
#endif

#endif /* TRITONRT_BENCH_CLANG_PEERS_H_ */
