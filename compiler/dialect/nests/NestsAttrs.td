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

// For each place, from low to high, the flat bit of the domain that lives there; every flat bit lives
// in one place. -1 in lane or warp is a replicated place: items that differ in it alone do the same,
// and writes and atomics happen where its bits are 0.
def Nests_LayoutAttr : AttrDef<Nests_Dialect, "Layout"> {
  let mnemonic = "layout";
  let parameters = (ins OptionalArrayRefParameter<"int64_t">:$loop,
                        OptionalArrayRefParameter<"int64_t">:$reg,
                        OptionalArrayRefParameter<"int64_t">:$lane,
                        OptionalArrayRefParameter<"int64_t">:$warp);
  let assemblyFormat = [{
    `<` (`loop` `=` `[` $loop^ `]`)? (`reg` `=` `[` $reg^ `]`)? (`lane` `=` `[` $lane^ `]`)?
    (`warp` `=` `[` $warp^ `]`)? `>`
  }];
}

#endif
