/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Kernels written by hand against kernel_abi.h, for tests of the runtime that need no compiler. */
#include <stdint.h>
#include <string.h>
#include <time.h>
#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

#include "compiler/api/kernel_abi.h"

#define EXPORT __attribute__((visibility("default")))
#define ENTRY(name)                                                     \
  EXPORT int32_t name(const uint64_t* args, int64_t begin, int64_t end, \
                      const trt_cpu_launch* launch, void* scratch)
#define UNUSED() ((void)args, (void)begin, (void)end, (void)launch, (void)scratch)

/* x, y, out: float[n]; n: i32. 256 elements a program. */
ENTRY(fake_add) {
  UNUSED();
  const float *x = (const float*)args[0], *y = (const float*)args[1];
  float* out = (float*)args[2];
  const int64_t n = (int32_t)args[3];
  for (int64_t p = begin; p < end; ++p)
    for (int64_t i = p * 256; i < (p + 1) * 256 && i < n; ++i) out[i] = x[i] + y[i];
  return 0;
}

/* out: int[programs]; a, b, c: i32. */
ENTRY(fake_store) {
  UNUSED();
  int32_t* out = (int32_t*)args[0];
  for (int64_t p = begin; p < end; ++p)
    out[p] = (int32_t)args[1] + (int32_t)args[2] + (int32_t)args[3] + (int32_t)p;
  return 0;
}

/* out: the variant's number, then the grid. */
static int32_t variant(const uint64_t* args, const trt_cpu_launch* launch, int32_t number) {
  int32_t* out = (int32_t*)args[0];
  const int32_t content[4] = {number, (int32_t)launch->grid[0], (int32_t)launch->grid[1],
                              (int32_t)launch->grid[2]};
  memcpy(out, content, sizeof(content));
  return 0;
}
ENTRY(fake_variant_0) {
  UNUSED();
  return variant(args, launch, 0);
}
ENTRY(fake_variant_1) {
  UNUSED();
  return variant(args, launch, 1);
}
ENTRY(fake_variant_2) {
  UNUSED();
  return variant(args, launch, 2);
}
ENTRY(fake_variant_3) {
  UNUSED();
  return variant(args, launch, 3);
}

/* flag: u32, waited for; out: written after. */
ENTRY(fake_wait) {
  UNUSED();
  uint32_t* flag = (uint32_t*)args[0];
  for (int64_t p = begin; p < end; ++p) {
    while (__atomic_load_n(flag, __ATOMIC_ACQUIRE) == 0)
      if (__atomic_load_n(launch->stop, __ATOMIC_RELAXED) != 0) return 1;
    ((int32_t*)args[1])[p] = 1;
  }
  return 0;
}

/* Each program waits for the one before it: turn counts up. */
ENTRY(fake_chain) {
  UNUSED();
  int64_t* turn = (int64_t*)args[0];
  for (int64_t p = begin; p < end; ++p) {
    while (__atomic_load_n(turn, __ATOMIC_ACQUIRE) != p)
      if (__atomic_load_n(launch->stop, __ATOMIC_RELAXED) != 0) return 1;
    __atomic_store_n(turn, p + 1, __ATOMIC_RELEASE);
  }
  return 0;
}

/* out[p] = 1 where the scratch is aligned and can be written to its end. */
ENTRY(fake_scratch) {
  UNUSED();
  memset(scratch, (int)begin, 100000);
  for (int64_t p = begin; p < end; ++p) ((int32_t*)args[0])[p] = ((uintptr_t)scratch % 64) == 0;
  return 0;
}

/* out: what the kernel gets of its arguments. */
ENTRY(fake_slots) {
  UNUSED();
  memcpy((void*)args[0], args, 12 * sizeof(uint64_t));
  return 0;
}

/* out[0]: a subnormal number halved; out[1]: 1/3. Leaves flags and a rounding mode behind. */
ENTRY(fake_float) {
  UNUSED();
  volatile float* out = (volatile float*)args[0];
  volatile float tiny = 1e-39f, one = 1.0f, three = 3.0f;
  out[0] = tiny * 0.5f;
  out[1] = one / three;
#if defined(__x86_64__)
  _mm_setcsr(_mm_getcsr() | 0x6000);
#endif
  return 0;
}

/* Counts programs without an atomic: right only where launches do not meet. out: i64. */
ENTRY(fake_count) {
  UNUSED();
  *(int64_t*)args[0] += end - begin;
  return 0;
}

/* Takes its time, then counts. out: i64. */
ENTRY(fake_slow) {
  UNUSED();
  for (int64_t p = begin; p < end; ++p) {
    const struct timespec pause = {0, 2000000};
    nanosleep(&pause, 0);
    __atomic_fetch_add((int64_t*)args[0], 1, __ATOMIC_RELAXED);
  }
  return 0;
}
