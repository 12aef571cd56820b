// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/dialect/ttg/Ttg.h"
#include "compiler/frontend/Parse.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

using namespace mlir;

namespace tritonrt::compiler {

/// A flag that quoted text of 3.0 writes as a boolean.
static Attribute asUnit(Attribute flag) {
  auto boolean = dyn_cast_if_present<BoolAttr>(flag);
  if (!boolean)
    return flag;
  return boolean.getValue() ? UnitAttr::get(flag.getContext()) : UnitAttr();
}

/// `cachePolicy` of a quoted op is not one of its own attributes.
template <typename OpT> static void takeCachePolicy(OpT op) {
  auto policy = dyn_cast_if_present<tt::CachePolicyAttr>(op->getDiscardableAttr("cachePolicy"));
  if (!policy)
    return;
  op.setCache(policy.getCacheModifier());
  op.setEvict(policy.getEvictionPolicy());
  op->removeDiscardableAttr("cachePolicy");
}

static void upgradeOp(Operation *op) {
  OpBuilder builder(op);
  if (auto reshape = dyn_cast<tt::ReshapeOp>(op)) {
    reshape.setAllowReorderAttr(asUnit(reshape.getAllowReorderAttr()));
    reshape.setEfficientLayoutAttr(asUnit(reshape.getEfficientLayoutAttr()));
  } else if (auto load = dyn_cast<tt::LoadOp>(op)) {
    takeCachePolicy(load);
  } else if (auto store = dyn_cast<tt::StoreOp>(op)) {
    takeCachePolicy(store);
  } else if (auto view = dyn_cast<tt::ViewOp>(op)) {
    auto reshaped = tt::ReshapeOp::create(builder, op->getLoc(), view.getType(), view.getSrc(),
                                          builder.getUnitAttr(), Attribute());
    view.replaceAllUsesWith(reshaped.getResult());
    view.erase();
  } else if (auto check = dyn_cast<cf::AssertOp>(op)) {
    tt::AssertOp::create(builder, op->getLoc(), check.getArg(), check.getMsgAttr());
    check.erase();
  } else if (auto convert = dyn_cast<ttg::ConvertLayoutOp>(op);
             convert && convert.getType() == convert.getSrc().getType()) {
    convert.replaceAllUsesWith(convert.getSrc());
    convert.erase();
  } else if (isa<gpu::BarrierOp>(op)) {
    op->getContext()->getOrLoadDialect<ttg::TtgDialect>();
    ttg::BarrierOp::create(builder, op->getLoc());
    op->erase();
  }
}

void upgradeModule(ModuleOp module) {
  module->walk([](Operation *op) { upgradeOp(op); });
}

} // namespace tritonrt::compiler
