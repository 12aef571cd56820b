// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Atomics that wait for the end of a range of programs. The first bytes of each parameter that is
// added to have a table in scratch memory, which takes what is done to them; at the end each place
// that was touched gets one atomic operation. Beyond the table an atomic is what it was.
#include "compiler/backends/cpu/LlvmEmitter.h"

#include "compiler/analysis/Mapped.h"

#include "llvm/IR/MDBuilder.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tritonrt::compiler::cpu {

namespace {

/// What one table takes at most: where elements of a tensor say where to add, as much as stays in
/// the nearest cache; where programs walk over what they add to, they do so in order. A power of
/// two.
constexpr int64_t kScatteredBytes = 32 << 10, kWalkedBytes = 1 << 20;
constexpr size_t kMostTables = 4;
/// Neighbouring elements take turns at so many copies of the former: a sum that was just stored
/// cannot be read again at once.
constexpr int64_t kCopies = 4;
constexpr int64_t kLine = 64;
/// Fewer atomics than this in a range are done in less time than a table needs; more of them fill
/// more of it.
constexpr int64_t kFewestAtomics = 4096, kFewestBytes = 8 << 10;

/// What `kind` changes nothing with, as bits.
llvm::APInt identity(mem::AtomicKind kind, Type type) {
  using Kind = mem::AtomicKind;
  unsigned bits = type.getIntOrFloatBitWidth();
  switch (kind) {
  case Kind::And:
  case Kind::UMin:
    return llvm::APInt::getAllOnes(bits);
  case Kind::Max:
    return llvm::APInt::getSignedMinValue(bits);
  case Kind::Min:
    return llvm::APInt::getSignedMaxValue(bits);
  default:
    // -0.0 is what keeps the sign of a zero.
    return isa<FloatType>(type) ? llvm::APInt::getSignMask(bits) : llvm::APInt::getZero(bits);
  }
}

llvm::Value *combine(llvm::IRBuilder<> &ir, mem::AtomicKind kind, llvm::Value *a, llvm::Value *b) {
  using Kind = mem::AtomicKind;
  switch (kind) {
  case Kind::And:
    return ir.CreateAnd(a, b);
  case Kind::Or:
    return ir.CreateOr(a, b);
  case Kind::Xor:
    return ir.CreateXor(a, b);
  case Kind::Max:
    return ir.CreateBinaryIntrinsic(llvm::Intrinsic::smax, a, b);
  case Kind::Min:
    return ir.CreateBinaryIntrinsic(llvm::Intrinsic::smin, a, b);
  case Kind::UMax:
    return ir.CreateBinaryIntrinsic(llvm::Intrinsic::umax, a, b);
  case Kind::UMin:
    return ir.CreateBinaryIntrinsic(llvm::Intrinsic::umin, a, b);
  default:
    return a->getType()->isFloatingPointTy() ? ir.CreateFAdd(a, b) : ir.CreateAdd(a, b);
  }
}

/// Runs `body` with 0, step, 2 * step, ... below `end`, which is positive.
void emitLoop(LlvmEmitter &e, llvm::Value *end, int64_t step,
              llvm::function_ref<void(llvm::Value *)> body) {
  llvm::BasicBlock *before = e.ir.GetInsertBlock(), *loop = e.newBlock("each"),
                   *after = e.newBlock("all");
  e.ir.CreateBr(loop);
  e.ir.SetInsertPoint(loop);
  llvm::PHINode *i = e.ir.CreatePHI(e.ir.getInt64Ty(), 2);
  i->addIncoming(e.ir.getInt64(0), before);
  body(i);
  llvm::Value *next = e.ir.CreateNUWAdd(i, e.ir.getInt64(step));
  i->addIncoming(next, e.ir.GetInsertBlock());
  e.ir.CreateCondBr(e.ir.CreateICmpULT(next, end), loop, after);
  after->moveAfter(e.ir.GetInsertBlock());
  e.ir.SetInsertPoint(after);
}

/// Runs `body` if `condition` holds.
void emitIf(LlvmEmitter &e, llvm::Value *condition, llvm::function_ref<void()> body) {
  llvm::BasicBlock *then = e.newBlock("then"), *join = e.newBlock("join");
  e.ir.CreateCondBr(condition, then, join);
  e.ir.SetInsertPoint(then);
  body();
  e.ir.CreateBr(join);
  join->moveAfter(e.ir.GetInsertBlock());
  e.ir.SetInsertPoint(join);
}

} // namespace

void LlvmEmitter::openTables(func::FuncOp kernel, llvm::Value *programs) {
  if (!promises.disjoint)
    return;
  llvm::SmallVector<DeferredRoot> roots = deferredAtomics(kernel);
  if (roots.empty() || roots.size() > kMostTables)
    return;
  int64_t atomics = 0;
  for (const DeferredRoot &root : roots)
    atomics += root.atomics;
  tablesPay = ir.CreateICmpUGE(programs, ir.getInt64((kFewestAtomics + atomics - 1) / atomics));
  llvm::Type *i64 = ir.getInt64Ty();
  llvm::BasicBlock &entry = function->getEntryBlock();
  auto own = kernel->getAttrOfType<IntegerAttr>("tritonrt.scratch_bytes");
  int64_t place = llvm::alignTo(own ? own.getInt() : 0, kLine);
  for (const DeferredRoot &root : roots) {
    int64_t copies = root.isScattered ? kCopies : 1;
    int64_t bytes = (root.isScattered ? kScatteredBytes : kWalkedBytes) / copies;
    llvm::Value *memory = ir.CreateConstInBoundsGEP1_64(ir.getInt8Ty(), scratchBlock(), place);
    place += bytes * copies;
    int64_t each = std::min<int64_t>(root.atomics * mem::elementBytes(root.type), bytes);
    llvm::Value *limit = ir.CreateMul(programs, ir.getInt64(llvm::alignTo(each, kLine)));
    for (auto [bound, id] :
         {std::pair(kFewestBytes, llvm::Intrinsic::umax), std::pair(bytes, llvm::Intrinsic::umin)})
      limit = ir.CreateBinaryIntrinsic(id, limit, ir.getInt64(bound));
    // Through memory, so that a limit of 0 does not become a comparison of its own each time.
    llvm::AllocaInst *limits = llvm::IRBuilder<>(&entry, entry.begin()).CreateAlloca(i64);
    ir.CreateStore(ir.CreateSelect(tablesPay, limit, ir.getInt64(0)), limits);
    limit = ir.CreateLoad(i64, limits, /*isVolatile=*/true);
    tables.push_back({root, memory, limit, bytes, copies});
  }
  kernel->setAttr("tritonrt.scratch_bytes",
                  IntegerAttr::get(IntegerType::get(kernel.getContext(), 64), place));
  emitIf(*this, tablesPay, [&] {
    for (const Table &table : tables) {
      llvm::APInt bits = identity(table.of.kind, table.of.type);
      llvm::Constant *line = llvm::ConstantVector::getSplat(
          llvm::ElementCount::getFixed(8 * kLine / bits.getBitWidth()),
          llvm::ConstantInt::get(module.getContext(), bits));
      forEachLine(table, [&](llvm::Value *, llvm::Value *memory) {
        ir.CreateAlignedStore(line, memory, llvm::Align(kLine));
      });
    }
  });
}

void LlvmEmitter::forEachLine(const Table &table,
                              llvm::function_ref<void(llvm::Value *, llvm::Value *)> body) {
  for (int64_t copy = 0; copy < table.copies; ++copy) {
    llvm::Value *memory =
        ir.CreateConstInBoundsGEP1_64(ir.getInt8Ty(), table.memory, copy * table.bytes);
    emitLoop(*this, table.limit, kLine,
             [&](llvm::Value *at) { body(at, ir.CreatePtrAdd(memory, at)); });
  }
}

llvm::Value *LlvmEmitter::copyFor(const Table &table, mem::AtomicRMWOp op) {
  auto loop =
      dyn_cast_or_null<scf::ForOp>(op->getParentOfType<LoopLikeOpInterface>().getOperation());
  if (table.copies == 1 || !loop)
    return table.memory;
  llvm::Value *round = ir.CreateZExtOrTrunc(get(loop.getInductionVar()), ir.getInt64Ty());
  llvm::Value *copy = ir.CreateAnd(round, ir.getInt64(table.copies - 1));
  return ir.CreatePtrAdd(table.memory, ir.CreateMul(copy, ir.getInt64(table.bytes)));
}

bool LlvmEmitter::deferAtomic(mem::AtomicRMWOp op, llvm::Value *address) {
  auto *table = llvm::find_if(
      tables, [&](const Table &each) { return each.of.root == rootOf(op.getBase()); });
  if (table == tables.end())
    return false;
  llvm::Type *i64 = ir.getInt64Ty();
  llvm::Align align(mem::elementBytes(op.getType()));
  llvm::Value *value = get(op.getValue());
  llvm::Value *offset =
      ir.CreateSub(ir.CreatePtrToInt(address, i64), ir.CreatePtrToInt(get(table->of.root), i64));
  llvm::Value *inside =
      ir.CreateAnd(ir.CreateICmpULT(offset, table->limit),
                   ir.CreateIsNull(ir.CreateAnd(offset, ir.getInt64(int64_t(align.value()) - 1))));
  llvm::BasicBlock *near = newBlock("near"), *far = newBlock("far"), *join = newBlock("join");
  ir.CreateCondBr(inside, near, far, llvm::MDBuilder(ir.getContext()).createLikelyBranchWeights());
  ir.SetInsertPoint(near);
  llvm::Value *slot = ir.CreatePtrAdd(copyFor(*table, op), offset);
  llvm::Value *old = ir.CreateAlignedLoad(value->getType(), slot, align);
  ir.CreateAlignedStore(combine(ir, op.getKind(), old, value), slot, align);
  ir.CreateBr(join);
  ir.SetInsertPoint(far);
  createAtomic(*this, op.getKind(), address, value, op.getOrder());
  ir.CreateBr(join);
  ir.SetInsertPoint(join);
  return true;
}

void LlvmEmitter::closeTables() {
  if (tables.empty())
    return;
  emitIf(*this, tablesPay, [&] {
    for (const Table &table : tables) {
      llvm::APInt bits = identity(table.of.kind, table.of.type);
      llvm::Type *type = convert(table.of.type);
      int64_t size = bits.getBitWidth() / 8;
      llvm::Constant *nothing = llvm::ConstantInt::get(module.getContext(), bits);
      auto count = llvm::ElementCount::getFixed(kLine / size);
      auto *lineType = llvm::VectorType::get(nothing->getType(), count);
      forEachLine(table, [&](llvm::Value *at, llvm::Value *line) {
        llvm::Value *touched =
            ir.CreateICmpNE(ir.CreateAlignedLoad(lineType, line, llvm::Align(kLine)),
                            llvm::ConstantVector::getSplat(count, nothing));
        emitIf(*this, ir.CreateOrReduce(touched), [&] {
          emitLoop(*this, ir.getInt64(kLine), size, [&](llvm::Value *within) {
            llvm::Value *value = ir.CreateLoad(type, ir.CreatePtrAdd(line, within));
            llvm::Value *isTouched =
                ir.CreateICmpNE(ir.CreateBitCast(value, nothing->getType()), nothing);
            emitIf(*this, isTouched, [&] {
              llvm::Value *place = ir.CreatePtrAdd(get(table.of.root), ir.CreateAdd(at, within));
              createAtomic(*this, table.of.kind, place, value, mem::Order::AcqRel);
            });
          });
        });
      });
    }
  });
}

} // namespace tritonrt::compiler::cpu
