// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/passes/nests/NestBody.h"

#include "compiler/dialect/tt/TtOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace tritonrt::compiler {

namespace {

ArrayRef<int64_t> shapeOf(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type ? type.getShape() : ArrayRef<int64_t>();
}

bool isTensor(Value value) { return isa<RankedTensorType>(value.getType()); }

/// The map of a tensor that broadcasts to `to`, whose map is `map`.
BitMap spread(Value from, ArrayRef<int64_t> to, ArrayRef<int64_t> map) {
  return composeBits(broadcastBits(shapeOf(from), to), map);
}

/// One more low bit: the operands of a join under the map of its result.
BitMap withoutLowBit(ArrayRef<int64_t> map) { return BitMap(map.drop_front()); }

} // namespace

bool isInlinable(Operation *op) {
  if (!op || op->getNumResults() == 0 || !llvm::all_of(op->getResults(), isTensor))
    return false;
  if (isa<tt::MakeRangeOp, tt::SplatOp, tt::ExpandDimsOp, tt::BroadcastOp, tt::ReshapeOp,
          tt::TransOp, tt::JoinOp, tt::SplitOp, tt::CatOp, tt::GatherOp, tt::MapElementwiseOp,
          tile::LoadOp, ub::PoisonOp>(op))
    return true;
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    return isa<SplatElementsAttr>(constant.getValue());
  return OpTrait::hasElementwiseMappableTraits(op);
}

SmallVector<Pulled> operandsOf(Value value, ArrayRef<int64_t> map) {
  Operation *op = value.getDefiningOp();
  if (!isInlinable(op))
    return {};
  SmallVector<Pulled> operands;
  auto same = [&](Value operand) { operands.push_back({operand, BitMap(map)}); };
  if (isa<tt::ExpandDimsOp, tt::ReshapeOp>(op)) {
    same(op->getOperand(0));
  } else if (isa<tt::BroadcastOp>(op)) {
    operands.push_back({op->getOperand(0), spread(op->getOperand(0), shapeOf(value), map)});
  } else if (auto trans = dyn_cast<tt::TransOp>(op)) {
    operands.push_back(
        {trans.getSrc(),
         composeBits(transposeBits(shapeOf(trans.getSrc()), trans.getOrder()), map)});
  } else if (auto split = dyn_cast<tt::SplitOp>(op)) {
    BitMap wider(map);
    wider.insert(wider.begin(), value == split.getOutRHS() ? kBitOne : kBitZero);
    operands.push_back({split.getSrc(), wider});
  } else if (auto join = dyn_cast<tt::JoinOp>(op)) {
    if (map.front() != kBitOne)
      operands.push_back({join.getLhs(), withoutLowBit(map)});
    if (map.front() != kBitZero)
      operands.push_back({join.getRhs(), withoutLowBit(map)});
  } else if (auto cat = dyn_cast<tt::CatOp>(op)) {
    if (map.back() != kBitOne)
      operands.push_back({cat.getLhs(), BitMap(map.drop_back())});
    if (map.back() != kBitZero)
      operands.push_back({cat.getRhs(), BitMap(map.drop_back())});
  } else if (auto gather = dyn_cast<tt::GatherOp>(op)) {
    same(gather.getIndices());
  } else if (auto load = dyn_cast<tile::LoadOp>(op)) {
    if (Value offsets = load.getOffsets())
      operands.push_back({offsets, spread(offsets, shapeOf(value), map)});
    for (Value operand : {load.getMask(), load.getOther()})
      if (operand && isTensor(operand))
        same(operand);
  } else if (!isa<tt::MakeRangeOp, tt::SplatOp, ub::PoisonOp, arith::ConstantOp>(op)) {
    for (Value operand : op->getOperands())
      if (isTensor(operand))
        same(operand);
  }
  return operands;
}

NestBody::NestBody(ArrayRef<int64_t> domain, MLIRContext *context)
    : shape(domain), body(std::make_unique<Block>()), bodyBuilder(context) {
  bodyBuilder.setInsertionPointToEnd(body.get());
}

Value NestBody::pull(const Pulled &pulled, llvm::function_ref<bool(Value)> isTile,
                     llvm::function_ref<Value(tile::AddressOp)> viewOf) {
  if (!isTensor(pulled.value))
    return pulled.value;
  // An explicit stack: chains of thousands of ops are normal.
  SmallVector<Pulled> stack{pulled};
  while (!stack.empty()) {
    Pulled top = stack.back();
    if (holds(top.value, top.map)) {
      stack.pop_back();
      continue;
    }
    bool tile = isTile(top.value);
    size_t before = stack.size();
    if (!tile)
      for (Pulled &operand : operandsOf(top.value, top.map))
        if (!holds(operand.value, operand.map))
          stack.push_back(std::move(operand));
    if (stack.size() != before)
      continue;
    stack.pop_back();
    Value made = build(top.value, top.map, tile, viewOf);
    elements[{top.value, numbers(top.map)}] = made;
  }
  return elements.lookup({pulled.value, numbers(pulled.map)});
}

Value NestBody::element(Value value, ArrayRef<int64_t> map) {
  return isTensor(value) ? elements.lookup({value, numbers(map)}) : value;
}

Value NestBody::oneOfTwo(Location loc, int64_t bit, Pulled zero, Pulled one) {
  if (bit == kBitZero)
    return element(zero.value, zero.map);
  if (bit == kBitOne)
    return element(one.value, one.map);
  OpBuilder &b = bodyBuilder;
  Value index = nests::IndexOp::create(b, loc, b.getI32Type(), b.getDenseI64ArrayAttr({bit}));
  Value nought = arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(0));
  Value isZero = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, index, nought);
  return arith::SelectOp::create(b, loc, isZero, element(zero.value, zero.map),
                                 element(one.value, one.map));
}

Value NestBody::elementwise(OpResult value, ArrayRef<int64_t> map) {
  Operation *op = value.getOwner();
  auto scalars =
      llvm::map_to_vector(op->getOperands(), [&](Value operand) { return element(operand, map); });
  if (auto code = dyn_cast<tt::MapElementwiseOp>(op)) {
    IRMapping mapping;
    mapping.map(code.getScalarOp().getArguments(), scalars);
    Block &block = code.getScalarOp().front();
    for (Operation &inner : block.without_terminator())
      bodyBuilder.clone(inner, mapping);
    for (auto [result, returned] :
         llvm::zip(op->getResults(), block.getTerminator()->getOperands()))
      elements[{result, numbers(map)}] = mapping.lookupOrDefault(returned);
    return element(value, map);
  }
  auto types = llvm::map_to_vector(op->getResultTypes(),
                                   [](Type type) { return getElementTypeOrSelf(type); });
  Operation *scalar = Operation::create(
      op->getLoc(), op->getName(), types, scalars, op->getDiscardableAttrDictionary(),
      op->getPropertiesStorage(), /*successors=*/{}, /*numRegions=*/0);
  bodyBuilder.insert(scalar);
  for (auto [from, to] : llvm::zip(op->getResults(), scalar->getResults()))
    elements[{from, numbers(map)}] = to;
  return scalar->getResult(value.getResultNumber());
}

Value NestBody::build(Value value, ArrayRef<int64_t> map, bool isTile,
                      llvm::function_ref<Value(tile::AddressOp)> viewOf) {
  OpBuilder &b = bodyBuilder;
  Operation *op = value.getDefiningOp();
  Location loc = value.getLoc();
  Type type = getElementTypeOrSelf(value.getType());
  auto bits = b.getDenseI64ArrayAttr(map);
  if (isTile || !isInlinable(op))
    return nests::ElemOp::create(b, loc, type, value, bits);
  if (auto splat = dyn_cast<tt::SplatOp>(op))
    return splat.getSrc();
  if (isa<tt::ExpandDimsOp, tt::ReshapeOp, tt::BroadcastOp, tt::TransOp, tt::SplitOp>(op)) {
    Pulled source = operandsOf(value, map).front();
    return element(source.value, source.map);
  }
  if (auto range = dyn_cast<tt::MakeRangeOp>(op)) {
    Value index = nests::IndexOp::create(b, loc, b.getI32Type(), bits);
    if (range.getStart() != 0)
      index = arith::AddIOp::create(
          b, loc, index, arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(range.getStart())));
    if (type.isInteger(32))
      return index;
    if (type.getIntOrFloatBitWidth() > 32)
      return arith::ExtSIOp::create(b, loc, type, index);
    return arith::TruncIOp::create(b, loc, type, index);
  }
  if (auto join = dyn_cast<tt::JoinOp>(op))
    return oneOfTwo(loc, map.front(), {join.getLhs(), withoutLowBit(map)},
                    {join.getRhs(), withoutLowBit(map)});
  if (auto cat = dyn_cast<tt::CatOp>(op))
    return oneOfTwo(loc, map.back(), {cat.getLhs(), BitMap(map.drop_back())},
                    {cat.getRhs(), BitMap(map.drop_back())});
  if (auto gather = dyn_cast<tt::GatherOp>(op)) {
    // The source's bits: those of the indices, with the axis' own width.
    ArrayRef<int64_t> from = shapeOf(gather.getSrc()), at = shapeOf(gather.getIndices());
    BitMap source;
    for (int64_t d = from.size() - 1; d >= 0; --d)
      for (int64_t k = 0, n = llvm::Log2_64(from[d]); k < n; ++k)
        source.push_back(d == gather.getAxis() ? kBitZero : map[lowBitOf(at, d) + k]);
    return nests::PickOp::create(b, loc, type, gather.getSrc(), element(gather.getIndices(), map),
                                 gather.getAxis(), source);
  }
  if (auto load = dyn_cast<tile::LoadOp>(op)) {
    auto maybe = [&](Value operand) { return operand ? element(operand, map) : Value(); };
    Value offsets = load.getOffsets();
    if (offsets)
      offsets = element(offsets, spread(offsets, shapeOf(value), map));
    return nests::ReadOp::create(b, loc, type, viewOf(load), offsets, maybe(load.getMask()),
                                 maybe(load.getOther()), bits, load.getIsVolatileAttr());
  }
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    return arith::ConstantOp::create(
        b, loc, cast<SplatElementsAttr>(constant.getValue()).getSplatValue<TypedAttr>());
  if (isa<ub::PoisonOp>(op))
    return ub::PoisonOp::create(b, loc, type);
  return elementwise(cast<OpResult>(value), map);
}

void NestBody::addTile(Value original, Value element) {
  originals.push_back(original);
  yielded.push_back(element);
  kinds.push_back(
      nests::ResultAttr::get(bodyBuilder.getContext(), nests::Kind::Tile, {}, false, -1));
}

void NestBody::addGroup(ValueRange replaced, ValueRange values, nests::Kind kind,
                        ArrayRef<int64_t> dims, bool reverse, Region &combine) {
  auto attr =
      nests::ResultAttr::get(bodyBuilder.getContext(), kind, dims, reverse, combines.size());
  combines.push_back(std::make_unique<Region>());
  combines.back()->takeBody(combine);
  for (auto [original, value] : llvm::zip(replaced, values)) {
    originals.push_back(original);
    yielded.push_back(value);
    kinds.push_back(attr);
  }
}

/// Whether a value made in `block` exists for `user`: a value of an outer block may have become a
/// tile for the sake of this one alone.
static bool sees(Operation *user, Block *block) {
  Operation *top = user;
  for (Operation *op = user; op; op = op->getParentOp()) {
    if (op->getBlock() == block)
      return true;
    top = op;
  }
  // Bodies that are still being written will stand in the block.
  return !isa<ModuleOp>(top);
}

nests::NestOp NestBody::finish(OpBuilder &builder, Location loc) {
  auto types = llvm::map_to_vector(originals, [](Value value) { return value.getType(); });
  nests::YieldOp::create(bodyBuilder, loc, yielded);
  SmallVector<int32_t> dead(combines.size(), static_cast<int32_t>(nests::Dead::None));
  auto nest = nests::NestOp::create(
      builder, loc, types, /*lo=*/ValueRange(), /*hi=*/ValueRange(), /*deadValues=*/ValueRange(),
      builder.getDenseI64ArrayAttr(shape), builder.getDenseI64ArrayAttr({}),
      builder.getArrayAttr(kinds), builder.getDenseI32ArrayAttr(dead),
      /*layout=*/nests::LayoutAttr(), combines.size());
  nest.getBody().push_back(body.release());
  for (auto [region, combine] : llvm::zip(nest.getCombines(), combines))
    region.takeBody(*combine);
  Block *block = builder.getInsertionBlock();
  for (auto [original, result] : llvm::zip(originals, nest.getResults()))
    original.replaceUsesWithIf(result, [&](OpOperand &use) { return sees(use.getOwner(), block); });
  return nest;
}

} // namespace tritonrt::compiler
