// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Modules as bytes. MLIR's reader trusts what it reads, so the bytes travel under a SHA-256: damage
// is found before the reader sees it. That says nothing about who wrote them; like native code,
// they are for places that only their owner can write.
#ifndef TRITONRT_COMPILER_FRONTEND_BYTECODE_H
#define TRITONRT_COMPILER_FRONTEND_BYTECODE_H

#include "mlir/IR/BuiltinOps.h"

#include <string>

namespace tritonrt::compiler {

/// The module in our form of bytecode.
mlir::FailureOr<std::string> writeSealedBytecode(mlir::ModuleOp module);

/// Is this bytecode of any kind, sealed or MLIR's own?
bool looksLikeBytecode(llvm::StringRef bytes);

/// MLIR's bytecode inside of `bytes`. Empty if they are not sealed, or damaged.
llvm::StringRef openSealedBytecode(llvm::StringRef bytes);

} // namespace tritonrt::compiler

#endif // TRITONRT_COMPILER_FRONTEND_BYTECODE_H
