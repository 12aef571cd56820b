// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TRITONRT_TTG_DIALECT_TD
#define TRITONRT_TTG_DIALECT_TD

include "mlir/IR/DialectBase.td"

def Ttg_Dialect : Dialect {
  let name = "ttg";
  let cppNamespace = "::tritonrt::ttg";
  let summary = "what plain Triton IR and its extensions borrow from TritonGPU";
  let useDefaultTypePrinterParser = 1;
  let extraClassDeclaration = [{
    ::mlir::Attribute parseAttribute(::mlir::DialectAsmParser &parser,
                                     ::mlir::Type type) const override;
    void printAttribute(::mlir::Attribute attr, ::mlir::DialectAsmPrinter &printer) const override;
    void registerMemDescs();
  }];
}

#endif // TRITONRT_TTG_DIALECT_TD
