// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Offsets of scratch and local memory. Buffers whose lifetimes do not meet can share bytes. Where
// several work-items use them, sharing may take barriers that nothing else needs: such buffers
// share only what the device has too little of.
#include "compiler/analysis/Trips.h"
#include "compiler/dialect/mem/Mem.h"
#include "compiler/passes/Passes.h"
#include "compiler/passes/simt/Barriers.h"
#include "compiler/passes/storage/PointerSpaces.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tritonrt::compiler {

namespace {

/// Numbers of the first and the last op that may touch a buffer.
struct Lifetime {
  int64_t first = std::numeric_limits<int64_t>::max();
  int64_t last = -1;

  bool meets(const Lifetime &other) const { return first <= other.last && other.first <= last; }
};

struct Buffer {
  mem::AllocOp alloc;
  Lifetime life;
  int64_t bytes = 0;
  int64_t offset = 0;
  /// Its lifetime where only barriers end what happens at once, not every place for one.
  Lifetime strict = {};
  /// Accesses a byte, each as often as the loops around it repeat it.
  double heat = 0;
};

/// Numbers the ops of a function: an op's own range encloses those of the ops in it. Where several
/// work-items share memory, ops between two places where they meet happen at once.
class Numbering {
public:
  using Counts = llvm::function_ref<bool(Operation *)>;
  /// Only the ops for which `counts` holds take numbers of their own.
  Numbering(func::FuncOp function, Counts counts) { number(function, counts); }
  Lifetime of(Operation *op) const { return ranges.lookup(op); }

private:
  void number(Operation *op, Counts counts) {
    bool own = counts(op);
    int64_t first = own ? next++ : next;
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (Operation &inner : block)
          number(&inner, counts);
    ranges[op] = {first, own ? next++ : next};
  }

  llvm::DenseMap<Operation *, Lifetime> ranges;
  int64_t next = 0;
};

/// Accesses and what makes pointers of pointers. Past others the pointer's way is not followed.
bool isFollowed(Operation *op) {
  return isa<mem::OffsetOp, mem::LoadOp, mem::StoreOp, mem::GatherOp, mem::ScatterOp,
             mem::AtomicRMWOp, mem::AtomicCASOp, mem::AtomicLoadOp, mem::AtomicStoreOp>(op);
}

Lifetime lifetimeOf(mem::AllocOp alloc, const Numbering &numbers) {
  llvm::SetVector<Operation *> users = mem::usersOf(alloc);
  if (alloc.getKeeps() && !llvm::all_of(users, isFollowed))
    return numbers.of(alloc->getParentOp());
  Lifetime life;
  for (Operation *user : users) {
    Lifetime own = numbers.of(user);
    life.first = std::min(life.first, own.first);
    life.last = std::max(life.last, own.last);
  }
  // What is used in a loop and outside of it lives as long as the loop. (What is used in a loop
  // alone does not outlive an iteration: values reach the next one only through a buffer that is
  // filled before the loop.) Outer loops may only widen the range further.
  llvm::SetVector<Operation *> loops;
  for (Operation *user : users)
    for (Operation *up = user->getParentOp(); up; up = up->getParentOp())
      if (isa<LoopLikeOpInterface>(up))
        loops.insert(up);
  bool changed = true;
  while (changed) {
    changed = false;
    for (Operation *loop : loops) {
      Lifetime whole = numbers.of(loop);
      bool inside = !alloc.getKeeps() && whole.first < life.first && life.last < whole.last;
      if (inside || (life.first <= whole.first && whole.last <= life.last))
        continue;
      life.first = std::min(life.first, whole.first);
      life.last = std::max(life.last, whole.last);
      changed = true;
    }
  }
  return life;
}

double heatOf(mem::AllocOp alloc, int64_t bytes) {
  double accesses = 0;
  for (Operation *user : mem::usersOf(alloc))
    accesses += isa<mem::OffsetOp>(user) ? 0 : timesOf(user);
  return accesses / double(std::max<int64_t>(bytes, 1));
}

/// Each buffer behind the one before.
int64_t layOut(MutableArrayRef<Buffer> buffers) {
  int64_t offset = 0;
  for (Buffer &buffer : buffers) {
    buffer.alloc.setOffset(offset);
    offset += buffer.bytes;
  }
  return offset;
}

bool isLarger(const Buffer &a, const Buffer &b) { return a.bytes > b.bytes; }

/// The buffer that is missed least where it is: of those that are worth the way, the one with the
/// fewest accesses.
Buffer *coldest(MutableArrayRef<Buffer> buffers) {
  constexpr int64_t kWorth = 8;
  int64_t most = llvm::max_element(buffers, [](const Buffer &a, const Buffer &b) {
                   return a.bytes < b.bytes;
                 })->bytes;
  Buffer *found = nullptr;
  for (Buffer &buffer : buffers)
    if (kWorth * buffer.bytes >= most && (!found || buffer.heat < found->heat))
      found = &buffer;
  return found;
}

using Meets = llvm::function_ref<bool(const Buffer &, const Buffer &)>;

/// Largest buffers first, each at the lowest place that no buffer takes that it `meets`.
int64_t pack(MutableArrayRef<Buffer> buffers, Meets meets) {
  llvm::stable_sort(buffers, isLarger);
  int64_t total = 0;
  for (auto [i, buffer] : llvm::enumerate(buffers)) {
    SmallVector<const Buffer *> others;
    for (const Buffer &other : buffers.take_front(i))
      if (meets(other, buffer))
        others.push_back(&other);
    llvm::sort(others, [](const Buffer *a, const Buffer *b) { return a->offset < b->offset; });
    int64_t offset = 0;
    for (const Buffer *other : others) {
      if (offset + buffer.bytes <= other->offset)
        break;
      offset = std::max(offset, other->offset + other->bytes);
    }
    buffer.offset = offset;
    buffer.alloc.setOffset(offset);
    total = std::max(total, offset + buffer.bytes);
  }
  return total;
}

bool liveTogether(const Buffer &a, const Buffer &b) { return a.life.meets(b.life); }

int64_t pack(MutableArrayRef<Buffer> buffers) { return pack(buffers, liveTogether); }

/// Where local memory is packed for.
struct Unit {
  /// Bytes of a compute unit, which its programs share; 0 = no limit.
  int64_t room = 0;
  /// Programs that a compute unit runs at a time where they take little memory.
  int64_t programs = 1;
  /// No argument that the kernel may write overlaps another one.
  bool disjoint = false;

  int64_t programsOf(int64_t bytes) const {
    return room && bytes ? std::min(programs, room / bytes) : programs;
  }
};

/// Local memory up to here costs nothing.
constexpr int64_t kFreeLocal = 4096;

/// Sharing of bytes takes barriers. Of ways to share more and more, the one with the fewest
/// barriers of those that let the most programs run at a time.
class LocalPacker {
public:
  LocalPacker(func::FuncOp function, MutableArrayRef<Buffer> buffers, const Unit &unit)
      : function(function), buffers(buffers), unit(unit) {}

  int64_t run() {
    int64_t total = layOut(buffers);
    if (total <= kFreeLocal && unit.programsOf(total) > 0)
      return total;
    auto needed = neededBarriers(function, unit.disjoint);
    if (failed(needed))
      return pack(buffers);
    Numbering barriers(
        function, [&](Operation *op) { return isa<mem::BarrierOp>(op) || needed->contains(op); });
    for (Buffer &buffer : buffers)
      buffer.strict = lifetimeOf(buffer.alloc, barriers);
    consider(total, *needed);
    auto behindBarriers = [](const Buffer &a, const Buffer &b) { return a.strict.meets(b.strict); };
    consider(pack(buffers, behindBarriers));
    // Little is saved by small ones.
    int64_t large = total / kLargeShare;
    consider(pack(buffers, [&](const Buffer &a, const Buffer &b) {
      return std::min(a.bytes, b.bytes) >= large ? liveTogether(a, b) : behindBarriers(a, b);
    }));
    consider(pack(buffers));
    for (auto [alloc, offset] : best.offsets)
      alloc.setOffset(offset);
    return best.bytes;
  }

private:
  /// A buffer is large that takes this part of all bytes.
  static constexpr int64_t kLargeShare = 16;

  struct Choice {
    int64_t programs = -1, bytes = 0;
    double barriers = 0;
    SmallVector<std::pair<mem::AllocOp, int64_t>> offsets;
  };

  /// Of the places that the buffers have now.
  void consider(int64_t bytes) {
    if (unit.programsOf(bytes) < best.programs)
      return;
    auto needed = neededBarriers(function, unit.disjoint);
    if (succeeded(needed))
      consider(bytes, *needed);
  }

  void consider(int64_t bytes, const llvm::DenseSet<Operation *> &needed) {
    Choice choice{unit.programsOf(bytes), bytes, 0, {}};
    for (Operation *point : needed)
      choice.barriers += timesOf(point);
    bool better = choice.programs > best.programs || choice.barriers < best.barriers ||
                  (choice.barriers == best.barriers && bytes < best.bytes);
    if (!better)
      return;
    for (Buffer &buffer : buffers)
      choice.offsets.push_back({buffer.alloc, buffer.alloc.getOffset()});
    best = std::move(choice);
  }

  func::FuncOp function;
  MutableArrayRef<Buffer> buffers;
  Unit unit;
  Choice best;
};

struct PackStoragePass : PassWrapper<PackStoragePass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(PackStoragePass)

  PackStoragePass() = default;
  explicit PackStoragePass(const PackStorageOptions &options) {
    localBytes = options.localBytes;
    meshLocalBytes = options.meshLocalBytes;
    ownBytes = options.ownBytes;
    stackBytes = options.stackBytes;
    unitItems = options.unitItems;
    disjoint = options.disjoint;
  }
  PackStoragePass(const PackStoragePass &other) : PassWrapper(other) {}

  StringRef getArgument() const override { return "pack-storage"; }
  StringRef getDescription() const override { return "Gives scratch and local memory its places"; }

  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      Numbering numbers(function, [](Operation *) { return true; });
      Numbering phases(function,
                       [](Operation *op) { return isa<mem::SyncPointOp, mem::BarrierOp>(op); });
      SmallVector<Buffer> scratch, local, own;
      for (auto alloc : llvm::make_early_inc_range(function.getOps<mem::AllocOp>())) {
        if (alloc->use_empty()) {
          alloc.erase();
          continue;
        }
        if (alloc.getOwn()) {
          alloc.setOffset(0);
          int64_t bytes = alloc.getBytes();
          own.push_back({alloc, {}, bytes, 0, {}, heatOf(alloc, bytes)});
          continue;
        }
        bool isLocal = alloc.getType().getSpace() == mem::Space::Local;
        Buffer buffer{alloc, lifetimeOf(alloc, isLocal ? phases : numbers),
                      int64_t(llvm::alignTo(alloc.getBytes(), mem::kBufferAlign)), 0};
        buffer.heat = heatOf(alloc, buffer.bytes);
        (isLocal ? local : scratch).push_back(buffer);
      }
      Builder b(&getContext());
      int64_t scratched = pack(scratch);
      function->setAttr("tritonrt.scratch_bytes", b.getI64IntegerAttr(scratched));
      // The end lays it behind what else the program has there.
      if (stackBytes && scratched > std::max<int64_t>(stackBytes, localBytes) &&
          !function->hasAttr("tritonrt.mesh_bytes"))
        takeGlobal(function, 0);
      if (ownBytes && failed(moveOwn(function, own)))
        return signalPassFailure();
      int64_t room = function->hasAttr("tritonrt.mesh_bytes") ? meshLocalBytes : localBytes;
      int64_t shared = packLocal(function, local, room);
      if (room && shared > room) {
        FailureOr<int64_t> left = moveLocal(function, local);
        if (failed(left))
          return signalPassFailure();
        shared = *left;
      }
      function->setAttr("tritonrt.local_bytes", b.getI64IntegerAttr(shared));
    }
  }

private:
  int64_t packLocal(func::FuncOp function, MutableArrayRef<Buffer> local, int64_t room) {
    Unit unit{room, 1, disjoint};
    auto items = function->getAttrOfType<IntegerAttr>("tritonrt.work_items");
    // How many programs of a mesh share a work-group is the launch's choice.
    bool mesh = function->hasAttr("tritonrt.mesh_bytes") && !function->hasAttr(kSpillsAttr);
    if (mesh) {
      int64_t apart = layOut(local);
      return apart <= kFreeLocal ? apart : pack(local);
    }
    if (items)
      unit.programs = std::max<int64_t>(1, unitItems / items.getInt());
    return LocalPacker(function, local, unit).run();
  }

  static LogicalResult makeGlobal(mem::AllocOp alloc) {
    return retypePointer(alloc, mem::PtrType::get(alloc.getContext(), mem::Space::Global));
  }

  /// Gives the first of `bytes` more bytes of global memory that the program has.
  static int64_t takeGlobal(func::FuncOp function, int64_t bytes) {
    Builder b(function.getContext());
    auto taken = function->getAttrOfType<IntegerAttr>("tritonrt.mesh_bytes");
    if (!taken)
      function->setAttr(kSpillsAttr, b.getUnitAttr());
    int64_t start = llvm::alignTo(taken ? taken.getInt() : 0, mem::kBufferAlign);
    function->setAttr("tritonrt.mesh_bytes", b.getI64IntegerAttr(start + bytes));
    return start;
  }

  /// Until the rest fits what the launch can give. Gives the bytes of the rest.
  FailureOr<int64_t> moveLocal(func::FuncOp function, SmallVector<Buffer> &local) {
    SmallVector<Buffer> moved;
    int64_t left = meshLocalBytes + 1;
    for (; left > meshLocalBytes && !local.empty(); left = pack(local)) {
      Buffer *next = coldest(local);
      moved.push_back(*next);
      local.erase(next);
      if (failed(makeGlobal(moved.back().alloc)))
        return failure();
    }
    int64_t start = takeGlobal(function, pack(moved));
    for (Buffer &buffer : moved)
      buffer.alloc.setOffset(start + buffer.offset);
    return local.empty() ? 0 : packLocal(function, local, meshLocalBytes);
  }

  /// Of an item's part, as of private arrays.
  static constexpr int64_t kItemAlign = 16;

  /// Arrays of the items' own, until the rest fits. Each item has its part behind the ones of the
  /// items before it.
  LogicalResult moveOwn(func::FuncOp function, SmallVector<Buffer> &own) {
    auto attr = function->getAttrOfType<IntegerAttr>("tritonrt.work_items");
    int64_t items = attr ? attr.getInt() : 1, total = 0;
    for (const Buffer &buffer : own)
      total += buffer.bytes;
    while (total > ownBytes) {
      Buffer *next = coldest(own);
      total -= next->bytes;
      if (failed(makeGlobal(next->alloc)))
        return failure();
      int64_t part = llvm::alignTo(next->bytes, kItemAlign);
      next->alloc.setBytes(part);
      next->alloc.setOffset(takeGlobal(function, part * items));
      own.erase(next);
    }
    return success();
  }

  Option<int64_t> localBytes{*this, "local-bytes", llvm::cl::init(0),
                             llvm::cl::desc("Most local memory that a kernel takes")};
  Option<int64_t> meshLocalBytes{*this, "mesh-local-bytes", llvm::cl::init(0),
                                 llvm::cl::desc("Of that, what a launch can give")};
  Option<int64_t> unitItems{*this, "unit-items", llvm::cl::init(0),
                            llvm::cl::desc("Work-items that a compute unit runs at a time")};
  Option<bool> disjoint{*this, "disjoint", llvm::cl::init(false),
                        llvm::cl::desc("No written argument overlaps another one")};
  Option<int64_t> stackBytes{*this, "stack-bytes", llvm::cl::init(0),
                             llvm::cl::desc("Most scratch that does not fit local memory")};
  Option<int64_t> ownBytes{*this, "own-bytes", llvm::cl::init(0),
                           llvm::cl::desc("Most private memory that a work-item takes")};
};

} // namespace

std::unique_ptr<Pass> createPackStoragePass(const PackStorageOptions &options) {
  return std::make_unique<PackStoragePass>(options);
}

} // namespace tritonrt::compiler
