// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEST_left_CHIP_ATTRS_TD
#define TEST_left_CHIP_ATTRS_TD

include "ChipDialect.td"
include "mlir/IR/AttrTypeBase.td"

def Chip_RateAttr : AttrDef<Chip_Dialect, "Rate"> {
  let mnemonic = "rate";
  let parameters = (ins "int64_t":$value);
  let assemblyFormat = "`<` $value `>`";
}

#endif
