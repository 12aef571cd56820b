// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory, atomics and what a program knows of its launch.
#include "compiler/Fault.h"
#include "compiler/backends/cpu/LlvmEmitter.h"

#include "compiler/api/kernel_abi.h"
#include "compiler/dialect/mem/Mem.h"

#include "llvm/Support/MathExtras.h"

#include <cstddef>
#include <ctime>

using namespace mlir;

namespace tritonrt::compiler::cpu {

namespace {

bool isVector(llvm::Type *type) { return type->isVectorTy(); }

/// What lies in memory: an i1 takes a byte.
llvm::Type *memoryType(LlvmEmitter &e, llvm::Type *type) {
  return type->isIntOrIntVectorTy(1) ? type->getWithNewType(e.ir.getInt8Ty()) : type;
}

llvm::Value *toMemory(LlvmEmitter &e, llvm::Value *value) {
  return e.ir.CreateZExt(value, memoryType(e, value->getType()));
}

llvm::Value *fromMemory(LlvmEmitter &e, llvm::Value *value, llvm::Type *type) {
  return value->getType() == type ? value : e.ir.CreateIsNotNull(value);
}

template <typename OpT> int64_t unitOf(OpT op, Type accessed) {
  return op.getUnit() ? int64_t(*op.getUnit()) : mem::elementBytes(accessed);
}

/// base + unit * index, for an index that is a scalar or a vector. Nothing is promised about
/// staying within an object: the address of a disabled access can be anything.
llvm::Value *offsetBy(LlvmEmitter &e, llvm::Value *base, llvm::Value *index, int64_t unit) {
  bool isScale = unit == 1 || unit == 2 || unit == 4 || unit == 8;
  if (!isScale)
    index = e.ir.CreateMul(
        e.ir.CreateSExt(index, index->getType()->getWithNewBitWidth(64)),
        llvm::ConstantInt::getSigned(index->getType()->getWithNewBitWidth(64), unit));
  if (isa<llvm::ConstantPointerNull>(base)) {
    // An absolute address. A pointer derived from null would be taken to point to no object.
    llvm::Type *i64 = index->getType()->getWithNewBitWidth(64);
    llvm::Value *bytes = e.ir.CreateSExt(index, i64);
    if (isScale)
      bytes = e.ir.CreateMul(bytes, llvm::ConstantInt::get(i64, unit));
    return e.ir.CreateIntToPtr(bytes, i64->getWithNewType(base->getType()));
  }
  return e.ir.CreateGEP(e.ir.getIntNTy(isScale ? 8 * unit : 8), base, index);
}

template <typename OpT> llvm::Value *address(LlvmEmitter &e, OpT op, Type accessed) {
  return offsetBy(e, e.get(op.getBase()), e.get(op.getIndex()), unitOf(op, accessed));
}

/// Addresses of the lanes of a gather or scatter.
template <typename OpT> llvm::Value *addresses(LlvmEmitter &e, OpT op, Type accessed) {
  int64_t unit = unitOf(op, accessed);
  llvm::Value *base = e.get(op.getBase()), *index = e.get(op.getIndex());
  llvm::Value *lanes = e.get(op.getLanes());
  if (!isa<llvm::ConstantPointerNull>(base))
    return offsetBy(e, offsetBy(e, base, index, unit), lanes, unit);
  auto *type = cast<llvm::FixedVectorType>(lanes->getType()->getWithNewBitWidth(64));
  llvm::Value *all = e.ir.CreateVectorSplat(type->getNumElements(), index);
  return offsetBy(e, base, e.ir.CreateAdd(all, e.ir.CreateSExt(lanes, type)), unit);
}

llvm::Align elementAlign(Type accessed) {
  return llvm::Align(llvm::PowerOf2Ceil(mem::elementBytes(accessed)));
}

template <typename OpT> llvm::Align alignOf(OpT op, Type accessed) {
  uint64_t align = op.getAlign();
  return align ? llvm::Align(align & -align) : elementAlign(accessed);
}

/// Runs `body` if `condition` holds; its value, or `other` (both nullptr for a store).
llvm::Value *guarded(LlvmEmitter &e, llvm::Value *condition, llvm::Value *other,
                     llvm::function_ref<llvm::Value *()> body) {
  llvm::BasicBlock *before = e.ir.GetInsertBlock();
  llvm::BasicBlock *then = e.newBlock("enabled"), *join = e.newBlock("join");
  e.ir.CreateCondBr(condition, then, join);
  e.ir.SetInsertPoint(then);
  llvm::Value *value = body();
  e.ir.CreateBr(join);
  llvm::BasicBlock *end = e.ir.GetInsertBlock();
  e.ir.SetInsertPoint(join);
  if (!value)
    return nullptr;
  llvm::PHINode *phi = e.ir.CreatePHI(value->getType(), 2);
  phi->addIncoming(value, end);
  phi->addIncoming(other, before);
  return phi;
}

/// The value that disabled lanes get, as it lies in memory.
template <typename OpT> llvm::Value *otherOf(LlvmEmitter &e, OpT op, llvm::Type *memory) {
  return op.getOther() ? toMemory(e, e.get(op.getOther())) : llvm::Constant::getNullValue(memory);
}

llvm::Value *laneOf(LlvmEmitter &e, llvm::Value *vector, unsigned i) {
  return e.ir.CreateExtractElement(vector, i);
}

/// The address of a lane.
using Place = llvm::function_ref<llvm::Value *(unsigned lane)>;

/// A vector's lanes one by one: LLVM's masked accesses know no volatile, and not every target has
/// any. `mask` may be nullptr.
llvm::Value *loadLanes(LlvmEmitter &e, llvm::Type *type, Place place, llvm::Value *mask,
                       llvm::Value *other, llvm::Align align, bool isVolatile) {
  llvm::Value *result = other;
  unsigned count = cast<llvm::FixedVectorType>(type)->getNumElements();
  for (unsigned i = 0; i < count; ++i) {
    auto load = [&]() -> llvm::Value * {
      return e.ir.CreateAlignedLoad(type->getScalarType(), place(i), align, isVolatile);
    };
    llvm::Value *lane = mask ? guarded(e, laneOf(e, mask, i), laneOf(e, other, i), load) : load();
    result = e.ir.CreateInsertElement(result, lane, i);
  }
  return result;
}

void storeLanes(LlvmEmitter &e, llvm::Value *value, Place place, llvm::Value *mask,
                llvm::Align align, bool isVolatile) {
  unsigned count = cast<llvm::FixedVectorType>(value->getType())->getNumElements();
  for (unsigned i = 0; i < count; ++i) {
    auto store = [&]() -> llvm::Value * {
      e.ir.CreateAlignedStore(laneOf(e, value, i), place(i), align, isVolatile);
      return nullptr;
    };
    if (mask)
      guarded(e, laneOf(e, mask, i), nullptr, store);
    else
      store();
  }
}

/// The address of an element of a gather or scatter.
template <typename OpT>
llvm::Value *laneAddress(LlvmEmitter &e, OpT op, Type accessed, unsigned i) {
  llvm::Type *i64 = e.ir.getInt64Ty();
  llvm::Value *lane = e.ir.CreateSExt(laneOf(e, e.get(op.getLanes()), i), i64);
  return offsetBy(e, e.get(op.getBase()), e.ir.CreateAdd(e.get(op.getIndex()), lane),
                  unitOf(op, accessed));
}

/// Emits `whole` where all lanes are enabled and `lanes` where some are not; the first one's value.
llvm::Value *wholeOrLanes(LlvmEmitter &e, llvm::Value *mask,
                          llvm::function_ref<llvm::Value *()> whole,
                          llvm::function_ref<llvm::Value *()> lanes) {
  llvm::Value *all = laneOf(e, mask, 0);
  for (unsigned i = 1; i < cast<llvm::FixedVectorType>(mask->getType())->getNumElements(); ++i)
    all = e.ir.CreateAnd(all, laneOf(e, mask, i));
  llvm::BasicBlock *then = e.newBlock("all"), *otherwise = e.newBlock("some"),
                   *join = e.newBlock("join");
  e.ir.CreateCondBr(all, then, otherwise);
  llvm::SmallVector<std::pair<llvm::Value *, llvm::BasicBlock *>> ends;
  for (auto [block, emit] : {std::pair(then, whole), std::pair(otherwise, lanes)}) {
    e.ir.SetInsertPoint(block);
    llvm::Value *value = emit();
    ends.push_back({value, e.ir.GetInsertBlock()});
    e.ir.CreateBr(join);
  }
  join->moveAfter(e.ir.GetInsertBlock());
  e.ir.SetInsertPoint(join);
  if (!ends[0].first)
    return nullptr;
  llvm::PHINode *phi = e.ir.CreatePHI(ends[0].first->getType(), 2);
  for (auto [value, end] : ends)
    phi->addIncoming(value, end);
  return phi;
}

llvm::Value *emitLoad(LlvmEmitter &e, mem::LoadOp op) {
  llvm::Type *type = e.convert(op.getType()), *memory = memoryType(e, type);
  llvm::Value *pointer = address(e, op, op.getType());
  llvm::Align align = alignOf(op, op.getType());
  llvm::Value *mask = op.getMask() ? e.get(op.getMask()) : nullptr;
  auto plain = [&] { return e.ir.CreateAlignedLoad(memory, pointer, align, op.getIsVolatile()); };
  llvm::Value *value;
  if (!mask)
    value = plain();
  else if (!isVector(mask->getType()))
    value = guarded(e, mask, otherOf(e, op, memory), plain);
  else if (!op.getIsVolatile() && e.options().hasMasks)
    value = e.ir.CreateMaskedLoad(memory, pointer, align, mask, otherOf(e, op, memory));
  else {
    auto lanes = [&] {
      auto place = [&](unsigned i) {
        return e.ir.CreateConstGEP1_64(memory->getScalarType(), pointer, i);
      };
      return loadLanes(e, memory, place, mask, otherOf(e, op, memory), elementAlign(op.getType()),
                       op.getIsVolatile());
    };
    value = op.getIsVolatile() ? lanes() : wholeOrLanes(e, mask, plain, lanes);
  }
  return fromMemory(e, value, type);
}

LogicalResult emitStore(LlvmEmitter &e, mem::StoreOp op) {
  Type accessed = op.getValue().getType();
  llvm::Value *value = toMemory(e, e.get(op.getValue()));
  llvm::Value *pointer = address(e, op, accessed);
  llvm::Align align = alignOf(op, accessed);
  llvm::Value *mask = op.getMask() ? e.get(op.getMask()) : nullptr;
  auto plain = [&]() -> llvm::Value * {
    e.ir.CreateAlignedStore(value, pointer, align, op.getIsVolatile());
    return nullptr;
  };
  if (e.streaming) {
    llvm::StoreInst *store = e.ir.CreateAlignedStore(value, pointer, llvm::Align(64));
    store->setMetadata(
        llvm::LLVMContext::MD_nontemporal,
        llvm::MDNode::get(e.ir.getContext(), llvm::ConstantAsMetadata::get(e.ir.getInt32(1))));
  } else if (!mask)
    plain();
  else if (!isVector(mask->getType()))
    guarded(e, mask, nullptr, plain);
  else if (!op.getIsVolatile() && e.options().hasMasks)
    e.ir.CreateMaskedStore(value, pointer, align, mask);
  else {
    auto lanes = [&]() -> llvm::Value * {
      auto place = [&](unsigned i) {
        return e.ir.CreateConstGEP1_64(value->getType()->getScalarType(), pointer, i);
      };
      storeLanes(e, value, place, mask, elementAlign(accessed), op.getIsVolatile());
      return nullptr;
    };
    if (op.getIsVolatile())
      lanes();
    else
      wholeOrLanes(e, mask, plain, lanes);
  }
  return success();
}

llvm::Value *emitGather(LlvmEmitter &e, mem::GatherOp op) {
  llvm::Type *type = e.convert(op.getType()), *memory = memoryType(e, type);
  llvm::Value *mask = op.getMask() ? e.get(op.getMask()) : nullptr;
  llvm::Value *other = otherOf(e, op, memory);
  llvm::Align align = elementAlign(op.getType());
  auto place = [&](unsigned i) { return laneAddress(e, op, op.getType(), i); };
  llvm::Value *value =
      op.getIsVolatile() || !e.options().hasMasks
          ? loadLanes(e, memory, place, mask, other, align, op.getIsVolatile())
          : e.ir.CreateMaskedGather(memory, addresses(e, op, op.getType()), align, mask, other);
  return fromMemory(e, value, type);
}

LogicalResult emitScatter(LlvmEmitter &e, mem::ScatterOp op) {
  Type accessed = op.getValue().getType();
  llvm::Value *value = toMemory(e, e.get(op.getValue()));
  llvm::Value *mask = op.getMask() ? e.get(op.getMask()) : nullptr;
  auto place = [&](unsigned i) { return laneAddress(e, op, accessed, i); };
  if (op.getIsVolatile() || !e.options().hasMasks)
    storeLanes(e, value, place, mask, elementAlign(accessed), op.getIsVolatile());
  else
    e.ir.CreateMaskedScatter(value, addresses(e, op, accessed), elementAlign(accessed), mask);
  return success();
}

llvm::AtomicRMWInst::BinOp operation(mem::AtomicKind kind, bool isFloat) {
  using Kind = mem::AtomicKind;
  using BinOp = llvm::AtomicRMWInst;
  switch (kind) {
  case Kind::And:
    return BinOp::And;
  case Kind::Or:
    return BinOp::Or;
  case Kind::Xor:
    return BinOp::Xor;
  case Kind::Add:
    return isFloat ? BinOp::FAdd : BinOp::Add;
  case Kind::FAdd:
    return BinOp::FAdd;
  case Kind::Max:
    return isFloat ? BinOp::FMax : BinOp::Max;
  case Kind::Min:
    return isFloat ? BinOp::FMin : BinOp::Min;
  case Kind::UMax:
    return BinOp::UMax;
  case Kind::UMin:
    return BinOp::UMin;
  case Kind::Exch:
    return BinOp::Xchg;
  case Kind::Inc:
    return BinOp::UIncWrap;
  case Kind::Dec:
    return BinOp::UDecWrap;
  }
  llvm_unreachable("no such operation");
}

/// The type as which a value goes through an atomic that knows integers only.
llvm::Type *bitsType(LlvmEmitter &e, llvm::Type *type) {
  return type->isFloatingPointTy() ? e.ir.getIntNTy(type->getScalarSizeInBits()) : type;
}

/// Atomics have whole bytes of the machine's sizes.
LogicalResult checkAtomic(Operation *op, Type accessed) {
  if (accessed.isIntOrFloat() && !accessed.isInteger(1))
    return success();
  std::string type;
  llvm::raw_string_ostream(type) << accessed;
  return emitFault(op, "the CPU has no atomics on '" + type + "'");
}

llvm::Value *emitAtomicRmw(LlvmEmitter &e, mem::AtomicRMWOp op) {
  if (failed(checkAtomic(op, op.getType())))
    return nullptr;
  bool isFloat = isa<FloatType>(op.getType());
  llvm::AtomicRMWInst::BinOp code = operation(op.getKind(), isFloat);
  bool needsFloat = llvm::AtomicRMWInst::isFPOperation(code);
  if (code != llvm::AtomicRMWInst::Xchg && needsFloat != isFloat) {
    emitFault(op, "an atomic " + mem::stringifyAtomicKind(op.getKind()) +
                      (isFloat ? " on a float" : " on an integer"));
    return nullptr;
  }
  llvm::Value *value = e.get(op.getValue()), *place = address(e, op, op.getType());
  if (e.deferAtomic(op, place))
    return llvm::PoisonValue::get(value->getType());
  return createAtomic(e, op.getKind(), place, value, op.getOrder());
}

llvm::Value *emitAtomicCas(LlvmEmitter &e, mem::AtomicCASOp op) {
  if (failed(checkAtomic(op, op.getType())))
    return nullptr;
  llvm::Type *type = e.convert(op.getType()), *bits = bitsType(e, type);
  llvm::AtomicOrdering order = ordering(op.getOrder());
  llvm::Value *pair = e.ir.CreateAtomicCmpXchg(
      address(e, op, op.getType()), e.ir.CreateBitCast(e.get(op.getCompare()), bits),
      e.ir.CreateBitCast(e.get(op.getValue()), bits), elementAlign(op.getType()), order,
      llvm::AtomicCmpXchgInst::getStrongestFailureOrdering(order), e.options().scope);
  return e.ir.CreateBitCast(e.ir.CreateExtractValue(pair, 0), type);
}

llvm::Value *emitAtomicLoad(LlvmEmitter &e, mem::AtomicLoadOp op) {
  if (failed(checkAtomic(op, op.getType())))
    return nullptr;
  llvm::LoadInst *load = e.ir.CreateAlignedLoad(
      e.convert(op.getType()), address(e, op, op.getType()), elementAlign(op.getType()));
  load->setAtomic(op.getOrder() == mem::Order::Relaxed ? llvm::AtomicOrdering::Monotonic
                                                       : llvm::AtomicOrdering::Acquire,
                  e.options().scope);
  return load;
}

LogicalResult emitAtomicStore(LlvmEmitter &e, mem::AtomicStoreOp op) {
  Type accessed = op.getValue().getType();
  if (failed(checkAtomic(op, accessed)))
    return failure();
  llvm::StoreInst *store = e.ir.CreateAlignedStore(e.get(op.getValue()), address(e, op, accessed),
                                                   elementAlign(accessed));
  store->setAtomic(op.getOrder() == mem::Order::Relaxed ? llvm::AtomicOrdering::Monotonic
                                                        : llvm::AtomicOrdering::Release,
                   e.options().scope);
  return success();
}

LogicalResult emitPollStop(LlvmEmitter &e, mem::PollStopOp op) {
  llvm::BasicBlock *giveUp = e.newBlock("give_up"), *goOn = e.newBlock("go_on");
  llvm::LoadInst *word = e.ir.CreateAlignedLoad(e.ir.getInt32Ty(), e.stopWord(), llvm::Align(4),
                                                /*isVolatile=*/true);
  e.ir.CreateCondBr(e.ir.CreateIsNull(word), goOn, giveUp);
  e.ir.SetInsertPoint(giveUp);
  e.ir.CreateRet(e.ir.getInt32(op.getWait()));
  e.ir.SetInsertPoint(goOn);
  return success();
}

llvm::Value *emitReserve(LlvmEmitter &e, mem::ReserveOp op) {
  llvm::Type *i32 = e.ir.getInt32Ty();
  llvm::Value *header = e.get(op.getReport());
  auto word = [&](size_t offset) {
    return e.ir.CreateConstGEP1_64(e.ir.getInt8Ty(), header, offset);
  };
  auto add = [&](llvm::Value *at, llvm::Value *value) {
    return e.ir.CreateAtomicRMW(llvm::AtomicRMWInst::Add, at, value, llvm::Align(4),
                                llvm::AtomicOrdering::Monotonic, e.options().scope);
  };
  llvm::BasicBlock *tries = e.newBlock("reserve"), *full = e.newBlock("full"),
                   *done = e.newBlock("reserved");
  llvm::Value *size = e.ir.getInt32(op.getUnits());
  llvm::Value *used = word(offsetof(trt_report_header, used));
  llvm::Value *all =
      e.ir.CreateAlignedLoad(i32, word(offsetof(trt_report_header, units)), llvm::Align(4));
  llvm::Value *last = e.ir.CreateSub(all, size);
  // A full buffer is not added to any more, so the sum cannot wrap.
  llvm::LoadInst *now = e.ir.CreateAlignedLoad(i32, used, llvm::Align(4));
  now->setAtomic(llvm::AtomicOrdering::Monotonic, e.options().scope);
  e.ir.CreateCondBr(e.ir.CreateICmpSLE(now, last), tries, full);
  e.ir.SetInsertPoint(tries);
  llvm::Value *place = add(used, size);
  e.ir.CreateCondBr(e.ir.CreateICmpSLE(place, last), done, full);
  e.ir.SetInsertPoint(full);
  add(word(op.getLost()), e.ir.getInt32(1));
  e.ir.CreateBr(done);
  e.ir.SetInsertPoint(done);
  llvm::PHINode *result = e.ir.CreatePHI(i32, 2);
  result->addIncoming(place, tries);
  result->addIncoming(e.ir.getInt32(-1), full);
  return result;
}

llvm::Value *emitClock(LlvmEmitter &e, mem::ClockOp) {
  llvm::Type *i64 = e.ir.getInt64Ty(), *i32 = e.ir.getInt32Ty();
  static_assert(sizeof(timespec) == 16 && sizeof(timespec::tv_sec) == 8);
  auto *time = llvm::StructType::get(i64, i64);
  llvm::BasicBlock &entry = e.ir.GetInsertBlock()->getParent()->getEntryBlock();
  llvm::AllocaInst *now = llvm::IRBuilder<>(&entry, entry.begin()).CreateAlloca(time);
  auto *type = llvm::FunctionType::get(i32, {i32, e.ir.getPtrTy()}, /*isVarArg=*/false);
  llvm::FunctionCallee read =
      e.ir.GetInsertBlock()->getModule()->getOrInsertFunction("clock_gettime", type);
  e.ir.CreateCall(read, {e.ir.getInt32(CLOCK_MONOTONIC), now});
  llvm::Value *seconds = e.ir.CreateLoad(i64, e.ir.CreateStructGEP(time, now, 0));
  llvm::Value *rest = e.ir.CreateLoad(i64, e.ir.CreateStructGEP(time, now, 1));
  return e.ir.CreateAdd(e.ir.CreateMul(seconds, e.ir.getInt64(1000000000)), rest);
}

LogicalResult emitExit(LlvmEmitter &e, mem::ExitOp op) {
  e.ir.CreateRet(e.ir.getInt32(0));
  e.ir.SetInsertPoint(e.newBlock("after_exit"));
  return success();
}

llvm::Value *emitAlloc(LlvmEmitter &e, mem::AllocOp op) {
  if (int64_t(op.getOffset()) < 0 ||
      cast<mem::PtrType>(op.getType()).getSpace() == mem::Space::Local) {
    emitFault(op, "the CPU backend needs scratch memory with a place");
    return nullptr;
  }
  // What registers could hold is a local variable, so that LLVM may put it there.
  constexpr int64_t kRegisterBytes = 4096;
  if (int64_t(op.getBytes()) <= kRegisterBytes) {
    llvm::BasicBlock &entry = e.ir.GetInsertBlock()->getParent()->getEntryBlock();
    llvm::IRBuilder<> before(&entry, entry.begin());
    auto *type = llvm::ArrayType::get(e.ir.getInt8Ty(), op.getBytes());
    llvm::AllocaInst *variable = before.CreateAlloca(type);
    variable->setAlignment(llvm::Align(64));
    return variable;
  }
  return e.ir.CreateConstInBoundsGEP1_64(e.ir.getInt8Ty(), e.scratchBlock(), op.getOffset());
}

void addAtomics(OpTable &table) {
  table.value<mem::AtomicRMWOp>([](LlvmEmitter &e, mem::AtomicRMWOp op) {
    return recordAccess(e, op), emitAtomicRmw(e, op);
  });
  table.value<mem::AtomicCASOp>([](LlvmEmitter &e, mem::AtomicCASOp op) {
    return recordAccess(e, op), emitAtomicCas(e, op);
  });
  table.value<mem::AtomicLoadOp>([](LlvmEmitter &e, mem::AtomicLoadOp op) {
    return recordAccess(e, op), emitAtomicLoad(e, op);
  });
  table.add<mem::AtomicStoreOp>([](LlvmEmitter &e, mem::AtomicStoreOp op) {
    return recordAccess(e, op), emitAtomicStore(e, op);
  });
  // A program is one thread, which sees its own accesses in order.
  table.add<mem::BarrierOp>([](LlvmEmitter &, mem::BarrierOp) { return success(); });
  table.value<mem::ClockOp>([](LlvmEmitter &e, mem::ClockOp op) { return emitClock(e, op); });
  table.value<mem::ReserveOp>([](LlvmEmitter &e, mem::ReserveOp op) { return emitReserve(e, op); });
  table.add<mem::ExitOp>([](LlvmEmitter &e, mem::ExitOp op) { return emitExit(e, op); });
  table.add<mem::PollStopOp>(
      [](LlvmEmitter &e, mem::PollStopOp op) { return emitPollStop(e, op); });
}

} // namespace

llvm::Value *createAtomic(LlvmEmitter &e, mem::AtomicKind kind, llvm::Value *place,
                          llvm::Value *value, mem::Order order) {
  llvm::Type *type = value->getType();
  return e.ir.CreateAtomicRMW(operation(kind, type->isFloatingPointTy()), place, value,
                              llvm::Align(type->getScalarSizeInBits() / 8), ordering(order),
                              e.options().scope);
}

llvm::AtomicOrdering ordering(mem::Order order) {
  switch (order) {
  case mem::Order::Relaxed:
    return llvm::AtomicOrdering::Monotonic;
  case mem::Order::Acquire:
    return llvm::AtomicOrdering::Acquire;
  case mem::Order::Release:
    return llvm::AtomicOrdering::Release;
  case mem::Order::AcqRel:
    return llvm::AtomicOrdering::AcquireRelease;
  }
  llvm_unreachable("no such order");
}

void addMemoryOps(OpTable &table) {
  addAtomics(table);
  table.value<mem::LoadOp>(
      [](LlvmEmitter &e, mem::LoadOp op) { return recordAccess(e, op), emitLoad(e, op); });
  table.add<mem::StoreOp>(
      [](LlvmEmitter &e, mem::StoreOp op) { return recordAccess(e, op), emitStore(e, op); });
  table.value<mem::GatherOp>(
      [](LlvmEmitter &e, mem::GatherOp op) { return recordAccess(e, op), emitGather(e, op); });
  table.add<mem::ScatterOp>(
      [](LlvmEmitter &e, mem::ScatterOp op) { return recordAccess(e, op), emitScatter(e, op); });
  table.value<mem::AllocOp>([](LlvmEmitter &e, mem::AllocOp op) { return emitAlloc(e, op); });
  table.value<mem::ProgramIdOp>(
      [](LlvmEmitter &e, mem::ProgramIdOp op) { return e.programId(op.getAxis()); });
  table.value<mem::NumProgramsOp>(
      [](LlvmEmitter &e, mem::NumProgramsOp op) { return e.numPrograms(op.getAxis()); });
  table.value<mem::NullOp>([](LlvmEmitter &e, mem::NullOp op) -> llvm::Value * {
    return llvm::Constant::getNullValue(e.convert(op.getType()));
  });
  table.value<mem::OffsetOp>([](LlvmEmitter &e, mem::OffsetOp op) {
    return offsetBy(e, e.get(op.getBase()), e.get(op.getBytes()), 1);
  });
  table.value<mem::ToIntOp>([](LlvmEmitter &e, mem::ToIntOp op) {
    return e.ir.CreatePtrToInt(e.get(op.getPtr()), e.ir.getInt64Ty());
  });
  table.value<mem::FromIntOp>([](LlvmEmitter &e, mem::FromIntOp op) {
    return e.ir.CreateIntToPtr(e.get(op.getAddress()), e.convert(op.getType()));
  });
}

} // namespace tritonrt::compiler::cpu
