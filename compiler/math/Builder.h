// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The numbers that the functions of this folder are written in, as values of arith and math ops,
// scalars or vectors: evaluating a function on them builds its ops.
#ifndef TRITONRT_COMPILER_MATH_BUILDER_H
#define TRITONRT_COMPILER_MATH_BUILDER_H

#include "compiler/passes/scalars/Lanes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

#include <array>

namespace tritonrt::mathlib {

/// Where ops are built, and what the target can do.
struct Context {
  mlir::ImplicitLocOpBuilder &b;
  /// The target multiplies an f32 by a power of two in one instruction (llvm.ldexp).
  bool hasScale;
  /// The target may make one fma of a product and a sum.
  bool contracts;
};

/// x * 2^n for f32, as the instruction.
mlir::Value scaleByInstruction(Context &c, mlir::Value x, mlir::Value realExponent);

/// What reals, integers and truth values have in common.
struct Built {
  Context *c = nullptr;
  mlir::Value value;

  mlir::Type typeWith(mlir::Type element) const {
    return compiler::withElement(value.getType(), element);
  }
  mlir::Value constant(mlir::TypedAttr element) const;
};

struct Truth : Built {
  friend Truth operator&(Truth a, Truth b) {
    return {a.c, mlir::arith::AndIOp::create(a.c->b, a.value, b.value)};
  }
  friend Truth operator|(Truth a, Truth b) {
    return {a.c, mlir::arith::OrIOp::create(a.c->b, a.value, b.value)};
  }
  friend Truth operator!(Truth a) {
    mlir::Value yes = a.constant(a.c->b.getBoolAttr(true));
    return {a.c, mlir::arith::XOrIOp::create(a.c->b, a.value, yes)};
  }
};

template <class T> T choose(Truth condition, T a, T b) {
  return {a.c, mlir::arith::SelectOp::create(a.c->b, condition.value, a.value, b.value)};
}

template <unsigned width> struct Whole : Built {
  static constexpr unsigned kBits = width;
  using P = mlir::arith::CmpIPredicate;

  Whole integer(int64_t x) const {
    llvm::APInt bits(width, x, /*isSigned=*/true, /*implicitTrunc=*/true);
    return {c, constant(mlir::IntegerAttr::get(c->b.getIntegerType(width), bits))};
  }
  template <class Op> static Whole make(Whole a, Whole b) {
    return {a.c, Op::create(a.c->b, a.value, b.value)};
  }
  static Truth compare(P how, Whole a, Whole b) {
    return {a.c, mlir::arith::CmpIOp::create(a.c->b, how, a.value, b.value)};
  }

  friend Whole operator+(Whole a, Whole b) { return make<mlir::arith::AddIOp>(a, b); }
  friend Whole operator-(Whole a, Whole b) { return make<mlir::arith::SubIOp>(a, b); }
  friend Whole operator*(Whole a, Whole b) { return make<mlir::arith::MulIOp>(a, b); }
  friend Whole operator&(Whole a, Whole b) { return make<mlir::arith::AndIOp>(a, b); }
  friend Whole operator|(Whole a, Whole b) { return make<mlir::arith::OrIOp>(a, b); }
  friend Whole operator^(Whole a, Whole b) { return make<mlir::arith::XOrIOp>(a, b); }
  friend Whole operator<<(Whole a, Whole b) { return make<mlir::arith::ShLIOp>(a, b); }
  friend Whole shiftRight(Whole a, Whole b) { return make<mlir::arith::ShRUIOp>(a, b); }
  friend Whole operator+(Whole a, int64_t b) { return a + a.integer(b); }
  friend Whole operator-(Whole a, int64_t b) { return a - a.integer(b); }
  friend Whole operator-(int64_t a, Whole b) { return b.integer(a) - b; }
  friend Whole operator*(Whole a, int64_t b) { return a * a.integer(b); }
  friend Whole operator&(Whole a, int64_t b) { return a & a.integer(b); }
  friend Whole operator|(Whole a, int64_t b) { return a | a.integer(b); }
  friend Whole operator^(Whole a, int64_t b) { return a ^ a.integer(b); }
  friend Whole operator<<(Whole a, int64_t b) { return b ? a << a.integer(b) : a; }
  friend Whole shiftRight(Whole a, int64_t b) { return b ? shiftRight(a, a.integer(b)) : a; }
  friend Whole shiftRightSigned(Whole a, int64_t b) {
    return make<mlir::arith::ShRSIOp>(a, a.integer(b));
  }
  friend Truth operator<(Whole a, Whole b) { return compare(P::slt, a, b); }
  friend Truth operator==(Whole a, Whole b) { return compare(P::eq, a, b); }
  friend Truth unsignedLess(Whole a, Whole b) { return compare(P::ult, a, b); }
  friend Truth operator<(Whole a, int64_t b) { return a < a.integer(b); }
  friend Truth operator>(Whole a, int64_t b) { return a.integer(b) < a; }
  friend Truth operator==(Whole a, int64_t b) { return a == a.integer(b); }
  friend Truth operator!=(Whole a, int64_t b) { return compare(P::ne, a, a.integer(b)); }
  friend Whole select(Truth t, Whole a, Whole b) { return choose(t, a, b); }
  friend Whole select(Truth t, Whole a, int64_t b) { return choose(t, a, a.integer(b)); }
  friend Whole select(Truth t, int64_t a, Whole b) { return choose(t, b.integer(a), b); }
  /// The upper half of the product of two unsigned numbers.
  friend Whole highProduct(Whole a, Whole b) {
    return {a.c, mlir::arith::MulUIExtendedOp::create(a.c->b, a.value, b.value).getHigh()};
  }
};

template <unsigned width> struct Real : Built {
  static constexpr unsigned kBits = width;
  using Int = Whole<width>;
  using Wide = Real<64>;
  using P = mlir::arith::CmpFPredicate;

  static mlir::FloatType element(mlir::Builder &b) {
    return width == 32 ? mlir::FloatType(b.getF32Type()) : mlir::FloatType(b.getF64Type());
  }
  Real number(double x) const { return {c, constant(c->b.getFloatAttr(element(c->b), x))}; }
  Int integer(int64_t x) const { return Int{c, value}.integer(x); }
  bool contracts() const { return c->contracts; }
  template <class Op> static Real make(Real a) { return {a.c, Op::create(a.c->b, a.value)}; }
  template <class Op> static Real make(Real a, Real b) {
    return {a.c, Op::create(a.c->b, a.value, b.value)};
  }
  static Truth compare(P how, Real a, Real b) {
    return {a.c, mlir::arith::CmpFOp::create(a.c->b, how, a.value, b.value)};
  }

  friend Real operator+(Real a, Real b) { return make<mlir::arith::AddFOp>(a, b); }
  friend Real operator-(Real a, Real b) { return make<mlir::arith::SubFOp>(a, b); }
  friend Real operator*(Real a, Real b) { return make<mlir::arith::MulFOp>(a, b); }
  friend Real operator/(Real a, Real b) { return make<mlir::arith::DivFOp>(a, b); }
  friend Real operator+(Real a, double b) { return a + a.number(b); }
  friend Real operator-(Real a, double b) { return a - a.number(b); }
  friend Real operator*(Real a, double b) { return a * a.number(b); }
  friend Real operator/(Real a, double b) { return a / a.number(b); }
  friend Real operator+(double a, Real b) { return b.number(a) + b; }
  friend Real operator-(double a, Real b) { return b.number(a) - b; }
  friend Real operator*(double a, Real b) { return b.number(a) * b; }
  friend Real operator/(double a, Real b) { return b.number(a) / b; }
  friend Real operator-(Real a) { return make<mlir::arith::NegFOp>(a); }
  friend Truth operator<(Real a, Real b) { return compare(P::OLT, a, b); }
  friend Truth operator>(Real a, Real b) { return compare(P::OGT, a, b); }
  friend Truth operator<=(Real a, Real b) { return compare(P::OLE, a, b); }
  friend Truth operator>=(Real a, Real b) { return compare(P::OGE, a, b); }
  friend Truth operator==(Real a, Real b) { return compare(P::OEQ, a, b); }
  friend Truth operator<(Real a, double b) { return a < a.number(b); }
  friend Truth operator>(Real a, double b) { return a > a.number(b); }
  friend Truth operator<=(Real a, double b) { return a <= a.number(b); }
  friend Truth operator>=(Real a, double b) { return a >= a.number(b); }
  friend Truth operator==(Real a, double b) { return a == a.number(b); }
  friend Truth isNan(Real a) { return compare(P::UNO, a, a); }
  friend Truth isNan(Real a, Real b) { return compare(P::UNO, a, b); }
  friend Real select(Truth t, Real a, Real b) { return choose(t, a, b); }
  friend Real select(Truth t, Real a, double b) { return choose(t, a, a.number(b)); }
  friend Real select(Truth t, double a, Real b) { return choose(t, b.number(a), b); }

  friend Real fma(Real a, Real b, Real x) {
    return {a.c, mlir::math::FmaOp::create(a.c->b, a.value, b.value, x.value)};
  }
  friend Real fma(Real a, Real b, double x) { return fma(a, b, a.number(x)); }
  friend Real fma(Real a, double b, Real x) { return fma(a, a.number(b), x); }
  friend Real fma(Real a, double b, double x) { return fma(a, a.number(b), a.number(x)); }
  friend Real abs(Real a) { return make<mlir::math::AbsFOp>(a); }
  friend Real sqrt(Real a) { return make<mlir::math::SqrtOp>(a); }
  friend Real floor(Real a) { return make<mlir::math::FloorOp>(a); }
  friend Real trunc(Real a) { return make<mlir::math::TruncOp>(a); }
  friend Real roundEven(Real a) { return make<mlir::math::RoundEvenOp>(a); }
  friend Real copySign(Real a, Real b) { return make<mlir::math::CopySignOp>(a, b); }
  friend Int bitsOf(Real a) {
    mlir::Type type = a.typeWith(a.c->b.getIntegerType(width));
    return {a.c, mlir::arith::BitcastOp::create(a.c->b, type, a.value)};
  }
  friend Wide widen(Real a) {
    mlir::Type type = a.typeWith(a.c->b.getF64Type());
    return {a.c, mlir::arith::ExtFOp::create(a.c->b, type, a.value)};
  }
  /// x * 2^n, where n is given both ways, with one rounding; |n| is at most 2^11.
  friend Real timesPowerOfTwo(Real x, Real real, Int n) {
    if (width == 32 && x.c->hasScale)
      return {x.c, scaleByInstruction(*x.c, x.value, real.value)};
    // Two factors, neither of which leaves the normal numbers.
    constexpr int64_t bias = width == 32 ? 127 : 1023, mantissa = width == 32 ? 23 : 52;
    Int half = shiftRightSigned(n, 1);
    return x * ofBits((half + bias) << mantissa) * ofBits((n - half + bias) << mantissa);
  }

  template <class Op> static Real convert(Built x) {
    return {x.c, Op::create(x.c->b, x.typeWith(element(x.c->b)), x.value)};
  }
  static Real ofBits(Int a) { return convert<mlir::arith::BitcastOp>(a); }
  /// The number nearest to a signed integer.
  static Real ofInteger(Int a) { return convert<mlir::arith::SIToFPOp>(a); }
  static Real fromInt32(Whole<32> n) { return convert<mlir::arith::SIToFPOp>(n); }
  static Real narrowed(Wide x) {
    if constexpr (width == 64)
      return x;
    else
      return convert<mlir::arith::TruncFOp>(x);
  }
  static Int extended(Whole<32> n) {
    if constexpr (width == 32)
      return n;
    else
      return {n.c, mlir::arith::ExtSIOp::create(n.c->b, n.typeWith(n.c->b.getI64Type()), n.value)};
  }
  static Whole<32> toInt32(Int n) {
    if constexpr (width == 32)
      return n;
    else
      return {n.c, mlir::arith::TruncIOp::create(n.c->b, n.typeWith(n.c->b.getI32Type()), n.value)};
  }
};

/// Does a condition hold for one lane at least?
inline mlir::Value anyLane(Truth condition) {
  mlir::Value value = condition.value;
  if (mlir::isa<mlir::VectorType>(value.getType()))
    return mlir::vector::ReductionOp::create(condition.c->b, mlir::vector::CombiningKind::OR,
                                             value);
  return value;
}

/// `slow()` for all lanes if `condition` holds for one, else `usual`.
template <class R, size_t n, class F>
std::array<R, n> unlessAny(Truth condition, F slow, std::array<R, n> usual) {
  Context *c = usual[0].c;
  auto valuesOf = [](const std::array<R, n> &parts) {
    return llvm::map_to_vector(parts, [](const R &part) { return part.value; });
  };
  llvm::SmallVector<mlir::Type> types(n, usual[0].value.getType());
  auto branch = mlir::scf::IfOp::create(c->b, types, anyLane(condition), /*withElse=*/true);
  mlir::OpBuilder::InsertionGuard guard(c->b);
  c->b.setInsertionPointToStart(branch.thenBlock());
  mlir::scf::YieldOp::create(c->b, valuesOf(slow()));
  c->b.setInsertionPointToStart(branch.elseBlock());
  mlir::scf::YieldOp::create(c->b, valuesOf(usual));
  for (size_t i = 0; i < n; ++i)
    usual[i] = {c, branch.getResult(i)};
  return usual;
}

/// Replaces each lane's state by `next` of it for as long as `goesOn` for that lane.
template <class R, size_t n, class C, class F>
std::array<R, n> repeatWhile(std::array<R, n> state, C goesOn, F next) {
  Context *c = state[0].c;
  mlir::ImplicitLocOpBuilder &b = c->b;
  llvm::SmallVector<mlir::Value> initial;
  for (R &part : state)
    initial.push_back(part.value);
  auto stateOf = [&](mlir::Block *block) {
    std::array<R, n> inside;
    for (size_t i = 0; i < n; ++i)
      inside[i] = {c, block->getArgument(i)};
    return inside;
  };
  llvm::SmallVector<mlir::Type> types(n, initial[0].getType());
  llvm::SmallVector<mlir::Location> places(n, b.getLoc());
  auto loop = mlir::scf::WhileOp::create(b, types, initial);
  mlir::OpBuilder::InsertionGuard guard(b);
  mlir::Block *before = b.createBlock(&loop.getBefore(), {}, types, places);
  std::array<R, n> first = stateOf(before);
  mlir::scf::ConditionOp::create(b, anyLane(goesOn(first)), before->getArguments());
  mlir::Block *after = b.createBlock(&loop.getAfter(), {}, types, places);
  std::array<R, n> old = stateOf(after);
  Truth active = goesOn(old);
  std::array<R, n> moved = next(old);
  llvm::SmallVector<mlir::Value> results;
  for (size_t i = 0; i < n; ++i)
    results.push_back(select(active, moved[i], old[i]).value);
  mlir::scf::YieldOp::create(b, results);
  std::array<R, n> end;
  for (size_t i = 0; i < n; ++i)
    end[i] = {c, loop.getResult(i)};
  return end;
}

} // namespace tritonrt::mathlib

#endif // TRITONRT_COMPILER_MATH_BUILDER_H
