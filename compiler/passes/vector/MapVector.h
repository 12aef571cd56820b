// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parts of `map-vector`. A function is rebuilt from its nests IR: FunctionMapper walks the old
// body, maps scalars and structure, and keeps tiles in scratch memory; NestMapper turns one nest
// into loops; PointEmitter writes the body of a nest at one point, or at W neighbouring points at
// once.
#ifndef TRITONRT_COMPILER_PASSES_VECTOR_MAPVECTOR_H
#define TRITONRT_COMPILER_PASSES_VECTOR_MAPVECTOR_H

#include "compiler/dialect/nests/Nests.h"
#include "compiler/passes/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

#include <functional>

namespace tritonrt::compiler::mapvector {

/// Builds arithmetic on a type that is a scalar for width 1 and a vector of `width` otherwise.
/// Constants fold.
class Builder : public mlir::ImplicitLocOpBuilder {
public:
  using ImplicitLocOpBuilder::ImplicitLocOpBuilder;

  mlir::Value constant(int64_t value);
  mlir::Value constant(int64_t value, mlir::Type type);
  mlir::Value constantLanes(mlir::ArrayRef<int64_t> values, mlir::Type element);
  mlir::Value add(mlir::Value a, mlir::Value b);
  mlir::Value sub(mlir::Value a, mlir::Value b);
  mlir::Value mul(mlir::Value a, mlir::Value b);
  mlir::Value bitAnd(mlir::Value a, mlir::Value b);
  mlir::Value shl(mlir::Value a, int64_t bits);
  mlir::Value shr(mlir::Value a, int64_t bits);
  mlir::Value min(mlir::Value a, mlir::Value b);
  mlir::Value max(mlir::Value a, mlir::Value b);
  mlir::Value cmp(mlir::arith::CmpIPredicate predicate, mlir::Value a, mlir::Value b);
  mlir::Value select(mlir::Value condition, mlir::Value a, mlir::Value b);
  /// `value` on `width` lanes; what already is a vector is left as it is.
  mlir::Value spread(mlir::Value value, int64_t width);
  /// Conjunction of two conditions, each a scalar, a vector or null (true).
  mlir::Value both(mlir::Value a, mlir::Value b);
  /// What `act` gives where `mask` holds (null = always), a value of no meaning elsewhere.
  mlir::Value guarded(mlir::Value mask, mlir::Type type, bool unused,
                      llvm::function_ref<mlir::Value()> act);
  /// A value of no meaning.
  mlir::Value anything(mlir::Type type);

  /// Writes `op` on mapped operands: once if all of them are scalars, else on `width` lanes.
  mlir::SmallVector<mlir::Value> apply(mlir::Operation &op, mlir::ArrayRef<mlir::Value> operands,
                                       int64_t width);
  /// Writes `op`, which has regions, on what `mapping` gives for the values from outside: once if
  /// all of them are scalars, else once a lane.
  void applyNested(mlir::Operation &op, mlir::IRMapping &mapping, int64_t width);
  /// Writes the ops of a region of scalars ended by nests.yield on `width` lanes. `known` has the
  /// values from outside, and those inside that need not be computed.
  mlir::SmallVector<mlir::Value> inlineRegion(mlir::Region &region,
                                              mlir::ArrayRef<mlir::Value> arguments, int64_t width,
                                              const mlir::IRMapping &known);
};

/// Marks a loop whose turns must become straight code for the values it keeps in private memory to
/// become registers.
inline constexpr llvm::StringLiteral kUnroll = "tritonrt.unroll";

inline std::optional<int64_t> constantOf(mlir::Value value) {
  return value ? mlir::getConstantIntValue(value) : std::nullopt;
}
mlir::Type onLanes(mlir::Type element, int64_t width);
inline int64_t widthOf(mlir::Value value) {
  auto type = mlir::dyn_cast<mlir::VectorType>(value.getType());
  return type ? type.getNumElements() : 1;
}

/// Where a tensor's elements are: row-major in memory, or one scalar for all of them.
struct Tile {
  mlir::Value memory;
  mlir::Value splat;
  /// The bits of the flat index that `memory` holds, from low to high, where it does not hold all:
  /// a work-item's own part of a tile.
  std::optional<llvm::SmallVector<int64_t>> held = std::nullopt;

  /// What `bits`, a map of the whole tile, says of the part in `memory`.
  llvm::SmallVector<int64_t> heldPart(mlir::ArrayRef<int64_t> bits) const {
    if (!held)
      return llvm::to_vector(bits);
    return llvm::map_to_vector(*held, [&](int64_t bit) { return bits[bit]; });
  }
};

/// Points of a domain that are written at once: `width` of them, neighbours along dim `lane`.
struct Point {
  /// The index in every dim, i64; of lane 0 in the lane's dim.
  mlir::SmallVector<mlir::Value> index;
  int64_t lane = -1;
  int64_t width = 1;
  /// Live lanes, on `width` lanes; null = all of them.
  mlir::Value mask;
  /// An upper bound of views that all lanes are known to be below; of the nest's IR, null = none.
  mlir::Value below = nullptr;
  /// Does this point write to memory (others read and compute the same)? Null = yes.
  mlir::Value writes = nullptr;
  /// All of the tile lies inside the boxes of all views.
  bool insideBoxes = false;
};

class FunctionMapper {
public:
  FunctionMapper(mlir::func::FuncOp from, mlir::func::FuncOp to, const MapVectorOptions &options);
  virtual ~FunctionMapper() = default;

  mlir::LogicalResult run();

  Builder &builder() { return b; }
  const MapVectorOptions &options() const { return opts; }
  const mlir::IRMapping &scalars() const { return values; }
  mlir::Value scalar(mlir::Value old) const { return old ? values.lookup(old) : mlir::Value(); }
  const Tile &tile(mlir::Value old) const { return tiles.find(old)->second; }
  void setScalar(mlir::Value old, mlir::Value mapped) { values.map(old, mapped); }
  void setTile(mlir::Value old, Tile tile) { tiles[old] = std::move(tile); }
  /// Memory for the tensor `old`: where it was promised a place, there.
  mlir::Value memoryFor(mlir::Value old);
  mlir::Value allocate(int64_t bytes, mem::Space space);
  /// The tensor `old` in `memory`.
  virtual Tile tileAt(mlir::Value old, mlir::Value memory) const { return {memory, {}}; }
  /// A power of two that divides the scalar `old`.
  virtual int64_t divisorOf(mlir::Value old) { return 1; }

protected:
  mlir::LogicalResult mapBlock(mlir::Block &block);
  mlir::LogicalResult mapOp(mlir::Operation &op);
  mlir::LogicalResult mapConstant(mlir::arith::ConstantOp op);
  mlir::LogicalResult mapSelect(mlir::arith::SelectOp op);
  mlir::LogicalResult mapFor(mlir::scf::ForOp op);
  mlir::LogicalResult mapIf(mlir::scf::IfOp op);
  mlir::LogicalResult mapWhile(mlir::scf::WhileOp op);
  virtual mlir::LogicalResult mapPlain(mlir::Operation &op);
  virtual void mapNest(nests::NestOp nest);
  /// May `nest` write its result over the carried tile `old`, which it reads point by point?
  virtual bool mayUpdate(nests::NestOp nest, mlir::Value old) const { return true; }
  /// Rank-0 tile accesses.
  virtual mlir::LogicalResult mapAccess(mlir::Operation &op);
  /// Called where the body of a loop or a side of a branch begins and ends, and after the op.
  virtual void enterRegion(mlir::Operation *op) {}
  virtual void leaveRegion(mlir::Operation *op) {}
  /// New memory for the tensor `old`.
  virtual mlir::Value placeFor(mlir::Value old);
  virtual void copy(const Tile &from, const Tile &to, mlir::RankedTensorType type);
  /// Fills `to[i]` from `from[i]` as if at once: a source may be one of the targets.
  void copyAll(mlir::ArrayRef<mlir::Value> from, mlir::ArrayRef<mlir::Value> to);
  /// Promises the tensors that end a loop's body the place where they must go, where the old
  /// content is dead by then.
  void placeCarried(mlir::ValueRange carried, mlir::ValueRange yielded,
                    mlir::ArrayRef<mlir::Value> memory, mlir::Block &body);

  mlir::func::FuncOp from, to;
  MapVectorOptions opts;
  Builder b;
  mlir::Block *entry = nullptr;
  mlir::IRMapping values;
  llvm::DenseMap<mlir::Value, Tile> tiles;
  llvm::DenseMap<mlir::Value, mlir::Value> promised;
};

/// Writes the body of `nest` at `point`.
class PointEmitter {
public:
  PointEmitter(FunctionMapper &function, nests::NestOp nest, const Point &point)
      : function(function), b(function.builder()), nest(nest), point(point),
        local(function.scalars()) {}

  /// The yielded values: scalars where all lanes agree, else vectors.
  mlir::SmallVector<mlir::Value> emit() { return emit(nest.getBodyBlock()); }
  /// Of a block of the body that yields as the body does.
  mlir::SmallVector<mlir::Value> emit(mlir::Block &block);
  /// Lets `reader` say what elements of tiles are.
  void readElements(std::function<mlir::Value(nests::ElemOp)> reader) {
    elements = std::move(reader);
  }
  mlir::Value emitElem(nests::ElemOp op);
  /// Of an index or an access of the body.
  mlir::Value emitOp(mlir::Operation &op);
  /// Lets the result of `op` be `value`.
  void give(mlir::Operation *op, mlir::Value value) { local.map(op->getResult(0), value); }
  /// What a value of the body is at the point.
  mlir::Value valueOf(mlir::Value old) const { return local.lookup(old); }

  /// An index: that of lane 0 and what each lane adds to it.
  struct LaneIndex {
    mlir::Value scalar;
    mlir::SmallVector<int64_t> lanes;
    bool uniform() const;
    bool contiguous() const;
  };
  /// The number that `bits` of the point make.
  LaneIndex indexOf(mlir::ArrayRef<int64_t> bits);
  /// Stores into the tile, on every lane whether live or not.
  void storeTile(mlir::Value value, const Tile &tile, mlir::ArrayRef<int64_t> bits);

private:
  /// Does lane 0 stand at a multiple of the width?
  bool aligned();
  /// Mask for accesses of tiles: their memory is whole, so only lanes that may stand beyond the end
  /// of the lane's dim need one.
  mlir::Value tileMask() { return aligned() ? mlir::Value() : point.mask; }
  struct Address {
    mlir::Value base, index;
    int64_t unit = 0;
    /// What each lane adds to `index`: numbers, and a value (null = nothing).
    mlir::SmallVector<int64_t> lanes;
    mlir::Value laneValue;
    int64_t align = 0;
    /// Where lanes may pass the end of a wrapped dim: lane 0's index in it, and its size. `lanes`
    /// then hold for vectors that do not.
    mlir::Value wrapFirst = nullptr, wrapSize = nullptr;
    bool uniform() const;
    bool contiguous(mlir::Type element) const;
  };
  mlir::Value emitIndex(nests::IndexOp op);
  mlir::Value emitPick(nests::PickOp op);
  mlir::Value emitRead(nests::ReadOp op);
  void emitWrite(nests::WriteOp op);
  template <typename Op> mlir::Value emitAtomic(Op op);
  mlir::Value mapped(mlir::Value old) const { return old ? local.lookup(old) : mlir::Value(); }
  Address addressOf(nests::ViewOp view, mlir::Value offset, mlir::ArrayRef<int64_t> bits);
  /// Adds the index of the wrapped dim `d` to `address`.
  void addWrapped(nests::ViewOp view, const LaneIndex &index, mlir::Value stride, Address &address);
  /// The lanes that the view's box enables; null = all live ones.
  mlir::Value boxMask(nests::ViewOp view, mlir::ArrayRef<int64_t> bits);
  mlir::Value boundMask(const LaneIndex &index, mlir::Value oldBound, bool upper);
  /// What the address of lane 0 is known to be divisible by, at most the vector's size.
  int64_t alignmentOf(nests::ViewOp view, mlir::ArrayRef<int64_t> bits, const Address &address);
  bool implied(mlir::Value bound, mlir::ArrayRef<int64_t> bits, bool upper);
  mlir::Value loadAt(const Address &address, mlir::Type element, mlir::Value mask,
                     mlir::Value other, bool isVolatile);
  void storeAt(mlir::Value value, const Address &address, mlir::Value mask, bool isVolatile);
  mlir::Value zeroOf(mlir::Type type);
  mlir::Value laneVector(const Address &address);
  /// Does no lane of a wrapped address pass the end?
  mlir::Value fits(const Address &address);
  /// The address with each lane's own index in the wrapped dim.
  Address wrapped(Address address);
  mlir::Value remainder(mlir::Value number, mlir::Value size);
  mlir::IntegerAttr unitAttr(int64_t unit, mlir::Type element);

  FunctionMapper &function;
  Builder &b;
  nests::NestOp nest;
  const Point &point;
  mlir::IRMapping local;
  std::function<mlir::Value(nests::ElemOp)> elements;
};

/// The results that one combine region makes.
struct Group {
  nests::Kind kind;
  mlir::SmallVector<unsigned> results;
  mlir::Region *combine;
  nests::Dead dead;
  mlir::SmallVector<mlir::Value> deadValues;
  /// Starting values that no combination notices, one an operand; empty where there are none.
  mlir::SmallVector<mlir::TypedAttr> neutral;
  /// Comparisons of the region that are known where an element is combined with earlier ones: of
  /// its index with theirs.
  mlir::SmallVector<std::pair<mlir::Value, bool>, 0> inOrder;
};
mlir::SmallVector<Group> groupsOf(nests::NestOp nest);

/// How a nest becomes loops.
struct Plan {
  int64_t lane = -1;
  int64_t width = 1;
  /// Dims of parallel loops, outermost first.
  mlir::SmallVector<int64_t> kept;
  /// Dims that are reduced or scanned: loops inside those.
  mlir::SmallVector<int64_t> ordered;
  bool reverse = false;
};
Plan planOf(nests::NestOp nest, const MapVectorOptions &options);

/// Splits nests until each one reduces, or scans in one direction, over the same dims in all of its
/// groups: what does not agree becomes a tile and a nest of its own. So does every group of a nest
/// that has to run once (`AccessRules`) and has too few points for 2^`itemBits` work-items.
void splitNests(mlir::func::FuncOp function, int64_t itemBits = 0, bool disjoint = false);

/// Where a nest's sum has something added to it in the next nest, lets the sum start from that.
void startSums(mlir::func::FuncOp function);

} // namespace tritonrt::compiler::mapvector

#endif // TRITONRT_COMPILER_PASSES_VECTOR_MAPVECTOR_H
