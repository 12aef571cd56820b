// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ops that OpenCL has another way for than a processor: memory of the program, its end and
// stop, a clock, wide products, remainders.
#include "IlEmitter.h"
#include "compiler/dialect/mem/Mem.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace tritonrt::compiler::spirv {

namespace {

IlEmitter &il(cpu::LlvmEmitter &e) { return static_cast<IlEmitter &>(e); }

llvm::Value *emitAlloc(IlEmitter &e, mem::AllocOp op) {
  if (int64_t(op.getOffset()) < 0 ||
      cast<mem::PtrType>(op.getType()).getSpace() == mem::Space::Local) {
    op.emitError("the SPIR-V backend needs scratch memory with a place");
    return nullptr;
  }
  // What registers could hold is a variable of its own, so that the driver may put it there.
  constexpr int64_t kRegisterBytes = 4096;
  if (e.options().scratchSpace == Private && int64_t(op.getBytes()) <= kRegisterBytes)
    return e.variable(llvm::ArrayType::get(e.ir.getInt8Ty(), op.getBytes()), llvm::Align(64));
  return e.ir.CreateConstInBoundsGEP1_64(e.ir.getInt8Ty(), e.scratchMemory(), op.getOffset());
}

/// There is no type of 128 bits.
template <typename OpT> LogicalResult emitWideProduct(cpu::LlvmEmitter &e, OpT op, bool isSigned) {
  llvm::Value *lhs = e.get(op.getLhs()), *rhs = e.get(op.getRhs());
  e.set(op.getLow(), e.ir.CreateMul(lhs, rhs));
  e.set(op.getHigh(), il(e).callBuiltin("mul_hi", lhs->getType(), {lhs, rhs}, isSigned));
  return success();
}

LogicalResult emitExit(cpu::LlvmEmitter &e, mem::ExitOp) {
  e.ir.CreateRetVoid();
  e.ir.SetInsertPoint(e.newBlock("after_exit"));
  return success();
}

LogicalResult emitPollStop(cpu::LlvmEmitter &e, mem::PollStopOp op) {
  llvm::Type *i32 = e.ir.getInt32Ty();
  llvm::Value *words = il(e).stopWords();
  llvm::BasicBlock *giveUp = e.newBlock("give_up"), *goOn = e.newBlock("go_on");
  llvm::Value *word = e.ir.CreateAlignedLoad(i32, words, llvm::Align(4), /*isVolatile=*/true);
  e.ir.CreateCondBr(e.ir.CreateIsNull(word), goOn, giveUp);
  e.ir.SetInsertPoint(giveUp);
  e.ir.CreateAlignedStore(e.ir.getInt32(op.getWait()), e.ir.CreateConstGEP1_64(i32, words, 1),
                          llvm::Align(4));
  e.ir.CreateRetVoid();
  e.ir.SetInsertPoint(goOn);
  return success();
}

/// OpenCL has no clock: each reading is later than the one before.
llvm::Value *emitClock(cpu::LlvmEmitter &e, mem::ClockOp) {
  llvm::AllocaInst *ticks = il(e).variable(e.ir.getInt64Ty(), llvm::Align(8));
  llvm::IRBuilder<>(ticks->getNextNode()).CreateStore(e.ir.getInt64(0), ticks);
  llvm::Value *now = e.ir.CreateAdd(e.ir.CreateLoad(e.ir.getInt64Ty(), ticks), e.ir.getInt64(100));
  e.ir.CreateStore(now, ticks);
  return now;
}

} // namespace

void addBuiltins(cpu::OpTable &table) {
  table.value<mem::AllocOp>(
      [](cpu::LlvmEmitter &e, mem::AllocOp op) { return emitAlloc(il(e), op); });
  table.add<mem::ExitOp>([](cpu::LlvmEmitter &e, mem::ExitOp op) { return emitExit(e, op); });
  table.value<mem::ClockOp>([](cpu::LlvmEmitter &e, mem::ClockOp op) { return emitClock(e, op); });
  table.add<mem::PollStopOp>(
      [](cpu::LlvmEmitter &e, mem::PollStopOp op) { return emitPollStop(e, op); });
  table.add<arith::MulSIExtendedOp>([](cpu::LlvmEmitter &e, arith::MulSIExtendedOp op) {
    return emitWideProduct(e, op, /*isSigned=*/true);
  });
  table.add<arith::MulUIExtendedOp>([](cpu::LlvmEmitter &e, arith::MulUIExtendedOp op) {
    return emitWideProduct(e, op, /*isSigned=*/false);
  });
  table.value<arith::RemFOp>([](cpu::LlvmEmitter &e, arith::RemFOp op) {
    llvm::Value *lhs = e.get(op.getLhs());
    return il(e).callBuiltin("fmod", lhs->getType(), {lhs, e.get(op.getRhs())}, true);
  });
}

} // namespace tritonrt::compiler::spirv
