// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/dialect/nests/Nests.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tritonrt::nests;

#include "compiler/dialect/nests/NestsDialect.cpp.inc"
#include "compiler/dialect/nests/NestsEnums.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "compiler/dialect/nests/NestsTypes.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "compiler/dialect/nests/NestsAttrs.cpp.inc"
#define GET_OP_CLASSES
#include "compiler/dialect/nests/NestsOps.cpp.inc"

void NestsDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "compiler/dialect/nests/NestsTypes.cpp.inc"
      >();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "compiler/dialect/nests/NestsAttrs.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "compiler/dialect/nests/NestsOps.cpp.inc"
      >();
}

static Value boundOf(OperandRange bounds, ArrayRef<int64_t> boxDims, int64_t d) {
  const auto *it = llvm::find(boxDims, d);
  return it == boxDims.end() ? Value() : bounds[it - boxDims.begin()];
}

Value NestOp::getLoOf(int64_t d) { return boundOf(getLo(), getBoxDims(), d); }
Value NestOp::getHiOf(int64_t d) { return boundOf(getHi(), getBoxDims(), d); }

/// The type of a result of `kind` made from body values of `element` over `domain`.
static Type resultType(ResultAttr kind, ArrayRef<int64_t> domain, Type element) {
  SmallVector<int64_t> shape;
  for (auto [d, size] : llvm::enumerate(domain))
    if (kind.getKind() != Kind::Reduce || !llvm::is_contained(kind.getDims(), int64_t(d)))
      shape.push_back(size);
  return shape.empty() ? element : RankedTensorType::get(shape, element);
}

LogicalResult NestOp::verify() {
  for (int64_t size : getDomain())
    if (size <= 0 || !llvm::isPowerOf2_64(size))
      return emitOpError("domain sizes must be powers of two");
  if (getLo().size() != getBoxDims().size() || getHi().size() != getBoxDims().size())
    return emitOpError("needs one lower and one upper bound for each boxed dimension");
  auto yield = dyn_cast<YieldOp>(getBodyBlock().getTerminator());
  if (!yield || yield.getValues().size() != getNumResults() || getKinds().size() != getNumResults())
    return emitOpError("needs one kind and one yielded value a result");
  if (getDead().size() != getCombines().size())
    return emitOpError("needs one dead rule a combine region");
  SmallVector<SmallVector<Type>> groups(getCombines().size());
  for (auto [i, value] : llvm::enumerate(yield.getValues())) {
    ResultAttr kind = getKind(i);
    if (getResult(i).getType() != resultType(kind, getDomain(), value.getType()))
      return emitOpError("result ") << i << " does not have the type that its kind asks for";
    if (kind.getKind() == Kind::Tile)
      continue;
    if (kind.getGroup() < 0 || kind.getGroup() >= int64_t(groups.size()))
      return emitOpError("result ") << i << " names no combine region";
    groups[kind.getGroup()].push_back(value.getType());
  }
  size_t deadValues = 0;
  for (auto [group, types, region] : llvm::enumerate(groups, getCombines())) {
    SmallVector<Type> twice(types);
    twice.append(types);
    if (region.getArgumentTypes() != TypeRange(twice))
      return emitOpError("combine region ") << group << " needs two arguments an operand";
    if (getDeadKind(group) != Dead::None)
      deadValues += types.size();
  }
  if (deadValues != getDeadValues().size())
    return emitOpError("needs one dead value for each operand of a shortened reduction");
  return success();
}

namespace {
using Effects = SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>;
} // namespace

void ReadOp::getEffects(Effects &effects) {
  effects.emplace_back(MemoryEffects::Read::get());
  if (getIsVolatile())
    effects.emplace_back(MemoryEffects::Write::get());
}
void WriteOp::getEffects(Effects &effects) {
  effects.emplace_back(MemoryEffects::Write::get());
  if (getIsVolatile())
    effects.emplace_back(MemoryEffects::Read::get());
}
