// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs that talk: what they know of their mesh, and, for launches that look for races, the
// report of every access.
#include "compiler/backends/cpu/LlvmEmitter.h"

#include "compiler/api/kernel_abi.h"
#include "compiler/dialect/mem/Mem.h"

#include "mlir/IR/TypeUtilities.h"

#include <cstddef>

using namespace mlir;

namespace tritonrt::compiler::cpu {

namespace {

/// A field of the program's own mesh record.
llvm::Value *meshField(LlvmEmitter &e, llvm::Type *type, size_t offset) {
  return e.ir.CreateLoad(type, e.ir.CreateConstGEP1_64(e.ir.getInt8Ty(), e.meshRecord(), offset));
}

llvm::Value *emitRemote(LlvmEmitter &e, mem::RemoteOp op) {
  llvm::Type *i32 = e.ir.getInt32Ty(), *i64 = e.ir.getInt64Ty();
  llvm::Value *count = meshField(e, i32, offsetof(trt_cpu_mesh, count));
  llvm::Value *last = e.ir.CreateSub(count, e.ir.getInt32(1));
  llvm::Value *rank = e.ir.CreateBinaryIntrinsic(llvm::Intrinsic::umin, e.get(op.getRank()), last);
  llvm::Value *own = meshField(e, i32, offsetof(trt_cpu_mesh, rank));
  llvm::Value *steps = e.ir.CreateSub(e.ir.CreateZExt(rank, i64), e.ir.CreateZExt(own, i64));
  llvm::Value *stride = meshField(e, i64, offsetof(trt_cpu_mesh, stride));
  llvm::Value *base = e.get(op.getBase()), *bytes = e.ir.CreateMul(steps, stride);
  // A pointer derived from null would be taken to point to no object.
  return isa<llvm::ConstantPointerNull>(base) ? e.ir.CreateIntToPtr(bytes, e.ir.getPtrTy())
                                              : e.ir.CreateGEP(e.ir.getInt8Ty(), base, bytes);
}

/// The runtime comes back when the group has met, or with the op's number to give up.
LogicalResult emitMeshBarrier(LlvmEmitter &e, mem::MeshBarrierOp op) {
  llvm::Type *i32 = e.ir.getInt32Ty(), *ptr = e.ir.getPtrTy();
  llvm::ArrayRef<int32_t> words = op.getGroup();
  llvm::Constant *group = llvm::ConstantDataArray::get(
      e.ir.getContext(),
      llvm::ArrayRef(reinterpret_cast<const uint32_t *>(words.data()), words.size()));
  llvm::Module *module = e.ir.GetInsertBlock()->getModule();
  auto *global = new llvm::GlobalVariable(*module, group->getType(), /*isConstant=*/true,
                                          llvm::GlobalValue::PrivateLinkage, group, "group");
  auto *type = llvm::FunctionType::get(i32, {ptr, ptr, i32}, false);
  llvm::Value *barrier = meshField(e, ptr, offsetof(trt_cpu_mesh, barrier));
  llvm::Value *result =
      e.ir.CreateCall(type, barrier, {e.meshRecord(), global, e.ir.getInt32(op.getNumber())});
  llvm::BasicBlock *giveUp = e.newBlock("give_up"), *goOn = e.newBlock("go_on");
  e.ir.CreateCondBr(e.ir.CreateIsNull(result), goOn, giveUp);
  e.ir.SetInsertPoint(giveUp);
  e.ir.CreateRet(result);
  e.ir.SetInsertPoint(goOn);
  return success();
}

} // namespace

void addMeshOps(OpTable &table) {
  table.value<mem::MeshMemoryOp>([](LlvmEmitter &e, mem::MeshMemoryOp op) {
    return meshField(e, e.ir.getPtrTy(), offsetof(trt_cpu_mesh, memory));
  });
  table.value<mem::RemoteOp>([](LlvmEmitter &e, mem::RemoteOp op) { return emitRemote(e, op); });
  table.add<mem::MeshBarrierOp>(
      [](LlvmEmitter &e, mem::MeshBarrierOp op) { return emitMeshBarrier(e, op); });
}

namespace {

/// What of an op says where it goes.
struct Accessed {
  Value base, index, lanes, mask;
  Type type;
  int64_t unit = 0;
};

template <typename OpT> Accessed accessedBy(OpT op, Type type) {
  Accessed access{op.getBase(), op.getIndex(), Value(), Value(), type, 0};
  access.unit = op.getUnit() ? int64_t(*op.getUnit()) : mem::elementBytes(type);
  if constexpr (requires { op.getLanes(); })
    access.lanes = op.getLanes();
  if constexpr (requires { op.getMask(); })
    access.mask = op.getMask();
  return access;
}

Accessed accessedBy(Operation *op) {
  return llvm::TypeSwitch<Operation *, Accessed>(op)
      .Case<mem::LoadOp, mem::GatherOp, mem::AtomicLoadOp>(
          [](auto o) { return accessedBy(o, o.getResult().getType()); })
      .Case<mem::StoreOp, mem::ScatterOp, mem::AtomicStoreOp, mem::AtomicRMWOp, mem::AtomicCASOp>(
          [](auto o) { return accessedBy(o, o.getValue().getType()); });
}

/// Reports `bytes` bytes from the element at `index` on, if `condition` (null: always) holds.
void report(LlvmEmitter &e, llvm::Value *base, llvm::Value *index, int64_t unit, int64_t bytes,
            int32_t number, llvm::Value *condition) {
  llvm::Type *i64 = e.ir.getInt64Ty(), *i32 = e.ir.getInt32Ty(), *ptr = e.ir.getPtrTy();
  llvm::BasicBlock *join = nullptr;
  if (condition) {
    llvm::BasicBlock *enabled = e.newBlock("reported");
    join = e.newBlock("join");
    e.ir.CreateCondBr(condition, enabled, join);
    e.ir.SetInsertPoint(enabled);
  }
  llvm::Value *distance = e.ir.CreateMul(index, e.ir.getInt64(unit));
  llvm::Value *address =
      e.ir.CreateIntToPtr(e.ir.CreateAdd(e.ir.CreatePtrToInt(base, i64), distance), ptr);
  auto *type = llvm::FunctionType::get(e.ir.getVoidTy(), {ptr, ptr, i64, i32}, false);
  e.ir.CreateCall(type, meshField(e, ptr, offsetof(trt_cpu_mesh, access)),
                  {e.meshRecord(), address, e.ir.getInt64(bytes), e.ir.getInt32(number)});
  if (join) {
    e.ir.CreateBr(join);
    e.ir.SetInsertPoint(join);
  }
}

} // namespace

void recordAccess(LlvmEmitter &e, Operation *op) {
  auto number = op->getAttrOfType<IntegerAttr>(kAccessAttr);
  if (!number)
    return;
  Accessed access = accessedBy(op);
  auto vector = dyn_cast<VectorType>(access.type);
  int64_t bytes = mem::elementBytes(access.type), width = vector ? vector.getNumElements() : 1;
  llvm::Value *base = e.get(access.base), *index = e.get(access.index);
  llvm::Value *mask = access.mask ? e.get(access.mask) : nullptr;
  bool eachLane = access.lanes || (mask && mask->getType()->isVectorTy());
  if (!eachLane)
    return report(e, base, index, access.unit, bytes * width, number.getInt(), mask);
  for (int64_t lane = 0; lane < width; ++lane) {
    auto at = [&](llvm::Value *value) {
      return value->getType()->isVectorTy() ? e.ir.CreateExtractElement(value, lane) : value;
    };
    llvm::Value *place = index;
    llvm::Value *start = base;
    if (access.lanes)
      place = e.ir.CreateAdd(place, e.ir.CreateSExt(at(e.get(access.lanes)), e.ir.getInt64Ty()));
    else
      start = e.ir.CreateGEP(e.ir.getInt8Ty(), base, e.ir.getInt64(lane * bytes));
    report(e, start, place, access.unit, bytes, number.getInt(), mask ? at(mask) : nullptr);
  }
}

void numberAccesses(func::FuncOp kernel) {
  int32_t next = 0;
  Builder b(kernel.getContext());
  kernel.walk([&](Operation *op) {
    if (!isa<mem::LoadOp, mem::GatherOp, mem::StoreOp, mem::ScatterOp, mem::AtomicLoadOp,
             mem::AtomicStoreOp, mem::AtomicRMWOp, mem::AtomicCASOp>(op))
      return;
    // Other memory belongs to the program.
    if (cast<mem::PtrType>(accessedBy(op).base.getType()).getSpace() == mem::Space::Global)
      op->setAttr(kAccessAttr, b.getI32IntegerAttr(++next));
  });
}

} // namespace tritonrt::compiler::cpu
