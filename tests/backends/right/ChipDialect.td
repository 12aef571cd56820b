// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEST_right_CHIP_DIALECT_TD
#define TEST_right_CHIP_DIALECT_TD

include "mlir/IR/OpBase.td"

def Chip_Dialect : Dialect {
  let name = "chip";
  let cppNamespace = "::right::chip";
  let useDefaultAttributePrinterParser = 1;
}

#endif
