// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/analysis/Streaming.h"

#include "compiler/analysis/Linear.h"
#include "compiler/analysis/Mapped.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace tritonrt::compiler {

namespace {

constexpr int64_t kLine = 64;

/// Does the address move by whole lines, starting with the loop's base?
bool movesByLines(mem::StoreOp store, scf::ForOp loop) {
  int64_t element = mem::elementBytes(store.getValue().getType());
  int64_t unit = store.getUnit() ? int64_t(*store.getUnit()) : element;
  std::optional<int64_t> step = constantOf(loop.getStep());
  if (!step || *step * unit % kLine != 0)
    return false;
  Value index = store.getIndex();
  if (auto sum = index.getDefiningOp<arith::AddIOp>()) {
    std::optional<int64_t> ahead = constantOf(sum.getRhs());
    if (!ahead || *ahead * unit % kLine != 0)
      return false;
    index = sum.getLhs();
  }
  return index == loop.getInductionVar() &&
         !loop->isAncestor(store.getBase().getParentBlock()->getParentOp());
}

bool isOneLine(mem::StoreOp store) {
  auto type = dyn_cast<VectorType>(store.getValue().getType());
  return type && type.getNumElements() * mem::elementBytes(type) == kLine && !store.getMask() &&
         !store.getIsVolatile();
}

} // namespace

Streaming::Streaming(func::FuncOp kernel) : kernel(kernel) {
  kernel.walk([&](Operation *op) {
    // Who waits for a flag must find what was written before it: such stores are not ordered so.
    if (isa<mem::AtomicRMWOp, mem::AtomicCASOp, mem::AtomicLoadOp, mem::AtomicStoreOp,
            mem::PollStopOp, mem::MeshBarrierOp>(op))
      synchronizes = true;
    if (auto store = dyn_cast<mem::StoreOp>(op))
      synchronizes |= store.getIsVolatile();
    // Of the ops that reach memory, those that only write do not count.
    if (isa<mem::StoreOp, mem::ScatterOp, mem::AtomicStoreOp, mem::OffsetOp>(op))
      return;
    for (Value operand : op->getOperands()) {
      auto type = dyn_cast<mem::PtrType>(operand.getType());
      if (!type || type.getSpace() != mem::Space::Global)
        continue;
      if (Value root = rootOf(operand))
        readRoots.insert(root);
      else
        readsUnknown = true;
    }
  });
}

bool Streaming::isWrittenOnly(Value base) const {
  Value root = rootOf(base);
  return root && !readsUnknown && !synchronizes && !readRoots.contains(root) &&
         root.getParentBlock()->getParentOp() == kernel &&
         cast<mem::PtrType>(root.getType()).getSpace() == mem::Space::Global;
}

StreamedLoop Streaming::analyze(scf::ForOp loop) const {
  StreamedLoop result;
  if (loop.getNumResults() || loop->hasAttr(mem::kRareAttr))
    return result;
  for (Operation &op : *loop.getBody()) {
    if (op.getNumRegions())
      return {};
    auto store = dyn_cast<mem::StoreOp>(op);
    if (!store)
      continue;
    if (!isOneLine(store) || !isWrittenOnly(store.getBase()) || !movesByLines(store, loop))
      return {};
    result.stores.push_back(store);
  }
  int64_t rounds = 1;
  for (Operation *up = loop; up != kernel; up = up->getParentOp()) {
    if (isa<scf::IfOp>(up))
      continue;
    auto around = dyn_cast<scf::ForOp>(up);
    if (!around)
      return {};
    std::optional<int64_t> most = mostRounds(around);
    if (!most)
      return {};
    rounds = std::min<int64_t>(rounds * *most, int64_t{1} << 40);
  }
  result.bytes = rounds * kLine * int64_t(result.stores.size());
  return result;
}

} // namespace tritonrt::compiler
