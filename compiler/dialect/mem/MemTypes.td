// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TRITONRT_DIALECT_MEM_TYPES_TD
#define TRITONRT_DIALECT_MEM_TYPES_TD

include "mlir/IR/AttrTypeBase.td"
include "MemDialect.td"
include "MemEnums.td"

def Mem_PtrType : TypeDef<Mem_Dialect, "Ptr"> {
  let mnemonic = "ptr";
  let summary = "An address in one space; accesses say what they read";
  let parameters = (ins EnumParameter<Mem_SpaceAttr>:$space);
  let assemblyFormat = "`<` $space `>`";
}

#endif
