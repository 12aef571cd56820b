// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TRITONRT_DSA_DIALECT_TD
#define TRITONRT_DSA_DIALECT_TD

include "mlir/IR/DialectBase.td"

def Dsa_Dialect : Dialect {
  let name = "dsa";
  let cppNamespace = "::tritonrt::dsa";
  let summary = "Triton language extensions for tiled chips: the buffers are memrefs";
}

#endif // TRITONRT_DSA_DIALECT_TD
