// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Atomics that SPIR-V has not without extensions: on floats, on elements of fewer than 32 bits, and
// those that wrap around. Each is a loop of compare-and-swap on the word that holds the element.
#include "IlEmitter.h"
#include "compiler/dialect/mem/Mem.h"

using namespace mlir;

namespace tritonrt::compiler::spirv {

namespace {

using cpu::LlvmEmitter;

/// Where an element is.
struct Element {
  llvm::Type *type;
  /// The type of its bits, and of the word that is swapped.
  llvm::Type *bits, *word;
  llvm::Value *address;
  /// The element's place in the word; nullptr where it is the whole.
  llvm::Value *shift = nullptr;
};

template <typename OpT> FailureOr<Element> elementOf(LlvmEmitter &e, OpT op, Type accessed) {
  if (!accessed.isIntOrFloat() || accessed.isInteger(1))
    return op->emitError("the device has no atomics on ") << accessed;
  Element element;
  element.type = e.convert(accessed);
  unsigned bits = element.type->getScalarSizeInBits();
  element.bits = e.ir.getIntNTy(bits);
  element.word = e.ir.getIntNTy(std::max(bits, 32u));
  int64_t unit = op.getUnit() ? int64_t(*op.getUnit()) : mem::elementBytes(accessed);
  llvm::Value *base = e.get(op.getBase());
  llvm::Value *distance = e.ir.CreateMul(e.get(op.getIndex()), e.ir.getInt64(unit));
  element.address = isa<llvm::ConstantPointerNull>(base)
                        ? e.ir.CreateIntToPtr(distance, base->getType())
                        : e.ir.CreateGEP(e.ir.getInt8Ty(), base, distance);
  if (bits < 32) {
    llvm::Value *inWord =
        e.ir.CreateAnd(e.ir.CreatePtrToInt(element.address, e.ir.getInt64Ty()), e.ir.getInt64(3));
    element.shift = e.ir.CreateTrunc(e.ir.CreateShl(inWord, 3), element.word);
    element.address = e.ir.CreateGEP(e.ir.getInt8Ty(), element.address, e.ir.CreateNeg(inWord));
  }
  return element;
}

llvm::Align wordAlign(const Element &element) {
  return llvm::Align(element.word->getScalarSizeInBits() / 8);
}

llvm::Value *fromWord(LlvmEmitter &e, const Element &element, llvm::Value *word) {
  if (element.shift)
    word = e.ir.CreateTrunc(e.ir.CreateLShr(word, element.shift), element.bits);
  return e.ir.CreateBitCast(word, element.type);
}

/// The word with the element's bits replaced.
llvm::Value *intoWord(LlvmEmitter &e, const Element &element, llvm::Value *word,
                      llvm::Value *value) {
  llvm::Value *bits = e.ir.CreateBitCast(value, element.bits);
  if (!element.shift)
    return bits;
  auto *ones = llvm::ConstantInt::get(
      element.word, llvm::APInt::getLowBitsSet(32, element.bits->getScalarSizeInBits()));
  llvm::Value *others = e.ir.CreateAnd(word, e.ir.CreateNot(e.ir.CreateShl(ones, element.shift)));
  return e.ir.CreateOr(others, e.ir.CreateShl(e.ir.CreateZExt(bits, element.word), element.shift));
}

/// Replaces the element by `next` of it until nobody else came between; the old one.
llvm::Value *swapLoop(LlvmEmitter &e, const Element &element, mem::Order order,
                      llvm::function_ref<llvm::Value *(llvm::Value *current)> next) {
  llvm::LoadInst *first = e.ir.CreateAlignedLoad(element.word, element.address, wordAlign(element));
  first->setAtomic(llvm::AtomicOrdering::Monotonic, e.options().scope);
  llvm::BasicBlock *before = e.ir.GetInsertBlock(), *loop = e.newBlock("swap"),
                   *done = e.newBlock("swapped");
  e.ir.CreateBr(loop);
  e.ir.SetInsertPoint(loop);
  llvm::PHINode *old = e.ir.CreatePHI(element.word, 2);
  old->addIncoming(first, before);
  llvm::Value *current = fromWord(e, element, old);
  llvm::Value *wanted = intoWord(e, element, old, next(current));
  llvm::AtomicOrdering success = cpu::ordering(order);
  llvm::Value *pair = e.ir.CreateAtomicCmpXchg(
      element.address, old, wanted, wordAlign(element), success,
      llvm::AtomicCmpXchgInst::getStrongestFailureOrdering(success), e.options().scope);
  llvm::Value *seen = e.ir.CreateExtractValue(pair, 0);
  old->addIncoming(seen, e.ir.GetInsertBlock());
  e.ir.CreateCondBr(e.ir.CreateICmpEQ(seen, old), done, loop);
  e.ir.SetInsertPoint(done);
  return current;
}

/// The larger or smaller of two floats; a NaN gives way.
llvm::Value *extremum(LlvmEmitter &e, llvm::Value *current, llvm::Value *value, bool larger) {
  llvm::Value *wins =
      larger ? e.ir.CreateFCmpOLT(current, value) : e.ir.CreateFCmpOGT(current, value);
  return e.ir.CreateSelect(e.ir.CreateOr(wins, e.ir.CreateFCmpUNO(current, current)), value,
                           current);
}

llvm::Value *nextOf(LlvmEmitter &e, mem::AtomicKind kind, llvm::Value *current,
                    llvm::Value *value) {
  using Kind = mem::AtomicKind;
  bool isFloat = value->getType()->isFloatingPointTy();
  auto smaller = [&](llvm::Value *condition) {
    return e.ir.CreateSelect(condition, value, current);
  };
  llvm::Value *zero = llvm::Constant::getNullValue(value->getType());
  switch (kind) {
  case Kind::And:
    return e.ir.CreateAnd(current, value);
  case Kind::Or:
    return e.ir.CreateOr(current, value);
  case Kind::Xor:
    return e.ir.CreateXor(current, value);
  case Kind::Add:
  case Kind::FAdd:
    return isFloat ? e.ir.CreateFAdd(current, value) : e.ir.CreateAdd(current, value);
  case Kind::Exch:
    return value;
  case Kind::Inc:
    return e.ir.CreateSelect(e.ir.CreateICmpUGE(current, value), zero,
                             e.ir.CreateAdd(current, llvm::ConstantInt::get(value->getType(), 1)));
  case Kind::Dec: {
    llvm::Value *wraps =
        e.ir.CreateOr(e.ir.CreateIsNull(current), e.ir.CreateICmpUGT(current, value));
    return e.ir.CreateSelect(wraps, value,
                             e.ir.CreateSub(current, llvm::ConstantInt::get(value->getType(), 1)));
  }
  case Kind::UMax:
    return smaller(e.ir.CreateICmpULT(current, value));
  case Kind::UMin:
    return smaller(e.ir.CreateICmpUGT(current, value));
  case Kind::Max:
    return isFloat ? extremum(e, current, value, /*larger=*/true)
                   : smaller(e.ir.CreateICmpSLT(current, value));
  case Kind::Min:
    return isFloat ? extremum(e, current, value, /*larger=*/false)
                   : smaller(e.ir.CreateICmpSGT(current, value));
  }
  llvm_unreachable("no such operation");
}

/// Does the CPU's emission of an op do, on whole words and integers?
bool isPlain(Type type) { return type.isInteger(32) || type.isInteger(64); }

LogicalResult emitDefault(LlvmEmitter &e, Operation *op) {
  return cpu::defaultOps().find(*op)(e, op);
}

LogicalResult emitRmw(LlvmEmitter &e, mem::AtomicRMWOp op) {
  using Kind = mem::AtomicKind;
  bool isFloat = isa<FloatType>(op.getType());
  bool wraps = op.getKind() == Kind::Inc || op.getKind() == Kind::Dec;
  bool ofIntegers = wraps || op.getKind() == Kind::And || op.getKind() == Kind::Or ||
                    op.getKind() == Kind::Xor || op.getKind() == Kind::UMax ||
                    op.getKind() == Kind::UMin;
  if (isFloat ? ofIntegers : op.getKind() == Kind::FAdd)
    return op.emitError("atomic ")
           << mem::stringifyAtomicKind(op.getKind()) << " on " << op.getType();
  if (isPlain(op.getType()) && !wraps)
    return emitDefault(e, op);
  FailureOr<Element> element = elementOf(e, op, op.getType());
  if (failed(element))
    return failure();
  llvm::Value *value = e.get(op.getValue());
  e.set(op.getResult(), swapLoop(e, *element, op.getOrder(), [&](llvm::Value *current) {
          return nextOf(e, op.getKind(), current, value);
        }));
  return success();
}

/// Compares bits, as hardware does.
LogicalResult emitCas(LlvmEmitter &e, mem::AtomicCASOp op) {
  FailureOr<Element> element = elementOf(e, op, op.getType());
  if (failed(element))
    return failure();
  if (!element->shift)
    return emitDefault(e, op);
  llvm::Value *compare = e.ir.CreateBitCast(e.get(op.getCompare()), element->bits);
  llvm::Value *value = e.get(op.getValue());
  e.set(op.getResult(), swapLoop(e, *element, op.getOrder(), [&](llvm::Value *current) {
          llvm::Value *same =
              e.ir.CreateICmpEQ(e.ir.CreateBitCast(current, element->bits), compare);
          return e.ir.CreateSelect(same, value, current);
        }));
  return success();
}

LogicalResult emitLoad(LlvmEmitter &e, mem::AtomicLoadOp op) {
  FailureOr<Element> element = elementOf(e, op, op.getType());
  if (failed(element))
    return failure();
  llvm::LoadInst *word =
      e.ir.CreateAlignedLoad(element->word, element->address, wordAlign(*element));
  word->setAtomic(op.getOrder() == mem::Order::Relaxed ? llvm::AtomicOrdering::Monotonic
                                                       : llvm::AtomicOrdering::Acquire,
                  e.options().scope);
  e.set(op.getResult(), fromWord(e, *element, word));
  return success();
}

LogicalResult emitStore(LlvmEmitter &e, mem::AtomicStoreOp op) {
  Type accessed = op.getValue().getType();
  FailureOr<Element> element = elementOf(e, op, accessed);
  if (failed(element))
    return failure();
  llvm::Value *value = e.get(op.getValue());
  if (element->shift) {
    swapLoop(e, *element, op.getOrder(), [&](llvm::Value *) { return value; });
    return success();
  }
  llvm::StoreInst *store = e.ir.CreateAlignedStore(e.ir.CreateBitCast(value, element->bits),
                                                   element->address, wordAlign(*element));
  store->setAtomic(op.getOrder() == mem::Order::Relaxed ? llvm::AtomicOrdering::Monotonic
                                                        : llvm::AtomicOrdering::Release,
                   e.options().scope);
  return success();
}

} // namespace

void addAtomics(cpu::OpTable &table) {
  table.add<mem::AtomicRMWOp>([](LlvmEmitter &e, mem::AtomicRMWOp op) { return emitRmw(e, op); });
  table.add<mem::AtomicCASOp>([](LlvmEmitter &e, mem::AtomicCASOp op) { return emitCas(e, op); });
  table.add<mem::AtomicLoadOp>(
      [](LlvmEmitter &e, mem::AtomicLoadOp op) { return emitLoad(e, op); });
  table.add<mem::AtomicStoreOp>(
      [](LlvmEmitter &e, mem::AtomicStoreOp op) { return emitStore(e, op); });
}

} // namespace tritonrt::compiler::spirv
