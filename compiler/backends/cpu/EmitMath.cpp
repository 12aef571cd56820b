// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Math: what the target has an instruction for. Functions are expanded before.
#include "compiler/Fault.h"
#include "compiler/backends/cpu/LlvmEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/IR/IntrinsicsX86.h"

using namespace mlir;

namespace tritonrt::compiler::cpu {

namespace {

llvm::SmallVector<llvm::Value *> operands(LlvmEmitter &e, Operation *op) {
  return llvm::map_to_vector(op->getOperands(), [&](Value value) { return e.get(value); });
}

template <typename OpT, llvm::Intrinsic::ID id> void addIntrinsic(OpTable &table) {
  table.value<OpT>([](LlvmEmitter &e, OpT op) {
    return e.intrinsic(id, {e.convert(op.getType())}, operands(e, op));
  });
}

template <typename OpT, unsigned mask> void addClassification(OpTable &table) {
  table.value<OpT>(
      [](LlvmEmitter &e, OpT op) { return e.ir.createIsFPClass(e.get(op.getOperand()), mask); });
}

/// x * 2^n. The exponent comes from a float that holds an integer; AVX-512's instruction takes it
/// as that.
llvm::Value *emitScale(LlvmEmitter &e, LLVM::CallIntrinsicOp op) {
  Value exponent = op.getArgs()[1];
  llvm::Value *number = e.get(op.getArgs()[0]);
  auto *vector = dyn_cast<llvm::FixedVectorType>(number->getType());
  auto fromFloat = exponent.getDefiningOp<arith::FPToSIOp>();
  if (vector && vector->getNumElements() == 16 && fromFloat && e.options().hasAvx512)
    return e.intrinsic(llvm::Intrinsic::x86_avx512_mask_scalef_ps_512, {},
                       {number, e.get(fromFloat.getIn()), number, e.ir.getInt16(-1),
                        e.ir.getInt32(/*current rounding mode*/ 4)});
  return e.intrinsic(llvm::Intrinsic::ldexp, {number->getType(), e.get(exponent)->getType()},
                     {number, e.get(exponent)});
}

} // namespace

void addMathOps(OpTable &table) {
  addIntrinsic<math::AbsFOp, llvm::Intrinsic::fabs>(table);
  addIntrinsic<math::CeilOp, llvm::Intrinsic::ceil>(table);
  addIntrinsic<math::FloorOp, llvm::Intrinsic::floor>(table);
  addIntrinsic<math::TruncOp, llvm::Intrinsic::trunc>(table);
  addIntrinsic<math::RoundOp, llvm::Intrinsic::round>(table);
  addIntrinsic<math::RoundEvenOp, llvm::Intrinsic::roundeven>(table);
  addIntrinsic<math::SqrtOp, llvm::Intrinsic::sqrt>(table);
  addIntrinsic<math::FmaOp, llvm::Intrinsic::fma>(table);
  addIntrinsic<math::CopySignOp, llvm::Intrinsic::copysign>(table);
  addIntrinsic<math::CtPopOp, llvm::Intrinsic::ctpop>(table);
  table.value<math::AbsIOp>([](LlvmEmitter &e, math::AbsIOp op) {
    return e.intrinsic(llvm::Intrinsic::abs, {e.convert(op.getType())},
                       {e.get(op.getOperand()), e.ir.getFalse()});
  });
  table.value<math::CountLeadingZerosOp>([](LlvmEmitter &e, math::CountLeadingZerosOp op) {
    return e.intrinsic(llvm::Intrinsic::ctlz, {e.convert(op.getType())},
                       {e.get(op.getOperand()), e.ir.getFalse()});
  });
  table.value<math::CountTrailingZerosOp>([](LlvmEmitter &e, math::CountTrailingZerosOp op) {
    return e.intrinsic(llvm::Intrinsic::cttz, {e.convert(op.getType())},
                       {e.get(op.getOperand()), e.ir.getFalse()});
  });
  table.add<LLVM::CallIntrinsicOp>([](LlvmEmitter &e, LLVM::CallIntrinsicOp op) -> LogicalResult {
    if (op.getIntrin() != "llvm.ldexp")
      return emitFault(op, "the CPU backend cannot emit '" + op.getIntrin() + "'");
    e.set(op->getResult(0), emitScale(e, op));
    return success();
  });
  addClassification<math::IsNaNOp, llvm::fcNan>(table);
  addClassification<math::IsInfOp, llvm::fcInf>(table);
  addClassification<math::IsFiniteOp, llvm::fcFinite>(table);
  addClassification<math::IsNormalOp, llvm::fcNormal>(table);
}

} // namespace tritonrt::compiler::cpu
