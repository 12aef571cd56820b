// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes a mapped kernel as OpenCL C 1.2. An Emitter holds the text, the scopes and the names of
// one kernel; what an op becomes is a handler in a table, a file a dialect (EmitArith.cpp ...).
//
// Integers are kept in unsigned types, because signed overflow is undefined in OpenCL C; an op that
// is signed casts its operands. A scalar i1 is a bool; a vector of i1 is a vector of 0 and -1 of
// any integer width, as comparisons give it: see `maskBits`.
#ifndef TRITONRT_COMPILER_BACKENDS_OPENCL_EMITTER_H
#define TRITONRT_COMPILER_BACKENDS_OPENCL_EMITTER_H

#include "compiler/analysis/Streaming.h"
#include "compiler/backends/opencl/Features.h"
#include "compiler/dialect/mem/Mem.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

#include <memory>
#include <string>

namespace tritonrt::compiler::opencl {

class Emitter;
using Handler = mlir::LogicalResult (*)(Emitter &, mlir::Operation *);
using HandlerTable = llvm::StringMap<Handler>;

void addControlHandlers(HandlerTable &table);
void addArithHandlers(HandlerTable &table);
void addMathHandlers(HandlerTable &table);
void addMemHandlers(HandlerTable &table);
void addAtomicHandlers(HandlerTable &table);
void addMeshHandlers(HandlerTable &table);
void addStopHandlers(HandlerTable &table);
void addVectorHandlers(HandlerTable &table);

/// Every op that has a handler; any other is refused by name.
const HandlerTable &defaultHandlers();

class Emitter {
public:
  Emitter(const Features &features, const Vendor &vendor, const HandlerTable &handlers)
      : features(features), vendor(vendor), handlers(handlers) {}

  /// The other forms of a kernel of meshes; null where there is none.
  struct MeshForms {
    mlir::func::FuncOp split; // at its barriers
    mlir::func::FuncOp local; // what the mesh reaches is local memory
  };
  /// The whole text, with one `__kernel void ENTRY` a form: which is built is the driver's to
  /// choose (kernel_abi.h). Failures are diagnostics at the op.
  mlir::FailureOr<std::string> emitKernel(mlir::func::FuncOp func, const MeshForms &forms,
                                          llvm::StringRef entry);

  /// Bytes of __local memory that the kernel takes.
  int64_t localBytes() const { return localSize; }

  /// Work-items of a program that look at the stop word together; 0 where none does.
  int64_t stops() const { return stopItems; }

  const Features &features;
  const Vendor &vendor;
  /// Does the kernel read the time?
  bool usesClock = false;

  //===--- Types
  //----------------------------------------------------------------------------------===//

  /// The type as declared, "" for one that OpenCL C has no name for. A mask is named by `maskType`.
  std::string typeName(mlir::Type type) const;
  std::string typeName(mlir::Value value) const;
  std::string spaceName(mlir::Type pointer) const;

  //===--- Values
  //---------------------------------------------------------------------------------===//

  /// The value as an operand of a larger expression: a name, a literal or something in brackets.
  std::string expr(mlir::Value value);
  /// The value as the whole of an expression: an argument, an initialiser, what is assigned.
  std::string whole(mlir::Value value);
  /// As `expr`, for text that is used more than once: never a computation.
  std::string atom(mlir::Value value);
  /// The value reinterpreted as signed integers.
  std::string asSigned(mlir::Value value);
  /// The vector of i1 as lanes of `bits` bits, or the scalar bool.
  std::string mask(mlir::Value value, unsigned bits);
  unsigned maskBits(mlir::Value value) const;

  /// Gives `value` its text. A pure computation with one use becomes part of its user; anything
  /// else becomes a variable. `bits` is the lane width of a mask.
  void define(mlir::Value value, std::string text, unsigned bits = 32);
  /// As `define`, of a text in the signed type; signed users take it as it is.
  void defineSigned(mlir::Value value, const std::string &text);
  /// As `define`, but always a variable: reads and other effects stay where they are.
  void defineHere(mlir::Value value, std::string text, unsigned bits = 32);
  /// `value` is from here on called `text`, which is a name or a literal.
  void alias(mlir::Value value, std::string text, unsigned bits = 32);
  /// Declares a variable for `value` without a value, or with `init`, and returns its name.
  std::string declare(mlir::Value value, llvm::StringRef init = "");
  /// Assigns all at once: no source sees a target's new value.
  void assign(llvm::ArrayRef<std::string> targets, mlir::ValueRange sources);

  std::string freshName(llvm::StringRef stem);

  //===--- Text
  //-----------------------------------------------------------------------------------===//

  void line(const llvm::Twine &text);
  void open(const llvm::Twine &head);
  void close(const llvm::Twine &tail = "");
  /// Text before the kernel, once a key: a typedef or a helper function.
  void require(llvm::StringRef key, const llvm::Twine &text);
  void requireExtension(llvm::StringRef name) { extensions.insert(name); }
  /// The kernel reads registers of other work-items.
  void noteShuffle() { shuffles = true; }

  /// Ends the block that `close` has just ended with another one, as in `} else {`.
  void reopen() { ++indent; }

  //===--- Stores past the caches
  //-----------------------------------------------------------------===//

  /// The stores of `loop` that may go past the caches; none where the device does not.
  StreamedLoop streamed(mlir::scf::ForOp loop) const;
  /// Do those of the loop being written?
  bool streaming = false;

  //===--- Meshes
  //---------------------------------------------------------------------------------===//

  /// Work-items of a program of a mesh; 0 in kernels whose programs do not talk.
  int64_t programItems() const { return meshItems; }
  /// The number of a group, given in the words of kernel_abi.h, among those of the kernel.
  int64_t meshGroup(llvm::ArrayRef<int32_t> words);
  /// Of each program, that its mesh reaches.
  static int64_t meshBytes(mlir::func::FuncOp func);
  /// Bytes of local memory that the mesh reaches of each program; 0 where that is global.
  int64_t localMeshBytes() const { return meshLocalBytes; }
  /// Is it the kernel that is split at its barriers?
  bool isSplit() const { return splits; }
  /// In such a kernel: the program is not started again.
  void endSplitProgram();

  mlir::LogicalResult emitNested(mlir::Operation *op) { return emitOp(op); }
  mlir::LogicalResult emitBlock(mlir::Block &block);

private:
  mlir::FailureOr<std::string> emitFunction(mlir::func::FuncOp func, llvm::StringRef entry);
  mlir::LogicalResult checkTypes(mlir::func::FuncOp func);
  mlir::LogicalResult emitArguments(mlir::func::FuncOp func, std::string &parameters);
  void takeSlot(mlir::Type type, const std::string &name);
  int64_t itemsThatStop(mlir::func::FuncOp func) const;
  void takeStopWord(std::string &parameters, std::string &fields);
  mlir::LogicalResult declareStorage(mlir::func::FuncOp func);
  mlir::LogicalResult checkOwnStorage(mlir::func::FuncOp func) const;
  mlir::LogicalResult checkGroup(mlir::func::FuncOp func) const;
  mlir::LogicalResult emitOp(mlir::Operation *op);
  static bool isMeshKernel(mlir::func::FuncOp func);
  void beginMesh(mlir::func::FuncOp func, std::string &parameters);
  void declareMeshStorage(mlir::func::FuncOp func, int64_t scratch, int64_t local);
  void endMesh(mlir::func::FuncOp func);
  /// Another form of the kernel, which has parameters of the same names.
  mlir::FailureOr<std::string> emitForm(mlir::func::FuncOp func, llvm::StringRef entry);
  bool inlines(mlir::Value value, llvm::StringRef text) const;
  std::string header() const;

  struct Text {
    std::string text;
    /// The same in the signed type, where it is at hand.
    std::string asSigned;
    /// Not yet a variable: the text stands for a computation.
    bool computed = false;
    /// Width of the lanes of a mask.
    unsigned bits = 32;
  };

  const HandlerTable &handlers;
  llvm::DenseMap<mlir::Value, Text> values;
  llvm::StringSet<> helperKeys;
  std::string helpers;
  llvm::StringSet<> extensions;
  std::string body;
  unsigned indent = 0;
  unsigned counter = 0;
  /// Line of the source that the op being written comes from, and the last one that was noted.
  unsigned sourceLine = 0;
  unsigned notedLine = 0;
  bool scratchIsLocal = false, shuffles = false;
  bool scratchIsGlobal = false;
  bool ownIsVolatile = false;
  int64_t meshItems = 0;
  int64_t meshLocalBytes = 0;
  bool splits = false;
  llvm::SmallVector<llvm::SmallVector<int32_t>> meshGroups;
  int64_t stopItems = 0;
  std::unique_ptr<Streaming> streamedStores;
  int64_t localSize = 0;
};

//===--- Spelling
//-------------------------------------------------------------------------------===//

/// Lanes of a vector; 1 for a scalar and for a vector of one element, which is written as a scalar.
int64_t lanesOf(mlir::Type type);
inline bool isVector(mlir::Type type) { return lanesOf(type) > 1; }
bool isBool(mlir::Type type);
/// Bits of an element; 64 for an index.
unsigned bitsOf(mlir::Type type);
/// "uint", "long4", ...; `lanes` 1 gives the scalar.
std::string intName(unsigned bits, bool isSigned, int64_t lanes = 1);
std::string maskType(unsigned bits, int64_t lanes);
/// Turns `text` of the signed type that belongs to `type` into what values are kept in.
std::string fromSigned(mlir::Type type, const std::string &text);
/// `text` as an operand of any operator.
std::string bracketed(const std::string &text);
/// Text of one integer or float in `type`, exact; NaNs keep their bits.
std::string literal(const llvm::APInt &value);
std::string literal(const llvm::APFloat &value);
/// `(float4)(x)`; the scalar itself where `lanes` is 1.
std::string splat(llvm::StringRef typeName, llvm::StringRef scalar);
/// `value.s3`; the scalar itself where the type has one lane.
std::string lane(mlir::Type type, llvm::StringRef value, int64_t index);
/// Only what an identifier may hold: everything else becomes `_`; at most `limit` characters.
std::string identifier(llvm::StringRef text, size_t limit);

} // namespace tritonrt::compiler::opencl

#endif // TRITONRT_COMPILER_BACKENDS_OPENCL_EMITTER_H
