// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the points of each nest run on a target with several work-items a program. The bits of the
// dim that the largest access walks with stride 1 come first: the lowest in registers (one wide
// access an item), the next on the items (neighbours touch neighbouring memory), what is left in
// loops. Nests of one shape so get one layout unless their accesses say otherwise, and tiles
// between them stay with their items.
#include "compiler/analysis/Layout.h"
#include "compiler/passes/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/Support/MathExtras.h"

#include <map>

using namespace mlir;

namespace tritonrt::compiler {

namespace {

/// Bytes that an item takes at once.
constexpr int64_t kAccessBytes = 16;

struct Traits {
  bool atomics = false, readsMemory = false;
  /// Reads a tile at all of its points.
  bool readsTiles = false;
  SmallVector<int64_t> ordered; // reduced or scanned dims
};

Traits traitsOf(nests::NestOp nest) {
  Traits traits;
  for (auto kind : nest.getKinds().getAsRange<nests::ResultAttr>())
    if (kind.getKind() != nests::Kind::Tile)
      traits.ordered.assign(kind.getDims().begin(), kind.getDims().end());
  for (Operation &op : nest.getBodyBlock()) {
    traits.atomics |= isa<nests::AtomicRMWOp, nests::AtomicCASOp>(op) || op.getNumRegions();
    traits.readsMemory |= isa<nests::ReadOp>(op);
    if (auto elem = dyn_cast<nests::ElemOp>(op))
      traits.readsTiles |= int64_t(elem.getBits().size()) == numBits(nest.getDomain());
  }
  return traits;
}

/// Does an access of `view` under `bits` walk dim `d` of the domain element by element?
bool walks(nests::ViewOp view, ArrayRef<int64_t> bits, ArrayRef<int64_t> domain, int64_t d) {
  ArrayRef<int64_t> shape = view.getType().getShape();
  for (auto [vd, stride] : llvm::enumerate(view.getStaticStrides()))
    if (stride == 1 && wholeDim(dimBits(bits, shape, vd), domain) == d)
      return true;
  return false;
}

/// The dim whose bits come first.
int64_t leadingDim(nests::NestOp nest) {
  ArrayRef<int64_t> domain = nest.getDomain();
  int64_t last = domain.size() - 1, found = -1;
  for (Operation &op : nest.getBodyBlock()) {
    nests::ViewOp view;
    ArrayRef<int64_t> bits;
    if (auto read = dyn_cast<nests::ReadOp>(op)) {
      view = read.getView().getDefiningOp<nests::ViewOp>();
      bits = read.getBits();
    } else if (auto write = dyn_cast<nests::WriteOp>(op)) {
      view = write.getView().getDefiningOp<nests::ViewOp>();
      bits = write.getBits();
    } else {
      continue;
    }
    for (int64_t d = last; d >= 0; --d)
      if (walks(view, bits, domain, d)) {
        if (d == last)
          return last;
        found = d;
        break;
      }
  }
  return found < 0 ? last : found;
}

/// The bits of `dims`, those of dim `first` in front.
BitMap bitsOf(ArrayRef<int64_t> domain, ArrayRef<int64_t> dims, int64_t first) {
  BitMap bits;
  if (llvm::is_contained(dims, first))
    appendDim(bits, domain, first);
  for (int64_t d : llvm::reverse(dims))
    if (d != first)
      appendDim(bits, domain, d);
  return bits;
}

/// Under the order `bits`, do a reduction's items all belong to one warp?
bool withinWarp(ArrayRef<int64_t> bits, const Traits &traits, ArrayRef<int64_t> domain,
                int64_t shuffleBits, int64_t regBits) {
  if (shuffleBits == 0 || !traits.readsTiles)
    return false;
  BitMap reduced;
  for (int64_t d : traits.ordered)
    appendDim(reduced, domain, d);
  return llvm::all_of(llvm::enumerate(bits), [&](auto bit) {
    return !llvm::is_contained(reduced, bit.value()) ||
           int64_t(bit.index()) < regBits + shuffleBits;
  });
}

/// How many bits of the index make 16 bytes of the shortest elements that `nest` finds in memory.
int64_t accessBits(nests::NestOp nest) {
  int64_t shortest = 0;
  auto note = [&](Type type) {
    int64_t bytes = mem::elementBytes(type);
    shortest = shortest ? std::min(shortest, bytes) : bytes;
  };
  for (Operation &op : nest.getBodyBlock()) {
    if (auto read = dyn_cast<nests::ReadOp>(op); read && !read.getOffset())
      note(read.getType());
    else if (auto write = dyn_cast<nests::WriteOp>(op); write && !write.getOffset())
      note(write.getValue().getType());
  }
  return shortest ? llvm::Log2_64(std::max<int64_t>(kAccessBytes / shortest, 1)) : 0;
}

/// Wide accesses of the nests of each shape: tiles go from one to the other where their layouts
/// agree.
using WidthOfShape = std::map<std::vector<int64_t>, int64_t>;

Layout layoutFor(nests::NestOp nest, int64_t itemBits, int64_t shuffleBits, int64_t mostRegs) {
  ArrayRef<int64_t> domain = nest.getDomain();
  Traits traits = traitsOf(nest);
  auto all = llvm::to_vector(llvm::seq<int64_t>(0, domain.size()));
  auto kept = llvm::filter_to_vector(
      all, [&](int64_t d) { return !llvm::is_contained(traits.ordered, d); });
  int64_t first = domain.empty() ? 0 : leadingDim(nest);
  BitMap keptBits = bitsOf(domain, kept, first);
  // A reduction, or scan, of tiles needs no item to hear from another where there are enough of
  // them for all items.
  bool keptFirst = !traits.ordered.empty() && !traits.readsMemory &&
                   int64_t(keptBits.size()) >= itemBits &&
                   !withinWarp(bitsOf(domain, all, first), traits, domain, shuffleBits, mostRegs);
  ArrayRef<int64_t> dims = keptFirst ? kept : all;
  BitMap order = keptFirst ? keptBits : bitsOf(domain, all, first);
  int64_t spare = int64_t(order.size()) - itemBits;
  int64_t regBits = traits.atomics ? 0 : std::clamp<int64_t>(spare, 0, mostRegs);
  // Registers take bits of one dim, the one whose bits come first.
  if (regBits > 0)
    regBits =
        std::min(regBits, numBits(domain[llvm::is_contained(dims, first) ? first : dims.back()]));
  Layout layout = layoutInOrder(order, regBits, itemBits);
  if (keptFirst)
    llvm::append_range(layout.loop, bitsOf(domain, traits.ordered, -1));
  return layout;
}

struct ChooseLayoutsPass : PassWrapper<ChooseLayoutsPass, OperationPass<func::FuncOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ChooseLayoutsPass)

  ChooseLayoutsPass() = default;
  explicit ChooseLayoutsPass(const SimtOptions &options) {
    items = options.items;
    lanes = options.lanes;
    shuffleLanes = options.shuffleLanes;
  }
  ChooseLayoutsPass(const ChooseLayoutsPass &other) : PassWrapper(other) {}

  StringRef getArgument() const override { return "choose-layouts"; }
  StringRef getDescription() const override { return "Place the points of nests on work-items"; }

  void runOnOperation() override {
    int64_t itemBits = llvm::Log2_64(items), laneBits = llvm::Log2_64(lanes);
    int64_t shuffleBits = llvm::Log2_64(shuffleLanes);
    WidthOfShape widths;
    getOperation().walk([&](nests::NestOp nest) {
      int64_t &width = widths[nest.getDomain().vec()];
      width = std::max(width, accessBits(nest));
    });
    getOperation().walk([&](nests::NestOp nest) {
      int64_t width = widths[nest.getDomain().vec()];
      if (width == 0)
        width = llvm::Log2_64(kAccessBytes / sizeof(float));
      nest.setLayoutAttr(
          layoutFor(nest, itemBits, shuffleBits, width).attr(&getContext(), laneBits));
    });
  }

  Option<int64_t> items{*this, "items", llvm::cl::init(128),
                        llvm::cl::desc("Work-items a program")};
  Option<int64_t> lanes{*this, "lanes", llvm::cl::init(32), llvm::cl::desc("Work-items a warp")};
  Option<int64_t> shuffleLanes{*this, "shuffle-lanes", llvm::cl::init(1),
                               llvm::cl::desc("Work-items that read each other's registers")};
};

} // namespace

std::unique_ptr<Pass> createChooseLayoutsPass(const SimtOptions &options) {
  return std::make_unique<ChooseLayoutsPass>(options);
}

} // namespace tritonrt::compiler
