// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Several work-items a program. The layout of a nest says which bits of a point's index are the
// item's; the others are registers (vectors) and loops. A tile whose makers and readers agree on
// the items stays with them, in private memory that the target's compiler turns into registers; any
// other one is in local memory. All items run the scalar code; writes and atomics of scalars happen
// on item 0. A barrier stands where an item could read what another one wrote, or write what
// another one still reads.
#include "compiler/analysis/Layout.h"
#include "compiler/analysis/Order.h"
#include "compiler/passes/MapVectorLoops.h"
#include "compiler/passes/SimtTiles.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tritonrt::compiler::mapvector;

namespace tritonrt::compiler {

namespace {

/// Memory accesses since the last barrier.
class Pending {
public:
  explicit Pending(const AccessRules &rules) : rules(&rules) {}

  /// Would `op`'s accesses of global memory meet one of another item?
  bool meets(ArrayRef<Access> accesses) const {
    for (const Access &access : accesses)
      for (const Access &theirs : global)
        if (rules->conflict(access, theirs))
          return true;
    return false;
  }
  bool meetsLocalRead(Value memory) const { return written.contains(memory); }
  /// Local buffers may share bytes, so a write meets whatever was touched before.
  bool meetsLocalWrite(Value memory) const { return !written.empty() || !read.empty(); }

  void add(ArrayRef<Access> accesses) { llvm::append_range(global, accesses); }
  void addLocalRead(Value memory) { read.insert(memory); }
  void addLocalWrite(Value memory) { written.insert(memory); }
  bool hasLocal() const { return !read.empty() || !written.empty(); }
  bool hasWrites() const {
    return llvm::any_of(global, [](const Access &access) { return access.writes; });
  }
  /// A barrier on one of two ways does not count on the other one.
  void merge(const Pending &other) {
    llvm::append_range(global, other.global);
    read.insert(other.read.begin(), other.read.end());
    written.insert(other.written.begin(), other.written.end());
  }
  void clear() {
    global.clear();
    read.clear();
    written.clear();
  }

private:
  const AccessRules *rules;
  SmallVector<Access> global;
  llvm::DenseSet<Value> read, written;
};

class SimtMapper : public FunctionMapper {
public:
  SimtMapper(func::FuncOp from, func::FuncOp to, const SimtOptions &options)
      : FunctionMapper(from, to, MapVectorOptions{16, false}), options(options),
        rules(from, options.disjoint), pending(rules), placement(from) {}

  Value item() {
    if (!itemId) {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(entry);
      Value id = mem::ItemIdOp::create(b, b.getI32Type());
      itemId = arith::ExtUIOp::create(b, b.getI64Type(), id);
    }
    return itemId;
  }
  Value isFirstItem() { return b.cmp(arith::CmpIPredicate::eq, item(), b.constant(0)); }
  int64_t items() const { return options.items; }

  void barrier() {
    mem::BarrierOp::create(b, mem::Scope::Group, /*local=*/true, /*global=*/true);
    pending.clear();
  }
  Value localBuffer(int64_t bytes) { return allocate(bytes, mem::Space::Local); }
  void beforeLocalRead(Value memory) {
    if (pending.meetsLocalRead(memory))
      barrier();
    pending.addLocalRead(memory);
  }
  void beforeLocalWrite(Value memory) {
    if (pending.meetsLocalWrite(memory))
      barrier();
    pending.addLocalWrite(memory);
  }
  const SimtTiles &tiles() const { return placement; }

  Tile tileAt(Value old, Value memory) const override {
    return {memory, {}, placement.heldBits(old)};
  }

protected:
  Value placeFor(Value old) override;
  void copy(const Tile &from, const Tile &to, RankedTensorType type) override;
  void mapNest(nests::NestOp nest) override;
  LogicalResult mapAccess(Operation &op) override;
  LogicalResult mapPlain(Operation &op) override;
  void enterRegion(Operation *op) override;
  void leaveRegion(Operation *op) override;

private:
  void settle(Operation *op);
  void onFirstItem(llvm::function_ref<void()> act);
  Value broadcast(Type type, llvm::function_ref<Value()> act);

  SimtOptions options;
  AccessRules rules;
  Pending pending;
  /// What was pending where the regions around here began.
  SmallVector<Pending> before;
  SimtTiles placement;
  Value itemId;
};

/// One nest over the parts of its domain that an item holds. The nest's dims have been split so
/// that each one lives in one place.
class SimtNestMapper : public NestMapper {
public:
  SimtNestMapper(SimtMapper &function, nests::NestOp nest, Plan plan, Point point,
                 SmallVector<int64_t> itemBits)
      : NestMapper(function, nest, std::move(plan)), simt(function), start(std::move(point)),
        reducedItemBits(std::move(itemBits)) {}

  void run();

private:
  void kept(unsigned depth, Point point);
  void reduce(const Point &point);
  Values acrossItems(Values sums);

  SimtMapper &simt;
  Point start;
  /// Bits of the item's index that a reduction runs along.
  SmallVector<int64_t> reducedItemBits;
};

Value SimtMapper::placeFor(Value old) {
  auto type = cast<RankedTensorType>(old.getType());
  int64_t element = mem::elementBytes(type);
  if (auto held = placement.heldBits(old))
    return allocate(element << held->size(), mem::Space::Scratch);
  return allocate(type.getNumElements() * element, mem::Space::Local);
}

void SimtMapper::copy(const Tile &from, const Tile &to, RankedTensorType type) {
  if (from.memory == to.memory)
    return;
  Type element = type.getElementType();
  bool isPrivate = to.held.has_value();
  int64_t size = isPrivate ? int64_t{1} << to.held->size() : type.getNumElements();
  if (!isPrivate) {
    if (from.memory)
      beforeLocalRead(from.memory);
    beforeLocalWrite(to.memory);
  }
  auto one = [&](Value at) {
    Value value = from.splat ? from.splat
                             : mem::LoadOp::create(b, element, from.memory, at, Value(), Value(), 0,
                                                   IntegerAttr())
                                   .getResult();
    mem::StoreOp::create(b, value, to.memory, at, Value(), 0, IntegerAttr());
  };
  Value first = isPrivate ? b.constant(0) : item();
  auto loop = scf::ForOp::create(b, first, b.constant(size), b.constant(isPrivate ? 1 : items()));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  one(loop.getInductionVar());
}

/// A part of a nest's domain that lives in one place.
struct Part {
  int64_t low, size; // flat bits
  int64_t dim;       // of the nest
  enum { Loop, Reg, Item } place;
  int64_t itemBit = 0;
};

/// The domain from high to low bits, cut where the dim or the place changes.
SmallVector<Part> partsOf(nests::NestOp nest, const Layout &layout) {
  ArrayRef<int64_t> domain = nest.getDomain();
  SmallVector<Part> parts;
  int64_t bits = numBits(domain);
  SmallVector<int64_t> dimOf(bits);
  for (int64_t d = 0; d < int64_t(domain.size()); ++d)
    for (int64_t k = 0, n = llvm::Log2_64(domain[d]); k < n; ++k)
      dimOf[lowBitOf(domain, d) + k] = d;
  for (int64_t bit = 0; bit < bits; ++bit) {
    int64_t item = layout.itemBitOf(bit);
    auto place = item >= 0                             ? Part::Item
                 : llvm::is_contained(layout.reg, bit) ? Part::Reg
                                                       : Part::Loop;
    Part *last = parts.empty() ? nullptr : &parts.back();
    bool joins = last && last->dim == dimOf[bit] && last->place == place &&
                 (place != Part::Item || item == last->itemBit + last->size);
    if (joins)
      ++last->size;
    else
      parts.push_back({bit, 1, dimOf[bit], place, item});
  }
  std::reverse(parts.begin(), parts.end());
  return parts;
}

void SimtMapper::mapNest(nests::NestOp nest) {
  Layout layout = Layout::of(*nest.getLayout());
  SmallVector<Part> parts = partsOf(nest, layout);

  // Accesses of other items' data, first.
  SmallVector<Access> accesses = rules.accessesOf(nest);
  if (pending.meets(accesses))
    barrier();
  SmallVector<Value> localReads;
  nest.getBodyBlock().walk([&](Operation *op) {
    Value read;
    if (auto elem = dyn_cast<nests::ElemOp>(op))
      read = elem.getTile();
    else if (auto pick = dyn_cast<nests::PickOp>(op))
      read = pick.getTile();
    if (read && tile(read).memory && !tile(read).held)
      localReads.push_back(tile(read).memory);
  });
  for (Value memory : localReads)
    beforeLocalRead(memory);

  // The nest over its parts: the same flat bits under other dims.
  Plan plan;
  Point point;
  SmallVector<int64_t> domain, reducedItemBits;
  DenseMap<int64_t, SmallVector<int64_t>> partsOfDim;
  SmallVector<int64_t> orderedDims;
  for (auto kind : nest.getKinds().getAsRange<nests::ResultAttr>())
    if (kind.getKind() != nests::Kind::Tile) {
      orderedDims.assign(kind.getDims().begin(), kind.getDims().end());
      plan.reverse |= kind.getReverse();
    }
  for (auto [i, part] : llvm::enumerate(parts)) {
    domain.push_back(int64_t{1} << part.size);
    partsOfDim[part.dim].push_back(i);
    bool ordered = llvm::is_contained(orderedDims, part.dim);
    point.index.push_back(b.constant(0));
    if (part.place == Part::Item) {
      Value index = b.shr(item(), part.itemBit);
      point.index.back() = b.bitAnd(index, b.constant((int64_t{1} << part.size) - 1));
      for (int64_t k = 0; ordered && k < part.size; ++k)
        reducedItemBits.push_back(part.itemBit + k);
    } else if (part.place == Part::Reg) {
      plan.lane = i;
      plan.width = domain.back();
      if (ordered)
        plan.ordered.push_back(i);
    } else {
      (ordered ? plan.ordered : plan.kept).push_back(i);
    }
  }
  SmallVector<Attribute> kinds;
  for (auto kind : nest.getKinds().getAsRange<nests::ResultAttr>()) {
    SmallVector<int64_t> dims;
    for (int64_t d : kind.getDims())
      llvm::append_range(dims, partsOfDim.lookup(d));
    llvm::sort(dims);
    kinds.push_back(nests::ResultAttr::get(b.getContext(), kind.getKind(), dims, kind.getReverse(),
                                           kind.getGroup()));
  }
  nest.setDomain(domain);
  nest.setKindsAttr(b.getArrayAttr(kinds));

  // Items that differ in a replicated bit alone do the same; one of them writes.
  int64_t replicated = 0;
  for (auto [k, bit] : llvm::enumerate(layout.item))
    if (bit == Layout::kReplicated)
      replicated |= int64_t{1} << k;
  if (replicated)
    point.writes =
        b.cmp(arith::CmpIPredicate::eq, b.bitAnd(item(), b.constant(replicated)), b.constant(0));
  SimtNestMapper(*this, nest, plan, point, reducedItemBits).run();
  // Barriers within the nest came before its last accesses.
  pending.add(accesses);
  for (Value memory : localReads)
    pending.addLocalRead(memory);
  for (Value result : nest.getResults())
    if (isa<RankedTensorType>(result.getType()) && !tile(result).held)
      pending.addLocalWrite(tile(result).memory);
}

void SimtNestMapper::run() {
  for (int64_t size : nest.getDomain()) {
    lo.push_back(b.constant(0));
    hi.push_back(b.constant(size));
  }
  for (Value result : nest.getResults()) {
    memory.push_back(Value());
    if (!isa<RankedTensorType>(result.getType()))
      continue;
    memory.back() = function.memoryFor(result);
    Tile tile = function.tileAt(result, memory.back());
    function.setTile(result, tile);
    if (!tile.held)
      simt.beforeLocalWrite(tile.memory);
  }
  kept(0, start);
}

void SimtNestMapper::kept(unsigned depth, Point point) {
  if (depth < plan.kept.size()) {
    int64_t d = plan.kept[depth];
    loop(lo[d], hi[d], 1, {}, [&](Value at, ValueRange) {
      point.index[d] = at;
      kept(depth + 1, point);
      return Values();
    });
    return;
  }
  point.lane = plan.lane;
  point.width = plan.width;
  if (groups.empty())
    storeTiles(PointEmitter(function, nest, point).emit(), point);
  else
    reduce(point);
}

void SimtNestMapper::reduce(const Point &point) {
  bool lanesInside = llvm::is_contained(plan.ordered, plan.lane);
  Plan whole = plan;
  if (lanesInside)
    llvm::erase(plan.ordered, plan.lane);
  Values sums = reduceSerially(point);
  plan = whole;
  if (lanesInside)
    sums = foldLanes(sums);
  if (!reducedItemBits.empty()) {
    sums = acrossItems(sums);
    // A result in local memory may take the bytes that the sums were just read from.
    if (llvm::any_of(nest.getResults(), [&](Value result) {
          return isa<RankedTensorType>(result.getType()) && !function.tile(result).held;
        }))
      simt.barrier();
  }
  SmallVector<int64_t> ordered;
  for (const Group &group : groups)
    if (ordered.empty())
      ordered = llvm::to_vector(nest.getKind(group.results.front()).getDims());
  BitMap keptMap = keptBits(nest.getDomain(), ordered);
  unsigned next = 0;
  for (const Group &group : groups)
    for (unsigned result : group.results) {
      Value sum = sums[next++];
      if (group.kind == nests::Kind::Scan)
        continue;
      Point at = point;
      if (lanesInside) {
        at.lane = -1;
        at.width = 1;
      }
      // All items along the reduced bits hold the sum; the one at their zero writes it.
      if (!reducedItemBits.empty()) {
        int64_t bits = 0;
        for (int64_t bit : reducedItemBits)
          bits |= int64_t{1} << bit;
        at.writes =
            b.both(at.writes, b.cmp(arith::CmpIPredicate::eq,
                                    b.bitAnd(simt.item(), b.constant(bits)), b.constant(0)));
      }
      if (memory[result])
        PointEmitter(function, nest, at)
            .storeTile(sum, function.tile(nest.getResult(result)), keptMap);
      else
        function.setScalar(nest.getResult(result), sum);
    }
}

/// Combines each item's sums along the reduced bits of its index, through local memory; all items
/// get the result of one, so that they agree to the last bit.
SimtNestMapper::Values SimtNestMapper::acrossItems(Values sums) {
  SmallVector<Value> buffers;
  SmallVector<int64_t> widths;
  // In a loop the buffers still hold what was read of the last round.
  if (!plan.kept.empty())
    simt.barrier();
  for (Value sum : sums) {
    widths.push_back(widthOf(sum));
    int64_t bytes = mem::elementBytes(sum.getType()) * widths.back();
    buffers.push_back(simt.localBuffer(bytes * simt.items()));
    simt.beforeLocalWrite(buffers.back());
  }
  auto place = [&](Value item, size_t i) { return b.mul(item, b.constant(widths[i])); };
  auto load = [&](Value item, size_t i) -> Value {
    return mem::LoadOp::create(b, sums[i].getType(), buffers[i], place(item, i), Value(), Value(),
                               0, IntegerAttr());
  };
  auto store = [&](Value value, size_t i) {
    mem::StoreOp::create(b, value, buffers[i], place(simt.item(), i), Value(), 0, IntegerAttr());
  };
  for (auto [i, sum] : llvm::enumerate(sums))
    store(sum, i);
  int64_t all = 0;
  for (int64_t bit : reducedItemBits)
    all |= int64_t{1} << bit;
  for (int64_t bit : llvm::reverse(reducedItemBits)) {
    simt.barrier();
    // Items whose reduced bits from here up are 0 take over those of their partners.
    int64_t above = all & ~((int64_t{1} << bit) - 1);
    Value takes =
        b.cmp(arith::CmpIPredicate::eq, b.bitAnd(simt.item(), b.constant(above)), b.constant(0));
    auto branch = scf::IfOp::create(b, takes, false);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(branch.thenBlock());
    Value partner = b.add(simt.item(), b.constant(int64_t{1} << bit));
    unsigned next = 0;
    Values merged;
    for (const Group &group : groups) {
      Values high, low;
      for (size_t i = 0; i < group.results.size(); ++i) {
        high.push_back(load(partner, next + i));
        low.push_back(load(simt.item(), next + i));
      }
      llvm::append_range(merged, combine(group, high, low, widths[next]));
      next += group.results.size();
    }
    for (auto [i, value] : llvm::enumerate(merged))
      store(value, i);
  }
  simt.barrier();
  Value owner = b.bitAnd(simt.item(), b.constant(~all & (simt.items() - 1)));
  Values results;
  for (size_t i = 0; i < sums.size(); ++i) {
    results.push_back(load(owner, i));
    simt.beforeLocalRead(buffers[i]);
  }
  return results;
}

/// Items must not run ahead of each other into, around or out of a region whose accesses meet those
/// that are pending.
void SimtMapper::settle(Operation *op) {
  SmallVector<Access> inside = rules.accessesOf(op);
  bool writes = pending.hasWrites() ||
                llvm::any_of(inside, [](const Access &access) { return access.writes; });
  if (pending.hasLocal() || (writes && pending.meets(inside)))
    barrier();
}

void SimtMapper::enterRegion(Operation *op) {
  settle(op);
  before.push_back(pending);
}

void SimtMapper::leaveRegion(Operation *op) {
  settle(op);
  pending.merge(before.pop_back_val());
}

void SimtMapper::onFirstItem(llvm::function_ref<void()> act) {
  auto branch = scf::IfOp::create(b, isFirstItem(), false);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(branch.thenBlock());
  act();
}

/// What `act` gives on item 0, for all items.
Value SimtMapper::broadcast(Type type, llvm::function_ref<Value()> act) {
  Value slot = localBuffer(mem::elementBytes(type));
  beforeLocalWrite(slot);
  Value zero = b.constant(0);
  onFirstItem([&] { mem::StoreOp::create(b, act(), slot, zero, Value(), 0, IntegerAttr()); });
  barrier();
  pending.addLocalRead(slot);
  return mem::LoadOp::create(b, type, slot, zero, Value(), Value(), 0, IntegerAttr());
}

LogicalResult SimtMapper::mapAccess(Operation &op) {
  SmallVector<Access> accesses = rules.accessesOf(&op);
  if (pending.meets(accesses))
    barrier();
  bool fence = accesses.front().fence;
  if (auto load = dyn_cast<tile::LoadOp>(op); load && !load.getIsVolatile()) {
    if (failed(FunctionMapper::mapAccess(op)))
      return failure();
  } else if (op.getNumResults() == 0 || op.getResult(0).use_empty()) {
    LogicalResult mapped = success();
    onFirstItem([&] { mapped = FunctionMapper::mapAccess(op); });
    if (failed(mapped))
      return failure();
    if (fence)
      barrier();
  } else {
    LogicalResult mapped = success();
    Value result = broadcast(op.getResult(0).getType(), [&] {
      mapped = FunctionMapper::mapAccess(op);
      return scalar(op.getResult(0));
    });
    if (failed(mapped))
      return failure();
    setScalar(op.getResult(0), result);
  }
  pending.add(accesses);
  return success();
}

LogicalResult SimtMapper::mapPlain(Operation &op) {
  if (isa<mem::BarrierOp>(op)) {
    barrier();
    return success();
  }
  // Items take a place in a report, and read the clock, as one. Nothing else in the kernel touches
  // what these touch.
  if (isa<mem::ReserveOp, mem::ClockOp>(op)) {
    Type type = op.getResult(0).getType();
    setScalar(op.getResult(0), broadcast(type, [&] { return b.clone(op, values)->getResult(0); }));
    return success();
  }
  return FunctionMapper::mapPlain(op);
}

struct MapSimtPass : PassWrapper<MapSimtPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(MapSimtPass)

  MapSimtPass() = default;
  explicit MapSimtPass(const SimtOptions &options) {
    items = options.items;
    disjoint = options.disjoint;
  }
  MapSimtPass(const MapSimtPass &other) : PassWrapper(other) {}

  StringRef getArgument() const override { return "map-simt"; }
  StringRef getDescription() const override { return "Map nests to several work-items a program"; }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<arith::ArithDialect, scf::SCFDialect, vector::VectorDialect, mem::MemDialect>();
  }
  void runOnOperation() override {
    SimtOptions options;
    options.items = items;
    options.disjoint = disjoint;
    for (auto from : llvm::make_early_inc_range(getOperation().getOps<func::FuncOp>())) {
      if (from.isDeclaration())
        continue;
      auto to = cast<func::FuncOp>(from->cloneWithoutRegions());
      from->getBlock()->getOperations().insert(Block::iterator(from), to);
      to->setAttr("tritonrt.work_items", mlir::Builder(&getContext()).getI64IntegerAttr(items));
      LogicalResult mapped = SimtMapper(from, to, options).run();
      from.erase();
      if (failed(mapped))
        return signalPassFailure();
    }
  }

  Option<int64_t> items{*this, "items", llvm::cl::init(128),
                        llvm::cl::desc("Work-items a program")};
  Option<bool> disjoint{*this, "disjoint", llvm::cl::init(false),
                        llvm::cl::desc("No written argument overlaps another one")};
};

struct SplitNestsPass : PassWrapper<SplitNestsPass, OperationPass<func::FuncOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(SplitNestsPass)
  StringRef getArgument() const override { return "split-nests"; }
  StringRef getDescription() const override { return "One set of reduced dims a nest"; }
  void runOnOperation() override { splitNests(getOperation()); }
};

} // namespace

std::unique_ptr<Pass> createMapSimtPass(const SimtOptions &options) {
  return std::make_unique<MapSimtPass>(options);
}

std::unique_ptr<Pass> createSplitNestsPass() { return std::make_unique<SplitNestsPass>(); }

} // namespace tritonrt::compiler
