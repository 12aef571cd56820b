// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Floats that a target has no registers for, as their bits in integers: conversions to and from
// f32, built from ops that every target has. Scalars and vectors alike.
#ifndef TRITONRT_COMPILER_PASSES_SCALARS_SMALLFLOAT_H
#define TRITONRT_COMPILER_PASSES_SCALARS_SMALLFLOAT_H

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace tritonrt::compiler {

/// A float of at most 16 bits: sign, exponent, `mantissa` bits.
struct SmallFloat {
  unsigned width;
  unsigned mantissa;
  int bias;
  /// Magnitude of the largest finite number.
  uint32_t most;
  /// Magnitude of infinity, or 0 where the format has none.
  uint32_t infinity;
  /// The code of NaN that conversions make; the sign is kept unless it is the sign bit alone.
  uint32_t nan;

  /// Has one zero and one NaN, whose code is that of -0 elsewhere.
  bool hasOneZero() const { return nan == 1u << (width - 1); }

  /// The description of `type`, or nullptr for a type that is none of these.
  static const SmallFloat *find(mlir::Type type);
};

/// The f32 of the same value. `bits` is an integer of the format's width. Exact.
/// `hasHalf`: the target converts f16 to f32 itself.
mlir::Value decode(mlir::ImplicitLocOpBuilder &b, const SmallFloat &format, mlir::Value bits,
                   bool hasHalf);

/// The code nearest to an f32, ties to even, or the nearest towards zero. f8 formats saturate, as
/// Triton's conversions do; the others overflow to infinity (towards zero: to the largest number).
/// Towards zero an infinity stays one where the format has it.
mlir::Value encode(mlir::ImplicitLocOpBuilder &b, const SmallFloat &format, mlir::Value number,
                   bool towardZero);

enum class DoubleRounding {
  /// Towards zero.
  Truncate,
  /// To the neighbour whose last bit is 1 unless exact: rounding once more to a format with at
  /// least two bits fewer then gives what rounding the double at once gives.
  ToOdd
};
/// f64 to f32.
mlir::Value roundDouble(mlir::ImplicitLocOpBuilder &b, mlir::Value number, DoubleRounding mode);

} // namespace tritonrt::compiler

#endif // TRITONRT_COMPILER_PASSES_SCALARS_SMALLFLOAT_H
