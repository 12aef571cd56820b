// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One walk forward through a tt.func that writes the func.func of tile accesses. Every value of the
// old function is known as one of: a value of the new one (data), a form (integers that addresses
// are made of), a box (masks), a pointer, or a block (block pointers and tensor descriptors).
#ifndef TRITONRT_COMPILER_PASSES_TOTILE_TRANSLATOR_H
#define TRITONRT_COMPILER_PASSES_TOTILE_TRANSLATOR_H

#include "compiler/analysis/Box.h"
#include "compiler/analysis/Facts.h"
#include "compiler/analysis/Forms.h"
#include "compiler/dialect/mem/Mem.h"
#include "compiler/dialect/tile/Tile.h"
#include "compiler/dialect/tle/Tle.h"
#include "compiler/dialect/tt/TtOps.h"
#include "compiler/passes/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/DenseSet.h"

namespace tritonrt::compiler {

/// A block pointer, or a tensor descriptor (no offsets; every dimension is checked).
struct BlockValue {
  Pointer base;
  /// In elements, i64.
  llvm::SmallVector<Linear, 2> shape, strides, offsets;
  bool padsNan = false;
};

/// The address part of a tile op.
struct Address {
  mlir::Value base, wrapStart, wrapSize, offsets;
  llvm::SmallVector<mlir::Value> strides;
  llvm::SmallVector<int64_t> staticStrides;
  int64_t wrapDim = -1, unit = 1, root = -1, align = 0;
};

/// The enabled part of a tile op.
struct Enabled {
  Boxes::Bounds bounds;
  mlir::Value mask;
};

/// How one value crosses the edge of a region.
struct Carry {
  enum Kind {
    /// As the value that it is.
    Plain,
    /// An integer tensor or a pointer that differs from `form` or `pointer` by a scalar: that
    /// scalar, i64 (in bytes for pointers).
    Delta,
    /// A scalar pointer as such.
    ScalarPtr,
    /// A tensor of pointers off the base of `pointer`: an i64 tensor of byte offsets.
    Offsets,
    /// A tensor of pointers: an i64 tensor of addresses.
    Addresses,
    /// A block that differs from `block` by its offsets: those, i64.
    BlockOffsets,
    /// A block: base, shape, strides, offsets.
    Block
  };
  Kind kind = Plain;
  Form form;
  mlir::Value data;
  Pointer pointer;
  BlockValue block;
};

class Translator {
public:
  Translator(mlir::func::FuncOp function, const TtToTileOptions &options);

  mlir::LogicalResult run(tt::FuncOp old);

private:
  // Ops.
  mlir::LogicalResult translate(mlir::Block &block);
  mlir::LogicalResult translate(mlir::Operation *op);
  mlir::LogicalResult bindArguments(tt::FuncOp old);
  /// The op itself with translated operands and, by `translate`, translated regions.
  mlir::LogicalResult clone(mlir::Operation *op);
  /// Whether it was a shape op (or a select, a cast) on pointers.
  mlir::FailureOr<bool> translatePointerOp(mlir::Operation *op);
  mlir::FailureOr<bool> translateSelect(mlir::Operation *op);
  void selectBlock(mlir::arith::SelectOp op);
  /// A shape op on pointers of no form: done on their addresses.
  mlir::LogicalResult cloneOnAddresses(mlir::Operation *op);
  bool translateScalarShape(mlir::Operation *op);
  bool translateScalarPair(mlir::Operation *op);
  mlir::Value onlyElement(mlir::Value tensor);
  /// Whether it was a sum or product of bf16 along an axis.
  bool translateAccumulation(mlir::Operation *op);
  mlir::LogicalResult translateDotScaled(tt::DotScaledOp op);
  mlir::LogicalResult translateAsm(tt::ElementwiseInlineAsmOp op);
  /// Whether it was arithmetic on integers of four bits, which are bytes from 0 to 15 here.
  bool translateNibbles(mlir::Operation *op);
  /// One with two results.
  void translateWideNibbles(mlir::Operation *op, llvm::ArrayRef<mlir::Value> operands);
  mlir::Value signedNibbles(mlir::Value bytes);
  mlir::LogicalResult translateMap(tt::MapElementwiseOp op);
  /// The results of the op's code on `sources`, one for each of its arguments.
  mlir::FailureOr<llvm::SmallVector<mlir::Value>> mapElements(tt::MapElementwiseOp op,
                                                              llvm::ArrayRef<mlir::Value> sources);
  void learn(mlir::Operation *op);
  Form computeForm(mlir::Operation *op);
  Box computeBox(mlir::Operation *op);

  // Memory.
  mlir::FailureOr<bool> translateMemory(mlir::Operation *op);
  mlir::LogicalResult translateLoad(tt::LoadOp op);
  mlir::LogicalResult translateStore(tt::StoreOp op);
  mlir::LogicalResult translatePlainStore(tt::StoreOp op);
  mlir::LogicalResult translateRMW(tt::AtomicRMWOp op);
  void translateCAS(tt::AtomicCASOp op);
  void translateAtomicLoad(tt::AtomicLoadOp op);
  void translateAtomicStore(tt::AtomicStoreOp op);
  mlir::LogicalResult translatePoll(tt::AtomicPollOp op);
  void markWaits();
  Address address(const Pointer &pointer, mlir::Type access);
  Enabled enabled(mlir::Value mask, Address &address);
  Enabled enabled(const Box &box, Address &address);
  mlir::Value scalarOther(mlir::Value other);
  mlir::Value createLoad(mlir::Type type, const Address &at, const Enabled &on, mlir::Value other,
                         bool isVolatile);
  void createStore(mlir::Value value, const Address &at, const Enabled &on);

  // Prints and asserts.
  mlir::LogicalResult translatePrint(tt::PrintOp op);
  mlir::LogicalResult translateAssert(tt::AssertOp op);

  // Local buffers and meshes.
  mlir::FailureOr<bool> translateMesh(mlir::Operation *op);
  mlir::FailureOr<bool> translateAsyncCopy(mlir::Operation *op);
  mlir::FailureOr<bool> translateMemDesc(mlir::Operation *op);
  mlir::FailureOr<bool> translateTensorParts(mlir::Operation *op);
  void translateCumsum(mlir::Operation *op, int64_t axis, bool reverse);
  Pointer makeBuffer(llvm::ArrayRef<int64_t> shape, mlir::Type element, bool temporary = false);
  llvm::SmallVector<int64_t> bufferStrides(mlir::Value buffer);
  Pointer wholeOf(const Pointer &base, llvm::ArrayRef<int64_t> shape, mlir::Type element,
                  llvm::ArrayRef<int64_t> strides);
  Pointer wholeBuffer(mlir::Value buffer);
  mlir::Value loadFrom(const Pointer &from, mlir::Type type, const Enabled &on = {});
  void storeTo(const Pointer &to, mlir::Value value);
  void bindLocalPointers(mlir::Value result, mlir::Value buffer, mlir::ValueRange indices);
  void bindView(mlir::Value result, const Pointer &at, llvm::ArrayRef<int64_t> strides);
  mlir::Value scalarOf(mlir::Value tensor, int depth = 0);
  mlir::LogicalResult bindRemote(mlir::Operation *op, mlir::Value source, const Linear &shard);
  mlir::LogicalResult addBarrier(mlir::Operation *op, llvm::ArrayRef<int32_t> group,
                                 llvm::StringRef source);
  mlir::LogicalResult translateRegion(tle::DslRegionOp op);
  Pointer spill(mlir::Value tensor);
  Pointer tileAt(const Pointer &base, mlir::RankedTensorType whole, llvm::ArrayRef<int64_t> tile,
                 mlir::Value index);
  Pointer sliceAt(const Pointer &base, mlir::RankedTensorType whole, mlir::ValueRange offsets,
                  llvm::ArrayRef<int64_t> starts, llvm::ArrayRef<int64_t> sizes,
                  llvm::ArrayRef<int64_t> steps);

  // Block pointers and descriptors.
  mlir::FailureOr<bool> translateBlockOp(mlir::Operation *op);
  /// The block at `offsets` as an access of `type`; `checked` dimensions are clipped.
  std::pair<Address, Enabled> blockAccess(const BlockValue &block, llvm::ArrayRef<Linear> offsets,
                                          mlir::RankedTensorType type,
                                          llvm::ArrayRef<bool> checked);
  std::pair<Address, Enabled> rowsAccess(const BlockValue &block, mlir::Value rows,
                                         mlir::Value column, mlir::RankedTensorType type);
  mlir::Value padding(bool nan, mlir::Type element);
  mlir::LogicalResult translateBlockLoad(tt::LoadOp op);
  mlir::LogicalResult translateBlockStore(tt::StoreOp op);
  mlir::LogicalResult translateDescriptorReduce(tt::DescriptorReduceOp op);
  llvm::SmallVector<Linear, 2> linears(mlir::OperandRange values);

  // Regions.
  mlir::LogicalResult translateFor(mlir::scf::ForOp op);
  mlir::LogicalResult translateWhile(mlir::scf::WhileOp op);
  mlir::LogicalResult translateIf(mlir::scf::IfOp op);
  Carry planLoop(mlir::Value init, mlir::BlockArgument arg, mlir::Value yielded);
  Carry planType(mlir::Type type);
  /// Structure of `a` in which `b` fits too; both exist where the builder stands or outside of it.
  Carry planMerge(mlir::Value a, mlir::Value b, mlir::Operation *scope);
  void carryTypes(const Carry &carry, mlir::Type old, llvm::SmallVectorImpl<mlir::Type> &types);
  mlir::LogicalResult pack(const Carry &carry, mlir::Value old,
                           llvm::SmallVectorImpl<mlir::Value> &values);
  /// Takes what it needs from the front of `values`.
  void bind(const Carry &carry, mlir::Value old, mlir::ValueRange &values);
  void bindAll(llvm::ArrayRef<Carry> carries, mlir::ValueRange old, mlir::ValueRange values);
  mlir::LogicalResult packAll(llvm::ArrayRef<Carry> carries, mlir::ValueRange old,
                              llvm::SmallVectorImpl<mlir::Value> &values);

  // Lookup.
  mlir::Value data(mlir::Value old) { return values.lookup(old); }
  Form form(mlir::Value old);
  Box box(mlir::Value old);
  const Pointer &pointer(mlir::Value old) { return pointers.find(old)->second; }
  mlir::Type convertType(mlir::Type type);
  /// The address as a scalar !mem.ptr.
  mlir::Value scalarPointer(const Pointer &pointer);
  /// The address as a form without base.
  Form absolute(const Pointer &pointer);
  void define(mlir::Value old, mlir::Value value) { values.map(old, value); }

  mlir::func::FuncOp function;
  TtToTileOptions options;
  mlir::OpBuilder builder;
  Scalars scalars;
  Forms forms;
  Facts facts;
  Boxes boxes;

  mlir::IRMapping values;
  /// Integers and masks whose form or box somebody asks for.
  llvm::DenseSet<mlir::Value> demanded;
  llvm::DenseMap<mlir::Value, Form> knownForms;
  llvm::DenseMap<mlir::Value, Box> knownBoxes;
  llvm::DenseMap<mlir::Value, Pointer> pointers;
  llvm::DenseMap<mlir::Value, BlockValue> blocks;
  /// What the ops that report print, a line each, as kernel_abi.h describes it.
  llvm::SmallVector<std::string> reportLines;
  /// In elements, of parts of buffers that do not lie row by row.
  llvm::DenseMap<mlir::Value, llvm::SmallVector<int64_t>> viewStrides;
  int64_t nextBuffer = 0;
  int64_t nextRegion = 0;
  /// Numbers of barriers, behind those of loops that wait.
  int32_t nextWait = 1 << 16;
  int64_t maxShard = -1;
};

/// The 1 << bits tensors that hold every (1 << bits)-th element of `whole`, a line; and the
/// inverse.
void splitLine(mlir::OpBuilder &b, mlir::Location loc, mlir::Value whole, unsigned bits,
               llvm::SmallVectorImpl<mlir::Value> &parts);
mlir::Value joinLine(mlir::OpBuilder &b, mlir::Location loc, llvm::ArrayRef<mlir::Value> parts);

/// Does every element of a condition, a scalar or a tensor, hold?
mlir::Value allOf(mlir::OpBuilder &b, mlir::Location loc, mlir::Value condition);

/// The op in place of arithmetic on integers that not every target has; null for others.
mlir::Value expandIntegers(mlir::OpBuilder &b, mlir::Operation *op,
                           llvm::ArrayRef<mlir::Value> operands, mlir::Type result);

/// Does the kernel take, after its own parameters, the report buffer and its number there?
bool reports(tt::FuncOp kernel);

/// The integer and mask tensors of the old function that addresses and masks are made of.
llvm::DenseSet<mlir::Value> addressParts(tt::FuncOp function);

/// Whether `value`, which a loop yields, is the loop's own `arg` moved by pointer steps.
struct Trace {
  bool reaches = false;
  /// All steps are the same for all elements.
  bool uniform = true;
};
Trace traceSteps(mlir::Value value, mlir::BlockArgument arg);

/// The arith and math ops for an elementwise op of tt; nothing for other ops, failure with a
/// diagnostic for functions that have no such op.
mlir::FailureOr<mlir::Value> lowerElementwise(mlir::OpBuilder &builder, mlir::Operation *op,
                                              llvm::ArrayRef<mlir::Value> operands,
                                              mlir::Type result);

/// The value of a call of a mathematical library; failure with a diagnostic for unknown functions
/// and wrong types.
mlir::FailureOr<mlir::Value> lowerExtern(mlir::OpBuilder &builder, tt::ExternElementwiseOp op,
                                         llvm::ArrayRef<mlir::Value> operands, mlir::Type result);

bool isTensorPointer(mlir::Type type);
bool isScalarPointer(mlir::Type type);
bool isBlock(mlir::Type type);
/// A local buffer: known by the pointer to its first element.
bool isBuffer(mlir::Type type);
/// A pointer, a tensor of pointers or a buffer.
bool isPointerLike(mlir::Type type);
/// The strides of a dense tensor or buffer, in elements.
llvm::SmallVector<int64_t> rowMajor(llvm::ArrayRef<int64_t> shape);

} // namespace tritonrt::compiler

#endif // TRITONRT_COMPILER_PASSES_TOTILE_TRANSLATOR_H
