// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Several work-items a program. The layout of a nest says which bits of a point's index are the
// item's; the others are registers (vectors) and loops. A tile whose makers and readers agree on
// the items stays with them, in private memory that the target's compiler turns into registers; any
// other one is in local memory. All items run the scalar code; writes and atomics of scalars happen
// on item 0. Before whatever may touch memory stands a sync point, for `place-barriers` to choose
// from.
#include "compiler/passes/simt/MapSimt.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tritonrt::compiler {

namespace mapvector {

Value SimtMapper::item() {
  if (!itemId) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(entry);
    Value id = mem::ItemIdOp::create(b, b.getI32Type());
    itemId = arith::ExtUIOp::create(b, b.getI64Type(), id);
  }
  return itemId;
}

Value SimtMapper::itemBits(ArrayRef<int64_t> bits) {
  Value number = b.constant(0);
  for (size_t i = 0; i < bits.size();) {
    size_t run = 1;
    while (i + run < bits.size() && bits[i + run] == bits[i] + int64_t(run))
      ++run;
    Value part = b.shr(item(), bits[i]);
    if ((items() >> bits[i]) > (int64_t{1} << run))
      part = b.bitAnd(part, b.constant((int64_t{1} << run) - 1));
    number = b.add(number, b.shl(part, i));
    i += run;
  }
  return number;
}

Value SimtMapper::itemIsZeroIn(int64_t mask) {
  return b.cmp(arith::CmpIPredicate::eq, b.bitAnd(item(), b.constant(mask)), b.constant(0));
}

void SimtMapper::point(ArrayRef<Access> accesses) {
  SmallVector<int64_t> list;
  for (const Access &access : accesses)
    llvm::append_values(list, access.root, int64_t(access.writes), int64_t(access.fence));
  mem::SyncPointOp::create(b, list);
}

void SimtMapper::barrier() {
  mem::BarrierOp::create(b, mem::Scope::Group, /*local=*/true, /*global=*/true);
}

Value SimtMapper::placeFor(Value old) {
  auto type = cast<RankedTensorType>(old.getType());
  int64_t element = mem::elementBytes(type);
  if (auto held = placement.heldBits(old))
    return allocate(element << held->size(), mem::Space::Scratch);
  ++converts;
  return allocate(type.getNumElements() * element, mem::Space::Local);
}

void SimtMapper::copy(const Tile &from, const Tile &to, RankedTensorType type) {
  if (from.memory == to.memory)
    return;
  Type element = type.getElementType();
  bool isPrivate = to.held.has_value();
  int64_t size = isPrivate ? int64_t{1} << to.held->size() : type.getNumElements();
  int64_t others = isPrivate ? 1 : items();
  int64_t width = std::clamp<int64_t>(size / others, 1, 16 / mem::elementBytes(element));
  uint64_t align = width * mem::elementBytes(element);
  if (!isPrivate)
    point();
  Value first = isPrivate ? b.constant(0) : b.mul(item(), b.constant(width));
  auto loop = scf::ForOp::create(b, first, b.constant(size), b.constant(others * width));
  if (isPrivate && straightCode())
    loop->setAttr(kUnroll, b.getUnitAttr());
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  Value at = loop.getInductionVar();
  Value value = from.splat ? b.spread(from.splat, width)
                           : mem::LoadOp::create(b, onLanes(element, width), from.memory, at,
                                                 Value(), Value(), align, IntegerAttr())
                                 .getResult();
  mem::StoreOp::create(b, value, to.memory, at, Value(), align, IntegerAttr());
}

namespace {

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

} // namespace

void SimtMapper::mapNest(nests::NestOp nest) {
  Layout layout = Layout::of(*nest.getLayout());
  SmallVector<Part> parts = partsOf(nest, layout);

  bool sitsOut = placement.sitsOut(nest);
  point(rules.accessesOf(nest));

  // The nest over its parts: the same flat bits under other dims.
  Plan plan;
  Point start;
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
    start.index.push_back(b.constant(0));
    if (part.place == Part::Item) {
      auto bits = llvm::to_vector(llvm::seq(part.itemBit, part.itemBit + part.size));
      start.index.back() = itemBits(bits);
      if (ordered)
        llvm::append_range(reducedItemBits, bits);
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
  OpBuilder::InsertionGuard guard(b);
  if (replicated && sitsOut) {
    auto branch = scf::IfOp::create(b, itemIsZeroIn(replicated), false);
    b.setInsertionPointToStart(branch.thenBlock());
  } else if (replicated) {
    start.writes = itemIsZeroIn(replicated);
  }
  llvm::sort(reducedItemBits);
  SimtNestMapper(*this, nest, plan, start, reducedItemBits).run();
}

/// Items that do what others do would read what those have written over.
bool SimtMapper::mayUpdate(nests::NestOp nest, Value old) const {
  return placement.heldBits(old) ||
         !llvm::is_contained(Layout::of(*nest.getLayout()).item, Layout::kReplicated);
}

void SimtMapper::onFirstItem(llvm::function_ref<void()> act) {
  auto branch = scf::IfOp::create(b, itemIsZeroIn(items() - 1), false);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(branch.thenBlock());
  act();
}

/// What `act` gives on item 0, for all items.
Value SimtMapper::broadcast(Type type, bool fence, llvm::function_ref<Value()> act) {
  Value slot = localBuffer(mem::elementBytes(type));
  Value zero = b.constant(0);
  onFirstItem([&] { mem::StoreOp::create(b, act(), slot, zero, Value(), 0, IntegerAttr()); });
  if (fence)
    barrier();
  else
    point();
  return mem::LoadOp::create(b, type, slot, zero, Value(), Value(), 0, IntegerAttr());
}

LogicalResult SimtMapper::mapAccess(Operation &op) {
  SmallVector<Access> accesses = rules.accessesOf(&op);
  point(accesses);
  bool fence = accesses.front().fence;
  LogicalResult mapped = success();
  if (auto load = dyn_cast<tile::LoadOp>(op); load && !load.getIsVolatile())
    return FunctionMapper::mapAccess(op);
  if (op.getNumResults() == 0 || op.getResult(0).use_empty()) {
    onFirstItem([&] { mapped = FunctionMapper::mapAccess(op); });
    if (fence)
      barrier();
    return mapped;
  }
  Value result = broadcast(op.getResult(0).getType(), fence, [&] {
    mapped = FunctionMapper::mapAccess(op);
    return scalar(op.getResult(0));
  });
  if (succeeded(mapped))
    setScalar(op.getResult(0), result);
  return mapped;
}

/// One item looks at the stop word where a loop that waits begins a turn, and all read what it saw
/// where the turn ends: between the barriers that the loop itself has.
void SimtMapper::poll(mem::PollStopOp op) {
  Value slot = localBuffer(mem::elementBytes(b.getI1Type()));
  point();
  onFirstItem([&] {
    auto look = mem::PollStopOp::create(b, b.getI1Type(), op.getWait());
    mem::StoreOp::create(b, look.getStopped(), slot, b.constant(0), Value(), 0, IntegerAttr());
  });
  polled[op->getParentOp()] = slot;
}

void SimtMapper::leaveRegion(Operation *op) {
  Value slot = polled.lookup(op);
  if (!polled.erase(op))
    return;
  point();
  Value stopped = mem::LoadOp::create(b, b.getI1Type(), slot, b.constant(0), Value(), Value(), 0,
                                      IntegerAttr());
  auto branch = scf::IfOp::create(b, stopped, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(branch.thenBlock());
  mem::ExitOp::create(b);
}

LogicalResult SimtMapper::mapPlain(Operation &op) {
  if (auto look = dyn_cast<mem::PollStopOp>(op))
    return poll(look), success();
  if (isa<mem::BarrierOp>(op)) {
    barrier();
    return success();
  }
  // The items of a program meet in it as well.
  if (isa<mem::MeshBarrierOp>(op)) {
    point();
    b.clone(op, values);
    return success();
  }
  // Items take a place in a report, and read the clock, as one. Nothing else in the kernel touches
  // what these touch.
  if (isa<mem::ReserveOp, mem::ClockOp>(op)) {
    Type type = op.getResult(0).getType();
    point();
    setScalar(op.getResult(0),
              broadcast(type, /*fence=*/false, [&] { return b.clone(op, values)->getResult(0); }));
    return success();
  }
  return FunctionMapper::mapPlain(op);
}

} // namespace mapvector

namespace {

struct MapSimtPass : PassWrapper<MapSimtPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(MapSimtPass)

  MapSimtPass() = default;
  explicit MapSimtPass(const SimtOptions &options) {
    items = options.items;
    disjoint = options.disjoint;
    generic = options.generic;
    shuffleLanes = options.shuffleLanes;
    straightCode = options.straightCode;
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
    options.generic = generic;
    options.shuffleLanes = shuffleLanes;
    options.straightCode = straightCode;
    for (auto from : llvm::make_early_inc_range(getOperation().getOps<func::FuncOp>())) {
      if (from.isDeclaration())
        continue;
      auto to = cast<func::FuncOp>(from->cloneWithoutRegions());
      from->getBlock()->getOperations().insert(Block::iterator(from), to);
      to->setAttr("tritonrt.work_items", mlir::Builder(&getContext()).getI64IntegerAttr(items));
      mapvector::SimtMapper mapper(from, to, options);
      LogicalResult mapped = mapper.run();
      to->setAttr(kConvertsAttr,
                  mlir::Builder(&getContext()).getI64IntegerAttr(mapper.conversions()));
      from.erase();
      if (failed(mapped))
        return signalPassFailure();
      // Scratch memory is an item's own.
      for (auto alloc : to.getOps<mem::AllocOp>())
        alloc.setOwn(alloc.getType().getSpace() == mem::Space::Scratch);
    }
  }

  Option<int64_t> items{*this, "items", llvm::cl::init(128),
                        llvm::cl::desc("Work-items a program")};
  Option<bool> disjoint{*this, "disjoint", llvm::cl::init(false),
                        llvm::cl::desc("No written argument overlaps another one")};
  Option<bool> generic{*this, "generic", llvm::cl::init(false),
                       llvm::cl::desc("Ignore tt.divisibility")};
  Option<int64_t> shuffleLanes{*this, "shuffle-lanes", llvm::cl::init(1),
                               llvm::cl::desc("Work-items that read each other's registers")};
  Option<bool> straightCode{*this, "straight-code", llvm::cl::init(true),
                            llvm::cl::desc("Write loops out that keep values in registers")};
};

struct SplitNestsPass : PassWrapper<SplitNestsPass, OperationPass<func::FuncOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(SplitNestsPass)

  SplitNestsPass() = default;
  explicit SplitNestsPass(const SimtOptions &options) {
    items = options.items;
    disjoint = options.disjoint;
  }
  SplitNestsPass(const SplitNestsPass &other) : PassWrapper(other) {}

  StringRef getArgument() const override { return "split-nests"; }
  StringRef getDescription() const override { return "One set of reduced dims a nest"; }
  void runOnOperation() override {
    mapvector::splitNests(getOperation(), llvm::Log2_64(items), disjoint);
  }

  Option<int64_t> items{*this, "items", llvm::cl::init(128),
                        llvm::cl::desc("Work-items a program")};
  Option<bool> disjoint{*this, "disjoint", llvm::cl::init(false),
                        llvm::cl::desc("No written argument overlaps another one")};
};

} // namespace

std::unique_ptr<Pass> createMapSimtPass(const SimtOptions &options) {
  return std::make_unique<MapSimtPass>(options);
}

std::unique_ptr<Pass> createSplitNestsPass(const SimtOptions &options) {
  return std::make_unique<SplitNestsPass>(options);
}

} // namespace tritonrt::compiler
