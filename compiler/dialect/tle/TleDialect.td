// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TRITONRT_TLE_DIALECT_TD
#define TRITONRT_TLE_DIALECT_TD

include "mlir/IR/DialectBase.td"

def Tle_Dialect : Dialect {
  let name = "tle";
  let cppNamespace = "::tritonrt::tle";
  let summary = "Triton language extensions: local buffers and meshes of programs that talk";
  let description = [{
    The GPU flavour; its buffers are `!ttg.memdesc`. Each program has its own instance of every
    buffer. A remote pointer addresses the same element in the program of that rank in the mesh.
  }];
  let extraClassDeclaration = [{
    std::optional<ParseOpHook> getParseOperationHook(::llvm::StringRef name) const override;
  }];
}

#endif // TRITONRT_TLE_DIALECT_TD
