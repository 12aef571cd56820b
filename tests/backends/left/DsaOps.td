// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
include "DsaDialect.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Dsa_TwiceOp : Op<Dsa_Dialect, "twice", [Pure, SameOperandsAndResultType]> {
  let arguments = (ins AnyType:$x);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$x attr-dict `:` type($x)";
}
