// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/passes/simt/SimtTiles.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tritonrt::compiler {

namespace {

bool isTensor(Value value) { return isa<RankedTensorType>(value.getType()); }

/// The layout of a result's own bits, given that of its nest.
Layout resultLayout(nests::NestOp nest, unsigned result) {
  Layout points = Layout::of(*nest.getLayout());
  nests::ResultAttr kind = nest.getKind(result);
  ArrayRef<int64_t> removed;
  if (kind.getKind() == nests::Kind::Reduce)
    removed = kind.getDims();
  BitMap kept = keptBits(nest.getDomain(), removed);
  Layout layout;
  layout.item.assign(points.item.size(), Layout::kReplicated);
  for (auto [bit, source] : llvm::enumerate(kept)) {
    int64_t item = points.itemBitOf(source);
    if (item >= 0)
      layout.item[item] = bit;
    else
      layout.loop.push_back(bit);
  }
  return layout;
}

} // namespace

SimtTiles::SimtTiles(func::FuncOp function, const AccessRules &rules) : rules(rules) {
  function.walk([&](Operation *op) {
    for (Value result : op->getResults())
      if (isTensor(result))
        groups.insert(result.getAsOpaquePointer());
    for (Region &region : op->getRegions())
      for (BlockArgument arg : region.getArguments())
        if (isTensor(arg))
          groups.insert(arg.getAsOpaquePointer());
  });
  function.walk([&](Operation *op) { link(op); });
  function.walk([&](nests::NestOp nest) { noteMaker(nest); });
  function.walk([&](Operation *op) {
    for (Value result : op->getResults())
      if (isTensor(result))
        noteReaders(result);
    for (Region &region : op->getRegions())
      for (BlockArgument arg : region.getArguments())
        if (isTensor(arg))
          noteReaders(arg);
  });
}

void SimtTiles::join(ValueRange a, ValueRange b) {
  for (auto [x, y] : llvm::zip_equal(a, b))
    if (isTensor(x))
      groups.unionSets(x.getAsOpaquePointer(), y.getAsOpaquePointer());
}

void SimtTiles::link(Operation *op) {
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    join(loop.getInitArgs(), loop.getRegionIterArgs());
    join(loop.getRegionIterArgs(), loop.getBody()->getTerminator()->getOperands());
    join(loop.getRegionIterArgs(), loop.getResults());
  } else if (auto branch = dyn_cast<scf::IfOp>(op)) {
    if (branch.getNumResults() == 0)
      return;
    join(branch.getResults(), branch.thenBlock()->getTerminator()->getOperands());
    join(branch.getResults(), branch.elseBlock()->getTerminator()->getOperands());
  } else if (auto loop = dyn_cast<scf::WhileOp>(op)) {
    join(loop.getInits(), loop.getBeforeArguments());
    join(loop.getBeforeArguments(), loop.getAfterBody()->getTerminator()->getOperands());
    join(loop.getConditionOp().getArgs(), loop.getAfterArguments());
    join(loop.getAfterArguments(), loop.getResults());
  } else if (auto select = dyn_cast<arith::SelectOp>(op); select && isTensor(select)) {
    join(select.getTrueValue(), select->getResults());
    join(select.getFalseValue(), select->getResults());
  }
}

bool SimtTiles::sitsOut(nests::NestOp nest) const {
  return llvm::is_contained(Layout::of(*nest.getLayout()).item, Layout::kReplicated) &&
         rules.runsOnce(nest);
}

void SimtTiles::noteMaker(nests::NestOp nest) {
  bool sharesResults = sitsOut(nest);
  for (OpResult result : nest->getResults()) {
    if (!isTensor(result))
      continue;
    Layout layout = resultLayout(nest, result.getResultNumber());
    auto [it, first] = made.try_emplace(leader(result), layout);
    if (sharesResults || (!first && !(it->second == layout)))
      local.insert(leader(result));
  }
}

void SimtTiles::noteReaders(Value tile) {
  Key group = leader(tile);
  auto maker = made.find(group);
  // What no nest makes has no items to stay with.
  if (maker == made.end()) {
    local.insert(group);
    return;
  }
  for (Operation *user : tile.getUsers()) {
    if (isa<scf::SCFDialect>(user->getDialect()) || isa<arith::SelectOp>(user))
      continue;
    auto elem = dyn_cast<nests::ElemOp>(user);
    if (!elem || !staysWithItem(maker->second,
                                Layout::of(*elem->getParentOfType<nests::NestOp>().getLayout()),
                                elem.getBits())) {
      local.insert(group);
      return;
    }
  }
}

std::optional<BitMap> SimtTiles::heldBits(Value tile) const {
  Key group = leader(tile);
  auto maker = made.find(group);
  if (maker == made.end() || local.contains(group))
    return std::nullopt;
  return maker->second.loop;
}

} // namespace tritonrt::compiler
