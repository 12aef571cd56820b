// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products of pairs. The instructions for bf16 add to a sum, so a product that one addition takes
// is emitted with it.
#include "compiler/backends/cpu/LlvmEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/IR/IntrinsicsX86.h"

using namespace mlir;

namespace tritonrt::compiler::cpu {

namespace {

/// The addition that takes all of a product, or null.
arith::AddFOp sumOf(mem::PairProductOp op) {
  return op->hasOneUse() ? dyn_cast<arith::AddFOp>(*op->user_begin()) : arith::AddFOp();
}

unsigned lanesOf(llvm::Type *type) {
  auto *vector = dyn_cast<llvm::FixedVectorType>(type);
  return vector ? vector->getNumElements() : 1;
}

/// The operands as vectors of halves of a type.
llvm::Value *halves(LlvmEmitter &e, Value words, llvm::Type *half) {
  llvm::Value *value = e.get(words);
  return e.ir.CreateBitCast(value, llvm::FixedVectorType::get(half, 2 * lanesOf(value->getType())));
}

llvm::Value *emitFloats(LlvmEmitter &e, mem::PairProductOp op, llvm::Value *sum) {
  llvm::Intrinsic::ID id = llvm::Intrinsic::not_intrinsic;
  switch (e.options().hasBf16Pairs ? lanesOf(sum->getType()) : 0) {
  case 16:
    id = llvm::Intrinsic::x86_avx512bf16_dpbf16ps_512;
    break;
  case 8:
    id = llvm::Intrinsic::x86_avx512bf16_dpbf16ps_256;
    break;
  case 4:
    id = llvm::Intrinsic::x86_avx512bf16_dpbf16ps_128;
    break;
  }
  if (id != llvm::Intrinsic::not_intrinsic) {
    llvm::Type *half = e.ir.getBFloatTy();
    return e.intrinsic(id, {}, {sum, halves(e, op.getLhs(), half), halves(e, op.getRhs(), half)});
  }
  llvm::Type *bits = sum->getType()->getWithNewType(e.ir.getInt32Ty());
  auto number = [&](Value words, bool isHigh) {
    llvm::Value *word = e.ir.CreateBitCast(e.get(words), bits);
    word = isHigh ? e.ir.CreateAnd(word, llvm::ConstantInt::get(bits, 0xffff0000u))
                  : e.ir.CreateShl(word, llvm::ConstantInt::get(bits, 16));
    return e.ir.CreateBitCast(word, sum->getType());
  };
  for (bool isHigh : {false, true}) {
    llvm::Value *product =
        e.ir.CreateFMul(number(op.getLhs(), isHigh), number(op.getRhs(), isHigh));
    sum = e.ir.CreateFAdd(sum, product);
  }
  return sum;
}

llvm::Value *emitIntegers(LlvmEmitter &e, mem::PairProductOp op) {
  llvm::Type *type = e.convert(op.getType());
  llvm::Intrinsic::ID id = llvm::Intrinsic::not_intrinsic;
  switch (lanesOf(type)) {
  case 16:
    id = e.options().hasAvx512 ? llvm::Intrinsic::x86_avx512_pmaddw_d_512 : id;
    break;
  case 8:
    id = e.options().vectorBits >= 256 ? llvm::Intrinsic::x86_avx2_pmadd_wd : id;
    break;
  case 4:
    id = llvm::Intrinsic::x86_sse2_pmadd_wd;
    break;
  }
  if (id != llvm::Intrinsic::not_intrinsic) {
    llvm::Type *half = e.ir.getInt16Ty();
    return e.intrinsic(id, {}, {halves(e, op.getLhs(), half), halves(e, op.getRhs(), half)});
  }
  llvm::Constant *shift = llvm::ConstantInt::get(type, 16);
  auto number = [&](Value words, bool isHigh) {
    llvm::Value *word = e.get(words);
    return e.ir.CreateAShr(isHigh ? word : e.ir.CreateShl(word, shift), shift);
  };
  llvm::Value *products[2];
  for (bool isHigh : {false, true})
    products[isHigh] = e.ir.CreateMul(number(op.getLhs(), isHigh), number(op.getRhs(), isHigh));
  return e.ir.CreateAdd(products[0], products[1]);
}

} // namespace

llvm::Value *addedProduct(LlvmEmitter &e, arith::AddFOp op) {
  for (unsigned i : {0, 1})
    if (auto product = op->getOperand(i).getDefiningOp<mem::PairProductOp>())
      if (sumOf(product) == op)
        return emitFloats(e, product, e.get(op->getOperand(1 - i)));
  return nullptr;
}

void addProductOps(OpTable &table) {
  table.value<mem::PairProductOp>([](LlvmEmitter &e, mem::PairProductOp op) -> llvm::Value * {
    llvm::Type *type = e.convert(op.getType());
    if (!type->isFPOrFPVectorTy())
      return emitIntegers(e, op);
    return sumOf(op) ? llvm::PoisonValue::get(type)
                     : emitFloats(e, op, llvm::Constant::getNullValue(type));
  });
}

} // namespace tritonrt::compiler::cpu
