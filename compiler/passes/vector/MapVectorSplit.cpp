// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/analysis/Bits.h"
#include "compiler/analysis/Order.h"
#include "compiler/passes/vector/MapVector.h"

using namespace mlir;

namespace tritonrt::compiler::mapvector {

namespace {

bool inIndexOrder(nests::NestOp nest) {
  return llvm::any_of(nest.getBodyBlock(), [](Operation &op) {
    return isa<nests::AtomicRMWOp, nests::AtomicCASOp>(op);
  });
}

/// Do the loops of `kind`, kept dims outside and its own inside, walk the domain in index order?
bool walksInOrder(nests::ResultAttr kind, int64_t rank) {
  int64_t first = rank - int64_t(kind.getDims().size());
  for (auto [i, d] : llvm::enumerate(kind.getDims()))
    if (d != first + int64_t(i))
      return false;
  return !kind.getReverse();
}

/// Can groups of these two kinds be made in the same loops?
bool agree(nests::ResultAttr a, nests::ResultAttr b) {
  return a.getDims() == b.getDims() && a.getReverse() == b.getReverse();
}

/// Makes tiles of the results in `moved` and reduces or scans them in a nest after `nest`.
void moveOut(nests::NestOp nest, const llvm::SmallBitVector &moved) {
  OpBuilder b(nest);
  MLIRContext *context = nest.getContext();
  ArrayRef<int64_t> domain = nest.getDomain();
  auto yield = cast<nests::YieldOp>(nest.getBodyBlock().getTerminator());

  SmallVector<Type> firstTypes, secondTypes;
  SmallVector<Attribute> firstKinds, secondKinds;
  SmallVector<int32_t> firstDead, secondDead;
  SmallVector<Value> firstDeadValues, secondDeadValues;
  SmallVector<Region *> firstCombines, secondCombines;
  SmallVector<int64_t> number(nest.getCombines().size());
  for (auto [g, group] : llvm::enumerate(groupsOf(nest))) {
    bool away = moved[group.results.front()];
    auto &combines = away ? secondCombines : firstCombines;
    number[g] = combines.size();
    combines.push_back(group.combine);
    (away ? secondDead : firstDead).push_back(int32_t(group.dead));
    llvm::append_range(away ? secondDeadValues : firstDeadValues, group.deadValues);
  }
  for (unsigned i = 0; i < nest.getNumResults(); ++i) {
    nests::ResultAttr kind = nest.getKind(i);
    if (kind.getKind() != nests::Kind::Tile)
      kind = nests::ResultAttr::get(context, kind.getKind(), kind.getDims(), kind.getReverse(),
                                    number[kind.getGroup()]);
    Type type = nest.getResult(i).getType();
    if (moved[i]) {
      secondTypes.push_back(type);
      secondKinds.push_back(kind);
      kind = nests::ResultAttr::get(context, nests::Kind::Tile, {}, false, -1);
      type = RankedTensorType::get(domain, yield.getValues()[i].getType());
    }
    firstTypes.push_back(type);
    firstKinds.push_back(kind);
  }

  auto make = [&](TypeRange types, ValueRange deadValues, ArrayRef<Attribute> kinds,
                  ArrayRef<int32_t> dead, ArrayRef<Region *> combines) {
    auto made = nests::NestOp::create(b, nest.getLoc(), types, nest.getLo(), nest.getHi(),
                                      deadValues, domain, nest.getBoxDims(), b.getArrayAttr(kinds),
                                      dead, nest.getLayoutAttr(), combines.size());
    for (auto [to, from] : llvm::zip_equal(made.getCombines(), combines))
      to.takeBody(*from);
    return made;
  };
  nests::NestOp first = make(firstTypes, firstDeadValues, firstKinds, firstDead, firstCombines);
  first.getBody().takeBody(nest.getBody());
  nests::NestOp second =
      make(secondTypes, secondDeadValues, secondKinds, secondDead, secondCombines);

  b.createBlock(&second.getBody());
  SmallVector<Value> elements;
  unsigned next = 0;
  BitMap identity = identityBits(numBits(domain));
  for (unsigned i = 0; i < nest.getNumResults(); ++i) {
    if (!moved[i]) {
      nest.getResult(i).replaceAllUsesWith(first.getResult(i));
      continue;
    }
    Value tile = first.getResult(i);
    Type element = cast<RankedTensorType>(tile.getType()).getElementType();
    elements.push_back(nests::ElemOp::create(b, nest.getLoc(), element, tile, identity));
    nest.getResult(i).replaceAllUsesWith(second.getResult(next++));
  }
  nests::YieldOp::create(b, nest.getLoc(), elements);
  nest.erase();
}

/// The results that cannot be made in the loops of the first group of all.
llvm::SmallBitVector disagreeing(nests::NestOp nest) {
  llvm::SmallBitVector moved(nest.getNumResults());
  nests::ResultAttr leader;
  bool ordered = inIndexOrder(nest);
  for (unsigned i = 0; i < nest.getNumResults(); ++i) {
    nests::ResultAttr kind = nest.getKind(i);
    if (kind.getKind() == nests::Kind::Tile)
      continue;
    bool inOrder = !ordered || walksInOrder(kind, nest.getDomain().size());
    if (inOrder && !leader)
      leader = kind;
    else if (!inOrder || !agree(leader, kind))
      moved.set(i);
  }
  return moved;
}

/// Fewer points than work-items, so that some items do what others do.
bool repeats(nests::NestOp nest, int64_t itemBits) { return numBits(nest.getDomain()) < itemBits; }

/// All results but tiles.
llvm::SmallBitVector combined(nests::NestOp nest) {
  llvm::SmallBitVector moved(nest.getNumResults());
  for (unsigned i = 0; i < nest.getNumResults(); ++i)
    moved[i] = nest.getKind(i).getKind() != nests::Kind::Tile;
  return moved;
}

} // namespace

void splitNests(func::FuncOp function, int64_t itemBits, bool disjoint) {
  AccessRules rules(function, disjoint);
  SmallVector<nests::NestOp> todo;
  function.walk([&](nests::NestOp nest) { todo.push_back(nest); });
  while (!todo.empty()) {
    nests::NestOp nest = todo.pop_back_val();
    bool alone = repeats(nest, itemBits) && rules.runsOnce(nest);
    llvm::SmallBitVector moved = alone ? combined(nest) : disagreeing(nest);
    if (moved.none())
      continue;
    Operation *after = nest->getNextNode();
    moveOut(nest, moved);
    todo.push_back(cast<nests::NestOp>(after->getPrevNode()));
  }
}

} // namespace tritonrt::compiler::mapvector
