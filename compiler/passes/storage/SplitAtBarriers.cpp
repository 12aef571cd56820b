// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel whose programs meet, as one that needs no two of them at the same time. The kernel is
// cut at its barriers, also in loops and branches, into states; a loop around a switch over the
// states runs them, and leaves at a barrier. What lives longer than a state is kept in the
// program's memory: values in slots, registers and local memory as copies made where it leaves.
#include "compiler/passes/Passes.h"

#include "compiler/dialect/mem/Mem.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tritonrt::compiler {

namespace {

/// No state: the loop over the states ends.
constexpr int32_t kLeave = -1;

int64_t intAttr(func::FuncOp func, StringRef name, int64_t otherwise) {
  auto attr = func->getAttrOfType<IntegerAttr>(name);
  return attr ? attr.getInt() : otherwise;
}

class Splitter {
public:
  Splitter(func::FuncOp func, bool chained)
      : func(func), chained(chained), b(func.getContext()), loc(func.getLoc()),
        items(intAttr(func, "tritonrt.work_items", 1)),
        placeOffset(llvm::alignTo(intAttr(func, "tritonrt.mesh_bytes", 0), mem::kBufferAlign)),
        used(placeOffset + mem::kBufferAlign) {}

  LogicalResult run() {
    Block &entry = func.getBody().front();
    findBarriers();
    hoist(entry);
    current = newState();
    if (failed(emitBlock(entry)))
      return failure();
    endProgram();
    if (failed(keepValues()))
      return failure();
    assemble(entry);
    func->setAttr("tritonrt.mesh_bytes", b.getI64IntegerAttr(used));
    return success();
  }

private:
  /// What runs without a pause, and the number of the state that follows.
  struct State {
    Block *block;
    Value next;
  };

  //===--- Cutting ---------------------------------------------------------------------------===//

  void findBarriers() {
    func.walk([&](mem::MeshBarrierOp barrier) {
      for (Operation *op = barrier; op != func; op = op->getParentOp())
        cut.insert(op);
    });
  }

  /// What every start of the kernel can make again stays in front of the states.
  void hoist(Block &entry) {
    auto stays = [&](Operation &op) {
      bool again = isa<mem::AllocOp>(op) || isMemoryEffectFree(&op);
      return op.getNumRegions() == 0 && again && llvm::all_of(op.getOperands(), [&](Value operand) {
               Operation *def = operand.getDefiningOp();
               return !def || hoisted.contains(def);
             });
    };
    for (Operation &op : entry.without_terminator())
      if (stays(op))
        hoisted.insert(&op);
    // Constants cost nothing, wherever they stand.
    func.walk([&](Operation *op) {
      if (!op->hasTrait<OpTrait::ConstantLike>() || !hoisted.insert(op))
        return;
      if (op->getBlock() != &entry)
        op->moveBefore(&entry, entry.begin());
    });
  }

  unsigned newState() {
    Block *block = b.createBlock(&func.getBody(), func.getBody().end());
    states.push_back({block, Value()});
    return states.size() - 1;
  }

  void atEnd() { b.setInsertionPointToEnd(states[current].block); }

  Value number(int32_t value) {
    return arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(value));
  }

  void goTo(unsigned state) {
    atEnd();
    states[current].next = number(state);
  }

  void goTo(Value condition, unsigned yes, unsigned no) {
    atEnd();
    states[current].next = arith::SelectOp::create(b, loc, condition, number(yes), number(no));
  }

  void endProgram() {
    atEnd();
    mem::EndOp::create(b, loc);
    states[current].next = number(kLeave);
  }

  LogicalResult emitBlock(Block &block) {
    for (Operation &op : llvm::make_early_inc_range(block.without_terminator())) {
      if (hoisted.contains(&op))
        continue;
      if (!cut.contains(&op)) {
        op.moveBefore(states[current].block, states[current].block->end());
        // The program ends wherever it exits.
        op.walk([&](mem::ExitOp exit) {
          b.setInsertionPoint(exit);
          mem::EndOp::create(b, exit.getLoc());
        });
        continue;
      }
      loc = op.getLoc();
      if (failed(emitCut(op)))
        return failure();
    }
    return success();
  }

  LogicalResult emitCut(Operation &op) {
    return llvm::TypeSwitch<Operation *, LogicalResult>(&op)
        .Case<mem::MeshBarrierOp>([&](auto barrier) { return emitBarrier(barrier); })
        .Case<scf::ForOp>([&](auto loop) { return emitFor(loop); })
        .Case<scf::WhileOp>([&](auto loop) { return emitWhile(loop); })
        .Case<scf::IfOp>([&](auto branch) { return emitIf(branch); })
        .Case<scf::IndexSwitchOp>([&](auto choice) { return emitSwitch(choice); })
        .Default([](Operation *) { return failure(); });
  }

  LogicalResult emitBarrier(mem::MeshBarrierOp op) {
    unsigned after = newState();
    atEnd();
    mem::SuspendOp::create(b, op.getLoc(), op.getGroupAttr(), op.getNumberAttr(),
                           op.getSourceAttr(), b.getI32IntegerAttr(after));
    states[current].next = number(kLeave);
    current = after;
    return success();
  }

  LogicalResult emitFor(scf::ForOp op) {
    Value index = op.getInductionVar();
    SmallVector<int64_t> slots = slotsOf(op.getRegionIterArgs());
    int64_t indexSlot = slotOf(index);
    bind(op.getResults(), slots);
    assign(slots, op.getInitArgs());
    assign(indexSlot, op.getLowerBound());
    unsigned head = newState(), body = newState(), after = newState();
    goTo(head);
    current = head;
    atEnd();
    auto less = op.getUnsignedCmp() ? arith::CmpIPredicate::ult : arith::CmpIPredicate::slt;
    goTo(arith::CmpIOp::create(b, loc, less, index, op.getUpperBound()), body, after);
    current = body;
    if (failed(emitBlock(*op.getBody())))
      return failure();
    assign(slots, op.getYieldedValues());
    atEnd();
    assign(indexSlot, arith::AddIOp::create(b, loc, index, op.getStep()));
    goTo(head);
    current = after;
    return success();
  }

  LogicalResult emitWhile(scf::WhileOp op) {
    SmallVector<int64_t> before = slotsOf(op.getBeforeArguments());
    SmallVector<int64_t> results = slotsOf(op.getAfterArguments());
    bind(op.getResults(), results);
    assign(before, op.getInits());
    unsigned head = newState(), body = newState(), after = newState();
    goTo(head);
    current = head;
    if (failed(emitBlock(*op.getBeforeBody())))
      return failure();
    assign(results, op.getConditionOp().getArgs());
    goTo(op.getConditionOp().getCondition(), body, after);
    current = body;
    if (failed(emitBlock(*op.getAfterBody())))
      return failure();
    assign(before, op.getYieldOp().getOperands());
    goTo(head);
    current = after;
    return success();
  }

  /// One way of a branch, from the state `first` on.
  LogicalResult emitWay(unsigned first, Block &block, ArrayRef<int64_t> results, unsigned after) {
    current = first;
    if (failed(emitBlock(block)))
      return failure();
    assign(results, block.getTerminator()->getOperands());
    goTo(after);
    return success();
  }

  LogicalResult emitIf(scf::IfOp op) {
    SmallVector<int64_t> results = slotsOf(op.getResults());
    unsigned yes = newState(), after = newState();
    unsigned no = op.elseBlock() ? newState() : after;
    goTo(op.getCondition(), yes, no);
    if (failed(emitWay(yes, *op.thenBlock(), results, after)))
      return failure();
    if (op.elseBlock() && failed(emitWay(no, *op.elseBlock(), results, after)))
      return failure();
    current = after;
    return success();
  }

  LogicalResult emitSwitch(scf::IndexSwitchOp op) {
    SmallVector<int64_t> results = slotsOf(op.getResults());
    unsigned from = current, after = newState();
    auto way = [&](Block &block) -> FailureOr<unsigned> {
      unsigned first = newState();
      if (failed(emitWay(first, block, results, after)))
        return failure();
      return first;
    };
    FailureOr<unsigned> otherwise = way(op.getDefaultBlock());
    if (failed(otherwise))
      return failure();
    SmallVector<unsigned> firsts;
    for (auto i : llvm::seq<size_t>(0, op.getCases().size())) {
      FailureOr<unsigned> first = way(op.getCaseBlock(i));
      if (failed(first))
        return failure();
      firsts.push_back(*first);
    }
    current = from;
    atEnd();
    Value next = number(*otherwise);
    for (auto [value, first] : llvm::zip(op.getCases(), firsts)) {
      Value constant = arith::ConstantOp::create(b, loc, b.getIndexAttr(value));
      Value is = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, op.getArg(), constant);
      next = arith::SelectOp::create(b, loc, is, number(first), next);
    }
    states[current].next = next;
    current = after;
    return success();
  }

  //===--- Values that outlive a state -------------------------------------------------------===//

  /// Values of type index are kept as i64.
  Type keptType(Type type) { return isa<IndexType>(type) ? b.getI64Type() : type; }

  static int64_t bytesOf(Type type) {
    auto vector = dyn_cast<VectorType>(type);
    return mem::elementBytes(type) * (vector ? vector.getNumElements() : 1);
  }

  int64_t newSlot(int64_t bytes) {
    int64_t size = llvm::PowerOf2Ceil(bytes);
    int64_t slot = llvm::alignTo(used, std::min<int64_t>(size, mem::kBufferAlign));
    used = slot + size * items;
    return slot;
  }

  /// The slot that `value` is read from in every state.
  int64_t slotOf(Value value) {
    int64_t slot = newSlot(bytesOf(keptType(value.getType())));
    kept.insert({value, slot});
    return slot;
  }

  SmallVector<int64_t> slotsOf(ValueRange values) {
    return llvm::map_to_vector(values, [&](Value value) { return slotOf(value); });
  }

  void bind(ValueRange values, ArrayRef<int64_t> slots) {
    for (auto [value, slot] : llvm::zip(values, slots))
      kept.insert({value, slot});
  }

  /// The place of `bytes` bytes at a slot: each work-item has its own.
  Value place(int64_t slot, int64_t bytes) {
    auto type = mem::PtrType::get(func.getContext(), mem::Space::Global);
    Value start = mem::MeshMemoryOp::create(b, loc, type);
    Value at = arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(slot));
    if (items > 1) {
      Value item = arith::ExtUIOp::create(b, loc, b.getI64Type(),
                                          mem::ItemIdOp::create(b, loc, b.getI32Type()));
      Value step =
          arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(llvm::PowerOf2Ceil(bytes)));
      at = arith::AddIOp::create(b, loc, at, arith::MulIOp::create(b, loc, item, step));
    }
    return mem::OffsetOp::create(b, loc, type, start, at);
  }

  Value zero() { return arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(0)); }

  static int64_t alignOf(Type type) {
    return std::min<int64_t>(llvm::PowerOf2Ceil(bytesOf(type)), mem::kBufferAlign);
  }

  void store(Value value, Value base, Value index) {
    mem::StoreOp::create(b, loc, value, base, index, Value(), alignOf(value.getType()),
                         IntegerAttr());
  }

  Value load(Type type, Value base, Value index) {
    return mem::LoadOp::create(b, loc, type, base, index, Value(), Value(), alignOf(type),
                               IntegerAttr());
  }

  /// Where the builder stands.
  void assignHere(int64_t slot, Value value) {
    if (isa<IndexType>(value.getType()))
      value = arith::IndexCastOp::create(b, loc, b.getI64Type(), value);
    store(value, place(slot, bytesOf(value.getType())), zero());
  }

  void assign(int64_t slot, Value value) {
    atEnd();
    assignHere(slot, value);
  }

  void assign(ArrayRef<int64_t> slots, ValueRange values) {
    for (auto [slot, value] : llvm::zip(slots, values))
      assign(slot, value);
  }

  /// The state that an op is in; null for what is in front of the states or is left of the source.
  Block *stateOf(Operation *op) {
    for (; op && op != func; op = op->getParentOp())
      if (blocks.contains(op->getBlock()))
        return op->getBlock();
    return nullptr;
  }

  /// A pointer can be kept where it is one of global memory.
  bool canKeep(Type type) {
    auto pointer = dyn_cast<mem::PtrType>(getElementTypeOrSelf(type));
    return !pointer || pointer.getSpace() == mem::Space::Global ||
           (pointer.getSpace() == mem::Space::Scratch && items == 1);
  }

  /// Every state that uses a value of another one reads it from its slot, first of all.
  LogicalResult keepValues() {
    for (State &state : states)
      blocks.insert(state.block);
    for (State &state : states)
      for (Operation &op : *state.block)
        for (Value result : op.getResults())
          if (llvm::any_of(result.getUsers(), [&](Operation *user) {
                Block *other = stateOf(user);
                return other && other != state.block;
              }))
            made.push_back(result);
    for (Value value : made) {
      int64_t slot = slotOf(value);
      b.setInsertionPointAfterValue(value);
      assignHere(slot, value);
    }
    for (auto [value, slot] : kept) {
      if (!canKeep(value.getType()))
        return failure();
      readFromSlot(value, slot);
    }
    return success();
  }

  void readFromSlot(Value value, int64_t slot) {
    llvm::DenseMap<Block *, Value> read;
    Operation *def = value.getDefiningOp();
    Block *home = def ? stateOf(def) : nullptr;
    for (OpOperand &use : llvm::make_early_inc_range(value.getUses())) {
      Block *state = stateOf(use.getOwner());
      if (!state || state == home)
        continue;
      Value &here = read[state];
      if (!here) {
        b.setInsertionPointToStart(state);
        Type type = keptType(value.getType());
        here = load(type, place(slot, bytesOf(type)), zero());
        if (type != value.getType())
          here = arith::IndexCastOp::create(b, loc, value.getType(), here);
      }
      use.set(here);
    }
  }

  //===--- Memory that outlives a state ------------------------------------------------------===//

  /// Allocs that another state sees the content of. With one work-item a program, and in global
  /// memory, they stay as they are.
  SmallVector<mem::AllocOp> lastingAllocs() {
    SmallVector<mem::AllocOp> lasting;
    for (Operation *op : hoisted) {
      auto alloc = dyn_cast<mem::AllocOp>(op);
      if (!alloc || (items == 1 && !alloc.getOwn()) ||
          alloc.getType().getSpace() == mem::Space::Global)
        continue;
      llvm::SmallDenseSet<Block *> users;
      for (Operation *user : mem::usersOf(alloc))
        if (Block *state = stateOf(user))
          users.insert(state);
      if (users.size() > 1 || (alloc.getKeeps() && !users.empty()))
        lasting.push_back(alloc);
    }
    return lasting;
  }

  /// Copies 16 bytes at a time what an item has of its own.
  void copyOwn(mem::AllocOp alloc, int64_t slot, bool save) {
    Type wide = VectorType::get(4, b.getI32Type());
    int64_t bytes = alloc.getBytes();
    for (int64_t at = 0; at < bytes;) {
      Type type = bytes - at >= 16 ? wide : bytes - at >= 4 ? b.getI32Type() : Type(b.getI8Type());
      int64_t size = bytesOf(type);
      // Item after item, so that neighbours write next to each other.
      Value there = place(slot + at * items, size);
      int64_t element = at / mem::elementBytes(type);
      Value index = arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(element));
      Value from = save ? Value(alloc) : there, to = save ? there : Value(alloc);
      store(load(type, from, save ? index : zero()), to, save ? zero() : index);
      at += size;
    }
  }

  /// All items of the program copy what they share.
  void copyShared(mem::AllocOp alloc, int64_t slot, bool save) {
    Type i64 = b.getI64Type(), wide = VectorType::get(4, b.getI32Type());
    auto constant = [&](int64_t value) -> Value {
      return arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(value));
    };
    auto type = mem::PtrType::get(func.getContext(), mem::Space::Global);
    Value there = mem::OffsetOp::create(b, loc, type, mem::MeshMemoryOp::create(b, loc, type),
                                        constant(slot));
    int64_t count = llvm::alignTo(alloc.getBytes(), 16) / 16;
    Value first =
        arith::ExtUIOp::create(b, loc, i64, mem::ItemIdOp::create(b, loc, b.getI32Type()));
    auto loop = scf::ForOp::create(b, loc, first, constant(count), constant(items));
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    Value at = arith::MulIOp::create(b, loc, loop.getInductionVar(), constant(4));
    Value from = save ? Value(alloc) : there, to = save ? there : Value(alloc);
    store(load(wide, from, at), to, at);
  }

  /// Where the first state compares so with 0.
  void copyLasting(arith::CmpIPredicate runs, Value first,
                   ArrayRef<std::pair<mem::AllocOp, int64_t>> lasting, bool save) {
    if (lasting.empty())
      return;
    Value condition = arith::CmpIOp::create(b, loc, runs, first, number(0));
    auto branch = scf::IfOp::create(b, loc, TypeRange(), condition, /*addThenBlock=*/true,
                                    /*addElseBlock=*/false);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(branch.thenBlock());
    bool shares = llvm::any_of(
        lasting, [](auto one) { return one.first.getType().getSpace() == mem::Space::Local; });
    auto meet = [&] {
      if (shares)
        mem::BarrierOp::create(b, loc, mem::Scope::Group, /*local=*/true, /*global=*/false);
    };
    if (save)
      meet();
    for (auto [alloc, slot] : lasting) {
      if (alloc.getType().getSpace() == mem::Space::Local)
        copyShared(alloc, slot, save);
      else
        copyOwn(alloc, slot, save);
    }
    if (!save)
      meet();
    scf::YieldOp::create(b, loc);
  }

  //===--- Assembling ------------------------------------------------------------------------===//

  void assemble(Block &entry) {
    SmallVector<std::pair<mem::AllocOp, int64_t>> lasting;
    for (mem::AllocOp alloc : lastingAllocs()) {
      bool shared = alloc.getType().getSpace() == mem::Space::Local;
      used = llvm::alignTo(used, mem::kBufferAlign);
      lasting.push_back({alloc, used});
      used += llvm::alignTo(alloc.getBytes(), 16) * (shared ? 1 : items);
    }
    loc = func.getLoc();
    // What is left of the source is empty shells, and constants that moved to its front.
    SmallVector<Operation *> shells;
    for (Operation &op : entry.without_terminator())
      if (!hoisted.contains(&op))
        shells.push_back(&op);
    for (Operation *op : llvm::reverse(shells))
      op->erase();
    b.setInsertionPoint(entry.getTerminator());
    Value first = mem::PhaseOp::create(b, loc, b.getI32Type(), placeOffset);
    copyLasting(arith::CmpIPredicate::sgt, first, lasting, /*save=*/false);
    if (chained)
      chainStates(first);
    else
      runStates(first);
    copyLasting(arith::CmpIPredicate::sge, first, lasting, /*save=*/true);
  }

  /// The ops of a state, which end by naming the next one, into `region`.
  void takeState(State &state, Region &region) {
    region.getBlocks().splice(region.end(), func.getBody().getBlocks(), state.block->getIterator());
    b.setInsertionPointToEnd(state.block);
    scf::YieldOp::create(b, loc, state.next);
  }

  /// A turn runs each state that it comes to on its way down; at least one turn is made.
  void chainStates(Value first) {
    Type i32 = b.getI32Type();
    auto loop = scf::WhileOp::create(b, loc, TypeRange(i32), ValueRange(first));
    OpBuilder::InsertionGuard guard(b);
    Block *before = b.createBlock(&loop.getBefore(), {}, {i32}, {loc});
    Value at = before->getArgument(0);
    for (auto [i, state] : llvm::enumerate(states)) {
      Value here = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, at, number(i));
      auto branch = scf::IfOp::create(b, loc, TypeRange(i32), here, /*addThenBlock=*/false,
                                      /*addElseBlock=*/false);
      takeState(state, branch.getThenRegion());
      b.createBlock(&branch.getElseRegion());
      scf::YieldOp::create(b, loc, at);
      b.setInsertionPointAfter(branch);
      at = branch.getResult(0);
    }
    Value runs = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, at, number(kLeave));
    scf::ConditionOp::create(b, loc, runs, at);
    Block *after = b.createBlock(&loop.getAfter(), {}, {i32}, {loc});
    scf::YieldOp::create(b, loc, after->getArguments());
  }

  void runStates(Value first) {
    Type i32 = b.getI32Type();
    auto loop = scf::WhileOp::create(b, loc, TypeRange(i32), ValueRange(first));
    OpBuilder::InsertionGuard guard(b);
    Block *before = b.createBlock(&loop.getBefore(), {}, {i32}, {loc});
    Value runs = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, before->getArgument(0),
                                       number(kLeave));
    scf::ConditionOp::create(b, loc, runs, before->getArguments());
    Block *after = b.createBlock(&loop.getAfter(), {}, {i32}, {loc});
    Value state = arith::IndexCastUIOp::create(b, loc, b.getIndexType(), after->getArgument(0));
    auto numbers = llvm::to_vector(llvm::seq<int64_t>(0, states.size()));
    auto choice =
        scf::IndexSwitchOp::create(b, loc, TypeRange(i32), state, numbers, numbers.size());
    for (auto [i, one] : llvm::enumerate(states)) {
      takeState(one, choice.getCaseRegions()[i]);
    }
    b.createBlock(&choice.getDefaultRegion());
    scf::YieldOp::create(b, loc, number(kLeave));
    b.setInsertionPointToEnd(after);
    scf::YieldOp::create(b, loc, choice.getResults());
  }

  func::FuncOp func;
  const bool chained;
  OpBuilder b;
  Location loc;
  const int64_t items;
  /// In the memory of the program that the mesh reaches.
  const int64_t placeOffset;
  int64_t used;
  SmallVector<State> states;
  unsigned current = 0;
  /// Barriers and what holds them.
  llvm::DenseSet<Operation *> cut;
  llvm::SetVector<Operation *> hoisted;
  llvm::DenseSet<Block *> blocks;
  /// Values that states read from slots, in order.
  llvm::MapVector<Value, int64_t> kept;
  SmallVector<Value> made;
};

struct SplitAtBarriersPass : PassWrapper<SplitAtBarriersPass, OperationPass<func::FuncOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(SplitAtBarriersPass)

  SplitAtBarriersPass() = default;
  SplitAtBarriersPass(const SplitAtBarriersPass &other) : PassWrapper(other) {}

  StringRef getArgument() const override { return "split-at-barriers"; }
  StringRef getDescription() const override {
    return "Kernels of meshes become states that end at their barriers";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<arith::ArithDialect, scf::SCFDialect>();
  }

  void runOnOperation() override {
    if (failed(splitAtBarriers(getOperation(), chained))) {
      getOperation()->emitError("the kernel cannot be split at its barriers: a pointer into local "
                                "memory outlives one, or a loop around one has several blocks");
      signalPassFailure();
    }
  }

  Option<bool> chained{*this, "chained", llvm::cl::desc("States are branches one after the other"),
                       llvm::cl::init(false)};
};

} // namespace

LogicalResult splitAtBarriers(func::FuncOp func, bool chained) {
  return Splitter(func, chained).run();
}

std::unique_ptr<Pass> createSplitAtBarriersPass() {
  return std::make_unique<SplitAtBarriersPass>();
}

} // namespace tritonrt::compiler
