// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which loops count is decided so that the scf.for does what the scf.while does for every start and
// bound, wrapping included:
//
//   up,   i <  n, i += s        scf.for from i to n in the counter's own type. The counter ends in
//                               [n, n + s) and may not pass the type's greatest value: s is a power
//                               of two (then a counter that wraps never ends the loop, and such a
//                               loop has no behaviour to keep) or n a constant that leaves room
//   down, i >  b, i -= s        trips = max(0, ceildiv(i - b, s)) in i64. The counter ends in
//                               (b - s, b]; that may not be below the type's least value, so s is 1
//                               or b a constant that leaves room
//   i != n, i += 1 or -= 1      trips = the distance, modulo 2^width
//
// Everything else stays an scf.while.
#include "compiler/frontend/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace tritonrt::compiler {
namespace {

using Predicate = arith::CmpIPredicate;

/// How an scf.while counts.
struct Counter {
  /// Index among the loop's inits.
  unsigned index;
  /// The loop goes on while `counter predicate bound`.
  Predicate predicate;
  Value bound;
  /// Added once a trip; negative for counting down.
  int64_t step;
};

bool isInvariant(Value value, scf::WhileOp loop) {
  return !loop->isAncestor(value.getParentRegion()->getParentOp());
}

std::optional<int64_t> constantOf(Value value) {
  APInt number;
  if (matchPattern(value, m_ConstantInt(&number)) && number.getBitWidth() <= 64)
    return number.getSExtValue();
  return std::nullopt;
}

/// `a predicate b` as `b predicate a`, for the signed predicates and the symmetric ones.
Predicate swapSides(Predicate predicate) {
  switch (predicate) {
  case Predicate::slt:
    return Predicate::sgt;
  case Predicate::sle:
    return Predicate::sge;
  case Predicate::sgt:
    return Predicate::slt;
  case Predicate::sge:
    return Predicate::sle;
  default:
    return predicate;
  }
}

/// How far `next` is from the counter, which the body sees as `current`; 0 if that is not a
/// constant.
int64_t stepBetween(Value current, Value next) {
  Operation *update = next.getDefiningOp();
  if (auto add = dyn_cast_if_present<arith::AddIOp>(update)) {
    if (add.getLhs() == current)
      return constantOf(add.getRhs()).value_or(0);
    return add.getRhs() == current ? constantOf(add.getLhs()).value_or(0) : 0;
  }
  auto sub = dyn_cast_if_present<arith::SubIOp>(update);
  if (!sub || sub.getLhs() != current)
    return 0;
  int64_t step = constantOf(sub.getRhs()).value_or(0);
  return step == std::numeric_limits<int64_t>::min() ? 0 : -step;
}

/// The condition compares a value that is carried with one that does not change. Nothing else that
/// the condition region does may have effects: it is copied.
std::optional<Counter> matchCounter(scf::WhileOp loop) {
  Block *before = loop.getBeforeBody();
  for (Operation &op : before->without_terminator())
    if (!isPure(&op))
      return std::nullopt;
  scf::ConditionOp condition = loop.getConditionOp();
  auto compare = condition.getCondition().getDefiningOp<arith::CmpIOp>();
  if (!compare || compare->getBlock() != before)
    return std::nullopt;
  auto carried = dyn_cast<BlockArgument>(compare.getLhs());
  Counter counter{0, compare.getPredicate(), compare.getRhs(), 0};
  if (!carried || carried.getOwner() != before) {
    carried = dyn_cast<BlockArgument>(compare.getRhs());
    counter.predicate = swapSides(compare.getPredicate());
    counter.bound = compare.getLhs();
  }
  auto type = carried ? dyn_cast<IntegerType>(carried.getType()) : IntegerType();
  if (!carried || carried.getOwner() != before || !isInvariant(counter.bound, loop) || !type ||
      type.getWidth() > 64 || type.getWidth() < 8)
    return std::nullopt;
  counter.index = carried.getArgNumber();
  Value next = loop.getYieldOp().getOperand(counter.index);
  for (auto [argument, forwarded] :
       llvm::zip_equal(loop.getAfterArguments(), condition.getArgs())) {
    if (forwarded == carried)
      counter.step = stepBetween(argument, next);
    if (counter.step != 0)
      return counter;
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Trips
//===----------------------------------------------------------------------===//

/// A counted loop in terms of an scf.for: its bounds, and how the counter follows from the for's
/// own variable.
struct Plan {
  Value lower, upper, step;
  /// The for's variable is the counter; else counter = start - variable * down.
  bool direct = false;
  int64_t down = 0;
  /// The counter behind the loop; null where it cannot be told.
  Value last;
};

class Planner {
public:
  Planner(OpBuilder &builder, Location loc, scf::WhileOp loop, const Counter &counter)
      : builder(builder), loc(loc), counter(counter), start(loop.getInits()[counter.index]),
        type(cast<IntegerType>(start.getType())) {
    for (auto [result, forwarded] :
         llvm::zip_equal(loop.getResults(), loop.getConditionOp().getArgs()))
      lastIsUsed |= !result.use_empty() && dependsOnCounter(forwarded, loop);
  }

  std::optional<Plan> run() {
    int64_t step = counter.step;
    std::optional<int64_t> bound = constantOf(counter.bound);
    // Taking off the least value is adding what the type cannot say.
    if (step > greatest())
      return std::nullopt;
    switch (counter.predicate) {
    case Predicate::slt:
      return step > 0 ? up(bound) : std::nullopt;
    case Predicate::sle:
      if (step < 0 || !bound || *bound == greatest())
        return std::nullopt;
      counter.bound = constant(*bound + 1, type);
      return up(*bound + 1);
    case Predicate::sgt:
      return step < 0 ? down(-step, bound) : std::nullopt;
    case Predicate::sge:
      if (step > 0 || !bound || *bound == least())
        return std::nullopt;
      counter.bound = constant(*bound - 1, type);
      return down(-step, *bound - 1);
    case Predicate::ne:
      return step == 1 || step == -1 ? distance(step) : std::nullopt;
    default:
      return std::nullopt;
    }
  }

private:
  /// Does a value that the loop gives need the counter's last value? What the condition region
  /// computes may.
  static bool dependsOnCounter(Value forwarded, scf::WhileOp loop) {
    auto argument = dyn_cast<BlockArgument>(forwarded);
    if (argument && argument.getOwner() == loop.getBeforeBody())
      return argument == dyn_cast<BlockArgument>(counterOf(loop));
    return forwarded.getParentBlock() == loop.getBeforeBody();
  }
  static Value counterOf(scf::WhileOp loop) {
    auto compare = loop.getConditionOp().getCondition().getDefiningOp<arith::CmpIOp>();
    bool left = isa<BlockArgument>(compare.getLhs()) &&
                compare.getLhs().getParentBlock() == loop.getBeforeBody();
    return left ? compare.getLhs() : compare.getRhs();
  }

  Value constant(int64_t value, Type of) {
    return arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(of, value));
  }
  Value wide(Value value) {
    Type i64 = builder.getI64Type();
    return value.getType() == i64 ? value : arith::ExtSIOp::create(builder, loc, i64, value);
  }
  Value narrow(Value value) {
    return value.getType() == type ? value : arith::TruncIOp::create(builder, loc, type, value);
  }
  int64_t least() const { return APInt::getSignedMinValue(type.getWidth()).getSExtValue(); }
  int64_t greatest() const { return APInt::getSignedMaxValue(type.getWidth()).getSExtValue(); }

  /// max(0, high - low) in i64. The caller knows that this fits.
  Value distanceUp(Value low, Value high) {
    Value from = wide(low);
    Value to = arith::MaxSIOp::create(builder, loc, wide(high), from);
    return arith::SubIOp::create(builder, loc, to, from);
  }

  /// ceildiv(distance, step) for a distance of 0 or more, without a sum that could overflow.
  Value trips(Value distance, int64_t step) {
    Type i64 = builder.getI64Type();
    if (step == 1)
      return distance;
    Value divisor = constant(step, i64);
    if (type.getWidth() < 64) {
      Value rounded = arith::AddIOp::create(builder, loc, distance, constant(step - 1, i64));
      return arith::DivSIOp::create(builder, loc, rounded, divisor);
    }
    Value some = arith::MinSIOp::create(builder, loc, distance, constant(1, i64));
    Value rest = arith::SubIOp::create(builder, loc, distance, some);
    Value whole = arith::DivSIOp::create(builder, loc, rest, divisor);
    return arith::AddIOp::create(builder, loc, whole, some);
  }

  /// Counts up while below the bound.
  std::optional<Plan> up(std::optional<int64_t> bound) {
    int64_t step = counter.step;
    bool leavesRoom = bound && *bound <= greatest() - step + 1;
    if (!leavesRoom && !llvm::isPowerOf2_64(step))
      return std::nullopt;
    // The distance of two i64 may not fit.
    if (lastIsUsed && type.getWidth() == 64)
      return std::nullopt;
    Plan plan;
    plan.direct = true;
    plan.lower = start;
    plan.upper = counter.bound;
    plan.step = constant(step, type);
    if (lastIsUsed) {
      Value count = trips(distanceUp(start, counter.bound), step);
      Value moved = arith::MulIOp::create(builder, loc, narrow(count), plan.step);
      plan.last = arith::AddIOp::create(builder, loc, start, moved);
    }
    return plan;
  }

  /// Counts down while above the bound.
  std::optional<Plan> down(int64_t step, std::optional<int64_t> bound) {
    if (step != 1 && (!bound || *bound < least() + step - 1))
      return std::nullopt;
    // From a bound of 0 on, neither the distance nor the trips exceed what the type can say.
    bool fits = bound && *bound >= 0;
    if (type.getWidth() == 64 && !fits)
      return std::nullopt;
    return countedDown(trips(distanceUp(counter.bound, start), step), step, fits);
  }

  std::optional<Plan> distance(int64_t step) {
    if (type.getWidth() == 64)
      return std::nullopt;
    Value low = step > 0 ? start : counter.bound, high = step > 0 ? counter.bound : start;
    Value apart = arith::SubIOp::create(builder, loc, high, low);
    Value count = arith::ExtUIOp::create(builder, loc, builder.getI64Type(), apart);
    return countedDown(count, -step, /*tripsFit=*/false);
  }

  /// `count` trips, each of which takes `step` off the counter.
  Plan countedDown(Value count, int64_t step, bool tripsFit) {
    Plan plan;
    plan.down = step;
    Type of = tripsFit ? Type(type) : builder.getI64Type();
    plan.lower = constant(0, of);
    plan.upper = tripsFit ? narrow(count) : count;
    plan.step = constant(1, of);
    Value moved = arith::MulIOp::create(builder, loc, narrow(count), constant(step, type));
    plan.last = arith::SubIOp::create(builder, loc, start, moved);
    return plan;
  }

  OpBuilder &builder;
  Location loc;
  Counter counter;
  Value start;
  IntegerType type;
  bool lastIsUsed = false;
};

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

/// Copies what the condition region computes, for carried values as `mapping` has them.
void copyBefore(OpBuilder &builder, scf::WhileOp loop, IRMapping &mapping) {
  for (Operation &op : loop.getBeforeBody()->without_terminator())
    builder.clone(op, mapping);
}

void rewrite(scf::WhileOp loop, const Counter &counter, const Plan &plan) {
  IRRewriter rewriter(loop.getContext());
  rewriter.setInsertionPoint(loop);
  Location loc = loop.getLoc();
  unsigned index = counter.index;
  Value start = loop.getInits()[index];
  SmallVector<Value> inits(loop.getInits());
  inits.erase(inits.begin() + index);
  auto fresh = scf::ForOp::create(rewriter, loc, plan.lower, plan.upper, plan.step, inits);
  fresh->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
  Block *body = fresh.getBody();
  // Without carried values the builder has put a terminator.
  if (!body->empty())
    rewriter.eraseOp(&body->back());
  rewriter.setInsertionPointToStart(body);

  Value now = fresh.getInductionVar();
  if (!plan.direct) {
    if (now.getType() != start.getType())
      now = arith::TruncIOp::create(rewriter, loc, start.getType(), now);
    Value down = arith::ConstantOp::create(rewriter, loc,
                                           rewriter.getIntegerAttr(start.getType(), plan.down));
    now = arith::SubIOp::create(rewriter, loc, start,
                                arith::MulIOp::create(rewriter, loc, now, down));
  }
  auto carried = [&](ValueRange others, Value own) {
    SmallVector<Value> all(others);
    all.insert(all.begin() + index, own);
    return all;
  };
  IRMapping inBody, behind;
  inBody.map(loop.getBeforeArguments(), carried(fresh.getRegionIterArgs(), now));
  copyBefore(rewriter, loop, inBody);
  scf::ConditionOp condition = loop.getConditionOp();
  auto given = [&](IRMapping &mapping) {
    return llvm::map_to_vector(condition.getArgs(),
                               [&](Value v) { return mapping.lookupOrDefault(v); });
  };
  rewriter.inlineBlockBefore(loop.getAfterBody(), body, body->end(), given(inBody));
  auto yield = cast<scf::YieldOp>(body->back());
  yield->eraseOperand(index);

  rewriter.setInsertionPointAfter(fresh);
  // Where the counter's last value is not known, nothing asks for it.
  behind.map(loop.getBeforeArguments(), carried(fresh.getResults(), plan.last ? plan.last : start));
  copyBefore(rewriter, loop, behind);
  rewriter.replaceOp(loop, given(behind));
}

struct CountedLoopsPass : public PassWrapper<CountedLoopsPass, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(CountedLoopsPass)

  StringRef getArgument() const final { return "tt-counted-loops"; }
  StringRef getDescription() const final { return "Turn loops that count into scf.for"; }

  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<arith::ArithDialect, scf::SCFDialect>();
  }

  void runOnOperation() override {
    simplify();
    SmallVector<scf::WhileOp> loops;
    getOperation()->walk([&](scf::WhileOp loop) { loops.push_back(loop); });
    bool changed = false;
    for (scf::WhileOp loop : loops)
      changed |= convert(loop);
    if (changed)
      simplify();
  }

private:
  static bool convert(scf::WhileOp loop) {
    std::optional<Counter> counter = matchCounter(loop);
    if (!counter)
      return false;
    OpBuilder builder(loop);
    std::optional<Plan> plan = Planner(builder, loop.getLoc(), loop, *counter).run();
    if (plan)
      rewrite(loop, *counter, *plan);
    return plan.has_value();
  }

  /// Folds constants and drops what loops and branches carry for nothing.
  void simplify() {
    MLIRContext *context = &getContext();
    RewritePatternSet patterns(context);
    scf::ForOp::getCanonicalizationPatterns(patterns, context);
    scf::WhileOp::getCanonicalizationPatterns(patterns, context);
    scf::IfOp::getCanonicalizationPatterns(patterns, context);
    GreedyRewriteConfig config;
    config.setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled);
    (void)applyPatternsGreedily(getOperation(), std::move(patterns), config);
  }
};

} // namespace

std::unique_ptr<Pass> createTtCountedLoopsPass() { return std::make_unique<CountedLoopsPass>(); }

} // namespace tritonrt::compiler
