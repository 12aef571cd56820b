/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "bench/clang_peers.h"

#include <math.h>
#include <string.h>

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

void clang_exp(const float* restrict x, float* restrict out, int64_t n) {
#pragma omp parallel for simd schedule(static)
  for (int64_t i = 0; i < n; ++i) out[i] = expf(x[i]);
}

void clang_gelu(const float* restrict x, float* restrict out, int64_t n) {
#pragma omp parallel for simd schedule(static)
  for (int64_t i = 0; i < n; ++i) {
    const float v = x[i];
    const float u = 0.7978845608028654f * (v + 0.044715f * v * v * v);
    out[i] = v / (1.0f + expf(-2.0f * u));
  }
}

/* Philox-4x32-10 of counter (i, 0, 0, 0) and key (seed, 0). */
static inline void philox(uint32_t seed, uint32_t i, uint32_t numbers[4]) {
  uint32_t c0 = i, c1 = 0, c2 = 0, c3 = 0, k0 = seed, k1 = 0;
  for (int round = 0; round < 10; ++round) {
    const uint64_t a = (uint64_t)0xD2511F53u * c0, b = (uint64_t)0xCD9E8D57u * c2;
    c0 = (uint32_t)(b >> 32) ^ c1 ^ k0;
    c2 = (uint32_t)(a >> 32) ^ c3 ^ k1;
    c1 = (uint32_t)b;
    c3 = (uint32_t)a;
    k0 += 0x9E3779B9u;
    k1 += 0xBB67AE85u;
  }
  numbers[0] = c0;
  numbers[1] = c1;
  numbers[2] = c2;
  numbers[3] = c3;
}

/* x, dropped by a number of 32 random bits. */
static inline float dropped(float x, uint32_t number, float p) {
  const int32_t bits = (int32_t)number;
  const float random = (float)(bits < 0 ? -bits - 1 : bits) * 4.6566127342e-10f;
  return random >= p ? x / (1.0f - p) : 0.0f;
}

void clang_dropout(const float* restrict x, float* restrict out, int64_t n, float p,
                   uint32_t seed) {
#pragma omp parallel for simd schedule(static)
  for (int64_t i = 0; i < n; ++i) {
    uint32_t numbers[4];
    philox(seed, (uint32_t)i, numbers);
    out[i] = dropped(x[i], numbers[0], p);
  }
}

void clang_dropout4(const float* restrict x, float* restrict out, int64_t n, float p,
                    uint32_t seed) {
  enum { kBlock = 1024 };
#pragma omp parallel for schedule(static)
  for (int64_t block = 0; block < n / (4 * kBlock); ++block)
#pragma omp simd
    for (int64_t i = 0; i < kBlock; ++i) {
      const int64_t at = 4 * block * kBlock + i;
      uint32_t numbers[4];
      philox(seed, (uint32_t)(block * kBlock + i), numbers);
      out[at] = dropped(x[at], numbers[0], p);
      out[at + kBlock] = dropped(x[at + kBlock], numbers[1], p);
      out[at + 2 * kBlock] = dropped(x[at + 2 * kBlock], numbers[2], p);
      out[at + 3 * kBlock] = dropped(x[at + 3 * kBlock], numbers[3], p);
    }
}

void clang_rms_norm(const float* x, const float* weight, float* out, int64_t rows, int64_t cols,
                    float eps) {
#pragma omp parallel for schedule(static)
  for (int64_t row = 0; row < rows; ++row) {
    const float* restrict from = x + row * cols;
    float* restrict to = out + row * cols;
    float squares = 0;
#pragma omp simd reduction(+ : squares)
    for (int64_t i = 0; i < cols; ++i) squares += from[i] * from[i];
    const float rstd = 1.0f / sqrtf(squares / (float)cols + eps);
#pragma omp simd
    for (int64_t i = 0; i < cols; ++i) to[i] = from[i] * rstd * weight[i];
  }
}

void clang_row_sum(const float* x, float* out, int64_t rows, int64_t cols) {
#pragma omp parallel for schedule(static)
  for (int64_t row = 0; row < rows; ++row) {
    float sum = 0;
#pragma omp simd reduction(+ : sum)
    for (int64_t i = 0; i < cols; ++i) sum += x[row * cols + i];
    out[row] = sum;
  }
}

void clang_argmax(const float* x, int32_t* out, int64_t rows, int64_t cols) {
#pragma omp parallel for schedule(static)
  for (int64_t row = 0; row < rows; ++row) {
    int32_t best = 0;
    for (int64_t i = 1; i < cols; ++i)
      if (x[row * cols + i] > x[row * cols + best]) best = (int32_t)i;
    out[row] = best;
  }
}

void clang_cumsum(const float* x, float* out, int64_t rows, int64_t cols) {
#pragma omp parallel for schedule(static)
  for (int64_t row = 0; row < rows; ++row) {
    float sum = 0;
    for (int64_t i = 0; i < cols; ++i) out[row * cols + i] = sum += x[row * cols + i];
  }
}

void clang_embedding(const int64_t* index, const float* table, float* out, int64_t count,
                     int64_t width) {
#pragma omp parallel for schedule(static)
  for (int64_t i = 0; i < count; ++i)
    memcpy(out + i * width, table + index[i] * width, (size_t)width * sizeof(float));
}

/* In blocks, so that lines of both sides stay in the nearest cache. */
void clang_transpose(const float* restrict x, float* restrict out, int64_t n) {
  enum { kBlock = 16 };
#pragma omp parallel for collapse(2) schedule(static)
  for (int64_t r0 = 0; r0 < n; r0 += kBlock)
    for (int64_t c0 = 0; c0 < n; c0 += kBlock)
      for (int64_t c = c0; c < c0 + kBlock; ++c)
        for (int64_t r = r0; r < r0 + kBlock; ++r) out[c * n + r] = x[r * n + c];
}

/* Each thread counts in tables of its own; neighbours take different ones. */
void clang_histogram(const int32_t* x, int32_t* counts, int64_t n) {
  enum { kBins = 256, kTables = 4 };
#pragma omp parallel
  {
    int32_t own[kTables][kBins] = {{0}};
#pragma omp for schedule(static)
    for (int64_t i = 0; i < n / kTables; ++i)
      for (int64_t t = 0; t < kTables; ++t) ++own[t][x[i * kTables + t]];
#pragma omp critical
    for (int64_t b = 0; b < kBins; ++b)
      for (int64_t t = 0; t < kTables; ++t) counts[b] += own[t][b];
  }
}

/* Rows of queries in eights, keys in blocks, a running softmax; depth 64. */
enum { kDepth = 64, kRows = 8, kKeys = 64 };

static void attend(const float* q, const float* restrict keys, const float* v, float* out,
                   float* lse, int64_t first, int64_t seq, int causal) {
  float acc[kRows][kDepth] = {{0}}, top[kRows], total[kRows] = {0};
  for (int r = 0; r < kRows; ++r) top[r] = -1e30f;
  const int64_t end = causal ? first + kRows : seq;
  for (int64_t key = 0; key < end; key += kKeys) {
    float score[kRows][kKeys] = {{0}};
    for (int d = 0; d < kDepth; ++d)
      for (int r = 0; r < kRows; ++r)
#pragma omp simd
        for (int j = 0; j < kKeys; ++j) score[r][j] += q[r * kDepth + d] * keys[d * seq + key + j];
    for (int r = 0; r < kRows; ++r) {
      float peak = top[r];
      for (int j = 0; j < kKeys; ++j) {
        score[r][j] *= 0.125f;
        if (causal && key + j > first + r) score[r][j] = -1e30f;
      }
#pragma omp simd reduction(max : peak)
      for (int j = 0; j < kKeys; ++j) peak = score[r][j] > peak ? score[r][j] : peak;
      const float fade = expf(top[r] - peak);
      float sum = 0;
#pragma omp simd reduction(+ : sum)
      for (int j = 0; j < kKeys; ++j) sum += score[r][j] = expf(score[r][j] - peak);
      total[r] = total[r] * fade + sum;
      top[r] = peak;
#pragma omp simd
      for (int d = 0; d < kDepth; ++d) acc[r][d] *= fade;
    }
    for (int j = 0; j < kKeys; ++j)
      for (int r = 0; r < kRows; ++r)
#pragma omp simd
        for (int d = 0; d < kDepth; ++d) acc[r][d] += score[r][j] * v[(key + j) * kDepth + d];
  }
  for (int r = 0; r < kRows; ++r) {
    for (int d = 0; d < kDepth; ++d) out[r * kDepth + d] = acc[r][d] / total[r];
    lse[r] = top[r] + logf(total[r]);
  }
}

void clang_attention(const float* q, const float* k, const float* v, float* out, float* lse,
                     float* keys, int64_t heads, int64_t seq, int causal) {
#pragma omp parallel for schedule(static)
  for (int64_t row = 0; row < heads * seq; ++row)
    for (int d = 0; d < kDepth; ++d)
      keys[(row / seq * kDepth + d) * seq + row % seq] = k[row * kDepth + d];
#pragma omp parallel for schedule(dynamic, 8)
  for (int64_t row = 0; row < heads * seq; row += kRows) {
    const int64_t head = row / seq * seq * kDepth;
    attend(q + row * kDepth, keys + head, v + head, out + row * kDepth, lse + row, row % seq, seq,
           causal);
  }
}

void clang_to_half(const float* restrict x, uint16_t* restrict out, int64_t n) {
#pragma omp parallel for schedule(static)
  for (int64_t i = 0; i < n; ++i) {
    const _Float16 half = (_Float16)x[i];
    memcpy(out + i, &half, sizeof half);
  }
}

void clang_from_half(const uint16_t* restrict x, float* restrict out, int64_t n) {
#pragma omp parallel for schedule(static)
  for (int64_t i = 0; i < n; ++i) {
    _Float16 half;
    memcpy(&half, x + i, sizeof half);
    out[i] = (float)half;
  }
}
