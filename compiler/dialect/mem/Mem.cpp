// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/dialect/mem/Mem.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tritonrt::mem;

#include "compiler/dialect/mem/MemDialect.cpp.inc"
#include "compiler/dialect/mem/MemEnums.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "compiler/dialect/mem/MemTypes.cpp.inc"
#define GET_OP_CLASSES
#include "compiler/dialect/mem/MemOps.cpp.inc"

void MemDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "compiler/dialect/mem/MemTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "compiler/dialect/mem/MemOps.cpp.inc"
      >();
}

int64_t tritonrt::mem::elementBytes(Type type) {
  type = getElementTypeOrSelf(type);
  if (isa<PtrType>(type))
    return 8;
  return (type.getIntOrFloatBitWidth() + 7) / 8;
}

Value tritonrt::mem::originOf(Value pointer) {
  while (auto offset = pointer.getDefiningOp<OffsetOp>())
    pointer = offset.getBase();
  return pointer;
}

llvm::SetVector<Operation *> tritonrt::mem::usersOf(Value pointer) {
  llvm::SetVector<Operation *> users;
  SmallVector<Value> pointers{pointer};
  while (!pointers.empty())
    for (Operation *user : pointers.pop_back_val().getUsers())
      if (users.insert(user))
        for (Value result : user->getResults())
          if (isa<PtrType>(result.getType()))
            pointers.push_back(result);
  return users;
}

namespace {

using Effects = SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>;

void addRead(bool isVolatile, Effects &effects) {
  effects.emplace_back(MemoryEffects::Read::get());
  // A volatile access is neither merged, repeated nor dropped.
  if (isVolatile)
    effects.emplace_back(MemoryEffects::Write::get());
}

void addWrite(bool isVolatile, Effects &effects) {
  effects.emplace_back(MemoryEffects::Write::get());
  if (isVolatile)
    effects.emplace_back(MemoryEffects::Read::get());
}

} // namespace

void LoadOp::getEffects(Effects &effects) { addRead(getIsVolatile(), effects); }
void GatherOp::getEffects(Effects &effects) { addRead(getIsVolatile(), effects); }
void StoreOp::getEffects(Effects &effects) { addWrite(getIsVolatile(), effects); }
void ScatterOp::getEffects(Effects &effects) { addWrite(getIsVolatile(), effects); }
