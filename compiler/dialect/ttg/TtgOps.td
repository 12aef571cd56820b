// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TRITONRT_TTG_OPS_TD
#define TRITONRT_TTG_OPS_TD

include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "compiler/dialect/ttg/TtgDialect.td"

def Ttg_BarrierOp : Op<Ttg_Dialect, "barrier", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "orders the accesses of a program's threads";
  let description = [{
    `ttg.barrier all`, or several of local, global_read, global_write, tensor_read, tensor_write
    joined by `|`. `gpu.barrier` of older texts becomes `ttg.barrier all`.
  }];
  let arguments = (ins DefaultValuedAttr<I32Attr, "31">:$addrSpace);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

#endif // TRITONRT_TTG_OPS_TD
