// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/analysis/Mapped.h"

#include "compiler/analysis/Linear.h"
#include "compiler/dialect/mem/Mem.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <algorithm>

using namespace mlir;

namespace tritonrt::compiler {

/// What a value never exceeds, as far as its definition says so.
static std::optional<int64_t> upperBound(Value value, int depth = 0) {
  if (std::optional<int64_t> known = constantOf(value))
    return known;
  Operation *op = value.getDefiningOp();
  if (!op || depth > 6)
    return std::nullopt;
  // Clearing bits makes a bound smaller.
  if (auto mask = dyn_cast<arith::AndIOp>(op))
    return upperBound(mask.getLhs(), depth + 1);
  if (!isa<arith::MinSIOp>(op))
    return std::nullopt;
  std::optional<int64_t> a = upperBound(op->getOperand(0), depth + 1);
  std::optional<int64_t> b = upperBound(op->getOperand(1), depth + 1);
  return a && b ? std::optional(std::min(*a, *b)) : a ? a : b;
}

Value rootOf(Value base) {
  Value origin = mem::originOf(base);
  return isa<BlockArgument>(origin) ? origin : Value();
}

std::optional<int64_t> mostRounds(scf::ForOp loop) {
  std::optional<int64_t> lower = constantOf(loop.getLowerBound()),
                         step = constantOf(loop.getStep());
  std::optional<int64_t> upper = upperBound(loop.getUpperBound());
  if (!lower || !step || !upper || *step <= 0)
    return std::nullopt;
  return std::max<int64_t>((*upper - *lower + *step - 1) / *step, 0);
}

} // namespace tritonrt::compiler
