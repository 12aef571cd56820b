// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tensors become nests, in one walk forward over each block. Ops with an effect, reductions, scans
// and values that somebody needs as a whole are roots; a root joins the first open nest of its
// domain that order and data allow, and pulls the pure ops and loads that it needs into the body.
// So a value used by several roots of one nest is computed once, and one used once is never stored.
//
// A load moves down to its users. It may, as long as no conflicting write stands between: the plan
// of a block finds the loads for which that fails and makes them tiles where they stand.
#include "compiler/Fault.h"
#include "compiler/passes/Passes.h"

#include "compiler/analysis/Order.h"
#include "compiler/dialect/tt/TtOps.h"
#include "compiler/passes/nests/BlockPlan.h"
#include "compiler/passes/nests/NestBody.h"
#include "compiler/passes/strips/Products.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/TypeUtilities.h"

#include <deque>

using namespace mlir;

namespace tritonrt::compiler {

namespace {

bool isTensor(Value value) { return isa<RankedTensorType>(value.getType()); }
ArrayRef<int64_t> shapeOf(Value value) {
  return cast<RankedTensorType>(value.getType()).getShape();
}

/// Turns the terminator of a tt region into nests.yield.
void yieldNests(Region &region) {
  Operation *last = region.front().getTerminator();
  OpBuilder builder(last);
  nests::YieldOp::create(builder, last->getLoc(), last->getOperands());
  last->erase();
}

/// A root about to be placed.
struct Root {
  Operation *op;
  SmallVector<int64_t> domain;
  /// What its body needs.
  SmallVector<Pulled> needs;
  /// Its own accesses, besides those of the loads that it pulls.
  SmallVector<Access> accesses;
  /// Writes the root into a body that holds all of `needs`.
  llvm::function_ref<void(NestBody &, ArrayRef<Value>)> emit;
};

class Former {
public:
  Former(func::FuncOp function, const FormNestsOptions &options)
      : options(options), rules(function, options.disjoint),
        plan(rules, options.fuse, options.keepLoads), builder(function.getContext()) {}

  LogicalResult formBlock(Block &block);

private:
  struct Open {
    std::unique_ptr<NestBody> body;
    SmallVector<Access> accesses;
    SmallVector<Operation *> finished; // roots to erase once their results are replaced
    Location loc;
  };

  /// What pulling a root's needs would bring into a body.
  struct Reach {
    SmallVector<Access> loads;
    SmallVector<Value> loadValues;
    /// Values made by open nests, with the map under which they are read.
    SmallVector<Pulled> made;
  };

  LogicalResult visit(Operation *op);
  void visitScalar(Operation *op);
  LogicalResult visitRegions(Operation *op);
  void addStore(tile::StoreOp op);
  template <typename OpT> void addAtomic(OpT op);
  void addReduction(Operation *op, int64_t axis, nests::Kind kind, bool reverse);
  void addUnsplat(tt::UnsplatOp op);
  void addDot(tt::DotOp op);
  void addHistogram(tt::HistogramOp op);

  void place(Root root);
  Reach reach(const Root &root);
  bool stageClashes(const Root &root, const Reach &found);
  size_t choose(const Root &root, const Reach &found);
  void materialise(Value value);
  bool isTile(Value value) const;
  /// What stands for `value` now: a nest may have been made of it while `visit` is on its way.
  Value current(Value value) const {
    auto it = replaced.find(value);
    return it == replaced.end() ? value : it->second;
  }
  Value viewOf(tile::AddressOp op);
  void flush();
  void forget();

  FormNestsOptions options;
  AccessRules rules;
  BlockPlan plan;
  OpBuilder builder;
  std::deque<Open> open;
  /// Originals of results of open nests: tiles and scalars.
  DenseMap<Value, size_t> pending;
  /// Of the op being visited: what its flushes replaced, and the roots that are done with. They are
  /// erased after the visit, so that no new op takes their place in the map.
  DenseMap<Value, Value> replaced;
  SmallVector<Operation *> finished;
  DenseMap<Operation *, Value> views;
  static constexpr size_t kMaxOpen = 8;
};

Value Former::viewOf(tile::AddressOp op) {
  Value &view = views[op];
  if (view)
    return view;
  auto type = nests::ViewType::get(op->getContext(), op.getAccessType());
  view = nests::ViewOp::create(builder, op->getLoc(), type, op.getBase(), op.getStrides(),
                               op.getLo(), op.getHi(), op.getWrapStart(), op.getWrapSize(),
                               op.getStaticStrides(), op.getBoxDims(), op.getWrapDim(),
                               op.getUnit(), op.getRoot(), op.getAlign());
  return view;
}

/// Is `value` read as a tile, not computed in the body?
bool Former::isTile(Value value) const {
  return pending.contains(value) || !isInlinable(value.getDefiningOp());
}

Former::Reach Former::reach(const Root &root) {
  Reach found;
  MapNumbers numbers;
  DenseSet<std::pair<Value, unsigned>> seen;
  SmallVector<Pulled> stack(root.needs);
  auto note = [&](Value value, ArrayRef<int64_t> map) {
    if (pending.contains(value))
      found.made.push_back({value, BitMap(map)});
  };
  while (!stack.empty()) {
    Pulled top = stack.pop_back_val();
    top.value = current(top.value);
    if (!isTensor(top.value)) {
      note(top.value, {});
      continue;
    }
    if (!seen.insert({top.value, numbers(top.map)}).second)
      continue;
    // A shared value is computed in the nest of its first user, if that runs over just its
    // elements.
    if (plan.isShared(top.value) && !pending.contains(top.value) &&
        (shapeOf(top.value) != ArrayRef(root.domain) ||
         ArrayRef<int64_t>(top.map) != ArrayRef<int64_t>(identityBits(top.map.size()))))
      materialise(top.value);
    top.value = current(top.value);
    if (isTile(top.value)) {
      note(top.value, top.map);
      continue;
    }
    Operation *op = top.value.getDefiningOp();
    for (Value operand : op->getOperands())
      if (!isTensor(operand))
        note(operand, {});
    if (auto gather = dyn_cast<tt::GatherOp>(op))
      note(gather.getSrc(), {});
    if (auto load = dyn_cast<tile::LoadOp>(op)) {
      Access access = rules.accessesOf(load).front();
      access.map = top.map;
      found.loads.push_back(access);
      found.loadValues.push_back(load.getResult());
    }
    llvm::append_range(stack, operandsOf(top.value, top.map));
  }
  return found;
}

/// Loads that the root would pull although its own access may hit them elsewhere in the tile become
/// tiles first. True if any did.
bool Former::stageClashes(const Root &root, const Reach &found) {
  bool staged = false;
  for (auto [load, value] : llvm::zip(found.loads, found.loadValues))
    for (const Access &own : root.accesses)
      if (!pending.contains(value) && value.getDefiningOp() != root.op &&
          rules.conflict(load, own) && !sameInjectiveAddress(load, own)) {
        materialise(value);
        staged = true;
      }
  return staged;
}

/// The open nest that the root joins; one past the last for a new one.
size_t Former::choose(const Root &root, const Reach &found) {
  size_t earliest = 0;
  for (const Pulled &made : found.made) {
    size_t at = pending.lookup(made.value);
    bool inBody = isTensor(made.value) && open[at].body->domain() == ArrayRef(root.domain) &&
                  open[at].body->holds(made.value, made.map);
    earliest = std::max(earliest, inBody ? at : at + 1);
  }
  for (size_t k = open.size(); k-- > earliest;) {
    bool clash = false, meets = false;
    for (const Access &theirs : open[k].accesses)
      for (ArrayRef<Access> ours : {ArrayRef(root.accesses), ArrayRef(found.loads)})
        for (const Access &access : ours)
          if (rules.conflict(theirs, access)) {
            meets = true;
            clash |= !sameInjectiveAddress(theirs, access);
          }
    if (meets) {
      earliest = clash ? k + 1 : k;
      break;
    }
  }
  if (options.fuse)
    for (size_t k = earliest; k < open.size(); ++k)
      if (open[k].body->domain() == ArrayRef(root.domain))
        return k;
  return open.size();
}

void Former::place(Root root) {
  Reach found = reach(root);
  if (stageClashes(root, found))
    found = reach(root);
  // A view is made outside the nests, so the scalars it is made of must be there already.
  auto needsFlush = [&](tile::AddressOp op) {
    return llvm::any_of(op->getOperands(), [&](Value operand) {
      return !isTensor(operand) && pending.contains(operand);
    });
  };
  bool late = llvm::any_of(found.loads, [&](Access &access) { return needsFlush(access.op); }) ||
              llvm::any_of(root.accesses,
                           [&](Access &access) { return access.op && needsFlush(access.op); });
  if (late || open.size() >= kMaxOpen) {
    flush();
    found = reach(root);
  }
  size_t at = choose(root, found);
  if (at == open.size())
    open.push_back(
        {std::make_unique<NestBody>(root.domain, builder.getContext()), {}, {}, root.op->getLoc()});
  Open &nest = open[at];
  SmallVector<Value> elements;
  for (Pulled &need : root.needs) {
    need.value = current(need.value);
    elements.push_back(nest.body->pull(
        need, [&](Value value) { return isTile(value); },
        [&](tile::AddressOp op) { return viewOf(op); }));
  }
  // What later nests need of the values that were computed on the way.
  for (Value value : plan.sharedIn(root.op))
    if (!pending.contains(value) && nest.body->domain() == shapeOf(value)) {
      BitMap identity = identityBits(numBits(shapeOf(value)));
      if (!nest.body->holds(value, identity))
        continue;
      nest.body->addTile(value, nest.body->pull(
                                    {value, identity}, [](Value) { return false; },
                                    [](tile::AddressOp) { return Value(); }));
      pending[value] = at;
    }
  llvm::append_range(nest.accesses, found.loads);
  llvm::append_range(nest.accesses, root.accesses);
  root.emit(*nest.body, elements);
  for (Value result : root.op->getResults())
    if (nest.body->yields(result))
      pending[result] = at;
  if (!isInlinable(root.op))
    nest.finished.push_back(root.op);
}

void Former::materialise(Value value) {
  value = current(value);
  if (pending.contains(value) || !isInlinable(value.getDefiningOp()))
    return;
  Root root;
  root.op = value.getDefiningOp();
  root.domain = llvm::to_vector(shapeOf(value));
  root.needs = {{value, identityBits(numBits(root.domain))}};
  auto emit = [&](NestBody &body, ArrayRef<Value> elements) { body.addTile(value, elements[0]); };
  root.emit = emit;
  place(root);
}

void Former::flush() {
  for (Open &nest : open) {
    auto originals = llvm::to_vector(nest.body->results());
    nest.body->renew([&](Value value) { return current(value); });
    nests::NestOp made = nest.body->finish(builder, nest.loc);
    for (auto [original, result] : llvm::zip(originals, made.getResults()))
      replaced[original] = result;
    llvm::append_range(finished, nest.finished);
  }
  open.clear();
  pending.clear();
}

void Former::addStore(tile::StoreOp op) {
  Root root;
  root.op = op;
  root.domain = llvm::to_vector(shapeOf(op.getValue()));
  BitMap identity = identityBits(numBits(root.domain));
  root.needs.push_back({op.getValue(), identity});
  root.accesses = rules.accessesOf(op);
  root.accesses.front().map = identity;
  if (Value offsets = op.getOffsets())
    root.needs.push_back({offsets, broadcastBits(shapeOf(offsets), root.domain)});
  if (op.getMask())
    root.needs.push_back({op.getMask(), identity});
  auto emit = [&](NestBody &body, ArrayRef<Value> elements) {
    size_t next = 1;
    Value offset = op.getOffsets() ? elements[next++] : Value();
    Value mask = op.getMask() ? elements[next++] : Value();
    nests::WriteOp::create(body.builder(), op.getLoc(), viewOf(op), elements[0], offset, mask,
                           body.builder().getDenseI64ArrayAttr(identity), op.getIsVolatileAttr());
  };
  root.emit = emit;
  place(root);
}

template <typename OpT> void Former::addAtomic(OpT op) {
  Root root;
  root.op = op;
  auto address = cast<tile::AddressOp>(op.getOperation());
  root.domain = llvm::to_vector(cast<RankedTensorType>(address.getAccessType()).getShape());
  BitMap identity = identityBits(numBits(root.domain));
  root.accesses = rules.accessesOf(op);
  root.accesses.front().map = identity;
  constexpr bool isCas = std::is_same_v<OpT, tile::AtomicCASOp>;
  if constexpr (isCas)
    root.needs.push_back({op.getCompare(), identity});
  root.needs.push_back({op.getValue(), identity});
  if (Value offsets = op.getOffsets())
    root.needs.push_back({offsets, broadcastBits(shapeOf(offsets), root.domain)});
  if (op.getMask())
    root.needs.push_back({op.getMask(), identity});
  auto emit = [&](NestBody &body, ArrayRef<Value> elements) {
    OpBuilder &b = body.builder();
    size_t next = isCas ? 2 : 1;
    Value offset = op.getOffsets() ? elements[next++] : Value();
    Value mask = op.getMask() ? elements[next++] : Value();
    auto bits = b.getDenseI64ArrayAttr(identity);
    Type type = elements[0].getType();
    Value old;
    if constexpr (isCas)
      old =
          nests::AtomicCASOp::create(b, op.getLoc(), type, op.getOrder(), op.getScope(),
                                     viewOf(address), elements[0], elements[1], offset, mask, bits);
    else
      old = nests::AtomicRMWOp::create(b, op.getLoc(), type, op.getKind(), op.getOrder(),
                                       op.getScope(), viewOf(address), elements[0], offset, mask,
                                       bits);
    if (!op.getResult().use_empty())
      body.addTile(op.getResult(), old);
  };
  root.emit = emit;
  place(root);
}

void Former::addReduction(Operation *op, int64_t axis, nests::Kind kind, bool reverse) {
  Root root;
  root.op = op;
  root.domain = llvm::to_vector(shapeOf(op->getOperand(0)));
  for (Value operand : op->getOperands())
    root.needs.push_back({operand, identityBits(numBits(root.domain))});
  auto emit = [&](NestBody &body, ArrayRef<Value> elements) {
    yieldNests(op->getRegion(0));
    body.addGroup(op->getResults(), elements, kind, {axis}, reverse, op->getRegion(0));
  };
  root.emit = emit;
  place(root);
}

/// The one element of a tensor: a reduction with nothing to combine.
void Former::addUnsplat(tt::UnsplatOp op) {
  Root root;
  root.op = op;
  root.domain = llvm::to_vector(shapeOf(op.getSrc()));
  root.needs = {{op.getSrc(), identityBits(0)}};
  auto emit = [&](NestBody &body, ArrayRef<Value> elements) {
    Region combine;
    Type type = elements[0].getType();
    Block &block = combine.emplaceBlock();
    block.addArguments({type, type}, {op.getLoc(), op.getLoc()});
    OpBuilder inside(op.getContext());
    inside.setInsertionPointToEnd(&block);
    nests::YieldOp::create(inside, op.getLoc(), block.getArgument(0));
    auto dims = llvm::to_vector(llvm::seq<int64_t>(0, root.domain.size()));
    body.addGroup(op->getResults(), elements, nests::Kind::Reduce, dims, false, combine);
  };
  root.emit = emit;
  place(root);
}

/// A region that adds two values of `type`.
void fillSum(Region &region, Type type, Location loc) {
  Block &block = region.emplaceBlock();
  block.addArguments({type, type}, {loc, loc});
  OpBuilder b(type.getContext());
  b.setInsertionPointToEnd(&block);
  Value sum =
      isa<FloatType>(type)
          ? Value(arith::AddFOp::create(b, loc, block.getArgument(0), block.getArgument(1)))
          : Value(arith::AddIOp::create(b, loc, block.getArgument(0), block.getArgument(1)));
  nests::YieldOp::create(b, loc, sum);
}

/// `value` in a wider type of its kind, or as it is.
/// A product over the domain [batch.., M, N, K], summed over K, and C added afterwards in the type
/// of the sum.
void Former::addDot(tt::DotOp op) {
  Location loc = op.getLoc();
  auto resultType = cast<RankedTensorType>(op.getResult().getType());
  Type element = resultType.getElementType();
  Type sumType = productType(op);
  SmallVector<int64_t> domain(resultType.getShape());
  int64_t rank = domain.size();
  domain.push_back(shapeOf(op.getA()).back());
  // A lacks N (dim rank-1), B lacks M (dim rank-2) and has K before N.
  BitMap aMap = keptBits(domain, {rank - 1}), bMap;
  appendDim(bMap, domain, rank - 1);
  appendDim(bMap, domain, rank);
  for (int64_t d = rank - 3; d >= 0; --d)
    appendDim(bMap, domain, d);

  flush();
  NestBody product(domain, builder.getContext());
  auto never = [](Value value) { return !isInlinable(value.getDefiningOp()); };
  auto view = [&](tile::AddressOp address) { return viewOf(address); };
  OpBuilder &b = product.builder();
  Value left = widened(b, loc, product.pull({op.getA(), aMap}, never, view), sumType);
  Value right = widened(b, loc, product.pull({op.getB(), bMap}, never, view), sumType);
  Value term = op->hasAttr(kPairsAttr)
                   ? Value(mem::PairProductOp::create(b, loc, sumType, left, right))
               : isa<FloatType>(sumType) ? Value(arith::MulFOp::create(b, loc, left, right))
                                         : Value(arith::MulIOp::create(b, loc, left, right));
  // Stands for the sum until the nest exists.
  auto sumTensor = RankedTensorType::get(resultType.getShape(), sumType);
  Value sum = ub::PoisonOp::create(builder, loc, sumTensor);
  Operation *placeholder = sum.getDefiningOp();
  Region combine;
  fillSum(combine, sumType, loc);
  product.addGroup(sum, term, nests::Kind::Reduce, {rank}, false, combine);
  nests::NestOp made = product.finish(builder, loc);
  placeholder->erase();

  NestBody total(resultType.getShape(), builder.getContext());
  OpBuilder &t = total.builder();
  BitMap identity = identityBits(numBits(resultType.getShape()));
  Value partial =
      nests::ElemOp::create(t, loc, sumType, made.getResult(0), t.getDenseI64ArrayAttr(identity));
  Value c = widened(t, loc, total.pull({op.getC(), identity}, never, view), sumType);
  Value result = isa<FloatType>(sumType) ? Value(arith::AddFOp::create(t, loc, partial, c))
                                         : Value(arith::AddIOp::create(t, loc, partial, c));
  if (sumType != element)
    result = arith::TruncFOp::create(t, loc, element, result);
  total.addTile(op.getResult(), result);
  total.finish(builder, loc);
  finished.push_back(op);
}

/// bin b counts the elements equal to b: a sum over the domain [bins, elements].
void Former::addHistogram(tt::HistogramOp op) {
  Location loc = op.getLoc();
  int64_t bins = shapeOf(op.getResult()).front(), count = shapeOf(op.getSrc()).front();
  SmallVector<int64_t> domain{bins, count};
  BitMap source = keptBits(domain, {0}), bin = keptBits(domain, {1});
  flush();
  NestBody body(domain, builder.getContext());
  auto never = [](Value value) { return !isInlinable(value.getDefiningOp()); };
  auto view = [&](tile::AddressOp address) { return viewOf(address); };
  OpBuilder &b = body.builder();
  Value element = body.pull({op.getSrc(), source}, never, view);
  Type type = element.getType(), resultType = getElementTypeOrSelf(op.getResult());
  Value at = nests::IndexOp::create(b, loc, b.getI32Type(), b.getDenseI64ArrayAttr(bin));
  // Compared in 64 bits: an element past the last bin must not wrap onto one.
  Value wide =
      type.isInteger(64) ? element : arith::ExtSIOp::create(b, loc, b.getI64Type(), element);
  Value number = arith::ExtUIOp::create(b, loc, b.getI64Type(), at);
  Value hit = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, wide, number);
  if (op.getMask())
    hit = arith::AndIOp::create(b, loc, hit, body.pull({op.getMask(), source}, never, view));
  Value one = arith::ExtUIOp::create(b, loc, resultType, hit);
  Region combine;
  fillSum(combine, resultType, loc);
  body.addGroup(op.getResult(), one, nests::Kind::Reduce, {1}, false, combine);
  body.finish(builder, loc);
  finished.push_back(op);
}

void Former::visitScalar(Operation *op) {
  bool needs = llvm::any_of(op->getOperands(), [&](Value v) { return pending.contains(v); });
  if (!needs && !open.empty() && !isMemoryEffectFree(op)) {
    for (const Access &access : rules.accessesOf(op))
      for (const Open &nest : open)
        needs |= llvm::any_of(nest.accesses,
                              [&](const Access &theirs) { return rules.conflict(theirs, access); });
  }
  if (needs)
    flush();
}

LogicalResult Former::visitRegions(Operation *op) {
  for (Value operand : op->getOperands())
    if (isTensor(operand) && !operand.getDefiningOp<arith::ConstantOp>())
      materialise(operand);
  flush();
  forget();
  for (Region &region : op->getRegions())
    for (Block &block : region)
      if (failed(formBlock(block)))
        return failure();
  return success();
}

LogicalResult Former::visit(Operation *op) {
  builder.setInsertionPoint(op);
  if (auto store = dyn_cast<tile::StoreOp>(op); store && isTensor(store.getValue())) {
    addStore(store);
  } else if (auto rmw = dyn_cast<tile::AtomicRMWOp>(op); rmw && isTensor(rmw.getValue())) {
    addAtomic(rmw);
  } else if (auto cas = dyn_cast<tile::AtomicCASOp>(op); cas && isTensor(cas.getValue())) {
    addAtomic(cas);
  } else if (auto reduce = dyn_cast<tt::ReduceOp>(op)) {
    addReduction(op, reduce.getAxis(), nests::Kind::Reduce, false);
  } else if (auto scan = dyn_cast<tt::ScanOp>(op)) {
    addReduction(op, scan.getAxis(), nests::Kind::Scan, scan.getReverse());
  } else if (auto unsplat = dyn_cast<tt::UnsplatOp>(op)) {
    addUnsplat(unsplat);
  } else if (auto dot = dyn_cast<tt::DotOp>(op)) {
    addDot(dot);
  } else if (auto histogram = dyn_cast<tt::HistogramOp>(op)) {
    addHistogram(histogram);
  } else if (op->getNumRegions() && !isInlinable(op)) {
    return visitRegions(op);
  } else if (op->hasTrait<OpTrait::IsTerminator>()) {
    for (Value operand : op->getOperands())
      if (isTensor(operand) && !operand.getDefiningOp<arith::ConstantOp>())
        materialise(operand);
    flush();
  } else if (isInlinable(op)) {
    for (Value result : op->getResults())
      if (plan.mustTile(result))
        materialise(result);
  } else if (llvm::any_of(op->getOperands(), isTensor) ||
             llvm::any_of(op->getResults(), isTensor)) {
    if (!isa<arith::ConstantOp>(op))
      return emitFault(op, "op '" + op->getName().getStringRef() + "' has no form over elements");
  } else {
    visitScalar(op);
  }
  if (!options.fuse)
    flush();
  return success();
}

void Former::forget() {
  for (Operation *op : finished)
    op->erase();
  finished.clear();
  replaced.clear();
}

LogicalResult Former::formBlock(Block &block) {
  plan.add(block);
  SmallVector<Operation *> ops = llvm::map_to_vector(block, [](Operation &op) { return &op; });
  for (Operation *op : ops) {
    if (failed(visit(op)))
      return failure();
    forget();
  }
  return success();
}

/// Drops results that nobody reads, and nests that then do nothing.
void dropUnusedResults(nests::NestOp nest) {
  llvm::SmallBitVector keep(nest.getNumResults());
  for (OpResult result : nest->getResults()) {
    bool used = !result.use_empty();
    nests::ResultAttr kind = nest.getKind(result.getResultNumber());
    if (kind.getGroup() >= 0)
      for (OpResult other : nest->getResults())
        used |= nest.getKind(other.getResultNumber()).getGroup() == kind.getGroup() &&
                !other.use_empty();
    keep[result.getResultNumber()] = used;
  }
  if (keep.all())
    return;
  auto yield = cast<nests::YieldOp>(nest.getBodyBlock().getTerminator());
  SmallVector<Value> values;
  SmallVector<Type> types;
  SmallVector<Attribute> kinds;
  SmallVector<int64_t> groupAt(nest.getCombines().size(), -1);
  SmallVector<int32_t> dead;
  SmallVector<Region *> regions;
  for (int i : keep.set_bits()) {
    nests::ResultAttr kind = nest.getKind(i);
    if (int64_t group = kind.getGroup(); group >= 0) {
      if (groupAt[group] < 0) {
        groupAt[group] = regions.size();
        regions.push_back(&nest.getCombines()[group]);
        dead.push_back(nest.getDead()[group]);
      }
      kind = nests::ResultAttr::get(nest.getContext(), kind.getKind(), kind.getDims(),
                                    kind.getReverse(), groupAt[group]);
    }
    values.push_back(yield.getValues()[i]);
    types.push_back(nest.getResult(i).getType());
    kinds.push_back(kind);
  }
  yield.getValuesMutable().assign(values);
  OpBuilder builder(nest);
  auto slim = nests::NestOp::create(
      builder, nest.getLoc(), types, nest.getLo(), nest.getHi(), nest.getDeadValues(),
      nest.getDomainAttr(), nest.getBoxDimsAttr(), builder.getArrayAttr(kinds),
      builder.getDenseI32ArrayAttr(dead), nest.getLayoutAttr(), regions.size());
  slim.getBody().takeBody(nest.getBody());
  for (auto [to, from] : llvm::zip(slim.getCombines(), regions))
    to.takeBody(*from);
  for (auto [result, i] : llvm::zip(slim.getResults(), keep.set_bits()))
    nest.getResult(i).replaceAllUsesWith(result);
  nest.erase();
}

/// Removes body ops without use and without effect.
void dropDeadBody(nests::NestOp nest) {
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(nest.getBodyBlock())))
    if (isOpTriviallyDead(&op))
      op.erase();
}

struct FormNestsPass : PassWrapper<FormNestsPass, OperationPass<func::FuncOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(FormNestsPass)

  FormNestsPass() = default;
  explicit FormNestsPass(const FormNestsOptions &options) {
    fuse = options.fuse;
    disjoint = options.disjoint;
    keepLoads = options.keepLoads;
  }
  FormNestsPass(const FormNestsPass &other) : PassWrapper(other) {}

  StringRef getArgument() const override { return "form-nests"; }
  StringRef getDescription() const override { return "Turn tensor ops into nests"; }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<nests::NestsDialect, arith::ArithDialect, ub::UBDialect>();
  }

  void runOnOperation() override {
    Former former(getOperation(), {fuse, disjoint, keepLoads});
    if (failed(former.formBlock(getOperation().getBody().front())))
      return signalPassFailure();
    // What has been pulled into nests is left behind without users. Users come after what they use,
    // so one walk from the end drops whole chains.
    SmallVector<Operation *> all;
    getOperation().walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (isa<nests::NestOp>(op) || isInlinable(op))
        all.push_back(op);
    });
    for (Operation *op : llvm::reverse(all)) {
      if (auto nest = dyn_cast<nests::NestOp>(op)) {
        dropDeadBody(nest);
        dropUnusedResults(nest);
      } else if (op->use_empty()) {
        op->erase();
      }
    }
  }

  Option<bool> fuse{*this, "fuse", llvm::cl::desc("Several ops a nest"), llvm::cl::init(true)};
  Option<bool> disjoint{*this, "disjoint",
                        llvm::cl::desc("No written argument overlaps another one"),
                        llvm::cl::init(false)};
  Option<bool> keepLoads{*this, "keep-loads", llvm::cl::desc("Load what several nests read once"),
                         llvm::cl::init(false)};
};

} // namespace

std::unique_ptr<Pass> createFormNestsPass(const FormNestsOptions &options) {
  return std::make_unique<FormNestsPass>(options);
}

} // namespace tritonrt::compiler
