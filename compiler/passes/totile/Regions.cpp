// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// scf: how pointers and address integers cross the edges of loops and branches.
#include "compiler/passes/totile/Translator.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace tritonrt::compiler {

//===----------------------------------------------------------------------===//
// Choosing
//===----------------------------------------------------------------------===//

Carry Translator::planType(Type type) {
  Carry carry;
  if (isBlock(type)) {
    carry.kind = Carry::Block;
    auto descriptor = dyn_cast<tt::TensorDescType>(type);
    size_t rank =
        descriptor ? descriptor.getShape().size()
                   : cast<RankedTensorType>(cast<tt::PointerType>(type).getPointeeType()).getRank();
    carry.block.shape.resize(rank);
    carry.block.strides.resize(rank);
    carry.block.offsets.resize(descriptor ? 0 : rank);
  } else if (isTensorPointer(type))
    carry.kind = Carry::Addresses;
  else if (isScalarPointer(type) || isBuffer(type))
    carry.kind = Carry::ScalarPtr;
  return carry;
}

Carry Translator::planLoop(Value init, BlockArgument arg, Value yielded) {
  Type type = init.getType();
  Carry carry = planType(type);
  if (isBlock(type))
    carry.block = blocks.find(init)->second;
  if (!options.forms)
    return carry;
  if (carry.kind == Carry::Plain &&
      !(isa<RankedTensorType>(type) && demanded.contains(arg) && !tt::isBoolLike(type)))
    return carry;
  Trace trace = traceSteps(yielded, arg);
  if (!trace.reaches)
    return carry;
  switch (carry.kind) {
  case Carry::Plain:
    if (trace.uniform) {
      carry.kind = Carry::Delta;
      carry.form = form(init);
      carry.data = data(init);
    }
    break;
  case Carry::Block:
    carry.kind = Carry::BlockOffsets;
    break;
  default:
    carry.pointer = pointer(init);
    carry.kind = trace.uniform ? Carry::Delta : Carry::Offsets;
  }
  return carry;
}

/// Whether the value exists outside of `scope`.
static bool isOutside(Value value, Operation *scope) {
  return !value || !scope->isProperAncestor(value.getParentRegion()->getParentOp());
}

static bool isOutside(const Linear &sum, Operation *scope) {
  return llvm::all_of(sum.terms,
                      [&](const Linear::Term &term) { return isOutside(term.first, scope); });
}

static bool isOutside(ArrayRef<Linear> sums, Operation *scope) {
  return llvm::all_of(sums, [&](const Linear &sum) { return isOutside(sum, scope); });
}

/// All but the start.
static bool structureIsOutside(const Form &form, Operation *scope) {
  return isOutside(form.strides, scope) && isOutside(form.wrapStart, scope) &&
         isOutside(form.wrapSize, scope) && isOutside(form.rest.tensor, scope);
}

Carry Translator::planMerge(Value a, Value b, Operation *scope) {
  Carry carry = planType(a.getType());
  if (carry.kind == Carry::Plain)
    return carry;
  if (carry.kind == Carry::Block) {
    const BlockValue &x = blocks.find(a)->second, &y = blocks.find(b)->second;
    carry.block = x;
    bool same = x.base.base == y.base.base && x.base.form.start == y.base.form.start &&
                x.shape == y.shape && x.strides == y.strides;
    bool outside = isOutside(x.base.base, scope) && isOutside(x.base.form.start, scope) &&
                   isOutside(x.shape, scope) && isOutside(x.strides, scope);
    if (options.forms && same && outside)
      carry.kind = Carry::BlockOffsets;
    return carry;
  }
  const Pointer &x = pointer(a), &y = pointer(b);
  carry.pointer.root = x.root == y.root ? x.root : -1;
  if (!options.forms || x.base != y.base || !isOutside(x.base, scope))
    return carry;
  if (x.form.sameShapeAs(y.form) && structureIsOutside(x.form, scope)) {
    carry.kind = Carry::Delta;
    carry.pointer = x;
    carry.pointer.form.start = Linear();
  } else if (x.base && isTensorPointer(a.getType())) {
    carry.kind = Carry::Offsets;
    carry.pointer = x;
  }
  return carry;
}

//===----------------------------------------------------------------------===//
// Carrying
//===----------------------------------------------------------------------===//

void Translator::carryTypes(const Carry &carry, Type old, SmallVectorImpl<Type> &types) {
  Type i64 = builder.getI64Type();
  switch (carry.kind) {
  case Carry::Plain:
    types.push_back(convertType(old));
    return;
  case Carry::Delta:
    types.push_back(i64);
    return;
  case Carry::ScalarPtr:
    types.push_back(mem::PtrType::get(builder.getContext(), mem::Space::Global));
    return;
  case Carry::Offsets:
  case Carry::Addresses:
    types.push_back(cast<RankedTensorType>(old).clone(i64));
    return;
  case Carry::BlockOffsets:
    types.append(carry.block.offsets.size(), i64);
    return;
  case Carry::Block:
    types.push_back(mem::PtrType::get(builder.getContext(), mem::Space::Global));
    types.append(carry.block.shape.size() * 2 + carry.block.offsets.size(), i64);
    return;
  }
}

LogicalResult Translator::pack(const Carry &carry, Value old, SmallVectorImpl<Value> &out) {
  auto add = [&](ArrayRef<Linear> sums) {
    for (const Linear &sum : sums)
      out.push_back(scalars.value(sum));
  };
  switch (carry.kind) {
  case Carry::Plain:
    out.push_back(data(old));
    break;
  case Carry::Delta: {
    bool isPointer = isPointerLike(old.getType());
    const Form &start = isPointer ? carry.pointer.form : carry.form;
    Form now = isPointer ? pointer(old).form : form(old);
    if (!now.sameShapeAs(start))
      return emitError(old.getLoc(), "the step of a loop-carried address varies in its elements");
    add(now.start - start.start);
    break;
  }
  case Carry::ScalarPtr:
    out.push_back(scalarPointer(pointer(old)));
    break;
  case Carry::Offsets:
    out.push_back(forms.materializeFull(pointer(old).form));
    break;
  case Carry::Addresses:
    out.push_back(forms.materializeFull(absolute(pointer(old))));
    break;
  case Carry::BlockOffsets:
    add(blocks.find(old)->second.offsets);
    break;
  case Carry::Block: {
    const BlockValue &block = blocks.find(old)->second;
    out.push_back(scalarPointer(block.base));
    add(block.shape);
    add(block.strides);
    add(block.offsets);
    break;
  }
  }
  return success();
}

void Translator::bind(const Carry &carry, Value old, ValueRange &in) {
  auto next = [&]() {
    Value value = in.front();
    in = in.drop_front();
    return value;
  };
  auto take = [&](SmallVectorImpl<Linear> &sums) {
    for (Linear &sum : sums)
      sum = Linear::of(next());
  };
  switch (carry.kind) {
  case Carry::Plain:
    define(old, next());
    break;
  case Carry::Delta: {
    Value delta = next();
    if (isPointerLike(old.getType())) {
      Pointer moved = carry.pointer;
      moved.form.start = moved.form.start + Linear::of(delta);
      pointers[old] = std::move(moved);
      break;
    }
    Form moved = carry.form;
    moved.start = moved.start + Linear::of(delta);
    knownForms[old] = std::move(moved);
    // As data the sum wraps in its own width.
    auto type = cast<RankedTensorType>(old.getType());
    Value step = delta;
    if (!type.getElementType().isInteger(64))
      step = arith::TruncIOp::create(builder, scalars.getLoc(), type.getElementType(), delta);
    define(old, arith::AddIOp::create(builder, scalars.getLoc(), carry.data,
                                      forms.splat(step, type.getShape())));
    break;
  }
  case Carry::ScalarPtr:
    pointers[old] = {next(), carry.pointer.root, Form(Linear())};
    break;
  case Carry::Offsets: {
    Pointer moved{carry.pointer.base, carry.pointer.root, {}};
    moved.form = forms.leaf(next());
    pointers[old] = std::move(moved);
    break;
  }
  case Carry::Addresses:
    pointers[old] = {Value(), -1, forms.leaf(next())};
    break;
  case Carry::BlockOffsets: {
    BlockValue moved = carry.block;
    take(moved.offsets);
    blocks[old] = std::move(moved);
    break;
  }
  case Carry::Block: {
    BlockValue block = carry.block;
    block.base = {next(), -1, Form(Linear())};
    take(block.shape);
    take(block.strides);
    take(block.offsets);
    blocks[old] = std::move(block);
    break;
  }
  }
}

LogicalResult Translator::packAll(ArrayRef<Carry> carries, ValueRange old,
                                  SmallVectorImpl<Value> &out) {
  for (auto [carry, value] : llvm::zip_equal(carries, old))
    if (failed(pack(carry, value, out)))
      return failure();
  return success();
}

void Translator::bindAll(ArrayRef<Carry> carries, ValueRange old, ValueRange in) {
  for (auto [carry, value] : llvm::zip_equal(carries, old))
    bind(carry, value, in);
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

LogicalResult Translator::translateFor(scf::ForOp op) {
  SmallVector<Carry, 0> carries;
  for (auto [init, arg, yielded] :
       llvm::zip_equal(op.getInitArgs(), op.getRegionIterArgs(), op.getYieldedValues()))
    carries.push_back(planLoop(init, arg, yielded));
  SmallVector<Value> inits;
  if (failed(packAll(carries, op.getInitArgs(), inits)))
    return failure();
  auto loop = scf::ForOp::create(builder, op.getLoc(), data(op.getLowerBound()),
                                 data(op.getUpperBound()), data(op.getStep()), inits,
                                 /*bodyBuilder=*/nullptr, op.getUnsignedCmp());
  for (NamedAttribute attr : op->getDiscardableAttrs())
    loop->setDiscardableAttr(attr.getName(), attr.getValue());
  {
    OpBuilder::InsertionGuard guard(builder);
    // An empty loop without carried values comes with a terminator.
    if (!loop.getBody()->empty())
      loop.getBody()->back().erase();
    builder.setInsertionPointToEnd(loop.getBody());
    define(op.getInductionVar(), loop.getInductionVar());
    bindAll(carries, op.getRegionIterArgs(), loop.getRegionIterArgs());
    if (failed(translate(*op.getBody())))
      return failure();
    SmallVector<Value> yields;
    if (failed(packAll(carries, op.getYieldedValues(), yields)))
      return failure();
    scf::YieldOp::create(builder, op.getLoc(), yields);
  }
  scalars.setLoc(op.getLoc());
  bindAll(carries, op.getResults(), loop.getResults());
  return success();
}

LogicalResult Translator::translateWhile(scf::WhileOp op) {
  scf::ConditionOp condition = op.getConditionOp();
  SmallVector<Carry, 0> before, after;
  for (auto [i, init] : llvm::enumerate(op.getInits()))
    before.push_back(planLoop(init, op.getBeforeArguments()[i], op.getYieldOp().getResults()[i]));
  for (Value passed : condition.getArgs()) {
    after.push_back(planType(passed.getType()));
    for (auto [i, arg] : llvm::enumerate(op.getBeforeArguments())) {
      if (before[i].kind == Carry::Plain || arg.getType() != passed.getType())
        continue;
      Trace trace = traceSteps(passed, arg);
      if (trace.reaches && (trace.uniform || before[i].kind != Carry::Delta))
        after.back() = before[i];
    }
  }
  SmallVector<Value> inits;
  SmallVector<Type> types;
  if (failed(packAll(before, op.getInits(), inits)))
    return failure();
  for (auto [carry, passed] : llvm::zip_equal(after, condition.getArgs()))
    carryTypes(carry, passed.getType(), types);
  auto loop = scf::WhileOp::create(builder, op.getLoc(), types, inits);
  for (NamedAttribute attr : op->getDiscardableAttrs())
    loop->setDiscardableAttr(attr.getName(), attr.getValue());
  {
    OpBuilder::InsertionGuard guard(builder);
    SmallVector<Type> initTypes(ValueRange(inits).getTypes());
    SmallVector<Location> locs(initTypes.size(), op.getLoc());
    builder.createBlock(&loop.getBefore(), {}, initTypes, locs);
    bindAll(before, op.getBeforeArguments(), loop.getBeforeArguments());
    SmallVector<Value> passed;
    if (failed(translate(*op.getBeforeBody())) ||
        failed(packAll(after, condition.getArgs(), passed)))
      return failure();
    scf::ConditionOp::create(builder, op.getLoc(), data(condition.getCondition()), passed);

    locs.assign(types.size(), op.getLoc());
    builder.createBlock(&loop.getAfter(), {}, types, locs);
    bindAll(after, op.getAfterArguments(), loop.getAfterArguments());
    SmallVector<Value> yields;
    if (failed(translate(*op.getAfterBody())) ||
        failed(packAll(before, op.getYieldOp().getResults(), yields)))
      return failure();
    scf::YieldOp::create(builder, op.getLoc(), yields);
  }
  scalars.setLoc(op.getLoc());
  bindAll(after, op.getResults(), loop.getResults());
  return success();
}

LogicalResult Translator::translateIf(scf::IfOp op) {
  // What the results are is known once both branches are translated.
  Value condition = data(op.getCondition());
  bool hasElse = !op.getElseRegion().empty();
  auto draft = scf::IfOp::create(builder, op.getLoc(), TypeRange(), condition, hasElse);
  OpBuilder::InsertionGuard guard(builder);
  auto walk = [&](Block &from, Block &to) {
    if (!to.empty())
      to.back().erase();
    builder.setInsertionPointToEnd(&to);
    return translate(from);
  };
  if (failed(walk(*op.thenBlock(), *draft.thenBlock())) ||
      (hasElse && failed(walk(*op.elseBlock(), *draft.elseBlock()))))
    return failure();
  SmallVector<Carry, 0> carries;
  SmallVector<Type> types;
  if (op.getNumResults())
    for (auto [a, b] : llvm::zip_equal(op.thenYield().getResults(), op.elseYield().getResults())) {
      carries.push_back(planMerge(a, b, draft));
      carryTypes(carries.back(), a.getType(), types);
    }
  auto finish = [&](scf::YieldOp yield, Block &to) {
    builder.setInsertionPointToEnd(&to);
    SmallVector<Value> yields;
    if (op.getNumResults() && failed(packAll(carries, yield.getResults(), yields)))
      return failure();
    scf::YieldOp::create(builder, op.getLoc(), yields);
    return success();
  };
  if (failed(finish(op.thenYield(), *draft.thenBlock())) ||
      (hasElse && failed(finish(op.elseYield(), *draft.elseBlock()))))
    return failure();
  builder.setInsertionPointAfter(draft);
  auto branch = scf::IfOp::create(builder, op.getLoc(), types, condition, hasElse);
  for (NamedAttribute attr : op->getDiscardableAttrs())
    branch->setDiscardableAttr(attr.getName(), attr.getValue());
  branch.getThenRegion().takeBody(draft.getThenRegion());
  if (hasElse)
    branch.getElseRegion().takeBody(draft.getElseRegion());
  draft.erase();
  builder.setInsertionPointAfter(branch);
  scalars.setLoc(op.getLoc());
  bindAll(carries, op.getResults(), branch.getResults());
  return success();
}

} // namespace tritonrt::compiler
