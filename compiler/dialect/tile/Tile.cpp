// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/dialect/tile/Tile.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace tritonrt::tile;

#include "compiler/dialect/tile/TileDialect.cpp.inc"
#include "compiler/dialect/tile/TileInterfaces.cpp.inc"

#define GET_OP_CLASSES
#include "compiler/dialect/tile/TileOps.cpp.inc"

void TileDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "compiler/dialect/tile/TileOps.cpp.inc"
      >();
}

static LogicalResult verifyAddress(AddressOp op) {
  auto tensor = dyn_cast<RankedTensorType>(op.getAccessType());
  int64_t rank = tensor ? tensor.getRank() : 0;
  if (static_cast<int64_t>(op.getStaticStrides().size()) != rank)
    return op->emitOpError("needs one static stride a dimension");
  if (llvm::count(op.getStaticStrides(), ShapedType::kDynamic) !=
      static_cast<int64_t>(op.getStrides().size()))
    return op->emitOpError("needs one stride operand for each dynamic stride");
  if (op.getLo().size() != op.getBoxDims().size() || op.getHi().size() != op.getBoxDims().size())
    return op->emitOpError("needs one lower and one upper bound for each boxed dimension");
  for (auto [i, d] : llvm::enumerate(op.getBoxDims()))
    if (d < 0 || d >= rank || (i && op.getBoxDims()[i - 1] >= d))
      return op->emitOpError("boxed dimensions must increase within the rank");
  bool wraps = op.getWrapDim() >= 0;
  if (op.getWrapDim() >= rank || wraps != static_cast<bool>(op.getWrapStart()) ||
      wraps != static_cast<bool>(op.getWrapSize()))
    return op->emitOpError("a wrapped dimension needs a start and a size");
  if (Value offsets = op.getOffsets()) {
    auto type = cast<RankedTensorType>(offsets.getType());
    if (type.getRank() != rank)
      return op->emitOpError("offsets must have the rank of the access");
    for (auto [have, want] : llvm::zip(type.getShape(), tensor.getShape()))
      if (have != want && have != 1)
        return op->emitOpError("offsets must have the access's dimensions or 1");
  }
  if (op.getUnit() <= 0)
    return op->emitOpError("unit must be positive");
  return success();
}

namespace {
using Effects = SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>;

void readAndWrite(Effects &effects) {
  effects.emplace_back(MemoryEffects::Read::get());
  effects.emplace_back(MemoryEffects::Write::get());
}
} // namespace

Type LoadOp::getAccessType() { return getResult().getType(); }
Type StoreOp::getAccessType() { return getValue().getType(); }
Type AtomicRMWOp::getAccessType() { return getValue().getType(); }
Type AtomicCASOp::getAccessType() { return getValue().getType(); }
Type AtomicLoadOp::getAccessType() { return getResult().getType(); }
Type AtomicStoreOp::getAccessType() { return getValue().getType(); }

LogicalResult LoadOp::verify() { return verifyAddress(*this); }
LogicalResult StoreOp::verify() { return verifyAddress(*this); }
LogicalResult AtomicRMWOp::verify() { return verifyAddress(*this); }
LogicalResult AtomicCASOp::verify() { return verifyAddress(*this); }
LogicalResult AtomicLoadOp::verify() { return verifyAddress(*this); }
LogicalResult AtomicStoreOp::verify() { return verifyAddress(*this); }

void LoadOp::getEffects(Effects &effects) {
  effects.emplace_back(MemoryEffects::Read::get());
  if (getIsVolatile())
    effects.emplace_back(MemoryEffects::Write::get());
}
void StoreOp::getEffects(Effects &effects) {
  effects.emplace_back(MemoryEffects::Write::get());
  if (getIsVolatile())
    effects.emplace_back(MemoryEffects::Read::get());
}
void AtomicRMWOp::getEffects(Effects &effects) { readAndWrite(effects); }
void AtomicCASOp::getEffects(Effects &effects) { readAndWrite(effects); }
void AtomicLoadOp::getEffects(Effects &effects) { readAndWrite(effects); }
void AtomicStoreOp::getEffects(Effects &effects) { readAndWrite(effects); }
