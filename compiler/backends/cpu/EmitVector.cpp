// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Vectors of one dimension: one register or a few.
#include "compiler/Fault.h"
#include "compiler/backends/cpu/LlvmEmitter.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include <numeric>

using namespace mlir;

namespace tritonrt::compiler::cpu {

namespace {

/// The one index of an extract or insert, static or not.
template <typename OpT> llvm::Value *position(LlvmEmitter &e, OpT op) {
  if (op.getNumIndices() != 1) {
    emitFault(op, "the CPU backend reads and writes single lanes");
    return nullptr;
  }
  OpFoldResult index = op.getMixedPosition()[0];
  if (auto attr = dyn_cast<Attribute>(index))
    return e.ir.getInt64(cast<IntegerAttr>(attr).getInt());
  // A lane beyond the vector is undefined there, but must not poison: take it modulo the width.
  llvm::Value *lane = e.get(cast<Value>(index));
  VectorType type = cast<VectorType>(op->getOperand(isa<vector::InsertOp>(op) ? 1 : 0).getType());
  if (llvm::isPowerOf2_64(type.getNumElements()))
    lane = e.ir.CreateAnd(lane, e.ir.getInt64(type.getNumElements() - 1));
  return lane;
}

llvm::SmallVector<int> lanesFrom(int first, int count) {
  llvm::SmallVector<int> lanes(count);
  std::iota(lanes.begin(), lanes.end(), first);
  return lanes;
}

llvm::Value *emitBroadcast(LlvmEmitter &e, vector::BroadcastOp op) {
  llvm::Value *source = e.get(op.getSource());
  if (source->getType()->isVectorTy()) {
    if (source->getType() == e.convert(op.getType()))
      return source;
    source = e.ir.CreateExtractElement(source, uint64_t{0});
  }
  return e.ir.CreateVectorSplat(op.getResultVectorType().getNumElements(), source);
}

llvm::Value *emitFromElements(LlvmEmitter &e, vector::FromElementsOp op) {
  llvm::Value *result = llvm::PoisonValue::get(e.convert(op.getType()));
  for (auto [i, element] : llvm::enumerate(op.getElements()))
    result = e.ir.CreateInsertElement(result, e.get(element), i);
  return result;
}

/// Operands of any lengths; a mask entry below 0 is a lane nobody reads.
llvm::Value *emitShuffle(LlvmEmitter &e, vector::ShuffleOp op) {
  llvm::Value *first = e.get(op.getV1()), *second = e.get(op.getV2());
  int firstCount = op.getV1VectorType().getNumElements();
  int secondCount = op.getV2VectorType().getNumElements();
  int count = std::max(firstCount, secondCount);
  auto widened = [&](llvm::Value *value, int from) {
    if (from == count)
      return value;
    llvm::SmallVector<int> lanes = lanesFrom(0, from);
    lanes.resize(count, llvm::PoisonMaskElem);
    return e.ir.CreateShuffleVector(value, lanes);
  };
  first = widened(first, firstCount);
  second = widened(second, secondCount);
  llvm::SmallVector<int> mask;
  for (int64_t lane : op.getMask())
    mask.push_back(lane < firstCount ? int(lane) : int(lane) - firstCount + count);
  return e.ir.CreateShuffleVector(first, second, mask);
}

llvm::Value *emitInterleave(LlvmEmitter &e, vector::InterleaveOp op) {
  int count = op.getSourceVectorType().getNumElements();
  llvm::SmallVector<int> mask;
  for (int i = 0; i < count; ++i)
    mask.append({i, count + i});
  return e.ir.CreateShuffleVector(e.get(op.getLhs()), e.get(op.getRhs()), mask);
}

LogicalResult emitDeinterleave(LlvmEmitter &e, vector::DeinterleaveOp op) {
  int count = op.getResultVectorType().getNumElements();
  for (unsigned part = 0; part < 2; ++part) {
    llvm::SmallVector<int> mask;
    for (int i = 0; i < count; ++i)
      mask.push_back(2 * i + part);
    e.set(op->getResult(part), e.ir.CreateShuffleVector(e.get(op.getSource()), mask));
  }
  return success();
}

llvm::Value *emitInsertSlice(LlvmEmitter &e, vector::InsertStridedSliceOp op) {
  int offset = cast<IntegerAttr>(op.getOffsets()[0]).getInt();
  int count = op.getSourceVectorType().getNumElements();
  int total = op.getDestVectorType().getNumElements();
  llvm::SmallVector<int> widen = lanesFrom(0, count);
  widen.resize(total, llvm::PoisonMaskElem);
  llvm::Value *part = e.ir.CreateShuffleVector(e.get(op.getValueToStore()), widen);
  llvm::SmallVector<int> mask = lanesFrom(0, total);
  for (int i = 0; i < count; ++i)
    mask[offset + i] = total + i;
  return e.ir.CreateShuffleVector(e.get(op.getDest()), part, mask);
}

llvm::Value *emitReduction(LlvmEmitter &e, vector::ReductionOp op) {
  using Kind = vector::CombiningKind;
  llvm::Value *source = e.get(op.getVector());
  llvm::Value *acc = op.getAcc() ? e.get(op.getAcc()) : nullptr;
  auto fold = [&](auto combine) -> llvm::Value * {
    unsigned count = cast<llvm::FixedVectorType>(source->getType())->getNumElements();
    // Halves, then quarters: the order of a tree.
    while (count > 1 && count % 2 == 0) {
      count /= 2;
      llvm::Value *low = e.ir.CreateShuffleVector(source, lanesFrom(0, count));
      source = combine(low, e.ir.CreateShuffleVector(source, lanesFrom(count, count)));
    }
    llvm::Value *result = e.ir.CreateExtractElement(source, uint64_t{0});
    for (unsigned i = 1; i < count; ++i)
      result = combine(result, e.ir.CreateExtractElement(source, i));
    return acc ? combine(acc, result) : result;
  };
  auto binary = [&](llvm::Intrinsic::ID id) {
    return fold([&, id](llvm::Value *a, llvm::Value *b) -> llvm::Value * {
      return e.ir.CreateBinaryIntrinsic(id, a, b);
    });
  };
  // Bits of masks are tested together.
  bool isMask = source->getType()->isIntOrIntVectorTy(1) && !acc && e.options().hasMasks;
  if (isMask && op.getKind() == Kind::OR)
    return e.ir.CreateOrReduce(source);
  if (isMask && op.getKind() == Kind::AND)
    return e.ir.CreateAndReduce(source);
  bool isFloat = isa<FloatType>(op.getType());
  auto instruction = [&](llvm::Instruction::BinaryOps code) {
    return fold([&, code](llvm::Value *a, llvm::Value *b) { return e.ir.CreateBinOp(code, a, b); });
  };
  switch (op.getKind()) {
  case Kind::ADD:
    return instruction(isFloat ? llvm::Instruction::FAdd : llvm::Instruction::Add);
  case Kind::MUL:
    return instruction(isFloat ? llvm::Instruction::FMul : llvm::Instruction::Mul);
  case Kind::AND:
    return instruction(llvm::Instruction::And);
  case Kind::OR:
    return instruction(llvm::Instruction::Or);
  case Kind::XOR:
    return instruction(llvm::Instruction::Xor);
  case Kind::MINSI:
    return binary(llvm::Intrinsic::smin);
  case Kind::MAXSI:
    return binary(llvm::Intrinsic::smax);
  case Kind::MINUI:
    return binary(llvm::Intrinsic::umin);
  case Kind::MAXUI:
    return binary(llvm::Intrinsic::umax);
  case Kind::MINNUMF:
    return binary(llvm::Intrinsic::minnum);
  case Kind::MAXNUMF:
    return binary(llvm::Intrinsic::maxnum);
  case Kind::MINIMUMF:
    return binary(llvm::Intrinsic::minimum);
  case Kind::MAXIMUMF:
    return binary(llvm::Intrinsic::maximum);
  }
  llvm_unreachable("no such reduction");
}

llvm::Value *emitStep(LlvmEmitter &e, vector::StepOp op) {
  llvm::SmallVector<llvm::Constant *> lanes;
  for (int64_t i = 0; i < cast<VectorType>(op.getType()).getNumElements(); ++i)
    lanes.push_back(e.ir.getInt64(i));
  return llvm::ConstantVector::get(lanes);
}

} // namespace

void addVectorOps(OpTable &table) {
  table.value<vector::BroadcastOp>(
      [](LlvmEmitter &e, vector::BroadcastOp op) { return emitBroadcast(e, op); });
  table.value<vector::ExtractOp>([](LlvmEmitter &e, vector::ExtractOp op) -> llvm::Value * {
    llvm::Value *lane = position(e, op);
    return lane ? e.ir.CreateExtractElement(e.get(op.getSource()), lane) : nullptr;
  });
  table.value<vector::InsertOp>([](LlvmEmitter &e, vector::InsertOp op) -> llvm::Value * {
    llvm::Value *lane = position(e, op);
    return lane ? e.ir.CreateInsertElement(e.get(op.getDest()), e.get(op.getValueToStore()), lane)
                : nullptr;
  });
  table.value<vector::FromElementsOp>(
      [](LlvmEmitter &e, vector::FromElementsOp op) { return emitFromElements(e, op); });
  table.add<vector::ToElementsOp>([](LlvmEmitter &e, vector::ToElementsOp op) {
    for (auto [i, result] : llvm::enumerate(op.getResults()))
      e.set(result, e.ir.CreateExtractElement(e.get(op.getSource()), i));
    return success();
  });
  table.value<vector::ShuffleOp>(
      [](LlvmEmitter &e, vector::ShuffleOp op) { return emitShuffle(e, op); });
  table.value<vector::InterleaveOp>(
      [](LlvmEmitter &e, vector::InterleaveOp op) { return emitInterleave(e, op); });
  table.add<vector::DeinterleaveOp>(
      [](LlvmEmitter &e, vector::DeinterleaveOp op) { return emitDeinterleave(e, op); });
  table.value<vector::ExtractStridedSliceOp>([](LlvmEmitter &e, vector::ExtractStridedSliceOp op) {
    int offset = cast<IntegerAttr>(op.getOffsets()[0]).getInt();
    int count = cast<VectorType>(op.getType()).getNumElements();
    return e.ir.CreateShuffleVector(e.get(op.getSource()), lanesFrom(offset, count));
  });
  table.value<vector::InsertStridedSliceOp>(
      [](LlvmEmitter &e, vector::InsertStridedSliceOp op) { return emitInsertSlice(e, op); });
  table.value<vector::ReductionOp>(
      [](LlvmEmitter &e, vector::ReductionOp op) { return emitReduction(e, op); });
  table.value<vector::StepOp>([](LlvmEmitter &e, vector::StepOp op) { return emitStep(e, op); });
  table.value<vector::BitCastOp>([](LlvmEmitter &e, vector::BitCastOp op) {
    return e.ir.CreateBitCast(e.get(op.getSource()), e.convert(op.getType()));
  });
  table.value<vector::FMAOp>([](LlvmEmitter &e, vector::FMAOp op) {
    return e.intrinsic(llvm::Intrinsic::fma, {e.convert(op.getType())},
                       {e.get(op.getLhs()), e.get(op.getRhs()), e.get(op.getAcc())});
  });
}

} // namespace tritonrt::compiler::cpu
