// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/analysis/Order.h"

#include "compiler/dialect/nests/Nests.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tritonrt::compiler {

namespace {

bool isAtomic(Operation *op) {
  return isa<nests::AtomicRMWOp, nests::AtomicCASOp, tile::AtomicRMWOp, tile::AtomicCASOp,
             tile::AtomicLoadOp, tile::AtomicStoreOp>(op);
}

bool isVolatile(Operation *op) {
  if (auto read = dyn_cast<nests::ReadOp>(op))
    return read.getIsVolatile();
  if (auto write = dyn_cast<nests::WriteOp>(op))
    return write.getIsVolatile();
  if (auto load = dyn_cast<tile::LoadOp>(op))
    return load.getIsVolatile();
  if (auto store = dyn_cast<tile::StoreOp>(op))
    return store.getIsVolatile();
  return false;
}

nests::ViewOp viewOf(Operation *op) {
  for (Value operand : op->getOperands())
    if (isa<nests::ViewType>(operand.getType()))
      return operand.getDefiningOp<nests::ViewOp>();
  return {};
}

/// Triton's atomics are acq_rel unless told otherwise, so the order that an op names says little.
/// They are counters and sums, free to move among other accesses, only in a kernel that never looks
/// at what an atomic gave and waits for nobody.
bool onlyCountsAtomically(Operation *function) {
  WalkResult strict = function->walk([](Operation *op) {
    bool synchronises =
        isa<tile::AtomicCASOp, tile::AtomicLoadOp, tile::AtomicStoreOp, mem::BarrierOp, mem::CallOp,
            mem::MeshBarrierOp, nests::AtomicCASOp>(op) ||
        isVolatile(op);
    if (auto rmw = dyn_cast<tile::AtomicRMWOp>(op))
      synchronises |= rmw.getKind() == mem::AtomicKind::Exch || !rmw.getResult().use_empty();
    if (auto rmw = dyn_cast<nests::AtomicRMWOp>(op))
      synchronises |= rmw.getKind() == mem::AtomicKind::Exch || !rmw.getResult().use_empty();
    return synchronises ? WalkResult::interrupt() : WalkResult::advance();
  });
  return !strict.wasInterrupted();
}

} // namespace

AccessRules::AccessRules(Operation *function, bool disjoint)
    : atomicsAreRelaxed(onlyCountsAtomically(function)), disjoint(disjoint) {}

SmallVector<Access> AccessRules::accessesOf(Operation *top) const {
  SmallVector<Access> accesses;
  top->walk([&](Operation *op) {
    if (auto address = dyn_cast<tile::AddressOp>(op)) {
      Access access;
      access.op = address;
      access.root = address.getRoot();
      access.writes = !isa<tile::LoadOp, tile::AtomicLoadOp>(op);
      access.fence = isVolatile(op) || (isAtomic(op) && !atomicsAreRelaxed);
      accesses.push_back(access);
    } else if (isa<nests::ReadOp, nests::WriteOp, nests::AtomicRMWOp, nests::AtomicCASOp>(op)) {
      Access access;
      access.root = viewOf(op).getRoot();
      access.writes = !isa<nests::ReadOp>(op);
      access.fence = isVolatile(op) || (isAtomic(op) && !atomicsAreRelaxed);
      accesses.push_back(access);
    } else if (!op->hasTrait<OpTrait::HasRecursiveMemoryEffects>() && !isMemoryEffectFree(op)) {
      Access anything;
      anything.writes = anything.fence = true;
      accesses.push_back(anything);
    }
  });
  return accesses;
}

bool AccessRules::conflict(const Access &a, const Access &b) const {
  if (a.fence || b.fence)
    return true;
  if (!a.writes && !b.writes)
    return false;
  // Nothing but what is made from a buffer points into it.
  bool known = a.root != -1 && b.root != -1;
  if (known && (tile::isBufferRoot(a.root) || tile::isBufferRoot(b.root)))
    return a.root == b.root;
  return !disjoint || !known || a.root == b.root;
}

bool AccessRules::runsOnce(nests::NestOp nest) const {
  WalkResult acts = nest->walk(
      [](Operation *op) { return isAtomic(op) ? WalkResult::interrupt() : WalkResult::advance(); });
  SmallVector<Access> accesses = accessesOf(nest);
  return acts.wasInterrupted() || llvm::any_of(accesses, [&](const Access &read) {
           return !read.writes && llvm::any_of(accesses, [&](const Access &write) {
             return write.writes && conflict(read, write);
           });
         });
}

namespace {

bool sameAddressFunction(tile::AddressOp a, tile::AddressOp b) {
  auto shapeOf = [](tile::AddressOp op) {
    auto tensor = dyn_cast<RankedTensorType>(op.getAccessType());
    return tensor ? tensor.getShape() : ArrayRef<int64_t>();
  };
  return a.getBase() == b.getBase() && llvm::equal(a.getStrides(), b.getStrides()) &&
         a.getStaticStrides() == b.getStaticStrides() && a.getUnit() == b.getUnit() &&
         a.getWrapDim() < 0 && b.getWrapDim() < 0 && !a.getOffsets() && !b.getOffsets() &&
         mem::elementBytes(a.getAccessType()) == mem::elementBytes(b.getAccessType()) &&
         shapeOf(a) == shapeOf(b);
}

/// Do different indices always reach different, non-overlapping elements? Mixed radix: with dims
/// ordered by stride, each stride must pass the span of all smaller ones.
bool isInjective(tile::AddressOp op) {
  auto tensor = dyn_cast<RankedTensorType>(op.getAccessType());
  if (!tensor)
    return true;
  SmallVector<std::pair<int64_t, int64_t>> dims; // bytes of a step, size
  for (auto [stride, size] : llvm::zip(op.getStaticStrides(), tensor.getShape())) {
    if (size == 1)
      continue;
    int64_t bytes;
    if (ShapedType::isDynamic(stride) ||
        llvm::MulOverflow(std::abs(stride), int64_t(op.getUnit()), bytes))
      return false;
    dims.emplace_back(bytes, size);
  }
  llvm::sort(dims);
  int64_t span = mem::elementBytes(tensor);
  for (auto [step, size] : dims) {
    int64_t reach;
    if (step < span || llvm::MulOverflow(step, size - 1, reach) ||
        llvm::AddOverflow(span, reach, span))
      return false;
  }
  return true;
}

} // namespace

bool sameInjectiveAddress(const Access &a, const Access &b) {
  return a.op && b.op && !a.fence && !b.fence && a.map == b.map &&
         sameAddressFunction(a.op, b.op) && isInjective(a.op);
}

} // namespace tritonrt::compiler
