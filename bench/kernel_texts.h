// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TRITONRT_BENCH_KERNEL_TEXTS_H_
#define TRITONRT_BENCH_KERNEL_TEXTS_H_

namespace tritonrt::bench {

// The kernels of bench/kernels, put into the program by the build.
extern const char kVectorAddText[];
extern const char kSoftmax1024Text[];
extern const char kSoftmax4096Text[];
extern const char kLayerNorm1024Text[];
extern const char kMatmulF32Text[];
extern const char kLaunchStoreText[];
// C = A B of square matrices, B going round a ring of programs; made by tools/tle_kernels.py.
extern const char kShiftGemm256Text[];
extern const char kShiftGemm512Text[];
extern const char kShiftGemm1024Text[];
extern const char kShiftGemm2048Text[];
extern const char kShiftGemm4096Text[];

// The BLOCK that vector_add was specialised for.
inline constexpr int kVectorAddBlock = 1024;
// The tile of C, square, that a program of matmul_f32 makes.
inline constexpr int kMatmulTile = 64;
// The programs of the ring of shift_gemm.
inline constexpr int kShiftGemmTiles = 16;

}  // namespace tritonrt::bench

#endif  // TRITONRT_BENCH_KERNEL_TEXTS_H_
