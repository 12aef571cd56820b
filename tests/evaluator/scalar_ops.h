// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TRITONRT_TESTS_EVALUATOR_SCALAR_OPS_H_
#define TRITONRT_TESTS_EVALUATOR_SCALAR_OPS_H_

#include <cstdint>
#include <optional>

#include "mlir/IR/Operation.h"

namespace tritonrt::evaluator {

/// Bits of an element: integers zero-extended, floats as they lie in memory, pointers as addresses.
using Bits = uint64_t;

/// Width in bits as values are held; i1 is 1, index and pointers are 64.
unsigned BitWidth(mlir::Type element);
/// Bytes that one element takes in memory.
unsigned ByteSize(mlir::Type element);

double ToDouble(Bits bits, mlir::Type type);
/// Rounds to nearest, ties to even.
Bits FromDouble(double value, mlir::Type type);
int64_t ToSigned(Bits bits, mlir::Type type);
Bits FromInt(int64_t value, mlir::Type type);

/// One element of an elementwise op of arith, math or tt. Floats are computed in double and rounded
/// to the op's own type, which for one operation is the same as computing in that type. Nothing if
/// the op is not known, or divides by zero.
std::optional<Bits> EvaluateScalar(mlir::Operation* op, llvm::ArrayRef<Bits> in,
                                   llvm::ArrayRef<mlir::Type> types, mlir::Type result);

}  // namespace tritonrt::evaluator

#endif  // TRITONRT_TESTS_EVALUATOR_SCALAR_OPS_H_
