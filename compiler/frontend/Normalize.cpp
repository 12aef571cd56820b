// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/dialect/tle/Tle.h"
#include "compiler/dialect/ttg/Ttg.h"
#include "compiler/frontend/Parse.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/AttrTypeSubElements.h"

using namespace mlir;

namespace tritonrt::compiler {

static bool hasEncoding(Type type) {
  if (auto function = dyn_cast<FunctionType>(type))
    return llvm::any_of(function.getInputs(), hasEncoding) ||
           llvm::any_of(function.getResults(), hasEncoding);
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && isa_and_present<ttg::EncodingAttr>(tensor.getEncoding());
}

/// Tensors lose the places of their elements on a GPU; so do constants and function types.
static void dropEncodings(ModuleOp module) {
  WalkResult found = module->walk([](Operation *op) {
    auto function = dyn_cast<tt::FuncOp>(op);
    return llvm::any_of(op->getResultTypes(), hasEncoding) ||
                   (function && hasEncoding(function.getFunctionType()))
               ? WalkResult::interrupt()
               : WalkResult::advance();
  });
  if (!found.wasInterrupted())
    return;
  module->walk([](arith::ConstantOp op) {
    auto dense = dyn_cast<DenseElementsAttr>(op.getValue());
    if (!dense || !hasEncoding(op.getType()))
      return;
    op.setValueAttr(dense.reshape(cast<RankedTensorType>(op.getType()).dropEncoding()));
    op.getResult().setType(cast<TypedAttr>(op.getValue()).getType());
  });
  AttrTypeReplacer replacer;
  replacer.addReplacement([](RankedTensorType type) -> std::optional<Type> {
    if (!hasEncoding(type))
      return std::nullopt;
    return type.dropEncoding();
  });
  replacer.recursivelyReplaceElementsIn(module, /*replaceAttrs=*/true, /*replaceLocs=*/false,
                                        /*replaceTypes=*/true);
}

LogicalResult normalizeModule(ModuleOp module) {
  if (failed(tle::adoptVendorOps(module)))
    return failure();
  dropEncodings(module);
  return success();
}

} // namespace tritonrt::compiler
