// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mapped IR to LLVM IR, in one walk.
//
// The mapped IR is a small closed set of structured ops, so it is written as LLVM IR directly: no
// intermediate dialect, no rewriting, a time that is linear in the kernel's size. What is not in
// the table of ops is an error that names the op, before LLVM sees anything it could stumble over.
#ifndef TRITONRT_COMPILER_BACKENDS_CPU_LLVMEMITTER_H
#define TRITONRT_COMPILER_BACKENDS_CPU_LLVMEMITTER_H

#include "compiler/analysis/DeferredAtomics.h"
#include "compiler/analysis/Streaming.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

#include <memory>

namespace tritonrt::compiler::cpu {

/// What the launch and the target promise to the emitted code.
struct EmitOptions {
  /// No argument that the kernel may write overlaps another one.
  bool disjoint = false;
  /// Bits of a vector register; 512 asks LLVM to use the widest ones.
  unsigned vectorBits = 128;
  bool hasAvx512 = false;
  /// There are instructions for products of pairs of bf16.
  bool hasBf16Pairs = false;
  /// Stores may go past the caches and be fenced, as on x86.
  bool hasStreaming = false;
  /// LLVM may be given accesses of vectors with a mask, vectors of addresses, and masks as
  /// integers.
  bool hasMasks = true;
  /// Among whom atomics are.
  llvm::SyncScope::ID scope = llvm::SyncScope::System;
  /// LLVM's address spaces of the three kinds of memory.
  unsigned globalSpace = 0, localSpace = 0, scratchSpace = 0;
  /// What messages call the target.
  llvm::StringRef device = "CPU";
};

class OpTable;

/// Targets with other entries inherit it: they set what belongs to the launch and emit the body.
class LlvmEmitter {
public:
  /// The table outlives the emitter.
  LlvmEmitter(llvm::Module &module, const EmitOptions &options, const OpTable &table);

  /// Emits `trt_entry` of kernel_abi.h around the body of `kernel`.
  mlir::LogicalResult emitKernel(mlir::func::FuncOp kernel);

  // What the handlers of single ops use.

  llvm::IRBuilder<> ir;

  const EmitOptions &options() const { return promises; }
  llvm::Value *get(mlir::Value value) const { return values.lookup(value); }
  void set(mlir::Value value, llvm::Value *llvmValue) { values[value] = llvmValue; }
  /// nullptr for a type that has no place in emitted code.
  llvm::Type *convert(mlir::Type type) const;
  /// The constant of an attribute, or nullptr.
  llvm::Constant *constant(mlir::Attribute attr, mlir::Type type) const;

  /// Emits the ops of a structured region's block but for its terminator.
  mlir::LogicalResult emitBody(mlir::Block &block);
  /// Appends a block to the function that is being emitted.
  llvm::BasicBlock *newBlock(const llvm::Twine &name);

  llvm::CallInst *intrinsic(llvm::Intrinsic::ID id, llvm::ArrayRef<llvm::Type *> types,
                            llvm::ArrayRef<llvm::Value *> operands);
  /// Calls a function of the C library on each lane of the operands.
  llvm::Value *callPerLane(llvm::StringRef symbol, llvm::ArrayRef<llvm::Value *> operands);
  /// Applies `fn` to each lane (once to scalars) and collects the results.
  llvm::Value *perLane(llvm::Type *type, llvm::function_ref<llvm::Value *(llvm::Value *lane)> fn);

  // What belongs to the launch. Axes are 0, 1, 2.
  llvm::Value *programId(unsigned axis) const { return programIds[axis]; }
  llvm::Value *numPrograms(unsigned axis) const { return grid[axis]; }
  llvm::Value *scratchBlock() const { return scratch; }
  llvm::Value *stopWord() const { return stop; }
  llvm::Value *meshRecord() const { return mesh; }

  /// Does the launch write so much through stores like those of `loop` that they had better go past
  /// the caches, and do they start at whole lines? nullptr where that is out of the question.
  llvm::Value *streams(mlir::scf::ForOp loop);
  /// Set while the form of a loop is emitted whose stores go past the caches.
  bool streaming = false;
  /// Puts an atomic off until the range has run, if that is possible; whether it was.
  bool deferAtomic(mem::AtomicRMWOp op, llvm::Value *address);

protected:
  llvm::Module &module;
  /// The one that is being emitted.
  llvm::Function *function = nullptr;
  llvm::Value *programIds[3] = {};
  llvm::Value *grid[3] = {};

private:
  llvm::Function *createEntry(mlir::func::FuncOp kernel);
  mlir::LogicalResult emitPrograms(mlir::func::FuncOp kernel, llvm::Function *range);
  mlir::LogicalResult emitOp(mlir::Operation &op);
  void openTables(mlir::func::FuncOp kernel, llvm::Value *programs);
  void closeTables();

  /// What is done to the first `limit` bytes of a parameter, at most `bytes`, waits in `memory`,
  /// which holds so many copies of them.
  struct Table {
    DeferredRoot of;
    llvm::Value *memory;
    llvm::Value *limit;
    int64_t bytes, copies;
  };
  /// Emits `body`, which gets an offset and where its line is, for all lines of a table.
  void forEachLine(const Table &table, llvm::function_ref<void(llvm::Value *, llvm::Value *)> body);
  llvm::Value *copyFor(const Table &table, mem::AtomicRMWOp op);

  EmitOptions promises;
  const OpTable &table;
  std::unique_ptr<Streaming> streamedStores;
  bool hasStreamed = false;
  llvm::SmallVector<Table> tables;
  /// Has the range so many atomics that they go through tables?
  llvm::Value *tablesPay = nullptr;
  llvm::DenseMap<mlir::Value, llvm::Value *> values;
  llvm::Value *scratch = nullptr;
  llvm::Value *stop = nullptr;
  llvm::Value *mesh = nullptr;
};

/// How each op is emitted.
class OpTable {
public:
  using Handler = mlir::LogicalResult (*)(LlvmEmitter &, mlir::Operation *);

  /// `Fn` is a lambda without captures: (LlvmEmitter &, OpT) -> LogicalResult.
  template <typename OpT, typename Fn> void add(Fn) {
    handlers[mlir::TypeID::get<OpT>()] = [](LlvmEmitter &emitter, mlir::Operation *op) {
      return Fn{}(emitter, llvm::cast<OpT>(op));
    };
  }
  /// The same for ops of one result: the lambda gives its value, or nullptr after a diagnostic.
  template <typename OpT, typename Fn> void value(Fn) {
    handlers[mlir::TypeID::get<OpT>()] = [](LlvmEmitter &emitter, mlir::Operation *op) {
      llvm::Value *result = Fn{}(emitter, llvm::cast<OpT>(op));
      if (!result)
        return mlir::failure();
      emitter.set(op->getResult(0), result);
      return mlir::success();
    };
  }
  Handler find(mlir::Operation &op) const { return handlers.lookup(op.getName().getTypeID()); }

private:
  llvm::DenseMap<mlir::TypeID, Handler> handlers;
};

void addArithOps(OpTable &table);
void addControlOps(OpTable &table);
void addMathOps(OpTable &table);
void addMemoryOps(OpTable &table);
void addMeshOps(OpTable &table);
void addProductOps(OpTable &table);
void addRawOps(OpTable &table);
void addVectorOps(OpTable &table);

/// All of them; any other op is refused by name.
const OpTable &defaultOps();

/// An addition of a product of pairs as one instruction, or nullptr where it is none.
llvm::Value *addedProduct(LlvmEmitter &emitter, mlir::arith::AddFOp op);

/// What LLVM calls the order.
llvm::AtomicOrdering ordering(mem::Order order);

/// The instruction of an atomic; the old value.
llvm::Value *createAtomic(LlvmEmitter &emitter, mem::AtomicKind kind, llvm::Value *place,
                          llvm::Value *value, mem::Order order);

/// Translates the functions of `mapped` that are in the LLVM dialect into `module`, where mem.call
/// finds them.
mlir::LogicalResult addRawFunctions(mlir::ModuleOp mapped, llvm::Module &module);
/// Puts what mem.call calls in place of its calls.
void inlineRawFunctions(llvm::Module &module);

/// On an access that is reported: its number, from 1 on.
inline constexpr llvm::StringLiteral kAccessAttr = "tritonrt.access";

/// Numbers what the programs of a mesh share, so that emitting it reports each access.
void numberAccesses(mlir::func::FuncOp kernel);
/// Reports an access that has a number, in front of it.
void recordAccess(LlvmEmitter &emitter, mlir::Operation *op);

} // namespace tritonrt::compiler::cpu

#endif // TRITONRT_COMPILER_BACKENDS_CPU_LLVMEMITTER_H
