// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/analysis/Layout.h"

namespace tritonrt::compiler {

Layout Layout::of(nests::LayoutAttr attr) {
  Layout layout{BitMap(attr.getLoop()), BitMap(attr.getReg()), BitMap(attr.getLane())};
  llvm::append_range(layout.item, attr.getWarp());
  return layout;
}

nests::LayoutAttr Layout::attr(mlir::MLIRContext *context, int64_t laneBits) const {
  llvm::ArrayRef<int64_t> items(item);
  size_t lanes = std::min<size_t>(laneBits, items.size());
  return nests::LayoutAttr::get(context, loop, reg, items.take_front(lanes),
                                items.drop_front(lanes));
}

int64_t Layout::itemBitOf(int64_t bit) const {
  const auto *it = llvm::find(item, bit);
  return it == item.end() ? -1 : it - item.begin();
}

Layout layoutInOrder(llvm::ArrayRef<int64_t> bits, int64_t regBits, int64_t itemBits) {
  Layout layout;
  layout.reg = BitMap(bits.take_front(regBits));
  bits = bits.drop_front(layout.reg.size());
  layout.item = BitMap(bits.take_front(itemBits));
  bits = bits.drop_front(layout.item.size());
  layout.item.resize(itemBits, Layout::kReplicated);
  layout.loop = BitMap(bits);
  return layout;
}

bool staysWithItem(const Layout &made, const Layout &read, llvm::ArrayRef<int64_t> map) {
  for (auto [bit, source] : llvm::enumerate(map)) {
    int64_t owner = made.itemBitOf(bit);
    // A constant bit picks one half: only an item that holds both can.
    int64_t reader = source < 0 ? -1 : read.itemBitOf(source);
    if (owner != reader)
      return false;
  }
  return true;
}

} // namespace tritonrt::compiler
