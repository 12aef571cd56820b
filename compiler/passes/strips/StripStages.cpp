// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The buffers of strips.
#include "compiler/passes/strips/Products.h"
#include "compiler/passes/strips/StripSlicer.h"

#include "compiler/dialect/libm/Libm.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tritonrt::compiler {

namespace {

/// What a strip multiplies in a chunk should stay in the nearest cache, with room beside it.
constexpr int64_t kChunkBytes = 16 << 10;
/// Fewer strips of rows do not repay the copy.
constexpr int64_t kFewestStrips = 4;

bool isTensor(Value value) { return isa<RankedTensorType>(value.getType()); }
RankedTensorType tensorOf(Value value) { return cast<RankedTensorType>(value.getType()); }

/// The type in which all users multiply `value`, or its own where there are others.
Type usedAs(Value value, scf::ForOp loop) {
  Type own = tensorOf(value).getElementType(), used;
  for (OpOperand &use : value.getUses()) {
    if (!loop->isAncestor(use.getOwner()))
      continue;
    auto dot = dyn_cast<tt::DotOp>(use.getOwner());
    if (!dot || use.get() == dot.getC() || (used && used != productType(dot)))
      return own;
    used = productType(dot);
  }
  return used && isa<FloatType>(used) == isa<FloatType>(own) ? used : own;
}

} // namespace

/// Part of the dims of a stage, outside of which it has one value.
struct StripSlicer::Box {
  SmallVector<int64_t> dims;
  SmallVector<Value> lo, hi;
  Value other;
};

/// Is it made of scalars and indices alone, in a few simple ops? Looks at `most` of them.
static bool isCheapWithin(Value value, unsigned &most) {
  if (most == 0)
    return false;
  --most;
  Operation *op = value.getDefiningOp();
  if (!op || isa<tile::LoadOp>(op) || isa<libm::LibmDialect, math::MathDialect>(op->getDialect()))
    return false;
  if (isa<arith::ConstantOp, tt::SplatOp, tt::MakeRangeOp>(op))
    return true;
  if (!isa<tt::ExpandDimsOp, tt::BroadcastOp, tt::TransOp>(op) &&
      !OpTrait::hasElementwiseMappableTraits(op))
    return false;
  return llvm::all_of(op->getOperands(), [&](Value operand) {
    return !isTensor(operand) || isCheapWithin(operand, most);
  });
}

bool StripSlicer::isCheap(Value value) const {
  unsigned most = 64;
  return isCheapWithin(value, most);
}

bool StripSlicer::needStage(Value value, const Spec &spec) {
  Type element = usedAs(value, loop);
  if (element.isInteger(1))
    return false;
  if (!stageOf(value, spec))
    outside.push_back({value, spec, element, /*whole=*/true});
  return true;
}

const StripSlicer::Stage *StripSlicer::stageOf(Value value, const Spec &spec) const {
  for (const SmallVector<Stage> *stages : {&outside, &operands})
    for (const Stage &stage : *stages)
      if (stage.value == value && stage.spec == spec)
        return &stage;
  return nullptr;
}

/// Is `value` made in the loop's body of what is loaded there, and of nothing that it carries?
bool StripSlicer::isLoaded(Value value, const Spec &spec, Keys &seen, bool &loads) const {
  // One that is not ends the walk, so what has been seen is.
  if (!isOurs(value) || !seen.try_emplace(keyOf(value, spec), true).second)
    return true;
  Operation *op = value.getDefiningOp();
  if (!op || isa<tt::DotOp, tt::ReduceOp, tt::ScanOp>(op))
    return false;
  loads |= isa<tile::LoadOp>(op);
  auto list = *needs(op, spec);
  return llvm::all_of(list,
                      [&](auto &need) { return isLoaded(need.first, need.second, seen, loads); });
}

/// Can the product be made of pairs of neighbours along K? Both operands are in buffers then.
bool StripSlicer::canPair(tt::DotOp dot, const Spec &a, const Spec &b) const {
  Type sum = tensorOf(dot.getC()).getElementType();
  for (auto [value, spec] : {std::pair(dot.getA(), &a), std::pair(dot.getB(), &b)}) {
    Type element = tensorOf(value).getElementType();
    bool suits = (options.bf16Pairs && element.isBF16() && sum.isF32()) ||
                 (options.i16Pairs && element.isInteger(8) && sum.isInteger(32));
    bool loads = false;
    Keys seen;
    if (!suits || !isOurs(value) || !value.hasOneUse() || !isLoaded(value, *spec, seen, loads) ||
        !loads)
      return false;
  }
  return tensorOf(dot.getA()).getDimSize(1) % 2 == 0;
}

void StripSlicer::planPair(Value value, const Spec &spec, int64_t dim) {
  Type own = tensorOf(value).getElementType();
  Type element = isa<FloatType>(own) ? own : IntegerType::get(own.getContext(), 16);
  operands.push_back({value, spec, element, /*whole=*/false, dim});
}

bool StripSlicer::planStage(Value value, const Spec &spec, bool loadsToo) {
  if (stageOf(value, spec))
    return true;
  Type element = usedAs(value, loop);
  bool plain = value.getDefiningOp<tile::LoadOp>() && element == tensorOf(value).getElementType();
  bool loads = false;
  Keys seen;
  if (!isOurs(value) || element.isInteger(1) || (plain && !loadsToo) ||
      !isLoaded(value, spec, seen, loads) || !loads)
    return false;
  operands.push_back({value, spec, element, /*whole=*/false});
  return true;
}

void StripSlicer::planStages() {
  // The rows of the carried tile: the first strip, if any.
  const Strip &rows = strips.front();
  if (rows.total / rows.size < kFewestStrips || loop.getUnsignedCmp() ||
      !loop.getInductionVar().getType().isInteger())
    return;
  // A strip must not see what another one carries on.
  for (auto &[k, spec] : carriedSpecs)
    for (int64_t strip = 0; strip < int64_t(strips.size()); ++strip)
      if (!llvm::is_contained(spec, strip))
        return;
  bool repeated = false;
  for (auto dot : loop.getBody()->getOps<tt::DotOp>()) {
    auto it = costly.find(dot);
    if (it == costly.end() || it->second.size() != 2)
      continue;
    Spec a{it->second[0], kWhole}, b{kWhole, it->second[1]};
    bool isRepeated = !llvm::is_contained(b, 0);
    if (isRepeated && canPair(dot, a, b)) {
      planPair(dot.getA(), a, 1);
      planPair(dot.getB(), b, 0);
      repeated = true;
      continue;
    }
    if (isRepeated)
      repeated |= planStage(dot.getB(), b, /*loadsToo=*/true);
    planStage(dot.getA(), a, /*loadsToo=*/false);
  }
  if (!repeated) {
    operands.clear();
    return;
  }
  // One may be made of another one: they are filled in the order of the program. All are made in
  // the loop's body, where the products stand.
  llvm::stable_sort(operands, [](const Stage &a, const Stage &b) {
    Operation *first = a.value.getDefiningOp(), *second = b.value.getDefiningOp();
    return first != second && first->isBeforeInBlock(second);
  });
  int64_t bytes = 0;
  for (const Stage &stage : operands)
    bytes += blockBytesOf(stage);
  turnsInChunk = std::max<int64_t>(kChunkBytes / bytes, 1);
}

/// The end of the box of a load along dim `d`, or null.
static Value endOf(Value loaded, int64_t d) {
  auto load = loaded.getDefiningOp<tile::LoadOp>();
  if (!load)
    return {};
  auto dims = load.getBoxDims();
  auto it = llvm::find(dims, d);
  return it == dims.end() ? Value() : load.getHi()[it - dims.begin()];
}

std::optional<Value> StripSlicer::chunksPay(OpBuilder &b) {
  if (operands.empty())
    return std::nullopt;
  if (ops.size() == 1)
    return Value();
  // Operands that end at places of their own along K need masks wherever they are read.
  for (auto dot : loop.getBody()->getOps<tt::DotOp>())
    if (endOf(dot.getA(), 1) != endOf(dot.getB(), 0))
      return Value();
  // Rows that are loaded as they are come from the cache as well as from a buffer, unless they lie
  // such powers of two apart that they take each other's places there.
  constexpr int64_t kCollide = 8192;
  Location loc = loop.getLoc();
  Value all;
  for (const Stage &stage : operands) {
    auto load = stage.value.getDefiningOp<tile::LoadOp>();
    if (!load || stage.pairs >= 0 || load.getStaticStrides()[1] != 1 || load.getOffsets() ||
        load.getMask() || stage.element != tensorOf(stage.value).getElementType())
      return Value();
    int64_t fixed = load.getStaticStrides()[0], unit = load.getUnit();
    if (!ShapedType::isDynamic(fixed)) {
      if (fixed * unit % kCollide == 0)
        return Value();
      continue;
    }
    Value stride = load.getStrides()[0];
    if (isOurs(stride))
      return Value();
    auto constant = [&](int64_t value) -> Value {
      return arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(value));
    };
    Value bytes = arith::MulIOp::create(b, loc, stride, constant(unit));
    Value rest = arith::AndIOp::create(b, loc, bytes, constant(kCollide - 1));
    Value one = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, rest, constant(0));
    all = all ? Value(arith::OrIOp::create(b, loc, all, one)) : one;
  }
  return all ? std::optional(all) : std::nullopt;
}

int64_t StripSlicer::blocksOf(const Stage &stage) const {
  int64_t blocks = 1;
  for (int64_t strip : stage.spec)
    if (strip != kWhole)
      blocks *= strips[strip].total / strips[strip].size;
  return blocks;
}

int64_t StripSlicer::blockBytesOf(const Stage &stage) const {
  auto type = cast<RankedTensorType>(sliced(stage.value.getType(), stage.spec));
  return type.getNumElements() * mem::elementBytes(stage.element);
}

void StripSlicer::allocate(OpBuilder &b, Stage &stage, int64_t turns) {
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(&loop->getParentOfType<func::FuncOp>().getBody().front());
  stage.number = nextBuffer++;
  int64_t bytes = blocksOf(stage) * turns * blockBytesOf(stage);
  stage.buffer =
      mem::BufferOp::create(b, loop.getLoc(), mem::PtrType::get(b.getContext(), mem::Space::Global),
                            stage.number, bytes, /*temporary=*/true);
}

/// Where the current strip's part of the stage begins.
Value StripSlicer::blockOf(OpBuilder &b, const Stage &stage) {
  Location loc = loop.getLoc();
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(value));
  };
  auto add = [&](Value sum, Value more) -> Value {
    return sum ? Value(arith::AddIOp::create(b, loc, sum, more)) : more;
  };
  Value bytes;
  if (stage.whole) {
    int64_t step = mem::elementBytes(stage.element);
    ArrayRef<int64_t> shape = tensorOf(stage.value).getShape();
    for (int64_t d = shape.size() - 1; d >= 0; step *= shape[d--])
      if (int64_t strip = stage.spec[d]; strip != kWhole)
        bytes = add(bytes, arith::MulIOp::create(b, loc, offsets[strip], constant(step)));
  } else {
    bytes = arith::MulIOp::create(b, loc, turn, constant(blockBytesOf(stage)));
    int64_t unit = blockBytesOf(stage) * turnsInChunk;
    for (int64_t strip : llvm::reverse(stage.spec)) {
      if (strip == kWhole)
        continue;
      // Offsets are multiples of the strip's size, which a block's bytes are a multiple of.
      Value step = constant(unit / strips[strip].size);
      bytes = add(bytes, arith::MulIOp::create(b, loc, offsets[strip], step));
      unit *= strips[strip].total / strips[strip].size;
    }
  }
  if (!bytes)
    return stage.buffer;
  return mem::OffsetOp::create(b, loc, stage.buffer.getType(), stage.buffer, bytes);
}

/// The part of a stage that is loaded in this turn, where what lies outside is one value.
StripSlicer::Box StripSlicer::boxOf(OpBuilder &b, const Stage &stage) {
  Box box;
  // The other half of a last word has to be there.
  if (stage.whole || stage.pairs >= 0)
    return box;
  auto load = stage.value.getDefiningOp<tile::LoadOp>();
  SmallVector<int64_t> dimOf = llvm::to_vector(llvm::seq<int64_t>(0, stage.spec.size()));
  if (auto trans = stage.value.getDefiningOp<tt::TransOp>()) {
    load = trans.getSrc().getDefiningOp<tile::LoadOp>();
    for (auto [to, from] : llvm::enumerate(trans.getOrder()))
      dimOf[from] = to;
  }
  if (!load || !isOurs(load) || (load.getOther() && isTensor(load.getOther())))
    return box;
  std::map<int64_t, unsigned> dims;
  for (auto [i, d] : llvm::enumerate(load.getBoxDims()))
    if (stage.spec[dimOf[d]] == kWhole)
      dims[dimOf[d]] = i;
  for (auto [d, i] : dims) {
    box.dims.push_back(d);
    box.lo.push_back(scalars.lookupOrDefault(load.getLo()[i]));
    box.hi.push_back(scalars.lookupOrDefault(load.getHi()[i]));
  }
  if (Value other = load.getOther(); other && !box.dims.empty())
    box.other = widened(b, loop.getLoc(), scalars.lookupOrDefault(other), stage.element);
  return box;
}

namespace {

SmallVector<int64_t> rowMajor(ArrayRef<int64_t> shape) {
  SmallVector<int64_t> strides(shape.size());
  int64_t step = 1;
  for (int64_t d = shape.size() - 1; d >= 0; step *= shape[d--])
    strides[d] = step;
  return strides;
}

/// Of the first enabled element of a part: `lo` is where it begins, `step` is how many bytes apart
/// parts and their rows are.
int64_t alignOf(ArrayRef<Value> lo, int64_t step) {
  bool fromStart = llvm::all_of(lo, [](Value low) { return isConstantIntValue(low, 0); });
  return fromStart && step % mem::kBufferAlign == 0 ? mem::kBufferAlign : 0;
}

} // namespace

/// What all parts' first elements lie a multiple of apart.
int64_t StripSlicer::stepOf(const Stage &stage) {
  if (!stage.whole)
    return blockBytesOf(stage);
  int64_t bytes = mem::elementBytes(stage.element), strip = stage.spec.back();
  return bytes * (strip == kWhole ? tensorOf(stage.value).getShape().back() : strips[strip].size);
}

/// What a strip's part is loaded as.
RankedTensorType StripSlicer::stagedType(const Stage &stage) const {
  auto type = cast<RankedTensorType>(sliced(stage.value.getType(), stage.spec));
  if (stage.pairs < 0)
    return type.clone(stage.element);
  SmallVector<int64_t> shape(type.getShape());
  shape[stage.pairs] /= 2;
  MLIRContext *context = type.getContext();
  return RankedTensorType::get(shape, isa<FloatType>(stage.element)
                                          ? Type(Float32Type::get(context))
                                          : Type(IntegerType::get(context, 32)));
}

Value StripSlicer::loadStage(OpBuilder &b, const Stage &stage) {
  return loadAs(b, stage, stagedType(stage), blockOf(b, stage));
}

Value StripSlicer::loadAs(OpBuilder &b, const Stage &stage, RankedTensorType type, Value base) {
  Box box = boxOf(b, stage);
  ArrayRef<int64_t> shape = stage.whole ? tensorOf(stage.value).getShape() : type.getShape();
  return tile::LoadOp::create(b, loop.getLoc(), type, base, ValueRange(), box.lo, box.hi, Value(),
                              Value(), Value(), Value(), box.other, rowMajor(shape), box.dims, -1,
                              mem::elementBytes(type), tile::bufferRoot(stage.number),
                              alignOf(box.lo, stepOf(stage)), false);
}

/// A matrix of halves as words of neighbours in a column.
static Value columnPairs(OpBuilder &b, Location loc, Value halves, RankedTensorType words) {
  auto type = cast<RankedTensorType>(halves.getType());
  Type half = type.getElementType(), bits = b.getIntegerType(16), word = b.getI32Type();
  int64_t rows = type.getDimSize(0) / 2, columns = type.getDimSize(1);
  Value pairs =
      tt::ReshapeOp::create(b, loc, RankedTensorType::get({rows, 2, columns}, half), halves);
  Value last = tt::TransOp::create(b, loc, RankedTensorType::get({rows, columns, 2}, half), pairs,
                                   b.getDenseI32ArrayAttr({0, 2, 1}));
  auto part = RankedTensorType::get({rows, columns}, half);
  auto split = tt::SplitOp::create(b, loc, part, part, last);
  auto wordOf = [&](Value value) -> Value {
    if (isa<FloatType>(half))
      value = arith::BitcastOp::create(b, loc, part.clone(bits), value);
    return arith::ExtUIOp::create(b, loc, part.clone(word), value);
  };
  Value shift = arith::ConstantOp::create(
      b, loc, SplatElementsAttr::get(part.clone(word), b.getI32IntegerAttr(16)));
  Value high = arith::ShLIOp::create(b, loc, wordOf(split.getOutRHS()), shift);
  Value both = arith::OrIOp::create(b, loc, wordOf(split.getOutLHS()), high);
  if (words.getElementType() == word)
    return both;
  return arith::BitcastOp::create(b, loc, words, both);
}

void StripSlicer::storeStage(OpBuilder &b, const Stage &stage, Value value, bool part) {
  Value wide = widened(b, loop.getLoc(), value, stage.element);
  // Neighbours in a row lie so already.
  if (stage.pairs == 0)
    wide = columnPairs(b, loop.getLoc(), wide, stagedType(stage));
  Box box = boxOf(b, stage);
  Value base = part ? blockOf(b, stage) : stage.buffer;
  ArrayRef<int64_t> shape = tensorOf(stage.whole ? stage.value : wide).getShape();
  tile::StoreOp::create(b, loop.getLoc(), wide, base, ValueRange(), box.lo, box.hi, Value(),
                        Value(), Value(), Value(), rowMajor(shape), box.dims, -1,
                        mem::elementBytes(wide.getType()), tile::bufferRoot(stage.number),
                        alignOf(box.lo, stepOf(stage)), false);
}

/// Brings the operands of a chunk's turns into their buffers. Gives what the loop's scalars are
/// after these turns.
SmallVector<Value> StripSlicer::fill(OpBuilder &b, const Turns &turns) {
  Location loc = loop.getLoc();
  SmallVector<Value> inits(turns.scalars);
  inits.push_back(arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(0)));
  Value one = arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(1));
  auto copy = scf::ForOp::create(b, loc, turns.lower, turns.upper, loop.getStep(), inits);
  forget();
  scalars.map(loop.getInductionVar(), copy.getInductionVar());
  auto arg = copy.getRegionIterArgs().begin();
  for (BlockArgument old : loop.getRegionIterArgs())
    if (!isTensor(old))
      scalars.map(old, *arg++);
  turn = *arg;
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(copy.getBody());
  sliceScalars(b);
  for (const Stage &stage : operands) {
    auto result = cast<OpResult>(stage.value);
    Keys keys;
    reach(stage.value, stage.spec, keys);
    overStrips(b, stage.spec, /*firstOutside=*/false, [&](OpBuilder &b) {
      insideOrNot(b, keys, /*stores=*/false, [&](OpBuilder &b) {
        made.clear();
        Value made = sliceOp(b, result.getOwner(), result.getResultNumber(), stage.spec);
        storeStage(b, stage, made, /*part=*/true);
      });
    });
  }
  SmallVector<Value> yielded;
  for (Value value : loop.getBody()->getTerminator()->getOperands())
    if (!isTensor(value))
      yielded.push_back(scalars.lookupOrDefault(value));
  yielded.push_back(arith::AddIOp::create(b, loc, turn, one));
  scf::YieldOp::create(b, loc, yielded);
  turn = Value();
  return SmallVector<Value>(copy.getResults().drop_back());
}

/// A chunk's turns, for all strips.
void StripSlicer::writeChunk(OpBuilder &b, const Turns &turns) {
  Spec all = llvm::to_vector(llvm::seq<int64_t>(0, strips.size()));
  Keys keys = reachedByLoop();
  // A strip of columns finds its operands in the cache for all of its rows.
  overStrips(b, all, /*firstOutside=*/false, [&](OpBuilder &b) {
    insideOrNot(b, keys, /*stores=*/false, [&](OpBuilder &b) {
      forget();
      sliceLoop(b, turns);
      for (auto &[k, stage] : carried)
        storeStage(b, stage, made.at(keyOf(loop.getResult(k), stage.spec)), /*part=*/true);
    });
  });
}

void StripSlicer::writeChunks(OpBuilder &b) {
  for (Stage &stage : operands)
    allocate(b, stage, turnsInChunk);
  for (auto &[k, spec] : carriedSpecs) {
    Value init = loop.getInitArgs()[k];
    carried[k] = {init, spec, tensorOf(init).getElementType(), /*whole=*/true};
  }
  Spec all = llvm::to_vector(llvm::seq<int64_t>(0, strips.size()));
  for (auto &[k, stage] : carried)
    allocate(b, stage, 1);
  overStrips(b, all, /*firstOutside=*/false, [&](OpBuilder &b) {
    forget();
    boxesDropped = false;
    for (auto &[k, stage] : carried)
      storeStage(b, stage, slice(b, stage.value, stage.spec), /*part=*/true);
  });
  scf::ForOp chunks = writeChunkLoop(b);
  if (ops.size() == 1)
    return leaveBehind(b, chunks);

  Keys keys = reachedByStores();
  overStrips(b, all, /*firstOutside=*/true, [&](OpBuilder &b) {
    insideOrNot(b, keys, /*stores=*/true, [&](OpBuilder &b) {
      forget();
      for (auto &[k, stage] : carried)
        made[keyOf(loop.getResult(k), stage.spec)] = loadStage(b, stage);
      writeStores(b);
    });
  });
}

/// The whole tensors that the loop leaves to ops of any kind.
void StripSlicer::leaveBehind(OpBuilder &b, scf::ForOp chunks) {
  auto scalar = chunks.getResults().begin();
  for (auto [k, result] : llvm::enumerate(loop.getResults())) {
    if (!isTensor(result))
      result.replaceAllUsesWith(*scalar++);
    else if (auto it = carried.find(k); it != carried.end() && !result.use_empty())
      result.replaceAllUsesWith(loadAs(b, it->second, tensorOf(result), it->second.buffer));
  }
}

scf::ForOp StripSlicer::writeChunkLoop(OpBuilder &b) {
  Location loc = loop.getLoc();
  // In 64 bits a chunk's end does not pass that of the type.
  Type counter = loop.getInductionVar().getType(), wide = b.getI64Type();
  auto extended = [&](Value value) -> Value {
    return value.getType() == wide ? value : arith::ExtSIOp::create(b, loc, wide, value);
  };
  auto back = [&](OpBuilder &b, Value value) -> Value {
    return counter == wide ? value : arith::TruncIOp::create(b, loc, counter, value);
  };
  Value upper = extended(loop.getUpperBound());
  Value turns = arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(turnsInChunk));
  Value step = arith::MulIOp::create(b, loc, extended(loop.getStep()), turns);
  SmallVector<Value> inits;
  for (Value init : loop.getInitArgs())
    if (!isTensor(init))
      inits.push_back(init);
  auto chunks = scf::ForOp::create(b, loc, extended(loop.getLowerBound()), upper, step, inits);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(chunks.getBody());
  Value first = chunks.getInductionVar();
  Value end = arith::AddIOp::create(b, loc, first, step);
  end = arith::MinSIOp::create(b, loc, end, upper);
  Turns part{back(b, first), back(b, end), SmallVector<Value>(chunks.getRegionIterArgs()),
             /*counted=*/true};
  SmallVector<Value> next = fill(b, part);
  writeChunk(b, part);
  if (!next.empty())
    scf::YieldOp::create(b, loc, next);
  return chunks;
}

} // namespace tritonrt::compiler
