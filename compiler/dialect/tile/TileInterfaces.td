// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TRITONRT_DIALECT_TILE_INTERFACES_TD
#define TRITONRT_DIALECT_TILE_INTERFACES_TD

include "mlir/IR/OpBase.td"

def Tile_AddressInterface : OpInterface<"AddressOp"> {
  let cppNamespace = "::tritonrt::tile";
  let description = [{The address part shared by every access; see TileDialect.td.}];
  let methods = [
    InterfaceMethod<"", "::mlir::Value", "getBase">,
    InterfaceMethod<"", "::mlir::OperandRange", "getStrides">,
    InterfaceMethod<"", "::mlir::OperandRange", "getLo">,
    InterfaceMethod<"", "::mlir::OperandRange", "getHi">,
    InterfaceMethod<"", "::mlir::Value", "getWrapStart">,
    InterfaceMethod<"", "::mlir::Value", "getWrapSize">,
    InterfaceMethod<"", "::mlir::Value", "getOffsets">,
    InterfaceMethod<"", "::mlir::Value", "getMask">,
    InterfaceMethod<"", "::llvm::ArrayRef<int64_t>", "getStaticStrides">,
    InterfaceMethod<"", "::llvm::ArrayRef<int64_t>", "getBoxDims">,
    InterfaceMethod<"", "int64_t", "getWrapDim">,
    InterfaceMethod<"", "int64_t", "getUnit">,
    InterfaceMethod<"", "int64_t", "getRoot">,
    InterfaceMethod<"", "int64_t", "getAlign">,
    InterfaceMethod<"The accessed elements: a scalar or a tensor", "::mlir::Type", "getAccessType">,
  ];
}

#endif
