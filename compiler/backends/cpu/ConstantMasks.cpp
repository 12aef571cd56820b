// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Masked stores whose lanes are known. Code generation for AVX-512 folds the truncation of a value
// into its masked store, and a store of one lane then has the width from before the truncation
// (LLVM 22): it writes over the lane's neighbour. So such stores are written as stores of runs of
// lanes, which need no masks either.
#include "compiler/backends/cpu/NativeCode.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>

namespace tritonrt::compiler::cpu {

namespace {

/// The lanes that are on, if all are known.
std::optional<llvm::SmallVector<bool>> lanesOf(llvm::Value *mask, unsigned count) {
  auto *constant = llvm::dyn_cast<llvm::Constant>(mask);
  if (!constant)
    return std::nullopt;
  llvm::SmallVector<bool> lanes;
  for (unsigned lane = 0; lane < count; ++lane) {
    llvm::Constant *element = constant->getAggregateElement(lane);
    if (!element || !(element->isZeroValue() || element->isOneValue()))
      return std::nullopt;
    lanes.push_back(element->isOneValue());
  }
  return lanes;
}

/// `count` lanes from `first` on, without a mask.
void storeRun(llvm::IRBuilder<> &ir, llvm::IntrinsicInst &store, unsigned first, unsigned count) {
  llvm::Value *value = store.getArgOperand(0);
  llvm::Type *element = llvm::cast<llvm::FixedVectorType>(value->getType())->getElementType();
  uint64_t offset = uint64_t(first) * (element->getScalarSizeInBits() / 8);
  llvm::Value *address = ir.CreateConstGEP1_64(ir.getInt8Ty(), store.getArgOperand(1), offset);
  llvm::SmallVector<int> lanes(count);
  std::iota(lanes.begin(), lanes.end(), int(first));
  llvm::Value *run = count == 1 ? ir.CreateExtractElement(value, uint64_t(first))
                                : ir.CreateShuffleVector(value, lanes);
  llvm::Align align = store.getParamAlign(1).valueOrOne();
  auto *made = ir.CreateAlignedStore(run, address, llvm::commonAlignment(align, offset));
  made->copyMetadata(store);
}

void splitStore(llvm::IntrinsicInst &store, llvm::ArrayRef<bool> lanes) {
  llvm::IRBuilder<> ir(&store);
  for (unsigned lane = 0; lane < lanes.size();) {
    if (!lanes[lane]) {
      ++lane;
      continue;
    }
    unsigned run = 1;
    while (lane + run < lanes.size() && lanes[lane + run])
      ++run;
    run = llvm::bit_floor(run);
    storeRun(ir, store, lane, run);
    lane += run;
  }
  store.eraseFromParent();
}

} // namespace

void splitConstantMasks(llvm::Module &module) {
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction :
         llvm::make_early_inc_range(llvm::instructions(function))) {
      auto *store = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
      if (!store || store->getIntrinsicID() != llvm::Intrinsic::masked_store)
        continue;
      auto *type = llvm::dyn_cast<llvm::FixedVectorType>(store->getArgOperand(0)->getType());
      if (!type || !type->getElementType()->isIntegerTy() || type->getScalarSizeInBits() >= 64)
        continue;
      if (auto lanes = lanesOf(store->getArgOperand(2), type->getNumElements()))
        splitStore(*store, *lanes);
    }
}

} // namespace tritonrt::compiler::cpu
