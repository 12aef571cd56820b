// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TRITONRT_TT_DIALECT_TD
#define TRITONRT_TT_DIALECT_TD

include "mlir/IR/DialectBase.td"

def Tt_Dialect : Dialect {
  let name = "tt";
  let cppNamespace = "::tritonrt::tt";
  let summary = "Triton's own IR, as its `ttir` stage writes it";
  let description = [{
    Reads the text of every Triton version from 2.1 to 3.9. Each op holds one set of attributes
    whatever the version of the text; older spellings are resolved while parsing or by
    `upgradeModule` right after. The printed form is the newest one that holds the information.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
  let hasConstantMaterializer = 1;
  let extraClassDeclaration = [{
    void registerTypes();
  }];
}

#endif // TRITONRT_TT_DIALECT_TD
