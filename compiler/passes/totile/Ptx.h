// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Straight PTX code, run as arithmetic on tensors: a call of the code an element.
#ifndef TRITONRT_COMPILER_PASSES_TOTILE_PTX_H
#define TRITONRT_COMPILER_PASSES_TOTILE_PTX_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/StringMap.h"

#include <string>

namespace tritonrt::compiler {

namespace ptx {

/// Bits of an operand of a type such as u32, b16 or f16x2; 1 for a predicate, 0 for no type.
unsigned widthOf(llvm::StringRef type);
bool isPair(llvm::StringRef type);
bool isSignedType(llvm::StringRef type);
/// The type that floats of a PTX type have, or null.
mlir::Type floatType(mlir::OpBuilder &b, llvm::StringRef type);
/// Are all of an opcode's `words` among the `known` ones, which change nothing in arithmetic of our
/// precision or are looked at elsewhere?
bool onlyKnown(llvm::ArrayRef<llvm::StringRef> words, llvm::ArrayRef<llvm::StringRef> known);

} // namespace ptx

class PtxCode {
public:
  /// Values are tensors of `shape`, or scalars where that is empty.
  PtxCode(mlir::OpBuilder &b, mlir::Location loc, llvm::ArrayRef<int64_t> shape)
      : b(b), loc(loc), shape(shape) {}

  /// The 1 << bits parts of a value that one call takes, each a line.
  void split(mlir::Value whole, unsigned bits, llvm::SmallVectorImpl<mlir::Value> &parts);
  /// The inverse, as `type`.
  mlir::Value join(llvm::ArrayRef<mlir::Value> parts, mlir::Type type);
  /// Elements as the bits of one register, the first one lowest.
  mlir::Value pack(llvm::ArrayRef<mlir::Value> elements, unsigned elementBits, unsigned bits);
  void unpack(mlir::Value bits, unsigned elementBits, unsigned count,
              llvm::SmallVectorImpl<mlir::Value> &elements);

  void define(const std::string &name, mlir::Value bits) { registers[name] = bits; }
  /// The bits of a register or a number, `bits` wide; null for an unknown name.
  mlir::Value value(llvm::StringRef name, unsigned bits);

  /// Runs the code. False with `problem` set where an instruction is not known.
  bool run(llvm::StringRef text, std::string &problem);

private:
  struct Instruction {
    llvm::StringRef text;
    /// The opcode's words: mul lo s32.
    llvm::SmallVector<llvm::StringRef> words;
    llvm::SmallVector<llvm::StringRef> operands;
    llvm::StringRef name() const { return words.front(); }
    llvm::StringRef type() const { return words.back(); }
    bool has(llvm::StringRef word) const { return llvm::is_contained(words, word); }
  };
  bool parse(llvm::StringRef text, Instruction &result);
  bool execute(const Instruction &i);
  bool move(const Instruction &i);
  bool logic(const Instruction &i);
  bool integer(const Instruction &i);
  bool multiply(const Instruction &i);
  bool real(const Instruction &i);
  bool function(const Instruction &i);
  bool compare(const Instruction &i);
  bool convert(const Instruction &i);
  bool convertPair(const Instruction &i);
  bool special(const Instruction &i);
  mlir::Value permute(mlir::Value low, mlir::Value high, mlir::Value selector);
  mlir::Value shift(const Instruction &i, mlir::Value x, mlir::Value by, unsigned bits);
  mlir::Value saturate(mlir::Value x);
  mlir::Value toInteger(mlir::Value x, unsigned bits, bool isSigned);
  mlir::Value convertFloat(mlir::Value x, mlir::Type to, const Instruction &i);
  /// Writes a register; under a predicate, where that holds.
  bool write(llvm::StringRef name, mlir::Value bits);

  mlir::Type shaped(mlir::Type element) const;
  mlir::Type bitsType(unsigned bits) const { return shaped(b.getIntegerType(bits)); }
  mlir::Value number(int64_t value, unsigned bits);
  mlir::Value cast(mlir::Value x, mlir::Type element);
  mlir::Value resize(mlir::Value x, unsigned bits, bool isSigned = false);
  /// Applies `f` to the halves of x2 operands, or to the operands themselves.
  mlir::Value overHalves(llvm::ArrayRef<mlir::Value> operands, bool pairs,
                         llvm::function_ref<mlir::Value(llvm::ArrayRef<mlir::Value>)> f);
  template <typename Op> mlir::Value make(mlir::Value x, mlir::Value y) {
    return Op::create(b, loc, x, y);
  }

  mlir::OpBuilder &b;
  mlir::Location loc;
  llvm::SmallVector<int64_t> shape;
  llvm::StringMap<mlir::Value> registers;
  mlir::Value guard;
};

} // namespace tritonrt::compiler

#endif // TRITONRT_COMPILER_PASSES_TOTILE_PTX_H
