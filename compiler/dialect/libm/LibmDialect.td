// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TRITONRT_LIBM_DIALECT_TD
#define TRITONRT_LIBM_DIALECT_TD

include "mlir/IR/DialectBase.td"

def Libm_Dialect : Dialect {
  let name = "libm";
  let cppNamespace = "::tritonrt::libm";
  let summary = "functions of mathematical libraries that MLIR has no op for";
}

#endif // TRITONRT_LIBM_DIALECT_TD
