// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Math. What the target has an instruction for becomes that; what the expansions left becomes a
// call of the C library a lane.
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

/// Name of the C function of an op: the mnemonic in most cases.
llvm::StringRef symbolOf(Operation *op) {
  if (isa<math::PowFOp>(op))
    return "pow";
  return op->getName().stripDialect();
}

template <typename... OpTs> void addCalls(OpTable &table) {
  (table.value<OpTs>([](LlvmEmitter &e, OpTs op) -> llvm::Value * {
    llvm::Type *element = e.convert(op.getType())->getScalarType();
    if (!element->isFloatTy() && !element->isDoubleTy()) {
      op.emitError("the CPU's math library has no ") << symbolOf(op) << " of " << op.getType();
      return nullptr;
    }
    return e.callPerLane((symbolOf(op) + (element->isFloatTy() ? "f" : "")).str(), operands(e, op));
  }),
   ...);
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

llvm::Value *emitIntegerPower(LlvmEmitter &e, math::FPowIOp op) {
  llvm::Type *type = e.convert(op.getType());
  bool isFloat = type->getScalarType()->isFloatTy();
  return e.callPerLane(isFloat ? "powf" : "pow",
                       {e.get(op.getLhs()), e.ir.CreateSIToFP(e.get(op.getRhs()), type)});
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
  table.value<math::RsqrtOp>([](LlvmEmitter &e, math::RsqrtOp op) {
    llvm::Value *root =
        e.intrinsic(llvm::Intrinsic::sqrt, {e.convert(op.getType())}, {e.get(op.getOperand())});
    return e.ir.CreateFDiv(llvm::ConstantFP::get(root->getType(), 1.0), root);
  });
  table.add<LLVM::CallIntrinsicOp>([](LlvmEmitter &e, LLVM::CallIntrinsicOp op) -> LogicalResult {
    if (op.getIntrin() != "llvm.ldexp")
      return op.emitError("the CPU backend cannot emit '") << op.getIntrin() << "'";
    e.set(op->getResult(0), emitScale(e, op));
    return success();
  });
  table.value<math::FPowIOp>(
      [](LlvmEmitter &e, math::FPowIOp op) { return emitIntegerPower(e, op); });
  addClassification<math::IsNaNOp, llvm::fcNan>(table);
  addClassification<math::IsInfOp, llvm::fcInf>(table);
  addClassification<math::IsFiniteOp, llvm::fcFinite>(table);
  addClassification<math::IsNormalOp, llvm::fcNormal>(table);
  addCalls<math::AcosOp, math::AcoshOp, math::AsinOp, math::AsinhOp, math::AtanOp, math::Atan2Op,
           math::AtanhOp, math::CbrtOp, math::CosOp, math::CoshOp, math::ErfOp, math::ErfcOp,
           math::ExpOp, math::Exp2Op, math::ExpM1Op, math::LogOp, math::Log10Op, math::Log1pOp,
           math::Log2Op, math::PowFOp, math::SinOp, math::SinhOp, math::TanOp, math::TanhOp>(table);
}

} // namespace tritonrt::compiler::cpu
