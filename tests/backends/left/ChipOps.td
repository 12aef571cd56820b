// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
include "ChipAttrs.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Chip_ScaleOp : Op<Chip_Dialect, "scale", [Pure, SameOperandsAndResultType]> {
  let arguments = (ins AnyType:$x, Chip_RateAttr:$rate);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$x `,` $rate attr-dict `:` type($x)";
}
