// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TRITONRT_BENCH_KERNEL_TEXTS_H_
#define TRITONRT_BENCH_KERNEL_TEXTS_H_

#include <cstdint>
#include <vector>

namespace tritonrt::bench {

// The kernels of bench/kernels, put into the program by the build.
extern const char kVectorAddText[];
extern const char kSoftmax1024Text[];
extern const char kSoftmax4096Text[];
extern const char kLayerNorm1024Text[];
extern const char kMatmulF32Text[];
extern const char kLaunchStoreText[];
extern const char kExpText[];
extern const char kGeluText[];
extern const char kDropoutText[];
extern const char kRmsNorm1024Text[];
extern const char kRowSum1024Text[];
extern const char kRowArgmax1024Text[];
extern const char kCumsumRows1024Text[];
extern const char kEmbeddingText[];
extern const char kTransposeText[];
extern const char kHistogramAtomicText[];
extern const char kHistogramBlockText[];
extern const char kAttentionFullText[];
extern const char kAttentionCausalText[];
extern const char kMatmulF16Text[];
extern const char kMatmulBf16Text[];
extern const char kMatmulI8Text[];
extern const char kMatmulWrappedText[];
extern const char kMatmulDeviceDescText[];
extern const char kMatmulHostDescText[];
extern const char kMatmulBatchedText[];
extern const char kMatmulSplitKText[];
extern const char kGeluLibdeviceText[];
extern const char kDropout4Text[];
extern const char kSoftmaxOnline1024Text[];
extern const char kRowSumTileText[];
extern const char kAttentionDeviceDescFullText[];
extern const char kAttentionDeviceDescCausalText[];
extern const char kAttentionHostDescFullText[];
extern const char kAttentionHostDescCausalText[];
// The BLOCK that vector_add was specialised for.
inline constexpr int kVectorAddBlock = 1024;
// The tile of C, square, that a program of matmul_f32 makes.
inline constexpr int kMatmulTile = 64;
// C = A B of square matrices, B going round a ring of programs, or round each of several rings that
// share the rows of C: one of several texts for a size.
struct ShiftGemmText {
  std::int64_t n;
  std::uint32_t programs, meshes;
  const char* text;
};
extern const std::vector<ShiftGemmText> kShiftGemmTexts;  // by rings, size, programs

}  // namespace tritonrt::bench

#endif  // TRITONRT_BENCH_KERNEL_TEXTS_H_
