// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/passes/simt/Guard.h"

#include "compiler/dialect/mem/Mem.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace tritonrt::compiler {

Value zeroValue(OpBuilder &b, Location loc, Type type) {
  if (isa<mem::PtrType>(type))
    return mem::NullOp::create(b, loc, type);
  return arith::ConstantOp::create(b, loc, type, b.getZeroAttr(type));
}

scf::IfOp guardOps(OpBuilder &b, ArrayRef<Operation *> all, Value taken, Operation *before) {
  SmallVector<Operation *> ops;
  for (Operation *op : all) {
    if (op->hasTrait<OpTrait::ConstantLike>())
      op->moveBefore(before);
    else
      ops.push_back(op);
  }
  if (ops.empty())
    return {};
  if (llvm::all_of(ops, [](Operation *op) { return op->getNumRegions() == 0 && isPure(op); })) {
    for (Operation *op : ops)
      op->moveBefore(before);
    return {};
  }
  llvm::SmallPtrSet<Operation *, 16> inside(ops.begin(), ops.end());
  Block *block = ops.front()->getBlock();
  auto isOutside = [&](Operation *user) {
    return !inside.contains(block->findAncestorOpInBlock(*user));
  };
  SmallVector<Value> leaving;
  for (Operation *op : ops)
    for (Value result : op->getResults())
      if (llvm::any_of(result.getUsers(), isOutside))
        leaving.push_back(result);
  Location loc = ops.front()->getLoc();
  b.setInsertionPoint(before);
  auto branch = scf::IfOp::create(b, loc, ValueRange(leaving).getTypes(), taken,
                                  /*withElseRegion=*/!leaving.empty());
  for (auto [value, result] : llvm::zip_equal(leaving, branch.getResults()))
    value.replaceUsesWithIf(result, [&](OpOperand &use) { return isOutside(use.getOwner()); });
  if (leaving.empty()) {
    for (Operation *op : ops)
      op->moveBefore(branch.thenBlock()->getTerminator());
    return branch;
  }
  for (Operation *op : ops)
    op->moveBefore(branch.thenBlock(), branch.thenBlock()->end());
  b.setInsertionPointToEnd(branch.thenBlock());
  scf::YieldOp::create(b, loc, leaving);
  b.setInsertionPointToEnd(branch.elseBlock());
  SmallVector<Value> zeros;
  for (Value value : leaving)
    zeros.push_back(zeroValue(b, loc, value.getType()));
  scf::YieldOp::create(b, loc, zeros);
  return branch;
}

} // namespace tritonrt::compiler
