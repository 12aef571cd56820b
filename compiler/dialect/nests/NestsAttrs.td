// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TRITONRT_DIALECT_NESTS_ATTRS_TD
#define TRITONRT_DIALECT_NESTS_ATTRS_TD

include "mlir/IR/AttrTypeBase.td"
include "NestsDialect.td"
include "NestsEnums.td"

// One a result. `dims`: the reduced dims (increasing), or the one scanned dim. Results of one
// multi-operand reduction or scan are neighbours with the same `group`, which numbers the combine
// regions.
def Nests_ResultAttr : AttrDef<Nests_Dialect, "Result"> {
  let mnemonic = "result";
  let parameters = (ins EnumParameter<Nests_KindAttr>:$kind,
                        OptionalArrayRefParameter<"int64_t">:$dims,
                        DefaultValuedParameter<"bool", "false">:$reverse,
                        DefaultValuedParameter<"int64_t", "-1">:$group);
  let assemblyFormat = [{
    `<` $kind (`dims` `=` `[` $dims^ `]`)? (`reverse` `=` $reverse^)? (`group` `=` $group^)? `>`
  }];
}

#endif
