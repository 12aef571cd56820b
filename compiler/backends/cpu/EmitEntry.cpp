// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The entry of an artifact: unpacks the arguments once, then runs a range of programs.
#include "compiler/Fault.h"
#include "compiler/backends/cpu/LlvmEmitter.h"

#include "compiler/api/kernel_abi.h"
#include "compiler/dialect/mem/Mem.h"

#include "llvm/IR/IntrinsicsX86.h"

#include <cstddef>

using namespace mlir;

namespace tritonrt::compiler::cpu {

namespace {

/// May two arguments be told apart by the memory they reach? Not if the kernel computes addresses
/// from integers, which may point anywhere, nor if it orders its accesses with those of others.
bool reachesMemoryThroughArgumentsOnly(func::FuncOp kernel) {
  WalkResult found = kernel.walk([](Operation *op) {
    return isa<mem::FromIntOp, mem::NullOp, mem::AtomicRMWOp, mem::AtomicCASOp, mem::AtomicLoadOp,
               mem::AtomicStoreOp, mem::PollStopOp, mem::MeshBarrierOp, mem::RemoteOp, mem::CallOp>(
               op) ||
                   (isa<mem::LoadOp>(op) && isa<mem::PtrType>(op->getResult(0).getType()))
               ? WalkResult::interrupt()
               : WalkResult::advance();
  });
  return !found.wasInterrupted();
}

void describeFunction(llvm::Function *function, const EmitOptions &options) {
  function->setDoesNotThrow();
  // Addresses made from integers are as good as others.
  function->addFnAttr(llvm::Attribute::NullPointerIsValid);
  std::string bits = std::to_string(options.vectorBits);
  function->addFnAttr("prefer-vector-width", bits);
  function->addFnAttr("min-legal-vector-width", bits);
}

/// Parameters of the range function after the kernel's own.
enum Trailing { Begin, End, GridX, GridY, GridZ, Stop, Mesh, Scratch, NumTrailing };

} // namespace

/// Makes `trt_entry` and returns the function of the range, still empty:
/// range(kernel's parameters..., begin, end, gx, gy, gz, stop, mesh, scratch). They are two so that
/// the pointers are parameters, where LLVM can be told what they do not alias.
llvm::Function *LlvmEmitter::createEntry(func::FuncOp kernel) {
  llvm::Type *i32 = ir.getInt32Ty(), *i64 = ir.getInt64Ty();
  llvm::Type *ptr = ir.getPtrTy();
  llvm::SmallVector<llvm::Type *> types;
  for (Type type : kernel.getArgumentTypes())
    types.push_back(convert(type));
  llvm::SmallVector<llvm::Type *> params(types);
  params.append({i64, i64, i32, i32, i32, ptr, ptr, ptr});

  auto *range = llvm::Function::Create(llvm::FunctionType::get(i32, params, false),
                                       llvm::Function::InternalLinkage, "programs", module);
  range->setCallingConv(llvm::CallingConv::Fast);
  range->addFnAttr(llvm::Attribute::NoInline);
  describeFunction(range, promises);
  bool noAlias = promises.disjoint && reachesMemoryThroughArgumentsOnly(kernel);
  for (unsigned i = 0; i < types.size(); ++i)
    if (noAlias && types[i]->isPointerTy())
      range->addParamAttr(i, llvm::Attribute::NoAlias);
  unsigned scratchIndex = types.size() + Scratch;
  range->addParamAttr(scratchIndex, llvm::Attribute::NoAlias);
  range->addParamAttr(scratchIndex,
                      llvm::Attribute::getWithAlignment(module.getContext(), llvm::Align(64)));

  auto *entry =
      llvm::Function::Create(llvm::FunctionType::get(i32, {ptr, i64, i64, ptr, ptr}, false),
                             llvm::Function::ExternalLinkage, "trt_entry", module);
  describeFunction(entry, promises);
  function = entry;
  ir.SetInsertPoint(newBlock("entry"));

  llvm::SmallVector<llvm::Value *> arguments;
  for (auto [i, type] : llvm::enumerate(types)) {
    llvm::Value *slot = ir.CreateConstGEP1_64(i64, entry->getArg(0), i);
    // The low bytes of a slot hold the value; an i1 is the lowest bit of one.
    arguments.push_back(type->isIntegerTy(1)
                            ? ir.CreateTrunc(ir.CreateLoad(ir.getInt8Ty(), slot), type)
                            : ir.CreateLoad(type, slot));
  }
  llvm::Value *launch = entry->getArg(3);
  auto launchField = [&](llvm::Type *type, size_t offset) {
    return ir.CreateLoad(type, ir.CreateConstGEP1_64(ir.getInt8Ty(), launch, offset));
  };
  arguments.append({entry->getArg(1), entry->getArg(2)});
  for (unsigned axis = 0; axis < 3; ++axis)
    arguments.push_back(launchField(i32, offsetof(trt_cpu_launch, grid) + 4 * axis));
  arguments.push_back(launchField(ptr, offsetof(trt_cpu_launch, stop)));
  arguments.push_back(launchField(ptr, offsetof(trt_cpu_launch, mesh)));
  arguments.push_back(entry->getArg(4));
  llvm::CallInst *call = ir.CreateCall(range, arguments);
  call->setCallingConv(llvm::CallingConv::Fast);
  ir.CreateRet(call);
  return range;
}

/// for (row = the programs of one y, z) for (x in the part of the row that is in [begin, end)) body
///
/// A row at a time, so that x is a plain counter and what depends on y and z alone leaves the inner
/// loop; only the first row's ids need divisions, and none if it is row 0.
LogicalResult LlvmEmitter::emitPrograms(func::FuncOp kernel, llvm::Function *range) {
  function = range;
  unsigned count = kernel.getNumArguments();
  for (unsigned i = 0; i < count; ++i)
    set(kernel.getArgument(i), range->getArg(i));
  auto trailing = [&](Trailing which) { return range->getArg(count + which); };
  for (unsigned axis = 0; axis < 3; ++axis)
    grid[axis] = trailing(Trailing(GridX + axis));
  stop = trailing(Stop);
  mesh = trailing(Mesh);
  scratch = trailing(Scratch);
  llvm::Value *begin = trailing(Begin), *end = trailing(End);
  llvm::Type *i32 = ir.getInt32Ty(), *i64 = ir.getInt64Ty();

  llvm::BasicBlock *entry = newBlock("entry"), *later = newBlock("later"), *row = newBlock("row"),
                   *program = newBlock("program"), *done = newBlock("done");
  ir.SetInsertPoint(entry);
  llvm::Value *gridX = ir.CreateZExt(grid[0], i64);
  llvm::BasicBlock *inFirstRow = newBlock("first");
  ir.CreateCondBr(ir.CreateICmpSLT(begin, end), inFirstRow, done);
  ir.SetInsertPoint(inFirstRow);
  openTables(kernel, ir.CreateNUWSub(end, begin));
  inFirstRow = ir.GetInsertBlock();
  llvm::Value *beginX = ir.CreateTrunc(begin, i32);
  ir.CreateCondBr(ir.CreateICmpULT(begin, gridX), row, later);

  ir.SetInsertPoint(later);
  llvm::Value *gridY = ir.CreateZExt(grid[1], i64);
  llvm::Value *rows = ir.CreateUDiv(begin, gridX);
  llvm::Value *laterX = ir.CreateTrunc(ir.CreateURem(begin, gridX), i32);
  llvm::Value *laterY = ir.CreateTrunc(ir.CreateURem(rows, gridY), i32);
  llvm::Value *laterZ = ir.CreateTrunc(ir.CreateUDiv(rows, gridY), i32);
  ir.CreateBr(row);

  ir.SetInsertPoint(row);
  llvm::PHINode *linear = ir.CreatePHI(i64, 3, "linear"), *firstX = ir.CreatePHI(i32, 3, "first_x"),
                *y = ir.CreatePHI(i32, 3, "y"), *z = ir.CreatePHI(i32, 3, "z");
  for (llvm::PHINode *phi : {y, z})
    phi->addIncoming(ir.getInt32(0), inFirstRow);
  linear->addIncoming(begin, inFirstRow);
  linear->addIncoming(begin, later);
  firstX->addIncoming(beginX, inFirstRow);
  firstX->addIncoming(laterX, later);
  y->addIncoming(laterY, later);
  z->addIncoming(laterZ, later);
  llvm::Value *left = ir.CreateNUWSub(end, linear);
  llvm::Value *inRow = ir.CreateZExt(ir.CreateNUWSub(grid[0], firstX), i64);
  llvm::Value *steps = ir.CreateBinaryIntrinsic(llvm::Intrinsic::umin, left, inRow);
  llvm::Value *endX = ir.CreateAdd(firstX, ir.CreateTrunc(steps, i32));
  ir.CreateBr(program);

  ir.SetInsertPoint(program);
  llvm::PHINode *x = ir.CreatePHI(i32, 2, "x");
  x->addIncoming(firstX, row);
  programIds[0] = x;
  programIds[1] = y;
  programIds[2] = z;
  if (failed(emitBody(kernel.getBody().front())))
    return failure();
  llvm::BasicBlock *nextRow = newBlock("next_row"), *ending = newBlock("ending");
  llvm::Value *nextX = ir.CreateAdd(x, ir.getInt32(1), "", /*HasNUW=*/true, /*HasNSW=*/true);
  x->addIncoming(nextX, ir.GetInsertBlock());
  ir.CreateCondBr(ir.CreateICmpNE(nextX, endX), program, nextRow);

  ir.SetInsertPoint(nextRow);
  llvm::Value *reached = ir.CreateNUWAdd(linear, steps);
  llvm::Value *nextY = ir.CreateNUWAdd(y, ir.getInt32(1));
  llvm::Value *wraps = ir.CreateICmpEQ(nextY, grid[1]);
  linear->addIncoming(reached, nextRow);
  firstX->addIncoming(ir.getInt32(0), nextRow);
  y->addIncoming(ir.CreateSelect(wraps, ir.getInt32(0), nextY), nextRow);
  z->addIncoming(ir.CreateAdd(z, ir.CreateZExt(wraps, i32)), nextRow);
  ir.CreateCondBr(ir.CreateICmpULT(reached, end), row, ending);
  ir.SetInsertPoint(ending);
  closeTables();
  ir.CreateBr(done);

  done->moveAfter(ir.GetInsertBlock());
  ir.SetInsertPoint(done);
  // What went past the caches is seen by others only after a fence; it costs little where nothing
  // did.
  if (hasStreamed)
    intrinsic(llvm::Intrinsic::x86_sse_sfence, {}, {});
  ir.CreateRet(ir.getInt32(0));
  return success();
}

llvm::Value *LlvmEmitter::streams(scf::ForOp loop) {
  if (!promises.hasStreaming || streaming)
    return nullptr;
  StreamedLoop streamed = streamedStores->analyze(loop);
  if (streamed.stores.empty())
    return nullptr;
  hasStreamed = true;
  llvm::Type *i64 = ir.getInt64Ty();
  llvm::Value *programs =
      ir.CreateMul(ir.CreateMul(ir.CreateZExt(grid[0], i64), ir.CreateZExt(grid[1], i64)),
                   ir.CreateZExt(grid[2], i64));
  llvm::Value *result = ir.CreateICmpUGE(programs, ir.getInt64(streamed.fewestPrograms()));
  llvm::Value *first = get(loop.getLowerBound());
  for (mem::StoreOp store : streamed.stores) {
    int64_t unit =
        store.getUnit() ? int64_t(*store.getUnit()) : mem::elementBytes(store.getValue().getType());
    llvm::Value *address = ir.CreateAdd(ir.CreatePtrToInt(get(store.getBase()), i64),
                                        ir.CreateMul(first, ir.getInt64(unit)));
    result = ir.CreateAnd(result, ir.CreateIsNull(ir.CreateAnd(address, ir.getInt64(63))));
  }
  return result;
}

LogicalResult LlvmEmitter::emitKernel(func::FuncOp kernel) {
  for (auto [i, type] : llvm::enumerate(kernel.getArgumentTypes()))
    if (!convert(type) || isa<VectorType>(type))
      return kernel.emitError("parameter ")
             << i << " has the type " << type << ", which a launch cannot pass";
  if (!kernel.getBody().hasOneBlock())
    return emitFault(kernel, "the loops and branches around this have no structure");
  streamedStores = std::make_unique<Streaming>(kernel);
  return emitPrograms(kernel, createEntry(kernel));
}

} // namespace tritonrt::compiler::cpu
