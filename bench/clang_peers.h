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

void clang_exp(const float* x, float* out, int64_t n);
/* GELU by its tanh form, as x / (1 + exp(-2u)). */
void clang_gelu(const float* x, float* out, int64_t n);
/* Kept elements are divided by 1 - p; random numbers are those of Philox-4x32-10. */
void clang_dropout(const float* x, float* out, int64_t n, float p, uint32_t seed);
/* The same, but one set of four numbers serves element i of each quarter of 4096 elements. */
void clang_dropout4(const float* x, float* out, int64_t n, float p, uint32_t seed);
void clang_rms_norm(const float* x, const float* weight, float* out, int64_t rows, int64_t cols,
                    float eps);
void clang_row_sum(const float* x, float* out, int64_t rows, int64_t cols);
void clang_argmax(const float* x, int32_t* out, int64_t rows, int64_t cols);
void clang_cumsum(const float* x, float* out, int64_t rows, int64_t cols);
void clang_embedding(const int64_t* index, const float* table, float* out, int64_t count,
                     int64_t width);
/* Of an n x n matrix; n is a multiple of 16. */
void clang_transpose(const float* x, float* out, int64_t n);
/* Adds to `counts` how often each of 0 .. 255 occurs; n is a multiple of 4. */
void clang_histogram(const int32_t* x, int32_t* counts, int64_t n);
/* softmax(q k^T / 8) v for heads of `seq` rows of 64 numbers, and its log-sum-exp; seq is a
 * multiple of 64. `keys` is room for k, which is kept there by columns. */
void clang_attention(const float* q, const float* k, const float* v, float* out, float* lse,
                     float* keys, int64_t heads, int64_t seq, int causal);

/* Between f32 and f16. */
void clang_to_half(const float* x, uint16_t* out, int64_t n);
void clang_from_half(const uint16_t* x, float* out, int64_t n);

/* One program of the launch kernel. */
typedef void (*launch_store_fn)(int32_t program, int32_t* out, int32_t a, int32_t b, int32_t c);
void clang_launch_store(int32_t program, int32_t* out, int32_t a, int32_t b, int32_t c);

#ifdef __cplusplus
}
#endif

#endif /* TRITONRT_BENCH_CLANG_PEERS_H_ */
