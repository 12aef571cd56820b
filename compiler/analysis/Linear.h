// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums of scalars, and the emission of scalar address arithmetic as far out of the loops as its
// operands allow.
#ifndef TRITONRT_COMPILER_ANALYSIS_LINEAR_H
#define TRITONRT_COMPILER_ANALYSIS_LINEAR_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

namespace tritonrt::compiler {

/// constant + sum of coefficient * value, over i64 with wrap-around. Terms keep the order in which
/// they came, so that what is printed from them does not depend on addresses.
struct Linear {
  using Term = std::pair<mlir::Value, int64_t>;

  Linear(int64_t constant = 0) : constant(constant) {}
  static Linear of(mlir::Value value, int64_t coefficient = 1);

  bool isConstant() const { return terms.empty(); }
  bool isZero() const { return terms.empty() && constant == 0; }
  bool isConstant(int64_t value) const { return terms.empty() && constant == value; }
  /// Every coefficient and the constant are multiples of `divisor`.
  bool divisibleBy(int64_t divisor) const;

  Linear operator+(const Linear &other) const;
  Linear operator-(const Linear &other) const { return *this + other * -1; }
  Linear operator*(int64_t factor) const;
  /// Requires divisibleBy(divisor).
  Linear exactDiv(int64_t divisor) const;
  bool operator==(const Linear &other) const { return (*this - other).isZero(); }

  int64_t constant;
  llvm::SmallVector<Term, 2> terms;
};

/// Emits scalar operations once for each distinct (operation, operands), in the outermost block
/// where the operands exist. All operations are pure and never undefined, so that it does not
/// matter that they run where the source would not have run them.
class Scalars {
public:
  /// `builder` is the one that walks through the new function; its insertion point only moves
  /// forward.
  Scalars(mlir::OpBuilder &builder, mlir::Block &entry) : builder(builder), entry(entry) {}

  void setLoc(mlir::Location newLoc) { loc = newLoc; }
  mlir::Location getLoc() const { return loc; }
  mlir::OpBuilder &getBuilder() { return builder; }

  /// A scalar constant at the top of the function.
  mlir::Value constant(mlir::TypedAttr value);
  mlir::Value constant(int64_t value) { return constant(builder.getI64IntegerAttr(value)); }

  /// An integer of up to 64 bits as i64.
  mlir::Value extend(mlir::Value value, bool isSigned = true);
  /// The low half of an i64.
  mlir::Value truncate(mlir::Value value);
  Linear linear(mlir::Value value, bool isSigned = true);
  mlir::Value value(const Linear &sum);
  Linear multiply(const Linear &a, const Linear &b);
  /// The same sum in few terms, so that chains of sums cost no more than their length.
  Linear compact(const Linear &sum);

  mlir::Value minimum(mlir::Value a, mlir::Value b);
  mlir::Value maximum(mlir::Value a, mlir::Value b);
  mlir::Value select(mlir::Value condition, mlir::Value a, mlir::Value b);
  mlir::Value compare(int64_t predicate, mlir::Value a, mlir::Value b);
  mlir::Value logicalAnd(mlir::Value a, mlir::Value b);
  /// value mod size for 0 <= value, 0 < size; a size of 0 gives some value.
  mlir::Value modulo(mlir::Value value, mlir::Value size);
  /// Rounded down, for a positive divisor.
  mlir::Value floorDiv(mlir::Value value, int64_t divisor);

  /// base + bytes; base alone where bytes is 0.
  mlir::Value offset(mlir::Value base, const Linear &bytes);
  mlir::Value toInt(mlir::Value pointer);
  mlir::Value fromInt(mlir::Value address);
  mlir::Value null();
  /// A local buffer; `number` tells it from the others.
  mlir::Value buffer(int64_t number, int64_t bytes, bool temporary);
  /// `base` in the memory of the program of rank `rank` (i32).
  mlir::Value remote(mlir::Value base, mlir::Value rank);

private:
  struct Key {
    mlir::TypeID kind;
    mlir::Value a, b, c;
    int64_t extra;
    bool operator==(const Key &) const = default;
  };
  struct KeyInfo {
    static Key getEmptyKey();
    static Key getTombstoneKey();
    static unsigned getHashValue(const Key &key);
    static bool isEqual(const Key &a, const Key &b) { return a == b; }
  };

  /// Goes to the outermost block where all of `operands` exist.
  void enter(llvm::ArrayRef<mlir::Value> operands);
  template <typename Op, typename Build>
  mlir::Value memo(llvm::ArrayRef<mlir::Value> operands, int64_t extra, Build build);

  mlir::OpBuilder &builder;
  mlir::Block &entry;
  mlir::Location loc = builder.getUnknownLoc();
  mlir::Operation *lastConstant = nullptr;
  llvm::DenseMap<mlir::Attribute, mlir::Value> constants;
  llvm::DenseMap<Key, mlir::Value, KeyInfo> known;
};

/// The value of a constant integer, through no more than the defining op.
std::optional<int64_t> constantOf(mlir::Value value);

} // namespace tritonrt::compiler

#endif // TRITONRT_COMPILER_ANALYSIS_LINEAR_H
