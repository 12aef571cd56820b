// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory effects. Every access is to one resource; who may alias whom is for analyses to say.
#include "compiler/dialect/tt/TtOps.h"

using namespace mlir;

namespace tritonrt::tt {

using Effects = SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>;

static void reads(Effects &effects, OpOperand &pointer) {
  effects.emplace_back(MemoryEffects::Read::get(), &pointer);
}
static void writes(Effects &effects, OpOperand &pointer) {
  effects.emplace_back(MemoryEffects::Write::get(), &pointer);
}
static void readsAndWrites(Effects &effects, OpOperand &pointer) {
  reads(effects, pointer);
  writes(effects, pointer);
}

void LoadOp::getEffects(Effects &effects) {
  reads(effects, getPtrMutable());
  // A volatile read is seen from outside: neither removed nor repeated.
  if (getIsVolatile())
    writes(effects, getPtrMutable());
}
void StoreOp::getEffects(Effects &effects) { writes(effects, getPtrMutable()); }

void AtomicRMWOp::getEffects(Effects &effects) { readsAndWrites(effects, getPtrMutable()); }
void AtomicCASOp::getEffects(Effects &effects) { readsAndWrites(effects, getPtrMutable()); }
// An atomic access orders others, so it counts as both.
void AtomicLoadOp::getEffects(Effects &effects) { readsAndWrites(effects, getPtrMutable()); }
void AtomicStoreOp::getEffects(Effects &effects) { readsAndWrites(effects, getPtrMutable()); }
void AtomicPollOp::getEffects(Effects &effects) { readsAndWrites(effects, getPtrMutable()); }

void DescriptorLoadOp::getEffects(Effects &effects) { reads(effects, getDescMutable()); }
void DescriptorStoreOp::getEffects(Effects &effects) { writes(effects, getDescMutable()); }
void DescriptorReduceOp::getEffects(Effects &effects) { readsAndWrites(effects, getDescMutable()); }
void DescriptorGatherOp::getEffects(Effects &effects) { reads(effects, getDescMutable()); }
void DescriptorScatterOp::getEffects(Effects &effects) { writes(effects, getDescMutable()); }
void ExperimentalDescriptorLoadOp::getEffects(Effects &effects) {
  reads(effects, getDescMutable());
}
void ExperimentalDescriptorStoreOp::getEffects(Effects &effects) {
  writes(effects, getDescMutable());
}

/// What is not declared pure may do anything.
static void unlessPure(Effects &effects, bool pure) {
  if (pure)
    return;
  effects.emplace_back(MemoryEffects::Read::get());
  effects.emplace_back(MemoryEffects::Write::get());
}

void ExternElementwiseOp::getEffects(Effects &effects) { unlessPure(effects, getPure()); }
void ElementwiseInlineAsmOp::getEffects(Effects &effects) { unlessPure(effects, getPure()); }

Speculation::Speculatability ExternElementwiseOp::getSpeculatability() {
  return getPure() ? Speculation::Speculatable : Speculation::NotSpeculatable;
}
Speculation::Speculatability ElementwiseInlineAsmOp::getSpeculatability() {
  return getPure() ? Speculation::Speculatable : Speculation::NotSpeculatable;
}

} // namespace tritonrt::tt
