// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "IlEmitter.h"

#include "compiler/dialect/mem/Mem.h"

using namespace mlir;

namespace tritonrt::compiler::spirv {

namespace {

/// The Itanium code of a type of OpenCL C.
std::string mangled(llvm::Type *type, bool isSigned) {
  if (auto *vector = dyn_cast<llvm::FixedVectorType>(type))
    return "Dv" + std::to_string(vector->getNumElements()) + "_" +
           mangled(vector->getElementType(), isSigned);
  if (type->isFloatTy())
    return "f";
  if (type->isDoubleTy())
    return "d";
  if (type->isHalfTy())
    return "Dh";
  switch (type->getIntegerBitWidth()) {
  case 8:
    return isSigned ? "c" : "h";
  case 16:
    return isSigned ? "s" : "t";
  case 32:
    return isSigned ? "i" : "j";
  default:
    return isSigned ? "l" : "m";
  }
}

int64_t bytesAttr(func::FuncOp kernel, llvm::StringRef name) {
  auto attr = kernel->getAttrOfType<IntegerAttr>(name);
  return attr ? attr.getInt() : 0;
}

/// Does it have loops that end when the launch is told to stop?
bool waits(func::FuncOp kernel) {
  return kernel.walk([](mem::PollStopOp) { return WalkResult::interrupt(); }).wasInterrupted();
}

} // namespace

llvm::Value *IlEmitter::callBuiltin(llvm::StringRef name, llvm::Type *result,
                                    llvm::ArrayRef<llvm::Value *> operands, bool isSigned) {
  std::string symbol = ("_Z" + llvm::Twine(name.size()) + name).str();
  llvm::SmallVector<llvm::Type *> types;
  for (llvm::Value *operand : operands) {
    std::string code = mangled(operand->getType(), isSigned);
    // A vector that came before is named by its place.
    bool again =
        !types.empty() && operand->getType() == types[0] && operand->getType()->isVectorTy();
    symbol += again ? "S_" : code;
    types.push_back(operand->getType());
  }
  llvm::FunctionCallee callee =
      module.getOrInsertFunction(symbol, llvm::FunctionType::get(result, types, false));
  cast<llvm::Function>(callee.getCallee())->setCallingConv(llvm::CallingConv::SPIR_FUNC);
  llvm::CallInst *call = ir.CreateCall(callee, operands);
  call->setCallingConv(llvm::CallingConv::SPIR_FUNC);
  return call;
}

llvm::AllocaInst *IlEmitter::variable(llvm::Type *type, llvm::Align align) {
  llvm::BasicBlock &entry = function->getEntryBlock();
  llvm::AllocaInst *made = llvm::IRBuilder<>(&entry, entry.begin()).CreateAlloca(type);
  made->setAlignment(align);
  return made;
}

/// A pointer is two parameters, its object and an offset; an i1 comes as a byte and an f16 as bits.
/// The stop words come last.
llvm::Function *IlEmitter::createKernel(func::FuncOp kernel, llvm::StringRef entry) {
  llvm::SmallVector<llvm::Type *> types;
  for (Type type : kernel.getArgumentTypes()) {
    if (isa<mem::PtrType>(type))
      types.append({ir.getPtrTy(Global), ir.getInt64Ty()});
    else if (type.isInteger(1))
      types.push_back(ir.getInt8Ty());
    else if (type.isF16())
      types.push_back(ir.getInt16Ty());
    else
      types.push_back(convert(type));
  }
  if (waits(kernel))
    types.append({ir.getPtrTy(Global), ir.getInt64Ty()});
  auto *made = llvm::Function::Create(llvm::FunctionType::get(ir.getVoidTy(), types, false),
                                      llvm::Function::ExternalLinkage, entry, module);
  made->setCallingConv(llvm::CallingConv::SPIR_KERNEL);
  made->setDoesNotThrow();
  llvm::Metadata *one = llvm::ConstantAsMetadata::get(ir.getInt32(1));
  made->setMetadata("reqd_work_group_size", llvm::MDNode::get(ir.getContext(), {one, one, one}));
  return made;
}

void IlEmitter::bindArguments(func::FuncOp kernel) {
  unsigned next = 0;
  for (BlockArgument argument : kernel.getArguments()) {
    llvm::Value *given = function->getArg(next++);
    if (isa<mem::PtrType>(argument.getType()))
      given = ir.CreateGEP(ir.getInt8Ty(), given, function->getArg(next++));
    else if (argument.getType().isInteger(1))
      given = ir.CreateTrunc(given, ir.getInt1Ty());
    else if (argument.getType().isF16())
      given = ir.CreateBitCast(given, ir.getHalfTy());
    set(argument, given);
  }
  if (waits(kernel))
    words = ir.CreateGEP(ir.getInt8Ty(), function->getArg(next), function->getArg(next + 1));
}

LogicalResult IlEmitter::emitKernel(func::FuncOp kernel, llvm::StringRef entry) {
  if (!kernel.getBody().hasOneBlock())
    return kernel.emitError("the SPIR-V backend needs structured control flow");
  for (auto [i, type] : llvm::enumerate(kernel.getArgumentTypes()))
    if (!convert(type) || isa<VectorType>(type))
      return kernel.emitError("parameter ")
             << i << " of type " << type << " has no place in SPIR-V";
  function = createKernel(kernel, entry);
  ir.SetInsertPoint(newBlock("entry"));
  int64_t scratch = bytesAttr(kernel, "tritonrt.scratch_bytes");
  auto *bytes = llvm::ArrayType::get(ir.getInt8Ty(), std::max<int64_t>(scratch, 1));
  if (options().scratchSpace == Local) {
    auto *shared = new llvm::GlobalVariable(
        module, bytes, /*isConstant=*/false, llvm::GlobalValue::InternalLinkage,
        llvm::UndefValue::get(bytes), "scratch", nullptr, llvm::GlobalValue::NotThreadLocal, Local);
    shared->setAlignment(llvm::Align(64));
    memory = shared;
  } else if (scratch) {
    memory = variable(bytes, llvm::Align(64));
  }
  bindArguments(kernel);
  for (unsigned axis = 0; axis < 3; ++axis) {
    auto ask = [&](llvm::StringRef name) {
      llvm::Value *number = callBuiltin(name, ir.getInt64Ty(), ir.getInt32(axis), false);
      return ir.CreateTrunc(number, ir.getInt32Ty());
    };
    programIds[axis] = ask("get_group_id");
    grid[axis] = ask("get_num_groups");
  }
  if (failed(emitBody(kernel.getBody().front())))
    return failure();
  ir.CreateRetVoid();
  // Products may be fused with sums.
  module.getOrInsertNamedMetadata("opencl.enable.FP_CONTRACT");
  return success();
}

} // namespace tritonrt::compiler::spirv
