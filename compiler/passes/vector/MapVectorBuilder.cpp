// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/passes/vector/MapVector.h"

#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;

namespace tritonrt::compiler::mapvector {

Type onLanes(Type element, int64_t width) {
  return width == 1 ? element : VectorType::get({width}, element);
}

Value Builder::constant(int64_t value) { return constant(value, getI64Type()); }

Value Builder::constant(int64_t value, Type type) {
  return arith::ConstantOp::create(*this, getIntegerAttr(type, value));
}

Value Builder::constantLanes(ArrayRef<int64_t> values, Type element) {
  if (values.size() == 1)
    return constant(values.front(), element);
  auto type = VectorType::get({int64_t(values.size())}, element);
  SmallVector<Attribute> numbers;
  for (int64_t value : values)
    numbers.push_back(getIntegerAttr(element, value));
  return arith::ConstantOp::create(*this, DenseElementsAttr::get(type, numbers));
}

Value Builder::add(Value a, Value b) {
  if (constantOf(a) == 0)
    return b;
  if (constantOf(b) == 0)
    return a;
  return createOrFold<arith::AddIOp>(a, b);
}
Value Builder::sub(Value a, Value b) {
  return constantOf(b) == 0 ? a : createOrFold<arith::SubIOp>(a, b);
}
Value Builder::mul(Value a, Value b) { return createOrFold<arith::MulIOp>(a, b); }
Value Builder::bitAnd(Value a, Value b) { return createOrFold<arith::AndIOp>(a, b); }
Value Builder::shl(Value a, int64_t bits) {
  return bits ? createOrFold<arith::ShLIOp>(a, constant(bits, a.getType())) : a;
}
Value Builder::shr(Value a, int64_t bits) {
  return bits ? createOrFold<arith::ShRUIOp>(a, constant(bits, a.getType())) : a;
}
Value Builder::min(Value a, Value b) { return createOrFold<arith::MinSIOp>(a, b); }
Value Builder::max(Value a, Value b) { return createOrFold<arith::MaxSIOp>(a, b); }
Value Builder::cmp(arith::CmpIPredicate predicate, Value a, Value b) {
  return createOrFold<arith::CmpIOp>(predicate, a, b);
}

Value Builder::select(Value condition, Value a, Value b) {
  int64_t width = widthOf(condition);
  return createOrFold<arith::SelectOp>(condition, spread(a, width), spread(b, width));
}

Value Builder::spread(Value value, int64_t width) {
  if (width == 1 || isa<VectorType>(value.getType()))
    return value;
  auto type = VectorType::get({width}, value.getType());
  TypedAttr attr;
  if (matchPattern(value, m_Constant(&attr)))
    return arith::ConstantOp::create(*this, DenseElementsAttr::get(type, Attribute(attr)));
  return vector::BroadcastOp::create(*this, type, value);
}

Value Builder::both(Value a, Value b) {
  if (!a || !b)
    return a ? a : b;
  int64_t width = std::max(widthOf(a), widthOf(b));
  return bitAnd(spread(a, width), spread(b, width));
}

Value Builder::anything(Type type) {
  return arith::ConstantOp::create(*this, cast<TypedAttr>(getZeroAttr(type)));
}

SmallVector<Value> Builder::apply(Operation &op, ArrayRef<Value> operands, int64_t width) {
  bool uniform = llvm::none_of(operands, [](Value v) { return isa<VectorType>(v.getType()); });
  auto write = [&](ValueRange values, TypeRange types) {
    OperationState state(op.getLoc(), op.getName(), values, types,
                         llvm::to_vector(op.getDiscardableAttrs()));
    state.propertiesAttr = op.getPropertiesAsAttribute();
    return create(state)->getResults();
  };
  if (uniform)
    return SmallVector<Value>(write(operands, op.getResultTypes()));
  if (OpTrait::hasElementwiseMappableTraits(&op)) {
    SmallVector<Value> wide;
    for (auto [i, operand] : llvm::enumerate(operands)) {
      // The condition of a select may stay a scalar.
      bool scalarStays = isa<arith::SelectOp>(op) && i == 0;
      wide.push_back(scalarStays ? operand : spread(operand, width));
    }
    return SmallVector<Value>(write(wide, llvm::map_to_vector(op.getResultTypes(), [&](Type type) {
                                      return onLanes(type, width);
                                    })));
  }
  // An op of scalars only: once a lane.
  SmallVector<SmallVector<Value>> lanes(op.getNumResults());
  for (int64_t lane = 0; lane < width; ++lane) {
    auto laneOf = [&](Value value) -> Value {
      return isa<VectorType>(value.getType()) ? vector::ExtractOp::create(*this, value, lane)
                                              : value;
    };
    for (auto [i, result] :
         llvm::enumerate(write(llvm::map_to_vector(operands, laneOf), op.getResultTypes())))
      lanes[i].push_back(result);
  }
  SmallVector<Value> results;
  for (auto [type, elements] : llvm::zip_equal(op.getResultTypes(), lanes))
    results.push_back(vector::FromElementsOp::create(*this, onLanes(type, width), elements));
  return results;
}

void Builder::applyNested(Operation &op, IRMapping &mapping, int64_t width) {
  llvm::SetVector<Value> outside(op.operand_begin(), op.operand_end());
  getUsedValuesDefinedAbove(op.getRegions(), outside);
  SmallVector<Value> wide = llvm::filter_to_vector(outside, [&](Value value) {
    return isa<VectorType>(mapping.lookupOrDefault(value).getType());
  });
  if (wide.empty()) {
    clone(op, mapping);
    return;
  }
  SmallVector<SmallVector<Value>> lanes(op.getNumResults());
  for (int64_t lane = 0; lane < width; ++lane) {
    IRMapping own(mapping);
    for (Value value : wide)
      own.map(value, vector::ExtractOp::create(*this, mapping.lookup(value), lane));
    for (auto [elements, result] : llvm::zip_equal(lanes, clone(op, own)->getResults()))
      elements.push_back(result);
  }
  for (auto [result, elements] : llvm::zip_equal(op.getResults(), lanes))
    mapping.map(result,
                vector::FromElementsOp::create(*this, onLanes(result.getType(), width), elements));
}

SmallVector<Value> Builder::inlineRegion(Region &region, ArrayRef<Value> arguments, int64_t width,
                                         const IRMapping &known) {
  IRMapping local(known);
  local.map(region.getArguments(), arguments);
  auto mapped = [&](ValueRange values) {
    return llvm::map_to_vector(values, [&](Value v) { return local.lookup(v); });
  };
  for (Operation &op : region.front().without_terminator())
    if (op.getNumRegions())
      applyNested(op, local, width);
    else if (op.getNumResults() != 1 || !local.contains(op.getResult(0)))
      local.map(op.getResults(), ValueRange(apply(op, mapped(op.getOperands()), width)));
  return mapped(region.front().getTerminator()->getOperands());
}

Value Builder::guarded(Value mask, Type type, bool unused, llvm::function_ref<Value()> act) {
  if (!mask)
    return act();
  auto branch = scf::IfOp::create(*this, unused ? TypeRange() : TypeRange(type), mask, !unused);
  OpBuilder::InsertionGuard guard(*this);
  setInsertionPointToStart(branch.thenBlock());
  Value result = act();
  if (unused)
    return anything(type);
  scf::YieldOp::create(*this, result);
  setInsertionPointToStart(branch.elseBlock());
  Value none = anything(type);
  scf::YieldOp::create(*this, none);
  return branch.getResult(0);
}

} // namespace tritonrt::compiler::mapvector
