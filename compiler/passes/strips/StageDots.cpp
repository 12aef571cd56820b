// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Work-items that share a program take the operands of a product from local memory. Narrow floats
// are widened on the way there, once an element instead of once a use. In a loop the operands of
// the next turn are loaded before this turn's product, so that memory works while the items
// multiply: the loop carries the operands, and what it loads waits in registers.
#include "compiler/passes/Passes.h"

#include "compiler/analysis/Order.h"
#include "compiler/passes/strips/Products.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;

namespace tritonrt::compiler {

namespace {

/// Elements of operands that an item may hold for the next turn, as many as registers are free
/// beside the sums.
constexpr int64_t kMostWaiting = 64;

RankedTensorType tensorOf(Value value) { return cast<RankedTensorType>(value.getType()); }

int64_t bytesOf(Value value, int64_t elementBytes) {
  return tensorOf(value).getNumElements() * elementBytes;
}

bool isNarrow(Value operand, Type type) {
  Type element = tensorOf(operand).getElementType();
  return element != type && isa<FloatType>(element) == isa<FloatType>(type);
}

/// Writes the operands in the type of the products where local memory has room for that.
void widenOperands(func::FuncOp function, int64_t room) {
  SmallVector<OpOperand *> narrow;
  int64_t total = 0;
  function.walk([&](tt::DotOp dot) {
    Type type = productType(dot);
    for (OpOperand *operand : {&dot.getAMutable(), &dot.getBMutable()}) {
      total += bytesOf(operand->get(), type.getIntOrFloatBitWidth() / 8);
      if (isNarrow(operand->get(), type))
        narrow.push_back(operand);
    }
  });
  if (total > room)
    return;
  for (OpOperand *operand : narrow) {
    auto dot = cast<tt::DotOp>(operand->getOwner());
    // Where the operand is made, outside of loops say.
    OpBuilder b(dot);
    b.setInsertionPointAfterValue(operand->get());
    Type type = tensorOf(operand->get()).clone(productType(dot));
    Value wide = isa<FloatType>(getElementTypeOrSelf(type))
                     ? Value(arith::ExtFOp::create(b, dot.getLoc(), type, operand->get()))
                     : Value(arith::ExtSIOp::create(b, dot.getLoc(), type, operand->get()));
    operand->set(wide);
  }
}

/// A loop whose products' operands are loaded a turn ahead.
class Pipeliner {
public:
  Pipeliner(scf::ForOp loop, const AccessRules &rules, int64_t items)
      : loop(loop), rules(rules), items(items) {}

  void run();

private:
  bool canAdvance(Value value);
  bool canRepeat(Value value);
  bool collect(tt::DotOp dot, OpOperand &operand);
  bool inLoop(Value value) { return loop.getRegion().isAncestor(value.getParentRegion()); }
  Value advanced(OpBuilder &b, Value value);
  Value repeated(OpBuilder &b, Value value, IRMapping &map);
  Value atStart(OpBuilder &b, Value value, IRMapping &map);
  Value copied(OpBuilder &b, Operation *op, unsigned result, IRMapping &map, Value live,
               llvm::function_ref<Value(Value)> operandOf);
  Value isBelow(OpBuilder &b, Value at);

  scf::ForOp loop;
  const AccessRules &rules;
  int64_t items;
  SmallVector<OpOperand *> operands;
  /// Loads of the operands, all of whose users belong to them.
  llvm::SetVector<Operation *> slice;
  /// Scalars found fit to be computed again, or for the next turn.
  llvm::SmallPtrSet<Operation *, 16> repeatable, advancing;
  IRMapping next, now;
  Value liveNext;
};

/// Is it a scalar that can be computed at the start of a turn?
bool Pipeliner::canRepeat(Value value) {
  if (!inLoop(value))
    return true;
  if (isa<RankedTensorType>(value.getType()))
    return false;
  if (auto arg = dyn_cast<BlockArgument>(value))
    return arg.getOwner() == loop.getBody();
  Operation *op = value.getDefiningOp();
  if (repeatable.contains(op))
    return true;
  if (op->getBlock() != loop.getBody() || !isPure(op) || op->getNumRegions() != 0 ||
      !llvm::all_of(op->getOperands(), [&](Value operand) { return canRepeat(operand); }))
    return false;
  repeatable.insert(op);
  return true;
}

/// Can the value of the next turn be had in this one? It may hang on counters and on loads that
/// hang on counters.
bool Pipeliner::canAdvance(Value value) {
  if (!inLoop(value))
    return true;
  if (auto arg = dyn_cast<BlockArgument>(value)) {
    if (arg.getOwner() != loop.getBody())
      return false;
    if (arg == loop.getInductionVar())
      return true;
    // A scalar whose next value this turn makes.
    return canRepeat(loop.getTiedLoopYieldedValue(arg)->get());
  }
  Operation *op = value.getDefiningOp();
  if (slice.contains(op) || advancing.contains(op))
    return true;
  bool load = isa<tile::LoadOp>(op) && isa<RankedTensorType>(value.getType()) &&
              !cast<tile::LoadOp>(op).getIsVolatile();
  if (op->getBlock() != loop.getBody() || op->getNumRegions() || !(load || isPure(op)) ||
      isa<tt::DotOp>(op))
    return false;
  if (!llvm::all_of(op->getOperands(), [&](Value operand) { return canAdvance(operand); }))
    return false;
  if (llvm::any_of(op->getResultTypes(), llvm::IsaPred<RankedTensorType>))
    slice.insert(op);
  else
    advancing.insert(op);
  return true;
}

bool Pipeliner::collect(tt::DotOp dot, OpOperand &operand) {
  Value value = operand.get();
  if (!inLoop(value) || !value.hasOneUse())
    return false;
  llvm::SetVector<Operation *> before = slice;
  size_t first = slice.size();
  bool fits = canAdvance(value), loads = false;
  for (Operation *op : ArrayRef(slice.getArrayRef()).drop_front(fits ? first : slice.size())) {
    if (!isa<tile::LoadOp>(op))
      continue;
    loads = true;
    // Somebody else needs this turn's elements.
    fits &= llvm::all_of(op->getUsers(), [&](Operation *user) {
      return user == dot.getOperation() || slice.contains(user);
    });
  }
  if (!fits || !loads) {
    slice = before;
    return false;
  }
  return true;
}

/// The op on other operands. A load touches memory only where `live` holds.
Value Pipeliner::copied(OpBuilder &b, Operation *op, unsigned result, IRMapping &map, Value live,
                        llvm::function_ref<Value(Value)> operandOf) {
  IRMapping operandMap;
  for (Value operand : op->getOperands())
    operandMap.map(operand, operandOf(operand));
  Operation *copy = b.clone(*op, operandMap);
  if (auto load = dyn_cast<tile::LoadOp>(copy)) {
    Location loc = load.getLoc();
    auto number = [&](int64_t value) -> Value {
      return arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(value));
    };
    b.setInsertionPoint(copy);
    SmallVector<Value> lo(load.getLo()), hi(load.getHi());
    SmallVector<int64_t> dims(load.getBoxDims());
    if (dims.empty() || dims.front() != 0) {
      dims.insert(dims.begin(), 0);
      lo.insert(lo.begin(), number(0));
      hi.insert(hi.begin(), number(tensorOf(load.getResult()).getDimSize(0)));
    }
    hi.front() = arith::SelectOp::create(b, loc, live, hi.front(), number(0));
    auto guarded = tile::LoadOp::create(
        b, loc, load.getType(), load.getBase(), load.getStrides(), lo, hi, load.getWrapStart(),
        load.getWrapSize(), load.getOffsets(), load.getMask(), load.getOther(),
        load.getStaticStrides(), dims, load.getWrapDim(), load.getUnit(), load.getRoot(),
        load.getAlign(), load.getIsVolatile());
    guarded->setAttr(kEarlyAttr, b.getUnitAttr());
    copy->erase();
    copy = guarded;
    b.setInsertionPointAfter(copy);
  }
  map.map(op->getResults(), copy->getResults());
  return copy->getResult(result);
}

/// `value`, an expression of this turn, written once more at the start of the body.
Value Pipeliner::repeated(OpBuilder &b, Value value, IRMapping &map) {
  if (!inLoop(value) || isa<BlockArgument>(value))
    return value;
  if (Value known = map.lookupOrNull(value))
    return known;
  auto result = cast<OpResult>(value);
  return copied(b, result.getOwner(), result.getResultNumber(), map, Value(),
                [&](Value operand) { return repeated(b, operand, map); });
}

Value Pipeliner::advanced(OpBuilder &b, Value value) {
  if (!inLoop(value))
    return value;
  if (Value known = next.lookupOrNull(value))
    return known;
  if (auto arg = dyn_cast<BlockArgument>(value)) {
    Value made = arg == loop.getInductionVar()
                     ? arith::AddIOp::create(b, loop.getLoc(), arg, loop.getStep()).getResult()
                     : repeated(b, loop.getTiedLoopYieldedValue(arg)->get(), now);
    next.map(arg, made);
    return made;
  }
  auto result = cast<OpResult>(value);
  return copied(b, result.getOwner(), result.getResultNumber(), next, liveNext,
                [&](Value operand) { return advanced(b, operand); });
}

Value Pipeliner::atStart(OpBuilder &b, Value value, IRMapping &map) {
  if (!inLoop(value))
    return value;
  if (Value known = map.lookupOrNull(value))
    return known;
  auto result = cast<OpResult>(value);
  Value live = map.lookup(loop.getUpperBound());
  return copied(b, result.getOwner(), result.getResultNumber(), map, live,
                [&](Value operand) { return atStart(b, operand, map); });
}

/// Is there a turn at `at`? In 64 bits: the step may pass the end of the type.
Value Pipeliner::isBelow(OpBuilder &b, Value at) {
  auto predicate = loop.getUnsignedCmp() ? arith::CmpIPredicate::ult : arith::CmpIPredicate::slt;
  return arith::CmpIOp::create(b, loop.getLoc(), predicate, at, loop.getUpperBound());
}

void Pipeliner::run() {
  Type counter = loop.getInductionVar().getType();
  SmallVector<Access> accesses = rules.accessesOf(loop);
  bool writes =
      llvm::any_of(accesses, [](const Access &access) { return access.writes || access.fence; });
  if (writes || !counter.isInteger())
    return;
  for (auto dot : loop.getBody()->getOps<tt::DotOp>())
    for (OpOperand *operand : {&dot.getAMutable(), &dot.getBMutable()})
      if (collect(dot, *operand))
        operands.push_back(operand);
  int64_t waiting = 0;
  for (OpOperand *operand : operands)
    waiting += tensorOf(operand->get()).getNumElements();
  if (operands.empty() || waiting > kMostWaiting * items)
    return;

  IRRewriter rewriter(loop.getContext());
  rewriter.setInsertionPoint(loop);
  IRMapping start;
  start.map(loop.getInductionVar(), loop.getLowerBound());
  for (auto [arg, init] : llvm::zip(loop.getRegionIterArgs(), loop.getInitArgs()))
    start.map(arg, init);
  // Under the upper bound's name stands whether there is a first turn.
  start.map(loop.getUpperBound(), isBelow(rewriter, loop.getLowerBound()));
  SmallVector<Value> inits, values;
  for (OpOperand *operand : operands) {
    values.push_back(operand->get());
    inits.push_back(atStart(rewriter, operand->get(), start));
  }
  auto replaced = loop.replaceWithAdditionalYields(
      rewriter, inits, /*replaceInitOperandUsesInLoop=*/false,
      [&](OpBuilder &, Location, ArrayRef<BlockArgument>) { return values; });
  if (failed(replaced))
    return;
  loop = cast<scf::ForOp>(replaced->getOperation());
  loop->setAttr(kAheadAttr, rewriter.getUnitAttr());
  OpBuilder b = OpBuilder::atBlockBegin(loop.getBody());
  Location loc = loop.getLoc();
  // ub - iv > step: without overflow, since iv < ub.
  Type wide = b.getI64Type();
  auto widened = [&](Value value) -> Value {
    if (value.getType() == wide)
      return value;
    return loop.getUnsignedCmp() ? Value(arith::ExtUIOp::create(b, loc, wide, value))
                                 : Value(arith::ExtSIOp::create(b, loc, wide, value));
  };
  Value left =
      arith::SubIOp::create(b, loc, widened(loop.getUpperBound()), widened(loop.getInductionVar()));
  liveNext =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ugt, left, widened(loop.getStep()));
  size_t first = loop.getNumRegionIterArgs() - operands.size();
  SmallVector<Value> nexts;
  for (Value value : values) {
    Value loaded = advanced(b, value);
    // What the loop carries is a tile of its own: the load's waits in registers.
    if (loaded.getDefiningOp<tile::LoadOp>())
      loaded = arith::BitcastOp::create(b, loc, loaded.getType(), loaded);
    nexts.push_back(loaded);
  }
  auto yield = cast<scf::YieldOp>(loop.getBody()->getTerminator());
  for (auto [i, operand] : llvm::enumerate(operands)) {
    operand->set(loop.getRegionIterArgs()[first + i]);
    yield.setOperand(first + i, nexts[i]);
  }
}

struct StageDotsPass : PassWrapper<StageDotsPass, OperationPass<func::FuncOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(StageDotsPass)

  StageDotsPass() = default;
  explicit StageDotsPass(const StageDotsOptions &options) {
    items = options.items;
    localBytes = options.localBytes;
    ahead = options.ahead;
    disjoint = options.disjoint;
  }
  StageDotsPass(const StageDotsPass &other) : PassWrapper(other) {}

  StringRef getArgument() const override { return "stage-dots"; }
  StringRef getDescription() const override {
    return "Widen the operands of products and load them a turn ahead";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<arith::ArithDialect, scf::SCFDialect, tile::TileDialect>();
  }
  void runOnOperation() override {
    widenOperands(getOperation(), localBytes / 2);
    if (!ahead)
      return;
    AccessRules rules(getOperation(), disjoint);
    SmallVector<scf::ForOp> loops;
    getOperation().walk([&](scf::ForOp loop) { loops.push_back(loop); });
    for (scf::ForOp loop : loops) {
      auto stages = loop->getAttrOfType<IntegerAttr>("tt.num_stages");
      if (!stages || stages.getInt() > 1)
        Pipeliner(loop, rules, items).run();
    }
  }

  Option<int64_t> items{*this, "items", llvm::cl::init(128),
                        llvm::cl::desc("Work-items a program")};
  Option<int64_t> localBytes{*this, "local-bytes", llvm::cl::init(48 << 10),
                             llvm::cl::desc("Local memory of the device")};
  Option<bool> ahead{*this, "ahead", llvm::cl::init(true),
                     llvm::cl::desc("Load the operands of the next turn in this one")};
  Option<bool> disjoint{*this, "disjoint", llvm::cl::init(false),
                        llvm::cl::desc("No written argument overlaps another one")};
};

} // namespace

std::unique_ptr<Pass> createStageDotsPass(const StageDotsOptions &options) {
  return std::make_unique<StageDotsPass>(options);
}

} // namespace tritonrt::compiler
