// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/passes/totile/Translator.h"
#include "compiler/Fault.h"
#include "compiler/frontend/Dead.h"

#include "compiler/dialect/ttg/Ttg.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tritonrt::compiler {

Translator::Translator(func::FuncOp function, const TtToTileOptions &options)
    : function(function), options(options), builder(function.getContext()),
      scalars(builder, function.getBody().front()), forms(scalars), facts(!options.generic),
      boxes(scalars, forms, facts) {
  builder.setInsertionPointToEnd(&function.getBody().front());
}

Type Translator::convertType(Type type) {
  if (isa<ttg::AsyncTokenType>(type))
    return builder.getI1Type();
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (tt::elementTypeOf(type).isInteger(4))
    type = tensor ? Type(tensor.clone(builder.getI8Type())) : builder.getI8Type();
  if (isa<tt::PointerType>(tt::elementTypeOf(type)))
    type = tensor ? Type(tensor.clone(builder.getI64Type())) : builder.getI64Type();
  if (tensor && tensor.getRank() == 0)
    return cast<RankedTensorType>(type).getElementType();
  return type;
}

//===----------------------------------------------------------------------===//
// Lookup
//===----------------------------------------------------------------------===//

Form Translator::form(Value old) {
  auto it = knownForms.find(old);
  return it != knownForms.end() ? it->second : forms.leaf(data(old));
}

Box Translator::box(Value old) {
  auto it = knownBoxes.find(old);
  return it != knownBoxes.end() ? it->second : boxes.residual(data(old));
}

Value Translator::scalarPointer(const Pointer &pointer) {
  if (pointer.base)
    return scalars.offset(pointer.base, pointer.form.start);
  return pointer.form.start.isZero() ? scalars.null()
                                     : scalars.fromInt(scalars.value(pointer.form.start));
}

Form Translator::absolute(const Pointer &pointer) {
  Form form = pointer.form;
  if (pointer.base)
    form.start = form.start + Linear::of(scalars.toInt(pointer.base));
  return form;
}

//===----------------------------------------------------------------------===//
// Integers and masks
//===----------------------------------------------------------------------===//

Form Translator::computeForm(Operation *op) {
  Value result = op->getResult(0);
  auto type = cast<RankedTensorType>(result.getType());
  auto of = [&](unsigned i) { return form(op->getOperand(i)); };
  std::optional<Form> known;
  if (!options.forms) {
  } else if (auto range = dyn_cast<tt::MakeRangeOp>(op)) {
    known = Form(Linear(static_cast<int32_t>(range.getStart())), type.getShape());
    if (type.getNumElements() > 1)
      known->strides[0] = Linear(1);
  } else if (auto splat = dyn_cast<tt::SplatOp>(op)) {
    known = Form(scalars.linear(data(splat.getSrc())), type.getShape());
  } else if (auto expand = dyn_cast<tt::ExpandDimsOp>(op)) {
    known = forms.expandDims(of(0), expand.getAxis());
  } else if (isa<tt::BroadcastOp>(op)) {
    known = forms.broadcast(of(0), type.getShape());
  } else if (auto trans = dyn_cast<tt::TransOp>(op)) {
    known = forms.transpose(of(0), trans.getOrder());
  } else if (isa<tt::ReshapeOp>(op)) {
    known = forms.reshape(of(0), type.getShape());
  } else if (isa<arith::AddIOp>(op)) {
    known = forms.add(of(0), of(1));
  } else if (isa<arith::SubIOp>(op)) {
    known = forms.add(of(0), forms.scale(of(1), -1));
  } else if (isa<arith::MulIOp>(op)) {
    known = forms.multiply(of(0), of(1));
  } else if (isa<arith::ShLIOp>(op)) {
    Form bits = of(1);
    if (bits.isUniform() && bits.start.isConstant() && bits.start.constant >= 0 &&
        bits.start.constant < 63)
      known = forms.scale(of(0), int64_t(1) << bits.start.constant);
  } else if (isa<arith::ExtSIOp>(op)) {
    if (!tt::isBoolLike(op->getOperand(0).getType()))
      known = of(0);
  } else if (isa<arith::ExtUIOp, arith::RemSIOp>(op)) {
    if (!tt::isBoolLike(op->getOperand(0).getType())) {
      Form x = of(0);
      bool nonNegative =
          !x.rest && x.wrapDim < 0 && facts.isNonNegative(x.start) &&
          llvm::all_of(x.strides, [&](const Linear &s) { return facts.isNonNegative(s); });
      if (nonNegative)
        known = isa<arith::ExtUIOp>(op) ? x : forms.modulo(x, of(1));
    }
  }
  return known ? *known : forms.leaf(data(result));
}

Box Translator::computeBox(Operation *op) {
  Value result = op->getResult(0);
  auto type = cast<RankedTensorType>(result.getType());
  auto leaf = [&] { return boxes.residual(data(result)); };
  if (!options.boxes)
    return leaf();
  if (auto compare = dyn_cast<arith::CmpIOp>(op)) {
    if (tt::isBoolLike(compare.getLhs().getType()))
      return leaf();
    std::optional<Box> box =
        boxes.compare(compare.getPredicate(), form(compare.getLhs()), form(compare.getRhs()));
    return box ? *box : leaf();
  }
  if (auto splat = dyn_cast<tt::SplatOp>(op))
    return boxes.splat(data(splat.getSrc()), type.getShape());
  DenseElementsAttr constant;
  if (matchPattern(result, m_Constant(&constant)) && constant.isSplat())
    return boxes.splat(scalars.constant(builder.getBoolAttr(constant.getSplatValue<bool>())),
                       type.getShape());
  // What is residual stays the tensor that it is.
  if (op->getNumOperands() == 0 || llvm::all_of(op->getOperands(), [&](Value v) {
        return !knownBoxes.contains(v) || box(v).isResidual();
      }))
    return leaf();
  if (isa<arith::AndIOp>(op))
    return boxes.intersect(box(op->getOperand(0)), box(op->getOperand(1)));
  if (auto expand = dyn_cast<tt::ExpandDimsOp>(op))
    return boxes.expandDims(box(expand.getSrc()), expand.getAxis());
  if (auto broadcast = dyn_cast<tt::BroadcastOp>(op))
    return boxes.broadcast(box(broadcast.getSrc()), type.getShape());
  if (auto trans = dyn_cast<tt::TransOp>(op))
    return boxes.transpose(box(trans.getSrc()), trans.getOrder());
  return leaf();
}

void Translator::learn(Operation *op) {
  if (op->getNumResults() != 1 || !demanded.contains(op->getResult(0)))
    return;
  Value result = op->getResult(0);
  if (!isa<RankedTensorType>(convertType(result.getType())))
    return;
  if (tt::isBoolLike(result.getType()))
    knownBoxes.insert({result, computeBox(op)});
  else if (!knownForms.contains(result))
    knownForms.insert({result, computeForm(op)});
}

//===----------------------------------------------------------------------===//
// Pointers
//===----------------------------------------------------------------------===//

void Translator::selectBlock(arith::SelectOp op) {
  BlockValue a = blocks.find(op.getTrueValue())->second;
  const BlockValue &b = blocks.find(op.getFalseValue())->second;
  Value condition = data(op.getCondition());
  auto choose = [&](SmallVectorImpl<Linear> &mine, ArrayRef<Linear> others) {
    for (auto [x, y] : llvm::zip_equal(mine, others))
      if (!(x == y))
        x = Linear::of(scalars.select(condition, scalars.value(x), scalars.value(y)));
  };
  a.base.base = scalars.select(condition, scalarPointer(a.base), scalarPointer(b.base));
  a.base.form = Form(Linear());
  if (a.base.root != b.base.root)
    a.base.root = -1;
  choose(a.shape, b.shape);
  choose(a.strides, b.strides);
  choose(a.offsets, b.offsets);
  blocks[op.getResult()] = std::move(a);
}

FailureOr<bool> Translator::translateSelect(Operation *op) {
  auto select = dyn_cast<arith::SelectOp>(op);
  if (!select)
    return false;
  if (isBlock(select.getType())) {
    selectBlock(select);
    return true;
  }
  if (!isPointerLike(select.getType()))
    return false;
  const Pointer a = pointer(select.getTrueValue()), b = pointer(select.getFalseValue());
  Value condition = data(select.getCondition());
  bool whole = !isa<RankedTensorType>(condition.getType());
  Pointer result{a.base, a.root == b.root ? a.root : -1, a.form};
  if (whole && a.base == b.base && a.form.sameShapeAs(b.form)) {
    result.form.start = Linear::of(
        scalars.select(condition, scalars.value(a.form.start), scalars.value(b.form.start)));
  } else if (!isa<RankedTensorType>(select.getType())) {
    result.base = scalars.select(condition, scalarPointer(a), scalarPointer(b));
    result.form = Form(Linear());
  } else {
    bool sameBase = a.base && a.base == b.base;
    Value x = forms.materializeFull(sameBase ? a.form : absolute(a));
    Value y = forms.materializeFull(sameBase ? b.form : absolute(b));
    Value chosen = arith::SelectOp::create(builder, op->getLoc(), condition, x, y);
    result = {sameBase ? a.base : Value(), sameBase ? a.root : -1, forms.leaf(chosen)};
  }
  pointers[select.getResult()] = std::move(result);
  return true;
}

LogicalResult Translator::cloneOnAddresses(Operation *op) {
  if (op->getNumRegions() != 0)
    return op->emitOpError("on pointers is not supported; convert them by tt.ptr_to_int");
  IRMapping mapping;
  for (Value operand : op->getOperands()) {
    if (tt::isPtrLike(operand.getType()))
      mapping.map(operand, forms.materializeFull(absolute(pointer(operand))));
    else
      mapping.map(operand, data(operand));
  }
  Operation *copy = builder.cloneWithoutRegions(*op, mapping);
  for (auto [old, result] : llvm::zip_equal(op->getResults(), copy->getResults())) {
    result.setType(convertType(old.getType()));
    pointers[old] = {Value(), -1, forms.leaf(result)};
  }
  return success();
}

FailureOr<bool> Translator::translatePointerOp(Operation *op) {
  if (auto step = dyn_cast<tt::AddPtrOp>(op)) {
    Pointer moved = pointer(step.getPtr());
    auto type = cast<tt::PointerType>(tt::elementTypeOf(step.getType()));
    int64_t bytes =
        isa<tt::PointerType>(type.getPointeeType()) ? 8 : mem::elementBytes(type.getPointeeType());
    Form offset = form(step.getOffset());
    moved.form = forms.add(moved.form, forms.scale(offset, bytes));
    pointers[step.getResult()] = std::move(moved);
    return true;
  }
  if (auto cast = dyn_cast<tt::IntToPtrOp>(op)) {
    pointers[cast.getResult()] = {Value(), -1, form(cast.getSrc())};
    return true;
  }
  if (auto cast = dyn_cast<tt::PtrToIntOp>(op)) {
    Form address = absolute(pointer(cast.getSrc()));
    define(cast.getResult(), forms.materializeFull(address));
    if (demanded.contains(cast.getResult()))
      knownForms.insert({cast.getResult(), address});
    return true;
  }
  if (op->getNumResults() == 0 || !tt::isPtrLike(op->getResult(0).getType()) ||
      isBlock(op->getResult(0).getType()))
    return false;
  Value result = op->getResult(0);
  auto type = dyn_cast<RankedTensorType>(result.getType());
  if (isa<ub::PoisonOp>(op)) {
    pointers[result] = {Value(), -1, Form(Linear(), type ? type.getShape() : ArrayRef<int64_t>())};
    return true;
  }
  if (auto cast = dyn_cast<tt::BitcastOp>(op)) {
    pointers[result] = Pointer(pointer(cast.getSrc()));
    return true;
  }
  if (isa<tt::LoadOp>(op))
    return false;
  if (!isa<tt::SplatOp, tt::ExpandDimsOp, tt::BroadcastOp, tt::TransOp, tt::ReshapeOp,
           tt::UnsplatOp>(op) ||
      (isa<tt::UnsplatOp>(op) && !pointer(op->getOperand(0)).form.isUniform())) {
    if (failed(cloneOnAddresses(op)))
      return failure();
    return true;
  }
  Pointer moved = pointer(op->getOperand(0));
  if (isa<tt::SplatOp>(op)) {
    moved.form = Form(moved.form.start, type.getShape());
  } else if (isa<tt::UnsplatOp>(op)) {
    moved.form = Form(moved.form.start);
  } else if (auto expand = dyn_cast<tt::ExpandDimsOp>(op)) {
    moved.form = forms.expandDims(moved.form, expand.getAxis());
  } else if (isa<tt::BroadcastOp>(op)) {
    moved.form = forms.broadcast(moved.form, type.getShape());
  } else if (auto trans = dyn_cast<tt::TransOp>(op)) {
    moved.form = forms.transpose(moved.form, trans.getOrder());
  } else {
    std::optional<Form> form = forms.reshape(moved.form, type.getShape());
    moved.form = form ? *form : *forms.reshape(forms.toRest(moved.form), type.getShape());
  }
  pointers[result] = std::move(moved);
  return true;
}

//===----------------------------------------------------------------------===//
// Other ops
//===----------------------------------------------------------------------===//

/// The element of a tensor of one: the reduction of one element is that element.
Value Translator::onlyElement(Value tensor) {
  Location loc = tensor.getLoc();
  auto type = cast<RankedTensorType>(tensor.getType());
  RankedTensorType line = type.clone({1});
  if (type != line)
    tensor = tt::ReshapeOp::create(builder, loc, line, tensor);
  Type element = type.getElementType();
  auto reduce = tt::ReduceOp::create(builder, loc, TypeRange(element), tensor, 0);
  OpBuilder::InsertionGuard guard(builder);
  Block *block = builder.createBlock(&reduce.getCombineOp(), {}, {element, element}, {loc, loc});
  tt::ReduceReturnOp::create(builder, loc, ValueRange(block->getArgument(0)));
  return reduce->getResult(0);
}

/// Shape ops between tensors of one element and scalars.
bool Translator::translateScalarShape(Operation *op) {
  if (!isa<tt::SplatOp, tt::UnsplatOp, tt::ReshapeOp, tt::ExpandDimsOp, tt::BroadcastOp,
           tt::TransOp>(op))
    return false;
  Value source = data(op->getOperand(0));
  Type result = convertType(op->getResult(0).getType());
  bool fromScalar = !isa<RankedTensorType>(source.getType());
  if (auto tensor = dyn_cast<RankedTensorType>(result)) {
    if (!fromScalar || isa<tt::SplatOp>(op))
      return false;
    define(op->getResult(0), tt::SplatOp::create(builder, op->getLoc(), tensor, source));
    return true;
  }
  if (auto splat = source.getDefiningOp<tt::SplatOp>(); splat && !fromScalar)
    source = splat.getSrc();
  if (isa<RankedTensorType>(source.getType()))
    source = onlyElement(source);
  define(op->getResult(0), source);
  return true;
}

/// tt.join and tt.split of tensors of rank 0, which are scalars here: by way of one element.
bool Translator::translateScalarPair(Operation *op) {
  Location loc = op->getLoc();
  if (auto join = dyn_cast<tt::JoinOp>(op);
      join && !isa<RankedTensorType>(data(join.getLhs()).getType())) {
    auto pair = cast<RankedTensorType>(join.getType());
    RankedTensorType one = pair.clone({1});
    Value lhs = tt::SplatOp::create(builder, loc, one, data(join.getLhs()));
    Value rhs = tt::SplatOp::create(builder, loc, one, data(join.getRhs()));
    Value row = tt::JoinOp::create(builder, loc, pair.clone({1, 2}), lhs, rhs);
    define(join, tt::ReshapeOp::create(builder, loc, pair, row));
    return true;
  }
  if (auto split = dyn_cast<tt::SplitOp>(op);
      split && !isa<RankedTensorType>(convertType(split.getOutLHS().getType()))) {
    auto pair = cast<RankedTensorType>(split.getSrc().getType());
    RankedTensorType one = pair.clone({1});
    Value row = tt::ReshapeOp::create(builder, loc, pair.clone({1, 2}), data(split.getSrc()));
    auto parts = tt::SplitOp::create(builder, loc, one, one, row);
    for (auto [old, part] : llvm::zip_equal(split.getResults(), parts.getResults()))
      define(old, onlyElement(part));
    return true;
  }
  return false;
}

LogicalResult Translator::clone(Operation *op) {
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    auto tensor = dyn_cast<RankedTensorType>(constant.getType());
    if (tensor && tensor.getRank() == 0) {
      auto dense = cast<DenseElementsAttr>(constant.getValue());
      define(constant, scalars.constant(cast<TypedAttr>(dense.getSplatValue<Attribute>())));
      return success();
    }
    if (!tensor) {
      define(constant, scalars.constant(constant.getValue()));
      return success();
    }
  }
  Operation *copy = builder.cloneWithoutRegions(*op, values);
  for (auto [old, result] : llvm::zip_equal(op->getResults(), copy->getResults()))
    result.setType(convertType(old.getType()));
  for (auto [from, to] : llvm::zip_equal(op->getRegions(), copy->getRegions())) {
    OpBuilder::InsertionGuard guard(builder);
    if (!from.hasOneBlock())
      return op->emitOpError("with several blocks is not supported; write branches as scf.if");
    SmallVector<Location> locs(from.getNumArguments(), op->getLoc());
    SmallVector<Type> types;
    for (Type type : from.getArgumentTypes())
      types.push_back(convertType(type));
    Block *block = builder.createBlock(&to, {}, types, locs);
    for (auto [old, arg] : llvm::zip_equal(from.getArguments(), block->getArguments()))
      define(old, arg);
    if (failed(translate(from.front())))
      return failure();
    builder.cloneWithoutRegions(*from.front().getTerminator(), values);
  }
  return success();
}

LogicalResult Translator::translate(Operation *op) {
  if (options.keepAccesses && !isMemoryEffectFree(op))
    op->setLoc(NameLoc::get(op->getName().getIdentifier(), op->getLoc()));
  scalars.setLoc(op->getLoc());
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return translateFor(loop);
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return translateWhile(loop);
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return translateIf(branch);
  for (auto part :
       {&Translator::translateMesh, &Translator::translateSelect, &Translator::translatePointerOp,
        &Translator::translateMemory, &Translator::translateBlockOp}) {
    FailureOr<bool> done = (this->*part)(op);
    if (failed(done) || *done)
      return LogicalResult(done);
  }
  if (auto id = dyn_cast<tt::GetProgramIdOp>(op)) {
    define(id, mem::ProgramIdOp::create(builder, op->getLoc(), builder.getI32Type(),
                                        static_cast<uint32_t>(id.getAxis())));
    return success();
  }
  if (auto count = dyn_cast<tt::GetNumProgramsOp>(op)) {
    define(count, mem::NumProgramsOp::create(builder, op->getLoc(), builder.getI32Type(),
                                             static_cast<uint32_t>(count.getAxis())));
    return success();
  }
  if (isa<tt::ExperimentalDescriptorLoadOp, tt::ExperimentalDescriptorStoreOp,
          tt::ReinterpretTensorDescOp>(op))
    return op->emitOpError("goes through a descriptor that only CUDA's driver can make; write the "
                           "kernel with a descriptor of its own or with pointers");
  if (auto code = dyn_cast<tt::ElementwiseInlineAsmOp>(op))
    return translateAsm(code);
  if (translateNibbles(op))
    return success();
  if (auto print = dyn_cast<tt::PrintOp>(op))
    return translatePrint(print);
  if (auto check = dyn_cast<tt::AssertOp>(op))
    return translateAssert(check);
  if (auto both = dyn_cast<math::SincosOp>(op)) {
    Value angle = data(both.getOperand());
    define(both.getSin(), math::SinOp::create(builder, op->getLoc(), angle));
    define(both.getCos(), math::CosOp::create(builder, op->getLoc(), angle));
    return success();
  }
  StringRef name = op->getName().getStringRef();
  if (name == "gpu.barrier" || name == "ttg.barrier") {
    mem::BarrierOp::create(builder, op->getLoc(), mem::Scope::Group, /*local=*/true,
                           /*global=*/true);
    return success();
  }
  // Launches are ordered by their stream; assumptions are hints.
  if (isa<tt::GridDependencyWaitOp, tt::GridDependencyLaunchDependentsOp, LLVM::AssumeOp>(op))
    return success();
  if (isa<ub::PoisonOp>(op)) {
    if (isBlock(op->getResult(0).getType())) {
      blocks[op->getResult(0)] = planType(op->getResult(0).getType()).block;
      return success();
    }
    auto zero = builder.getZeroAttr(convertType(op->getResult(0).getType()));
    define(op->getResult(0), arith::ConstantOp::create(builder, op->getLoc(), zero));
    return success();
  }
  for (Value operand : op->getOperands())
    if (!values.contains(operand))
      return op->emitOpError("on operands of type ")
             << operand.getType() << " is not supported; numbers expected";
  if (auto dot = dyn_cast<tt::DotScaledOp>(op))
    return translateDotScaled(dot);
  if (auto map = dyn_cast<tt::MapElementwiseOp>(op))
    return translateMap(map);
  SmallVector<Value> operands;
  for (Value operand : op->getOperands())
    operands.push_back(data(operand));
  if (op->getNumResults() == 1) {
    FailureOr<Value> value =
        lowerElementwise(builder, op, operands, convertType(op->getResult(0).getType()));
    if (failed(value))
      return failure();
    if (*value) {
      define(op->getResult(0), *value);
      learn(op);
      return success();
    }
  }
  bool kept = isa<arith::ArithDialect, math::MathDialect>(op->getDialect()) ||
              isa<tt::MakeRangeOp, tt::SplatOp, tt::ExpandDimsOp, tt::BroadcastOp, tt::ReshapeOp,
                  tt::TransOp, tt::JoinOp, tt::SplitOp, tt::CatOp, tt::ReduceOp, tt::ScanOp,
                  tt::DotOp, tt::GatherOp, tt::HistogramOp, tt::UnsplatOp>(op);
  if (!kept)
    return emitFault(op, "op '" + op->getName().getStringRef() + "' has no form on tiles");
  if (!translateScalarShape(op) && !translateScalarPair(op) && !translateAccumulation(op) &&
      failed(clone(op)))
    return failure();
  learn(op);
  return success();
}

LogicalResult Translator::translate(Block &block) {
  for (Operation &op : block) {
    if (op.hasTrait<OpTrait::IsTerminator>())
      break;
    if (failed(translate(&op)))
      return failure();
  }
  return success();
}

LogicalResult Translator::bindArguments(tt::FuncOp old) {
  Block &entry = function.getBody().front();
  for (auto [i, arg] : llvm::enumerate(old.getBody().getArguments())) {
    Value now = entry.getArgument(i);
    if (isScalarPointer(arg.getType())) {
      pointers[arg] = {now, static_cast<int64_t>(i), Form(Linear())};
    } else if (auto type = dyn_cast<tt::TensorDescType>(arg.getType())) {
      // The host hands over the shape (i32) and the strides (i64) as the parameters that follow.
      size_t rank = type.getShape().size();
      auto given = entry.getArguments().drop_front(i + 1).take_front(2 * rank);
      auto isSize = [](Value size) { return size.getType().isInteger(32); };
      auto isStride = [](Value stride) { return stride.getType().isInteger(64); };
      if (given.size() != 2 * rank || !llvm::all_of(given.take_front(rank), isSize) ||
          !llvm::all_of(given.take_back(rank), isStride))
        return emitError(arg.getLoc(), "a tensor descriptor needs its shape and strides as the "
                                       "parameters that follow it: ")
               << rank << " of i32, then " << rank << " of i64";
      BlockValue block;
      block.base = {now, static_cast<int64_t>(i), Form(Linear())};
      for (size_t d = 0; d < rank; ++d) {
        block.shape.push_back(scalars.linear(entry.getArgument(i + 1 + d)));
        block.strides.push_back(scalars.linear(entry.getArgument(i + 1 + rank + d)));
      }
      // Triton makes no others; a launch that does gets the generic variant.
      if (!options.generic)
        block.strides.back() = Linear(1);
      blocks[arg] = std::move(block);
    } else if (isa<IntegerType, FloatType>(arg.getType())) {
      define(arg, now);
    } else {
      return emitError(arg.getLoc(), "a kernel parameter of type ")
             << arg.getType()
             << " is not supported; scalars, pointers and descriptors can be passed";
    }
  }
  return success();
}

LogicalResult Translator::run(tt::FuncOp old) {
  scalars.setLoc(old.getLoc());
  if (!old.getBody().hasOneBlock())
    return old.emitOpError(
        "has branches that are no loops or ifs; write them as loops with one entry");
  if (options.forms || options.boxes)
    demanded = addressParts(old);
  if (failed(bindArguments(old)) || failed(translate(old.getBody().front())))
    return failure();
  Operation *terminator = old.getBody().front().getTerminator();
  if (terminator->getNumOperands())
    return terminator->emitOpError("gives values out of a kernel; store them through a pointer");
  func::ReturnOp::create(builder, terminator->getLoc());
  markWaits();
  if (!reportLines.empty()) {
    SmallVector<StringRef> lines(reportLines.begin(), reportLines.end());
    function->setAttr("tritonrt.reports", builder.getStrArrayAttr(lines));
  }
  if (maxShard >= 0)
    function->setAttr("tritonrt.max_shard", builder.getI64IntegerAttr(maxShard));
  eraseDead(function.getBody().front());
  return success();
}

} // namespace tritonrt::compiler
