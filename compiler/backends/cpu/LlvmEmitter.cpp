// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/backends/cpu/LlvmEmitter.h"
#include "compiler/Fault.h"

#include "compiler/dialect/mem/Mem.h"

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Intrinsics.h"

using namespace mlir;

namespace tritonrt::compiler::cpu {

const OpTable &defaultOps() {
  static const OpTable table = [] {
    OpTable filled;
    addArithOps(filled);
    addControlOps(filled);
    addMathOps(filled);
    addMemoryOps(filled);
    addMeshOps(filled);
    addProductOps(filled);
    addRawOps(filled);
    addVectorOps(filled);
    return filled;
  }();
  return table;
}

static bool isPlainWidth(unsigned width) {
  return width == 1 || width == 8 || width == 16 || width == 32 || width == 64;
}

LlvmEmitter::LlvmEmitter(llvm::Module &module, const EmitOptions &options, const OpTable &table)
    : ir(module.getContext()), module(module), promises(options), table(table) {}

llvm::Type *LlvmEmitter::convert(Type type) const {
  llvm::LLVMContext &context = module.getContext();
  return llvm::TypeSwitch<Type, llvm::Type *>(type)
      .Case([&](IntegerType t) -> llvm::Type * {
        return isPlainWidth(t.getWidth()) ? llvm::IntegerType::get(context, t.getWidth()) : nullptr;
      })
      .Case([&](IndexType) { return llvm::Type::getInt64Ty(context); })
      .Case([&](Float16Type) { return llvm::Type::getHalfTy(context); })
      .Case([&](Float32Type) { return llvm::Type::getFloatTy(context); })
      .Case([&](Float64Type) { return llvm::Type::getDoubleTy(context); })
      .Case([&](mem::PtrType t) {
        unsigned space = t.getSpace() == mem::Space::Global  ? promises.globalSpace
                         : t.getSpace() == mem::Space::Local ? promises.localSpace
                                                             : promises.scratchSpace;
        return llvm::PointerType::get(context, space);
      })
      .Case([&](VectorType t) -> llvm::Type * {
        llvm::Type *element = convert(t.getElementType());
        if (!element || t.getRank() != 1 || t.isScalable())
          return nullptr;
        return llvm::FixedVectorType::get(element, t.getNumElements());
      })
      .Default([](Type) { return nullptr; });
}

llvm::Constant *LlvmEmitter::constant(Attribute attr, Type type) const {
  llvm::Type *llvmType = convert(type);
  if (!llvmType)
    return nullptr;
  if (auto integer = dyn_cast<IntegerAttr>(attr))
    return llvm::ConstantInt::get(llvmType, integer.getValue());
  if (auto number = dyn_cast<FloatAttr>(attr))
    return llvm::ConstantFP::get(llvmType, number.getValue());
  auto dense = dyn_cast<DenseElementsAttr>(attr);
  if (!dense)
    return nullptr;
  llvm::Type *element = llvmType->getScalarType();
  bool isFloat = element->isFloatingPointTy();
  auto lane = [&](auto number) -> llvm::Constant * {
    if constexpr (std::is_same_v<decltype(number), llvm::APFloat>)
      return llvm::ConstantFP::get(element, number);
    else
      return llvm::ConstantInt::get(element, number);
  };
  auto *vector = cast<llvm::FixedVectorType>(llvmType);
  if (dense.isSplat())
    return llvm::ConstantVector::getSplat(vector->getElementCount(),
                                          isFloat ? lane(dense.getSplatValue<llvm::APFloat>())
                                                  : lane(dense.getSplatValue<llvm::APInt>()));
  llvm::SmallVector<llvm::Constant *> lanes;
  if (isFloat)
    for (llvm::APFloat number : dense.getValues<llvm::APFloat>())
      lanes.push_back(lane(number));
  else
    for (llvm::APInt number : dense.getValues<llvm::APInt>())
      lanes.push_back(lane(number));
  return llvm::ConstantVector::get(lanes);
}

llvm::BasicBlock *LlvmEmitter::newBlock(const llvm::Twine &name) {
  return llvm::BasicBlock::Create(module.getContext(), name, function);
}

llvm::CallInst *LlvmEmitter::intrinsic(llvm::Intrinsic::ID id, llvm::ArrayRef<llvm::Type *> types,
                                       llvm::ArrayRef<llvm::Value *> operands) {
  return ir.CreateIntrinsic(id, types, operands);
}

llvm::Value *LlvmEmitter::perLane(llvm::Type *type,
                                  llvm::function_ref<llvm::Value *(llvm::Value *lane)> fn) {
  auto *vector = dyn_cast<llvm::FixedVectorType>(type);
  if (!vector)
    return fn(nullptr);
  llvm::Value *result = llvm::PoisonValue::get(vector);
  for (unsigned i = 0; i < vector->getNumElements(); ++i)
    result = ir.CreateInsertElement(result, fn(ir.getInt64(i)), i);
  return result;
}

llvm::Value *LlvmEmitter::callPerLane(llvm::StringRef symbol,
                                      llvm::ArrayRef<llvm::Value *> operands) {
  llvm::SmallVector<llvm::Type *> types;
  for (llvm::Value *operand : operands)
    types.push_back(operand->getType()->getScalarType());
  auto *type = llvm::FunctionType::get(types[0], types, /*isVarArg=*/false);
  llvm::FunctionCallee callee = module.getOrInsertFunction(symbol, type);
  // errno is nobody's concern here, so a call is a pure function of its operands.
  auto *declaration = cast<llvm::Function>(callee.getCallee());
  declaration->setDoesNotAccessMemory();
  declaration->setDoesNotThrow();
  declaration->setWillReturn();
  return perLane(operands[0]->getType(), [&](llvm::Value *lane) -> llvm::Value * {
    llvm::SmallVector<llvm::Value *> scalars(operands);
    if (lane)
      for (llvm::Value *&scalar : scalars)
        scalar = ir.CreateExtractElement(scalar, lane);
    return ir.CreateCall(callee, scalars);
  });
}

LogicalResult LlvmEmitter::emitOp(Operation &op) {
  for (Type type : op.getResultTypes())
    if (!convert(type))
      return op.emitError("the ") << promises.device << " has no registers of type " << type;
  OpTable::Handler handler = table.find(op);
  if (!handler)
    return emitFault(&op, "the " + llvm::Twine(promises.device) + " backend cannot emit '" +
                              op.getName().getStringRef() + "'");
  return handler(*this, &op);
}

LogicalResult LlvmEmitter::emitBody(Block &block) {
  for (Operation &op : block.without_terminator())
    if (failed(emitOp(op)))
      return failure();
  return success();
}

} // namespace tritonrt::compiler::cpu
