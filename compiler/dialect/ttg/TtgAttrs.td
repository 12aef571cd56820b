// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TRITONRT_TTG_ATTRS_TD
#define TRITONRT_TTG_ATTRS_TD

include "mlir/IR/AttrTypeBase.td"
include "compiler/dialect/ttg/TtgDialect.td"

def Ttg_EncodingAttr : AttrDef<Ttg_Dialect, "Encoding"> {
  let mnemonic = "encoding";
  let summary = "where elements live on a GPU: read, kept in the text, and without any meaning here";
  let description = [{`#ttg.swizzled_shared<{vec = 1, ...}>`, `#ttg.shared_memory`.}];
  let parameters = (ins StringRefParameter<>:$kind, "::mlir::DictionaryAttr":$parameters);
  let hasCustomAssemblyFormat = 1;
}

#endif // TRITONRT_TTG_ATTRS_TD
