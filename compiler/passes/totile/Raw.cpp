// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// TLE-Raw: parts of a kernel that are written in the LLVM dialect. Each becomes a function of the
// module and a call of it. Tensors are handed over as buffers, which the region may change in
// place; what it gives back is such a buffer again, or scalars.
#include "compiler/passes/totile/Translator.h"

#include "compiler/dialect/tle/Tle.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

namespace tritonrt::compiler {

namespace {

/// What a region knows of the memory behind one of its arguments.
struct Described {
  SmallVector<int64_t> shape, strides;
};

/// Writes the body of a region as that of a function.
class RegionFunction {
public:
  RegionFunction(tle::DslRegionOp op, ArrayRef<Described> memory)
      : op(op), memory(memory), b(op.getContext()), loc(op.getLoc()) {}

  /// The function, in front of everything else in `module`.
  FailureOr<LLVM::LLVMFuncOp> write(ModuleOp module, StringRef name);

private:
  static Type pointerType(MLIRContext *context) { return LLVM::LLVMPointerType::get(context); }
  LogicalResult answer(Operation *user, Value argument, const Described &described);
  Value constant(int64_t value) {
    return LLVM::ConstantOp::create(b, loc, b.getI64Type(), b.getI64IntegerAttr(value));
  }
  void giveBack(tle::YieldOp yield, Type result);

  tle::DslRegionOp op;
  ArrayRef<Described> memory;
  OpBuilder b;
  Location loc;
};

bool isScalar(Type type) { return isa<IntegerType>(type) || type.isF32() || type.isF64(); }

/// Puts what the region asks for in place of the question.
LogicalResult RegionFunction::answer(Operation *user, Value argument, const Described &described) {
  b.setInsertionPoint(user);
  loc = user->getLoc();
  if (isa<tle::ExtractPtrOp, tle::ExtractAllocatedPtrOp, tle::ExtractAlignedPtrOp>(user)) {
    Value pointer = argument;
    if (Type wanted = user->getResult(0).getType(); wanted != argument.getType())
      pointer = LLVM::AddrSpaceCastOp::create(b, loc, wanted, argument);
    user->replaceAllUsesWith(ValueRange(pointer));
  } else if (isa<tle::ExtractOffsetOp>(user)) {
    user->replaceAllUsesWith(ValueRange(constant(0)));
  } else if (isa<tle::ExtractSizesOp, tle::ExtractStridesOp>(user)) {
    ArrayRef<int64_t> numbers =
        isa<tle::ExtractSizesOp>(user) ? described.shape : described.strides;
    if (numbers.size() != user->getNumResults())
      return user->emitOpError() << "gives " << user->getNumResults() << " numbers of "
                                 << numbers.size() << " dimensions, expected one for each";
    for (auto [result, number] : llvm::zip(user->getResults(), numbers))
      result.replaceAllUsesWith(constant(number));
  } else {
    return user->emitOpError("uses an argument of a tle.dsl_region as if it were a value of the "
                             "LLVM dialect; take it apart with tle.extract_*");
  }
  user->erase();
  return success();
}

/// The scalars that the region yields become what the function returns.
void RegionFunction::giveBack(tle::YieldOp yield, Type result) {
  b.setInsertionPoint(yield);
  loc = yield.getLoc();
  SmallVector<Value> scalars;
  for (Value value : yield.getInputs())
    if (isScalar(value.getType()))
      scalars.push_back(value);
  if (scalars.size() > 1) {
    Value all = LLVM::UndefOp::create(b, loc, result);
    for (auto [i, value] : llvm::enumerate(scalars))
      all = LLVM::InsertValueOp::create(b, loc, all, value, int64_t(i));
    scalars = {all};
  }
  LLVM::ReturnOp::create(b, loc, scalars);
  SmallVector<Value> yielded(yield.getInputs());
  yield.erase();
  for (Value value : yielded)
    if (auto pack = value.getDefiningOp<tle::PackOp>(); pack && pack->use_empty())
      pack.erase();
}

FailureOr<LLVM::LLVMFuncOp> RegionFunction::write(ModuleOp module, StringRef name) {
  MLIRContext *context = module.getContext();
  SmallVector<Type> parameters, results;
  for (Type type : op.getInputs().getTypes())
    parameters.push_back(isScalar(type) ? type : pointerType(context));
  for (Type type : op.getResultTypes())
    if (isScalar(type))
      results.push_back(type);
  Type result = results.empty()       ? Type(LLVM::LLVMVoidType::get(context))
                : results.size() == 1 ? results.front()
                                      : LLVM::LLVMStructType::getLiteral(context, results);
  b.setInsertionPointToStart(module.getBody());
  auto function =
      LLVM::LLVMFuncOp::create(b, loc, name, LLVM::LLVMFunctionType::get(result, parameters));
  function.getBody().takeBody(op.getBody());
  SmallVector<tle::YieldOp> yields;
  function.walk([&](tle::YieldOp yield) { yields.push_back(yield); });
  for (tle::YieldOp yield : yields)
    giveBack(yield, result);
  for (auto [argument, type, described] : llvm::zip(function.getArguments(), parameters, memory)) {
    if (argument.getType() == type)
      continue;
    argument.setType(type);
    for (Operation *user : llvm::make_early_inc_range(argument.getUsers()))
      if (failed(answer(user, argument, described)))
        return failure();
  }
  WalkResult foreign = function.walk([&](Operation *inner) {
    if (isa<LLVM::LLVMDialect>(inner->getDialect()))
      return WalkResult::advance();
    inner->emitError() << "op '" << inner->getName()
                       << "' stands in a tle.dsl_region, which holds ops of the LLVM dialect";
    return WalkResult::interrupt();
  });
  if (foreign.wasInterrupted())
    return failure();
  return function;
}

/// The argument of the region whose memory `value`, which it yields, describes; or nothing.
std::optional<unsigned> argumentBehind(Value value) {
  if (auto pack = value.getDefiningOp<tle::PackOp>())
    value = pack.getInput();
  // A descriptor's second field is where its elements begin.
  while (auto insert = value.getDefiningOp<LLVM::InsertValueOp>()) {
    bool isStart = insert.getPosition() == ArrayRef<int64_t>{1};
    value = isStart ? insert.getValue() : insert.getContainer();
    if (isStart)
      break;
  }
  while (Operation *def = value.getDefiningOp()) {
    if (!isa<tle::ExtractPtrOp, tle::ExtractAllocatedPtrOp, tle::ExtractAlignedPtrOp,
             LLVM::AddrSpaceCastOp>(def))
      return std::nullopt;
    value = def->getOperand(0);
  }
  auto argument = cast<BlockArgument>(value);
  if (!argument.getOwner()->isEntryBlock())
    return std::nullopt;
  return argument.getArgNumber();
}

/// Which operand each result that is memory is.
FailureOr<SmallVector<unsigned>> operandsBehindResults(tle::DslRegionOp op) {
  SmallVector<unsigned> behind(op.getNumResults(), 0);
  std::optional<ArrayRef<int32_t>> stated = op.getOutputOperandIndices();
  tle::YieldOp yield;
  op.getBody().walk([&](tle::YieldOp found) { yield = found; });
  for (auto [i, type] : llvm::enumerate(op.getResultTypes())) {
    if (isScalar(type))
      continue;
    std::optional<unsigned> number;
    if (stated && i < stated->size() && (*stated)[i] >= 0)
      number = (*stated)[i];
    else if (yield && i < yield.getInputs().size())
      number = argumentBehind(yield.getInputs()[i]);
    if (!number || *number >= op.getInputs().size() || isScalar(op.getInputs()[*number].getType()))
      return op.emitOpError() << "gives result " << i
                              << " in memory that is not an operand's; pass a buffer for it";
    behind[i] = *number;
  }
  return behind;
}

} // namespace

LogicalResult Translator::translateRegion(tle::DslRegionOp op) {
  SmallVector<Value> operands;
  SmallVector<Pointer, 0> memory(op.getInputs().size());
  SmallVector<Described> described(op.getInputs().size());
  for (auto [i, operand] : llvm::enumerate(op.getInputs())) {
    Type type = operand.getType();
    if (isScalar(type)) {
      operands.push_back(data(operand));
      continue;
    }
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (tensor && (isPointerLike(type) || tt::elementTypeOf(type).isInteger(4)))
      return op.emitOpError() << "is given " << type << ", which has no form in memory";
    if (!tensor && !isPointerLike(type))
      return op.emitOpError() << "is given " << type
                              << "; there are integers, f32, f64, pointers, tensors and buffers";
    memory[i] = tensor ? spill(data(operand)) : pointer(operand);
    if (tensor)
      described[i] = {llvm::to_vector(tensor.getShape()), rowMajor(tensor.getShape())};
    else if (isBuffer(type))
      described[i] = {tle::bufferType(type)->shape, bufferStrides(operand)};
    operands.push_back(scalarPointer(memory[i]));
  }
  FailureOr<SmallVector<unsigned>> behind = operandsBehindResults(op);
  if (failed(behind))
    return failure();
  std::string name = "tle_raw_" + std::to_string(nextRegion++);
  FailureOr<LLVM::LLVMFuncOp> region =
      RegionFunction(op, described).write(function->getParentOfType<ModuleOp>(), name);
  if (failed(region))
    return failure();
  SmallVector<Type> results;
  for (Type type : op.getResultTypes())
    if (isScalar(type))
      results.push_back(type);
  auto call = mem::CallOp::create(builder, op.getLoc(), results, name, operands);
  ValueRange scalarResults = call.getResults();
  for (auto [result, number] : llvm::zip(op.getResults(), *behind)) {
    Type type = result.getType();
    if (isScalar(type)) {
      define(result, scalarResults.front());
      scalarResults = scalarResults.drop_front();
    } else if (auto tensor = dyn_cast<RankedTensorType>(type)) {
      define(result, loadFrom(wholeOf(memory[number], tensor.getShape(), tensor.getElementType(),
                                      rowMajor(tensor.getShape())),
                              convertType(tensor)));
    } else {
      pointers[result] = memory[number];
    }
  }
  return success();
}

} // namespace tritonrt::compiler
