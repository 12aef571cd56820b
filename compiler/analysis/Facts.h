// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What holds of scalars of the translated function, whatever the launch.
#ifndef TRITONRT_COMPILER_ANALYSIS_FACTS_H
#define TRITONRT_COMPILER_ANALYSIS_FACTS_H

#include "compiler/analysis/Linear.h"

namespace tritonrt::compiler {

class Facts {
public:
  /// Without `promises` the kernel's tt.divisibility counts for nothing.
  explicit Facts(bool promises) : promises(promises) {}

  /// A program's coordinates and what is made of them by sums, products and quotients. A launch has
  /// no programs at negative sizes and none whose coordinates leave the width of their type: a
  /// divisor that is made of arguments is taken as positive, products as not wrapping.
  bool isNonNegative(mlir::Value value);
  bool isNonNegative(const Linear &sum);

  /// A power of two, at most 4096, that divides the value (or the pointer's address).
  int64_t divisor(mlir::Value value);
  int64_t divisor(const Linear &sum);

private:
  bool computeNonNegative(mlir::Value value, int depth);
  int64_t computeDivisor(mlir::Value value, int depth);

  bool promises;
  llvm::DenseMap<mlir::Value, bool> nonNegative;
  llvm::DenseMap<mlir::Value, int64_t> divisors;
};

} // namespace tritonrt::compiler

#endif // TRITONRT_COMPILER_ANALYSIS_FACTS_H
