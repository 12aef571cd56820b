// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TRITONRT_DIALECT_NESTS_ENUMS_TD
#define TRITONRT_DIALECT_NESTS_ENUMS_TD

include "mlir/IR/EnumAttr.td"

def Nests_KindAttr : I32EnumAttr<"Kind", "how a result is made from the body's values", [
    I32EnumAttrCase<"Tile", 0, "tile">, I32EnumAttrCase<"Reduce", 1, "reduce">,
    I32EnumAttrCase<"Scan", 2, "scan">]> {
  let cppNamespace = "::tritonrt::nests";
}

def Nests_DeadAttr : I32EnumAttr<"Dead", "what elements outside the live box add to a reduction", [
    // The live box covers the reduced dims.
    I32EnumAttrCase<"None", 0, "none">,
    // Their common value is combined once, if there are any.
    I32EnumAttrCase<"Once", 1, "once">,
    // Their common value times their number is added (one operand, addf or addi).
    I32EnumAttrCase<"Count", 2, "count">]> {
  let cppNamespace = "::tritonrt::nests";
}

#endif
