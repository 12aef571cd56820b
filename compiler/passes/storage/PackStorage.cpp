// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Offsets of scratch and local memory. Buffers whose lifetimes do not meet share bytes.
#include "compiler/dialect/mem/Mem.h"
#include "compiler/passes/Passes.h"
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
};

/// Numbers the ops of a function: an op's own range encloses those of the ops in it. Where several
/// work-items share memory, ops between two places where they meet happen at once.
class Numbering {
public:
  Numbering(func::FuncOp function, bool shared) : shared(shared) { number(function); }
  Lifetime of(Operation *op) const { return ranges.lookup(op); }

private:
  void number(Operation *op) {
    bool counts = !shared || isa<mem::SyncPointOp, mem::BarrierOp>(op);
    int64_t first = counts ? next++ : next;
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (Operation &inner : block)
          number(&inner);
    ranges[op] = {first, counts ? next++ : next};
  }

  bool shared;

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

/// Local memory up to here costs nothing, and buffers with bytes of their own need fewer barriers.
constexpr int64_t kFreeLocal = 4096;

/// Each buffer behind the one before, if there is room for that.
bool laidOut(MutableArrayRef<Buffer> buffers, int64_t room, int64_t &total) {
  total = 0;
  for (const Buffer &buffer : buffers)
    total += buffer.bytes;
  if (total > room)
    return false;
  int64_t offset = 0;
  for (Buffer &buffer : buffers) {
    buffer.alloc.setOffset(offset);
    offset += buffer.bytes;
  }
  return true;
}

bool isLarger(const Buffer &a, const Buffer &b) { return a.bytes > b.bytes; }

/// Largest buffers first, each at the lowest place that no buffer of an overlapping life takes.
int64_t pack(MutableArrayRef<Buffer> buffers) {
  llvm::stable_sort(buffers, isLarger);
  int64_t total = 0;
  for (auto [i, buffer] : llvm::enumerate(buffers)) {
    SmallVector<const Buffer *> others;
    for (const Buffer &other : buffers.take_front(i))
      if (other.life.meets(buffer.life))
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

int64_t packLocal(MutableArrayRef<Buffer> buffers) {
  int64_t total = 0;
  return laidOut(buffers, kFreeLocal, total) ? total : pack(buffers);
}

struct PackStoragePass : PassWrapper<PackStoragePass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(PackStoragePass)

  PackStoragePass() = default;
  explicit PackStoragePass(int64_t limit) { localBytes = limit; }
  PackStoragePass(const PackStoragePass &other) : PassWrapper(other) {}

  StringRef getArgument() const override { return "pack-storage"; }
  StringRef getDescription() const override { return "Gives scratch and local memory its places"; }

  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      Numbering numbers(function, false), phases(function, true);
      SmallVector<Buffer> scratch, local;
      for (auto alloc : llvm::make_early_inc_range(function.getOps<mem::AllocOp>())) {
        if (alloc->use_empty()) {
          alloc.erase();
          continue;
        }
        if (alloc.getOwn()) {
          alloc.setOffset(0);
          continue;
        }
        bool isLocal = alloc.getType().getSpace() == mem::Space::Local;
        Buffer buffer{alloc, lifetimeOf(alloc, isLocal ? phases : numbers),
                      int64_t(llvm::alignTo(alloc.getBytes(), mem::kBufferAlign)), 0};
        (isLocal ? local : scratch).push_back(buffer);
      }
      Builder b(&getContext());
      function->setAttr("tritonrt.scratch_bytes", b.getI64IntegerAttr(pack(scratch)));
      int64_t shared = packLocal(local);
      if (localBytes && shared > localBytes && function->hasAttr("tritonrt.mesh_bytes")) {
        FailureOr<int64_t> left = moveToMesh(function, local);
        if (failed(left))
          return signalPassFailure();
        shared = *left;
      }
      function->setAttr("tritonrt.local_bytes", b.getI64IntegerAttr(shared));
    }
  }

private:
  /// Until the rest fits. Gives the bytes of the rest.
  FailureOr<int64_t> moveToMesh(func::FuncOp function, SmallVector<Buffer> &local) {
    Builder b(&getContext());
    auto mesh = function->getAttrOfType<IntegerAttr>("tritonrt.mesh_bytes");
    SmallVector<Buffer> moved;
    int64_t left = localBytes + 1;
    for (llvm::stable_sort(local, isLarger); left > localBytes && !local.empty();
         left = packLocal(local), llvm::stable_sort(local, isLarger)) {
      moved.push_back(local.front());
      local.erase(local.begin());
      auto global = mem::PtrType::get(&getContext(), mem::Space::Global);
      if (failed(retypePointer(moved.back().alloc, global)))
        return failure();
    }
    int64_t start = llvm::alignTo(mesh.getInt(), mem::kBufferAlign), bytes = pack(moved);
    for (Buffer &buffer : moved)
      buffer.alloc.setOffset(start + buffer.offset);
    function->setAttr("tritonrt.mesh_bytes", b.getI64IntegerAttr(start + bytes));
    return local.empty() ? 0 : left;
  }

  Option<int64_t> localBytes{*this, "local-bytes", llvm::cl::init(0),
                             llvm::cl::desc("Most local memory that a kernel of meshes takes")};
};

} // namespace

std::unique_ptr<Pass> createPackStoragePass(int64_t localBytes) {
  return std::make_unique<PackStoragePass>(localBytes);
}

} // namespace tritonrt::compiler
