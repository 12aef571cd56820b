// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/passes/nests/BlockPlan.h"

#include "compiler/dialect/libm/Libm.h"
#include "compiler/dialect/tt/TtOps.h"
#include "compiler/passes/Passes.h"
#include "compiler/passes/nests/NestBody.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace tritonrt::compiler {

namespace {

/// Scalar operations an element, roughly; a value above `kCheap` is kept rather than repeated.
constexpr int kCheap = 8, kFree = 4, kCap = 1000;
/// A split reads its operand at two places: steps of a butterfly that are written into each other
/// double with each step what an element takes.
constexpr int kTwoPlaces = 32;

int ownCost(Operation *op) {
  if (auto load = dyn_cast<tile::LoadOp>(op)) {
    bool wide = !load.getOffsets() && int64_t(load.getWrapDim()) < 0 && !load.getMask() &&
                llvm::is_contained(load.getStaticStrides(), 1);
    return wide ? 2 : 6;
  }
  if (isa<tt::SplatOp, tt::MakeRangeOp, tt::ExpandDimsOp, tt::BroadcastOp, tt::ReshapeOp,
          tt::TransOp, tt::SplitOp, arith::ConstantOp>(op))
    return 0;
  if (isa<arith::DivFOp, arith::RemFOp, arith::DivSIOp, arith::DivUIOp, arith::RemSIOp,
          arith::RemUIOp, tt::GatherOp>(op) ||
      isa<libm::LibmDialect, math::MathDialect>(op->getDialect()))
    return kCheap;
  // Loops.
  if (isa<tt::MapElementwiseOp>(op))
    return kCap;
  return 1;
}

/// Needs its operands as whole tiles, or reads them many times over.
bool needsWhole(Operation *user, Value value, bool manyItems) {
  if (auto gather = dyn_cast<tt::GatherOp>(user))
    return gather.getSrc() == value;
  // A dot reads each element of A once a column and of B once a row. On a strip that is little, and
  // reads of A serve whole vectors. Work-items that share a program read each other's elements.
  if (auto dot = dyn_cast<tt::DotOp>(user)) {
    constexpr int64_t kFewRows = 16;
    ArrayRef<int64_t> shape = cast<RankedTensorType>(dot.getC().getType()).getShape();
    return (manyItems || shape[shape.size() - 2] > kFewRows) &&
           (dot.getA() == value || dot.getB() == value);
  }
  return isa<tt::HistogramOp>(user);
}

/// Read under another shape by `op`'s user.
bool reshapes(Operation *op) {
  return isa<tt::ExpandDimsOp, tt::BroadcastOp, tt::ReshapeOp, tt::TransOp, tt::SplitOp, tt::JoinOp,
             tt::CatOp, tt::GatherOp>(op);
}

} // namespace

void BlockPlan::cost(Operation *op) {
  int total = ownCost(op);
  bool loads = isa<tile::LoadOp>(op);
  bool keeps = loads;
  for (Value operand : op->getOperands()) {
    total += costs.lookup(operand);
    loads |= loaded.contains(operand);
    keeps |= kept.contains(operand);
  }
  keeps &= keepLoads && !reshapes(op) && llvm::none_of(op->getUsers(), reshapes);
  for (Value result : op->getResults()) {
    // A scalar stays where it is, whatever it took to make.
    if (!isa<RankedTensorType>(result.getType()))
      continue;
    costs[result] = std::min(total, kCap);
    if (loads)
      loaded.insert(result);
    if (keeps)
      kept.insert(result);
  }
}

BlockPlan::Roots BlockPlan::rootsOf(Value value) const {
  Roots found;
  auto add = [&](const Roots &more) {
    if (more.first > more.last)
      return;
    found.many |= more.many || (found.first <= found.last && found.first != more.first);
    found.first = std::min(found.first, more.first);
    found.last = std::max(found.last, more.last);
  };
  for (Operation *user : value.getUsers()) {
    Operation *here = block->findAncestorOpInBlock(*user);
    if (!here)
      continue;
    if (here == user && isInlinable(user)) {
      for (Value result : user->getResults())
        add(roots.lookup(result));
    } else {
      unsigned at = position.lookup(here);
      add({at, at, false});
    }
  }
  return found;
}

void BlockPlan::decide(Operation *op, unsigned conflict) {
  unsigned here = position.lookup(op);
  bool isLoad = isa<tile::LoadOp>(op);
  for (Value value : op->getResults()) {
    Roots found = rootsOf(value);
    bool free = !loaded.contains(value) && costs.lookup(value) <= kFree;
    bool tile = false;
    if (!free)
      for (Operation *user : value.getUsers())
        tile |= user->getBlock() != block || needsWhole(user, value, keepLoads) ||
                (isa<tt::SplitOp>(user) && costs.lookup(value) > kTwoPlaces);
    else
      for (Operation *user : value.getUsers())
        tile |= isa<tt::GatherOp>(user) && needsWhole(user, value, keepLoads);
    if (!fuse)
      tile |= !isa<arith::ConstantOp, tt::SplatOp, tt::MakeRangeOp>(op);
    if (isLoad) {
      bool ordered = cast<tile::LoadOp>(op).getIsVolatile() || op->hasAttr(kEarlyAttr);
      tile |= ordered || (found.first <= found.last && found.last > conflict);
    }
    if (tile) {
      tiles.insert(value);
      found = {here, here, false};
    } else if (found.many && (costs.lookup(value) > kCheap || kept.contains(value))) {
      shared.insert(value);
      sharedAt[ops[found.first]].push_back(value);
      found = {found.first, found.first, false};
    }
    roots[value] = found;
  }
}

void BlockPlan::add(Block &planned) {
  block = &planned;
  position.clear();
  ops.clear();
  roots.clear();
  for (Operation &op : planned) {
    position[&op] = ops.size();
    ops.push_back(&op);
    if (isInlinable(&op))
      cost(&op);
  }
  // From the end: the first write after each op, by root; -2 stands for any write at all, -1 for
  // one of unknown root, -3 for a fence.
  constexpr int64_t kAny = -2, kFence = -3;
  DenseMap<int64_t, unsigned> nextWrite;
  auto next = [&](int64_t key) {
    auto it = nextWrite.find(key);
    return it == nextWrite.end() ? ~0u : it->second;
  };
  Access other;
  for (Operation *op : llvm::reverse(ops)) {
    if (isInlinable(op)) {
      unsigned conflict = ~0u;
      if (auto load = dyn_cast<tile::LoadOp>(op)) {
        Access access = rules.accessesOf(op).front();
        other.root = access.root + 1;
        other.writes = true;
        // Do writes to other known arguments matter?
        bool anyRoot = access.root < 0 || rules.conflict(access, other);
        conflict =
            std::min(next(kFence), anyRoot ? next(kAny) : std::min(next(access.root), next(-1)));
      }
      decide(op, conflict);
      continue;
    }
    for (const Access &access : rules.accessesOf(op)) {
      unsigned at = position.lookup(op);
      if (access.fence)
        nextWrite[kFence] = at;
      if (access.writes) {
        nextWrite[access.root] = at;
        nextWrite[kAny] = at;
      }
    }
  }
}

llvm::ArrayRef<Value> BlockPlan::sharedIn(Operation *root) const {
  auto it = sharedAt.find(root);
  return it == sharedAt.end() ? llvm::ArrayRef<Value>() : llvm::ArrayRef(it->second);
}

} // namespace tritonrt::compiler
