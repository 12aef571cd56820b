// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/analysis/Box.h"

#include "compiler/dialect/tt/TtOps.h"

using namespace mlir;
using arith::CmpIPredicate;

namespace tritonrt::compiler {

bool Box::isResidual() const {
  auto absent = [](Value v) { return !v; };
  return residual && !condition && llvm::all_of(lo, absent) && llvm::all_of(hi, absent);
}

Value Boxes::atLeast(Value a, Value b) { return !a ? b : !b ? a : scalars.maximum(a, b); }
Value Boxes::atMost(Value a, Value b) { return !a ? b : !b ? a : scalars.minimum(a, b); }

void Boxes::bound(Box &box, int64_t dim, int64_t slope, const Linear &limit) {
  if (slope > 0) {
    // i < ceil(limit / slope)
    Value hi = scalars.floorDiv(scalars.value(limit + Linear(slope - 1)), slope);
    box.hi[dim] = atMost(box.hi[dim], hi);
  } else {
    // i > -limit / |slope|
    Value below = scalars.floorDiv(scalars.value(limit * -1), -slope);
    Value lo = scalars.value(Linear::of(below) + Linear(1));
    box.lo[dim] = atLeast(box.lo[dim], lo);
  }
}

static std::optional<CmpIPredicate> asSigned(CmpIPredicate predicate) {
  switch (predicate) {
  case CmpIPredicate::ult:
    return CmpIPredicate::slt;
  case CmpIPredicate::ule:
    return CmpIPredicate::sle;
  case CmpIPredicate::ugt:
    return CmpIPredicate::sgt;
  case CmpIPredicate::uge:
    return CmpIPredicate::sge;
  default:
    return std::nullopt;
  }
}

std::optional<Box> Boxes::compare(CmpIPredicate predicate, const Form &a, const Form &b) {
  if (a.rest || b.rest || a.wrapDim >= 0 || b.wrapDim >= 0)
    return std::nullopt;
  if (a.isUniform() && b.isUniform()) {
    Value condition = scalars.compare(static_cast<int64_t>(predicate), scalars.value(a.start),
                                      scalars.value(b.start));
    return splat(condition, a.shape);
  }
  if (std::optional<CmpIPredicate> plain = asSigned(predicate)) {
    // The order of unsigned numbers is that of signed ones only where none is negative.
    auto nonNegative = [&](const Form &form) {
      return facts.isNonNegative(form.start) &&
             llvm::all_of(form.strides, [&](const Linear &s) { return facts.isNonNegative(s); });
    };
    if (!nonNegative(a) || !nonNegative(b))
      return std::nullopt;
    predicate = *plain;
  }
  // a - b = slope * i_dim - distance
  std::optional<int64_t> dim;
  int64_t slope = 0;
  for (int64_t d = 0; d < a.rank(); ++d) {
    Linear stride = a.strides[d] - b.strides[d];
    if (stride.isZero())
      continue;
    if (dim || !stride.isConstant())
      return std::nullopt;
    dim = d;
    slope = stride.constant;
  }
  Linear distance = b.start - a.start;
  Box box(a.shape);
  if (!dim) {
    Value condition = scalars.compare(static_cast<int64_t>(predicate), scalars.constant(0),
                                      scalars.value(distance));
    return splat(condition, a.shape);
  }
  switch (predicate) {
  case CmpIPredicate::slt:
    bound(box, *dim, slope, distance);
    return box;
  case CmpIPredicate::sle:
    bound(box, *dim, slope, distance + Linear(1));
    return box;
  case CmpIPredicate::sgt:
    bound(box, *dim, -slope, distance * -1);
    return box;
  case CmpIPredicate::sge:
    bound(box, *dim, -slope, distance * -1 + Linear(1));
    return box;
  case CmpIPredicate::eq:
    if (slope != 1 && slope != -1)
      return std::nullopt;
    box.lo[*dim] = scalars.value(distance * slope);
    box.hi[*dim] = scalars.value(distance * slope + Linear(1));
    return box;
  default:
    return std::nullopt;
  }
}

Box Boxes::residual(Value mask) {
  auto type = dyn_cast<RankedTensorType>(mask.getType());
  Box box(type ? type.getShape() : ArrayRef<int64_t>());
  box.residual = mask;
  return box;
}

Box Boxes::splat(Value condition, ArrayRef<int64_t> shape) {
  Box box(shape);
  if (constantOf(condition).value_or(0) == 0)
    box.condition = condition;
  return box;
}

Box Boxes::intersect(const Box &a, const Box &b) {
  Box box = a;
  for (size_t d = 0; d < box.shape.size(); ++d) {
    box.lo[d] = atLeast(a.lo[d], b.lo[d]);
    box.hi[d] = atMost(a.hi[d], b.hi[d]);
  }
  box.condition = scalars.logicalAnd(a.condition, b.condition);
  if (a.residual && b.residual && a.residual != b.residual)
    box.residual =
        arith::AndIOp::create(scalars.getBuilder(), scalars.getLoc(), a.residual, b.residual);
  else
    box.residual = a.residual ? a.residual : b.residual;
  return box;
}

Box Boxes::expandDims(const Box &a, int64_t axis) {
  Box box = a;
  box.shape.insert(box.shape.begin() + axis, 1);
  box.lo.insert(box.lo.begin() + axis, Value());
  box.hi.insert(box.hi.begin() + axis, Value());
  if (a.residual)
    box.residual =
        tt::ExpandDimsOp::create(scalars.getBuilder(), scalars.getLoc(),
                                 RankedTensorType::get(box.shape, scalars.getBuilder().getI1Type()),
                                 a.residual, static_cast<uint32_t>(axis));
  return box;
}

Box Boxes::broadcast(const Box &a, ArrayRef<int64_t> shape) {
  Box box = a;
  for (size_t d = 0; d < shape.size(); ++d) {
    if (a.shape[d] == shape[d])
      continue;
    // All elements of the new dimension are the one of the old.
    if (a.hi[d])
      box.condition = scalars.logicalAnd(
          box.condition,
          scalars.compare(static_cast<int64_t>(CmpIPredicate::sgt), a.hi[d], scalars.constant(0)));
    if (a.lo[d])
      box.condition = scalars.logicalAnd(
          box.condition,
          scalars.compare(static_cast<int64_t>(CmpIPredicate::sle), a.lo[d], scalars.constant(0)));
    box.lo[d] = box.hi[d] = Value();
  }
  box.shape.assign(shape.begin(), shape.end());
  if (a.residual)
    box.residual = forms.broadcastTo(a.residual, shape);
  return box;
}

Box Boxes::transpose(const Box &a, ArrayRef<int32_t> order) {
  Box box = a;
  for (auto [d, from] : llvm::enumerate(order)) {
    box.shape[d] = a.shape[from];
    box.lo[d] = a.lo[from];
    box.hi[d] = a.hi[from];
  }
  if (a.residual)
    box.residual =
        tt::TransOp::create(scalars.getBuilder(), scalars.getLoc(),
                            RankedTensorType::get(box.shape, scalars.getBuilder().getI1Type()),
                            a.residual, scalars.getBuilder().getDenseI32ArrayAttr(order));
  return box;
}

void Boxes::clip(Box &box, int64_t dim, const Linear &index, const Linear &extent) {
  box.lo[dim] = atLeast(box.lo[dim], scalars.value(index * -1));
  box.hi[dim] = atMost(box.hi[dim], scalars.value(extent - index));
}

Boxes::Bounds Boxes::bounds(const Box &box) {
  Bounds result;
  Value condition = box.condition;
  if (condition && constantOf(condition).value_or(0) != 0)
    condition = Value();
  Value zero = scalars.constant(0);
  for (auto [d, size] : llvm::enumerate(box.shape)) {
    Value extent = scalars.constant(size);
    Value lo = box.lo[d] && constantOf(box.lo[d]).value_or(1) > 0 ? box.lo[d] : zero;
    Value hi = box.hi[d] && constantOf(box.hi[d]).value_or(0) < size ? box.hi[d] : extent;
    // One empty dimension empties the box.
    bool last = d + 1 == box.shape.size();
    if (condition && (lo != zero || hi != extent || last)) {
      hi = scalars.select(condition, hi, zero);
      condition = Value();
    }
    if (lo == zero && hi == extent)
      continue;
    result.dims.push_back(static_cast<int64_t>(d));
    result.lo.push_back(lo);
    result.hi.push_back(hi);
  }
  return result;
}

} // namespace tritonrt::compiler
