// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Barriers where items meet, and nowhere else. The mapping leaves sync points: all items pass each
// of them together, and accesses between two points do not depend on each other. A point becomes a
// barrier if an access after it may meet one that is pending, that is, one that stands before it
// with no barrier in between on some way through the loops and branches.
#include "compiler/Fault.h"
#include "compiler/analysis/Holds.h"
#include "compiler/analysis/Order.h"
#include "compiler/passes/Passes.h"
#include "compiler/passes/simt/Barriers.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tritonrt::compiler {

namespace {

/// Bytes of what a program's items share that an access may touch: those of its buffer, in local
/// memory or, where that was too small, in global.
struct LocalAccess {
  int64_t first, end;
  bool writes;
  bool isGlobal;

  bool conflicts(const LocalAccess &other) const {
    return isGlobal == other.isGlobal && (writes || other.writes) && first < other.end &&
           other.first < end;
  }
  bool operator==(const LocalAccess &) const = default;
};

/// Accesses that no barrier has ordered yet.
struct Pending {
  SmallVector<LocalAccess> local;
  SmallVector<Access> global;

  void add(const LocalAccess &access) {
    if (!llvm::is_contained(local, access))
      local.push_back(access);
  }
  void add(const Access &access) {
    bool known = llvm::any_of(global, [&](const Access &other) {
      return other.root == access.root && other.writes == access.writes &&
             other.fence == access.fence;
    });
    if (!known)
      global.push_back(access);
  }
  void merge(const Pending &other) {
    for (const LocalAccess &access : other.local)
      add(access);
    for (const Access &access : other.global)
      add(access);
  }
  /// A barrier for one kind of memory has been passed.
  void order(bool isGlobal) {
    llvm::erase_if(local, [&](const LocalAccess &access) { return access.isGlobal == isGlobal; });
    if (isGlobal)
      global.clear();
  }
  size_t size() const { return local.size() + global.size(); }
};

/// What is known where the walk stands.
struct State {
  /// Before the last point, and since then.
  Pending before, since;
  mem::SyncPointOp point;
};

enum Flags : unsigned { kNone = 0, kLocal = 1, kGlobal = 2 };

bool hasPoints(Operation *op) {
  return op->getNumRegions() && holds<mem::SyncPointOp, mem::BarrierOp>(op);
}

/// The buffer of all items behind an address.
mem::AllocOp bufferOf(Value base) {
  auto alloc = mem::originOf(base).getDefiningOp<mem::AllocOp>();
  bool shared = alloc && !alloc.getOwn() && alloc.getType().getSpace() != mem::Space::Scratch;
  return shared ? alloc : mem::AllocOp();
}

class Placer {
public:
  explicit Placer(const AccessRules &rules) : rules(rules) {}

  /// Finds what each point has to order. The access that needs a barrier where none can stand, or
  /// null.
  Operation *analyse(func::FuncOp function);
  unsigned flagsOf(mem::SyncPointOp point) const { return flags.lookup(point); }

private:
  void block(Block &block, State &state);
  void access(Operation *op, State &state);
  void pass(mem::SyncPointOp point, State &state);
  void need(State &state, Flags kind);
  void nested(Operation *op, State &state);
  void loop(State &state, llvm::function_ref<void(State &)> body);

  const AccessRules &rules;
  DenseMap<Operation *, unsigned> flags;
  bool changed = false;
  Operation *stuck = nullptr;
};

/// All that happened so far, as seen from a new point on.
void join(State &state, const State &other) {
  state.before.merge(other.before);
  state.before.merge(other.since);
}

State afterRegion(const State &from) {
  State state;
  join(state, from);
  return state;
}

void Placer::need(State &state, Flags kind) {
  if (!state.point)
    return;
  unsigned &known = flags[state.point];
  changed |= !(known & kind);
  known |= kind;
  state.before.order(kind == kGlobal);
}

void Placer::pass(mem::SyncPointOp point, State &state) {
  state.before.merge(state.since);
  state.since = {};
  state.point = point;
  unsigned known = flags.lookup(point);
  if (known & kLocal)
    state.before.order(/*isGlobal=*/false);
  if (known & kGlobal)
    state.before.order(/*isGlobal=*/true);
  ArrayRef<int64_t> list = point.getAccesses();
  for (; list.size() >= 3; list = list.drop_front(3)) {
    Access access;
    access.root = list[0];
    access.writes = list[1];
    access.fence = list[2];
    if (llvm::any_of(state.before.global,
                     [&](const Access &theirs) { return rules.conflict(theirs, access); }))
      need(state, kGlobal);
    state.since.add(access);
  }
}

void Placer::access(Operation *op, State &state) {
  for (Value operand : op->getOperands()) {
    auto buffer = isa<mem::PtrType>(operand.getType()) ? bufferOf(operand) : mem::AllocOp();
    if (!buffer || isa<mem::OffsetOp>(op))
      continue;
    int64_t first = buffer.getOffset();
    LocalAccess own{first, first + int64_t(buffer.getBytes()), !isa<mem::LoadOp, mem::GatherOp>(op),
                    buffer.getType().getSpace() == mem::Space::Global};
    if (llvm::any_of(state.before.local,
                     [&](const LocalAccess &theirs) { return own.conflicts(theirs); })) {
      if (!state.point)
        stuck = op;
      need(state, own.isGlobal ? kGlobal : kLocal);
    }
    state.since.add(own);
  }
}

/// A body that runs any number of times, to a fixed point: what is pending at its end is pending at
/// its start.
void Placer::loop(State &state, llvm::function_ref<void(State &)> body) {
  State start = afterRegion(state);
  while (true) {
    size_t size = start.before.size();
    bool changedBefore = std::exchange(changed, false);
    State end = start;
    body(end);
    join(start, end);
    bool again = changed || start.before.size() != size;
    changed |= changedBefore;
    if (!again)
      break;
  }
  state = start;
}

void Placer::nested(Operation *op, State &state) {
  if (auto loopOp = dyn_cast<scf::WhileOp>(op)) {
    State left;
    loop(state, [&](State &inside) {
      block(*loopOp.getBeforeBody(), inside);
      State exit = afterRegion(inside);
      join(left, exit);
      inside = exit;
      block(*loopOp.getAfterBody(), inside);
    });
    join(state, left);
    return;
  }
  if (isa<LoopLikeOpInterface>(op)) {
    loop(state, [&](State &inside) { block(op->getRegion(0).front(), inside); });
    return;
  }
  State entry = afterRegion(state), after;
  bool maySkip = false;
  for (Region &region : op->getRegions()) {
    if (region.empty()) {
      maySkip = true;
      continue;
    }
    State side = entry;
    block(region.front(), side);
    join(after, side);
  }
  if (maySkip)
    join(after, entry);
  state = after;
}

void Placer::block(Block &block, State &state) {
  for (Operation &op : block) {
    if (auto point = dyn_cast<mem::SyncPointOp>(op)) {
      pass(point, state);
    } else if (isa<mem::BarrierOp>(op)) {
      state = {};
    } else if (hasPoints(&op)) {
      nested(&op, state);
    } else {
      op.walk([&](Operation *inner) { access(inner, state); });
    }
  }
}

Operation *Placer::analyse(func::FuncOp function) {
  State state;
  block(function.getBody().front(), state);
  return stuck;
}

LogicalResult placeBarriers(func::FuncOp function, const AccessRules &rules) {
  Placer placer(rules);
  if (Operation *stuck = placer.analyse(function))
    return emitFault(stuck, "no place for a barrier before this access");
  function.walk([&](mem::SyncPointOp point) {
    if (unsigned kind = placer.flagsOf(point)) {
      OpBuilder b(point);
      mem::BarrierOp::create(b, point.getLoc(), mem::Scope::Group, (kind & kLocal) != 0,
                             (kind & kGlobal) != 0);
    }
    point.erase();
  });
  return success();
}

struct PlaceBarriersPass : PassWrapper<PlaceBarriersPass, OperationPass<func::FuncOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(PlaceBarriersPass)

  PlaceBarriersPass() = default;
  explicit PlaceBarriersPass(bool isDisjoint) { disjoint = isDisjoint; }
  PlaceBarriersPass(const PlaceBarriersPass &other) : PassWrapper(other) {}

  StringRef getArgument() const override { return "place-barriers"; }
  StringRef getDescription() const override {
    return "Barriers where work-items' accesses meet, and nowhere else";
  }
  void runOnOperation() override {
    AccessRules rules(getOperation(), disjoint);
    if (failed(placeBarriers(getOperation(), rules)))
      signalPassFailure();
  }

  Option<bool> disjoint{*this, "disjoint", llvm::cl::init(false),
                        llvm::cl::desc("No written argument overlaps another one")};
};

} // namespace

FailureOr<llvm::DenseSet<Operation *>> neededBarriers(func::FuncOp function, bool disjoint) {
  AccessRules rules(function, disjoint);
  Placer placer(rules);
  if (placer.analyse(function))
    return failure();
  llvm::DenseSet<Operation *> needed;
  function.walk([&](mem::SyncPointOp point) {
    if (placer.flagsOf(point))
      needed.insert(point);
  });
  return needed;
}

std::unique_ptr<Pass> createPlaceBarriersPass(bool disjoint) {
  return std::make_unique<PlaceBarriersPass>(disjoint);
}

} // namespace tritonrt::compiler
