// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The loops of one nest, shared by the files that write them.
#ifndef TRITONRT_COMPILER_PASSES_VECTOR_MAPVECTORLOOPS_H
#define TRITONRT_COMPILER_PASSES_VECTOR_MAPVECTORLOOPS_H

#include "compiler/passes/vector/MapVector.h"

namespace tritonrt::compiler::mapvector {

class NestMapper {
public:
  NestMapper(FunctionMapper &function, nests::NestOp nest, Plan plan)
      : function(function), b(function.builder()), nest(nest), groups(groupsOf(nest)),
        plan(std::move(plan)) {}

  void run();

protected:
  /// Bounds of the loops and the places of the results, which come before any loop.
  void prepare();

  using Values = mlir::SmallVector<mlir::Value>;
  using LoopBody = llvm::function_ref<Values(mlir::Value, mlir::ValueRange)>;
  using Branch = llvm::function_ref<Values()>;

  /// A loop, or what is left of it where the bounds are known: nothing, or one body.
  Values loop(mlir::Value lo, mlir::Value hi, int64_t step, mlir::ValueRange inits, LoopBody body);
  Values branch(mlir::Value condition, mlir::TypeRange types, Branch then, Branch otherwise);

  /// Number of live indices of dim `d`.
  mlir::Value span(int64_t d);
  /// End of the part of dim `d` that steps of `step` cover without a rest.
  mlir::Value wholeVectors(int64_t d, int64_t step);
  /// The live ones of the lanes that begin at index `first` of dim `d`.
  mlir::Value tailMask(mlir::Value first, int64_t d);
  mlir::Value isBelow(mlir::Value a, mlir::Value bound);

  /// The points of the kept dims where they are few enough for registers, all of them live, and
  /// their tiles are as small; empty otherwise.
  mlir::SmallVector<Point> registerPoints();
  /// Reductions at all points at once: one loop over the reduced dims.
  void reduceTogether(mlir::ArrayRef<Point> points);
  Values jointLoops(unsigned depth, mlir::SmallVector<Point> points, mlir::ValueRange sums,
                    mlir::Value first);
  void keptLoops(unsigned depth, Point point);
  void laneLoops(unsigned depth, const Point &point);
  /// Do most programs run all of dim `d`, so that loops of constant bounds for them pay? True of
  /// short bodies whose extent is another one in each program: only a grid's last ones are cut.
  bool hasFullForm(int64_t d);
  void orderedPart(const Point &point);
  void storeTiles(mlir::ValueRange yielded, const Point &point);
  /// Stores what the ordered loops made at this point of the kept dims.
  void finish(Values sums, const Point &point);
  /// `kept`: from bits of the results to those of the domain.
  void storeSums(mlir::ValueRange sums, const Point &point, mlir::ArrayRef<int64_t> kept);

  // Reductions and scans. `sums` hold a value for each operand of each group, in order of groups.

  /// Starting values on `width` lanes: neutral ones, or anything where the first element starts.
  Values initial(int64_t width);
  /// What the sums at a point of the kept dims start from: what the nest says, else `initial`.
  Values startAt(const Point &point);
  mlir::TypeRange typesOf(const Values &values) const {
    return mlir::ValueRange(values).getTypes();
  }
  /// `later`: the new elements have larger indices than all that is in `accs`.
  Values combine(const Group &group, mlir::ValueRange news, mlir::ValueRange accs, int64_t width,
                 bool later = false);
  /// Writes the body at `point` and combines its values into `sums`. `first` says whether they are
  /// the first ones (null = they are not, or it does not matter).
  Values step(const Point &point, mlir::ValueRange sums, mlir::Value first);
  /// Are there groups whose first element must be told from the others?
  bool needsFirst() const;
  Values reduceSerially(const Point &point);
  Values serialLoops(unsigned depth, Point point, mlir::ValueRange sums, mlir::Value first);

  Values scanWithinVector(const Group &group, Values values);
  Values scanStep(const Point &point, mlir::ValueRange carries, mlir::Value first);
  Values scanLanes(Point point);

  /// A maximum, or minimum, that takes no NaN for one: a comparison with what there is so far, from
  /// infinity on. It is right where it finds anything better than that; else all elements are NaN
  /// or that infinity, and the exact form tells.
  struct Straight {
    mlir::FloatAttr lowest = nullptr;
    mlir::arith::CmpFPredicate better = mlir::arith::CmpFPredicate::OGT;
    explicit operator bool() const { return bool(lowest); }
  };
  Straight straightForm();
  Values reduceLanes(const Point &point);
  /// Partial sums of `copies` vectors side by side, then their sum.
  Values laneLoopsOf(const Point &point, int64_t copies);
  Values innerLanes(Point point, mlir::ValueRange sums, int64_t copies, mlir::Value first);
  /// The one bound of views that masks lanes where the nest runs all of the lane's dim, or null.
  mlir::Value maskingBound();
  /// Combines all lanes of every operand.
  Values foldLanes(Values sums);
  /// Operations that a point takes; a function counts for many.
  int64_t bodyCost();
  int64_t accumulators();
  /// Combines what the points outside the live box add.
  void addDead(Values &sums, int64_t width);

  FunctionMapper &function;
  Builder &b;
  nests::NestOp nest;
  mlir::SmallVector<Group> groups;
  Plan plan;
  Values lo, hi;
  /// Are the loops being written for the few programs whose extents are cut?
  bool rare = false;
  /// Loops with constant bounds are to become straight code.
  bool unrolls = false;
  /// Are sums combined so?
  Straight straight = {};
  /// Of each result that is a tensor.
  Values memory;
};

/// A dim besides the lanes' along which some accesses lie in rows that are apart on the lanes.
struct Blocks {
  int64_t across = -1;
  /// Rows, and lanes, of a block.
  int64_t width = 1;
  mlir::SmallVector<mlir::Operation *> crossing;
};
/// Nothing where no access gains by it.
std::optional<Blocks> blocksOf(nests::NestOp nest, const Plan &plan);

/// Writes a nest in square blocks that are transposed in registers, where both of their dims are
/// live to the end.
class BlockMapper : public NestMapper {
public:
  BlockMapper(FunctionMapper &function, nests::NestOp nest, Plan plan, Blocks blocks)
      : NestMapper(function, nest, std::move(plan)), blocks(std::move(blocks)) {}

  void run();

private:
  void blockLoops(unsigned depth, Point point);
  void block(Point point);

  Blocks blocks;
};

/// What a nest counts: elements whose `number`, where all `conditions` hold, is that of the bin.
struct Counts {
  mlir::Value number;
  mlir::SmallVector<mlir::Value> conditions;
};
/// Nothing where the nest is no histogram.
std::optional<Counts> countsOf(nests::NestOp nest, const Plan &plan);

/// Writes a histogram as one that looks at every element once.
class CountMapper : public NestMapper {
public:
  CountMapper(FunctionMapper &function, nests::NestOp nest, Plan plan, Counts counts)
      : NestMapper(function, nest, std::move(plan)), counts(std::move(counts)) {}

  void run();

private:
  void countLoops(unsigned depth, Point point);
  /// Counts the element at `point` in table `which`.
  void count(const Point &point, int64_t which);
  mlir::Value load(mlir::Value at, int64_t width);
  void store(mlir::Value value, mlir::Value at);

  Counts counts;
  mlir::Type element;
  mlir::Value table;
  int64_t bins = 0, bytes = 0, row = 0, tables = 0;
};

} // namespace tritonrt::compiler::mapvector

#endif // TRITONRT_COMPILER_PASSES_VECTOR_MAPVECTORLOOPS_H
