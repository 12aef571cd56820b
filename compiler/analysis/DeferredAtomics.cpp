// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/analysis/DeferredAtomics.h"

#include "compiler/analysis/Mapped.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"

#include <algorithm>

using namespace mlir;

namespace tritonrt::compiler {

namespace {

/// Does the order of two such operations on one place not matter, and has doing nothing a value?
bool isCommutative(mem::AtomicKind kind, Type type) {
  using Kind = mem::AtomicKind;
  if (isa<FloatType>(type))
    return (kind == Kind::Add || kind == Kind::FAdd) && (type.isF32() || type.isF64());
  return type.isInteger() && kind != Kind::Exch && kind != Kind::Inc && kind != Kind::Dec &&
         kind != Kind::FAdd;
}

/// May the order of the accesses of a kernel with this op be seen by others, or does it reach
/// memory in other ways than through parameters, or leave out the end of a range?
bool forbidsLateness(Operation *op) {
  if (auto load = dyn_cast<mem::LoadOp>(op))
    return load.getIsVolatile();
  if (auto gather = dyn_cast<mem::GatherOp>(op))
    return gather.getIsVolatile();
  if (auto store = dyn_cast<mem::StoreOp>(op))
    return store.getIsVolatile();
  if (auto scatter = dyn_cast<mem::ScatterOp>(op))
    return scatter.getIsVolatile();
  return isa<mem::AtomicCASOp, mem::AtomicLoadOp, mem::AtomicStoreOp, mem::PollStopOp,
             mem::MeshBarrierOp, mem::MeshMemoryOp, mem::RemoteOp, mem::CallOp, mem::FromIntOp,
             mem::NullOp, mem::ExitOp, mem::PhaseOp>(op);
}

/// How often `op` runs, by what its loops can turn at most: what nothing bounds counts once, so
/// that gathering is chosen only where it is known to pay.
int64_t timesRun(Operation *op) {
  constexpr int64_t kMost = int64_t{1} << 40;
  int64_t times = 1;
  for (auto up = op->getParentOfType<scf::ForOp>(); up; up = up->getParentOfType<scf::ForOp>())
    times = std::min(kMost, times * std::max<int64_t>(mostRounds(up).value_or(1), 1));
  return times;
}

bool dependsOnLoad(Value value) {
  constexpr size_t kMost = 64;
  llvm::SetVector<Value> seen;
  seen.insert(value);
  for (size_t i = 0; i < seen.size() && i < kMost; ++i) {
    Operation *op = seen[i].getDefiningOp();
    if (isa_and_nonnull<mem::LoadOp, mem::GatherOp>(op))
      return true;
    if (op)
      seen.insert(op->operand_begin(), op->operand_end());
  }
  return false;
}

/// Adds `op` to its parameter's record.
bool collect(mem::AtomicRMWOp op, Value root, llvm::SmallVectorImpl<DeferredRoot> &roots) {
  Type type = op.getType();
  int64_t unit = op.getUnit() ? int64_t(*op.getUnit()) : mem::elementBytes(type);
  if (!op->use_empty() || !isCommutative(op.getKind(), type) || unit % mem::elementBytes(type))
    return false;
  auto *known = llvm::find_if(roots, [&](const DeferredRoot &r) { return r.root == root; });
  if (known == roots.end()) {
    roots.push_back({root, op.getKind(), type});
    known = &roots.back();
  }
  known->atomics += timesRun(op);
  known->isScattered |= dependsOnLoad(op.getIndex());
  return known->kind == op.getKind() && known->type == type;
}

} // namespace

llvm::SmallVector<DeferredRoot> deferredAtomics(func::FuncOp kernel) {
  llvm::SmallVector<DeferredRoot> roots;
  llvm::SmallVector<Value> others;
  WalkResult found = kernel.walk([&](Operation *op) {
    if (forbidsLateness(op))
      return WalkResult::interrupt();
    if (isa<mem::OffsetOp>(op))
      return WalkResult::advance();
    for (Value operand : op->getOperands()) {
      auto pointer = dyn_cast<mem::PtrType>(operand.getType());
      if (!pointer || pointer.getSpace() != mem::Space::Global)
        continue;
      Value root = rootOf(operand);
      if (!root || root.getParentBlock() != &kernel.getBody().front())
        return WalkResult::interrupt();
      auto atomic = dyn_cast<mem::AtomicRMWOp>(op);
      if (!atomic)
        others.push_back(root);
      else if (!collect(atomic, root, roots))
        return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  bool isRead = llvm::any_of(
      roots, [&](const DeferredRoot &r) { return llvm::is_contained(others, r.root); });
  if (found.wasInterrupted() || isRead)
    roots.clear();
  return roots;
}

} // namespace tritonrt::compiler
