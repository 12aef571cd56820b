// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The mathematical functions that the compiler can write as arithmetic, by name: those of C's
// <math.h> and of CUDA's libdevice without their suffix for a type.
#ifndef TRITONRT_COMPILER_MATH_FUNCTIONS_H
#define TRITONRT_COMPILER_MATH_FUNCTIONS_H

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace tritonrt::mathlib {

struct Context;

/// Builds the value of a function of operands as its signature says, scalars or vectors of one
/// shape.
using BuildFunction = mlir::Value (*)(Context &, mlir::ValueRange);

struct Function {
  llvm::StringLiteral name;
  /// A letter for each operand and, last, one for the result: `r` for f32 or f64 and `n` for i32 or
  /// i64, the same for all; `f` f32, `d` f64, `h` i16, `i` i32, `l` i64.
  llvm::StringLiteral signature;
  BuildFunction build;
};

/// The function of that name, or nullptr.
const Function *findFunction(llvm::StringRef name);

/// Do the elements of operands and result fit the signature?
bool fits(const Function &function, mlir::TypeRange operands, mlir::Type result);

/// The parts of the table, a file each.
llvm::ArrayRef<Function> elementaryFunctions();
llvm::ArrayRef<Function> exactFunctions();
llvm::ArrayRef<Function> integerFunctions();
llvm::ArrayRef<Function> specialFunctions();

} // namespace tritonrt::mathlib

#endif // TRITONRT_COMPILER_MATH_FUNCTIONS_H
