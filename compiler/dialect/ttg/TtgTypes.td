// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TRITONRT_TTG_TYPES_TD
#define TRITONRT_TTG_TYPES_TD

include "mlir/IR/AttrTypeBase.td"
include "compiler/dialect/ttg/TtgDialect.td"

def Ttg_MemDescType : TypeDef<Ttg_Dialect, "MemDesc"> {
  let mnemonic = "memdesc";
  let summary = "a local buffer, or a part of one";
  let description = [{
    `!ttg.memdesc<64x64xf16, #shared, #smem, mutable>`, a part with the shape of the whole behind:
    `, 2x64x64`. Elements lie row by row whatever the encoding.
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$shape, "::mlir::Type":$elementType,
                        "::mlir::Attribute":$encoding, "::mlir::Attribute":$memorySpace,
                        "bool":$isMutable, ArrayRefParameter<"int64_t">:$allocShape);
  let hasCustomAssemblyFormat = 1;
}

def Ttg_AsyncTokenType : TypeDef<Ttg_Dialect, "AsyncToken"> {
  let mnemonic = "async.token";
  let summary = "tells that a copy has begun";
}

#endif // TRITONRT_TTG_TYPES_TD
