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

int64_t lowBitOf(llvm::ArrayRef<int64_t> shape, int64_t d) {
  return numBits(shape.drop_front(d + 1));
}

BitMap identityBits(int64_t n) { return llvm::to_vector(llvm::seq<int64_t>(0, n)); }

BitMap composeBits(llvm::ArrayRef<int64_t> inner, llvm::ArrayRef<int64_t> outer) {
  return llvm::map_to_vector(inner,
                             [&](int64_t bit) -> int64_t { return bit < 0 ? bit : outer[bit]; });
}

void appendDim(BitMap &bits, llvm::ArrayRef<int64_t> shape, int64_t d) {
  int64_t low = lowBitOf(shape, d);
  for (int64_t k = 0, n = llvm::Log2_64(shape[d]); k < n; ++k)
    bits.push_back(low + k);
}

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

llvm::SmallVector<BitRun> bitRuns(llvm::ArrayRef<int64_t> map, llvm::ArrayRef<int64_t> domain) {
  llvm::SmallVector<BitRun> runs;
  for (auto [k, bit] : llvm::enumerate(map)) {
    if (bit < 0)
      continue;
    int64_t dim = domain.size() - 1;
    while (bit >= lowBitOf(domain, dim) + numBits(domain[dim]))
      --dim;
    int64_t start = bit - lowBitOf(domain, dim);
    if (!runs.empty()) {
      BitRun &last = runs.back();
      if (last.dim == dim && last.element + last.length == int64_t(k) &&
          last.start + last.length == start) {
        ++last.length;
        continue;
      }
    }
    runs.push_back({int64_t(k), dim, start, 1});
  }
  return runs;
}

int64_t constantPart(llvm::ArrayRef<int64_t> map) {
  int64_t value = 0;
  for (auto [k, bit] : llvm::enumerate(map))
    if (bit == kBitOne)
      value |= int64_t{1} << k;
  return value;
}

llvm::ArrayRef<int64_t> dimBits(llvm::ArrayRef<int64_t> map, llvm::ArrayRef<int64_t> shape,
                                int64_t d) {
  return map.slice(lowBitOf(shape, d), numBits(shape[d]));
}

int64_t wholeDim(llvm::ArrayRef<int64_t> map, llvm::ArrayRef<int64_t> domain) {
  llvm::SmallVector<BitRun> runs = bitRuns(map, domain);
  if (runs.size() != 1 || constantPart(map) != 0)
    return -1;
  const BitRun &run = runs.front();
  bool whole = run.element == 0 && run.start == 0 && run.length == numBits(domain[run.dim]);
  return whole ? run.dim : -1;
}

llvm::SmallVector<int64_t> laneOffsets(llvm::ArrayRef<int64_t> map, llvm::ArrayRef<int64_t> domain,
                                       int64_t dim, int64_t laneBits) {
  int64_t low = lowBitOf(domain, dim);
  llvm::SmallVector<int64_t> offsets(int64_t{1} << laneBits, 0);
  for (auto [k, bit] : llvm::enumerate(map))
    if (bit >= low && bit < low + laneBits)
      for (auto [lane, offset] : llvm::enumerate(offsets))
        if (lane >> (bit - low) & 1)
          offset += int64_t{1} << k;
  return offsets;
}

} // namespace tritonrt::compiler
