// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mem: memory as the mapped program sees it. Addresses are a typed-by-space pointer plus an index;
// there are no tensors. Together with scf, arith, math and vector it is the IR that every end
// (LLVM IR, OpenCL C) reads.

#ifndef TRITONRT_DIALECT_MEM_TD
#define TRITONRT_DIALECT_MEM_TD

include "mlir/IR/OpBase.td"

def Mem_Dialect : Dialect {
  let name = "mem";
  let cppNamespace = "::tritonrt::mem";
  let summary = "Pointers, scalar and vector accesses, atomics, program ids";
  let useDefaultTypePrinterParser = 1;
}

#endif
