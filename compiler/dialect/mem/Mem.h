// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TRITONRT_COMPILER_DIALECT_MEM_H
#define TRITONRT_COMPILER_DIALECT_MEM_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "llvm/ADT/SetVector.h"

#include "compiler/dialect/mem/MemDialect.h.inc"
#include "compiler/dialect/mem/MemEnums.h.inc"

#define GET_TYPEDEF_CLASSES
#include "compiler/dialect/mem/MemTypes.h.inc"
#define GET_OP_CLASSES
#include "compiler/dialect/mem/MemOps.h.inc"

namespace tritonrt::mem {

/// On a loop: few of a grid's programs run it, so short code is worth more than fast code.
inline constexpr llvm::StringLiteral kRareAttr = "mem.rare";

/// What the start of every alloc and every buffer is a multiple of, in bytes.
inline constexpr int64_t kBufferAlign = 64;

/// Bytes that one element of `type` (or of its lanes) takes in memory: an i1 takes one, a pointer
/// eight.
int64_t elementBytes(mlir::Type type);

/// All ops that use `pointer` or a pointer made from it.
llvm::SetVector<mlir::Operation *> usersOf(mlir::Value pointer);

/// What a pointer is an offset into: the first pointer on the way that is none itself.
mlir::Value originOf(mlir::Value pointer);

} // namespace tritonrt::mem

#endif // TRITONRT_COMPILER_DIALECT_MEM_H
