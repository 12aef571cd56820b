// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Layouts as data: which place of the machine each bit of a flat index lives in.
#ifndef TRITONRT_COMPILER_ANALYSIS_LAYOUT_H
#define TRITONRT_COMPILER_ANALYSIS_LAYOUT_H

#include "compiler/analysis/Bits.h"
#include "compiler/dialect/nests/Nests.h"

namespace tritonrt::compiler {

/// For each place, from low to high, the flat bit that lives there. Every flat bit lives in one
/// place. An item bit (a bit of the work-item's index) may hold no bit: then the items that differ
/// in it alone hold the same values.
struct Layout {
  BitMap loop, reg, item;
  static constexpr int64_t kReplicated = -1;

  static Layout of(nests::LayoutAttr attr);
  nests::LayoutAttr attr(mlir::MLIRContext *context, int64_t laneBits) const;

  /// The number of the item bit that holds flat bit `bit`, or -1 where an item holds it itself.
  int64_t itemBitOf(int64_t bit) const;
  bool operator==(const Layout &other) const {
    return loop == other.loop && reg == other.reg && item == other.item;
  }
};

/// The order low to high of `bits`: the lowest `regBits` in registers, then the items, then loops.
Layout layoutInOrder(llvm::ArrayRef<int64_t> bits, int64_t regBits, int64_t itemBits);

/// A tile's elements that an item makes, under the layout of the nest that makes them, are those
/// that the same item reads, under the layout and the map of the nest that reads them.
bool staysWithItem(const Layout &made, const Layout &read, llvm::ArrayRef<int64_t> map);

} // namespace tritonrt::compiler

#endif // TRITONRT_COMPILER_ANALYSIS_LAYOUT_H
