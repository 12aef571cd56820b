// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads, stores and atomics through pointers.
#include "compiler/frontend/ReportLine.h"
#include "compiler/passes/totile/Translator.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;

namespace tritonrt::compiler {

static mem::Order orderOf(tt::MemSemantic sem) {
  switch (sem) {
  case tt::MemSemantic::Relaxed:
    return mem::Order::Relaxed;
  case tt::MemSemantic::Acquire:
    return mem::Order::Acquire;
  case tt::MemSemantic::Release:
    return mem::Order::Release;
  case tt::MemSemantic::AcqRel:
    return mem::Order::AcqRel;
  }
  llvm_unreachable("every order has a case");
}

static mem::Scope scopeOf(tt::MemSyncScope scope) {
  switch (scope) {
  case tt::MemSyncScope::Gpu:
    return mem::Scope::Device;
  case tt::MemSyncScope::Cta:
    return mem::Scope::Group;
  case tt::MemSyncScope::Sys:
    return mem::Scope::System;
  }
  llvm_unreachable("every scope has a case");
}

static mem::AtomicKind kindOf(tt::RMWOp kind) {
  // Both enums hold the numbers of the text.
  return static_cast<mem::AtomicKind>(static_cast<uint32_t>(kind));
}

Address Translator::address(const Pointer &pointer, Type access) {
  const Form &form = pointer.form;
  Address at;
  at.root = pointer.root;
  if (pointer.base)
    at.base = scalars.offset(pointer.base, form.start);
  else if (form.start.isZero())
    at.base = scalars.null();
  else
    at.base = scalars.fromInt(scalars.value(form.start));
  int64_t bytes = mem::elementBytes(access);
  bool whole = llvm::all_of(form.strides, [&](const Linear &s) { return s.divisibleBy(bytes); });
  at.unit = whole && (!form.rest || form.rest.scale % bytes == 0) ? bytes : 1;
  if (form.rank() == 0)
    at.unit = bytes;
  for (const Linear &stride : form.strides) {
    Linear units = stride.exactDiv(at.unit);
    at.staticStrides.push_back(units.isConstant() ? units.constant : ShapedType::kDynamic);
    if (!units.isConstant())
      at.strides.push_back(scalars.value(units));
  }
  at.wrapDim = form.wrapDim;
  at.wrapStart = form.wrapStart;
  at.wrapSize = form.wrapSize;
  if (form.rest) {
    Value tensor = forms.extendTensor(form.rest.tensor);
    at.offsets = forms.scaleTensor(tensor, form.rest.scale / at.unit);
    if (!options.forms)
      at.offsets = forms.broadcastTo(at.offsets, form.shape);
  }
  int64_t align = form.rest || form.wrapDim >= 0 ? 1 : facts.divisor(at.base);
  at.align = align > bytes ? align : 0;
  return at;
}

Enabled Translator::enabled(const Box &box, Address &at) {
  Enabled result;
  if (box.shape.empty()) {
    result.mask = scalars.logicalAnd(box.condition, box.residual);
    return result;
  }
  result.bounds = boxes.bounds(box);
  result.mask = box.residual;
  // Alignment is that of the first enabled element.
  if (llvm::any_of(result.bounds.lo, [](Value lo) { return constantOf(lo) != 0; }))
    at.align = 0;
  return result;
}

Enabled Translator::enabled(Value mask, Address &at) {
  if (!mask)
    return {};
  if (!isa<RankedTensorType>(mask.getType())) {
    Enabled result;
    if (constantOf(data(mask)).value_or(0) == 0)
      result.mask = data(mask);
    return result;
  }
  // Without boxes every mask is its own residual.
  return enabled(box(mask), at);
}

Value Translator::scalarOther(Value other) {
  if (!other)
    return Value();
  Value source = other;
  while (auto wider = source.getDefiningOp<tt::BroadcastOp>())
    source = wider.getSrc();
  if (auto splat = source.getDefiningOp<tt::SplatOp>())
    return data(splat.getSrc());
  DenseElementsAttr constant;
  if (matchPattern(source, m_Constant(&constant)) && constant.isSplat())
    return scalars.constant(cast<TypedAttr>(constant.getSplatValue<Attribute>()));
  return data(other);
}

Value Translator::createLoad(Type type, const Address &at, const Enabled &on, Value other,
                             bool isVolatile) {
  isVolatile |= options.keepAccesses;
  return tile::LoadOp::create(builder, scalars.getLoc(), type, at.base, at.strides, on.bounds.lo,
                              on.bounds.hi, at.wrapStart, at.wrapSize, at.offsets, on.mask, other,
                              at.staticStrides, on.bounds.dims, at.wrapDim, at.unit, at.root,
                              at.align, isVolatile);
}

void Translator::createStore(Value value, const Address &at, const Enabled &on) {
  tile::StoreOp::create(builder, scalars.getLoc(), value, at.base, at.strides, on.bounds.lo,
                        on.bounds.hi, at.wrapStart, at.wrapSize, at.offsets, on.mask,
                        at.staticStrides, on.bounds.dims, at.wrapDim, at.unit, at.root, at.align,
                        /*isVolatile=*/false);
}

LogicalResult Translator::translateLoad(tt::LoadOp op) {
  if (isBlock(op.getPtr().getType()))
    return translateBlockLoad(op);
  Type element = tt::elementTypeOf(op.getType());
  if (isa<tt::PointerType>(element))
    element = builder.getI64Type();
  Type type = convertType(op.getType());
  Address at = address(pointer(op.getPtr()), type);
  Enabled on = enabled(op.getMask(), at);
  bool masked = on.mask || !on.bounds.dims.empty();
  Value other;
  if (masked && op.getOther())
    other = tt::isPtrLike(op.getType()) ? forms.materializeFull(absolute(pointer(op.getOther())))
                                        : scalarOther(op.getOther());
  // `.cv` reads again what it has read before.
  bool isVolatile = op.getIsVolatile() || op.getCache() == tt::CacheModifier::CV;
  Value loaded = createLoad(type, at, on, other, isVolatile);
  // A pointer in memory is an address.
  if (tt::isPtrLike(op.getType())) {
    pointers[op.getResult()] = {Value(), -1, forms.leaf(loaded)};
    return success();
  }
  define(op.getResult(), loaded);
  return success();
}

LogicalResult Translator::translatePlainStore(tt::StoreOp op) {
  if (isBlock(op.getPtr().getType()))
    return translateBlockStore(op);
  Value value = tt::isPtrLike(op.getValue().getType())
                    ? forms.materializeFull(absolute(pointer(op.getValue())))
                    : data(op.getValue());
  Address at = address(pointer(op.getPtr()), value.getType());
  Enabled on = enabled(op.getMask(), at);
  createStore(value, at, on);
  return success();
}

LogicalResult Translator::translateRMW(tt::AtomicRMWOp op) {
  Value value = data(op.getVal());
  Address at = address(pointer(op.getPtr()), value.getType());
  Enabled on = enabled(op.getMask(), at);
  auto atomic = tile::AtomicRMWOp::create(
      builder, op.getLoc(), value.getType(), kindOf(op.getAtomicRmwOp()), orderOf(op.getSem()),
      scopeOf(op.getScope()), value, at.base, at.strides, on.bounds.lo, on.bounds.hi, at.wrapStart,
      at.wrapSize, at.offsets, on.mask, at.staticStrides, on.bounds.dims, at.wrapDim, at.unit,
      at.root, at.align);
  define(op.getResult(), atomic);
  return success();
}

void Translator::translateCAS(tt::AtomicCASOp op) {
  Value compare = data(op.getCmp()), value = data(op.getVal());
  Address at = address(pointer(op.getPtr()), value.getType());
  auto atomic = tile::AtomicCASOp::create(
      builder, op.getLoc(), value.getType(), orderOf(op.getSem()), scopeOf(op.getScope()), compare,
      value, at.base, at.strides, ValueRange(), ValueRange(), at.wrapStart, at.wrapSize, at.offsets,
      Value(), at.staticStrides, ArrayRef<int64_t>(), at.wrapDim, at.unit, at.root, at.align);
  define(op.getResult(), atomic);
}

void Translator::translateAtomicLoad(tt::AtomicLoadOp op) {
  Type type = convertType(op.getType());
  Address at = address(pointer(op.getPtr()), type);
  Enabled on = enabled(op.getMask(), at);
  if (isa<RankedTensorType>(type)) {
    // Element by element: an exchange of 0 for 0 reads and changes nothing.
    Value zero = arith::ConstantOp::create(builder, op.getLoc(), builder.getZeroAttr(type));
    auto read = tile::AtomicCASOp::create(
        builder, op.getLoc(), type, orderOf(op.getSem()), scopeOf(op.getScope()), zero, zero,
        at.base, at.strides, on.bounds.lo, on.bounds.hi, at.wrapStart, at.wrapSize, at.offsets,
        on.mask, at.staticStrides, on.bounds.dims, at.wrapDim, at.unit, at.root, at.align);
    return define(op.getResult(), read);
  }
  auto atomic = tile::AtomicLoadOp::create(
      builder, op.getLoc(), type, orderOf(op.getSem()), scopeOf(op.getScope()), at.base, at.strides,
      on.bounds.lo, on.bounds.hi, at.wrapStart, at.wrapSize, at.offsets, on.mask, at.staticStrides,
      on.bounds.dims, at.wrapDim, at.unit, at.root, at.align);
  define(op.getResult(), atomic);
}

void Translator::translateAtomicStore(tt::AtomicStoreOp op) {
  Value value = data(op.getValue());
  Address at = address(pointer(op.getPtr()), value.getType());
  Enabled on = enabled(op.getMask(), at);
  if (isa<RankedTensorType>(value.getType())) {
    tile::AtomicRMWOp::create(builder, op.getLoc(), value.getType(), mem::AtomicKind::Exch,
                              orderOf(op.getSem()), scopeOf(op.getScope()), value, at.base,
                              at.strides, on.bounds.lo, on.bounds.hi, at.wrapStart, at.wrapSize,
                              at.offsets, on.mask, at.staticStrides, on.bounds.dims, at.wrapDim,
                              at.unit, at.root, at.align);
    return;
  }
  tile::AtomicStoreOp::create(builder, op.getLoc(), orderOf(op.getSem()), scopeOf(op.getScope()),
                              value, at.base, at.strides, on.bounds.lo, on.bounds.hi, at.wrapStart,
                              at.wrapSize, at.offsets, on.mask, at.staticStrides, on.bounds.dims,
                              at.wrapDim, at.unit, at.root, at.align);
}

/// A loop that reads until every element has had its value, or the time is over.
LogicalResult Translator::translatePoll(tt::AtomicPollOp op) {
  Location loc = op.getLoc();
  Value expected = data(op.getExpected());
  Type type = expected.getType(), flags = convertType(op.getType());
  auto tensor = dyn_cast<RankedTensorType>(type);
  Address at = address(pointer(op.getPtr()), type);
  Value start =
      op.getTimeout() ? mem::ClockOp::create(builder, loc, builder.getI64Type()) : Value();
  Value none = arith::ConstantOp::create(builder, loc, builder.getZeroAttr(flags));
  auto loop = scf::WhileOp::create(builder, loc, TypeRange(flags), ValueRange(none));
  OpBuilder::InsertionGuard guard(builder);
  Block *body = builder.createBlock(&loop.getBefore(), {}, flags, loc);
  Value now;
  if (tensor) {
    // Element by element: an exchange of 0 for 0 reads and changes nothing.
    Value zero = arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
    now = tile::AtomicCASOp::create(
        builder, loc, type, orderOf(op.getSem()), scopeOf(op.getScope()), zero, zero, at.base,
        at.strides, ValueRange(), ValueRange(), at.wrapStart, at.wrapSize, at.offsets, Value(),
        at.staticStrides, ArrayRef<int64_t>(), at.wrapDim, at.unit, at.root, at.align);
  } else {
    now = tile::AtomicLoadOp::create(
        builder, loc, type, orderOf(op.getSem()), scopeOf(op.getScope()), at.base, at.strides,
        ValueRange(), ValueRange(), Value(), Value(), Value(), Value(), at.staticStrides,
        ArrayRef<int64_t>(), at.wrapDim, at.unit, at.root, at.align);
  }
  Value found = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, now, expected);
  found = arith::OrIOp::create(builder, loc, found, body->getArgument(0));
  Value yes = arith::ConstantOp::create(builder, loc, builder.getBoolAttr(true));
  Value again = arith::XOrIOp::create(builder, loc, allOf(builder, loc, found), yes);
  if (start) {
    Value end = mem::ClockOp::create(builder, loc, builder.getI64Type());
    Value passed = arith::SubIOp::create(builder, loc, end, start);
    Value left = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, passed,
                                       data(op.getTimeout()));
    again = arith::AndIOp::create(builder, loc, again, left);
  }
  scf::ConditionOp::create(builder, loc, again, found);
  body = builder.createBlock(&loop.getAfter(), {}, flags, loc);
  scf::YieldOp::create(builder, loc, body->getArguments());
  define(op.getResult(), loop.getResult(0));
  return success();
}

/// May what memory holds decide how often `loop` turns?
static bool turnsOnMemory(scf::WhileOp loop) {
  scf::ConditionOp condition = loop.getConditionOp();
  SetVector<Value> seen;
  seen.insert(condition.getCondition());
  for (size_t i = 0; i < seen.size(); ++i) {
    Value value = seen[i];
    if (auto arg = dyn_cast<BlockArgument>(value)) {
      if (arg.getOwner() == loop.getBeforeBody())
        seen.insert(loop.getYieldOp().getOperand(arg.getArgNumber()));
      else if (arg.getOwner() == loop.getAfterBody())
        seen.insert(condition.getArgs()[arg.getArgNumber()]);
      continue;
    }
    Operation *made = value.getDefiningOp();
    if (!loop->isProperAncestor(made))
      continue;
    if (!isMemoryEffectFree(made))
      return true;
    seen.insert(made->operand_begin(), made->operand_end());
    getUsedValuesDefinedAbove(made->getRegions(), seen);
  }
  return false;
}

/// What `loop` waits for; null if it does not wait. A loop in `looked`, which looks at the stop
/// word itself, does so for those that pass it in each turn.
static Operation *waitOf(scf::WhileOp loop, const DenseSet<Operation *> &looked) {
  Operation *wait = nullptr;
  loop->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (looked.contains(op) && op->getParentOp() == loop)
      return WalkResult::skip();
    auto load = dyn_cast<tile::LoadOp>(op);
    if (!isa<tile::AtomicCASOp, tile::AtomicRMWOp, tile::AtomicLoadOp>(op) &&
        !(load && load.getIsVolatile()))
      return WalkResult::advance();
    wait = op;
    return WalkResult::interrupt();
  });
  return wait && turnsOnMemory(loop) ? wait : nullptr;
}

/// Marks the loops that wait for other programs: those that read by atomics or volatile loads, and
/// turn on what they read.
void Translator::markWaits() {
  SmallVector<StringRef> lines;
  SmallVector<std::string> texts;
  DenseSet<Operation *> looked;
  function.walk([&](scf::WhileOp loop) {
    Operation *poll = waitOf(loop, looked);
    if (!poll)
      return;
    looked.insert(loop);
    OpBuilder inside(loop.getBeforeBody(), loop.getBeforeBody()->begin());
    auto number = static_cast<uint32_t>(texts.size() + 1);
    mem::PollStopOp::create(inside, loop.getLoc(), Type(), number);
    texts.push_back(std::to_string(number) + " " + waitText(poll));
  });
  if (texts.empty())
    return;
  lines.assign(texts.begin(), texts.end());
  function->setAttr("tritonrt.waits", builder.getStrArrayAttr(lines));
}

FailureOr<bool> Translator::translateMemory(Operation *op) {
  LogicalResult result =
      llvm::TypeSwitch<Operation *, LogicalResult>(op)
          .Case<tt::LoadOp>([&](auto o) { return translateLoad(o); })
          .Case<tt::StoreOp>([&](auto o) { return translateStore(o); })
          .Case<tt::AtomicRMWOp>([&](auto o) { return translateRMW(o); })
          .Case<tt::AtomicCASOp>([&](auto o) { return translateCAS(o), success(); })
          .Case<tt::AtomicLoadOp>([&](auto o) { return translateAtomicLoad(o), success(); })
          .Case<tt::AtomicStoreOp>([&](auto o) { return translateAtomicStore(o), success(); })
          .Case<tt::AtomicPollOp>([&](auto o) { return translatePoll(o); })
          .Default([](Operation *) { return success(); });
  if (failed(result))
    return failure();
  return isa<tt::LoadOp, tt::StoreOp, tt::AtomicRMWOp, tt::AtomicCASOp, tt::AtomicLoadOp,
             tt::AtomicStoreOp, tt::AtomicPollOp>(op);
}

} // namespace tritonrt::compiler
