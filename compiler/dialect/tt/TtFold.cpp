// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Folders: constants of one repeated value under ops that only change the shape.
#include "compiler/dialect/tt/TtOps.h"

using namespace mlir;

namespace tritonrt::tt {

/// `source` is a splat: the same value in the shape of `result`.
static OpFoldResult resplat(Attribute source, Type result) {
  auto splat = dyn_cast_if_present<SplatElementsAttr>(source);
  auto shaped = dyn_cast<RankedTensorType>(result);
  if (!splat || !shaped || splat.getElementType() != shaped.getElementType())
    return {};
  return splat.resizeSplat(shaped);
}

OpFoldResult SplatOp::fold(FoldAdaptor adaptor) {
  auto shaped = cast<RankedTensorType>(getType());
  Attribute value = adaptor.getSrc();
  if (isa_and_present<FloatAttr, IntegerAttr>(value) &&
      cast<TypedAttr>(value).getType() == shaped.getElementType())
    return SplatElementsAttr::get(shaped, value);
  return {};
}

OpFoldResult ExpandDimsOp::fold(FoldAdaptor adaptor) {
  return resplat(adaptor.getSrc(), getType());
}

OpFoldResult BroadcastOp::fold(FoldAdaptor adaptor) {
  if (getSrc().getType() == getType())
    return getSrc();
  return resplat(adaptor.getSrc(), getType());
}

OpFoldResult TransOp::fold(FoldAdaptor adaptor) {
  if (llvm::equal(getOrder(), llvm::seq<int32_t>(0, getOrder().size())))
    return getSrc();
  return resplat(adaptor.getSrc(), getType());
}

OpFoldResult ReshapeOp::fold(FoldAdaptor adaptor) {
  if (getSrc().getType() == getType() && !getAllowReorder())
    return getSrc();
  return resplat(adaptor.getSrc(), getType());
}

} // namespace tritonrt::tt
