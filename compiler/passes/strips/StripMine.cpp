// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop that carries large tiles keeps them in registers if it runs on a strip of them at a time.
// A dim that every op of the loop treats point by point is split outside the loop: the loop and
// what follows it up to the stores are written once for a strip, inside loops over the strips.
// matmul gets its register accumulators over all of K this way.
//
// The strips change the order of memory accesses, so the loop may not write, and no store after it
// may meet an access that another strip repeats. Where what follows the loop does not allow it, the
// loop alone is split.
#include "compiler/passes/Passes.h"

#include "compiler/analysis/Order.h"
#include "compiler/passes/strips/StripSlicer.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tritonrt::compiler {

namespace {

bool isTensor(Value value) { return isa<RankedTensorType>(value.getType()); }

int64_t bytesOf(Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  return type.getNumElements() * mem::elementBytes(type);
}

class StripMiner {
public:
  /// Buffers may be numbered from `nextBuffer` on.
  StripMiner(const AccessRules &rules, const StripMineOptions &options, int64_t nextBuffer)
      : rules(rules), options(options), nextBuffer(nextBuffer) {}

  /// Splits `loop` and what follows it if that is possible and pays.
  void tryLoop(scf::ForOp loop);

private:
  bool collect(scf::ForOp loop);
  bool trySplit(Value carried);
  bool memoryAllows(scf::ForOp loop) const;
  SmallVector<Strip> stripsOf(RankedTensorType type, bool rows, bool columns) const;

  const AccessRules &rules;
  const StripMineOptions &options;
  int64_t nextBuffer;
  /// The loop and the ops after it that hang on its tensors, in order.
  SmallVector<Operation *> ops;
  SmallVector<Operation *> stores;
};

/// The ops after the loop that use its tensors, directly or not. False if one of them is neither
/// arithmetic nor a store.
bool StripMiner::collect(scf::ForOp loop) {
  ops.assign({loop});
  stores.clear();
  llvm::DenseSet<Operation *> inside{loop};
  for (Operation *op = loop->getNextNode(); op; op = op->getNextNode()) {
    bool uses = llvm::any_of(op->getOperands(), [&](Value operand) {
      Operation *source = operand.getDefiningOp();
      return source && inside.contains(source) && (source != loop || isTensor(operand));
    });
    if (!uses)
      continue;
    if (isa<tile::StoreOp>(op))
      stores.push_back(op);
    else if (!isPure(op) || op->getNumRegions() || op->hasTrait<OpTrait::IsTerminator>())
      return false;
    inside.insert(op);
    ops.push_back(op);
  }
  // Scalars that the loop leaves behind would be computed once a strip.
  for (Value result : loop.getResults())
    if (!isTensor(result) && !result.use_empty())
      return false;
  return !stores.empty();
}

bool StripMiner::memoryAllows(scf::ForOp loop) const {
  SmallVector<Access> read = rules.accessesOf(loop);
  if (llvm::any_of(read, [](const Access &access) { return access.writes || access.fence; }))
    return false;
  SmallVector<Access> written;
  for (Operation *store : stores)
    llvm::append_range(written, rules.accessesOf(store));
  for (auto [i, store] : llvm::enumerate(written)) {
    if (store.fence)
      return false;
    for (const Access &access : read)
      if (rules.conflict(store, access))
        return false;
    for (const Access &other : ArrayRef(written).drop_front(i + 1))
      if (rules.conflict(store, other))
        return false;
  }
  if (stores.empty())
    return true;
  // Ops between the loop and the last store stay where they are, before the strips.
  for (Operation *op = loop->getNextNode(); op != stores.back(); op = op->getNextNode()) {
    if (llvm::is_contained(stores, op))
      continue;
    for (const Access &access : rules.accessesOf(op)) {
      for (const Access &store : written)
        if (rules.conflict(store, access))
          return false;
      for (const Access &load : read)
        if (rules.conflict(load, access))
          return false;
    }
  }
  return true;
}

SmallVector<Strip> StripMiner::stripsOf(RankedTensorType type, bool rows, bool columns) const {
  int64_t rank = type.getRank(), wide = options.columnBytes / 4;
  SmallVector<Strip> strips;
  // As many sums as in strips of rows and columns, where rows stay whole.
  int64_t height = options.rows;
  if (!columns)
    height = std::max<int64_t>(height * wide / std::max(wide, type.getDimSize(rank - 1)), 1);
  if (rows && type.getDimSize(rank - 2) > height)
    strips.push_back({rank - 2, height, type.getDimSize(rank - 2)});
  if (columns && type.getDimSize(rank - 1) > wide)
    strips.push_back({rank - 1, wide, type.getDimSize(rank - 1)});
  return strips;
}

void StripMiner::tryLoop(scf::ForOp loop) {
  Value carried;
  for (Value result : loop.getResults())
    if (isTensor(result) && cast<RankedTensorType>(result.getType()).getRank() >= 2 &&
        (!carried || bytesOf(result) > bytesOf(carried)))
      carried = result;
  if (!carried || bytesOf(carried) <= options.rows * options.columnBytes)
    return;
  if (collect(loop) && memoryAllows(loop) && trySplit(carried))
    return;
  // The loop alone: its tensors are left behind whole.
  ops.assign({loop});
  stores.clear();
  if (memoryAllows(loop))
    trySplit(carried);
}

bool StripMiner::trySplit(Value carried) {
  auto type = cast<RankedTensorType>(carried.getType());
  for (auto [rows, columns] : {std::pair(true, true), std::pair(true, false)}) {
    SmallVector<Strip> strips = stripsOf(type, rows, columns);
    if (strips.empty())
      continue;
    StripSlicer slicer(ops, strips, nextBuffer, options);
    if (slicer.plan(carried)) {
      slicer.rewrite();
      return true;
    }
  }
  return false;
}

struct StripMinePass : PassWrapper<StripMinePass, OperationPass<func::FuncOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(StripMinePass)

  StripMinePass() = default;
  explicit StripMinePass(const StripMineOptions &options) {
    rows = options.rows;
    columnBytes = options.columnBytes;
    disjoint = options.disjoint;
    bf16Pairs = options.bf16Pairs;
    i16Pairs = options.i16Pairs;
  }
  StripMinePass(const StripMinePass &other) : PassWrapper(other) {}

  StringRef getArgument() const override { return "strip-mine"; }
  StringRef getDescription() const override {
    return "Run loops on strips of the tiles they carry";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<arith::ArithDialect, scf::SCFDialect, mem::MemDialect>();
  }

  void runOnOperation() override {
    StripMineOptions options{rows, columnBytes, disjoint, bf16Pairs, i16Pairs};
    AccessRules rules(getOperation(), options.disjoint);
    SmallVector<scf::ForOp> loops;
    getOperation().walk([&](scf::ForOp loop) { loops.push_back(loop); });
    int64_t buffers = 0;
    getOperation().walk([&](mem::BufferOp buffer) {
      buffers = std::max<int64_t>(buffers, buffer.getNumber() + 1);
    });
    StripMiner miner(rules, options, buffers);
    for (scf::ForOp loop : loops)
      miner.tryLoop(loop);
  }

  Option<int64_t> rows{*this, "rows", llvm::cl::init(8), llvm::cl::desc("Rows of a strip")};
  Option<int64_t> columnBytes{*this, "column-bytes", llvm::cl::init(128),
                              llvm::cl::desc("Bytes of a row of a strip, counted in f32")};
  Option<bool> disjoint{*this, "disjoint", llvm::cl::init(false),
                        llvm::cl::desc("No written argument overlaps another one")};
  Option<bool> bf16Pairs{*this, "bf16-pairs", llvm::cl::init(false),
                         llvm::cl::desc("Multiply pairs of bf16")};
  Option<bool> i16Pairs{*this, "i16-pairs", llvm::cl::init(false),
                        llvm::cl::desc("Multiply pairs of i16")};
};

} // namespace

std::unique_ptr<Pass> createStripMinePass(const StripMineOptions &options) {
  return std::make_unique<StripMinePass>(options);
}

} // namespace tritonrt::compiler
