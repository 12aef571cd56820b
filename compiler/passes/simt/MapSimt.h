// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parts of `map-simt`: SimtMapper rebuilds a function for several work-items a program,
// SimtNestMapper writes one nest.
#ifndef TRITONRT_COMPILER_PASSES_SIMT_MAPSIMT_H
#define TRITONRT_COMPILER_PASSES_SIMT_MAPSIMT_H

#include "compiler/analysis/Facts.h"
#include "compiler/analysis/Layout.h"
#include "compiler/analysis/Order.h"
#include "compiler/passes/simt/SimtTiles.h"
#include "compiler/passes/vector/MapVectorLoops.h"

namespace tritonrt::compiler::mapvector {

/// The number with those bits.
inline int64_t maskOf(mlir::ArrayRef<int64_t> bits) {
  int64_t mask = 0;
  for (int64_t bit : bits)
    mask |= int64_t{1} << bit;
  return mask;
}

class SimtMapper : public FunctionMapper {
public:
  SimtMapper(mlir::func::FuncOp from, mlir::func::FuncOp to, const SimtOptions &options)
      : FunctionMapper(from, to, vectorOptions()), options(options), rules(from, options.disjoint),
        facts(!options.generic), placement(from, rules) {}

  /// The index of this work-item, i64.
  mlir::Value item();
  /// Bits `bits` of the item's index, from low to high, as a number.
  mlir::Value itemBits(mlir::ArrayRef<int64_t> bits);
  /// Are all bits of `mask` 0 in the item's index?
  mlir::Value itemIsZeroIn(int64_t mask);
  int64_t items() const { return options.items; }
  int64_t shuffleLanes() const { return options.shuffleLanes; }
  bool straightCode() const { return options.straightCode; }

  /// All items are here; a barrier may stand here. `accesses` are those of global memory up to the
  /// next point.
  void point(mlir::ArrayRef<Access> accesses = {});
  void barrier();
  mlir::Value localBuffer(int64_t bytes) { return allocate(bytes, mem::Space::Local); }

  Tile tileAt(mlir::Value old, mlir::Value memory) const override {
    return {memory, {}, placement.heldBits(old)};
  }
  /// Tiles that go through local memory because other items read them than make them.
  int64_t conversions() const { return converts; }
  int64_t divisorOf(mlir::Value old) override { return facts.divisor(old); }

protected:
  mlir::Value placeFor(mlir::Value old) override;
  void copy(const Tile &from, const Tile &to, mlir::RankedTensorType type) override;
  void mapNest(nests::NestOp nest) override;
  bool mayUpdate(nests::NestOp nest, mlir::Value old) const override;
  mlir::LogicalResult mapAccess(mlir::Operation &op) override;
  mlir::LogicalResult mapPlain(mlir::Operation &op) override;
  void enterRegion(mlir::Operation *op) override { point(); }
  void leaveRegion(mlir::Operation *op) override;

private:
  static MapVectorOptions vectorOptions() {
    MapVectorOptions options;
    options.vectorBytes = 16;
    options.scalarMasks = true;
    return options;
  }
  void onFirstItem(llvm::function_ref<void()> act);
  mlir::Value broadcast(mlir::Type type, bool fence, llvm::function_ref<mlir::Value()> act);
  void poll(mem::PollStopOp op);

  SimtOptions options;
  AccessRules rules;
  Facts facts;
  SimtTiles placement;
  mlir::Value itemId;
  int64_t converts = 0;
  /// Of loops whose turn has looked at the stop word, where the answer lies.
  llvm::DenseMap<mlir::Operation *, mlir::Value> polled;
};

/// One nest over the parts of its domain that an item holds. The nest's dims have been split so
/// that each one lives in one place.
class SimtNestMapper : public NestMapper {
public:
  SimtNestMapper(SimtMapper &function, nests::NestOp nest, Plan plan, Point point,
                 mlir::SmallVector<int64_t> itemBits);

  void run();

private:
  /// Holds if every box of the nest's accesses encloses its whole tile; null where there is none.
  mlir::Value wholeBoxes();
  /// What `act` gives; where boxes may cut tiles, written once for whole tiles and once for others.
  Values versioned(mlir::TypeRange types, llvm::function_ref<Values(const Point &)> act);

  /// Loops over the kept dims from number `depth` on, and `act` inside them.
  void keptPoints(unsigned depth, Point point, llvm::function_ref<void(const Point &)> act);
  /// The points of the innermost of `loops`, at most `most` of them; their dims leave the list.
  mlir::SmallVector<Point> takePoints(mlir::SmallVector<int64_t> &loops, int64_t most);
  bool isDot();
  void dot();
  void dotLoops(mlir::ArrayRef<int64_t> loops, mlir::SmallVector<Point> points);
  void reduceInWarps();
  void reduceThroughMemory();
  /// The dims of `loops`, and inside them all of `points` at once.
  void outerLoops(mlir::ArrayRef<int64_t> loops, mlir::SmallVector<Point> points);
  Values sumsOf(const Point &point);
  /// Combines each item's sums along `bits` of its index, in registers: the result of items where
  /// they are 0, or of all of them.
  Values acrossLanes(Values sums, bool toAll);
  /// The same through local memory, for several points at once; all items get the result of one, so
  /// that they agree to the last bit.
  void acrossItems(mlir::SmallVector<Values> &sums);
  /// Rounds through local memory, along some bits of the item's index each. `merge` makes one of
  /// the sums that the items along `step` have for point `p`, by their place along it.
  using Merge = llvm::function_ref<Values(size_t p, mlir::MutableArrayRef<Values> parts,
                                          mlir::ArrayRef<int64_t> step)>;
  void roundsThroughMemory(mlir::SmallVector<Values> &sums, Merge merge);
  void storePartials(mlir::ArrayRef<Values> sums, mlir::ArrayRef<mlir::Value> buffers,
                     mlir::Value slot, int64_t slots, int64_t done);
  mlir::SmallVector<Values> loadPartials(mlir::ArrayRef<mlir::Value> buffers, mlir::Value first,
                                         int64_t count, const Values &like);
  Values combineParts(mlir::MutableArrayRef<Values> parts);
  void finishPoint(const Values &sums, const Point &point);
  bool lanesAreReduced() const { return llvm::is_contained(plan.ordered, plan.lane); }
  /// Points whose sums may go through local memory at once.
  int64_t mostPoints() const;

  // Scans (MapSimtScan.cpp).

  /// Sums of what stands before something: nothing where `none` holds (null = never), or, without
  /// values, for sure.
  struct Prefix {
    Values values;
    mlir::Value none = nullptr;
  };
  /// What an item has at one point of the loops.
  struct Piece {
    /// Of its lanes, each with those before it.
    Values own;
    /// Of all elements of the items that have exchanged theirs.
    Values total;
    /// Of the items before this one.
    Prefix before;
  };
  void scan();
  void scanChains(mlir::ArrayRef<int64_t> kept, mlir::SmallVector<Point> chains, int64_t most);
  /// The pieces of `dims`, which lie along the scan, at the kept points `chains`; `carried`, one a
  /// chain, stands before them, and then before what follows.
  void scanLoops(mlir::ArrayRef<int64_t> dims, mlir::SmallVector<Point> chains, int64_t most,
                 mlir::SmallVector<Prefix> &carried);
  /// As many `points` of each chain, chain after chain.
  void scanPieces(mlir::ArrayRef<Point> points, mlir::SmallVector<Prefix> &carried);
  void scanOwn(Piece &piece, const Values &elements);
  void scanAcrossLanes(Piece &piece);
  void scanParts(Piece &piece, mlir::ArrayRef<Values> parts, mlir::ArrayRef<int64_t> step);
  void scanAcrossItems(mlir::MutableArrayRef<Piece> pieces);
  /// What comes earlier along the scan, and then what comes later.
  Values inOrder(const Group &group, mlir::ValueRange early, mlir::ValueRange late);
  Prefix inOrder(const Prefix &early, const Prefix &late);
  Prefix unless(mlir::Value none, const Values &values);
  /// Is this item the first one along `bits` of its index?
  mlir::Value isFirstAlong(mlir::ArrayRef<int64_t> bits);

  SimtMapper &simt;
  Point start;
  /// Bits of the item's index that a reduction runs along: in a warp, and above.
  mlir::SmallVector<int64_t> laneBits, restBits;
};

} // namespace tritonrt::compiler::mapvector

#endif // TRITONRT_COMPILER_PASSES_SIMT_MAPSIMT_H
