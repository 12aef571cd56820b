// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Index bits. Tile shapes are powers of two, so the flat index of an element is a string of bits,
// bit 0 the lowest of the last dim, and every shape op is a map of bits.
#ifndef TRITONRT_COMPILER_ANALYSIS_BITS_H
#define TRITONRT_COMPILER_ANALYSIS_BITS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

namespace tritonrt::compiler {

/// For each bit of an element's flat index the bit of the domain's flat index that gives it, or one
/// of the two constants below.
using BitMap = llvm::SmallVector<int64_t>;
inline constexpr int64_t kBitZero = -1;
inline constexpr int64_t kBitOne = -2;

/// log2 of the number of elements.
int64_t numBits(llvm::ArrayRef<int64_t> shape);
/// The lowest flat bit of dim `d`.
int64_t lowBitOf(llvm::ArrayRef<int64_t> shape, int64_t d);

BitMap identityBits(int64_t n);
/// `inner` maps an element of A to bits of B, `outer` an element of B to bits of C: A to bits of C.
BitMap composeBits(llvm::ArrayRef<int64_t> inner, llvm::ArrayRef<int64_t> outer);

/// From the operand of a broadcast (dims of 1 spread) to bits of its result.
BitMap broadcastBits(llvm::ArrayRef<int64_t> from, llvm::ArrayRef<int64_t> to);
/// From the operand of a transpose, result dim i = operand dim order[i], to bits of its result.
BitMap transposeBits(llvm::ArrayRef<int64_t> from, llvm::ArrayRef<int32_t> order);
/// From a tensor without the dims `removed` to bits of `shape`, which has them.
BitMap keptBits(llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<int64_t> removed);

} // namespace tritonrt::compiler

#endif // TRITONRT_COMPILER_ANALYSIS_BITS_H
