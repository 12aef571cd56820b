// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/math/Functions.h"

#include "compiler/math/Builder.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;

namespace tritonrt::mathlib {

Value Built::constant(TypedAttr element) const {
  if (auto vector = dyn_cast<VectorType>(value.getType()))
    element = cast<TypedAttr>(
        Attribute(DenseElementsAttr::get(vector.clone(element.getType()), Attribute(element))));
  return arith::ConstantOp::create(c->b, element);
}

Value scaleByInstruction(Context &c, Value x, Value realExponent) {
  Type type = compiler::withElement(x.getType(), c.b.getI32Type());
  Value exponent = arith::FPToSIOp::create(c.b, type, realExponent);
  return LLVM::CallIntrinsicOp::create(c.b, x.getType(), c.b.getStringAttr("llvm.ldexp"),
                                       ValueRange{x, exponent})
      .getResult(0);
}

const Function *findFunction(llvm::StringRef name) {
  static const llvm::StringMap<const Function *> table = [] {
    llvm::StringMap<const Function *> all;
    for (llvm::ArrayRef<Function> part :
         {elementaryFunctions(), exactFunctions(), integerFunctions(), specialFunctions()})
      for (const Function &function : part)
        all[function.name] = &function;
    return all;
  }();
  return table.lookup(name);
}

bool fits(const Function &function, TypeRange operands, Type result) {
  SmallVector<Type> types(operands);
  types.push_back(result);
  if (types.size() != function.signature.size())
    return false;
  Type real, whole;
  auto isSame = [](Type &first, Type element) {
    first = first ? first : element;
    return first == element;
  };
  for (auto [letter, type] : llvm::zip_equal(function.signature, types)) {
    Type element = getElementTypeOrSelf(type);
    bool isReal = element.isF32() || element.isF64();
    bool isWhole = element.isInteger(32) || element.isInteger(64);
    bool matches = letter == 'r'   ? isReal && isSame(real, element)
                   : letter == 'n' ? isWhole && isSame(whole, element)
                   : letter == 'f' ? element.isF32()
                   : letter == 'd' ? element.isF64()
                   : letter == 'h' ? element.isInteger(16)
                   : letter == 'i' ? element.isInteger(32)
                                   : element.isInteger(64);
    if (!matches)
      return false;
  }
  return true;
}

} // namespace tritonrt::mathlib
