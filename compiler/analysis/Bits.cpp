// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/analysis/Bits.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

namespace tritonrt::compiler {

int64_t numBits(llvm::ArrayRef<int64_t> shape) {
  int64_t bits = 0;
  for (int64_t size : shape)
    bits += llvm::Log2_64(size);
  return bits;
}

int64_t lowBitOf(llvm::ArrayRef<int64_t> shape, int64_t d) { return numBits(shape.drop_front(d + 1)); }

BitMap identityBits(int64_t n) { return llvm::to_vector(llvm::seq<int64_t>(0, n)); }

BitMap composeBits(llvm::ArrayRef<int64_t> inner, llvm::ArrayRef<int64_t> outer) {
  return llvm::map_to_vector(inner,
                             [&](int64_t bit) -> int64_t { return bit < 0 ? bit : outer[bit]; });
}

namespace {
/// Appends the bits of dim `d` of `shape`, lowest first.
void appendDim(BitMap &bits, llvm::ArrayRef<int64_t> shape, int64_t d) {
  int64_t low = lowBitOf(shape, d);
  for (int64_t k = 0, n = llvm::Log2_64(shape[d]); k < n; ++k)
    bits.push_back(low + k);
}
} // namespace

BitMap broadcastBits(llvm::ArrayRef<int64_t> from, llvm::ArrayRef<int64_t> to) {
  BitMap bits;
  for (int64_t d = from.size() - 1; d >= 0; --d)
    if (from[d] != 1)
      appendDim(bits, to, d);
  return bits;
}

BitMap transposeBits(llvm::ArrayRef<int64_t> from, llvm::ArrayRef<int32_t> order) {
  llvm::SmallVector<int64_t> to, place(order.size());
  for (auto [i, source] : llvm::enumerate(order)) {
    to.push_back(from[source]);
    place[source] = i;
  }
  BitMap bits;
  for (int64_t d = from.size() - 1; d >= 0; --d)
    appendDim(bits, to, place[d]);
  return bits;
}

BitMap keptBits(llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<int64_t> removed) {
  BitMap bits;
  for (int64_t d = shape.size() - 1; d >= 0; --d)
    if (!llvm::is_contained(removed, d))
      appendDim(bits, shape, d);
  return bits;
}

} // namespace tritonrt::compiler
