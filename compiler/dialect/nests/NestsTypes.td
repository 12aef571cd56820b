// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TRITONRT_DIALECT_NESTS_TYPES_TD
#define TRITONRT_DIALECT_NESTS_TYPES_TD

include "mlir/IR/AttrTypeBase.td"
include "NestsDialect.td"

def Nests_ViewType : TypeDef<Nests_Dialect, "View"> {
  let mnemonic = "view";
  let summary = "An address function over a box of indices";
  // The accessed elements: a ranked tensor, or a scalar for rank 0.
  let parameters = (ins "::mlir::Type":$access);
  let assemblyFormat = "`<` $access `>`";
  let extraClassDeclaration = [{
    ::llvm::ArrayRef<int64_t> getShape() {
      auto tensor = ::mlir::dyn_cast<::mlir::RankedTensorType>(getAccess());
      return tensor ? tensor.getShape() : ::llvm::ArrayRef<int64_t>();
    }
    ::mlir::Type getElementType() { return ::mlir::getElementTypeOrSelf(getAccess()); }
  }];
}

#endif
