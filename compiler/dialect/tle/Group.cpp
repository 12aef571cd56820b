// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which programs a distributed barrier joins.
#include "compiler/api/kernel_abi.h"
#include "compiler/dialect/tle/Tle.h"

#include "llvm/ADT/SmallSet.h"

using namespace mlir;

namespace tritonrt::tle {
namespace {

StringRef kindOf(Operation *op) {
  auto kind = op->getAttrOfType<StringAttr>("group_kind");
  return kind ? kind.getValue() : "cluster";
}

/// Empty where the attribute is absent.
ArrayRef<int32_t> listOf(Operation *op, StringRef name) {
  auto list = op->getAttrOfType<DenseI32ArrayAttr>(name);
  return list ? list.asArrayRef() : ArrayRef<int32_t>();
}

bool isAxisKind(StringRef kind) { return kind == "grid_axis" || kind == "grid_axis_group"; }

LogicalResult verifyDistinct(Operation *op, StringRef name) {
  llvm::SmallSet<int32_t, 8> seen;
  for (int32_t value : listOf(op, name))
    if (value < 0 || !seen.insert(value).second)
      return op->emitOpError() << name << " has " << value
                               << (value < 0 ? ", expected 0 or more" : " twice, expected once");
  return success();
}

LogicalResult verifySizes(Operation *op, StringRef name) {
  for (int32_t size : listOf(op, name))
    if (size <= 0)
      return op->emitOpError() << name << " has a size of " << size << ", expected 1 or more";
  return success();
}

LogicalResult verifyAxes(Operation *op) {
  ArrayRef<int32_t> axes = listOf(op, "group_axes"), shape = listOf(op, "group_shape"),
                    domain = listOf(op, "group_domain_shape");
  auto rank = op->getAttrOfType<IntegerAttr>("group_rank");
  if (!rank || axes.empty() || shape.empty())
    return op->emitOpError() << "of kind " << kindOf(op)
                             << " needs group_rank, group_shape and group_axes";
  if (int64_t(axes.size()) != rank.getInt() || int64_t(shape.size()) != rank.getInt())
    return op->emitOpError() << "has group_rank " << rank.getInt() << ", but " << shape.size()
                             << " sizes and " << axes.size() << " axes, expected as many";
  if (!isAxisKind(kindOf(op)))
    return success();
  if (domain.empty())
    return op->emitOpError() << "of kind " << kindOf(op) << " needs group_domain_shape";
  for (auto [axis, size] : llvm::zip(axes, shape)) {
    if (axis >= int32_t(domain.size()))
      return op->emitOpError() << "axis " << axis << " is outside of a domain of " << domain.size()
                               << " dimensions";
    if (size > domain[axis] || domain[axis] % size != 0)
      return op->emitOpError() << "groups of " << size << " do not divide the axis of "
                               << domain[axis] << " programs";
  }
  return success();
}

} // namespace

LogicalResult verifyGroup(Operation *op) {
  StringRef kind = kindOf(op);
  for (StringRef name : {"group_axes", "group_mask"})
    if (failed(verifyDistinct(op, name)))
      return failure();
  for (StringRef name : {"group_shape", "group_domain_shape"})
    if (failed(verifySizes(op, name)))
      return failure();
  if (kind == "cluster" || kind == "grid" || kind == "block") {
    for (StringRef name :
         {"group_rank", "group_shape", "group_axes", "group_mask", "group_domain_shape"})
      if (op->hasAttr(name))
        return op->emitOpError() << "of kind " << kind << " takes no " << name << "; remove it";
    return success();
  }
  if (kind == "submesh" || isAxisKind(kind))
    return verifyAxes(op);
  return op->emitOpError() << "has the unknown group_kind '" << kind
                           << "'; there are cluster, submesh, grid, grid_axis, grid_axis_group";
}

FailureOr<SmallVector<int32_t>> groupWords(Operation *op) {
  StringRef kind = kindOf(op);
  if (kind == "block")
    return op->emitOpError("of kind block is not supported: it joins no programs of a mesh");
  if (kind == "cluster")
    return SmallVector<int32_t>{TRT_GROUP_MESH};
  if (kind == "grid")
    return SmallVector<int32_t>{TRT_GROUP_GRID};
  SmallVector<int32_t> words;
  auto add = [&](ArrayRef<int32_t> list) {
    words.push_back(list.size());
    words.append(list.begin(), list.end());
  };
  ArrayRef<int32_t> mask = listOf(op, "group_mask");
  if (kind == "submesh" && !mask.empty()) {
    words.push_back(TRT_GROUP_RANKS);
    add(mask);
    return words;
  }
  words.push_back(isAxisKind(kind) ? TRT_GROUP_GRID_AXES : TRT_GROUP_MESH_AXES);
  add(listOf(op, "group_axes"));
  add(listOf(op, "group_shape"));
  add(listOf(op, "group_domain_shape"));
  return words;
}

} // namespace tritonrt::tle
