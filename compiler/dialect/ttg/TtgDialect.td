// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TRITONRT_TTG_DIALECT_TD
#define TRITONRT_TTG_DIALECT_TD

include "mlir/IR/DialectBase.td"

def Ttg_Dialect : Dialect {
  let name = "ttg";
  let cppNamespace = "::tritonrt::ttg";
  let summary = "what plain Triton IR borrows from TritonGPU";
}

#endif // TRITONRT_TTG_DIALECT_TD
