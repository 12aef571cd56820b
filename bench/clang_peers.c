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

void clang_launch_store(int32_t program, int32_t* out, int32_t a, int32_t b, int32_t c) {
  out[program] = a + b + c;
}
