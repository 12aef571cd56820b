// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/analysis/Forms.h"

#include "compiler/dialect/tt/TtOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace mlir;

namespace tritonrt::compiler {

static ArrayRef<int64_t> shapeOf(Value tensor) {
  return cast<RankedTensorType>(tensor.getType()).getShape();
}

bool Form::isUniform() const {
  return !rest && llvm::all_of(strides, [](const Linear &s) { return s.isZero(); });
}

bool Form::sameShapeAs(const Form &other) const {
  return shape == other.shape && strides == other.strides && wrapDim == other.wrapDim &&
         wrapStart == other.wrapStart && wrapSize == other.wrapSize && rest == other.rest;
}

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

Value Forms::extendTensor(Value tensor) {
  auto type = cast<RankedTensorType>(tensor.getType());
  if (type.getElementType().isInteger(64))
    return tensor;
  return arith::ExtSIOp::create(builder(), loc(), type.clone(builder().getI64Type()), tensor);
}

Value Forms::broadcastTo(Value tensor, ArrayRef<int64_t> shape) {
  auto type = cast<RankedTensorType>(tensor.getType());
  if (type.getShape() == shape)
    return tensor;
  return tt::BroadcastOp::create(builder(), loc(), type.clone(shape), tensor);
}

Value Forms::splat(Value scalar, ArrayRef<int64_t> shape) {
  auto type = RankedTensorType::get(shape, scalar.getType());
  if (std::optional<int64_t> c = constantOf(scalar)) {
    auto element = builder().getIntegerAttr(scalar.getType(), *c);
    return arith::ConstantOp::create(builder(), loc(), DenseElementsAttr::get(type, element));
  }
  return tt::SplatOp::create(builder(), loc(), type, scalar);
}

Value Forms::reshapeTensor(Value tensor, ArrayRef<int64_t> shape) {
  auto type = cast<RankedTensorType>(tensor.getType());
  if (type.getShape() == shape)
    return tensor;
  return tt::ReshapeOp::create(builder(), loc(), type.clone(shape), tensor);
}

Value Forms::range(int64_t rank, int64_t dim, int64_t size) {
  auto type = RankedTensorType::get({size}, builder().getI32Type());
  Value result = tt::MakeRangeOp::create(builder(), loc(), type, 0, size);
  for (int64_t d = 0; d < rank; ++d) {
    if (d == dim)
      continue;
    SmallVector<int64_t> shape(shapeOf(result));
    shape.insert(shape.begin() + d, 1);
    result = tt::ExpandDimsOp::create(builder(), loc(),
                                      RankedTensorType::get(shape, builder().getI32Type()), result,
                                      static_cast<uint32_t>(d));
  }
  return extendTensor(result);
}

Value Forms::addTensors(Value a, Value b) {
  SmallVector<int64_t> shape;
  for (auto [x, y] : llvm::zip_equal(shapeOf(a), shapeOf(b)))
    shape.push_back(std::max(x, y));
  return arith::AddIOp::create(builder(), loc(), broadcastTo(a, shape), broadcastTo(b, shape));
}

Value Forms::scaleTensor(Value tensor, const Linear &factor) {
  if (factor.isConstant(1))
    return tensor;
  Value by = splat(scalars.value(factor), shapeOf(tensor));
  return arith::MulIOp::create(builder(), loc(), tensor, by);
}

Value Forms::materialize(const Form &a) {
  SmallVector<int64_t> ones(a.rank(), 1);
  Value sum;
  auto add = [&](Value tensor) { sum = sum ? addTensors(sum, tensor) : tensor; };
  for (int64_t d = 0; d < a.rank(); ++d) {
    if (a.strides[d].isZero())
      continue;
    Value index = range(a.rank(), d, a.shape[d]);
    if (d == a.wrapDim) {
      index = addTensors(index, splat(a.wrapStart, ones));
      Value size = splat(scalars.maximum(a.wrapSize, scalars.constant(1)), shapeOf(index));
      index = arith::RemSIOp::create(builder(), loc(), index, size);
    }
    add(scaleTensor(index, a.strides[d]));
  }
  if (a.rest)
    add(scaleTensor(extendTensor(a.rest.tensor), a.rest.scale));
  if (!sum || !a.start.isZero())
    add(splat(scalars.value(a.start), ones));
  return sum;
}

Value Forms::materializeFull(const Form &a) {
  if (a.rank() == 0)
    return scalars.value(a.start);
  return broadcastTo(materialize(a), a.shape);
}

Form Forms::toRest(const Form &a) {
  if (a.isUniform())
    return a;
  Form result(a.start, a.shape);
  Form varying = a;
  varying.start = Linear();
  result.rest = {materialize(varying)};
  return result;
}

//===----------------------------------------------------------------------===//
// Forms
//===----------------------------------------------------------------------===//

Form Forms::leaf(Value tensor) {
  auto type = dyn_cast<RankedTensorType>(tensor.getType());
  if (!type)
    return Form(scalars.linear(tensor));
  Form result(Linear(), type.getShape());
  DenseElementsAttr constant;
  if (auto op = tensor.getDefiningOp<arith::ConstantOp>())
    constant = dyn_cast<DenseElementsAttr>(op.getValue());
  if (constant && constant.isSplat())
    result.start = Linear(constant.getSplatValue<APInt>().getSExtValue());
  else
    result.rest = {tensor};
  return result;
}

Form Forms::scale(const Form &a, int64_t factor) {
  Form result = a;
  result.start = a.start * factor;
  for (Linear &stride : result.strides)
    stride = stride * factor;
  if (factor == 0)
    return Form(Linear(), a.shape);
  if (result.rest)
    result.rest.scale *= factor;
  return result;
}

std::optional<Form> Forms::multiply(const Form &a, const Form &b) {
  if (!a.isUniform() && !b.isUniform())
    return std::nullopt;
  const Form &x = b.isUniform() ? a : b;
  const Linear &factor = b.isUniform() ? b.start : a.start;
  if (factor.isConstant())
    return scale(x, factor.constant);
  Form result = x;
  result.start = scalars.multiply(x.start, factor);
  for (Linear &stride : result.strides)
    stride = scalars.multiply(stride, factor);
  if (x.rest)
    result.rest.tensor = scaleTensor(extendTensor(x.rest.tensor), factor);
  return result;
}

/// Whether `b` cannot be added to the strides of `a`: two wraps, or a wrapped dimension that the
/// other one strides along.
static bool wrapsClash(const Form &a, const Form &b) {
  if (a.wrapDim >= 0 && b.wrapDim >= 0)
    return true;
  const Form &wrapped = a.wrapDim >= 0 ? a : b;
  const Form &other = a.wrapDim >= 0 ? b : a;
  return wrapped.wrapDim >= 0 && !other.strides[wrapped.wrapDim].isZero();
}

Form Forms::add(const Form &a, const Form &b) {
  if (wrapsClash(a, b))
    return a.wrapDim >= 0 ? add(toRest(a), b) : add(a, toRest(b));
  Form result = a.wrapDim >= 0 ? a : b;
  const Form &other = a.wrapDim >= 0 ? b : a;
  result.start = scalars.compact(a.start + b.start);
  for (auto [stride, more] : llvm::zip_equal(result.strides, other.strides))
    stride = scalars.compact(stride + more);
  if (!a.rest || !b.rest) {
    result.rest = a.rest ? a.rest : b.rest;
    return result;
  }
  int64_t common = std::gcd(a.rest.scale, b.rest.scale);
  Value x = scaleTensor(extendTensor(a.rest.tensor), a.rest.scale / common);
  Value y = scaleTensor(extendTensor(b.rest.tensor), b.rest.scale / common);
  result.rest = {addTensors(x, y), common};
  return result;
}

std::optional<Form> Forms::modulo(const Form &x, const Form &size) {
  if (!size.isUniform() || x.rest || x.wrapDim >= 0)
    return std::nullopt;
  Value extent = scalars.value(size.start);
  if (x.isUniform())
    return Form(Linear::of(scalars.modulo(scalars.value(x.start), extent)), x.shape);
  auto *varying = llvm::find_if(x.strides, [](const Linear &s) { return !s.isZero(); });
  if (!varying->isConstant(1) ||
      std::any_of(varying + 1, x.strides.end(), [](const Linear &s) { return !s.isZero(); }))
    return std::nullopt;
  Form result(Linear(), x.shape);
  result.strides = x.strides;
  result.wrapDim = varying - x.strides.begin();
  result.wrapStart = scalars.modulo(scalars.value(x.start), extent);
  result.wrapSize = extent;
  return result;
}

Form Forms::expandDims(const Form &a, int64_t axis) {
  Form result = a;
  result.shape.insert(result.shape.begin() + axis, 1);
  result.strides.insert(result.strides.begin() + axis, Linear());
  if (a.wrapDim >= axis)
    ++result.wrapDim;
  if (a.rest) {
    SmallVector<int64_t> shape(shapeOf(a.rest.tensor));
    shape.insert(shape.begin() + axis, 1);
    auto type = cast<RankedTensorType>(a.rest.tensor.getType());
    result.rest.tensor = tt::ExpandDimsOp::create(builder(), loc(), type.clone(shape),
                                                  a.rest.tensor, static_cast<uint32_t>(axis));
  }
  return result;
}

Form Forms::broadcast(const Form &a, ArrayRef<int64_t> shape) {
  Form result = a;
  result.shape.assign(shape.begin(), shape.end());
  return result;
}

Form Forms::transpose(const Form &a, ArrayRef<int32_t> order) {
  Form result(a.start, a.shape);
  for (auto [d, from] : llvm::enumerate(order)) {
    result.shape[d] = a.shape[from];
    result.strides[d] = a.strides[from];
    if (a.wrapDim == from)
      result.wrapDim = d;
  }
  result.wrapStart = a.wrapStart;
  result.wrapSize = a.wrapSize;
  if (a.rest) {
    SmallVector<int64_t> shape;
    for (int32_t from : order)
      shape.push_back(shapeOf(a.rest.tensor)[from]);
    auto type = cast<RankedTensorType>(a.rest.tensor.getType());
    result.rest = {tt::TransOp::create(builder(), loc(), type.clone(shape), a.rest.tensor,
                                       builder().getDenseI32ArrayAttr(order)),
                   a.rest.scale};
  }
  return result;
}

std::optional<Form> Forms::reshape(const Form &a, ArrayRef<int64_t> shape) {
  if (a.wrapDim >= 0)
    return std::nullopt;
  // One stride for each bit of the flat index, from the highest on.
  SmallVector<Linear> bits;
  for (auto [size, stride] : llvm::zip_equal(a.shape, a.strides)) {
    if (!llvm::isPowerOf2_64(size))
      return std::nullopt;
    for (int64_t weight = size / 2; weight > 0; weight /= 2)
      bits.push_back(stride * weight);
  }
  Form result(a.start, shape);
  size_t next = 0;
  for (auto [d, size] : llvm::enumerate(shape)) {
    if (!llvm::isPowerOf2_64(size))
      return std::nullopt;
    size_t end = next + llvm::Log2_64(size);
    if (end > bits.size())
      return std::nullopt;
    if (end > next)
      result.strides[d] = bits[end - 1];
    for (int64_t weight = size / 2; weight > 0; weight /= 2)
      if (!(bits[next++] == result.strides[d] * weight))
        return std::nullopt;
  }
  if (a.rest)
    result.rest = {reshapeTensor(broadcastTo(a.rest.tensor, a.shape), shape), a.rest.scale};
  return result;
}

} // namespace tritonrt::compiler
