// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TRITONRT_LIBM_OPS_TD
#define TRITONRT_LIBM_OPS_TD

include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "compiler/dialect/libm/LibmDialect.td"

def Libm_CallOp : Op<Libm_Dialect, "call", [Pure] # ElementwiseMappable.traits> {
  let summary = "a function by its name, on each element";
  let description = [{
    `libm.call "erfcx" (%x) : (f32) -> f32`. The names are those of `compiler/math/Functions.h`; floats
    are f32 or f64, integers i32, scalars, vectors or tensors of one shape. `expand-math` writes it
    as arithmetic.
  }];
  let arguments = (ins StrAttr:$function, Variadic<AnyType>:$operands);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$function `(` $operands `)` attr-dict `:` functional-type($operands, $result)";
}

#endif // TRITONRT_LIBM_OPS_TD
