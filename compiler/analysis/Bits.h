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

/// Appends the bits of dim `d` of `shape`, lowest first.
void appendDim(BitMap &bits, llvm::ArrayRef<int64_t> shape, int64_t d);

BitMap identityBits(int64_t n);
/// `inner` maps an element of A to bits of B, `outer` an element of B to bits of C: A to bits of C.
BitMap composeBits(llvm::ArrayRef<int64_t> inner, llvm::ArrayRef<int64_t> outer);

/// From the operand of a broadcast (dims of 1 spread) to bits of its result.
BitMap broadcastBits(llvm::ArrayRef<int64_t> from, llvm::ArrayRef<int64_t> to);
/// From the operand of a transpose, result dim i = operand dim order[i], to bits of its result.
BitMap transposeBits(llvm::ArrayRef<int64_t> from, llvm::ArrayRef<int32_t> order);
/// From a tensor without the dims `removed` to bits of `shape`, which has them.
BitMap keptBits(llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<int64_t> removed);

/// Neighbouring bits of an element's index that are neighbouring bits of one dim of the domain.
struct BitRun {
  int64_t element; ///< Lowest bit in the element's index.
  int64_t dim;     ///< Dim of the domain.
  int64_t start;   ///< Lowest bit in that dim's index.
  int64_t length;
};
/// The runs of `map` from low to high; constant bits are in none.
llvm::SmallVector<BitRun> bitRuns(llvm::ArrayRef<int64_t> map, llvm::ArrayRef<int64_t> domain);
/// The number that the constant bits of `map` make.
int64_t constantPart(llvm::ArrayRef<int64_t> map);
/// The bits of a map of flat indices of `shape` that make the index of dim `d`.
llvm::ArrayRef<int64_t> dimBits(llvm::ArrayRef<int64_t> map, llvm::ArrayRef<int64_t> shape,
                                int64_t d);
/// The dim of the domain whose index `map` gives, all of it and nothing else, or -1.
int64_t wholeDim(llvm::ArrayRef<int64_t> map, llvm::ArrayRef<int64_t> domain);
/// What the lowest `laneBits` bits of dim `dim` of the domain add to the element's index, for each
/// lane.
llvm::SmallVector<int64_t> laneOffsets(llvm::ArrayRef<int64_t> map, llvm::ArrayRef<int64_t> domain,
                                       int64_t dim, int64_t laneBits);

} // namespace tritonrt::compiler

#endif // TRITONRT_COMPILER_ANALYSIS_BITS_H
