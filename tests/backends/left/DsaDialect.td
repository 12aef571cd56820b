// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEST_LEFT_DSA_DIALECT_TD
#define TEST_LEFT_DSA_DIALECT_TD

include "mlir/IR/OpBase.td"

/// Takes the place of the main dialect of that name.
def Dsa_Dialect : Dialect {
  let name = "dsa";
  let cppNamespace = "::left::dsa";
}

#endif
