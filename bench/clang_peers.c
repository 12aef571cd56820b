/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "bench/clang_peers.h"

#include <math.h>

/* Below this many elements a second thread costs more than it saves. */
#define PARALLEL_ELEMENTS 65536

void clang_vector_add(const float* restrict x, const float* restrict y, float* restrict out,
                      int64_t n) {
  /* A region of one thread still costs a microsecond, hence no `if` clause. */
  if (n < PARALLEL_ELEMENTS) {
    for (int64_t i = 0; i < n; ++i) out[i] = x[i] + y[i];
    return;
  }
#pragma omp parallel for simd schedule(static)
  for (int64_t i = 0; i < n; ++i) out[i] = x[i] + y[i];
}

static void softmax_row(const float* restrict x, float* restrict out, int64_t cols) {
  float max = x[0];
#pragma omp simd reduction(max : max)
  for (int64_t i = 0; i < cols; ++i) max = x[i] > max ? x[i] : max;
  float sum = 0;
#pragma omp simd reduction(+ : sum)
  for (int64_t i = 0; i < cols; ++i) {
    const float e = expf(x[i] - max);
    out[i] = e;
    sum += e;
  }
  const float scale = 1.0f / sum;
#pragma omp simd
  for (int64_t i = 0; i < cols; ++i) out[i] *= scale;
}

void clang_softmax(const float* x, float* out, int64_t rows, int64_t cols) {
#pragma omp parallel for schedule(static)
  for (int64_t row = 0; row < rows; ++row) softmax_row(x + row * cols, out + row * cols, cols);
}

static void layer_norm_row(const float* restrict x, const float* restrict weight,
                           const float* restrict bias, float* restrict out,
                           float* restrict mean_out, float* restrict rstd_out, int64_t cols,
                           float eps) {
  float sum = 0;
#pragma omp simd reduction(+ : sum)
  for (int64_t i = 0; i < cols; ++i) sum += x[i];
  const float mean = sum / (float)cols;
  float squares = 0;
#pragma omp simd reduction(+ : squares)
  for (int64_t i = 0; i < cols; ++i) squares += (x[i] - mean) * (x[i] - mean);
  const float rstd = 1.0f / sqrtf(squares / (float)cols + eps);
#pragma omp simd
  for (int64_t i = 0; i < cols; ++i) out[i] = (x[i] - mean) * rstd * weight[i] + bias[i];
  *mean_out = mean;
  *rstd_out = rstd;
}

void clang_layer_norm(const float* x, const float* weight, const float* bias, float* out,
                      float* mean_out, float* rstd_out, int64_t rows, int64_t cols, float eps) {
#pragma omp parallel for schedule(static)
  for (int64_t row = 0; row < rows; ++row)
    layer_norm_row(x + row * cols, weight, bias, out + row * cols, mean_out + row, rstd_out + row,
                   cols, eps);
}

void clang_launch_store(int32_t program, int32_t* out, int32_t a, int32_t b, int32_t c) {
  out[program] = a + b + c;
}
