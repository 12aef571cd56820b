// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/analysis/Facts.h"

#include "compiler/dialect/mem/Mem.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tritonrt::compiler {

// Scalars far up a chain say little; the bound also keeps the recursion shallow.
static constexpr int maxDepth = 24;
static constexpr int64_t maxDivisor = 4096;

/// Made of arguments, grid sizes, loop counters and constants by ordinary arithmetic.
static bool isSize(Value value, int depth = 0) {
  if (std::optional<int64_t> c = constantOf(value))
    return *c > 0;
  if (auto arg = dyn_cast<BlockArgument>(value)) {
    Operation *parent = arg.getOwner()->getParentOp();
    auto loop = dyn_cast<scf::ForOp>(parent);
    return isa<func::FuncOp>(parent) || (loop && arg == loop.getInductionVar());
  }
  Operation *op = value.getDefiningOp();
  if (isa<mem::ProgramIdOp, mem::NumProgramsOp>(op))
    return true;
  return depth < 12 &&
         isa<arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::DivSIOp, arith::RemSIOp,
             arith::MinSIOp, arith::MaxSIOp, arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp>(op) &&
         llvm::all_of(
             op->getOperands(),
             [&](Value operand) { return constantOf(operand) || isSize(operand, depth + 1); });
}

bool Facts::isNonNegative(Value value) { return computeNonNegative(value, 0); }

bool Facts::isNonNegative(const Linear &sum) {
  return sum.constant >= 0 && llvm::all_of(sum.terms, [&](const Linear::Term &term) {
           return term.second >= 0 && isNonNegative(term.first);
         });
}

bool Facts::computeNonNegative(Value value, int depth) {
  if (std::optional<int64_t> c = constantOf(value))
    return *c >= 0;
  if (auto it = nonNegative.find(value); it != nonNegative.end())
    return it->second;
  if (depth > maxDepth)
    return false;
  auto known = [&](Value v) { return computeNonNegative(v, depth + 1); };
  bool result = false;
  if (auto arg = dyn_cast<BlockArgument>(value)) {
    auto loop = dyn_cast<scf::ForOp>(arg.getOwner()->getParentOp());
    result = loop && arg == loop.getInductionVar() && known(loop.getLowerBound()) &&
             known(loop.getStep());
  } else {
    result =
        llvm::TypeSwitch<Operation *, bool>(value.getDefiningOp())
            .Case<mem::ProgramIdOp, mem::NumProgramsOp, arith::ExtUIOp>([](auto) { return true; })
            .Case<arith::ExtSIOp>([&](auto op) { return known(op.getIn()); })
            .Case<arith::AddIOp, arith::MulIOp, arith::MinSIOp>(
                [&](auto op) { return known(op.getLhs()) && known(op.getRhs()); })
            .Case<arith::MaxSIOp, arith::AndIOp>(
                [&](auto op) { return known(op.getLhs()) || known(op.getRhs()); })
            .Case<arith::DivSIOp>([&](auto op) {
              return known(op.getLhs()) && (known(op.getRhs()) || isSize(op.getRhs()));
            })
            .Case<arith::RemSIOp, arith::ShRSIOp, arith::ShRUIOp>(
                [&](auto op) { return known(op.getLhs()); })
            .Case<arith::SelectOp>(
                [&](auto op) { return known(op.getTrueValue()) && known(op.getFalseValue()); })
            .Default([](Operation *) { return false; });
  }
  return nonNegative[value] = result;
}

int64_t Facts::divisor(Value value) { return computeDivisor(value, 0); }

int64_t Facts::divisor(const Linear &sum) {
  auto powerOf = [](int64_t c) {
    return c == 0 ? maxDivisor : std::min(maxDivisor, int64_t(1) << llvm::countr_zero(uint64_t(c)));
  };
  int64_t result = powerOf(sum.constant);
  for (const auto &[value, coefficient] : sum.terms) {
    int64_t product = std::min(maxDivisor, powerOf(coefficient) * divisor(value));
    result = std::min(result, product);
  }
  return result;
}

static int64_t promisedDivisor(BlockArgument arg) {
  auto function = dyn_cast<func::FuncOp>(arg.getOwner()->getParentOp());
  if (!function)
    return 1;
  auto promise = function.getArgAttrOfType<IntegerAttr>(arg.getArgNumber(), "tt.divisibility");
  int64_t value = promise ? promise.getInt() : 1;
  return value > 0 ? int64_t(1) << llvm::countr_zero(uint64_t(value)) : 1;
}

/// What a loop adds to a value that it carries, in each turn; null where it does something else.
static Value stepOf(scf::ForOp loop, BlockArgument arg) {
  // While a loop is being written it has no end yet.
  Block *body = loop.getBody();
  if (!body->mightHaveTerminator())
    return {};
  Value next = body->getTerminator()->getOperand(arg.getArgNumber() - loop.getNumInductionVars());
  auto sum = next.getDefiningOp<arith::AddIOp>();
  if (!sum)
    return {};
  return sum.getLhs() == arg ? sum.getRhs() : sum.getRhs() == arg ? sum.getLhs() : Value();
}

int64_t Facts::computeDivisor(Value value, int depth) {
  if (std::optional<int64_t> c = constantOf(value))
    return divisor(Linear(*c));
  if (auto it = divisors.find(value); it != divisors.end())
    return it->second;
  if (depth > maxDepth)
    return 1;
  auto known = [&](Value v) { return computeDivisor(v, depth + 1); };
  int64_t result = 1;
  if (auto arg = dyn_cast<BlockArgument>(value)) {
    auto loop = dyn_cast<scf::ForOp>(arg.getOwner()->getParentOp());
    if (loop && arg == loop.getInductionVar())
      result = std::min(known(loop.getLowerBound()), known(loop.getStep()));
    else if (Value step = loop ? stepOf(loop, arg) : Value())
      result = std::min(known(loop.getTiedLoopInit(arg)->get()), known(step));
    else if (promises)
      result = promisedDivisor(arg);
  } else {
    result =
        llvm::TypeSwitch<Operation *, int64_t>(value.getDefiningOp())
            .Case<arith::ExtSIOp, arith::ExtUIOp>([&](auto op) { return known(op.getIn()); })
            .Case<arith::AddIOp, arith::SubIOp, arith::MinSIOp, arith::MaxSIOp>(
                [&](auto op) { return std::min(known(op.getLhs()), known(op.getRhs())); })
            .Case<arith::MulIOp>([&](auto op) { return known(op.getLhs()) * known(op.getRhs()); })
            .Case<arith::ShLIOp>([&](auto op) {
              std::optional<int64_t> bits = constantOf(op.getRhs());
              return bits && *bits >= 0 && *bits < 12 ? known(op.getLhs()) << *bits : 1;
            })
            .Case<mem::OffsetOp>(
                [&](auto op) { return std::min(known(op.getBase()), known(op.getBytes())); })
            .Case<mem::NullOp>([](auto) { return maxDivisor; })
            .Case<mem::BufferOp>([](auto) { return mem::kBufferAlign; })
            .Case<mem::RemoteOp>(
                [&](auto op) { return std::min<int64_t>(known(op.getBase()), mem::kBufferAlign); })
            .Default([](Operation *) { return 1; });
  }
  return divisors[value] = std::min(result, maxDivisor);
}

} // namespace tritonrt::compiler
