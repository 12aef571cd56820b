// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writing a chain of tensor ops for strips of its tensors.
//
// What many strips read can be staged, so that it is brought into a buffer once, in the order and
// the type in which they use it: tensors from before the loop as they are, and operands of products
// that the loop loads, a chunk of its turns at a time. What the loop carries waits in buffers
// between the chunks.
#ifndef TRITONRT_COMPILER_PASSES_STRIPS_STRIPSLICER_H
#define TRITONRT_COMPILER_PASSES_STRIPS_STRIPSLICER_H

#include "compiler/dialect/tile/Tile.h"
#include "compiler/dialect/tt/TtOps.h"
#include "compiler/passes/Passes.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/DenseMap.h"

#include <map>

namespace tritonrt::compiler {

/// A dim of the carried tile that is split: `size` of its `total` indices at a time.
struct Strip {
  int64_t dim, size, total;
};

/// For each dim of a tensor the number of the strip that splits it, or kWhole.
using Spec = llvm::SmallVector<int64_t>;
inline constexpr int64_t kWhole = -1;

class StripSlicer {
public:
  /// `ops`: a loop and the ops after it that hang on its tensors, in order, or the loop alone.
  /// Buffers are numbered from `nextBuffer` on, which moves on.
  StripSlicer(llvm::ArrayRef<mlir::Operation *> ops, llvm::ArrayRef<Strip> strips,
              int64_t &nextBuffer, const StripMineOptions &options)
      : ops(ops), strips(strips), loop(llvm::cast<mlir::scf::ForOp>(ops.front())),
        nextBuffer(nextBuffer), options(options) {}

  /// Can every op be written for strips of `carried`, none of the costly ones twice? Changes
  /// nothing.
  bool plan(mlir::Value carried);
  /// Writes the loops over the strips in place of the ops.
  void rewrite();

private:
  using Key = std::pair<const void *, std::vector<int64_t>>;
  using Keys = std::map<Key, bool>;
  using Writer = llvm::function_ref<void(mlir::OpBuilder &)>;

  /// A tensor that strips find in a buffer.
  struct Stage {
    mlir::Value value;
    Spec spec;
    mlir::Type element; ///< What the buffer holds.
    bool whole;         ///< Row by row; else strip by strip, with the turns of each together.
    /// The dim along which neighbours are the halves of a word, or -1.
    int64_t pairs = -1;
    mlir::Value buffer = nullptr;
    int64_t number = 0;
  };
  /// Turns of the loop: all, or those of a chunk, which are counted from 0.
  struct Turns {
    mlir::Value lower, upper;
    llvm::SmallVector<mlir::Value> scalars; ///< That the loop carries: their first values.
    bool counted = false;
  };

  static Key keyOf(mlir::Value value, const Spec &spec);
  bool forward();
  bool require(mlir::Value value, const Spec &spec);
  bool requireOperands(mlir::Operation *op, const Spec &spec);
  std::optional<Spec> specOf(mlir::Value value);
  bool requireRest();
  std::optional<llvm::SmallVector<std::pair<mlir::Value, Spec>>> needs(mlir::Operation *op,
                                                                       const Spec &spec) const;
  /// The number of a tensor that the loop carries, by its argument or its result; else -1.
  int64_t carriedNumber(mlir::Value value);
  bool isOurs(mlir::Value value) const;
  /// Adds the keys of all that is made to make `value`, up to what the loop carries and stages.
  void reach(mlir::Value value, const Spec &spec, Keys &keys);
  Keys reachedByLoop();
  Keys reachedByStores();

  // Writing.
  mlir::Value slice(mlir::OpBuilder &builder, mlir::Value value, const Spec &spec);
  mlir::Value sliceOp(mlir::OpBuilder &builder, mlir::Operation *op, unsigned result,
                      const Spec &spec);
  mlir::Operation *sliceAccess(mlir::OpBuilder &builder, tile::AddressOp op, const Spec &spec);
  mlir::Type sliced(mlir::Type type, const Spec &spec) const;
  void sliceScalars(mlir::OpBuilder &builder);
  /// Gives the numbers of what the new loop carries, in its order.
  llvm::SmallVector<int64_t> sliceLoop(mlir::OpBuilder &builder, const Turns &turns);
  void writeStores(mlir::OpBuilder &builder);
  void writeStrips(mlir::OpBuilder &builder);
  void forget() {
    made.clear();
    scalars.clear();
  }
  /// Runs `write` in loops over the strips in `which`, the first one outermost or innermost.
  void overStrips(mlir::OpBuilder &builder, const Spec &which, bool firstOutside, Writer write);
  /// Runs `write` for strips that lie inside all boxes of `keys`, and of the stores, and for
  /// others.
  void insideOrNot(mlir::OpBuilder &builder, const Keys &keys, bool stores, Writer write);
  mlir::Value inside(mlir::OpBuilder &builder, const Keys &keys, bool stores);

  // Stages.
  void planStages();
  bool planStage(mlir::Value value, const Spec &spec, bool loadsToo);
  void planPair(mlir::Value value, const Spec &spec, int64_t dim);
  bool canPair(tt::DotOp dot, const Spec &a, const Spec &b) const;
  mlir::RankedTensorType stagedType(const Stage &stage) const;
  bool isLoaded(mlir::Value value, const Spec &spec, Keys &seen, bool &loads) const;
  bool isCheap(mlir::Value value) const;
  bool needStage(mlir::Value value, const Spec &spec);
  const Stage *stageOf(mlir::Value value, const Spec &spec) const;
  int64_t blocksOf(const Stage &stage) const;
  int64_t blockBytesOf(const Stage &stage) const;
  void allocate(mlir::OpBuilder &builder, Stage &stage, int64_t turns);
  mlir::Value blockOf(mlir::OpBuilder &builder, const Stage &stage);
  struct Box;
  Box boxOf(mlir::OpBuilder &builder, const Stage &stage);
  int64_t stepOf(const Stage &stage);
  mlir::Value loadStage(mlir::OpBuilder &builder, const Stage &stage);
  mlir::Value loadAs(mlir::OpBuilder &builder, const Stage &stage, mlir::RankedTensorType type,
                     mlir::Value base);
  /// Stores the current strip's part, or all.
  void storeStage(mlir::OpBuilder &builder, const Stage &stage, mlir::Value value, bool part);
  /// No value: chunks do not pay; null: they do; else where it holds.
  std::optional<mlir::Value> chunksPay(mlir::OpBuilder &builder);
  void writeChunks(mlir::OpBuilder &builder);
  mlir::scf::ForOp writeChunkLoop(mlir::OpBuilder &builder);
  void leaveBehind(mlir::OpBuilder &builder, mlir::scf::ForOp chunks);
  llvm::SmallVector<mlir::Value> fill(mlir::OpBuilder &builder, const Turns &turns);
  void writeChunk(mlir::OpBuilder &builder, const Turns &turns);

  llvm::ArrayRef<mlir::Operation *> ops;
  llvm::SmallVector<Strip> strips;
  mlir::scf::ForOp loop;
  int64_t &nextBuffer;
  const StripMineOptions &options;
  /// Of the tensors that the loop carries, by number; and of the values after it.
  llvm::DenseMap<unsigned, Spec> carriedSpecs;
  llvm::DenseMap<mlir::Value, Spec> after;
  /// Costly ops, with the one way in which they may be needed.
  llvm::DenseMap<mlir::Operation *, Spec> costly;
  Keys required;
  /// Tensors from outside; operands made in the loop; what the loop carries, by its numbers.
  llvm::SmallVector<Stage> outside, operands;
  std::map<int64_t, Stage> carried;

  // While a strip is written.
  llvm::SmallVector<mlir::Value> offsets; // i64, one a strip
  std::map<Key, mlir::Value> made;
  mlir::IRMapping scalars;
  bool boxesDropped = false;
  /// The number of the turn in its chunk.
  mlir::Value turn;
  int64_t turnsInChunk = 1;
};

} // namespace tritonrt::compiler

#endif // TRITONRT_COMPILER_PASSES_STRIPS_STRIPSLICER_H
