// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arithmetic. Nothing here may be undefined for any operand: a kernel's lanes beyond its mask
// compute on whatever they hold, and must neither trap nor poison the others.
#include "compiler/Fault.h"
#include "compiler/backends/cpu/LlvmEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;

namespace tritonrt::compiler::cpu {

namespace {

/// `a * b + c` may become one FMA anywhere, as Triton's own targets have it. Flags that make NaN or
/// infinity undefined are never passed on.
llvm::FastMathFlags flags(arith::FastMathFlags from) {
  llvm::FastMathFlags to;
  to.setAllowContract(true);
  to.setAllowReassoc(bitEnumContainsAll(from, arith::FastMathFlags::reassoc));
  to.setNoSignedZeros(bitEnumContainsAll(from, arith::FastMathFlags::nsz));
  return to;
}

template <typename OpT> llvm::Value *withFlags(OpT op, llvm::Value *value) {
  if (auto *instruction = dyn_cast<llvm::Instruction>(value))
    instruction->setFastMathFlags(flags(op.getFastmath()));
  return value;
}

bool has(arith::IntegerOverflowFlags all, arith::IntegerOverflowFlags one) {
  return bitEnumContainsAll(all, one);
}
constexpr auto kNsw = arith::IntegerOverflowFlags::nsw;
constexpr auto kNuw = arith::IntegerOverflowFlags::nuw;

llvm::Constant *number(llvm::Type *type, uint64_t value) {
  return llvm::ConstantInt::get(type, value);
}

/// The divisor, with 1 in place of one that would trap. A quotient by 0 is anything; the least
/// integer by -1 is itself, which 1 gives too.
llvm::Value *safeDivisor(LlvmEmitter &e, llvm::Value *dividend, llvm::Value *divisor,
                         bool isSigned) {
  llvm::Type *type = divisor->getType();
  const llvm::APInt *known = nullptr;
  if (auto *constant = dyn_cast<llvm::Constant>(divisor))
    if (auto *splat = dyn_cast_or_null<llvm::ConstantInt>(
            type->isVectorTy() ? constant->getSplatValue() : constant))
      known = &splat->getValue();
  if (known && !known->isZero() && !(isSigned && known->isAllOnes()))
    return divisor;
  llvm::Value *traps = e.ir.CreateICmpEQ(divisor, number(type, 0));
  if (isSigned) {
    unsigned bits = type->getScalarSizeInBits();
    auto *least = llvm::ConstantInt::get(type, llvm::APInt::getSignedMinValue(bits));
    auto *minusOne = llvm::Constant::getAllOnesValue(type);
    traps = e.ir.CreateOr(traps, e.ir.CreateAnd(e.ir.CreateICmpEQ(dividend, least),
                                                e.ir.CreateICmpEQ(divisor, minusOne)));
  }
  return e.ir.CreateSelect(traps, number(type, 1), divisor);
}

struct Division {
  llvm::Value *dividend, *divisor;
};

template <typename OpT> Division division(LlvmEmitter &e, OpT op, bool isSigned) {
  llvm::Value *dividend = e.get(op.getLhs());
  return {dividend, safeDivisor(e, dividend, e.get(op.getRhs()), isSigned)};
}

/// The truncated quotient moved by `step` where there is a remainder and the signs agree
/// (`whenSameSign`) or differ.
llvm::Value *roundedQuotient(LlvmEmitter &e, Division d, int64_t step, bool whenSameSign) {
  llvm::Type *type = d.dividend->getType();
  llvm::Value *quotient = e.ir.CreateSDiv(d.dividend, d.divisor);
  llvm::Value *rest = e.ir.CreateSub(d.dividend, e.ir.CreateMul(quotient, d.divisor));
  llvm::Value *signs = e.ir.CreateXor(d.dividend, d.divisor);
  llvm::Value *applies = whenSameSign ? e.ir.CreateICmpSGE(signs, number(type, 0))
                                      : e.ir.CreateICmpSLT(signs, number(type, 0));
  applies = e.ir.CreateAnd(applies, e.ir.CreateICmpNE(rest, number(type, 0)));
  auto *moved = e.ir.CreateAdd(quotient, llvm::ConstantInt::getSigned(type, step));
  return e.ir.CreateSelect(applies, moved, quotient);
}

/// Shifts by the width or more give 0, or the sign for arithmetic ones.
template <typename OpT>
llvm::Value *shift(LlvmEmitter &e, OpT op, llvm::Instruction::BinaryOps code) {
  llvm::Value *value = e.get(op.getLhs()), *amount = e.get(op.getRhs());
  llvm::Type *type = value->getType();
  unsigned width = type->getScalarSizeInBits();
  if (code == llvm::Instruction::AShr)
    return e.ir.CreateAShr(
        value, e.ir.CreateBinaryIntrinsic(llvm::Intrinsic::umin, amount, number(type, width - 1)));
  llvm::Value *inRange = e.ir.CreateICmpULT(amount, number(type, width));
  return e.ir.CreateSelect(inRange, e.ir.CreateBinOp(code, value, amount), number(type, 0));
}

/// The largest or smallest. Zeros of either sign are equal to it; what NaN does is in the
/// intrinsic's name.
template <typename OpT> llvm::Value *extremum(LlvmEmitter &e, OpT op, llvm::Intrinsic::ID id) {
  llvm::CallInst *call =
      e.intrinsic(id, {e.convert(op.getType())}, {e.get(op.getLhs()), e.get(op.getRhs())});
  call->setHasNoSignedZeros(true);
  return call;
}

/// Is a value no NaN whatever the kernel reads? `assumed` are loop-carried values under proof;
/// `visits` bounds the search.
bool neverNan(Value value, llvm::SmallPtrSetImpl<void *> &assumed, int &visits) {
  if (--visits < 0)
    return false;
  if (!assumed.insert(value.getAsOpaquePointer()).second)
    return true;
  if (assumed.size() > 32)
    return false;
  auto isInLoop = [&](scf::ForOp loop, unsigned i) {
    return neverNan(loop.getInitArgs()[i], assumed, visits) &&
           neverNan(loop.getYieldedValues()[i], assumed, visits);
  };
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    return loop && argument.getArgNumber() > 0 && isInLoop(loop, argument.getArgNumber() - 1);
  }
  Operation *op = value.getDefiningOp();
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return isInLoop(loop, cast<OpResult>(value).getResultNumber());
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    if (auto number = dyn_cast<FloatAttr>(constant.getValue()))
      return !number.getValue().isNaN();
    auto dense = dyn_cast<DenseElementsAttr>(constant.getValue());
    return dense && dense.isSplat() && !dense.getSplatValue<llvm::APFloat>().isNaN();
  }
  if (isa<arith::MaxNumFOp, arith::MinNumFOp>(op)) {
    // One number is enough. Each side is tried with its own assumptions.
    llvm::SmallPtrSet<void *, 8> forLeft(assumed.begin(), assumed.end());
    if (neverNan(op->getOperand(0), forLeft, visits))
      return true;
    return neverNan(op->getOperand(1), assumed, visits);
  }
  return isa<vector::ShuffleOp>(op) && neverNan(op->getOperand(0), assumed, visits) &&
         neverNan(op->getOperand(1), assumed, visits);
}

/// maxnum or minnum where one side is known to be a number: a comparison with NaN is false, so the
/// known one is taken; that is one instruction on x86.
template <typename OpT>
llvm::Value *numericExtremum(LlvmEmitter &e, OpT op, llvm::CmpInst::Predicate wins,
                             llvm::Intrinsic::ID id) {
  for (auto [known, other] :
       {std::pair(op.getLhs(), op.getRhs()), std::pair(op.getRhs(), op.getLhs())}) {
    llvm::SmallPtrSet<void *, 8> assumed;
    int visits = 64;
    if (!neverNan(known, assumed, visits))
      continue;
    llvm::Value *a = e.get(other), *b = e.get(known);
    return e.ir.CreateSelect(e.ir.CreateFCmp(wins, a, b), a, b);
  }
  return extremum(e, op, id);
}

/// x / s for one s in a loop: a product with 1 / s and a step that corrects it by the remainder,
/// three instructions in place of one that takes as long as ten. Off the quotient by 2^-24 units of
/// the last place before it is rounded. Used for s in [2^-100, 2^100].
llvm::Value *divideByOne(LlvmEmitter &e, llvm::Value *x, llvm::Value *s, llvm::Value *all) {
  llvm::Value *inRange =
      e.ir.CreateAnd(e.ir.CreateFCmpOGE(s, llvm::ConstantFP::get(s->getType(), 0x1p-100)),
                     e.ir.CreateFCmpOLE(s, llvm::ConstantFP::get(s->getType(), 0x1p100)));
  llvm::BasicBlock *fast = e.newBlock("by_product"), *slow = e.newBlock("by_division"),
                   *join = e.newBlock("join");
  unsigned count = cast<llvm::FixedVectorType>(x->getType())->getNumElements();
  llvm::Value *reciprocal =
      e.ir.CreateVectorSplat(count, e.ir.CreateFDiv(llvm::ConstantFP::get(s->getType(), 1.0), s));
  e.ir.CreateCondBr(inRange, fast, slow);

  e.ir.SetInsertPoint(fast);
  auto fma = [&](llvm::Value *a, llvm::Value *b, llvm::Value *c) {
    return e.intrinsic(llvm::Intrinsic::fma, {a->getType()}, {a, b, c});
  };
  llvm::Value *product = e.ir.CreateFMul(x, reciprocal);
  llvm::Value *excess = fma(product, all, e.ir.CreateFNeg(x));
  llvm::Value *corrected = fma(e.ir.CreateFNeg(excess), reciprocal, product);
  // Infinity has no remainder.
  llvm::Value *magnitude = e.intrinsic(llvm::Intrinsic::fabs, {x->getType()}, {product});
  llvm::Value *isFinite =
      e.ir.CreateFCmpOLT(magnitude, llvm::ConstantFP::getInfinity(x->getType()));
  llvm::Value *quotient = e.ir.CreateSelect(isFinite, corrected, product);
  e.ir.CreateBr(join);

  e.ir.SetInsertPoint(slow);
  llvm::Value *exact = e.ir.CreateFDiv(x, all);
  e.ir.CreateBr(join);
  e.ir.SetInsertPoint(join);
  llvm::PHINode *result = e.ir.CreatePHI(x->getType(), 2);
  result->addIncoming(quotient, fast);
  result->addIncoming(exact, slow);
  return result;
}

llvm::Value *emitDivide(LlvmEmitter &e, arith::DivFOp op) {
  auto splat = op.getRhs().getDefiningOp<vector::BroadcastOp>();
  auto loop = op->getParentOfType<scf::ForOp>();
  bool isInvariant = splat && loop && !loop->isAncestor(splat) && splat.getSourceType().isF32() &&
                     e.options().hasAvx512;
  llvm::Value *x = e.get(op.getLhs()), *divisor = e.get(op.getRhs());
  return isInvariant ? divideByOne(e, x, e.get(splat.getSource()), divisor)
                     : e.ir.CreateFDiv(x, divisor);
}

/// Saturates and gives 0 for NaN. Results of fewer than 32 bits are the low bits of an int, which
/// is what casts in C and NumPy do.
template <typename OpT> llvm::Value *toInteger(LlvmEmitter &e, OpT op, bool isSigned) {
  llvm::Value *value = e.get(op.getIn());
  llvm::Type *type = e.convert(op.getType());
  if (type->getScalarSizeInBits() >= 32)
    return e.intrinsic(isSigned ? llvm::Intrinsic::fptosi_sat : llvm::Intrinsic::fptoui_sat,
                       {type, value->getType()}, {value});
  llvm::Type *wide = type->getWithNewBitWidth(32);
  return e.ir.CreateTrunc(
      e.intrinsic(llvm::Intrinsic::fptosi_sat, {wide, value->getType()}, {value}), type);
}

llvm::Value *indexCast(LlvmEmitter &e, Value in, Type to, bool isSigned) {
  llvm::Type *type = e.convert(to);
  return isSigned ? e.ir.CreateSExtOrTrunc(e.get(in), type)
                  : e.ir.CreateZExtOrTrunc(e.get(in), type);
}

template <typename OpT> LogicalResult extendedMultiply(LlvmEmitter &e, OpT op, bool isSigned) {
  llvm::Value *lhs = e.get(op.getLhs()), *rhs = e.get(op.getRhs());
  llvm::Type *type = lhs->getType();
  unsigned width = type->getScalarSizeInBits();
  llvm::Type *wide = type->getWithNewBitWidth(2 * width);
  auto extend = [&](llvm::Value *value) {
    return isSigned ? e.ir.CreateSExt(value, wide) : e.ir.CreateZExt(value, wide);
  };
  llvm::Value *product = e.ir.CreateMul(extend(lhs), extend(rhs));
  e.set(op.getLow(), e.ir.CreateTrunc(product, type));
  e.set(op.getHigh(), e.ir.CreateTrunc(e.ir.CreateLShr(product, width), type));
  return success();
}

llvm::CmpInst::Predicate predicate(arith::CmpIPredicate from) {
  using P = arith::CmpIPredicate;
  switch (from) {
  case P::eq:
    return llvm::CmpInst::ICMP_EQ;
  case P::ne:
    return llvm::CmpInst::ICMP_NE;
  case P::slt:
    return llvm::CmpInst::ICMP_SLT;
  case P::sle:
    return llvm::CmpInst::ICMP_SLE;
  case P::sgt:
    return llvm::CmpInst::ICMP_SGT;
  case P::sge:
    return llvm::CmpInst::ICMP_SGE;
  case P::ult:
    return llvm::CmpInst::ICMP_ULT;
  case P::ule:
    return llvm::CmpInst::ICMP_ULE;
  case P::ugt:
    return llvm::CmpInst::ICMP_UGT;
  case P::uge:
    return llvm::CmpInst::ICMP_UGE;
  }
  llvm_unreachable("no such predicate");
}

llvm::CmpInst::Predicate predicate(arith::CmpFPredicate from) {
  using P = arith::CmpFPredicate;
  switch (from) {
  case P::AlwaysFalse:
    return llvm::CmpInst::FCMP_FALSE;
  case P::OEQ:
    return llvm::CmpInst::FCMP_OEQ;
  case P::OGT:
    return llvm::CmpInst::FCMP_OGT;
  case P::OGE:
    return llvm::CmpInst::FCMP_OGE;
  case P::OLT:
    return llvm::CmpInst::FCMP_OLT;
  case P::OLE:
    return llvm::CmpInst::FCMP_OLE;
  case P::ONE:
    return llvm::CmpInst::FCMP_ONE;
  case P::ORD:
    return llvm::CmpInst::FCMP_ORD;
  case P::UEQ:
    return llvm::CmpInst::FCMP_UEQ;
  case P::UGT:
    return llvm::CmpInst::FCMP_UGT;
  case P::UGE:
    return llvm::CmpInst::FCMP_UGE;
  case P::ULT:
    return llvm::CmpInst::FCMP_ULT;
  case P::ULE:
    return llvm::CmpInst::FCMP_ULE;
  case P::UNE:
    return llvm::CmpInst::FCMP_UNE;
  case P::UNO:
    return llvm::CmpInst::FCMP_UNO;
  case P::AlwaysTrue:
    return llvm::CmpInst::FCMP_TRUE;
  }
  llvm_unreachable("no such predicate");
}

void addIntegerOps(OpTable &table) {
  table.value<arith::AddIOp>([](LlvmEmitter &e, arith::AddIOp op) {
    return e.ir.CreateAdd(e.get(op.getLhs()), e.get(op.getRhs()), "",
                          has(op.getOverflowFlags(), kNuw), has(op.getOverflowFlags(), kNsw));
  });
  table.value<arith::SubIOp>([](LlvmEmitter &e, arith::SubIOp op) {
    return e.ir.CreateSub(e.get(op.getLhs()), e.get(op.getRhs()), "",
                          has(op.getOverflowFlags(), kNuw), has(op.getOverflowFlags(), kNsw));
  });
  table.value<arith::MulIOp>([](LlvmEmitter &e, arith::MulIOp op) {
    return e.ir.CreateMul(e.get(op.getLhs()), e.get(op.getRhs()), "",
                          has(op.getOverflowFlags(), kNuw), has(op.getOverflowFlags(), kNsw));
  });
  table.add<arith::MulSIExtendedOp>([](LlvmEmitter &e, arith::MulSIExtendedOp op) {
    return extendedMultiply(e, op, /*isSigned=*/true);
  });
  table.add<arith::MulUIExtendedOp>([](LlvmEmitter &e, arith::MulUIExtendedOp op) {
    return extendedMultiply(e, op, /*isSigned=*/false);
  });
  table.add<arith::AddUIExtendedOp>([](LlvmEmitter &e, arith::AddUIExtendedOp op) {
    llvm::Value *lhs = e.get(op.getLhs());
    llvm::Value *sum = e.ir.CreateAdd(lhs, e.get(op.getRhs()));
    e.set(op.getSum(), sum);
    e.set(op.getOverflow(), e.ir.CreateICmpULT(sum, lhs));
    return success();
  });
  table.value<arith::AndIOp>([](LlvmEmitter &e, arith::AndIOp op) {
    return e.ir.CreateAnd(e.get(op.getLhs()), e.get(op.getRhs()));
  });
  table.value<arith::OrIOp>([](LlvmEmitter &e, arith::OrIOp op) {
    return e.ir.CreateOr(e.get(op.getLhs()), e.get(op.getRhs()));
  });
  table.value<arith::XOrIOp>([](LlvmEmitter &e, arith::XOrIOp op) {
    return e.ir.CreateXor(e.get(op.getLhs()), e.get(op.getRhs()));
  });
  table.value<arith::ShLIOp>(
      [](LlvmEmitter &e, arith::ShLIOp op) { return shift(e, op, llvm::Instruction::Shl); });
  table.value<arith::ShRUIOp>(
      [](LlvmEmitter &e, arith::ShRUIOp op) { return shift(e, op, llvm::Instruction::LShr); });
  table.value<arith::ShRSIOp>(
      [](LlvmEmitter &e, arith::ShRSIOp op) { return shift(e, op, llvm::Instruction::AShr); });
  table.value<arith::MaxSIOp>([](LlvmEmitter &e, arith::MaxSIOp op) {
    return e.ir.CreateBinaryIntrinsic(llvm::Intrinsic::smax, e.get(op.getLhs()),
                                      e.get(op.getRhs()));
  });
  table.value<arith::MinSIOp>([](LlvmEmitter &e, arith::MinSIOp op) {
    return e.ir.CreateBinaryIntrinsic(llvm::Intrinsic::smin, e.get(op.getLhs()),
                                      e.get(op.getRhs()));
  });
  table.value<arith::MaxUIOp>([](LlvmEmitter &e, arith::MaxUIOp op) {
    return e.ir.CreateBinaryIntrinsic(llvm::Intrinsic::umax, e.get(op.getLhs()),
                                      e.get(op.getRhs()));
  });
  table.value<arith::MinUIOp>([](LlvmEmitter &e, arith::MinUIOp op) {
    return e.ir.CreateBinaryIntrinsic(llvm::Intrinsic::umin, e.get(op.getLhs()),
                                      e.get(op.getRhs()));
  });
  table.value<arith::CmpIOp>([](LlvmEmitter &e, arith::CmpIOp op) {
    return e.ir.CreateICmp(predicate(op.getPredicate()), e.get(op.getLhs()), e.get(op.getRhs()));
  });
}

void addDivisions(OpTable &table) {
  table.value<arith::DivSIOp>([](LlvmEmitter &e, arith::DivSIOp op) {
    Division d = division(e, op, /*isSigned=*/true);
    return e.ir.CreateSDiv(d.dividend, d.divisor);
  });
  table.value<arith::DivUIOp>([](LlvmEmitter &e, arith::DivUIOp op) {
    Division d = division(e, op, /*isSigned=*/false);
    return e.ir.CreateUDiv(d.dividend, d.divisor);
  });
  table.value<arith::RemSIOp>([](LlvmEmitter &e, arith::RemSIOp op) {
    Division d = division(e, op, /*isSigned=*/true);
    return e.ir.CreateSRem(d.dividend, d.divisor);
  });
  table.value<arith::RemUIOp>([](LlvmEmitter &e, arith::RemUIOp op) {
    Division d = division(e, op, /*isSigned=*/false);
    return e.ir.CreateURem(d.dividend, d.divisor);
  });
  table.value<arith::FloorDivSIOp>([](LlvmEmitter &e, arith::FloorDivSIOp op) {
    return roundedQuotient(e, division(e, op, /*isSigned=*/true), -1, /*whenSameSign=*/false);
  });
  table.value<arith::CeilDivSIOp>([](LlvmEmitter &e, arith::CeilDivSIOp op) {
    return roundedQuotient(e, division(e, op, /*isSigned=*/true), 1, /*whenSameSign=*/true);
  });
  table.value<arith::CeilDivUIOp>([](LlvmEmitter &e, arith::CeilDivUIOp op) {
    Division d = division(e, op, /*isSigned=*/false);
    llvm::Value *quotient = e.ir.CreateUDiv(d.dividend, d.divisor);
    llvm::Value *rest = e.ir.CreateSub(d.dividend, e.ir.CreateMul(quotient, d.divisor));
    llvm::Value *more = e.ir.CreateICmpNE(rest, number(rest->getType(), 0));
    return e.ir.CreateAdd(quotient, e.ir.CreateZExt(more, quotient->getType()));
  });
}

void addFloatOps(OpTable &table) {
  table.value<arith::AddFOp>([](LlvmEmitter &e, arith::AddFOp op) {
    if (llvm::Value *sum = addedProduct(e, op))
      return sum;
    return withFlags(op, e.ir.CreateFAdd(e.get(op.getLhs()), e.get(op.getRhs())));
  });
  table.value<arith::SubFOp>([](LlvmEmitter &e, arith::SubFOp op) {
    return withFlags(op, e.ir.CreateFSub(e.get(op.getLhs()), e.get(op.getRhs())));
  });
  table.value<arith::MulFOp>([](LlvmEmitter &e, arith::MulFOp op) {
    return withFlags(op, e.ir.CreateFMul(e.get(op.getLhs()), e.get(op.getRhs())));
  });
  table.value<arith::DivFOp>([](LlvmEmitter &e, arith::DivFOp op) { return emitDivide(e, op); });
  table.value<arith::RemFOp>([](LlvmEmitter &e, arith::RemFOp op) {
    bool isDouble = e.convert(op.getType())->getScalarType()->isDoubleTy();
    return e.callPerLane(isDouble ? "fmod" : "fmodf", {e.get(op.getLhs()), e.get(op.getRhs())});
  });
  table.value<arith::NegFOp>([](LlvmEmitter &e, arith::NegFOp op) {
    return withFlags(op, e.ir.CreateFNeg(e.get(op.getOperand())));
  });
  table.value<arith::MaxNumFOp>([](LlvmEmitter &e, arith::MaxNumFOp op) {
    return numericExtremum(e, op, llvm::CmpInst::FCMP_OGT, llvm::Intrinsic::maxnum);
  });
  table.value<arith::MinNumFOp>([](LlvmEmitter &e, arith::MinNumFOp op) {
    return numericExtremum(e, op, llvm::CmpInst::FCMP_OLT, llvm::Intrinsic::minnum);
  });
  table.value<arith::MaximumFOp>([](LlvmEmitter &e, arith::MaximumFOp op) {
    return extremum(e, op, llvm::Intrinsic::maximum);
  });
  table.value<arith::MinimumFOp>([](LlvmEmitter &e, arith::MinimumFOp op) {
    return extremum(e, op, llvm::Intrinsic::minimum);
  });
  table.value<arith::CmpFOp>([](LlvmEmitter &e, arith::CmpFOp op) {
    return e.ir.CreateFCmp(predicate(op.getPredicate()), e.get(op.getLhs()), e.get(op.getRhs()));
  });
}

void addCasts(OpTable &table) {
  table.value<arith::ExtSIOp>([](LlvmEmitter &e, arith::ExtSIOp op) {
    return e.ir.CreateSExt(e.get(op.getIn()), e.convert(op.getType()));
  });
  table.value<arith::ExtUIOp>([](LlvmEmitter &e, arith::ExtUIOp op) {
    return e.ir.CreateZExt(e.get(op.getIn()), e.convert(op.getType()));
  });
  table.value<arith::TruncIOp>([](LlvmEmitter &e, arith::TruncIOp op) {
    return e.ir.CreateTrunc(e.get(op.getIn()), e.convert(op.getType()));
  });
  table.value<arith::ExtFOp>([](LlvmEmitter &e, arith::ExtFOp op) {
    return e.ir.CreateFPExt(e.get(op.getIn()), e.convert(op.getType()));
  });
  table.value<arith::TruncFOp>([](LlvmEmitter &e, arith::TruncFOp op) {
    return e.ir.CreateFPTrunc(e.get(op.getIn()), e.convert(op.getType()));
  });
  table.value<arith::SIToFPOp>([](LlvmEmitter &e, arith::SIToFPOp op) {
    return e.ir.CreateSIToFP(e.get(op.getIn()), e.convert(op.getType()));
  });
  table.value<arith::UIToFPOp>([](LlvmEmitter &e, arith::UIToFPOp op) {
    return e.ir.CreateUIToFP(e.get(op.getIn()), e.convert(op.getType()));
  });
  table.value<arith::FPToSIOp>(
      [](LlvmEmitter &e, arith::FPToSIOp op) { return toInteger(e, op, /*isSigned=*/true); });
  table.value<arith::FPToUIOp>(
      [](LlvmEmitter &e, arith::FPToUIOp op) { return toInteger(e, op, /*isSigned=*/false); });
  table.value<arith::BitcastOp>([](LlvmEmitter &e, arith::BitcastOp op) {
    return e.ir.CreateBitCast(e.get(op.getIn()), e.convert(op.getType()));
  });
  table.value<arith::IndexCastOp>([](LlvmEmitter &e, arith::IndexCastOp op) {
    return indexCast(e, op.getIn(), op.getType(), /*isSigned=*/true);
  });
  table.value<arith::IndexCastUIOp>([](LlvmEmitter &e, arith::IndexCastUIOp op) {
    return indexCast(e, op.getIn(), op.getType(), /*isSigned=*/false);
  });
}

} // namespace

void addArithOps(OpTable &table) {
  addIntegerOps(table);
  addDivisions(table);
  addFloatOps(table);
  addCasts(table);
  table.value<arith::ConstantOp>([](LlvmEmitter &e, arith::ConstantOp op) -> llvm::Value * {
    llvm::Constant *constant = e.constant(op.getValue(), op.getType());
    if (!constant)
      emitFault(op, "the CPU backend cannot emit this constant");
    return constant;
  });
  table.value<arith::SelectOp>([](LlvmEmitter &e, arith::SelectOp op) {
    return e.ir.CreateSelect(e.get(op.getCondition()), e.get(op.getTrueValue()),
                             e.get(op.getFalseValue()));
  });
}

} // namespace tritonrt::compiler::cpu
