// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// f32 functions as polynomials over arith and math.fma, for scalars and vectors. The errors stated
// are the largest found over f32 arguments of all magnitudes, in units of the last place of the
// result; each function is right for zeros, subnormals, infinities and NaN. Coefficients are
// minimax fits with f32 (pow: f64) coefficients.
//
//   exp 0.9   exp2 0.8   expm1 1.4   log 0.9   log2 1.0   log10 1.0   log1p 1.5   pow 0.6
//   sin, cos 1.5   tan 3.0   tanh 2.4   erf 1.0
//
// f64 functions and those not listed stay; the end calls the C library for them.
//
// Nothing here is a product that is added to something: the end may contract those. Where one
// rounding or two matters, math.fma says so.
#include "compiler/passes/Lanes.h"
#include "compiler/passes/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include <limits>

using namespace mlir;
using arith::CmpFPredicate;
using arith::CmpIPredicate;

namespace tritonrt::compiler {

namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr int64_t kSign = 0x80000000;

/// On an op that stays, to be computed by the C library.
constexpr llvm::StringLiteral kLibrary = "tritonrt.library";

// log2(e), ln 2, log10(2), log10(e): the nearest f32 and what it lacks.
constexpr double kLog2e = 1.44269502162933349609375, kLog2eLow = 1.925963033500011e-08;
constexpr double kLn2 = 0.693147182464599609375, kLn2Low = -1.9046542121259336e-09;
constexpr double kLog10Of2 = 0.3010300099849700927734375, kLog10Of2Low = -1.4320988839244819e-08;
constexpr double kLog10e = 0.4342944920063018798828125, kLog10eLow = -1.0103049952192578e-08;

/// A number whose last place is 1: added to another, it rounds that to an integer, which then
/// stands in the low bits of the sum.
constexpr double kMagic = 0x1.8p23;
constexpr int64_t kMagicBits = 0x4b400000;

class MathExpander {
public:
  MathExpander(Operation *op, bool hasScale)
      : builder(op->getLoc(), op), l(builder, op->getResult(0).getType()), op(op),
        hasScale(hasScale) {}

  /// The value of the op, or null for one that stays.
  Value expand();

private:
  /// x = integer * step + rest, |rest| at most half of step but for rounding.
  struct Reduced {
    Value magic;   // integer + kMagic
    Value integer; // as f32
    Value rest;
  };

  Value timesPowerOfTwo(Value x, const Reduced &exponent);
  Reduced reduceByLn2(Value x);
  Value expOfRest(Value rest);
  Value expm1OfRest(Value rest);
  Value powerOfTwo(Value integerBits);
  Value expInRange(Value x);

  Value exp(Value x);
  Value exp2(Value x);
  Value expm1(Value x);

  enum class Base { E, Two, Ten };
  /// log of 2^exponent * (1 + f).
  Value logOfParts(Value exponent, Value f, Base base);
  Value withLogLimits(Value result, Value x, Value zeroAt);
  Value log(Value x, Base base);
  Value log1p(Value x);

  struct SinCos {
    Value sin, cos; // of the reduced argument's magnitude
    Value quadrant; // in the low two bits
  };
  SinCos sinCos(Value magnitude);
  Value sin(Value x);
  Value cos(Value x);
  Value tan(Value x);
  Value unlessLarge(Value x, Value magnitude, Value fast);

  Value tanh(Value x);
  Value erf(Value x);
  Value pow(Value x, Value y);
  Value log2OfDouble(Lanes &d, Value x);
  Value exp2OfDouble(Lanes &d, Value x);

  ImplicitLocOpBuilder builder;
  Lanes l;
  Operation *op;
  bool hasScale;
};

// ---- exp ------------------------------------------------------------------------------------

/// x * 2^exponent with one rounding, into infinity or the subnormals where it must be. The exponent
/// is within [-300, 300].
Value MathExpander::timesPowerOfTwo(Value x, const Reduced &exponent) {
  if (hasScale) {
    Value integer = arith::FPToSIOp::create(builder, l.intType, exponent.integer);
    return LLVM::CallIntrinsicOp::create(builder, l.floatType, builder.getStringAttr("llvm.ldexp"),
                                         ValueRange{x, integer})
        .getResult(0);
  }
  // Two factors, neither of which leaves the normal numbers.
  Value integer = l.isub(l.asInt(exponent.magic), l.integer(kMagicBits));
  Value half = l.rightSigned(integer, 1);
  return l.mul(l.mul(x, powerOfTwo(half)), powerOfTwo(l.isub(integer, half)));
}

/// 2^k for -127 < k < 128.
Value MathExpander::powerOfTwo(Value k) { return l.asFloat(l.left(l.iadd(k, l.integer(127)), 23)); }

MathExpander::Reduced MathExpander::reduceByLn2(Value x) {
  Value magic = l.fma(x, l.number(kLog2e), l.number(kMagic));
  Value integer = l.sub(magic, l.number(kMagic));
  Value rest = l.fma(integer, l.number(-kLn2), x);
  return {magic, integer, l.fma(integer, l.number(-kLn2Low), rest)};
}

/// exp(r) - 1 for |r| <= ln 2 / 2; relative error 2^-28 before rounding.
Value MathExpander::expm1OfRest(Value r) {
  Value q = l.polynomial(r, {0.4999999105930328369140625, 0.16666515171527862548828125,
                             4.16689254343509674072265625e-2, 8.36938433349132537841796875e-3,
                             1.378749380819499492645263671875e-3});
  return l.fma(q, l.mul(r, r), r);
}

Value MathExpander::expOfRest(Value r) {
  Value q = l.polynomial(r, {1.0, 0.4999999105930328369140625, 0.16666515171527862548828125,
                             4.16689254343509674072265625e-2, 8.36938433349132537841796875e-3,
                             1.378749380819499492645263671875e-3});
  return l.fma(q, r, l.number(1.0));
}

/// exp of arguments whose result's exponent is in range.
Value MathExpander::expInRange(Value x) {
  Reduced reduced = reduceByLn2(x);
  return timesPowerOfTwo(expOfRest(reduced.rest), reduced);
}

Value MathExpander::exp(Value x) {
  // Beyond these the result is 0 or infinity all the same.
  return expInRange(l.atLeast(l.atMost(x, 89.0), -104.0));
}

Value MathExpander::exp2(Value x) {
  x = l.atLeast(l.atMost(x, 129.0), -151.0);
  Value magic = l.add(x, l.number(kMagic));
  Value integer = l.sub(magic, l.number(kMagic));
  Value rest = l.sub(x, integer);
  Value p = l.polynomial(rest, {1.0, 0.693147182464599609375, 0.240226447582244873046875,
                                5.55035658180713653564453125e-2, 9.618817828595638275146484375e-3,
                                1.339254085905849933624267578125e-3,
                                1.525026164017617702484130859375e-4});
  return timesPowerOfTwo(p, {magic, integer, rest});
}

/// 2^n (exp(r) - 1) + (2^n - 1), with half of 2^n, which stays finite.
Value MathExpander::expm1(Value x) {
  Reduced reduced = reduceByLn2(l.atLeast(l.atMost(x, 89.0), -40.0));
  Value integer = l.isub(l.asInt(reduced.magic), l.integer(kMagicBits + 1));
  Value half = powerOfTwo(integer);
  Value sum = l.fma(expm1OfRest(reduced.rest), half, l.sub(half, l.number(0.5)));
  // Keeps the sign of zero.
  return l.select(l.fcmp(CmpFPredicate::OEQ, x, 0.0), x, l.add(sum, sum));
}

// ---- log ------------------------------------------------------------------------------------

/// log(1 + f) = f + t for f in [sqrt(1/2) - 1, sqrt(2) - 1], where t is below half of f.
Value MathExpander::logOfParts(Value exponent, Value f, Base base) {
  Value q = l.polynomial(f, {0.3333327472209930419921875, -0.2500079572200775146484375,
                             0.2000431120395660400390625, -0.16626267135143280029296875,
                             0.1415046155452728271484375, -0.1308874189853668212890625,
                             0.1303231716156005859375, -8.114866912364959716796875e-2});
  Value t = l.mul(l.mul(f, f), l.fma(f, q, l.number(-0.5)));
  switch (base) {
  case Base::E: {
    Value low = l.fma(exponent, l.number(kLn2Low), t);
    return l.fma(exponent, l.number(kLn2), l.add(f, low));
  }
  case Base::Two: {
    Value low = l.fma(t, l.number(kLog2e), l.mul(f, l.number(kLog2eLow)));
    return l.add(exponent, l.fma(f, l.number(kLog2e), low));
  }
  case Base::Ten: {
    Value low = l.fma(t, l.number(kLog10e), l.mul(f, l.number(kLog10eLow)));
    low = l.fma(exponent, l.number(kLog10Of2Low), l.fma(f, l.number(kLog10e), low));
    return l.fma(exponent, l.number(kLog10Of2), low);
  }
  }
  llvm_unreachable("no such base");
}

/// The logarithm's values where `zeroAt`, of which it is taken, is not a positive finite number.
Value MathExpander::withLogLimits(Value result, Value x, Value zeroAt) {
  result = l.select(l.fcmp(CmpFPredicate::OLT, x, kInf), result, x);
  Value outside =
      l.select(l.fcmp(CmpFPredicate::OEQ, zeroAt, 0.0), l.number(-kInf), l.number(kNan));
  return l.select(l.fcmp(CmpFPredicate::OLE, zeroAt, 0.0), outside, result);
}

/// Bits of sqrt(1/2): where the exponent changes, so that 1 + f is around 1.
constexpr int64_t kSqrtHalfBits = 0x3f3504f3;

Value MathExpander::log(Value x, Base base) {
  Value isSmall = l.fcmp(CmpFPredicate::OLT, x, 0x1p-126);
  Value scaled = l.select(isSmall, l.mul(x, l.number(0x1p23)), x);
  Value bits = l.asInt(scaled);
  Value exponent = l.rightSigned(l.isub(bits, l.integer(kSqrtHalfBits)), 23);
  Value f = l.sub(l.asFloat(l.isub(bits, l.left(exponent, 23))), l.number(1.0));
  Value moved = l.iadd(exponent, l.select(isSmall, l.integer(-23), l.integer(0)));
  return withLogLimits(logOfParts(l.toFloat(moved), f, base), x, x);
}

/// With 1 + x = 2^e (1 + f): f = x 2^-e + (2^-e - 1), where no bit of x is lost.
Value MathExpander::log1p(Value x) {
  Value sum = l.add(x, l.number(1.0));
  Value bits = l.asInt(sum);
  Value exponent = l.rightSigned(l.isub(bits, l.integer(kSqrtHalfBits)), 23);
  Value scale = powerOfTwo(l.isub(l.integer(0), exponent));
  Value f = l.fma(x, scale, l.sub(scale, l.number(1.0)));
  Value plain = l.sub(l.asFloat(l.isub(bits, l.left(exponent, 23))), l.number(1.0));
  f = l.select(l.fcmp(CmpFPredicate::OGT, x, 0x1p30), plain, f);
  Value result = withLogLimits(logOfParts(l.toFloat(exponent), f, Base::E), x, sum);
  return l.select(l.fcmp(CmpFPredicate::OEQ, x, 0.0), x, result);
}

// ---- sin, cos, tan --------------------------------------------------------------------------

/// Largest magnitude for which the three parts of pi/2 keep the rest right.
constexpr double kLargestReduced = 0x1p17;

MathExpander::SinCos MathExpander::sinCos(Value magnitude) {
  Value magic = l.fma(magnitude, l.number(0.636619746685028076171875), l.number(kMagic));
  Value n = l.sub(magic, l.number(kMagic));
  // The first step is exact: both its terms are multiples of 2^-24 and their difference is below 1.
  Value r = l.fma(n, l.number(-1.57079637050628662109375), magnitude);
  r = l.fma(n, l.number(4.371138828673792886547744274139404296875e-8), r);
  r = l.fma(n, l.number(1.7151245100058818728039344847502434276975691318511962890625e-15), r);
  Value square = l.mul(r, r);
  Value s = l.polynomial(square, {-0.1666665375232696533203125, 8.332113735377788543701171875e-3,
                                  -1.95094165974296629428863525390625e-4});
  Value c = l.polynomial(square, {-0.5, 4.16666455566883087158203125e-2,
                                  -1.388730364851653575897216796875e-3,
                                  2.443119956296868622303009033203125e-5});
  return {l.fma(s, l.mul(square, r), r), l.fma(c, square, l.number(1.0)), l.asInt(magic)};
}

/// `fast`, or the C library's values for all lanes if one is too large for the reduction.
Value MathExpander::unlessLarge(Value x, Value magnitude, Value fast) {
  Value large = l.fcmp(CmpFPredicate::OGT, magnitude, kLargestReduced);
  if (isa<VectorType>(large.getType()))
    large = vector::ReductionOp::create(builder, vector::CombiningKind::OR, large);
  auto branch = scf::IfOp::create(builder, TypeRange(l.floatType), large, /*withElse=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  Operation *slow = builder.clone(*op);
  slow->setAttr(kLibrary, builder.getUnitAttr());
  scf::YieldOp::create(builder, slow->getResults());
  builder.setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(builder, fast);
  return branch.getResult(0);
}

Value MathExpander::sin(Value x) {
  Value magnitude = l.abs(x);
  SinCos parts = sinCos(magnitude);
  Value isOdd = l.icmp(CmpIPredicate::ne, l.bitAnd(parts.quadrant, 1), 0);
  Value sign = l.bitXor(l.left(l.bitAnd(parts.quadrant, 2), 30), l.bitAnd(l.asInt(x), kSign));
  Value bits = l.asInt(l.select(isOdd, parts.cos, parts.sin));
  return unlessLarge(x, magnitude, l.asFloat(l.bitXor(bits, sign)));
}

Value MathExpander::cos(Value x) {
  Value magnitude = l.abs(x);
  SinCos parts = sinCos(magnitude);
  Value isOdd = l.icmp(CmpIPredicate::ne, l.bitAnd(parts.quadrant, 1), 0);
  Value sign = l.left(l.bitAnd(l.iadd(parts.quadrant, l.integer(1)), 2), 30);
  Value bits = l.asInt(l.select(isOdd, parts.sin, parts.cos));
  return unlessLarge(x, magnitude, l.asFloat(l.bitXor(bits, sign)));
}

Value MathExpander::tan(Value x) {
  Value magnitude = l.abs(x);
  SinCos parts = sinCos(magnitude);
  Value isOdd = l.icmp(CmpIPredicate::ne, l.bitAnd(parts.quadrant, 1), 0);
  Value ratio = l.div(l.select(isOdd, parts.cos, parts.sin), l.select(isOdd, parts.sin, parts.cos));
  Value sign = l.bitXor(l.left(l.bitAnd(parts.quadrant, 1), 31), l.bitAnd(l.asInt(x), kSign));
  return unlessLarge(x, magnitude, l.asFloat(l.bitXor(l.asInt(ratio), sign)));
}

// ---- tanh, erf ------------------------------------------------------------------------------

/// e / (e + 2) with e = exp(2 |x|) - 1.
Value MathExpander::tanh(Value x) {
  Value magnitude = l.atMost(l.abs(x), 10.0);
  Reduced reduced = reduceByLn2(l.add(magnitude, magnitude));
  Value power = powerOfTwo(l.isub(l.asInt(reduced.magic), l.integer(kMagicBits)));
  Value e = l.fma(expm1OfRest(reduced.rest), power, l.sub(power, l.number(1.0)));
  return l.copySign(l.div(e, l.add(e, l.number(2.0))), x);
}

/// Below 1 an odd polynomial, from there on 1 - exp(-g(|x|)).
Value MathExpander::erf(Value x) {
  Value magnitude = l.abs(x);
  Value p = l.polynomial(l.mul(x, x),
                         {0.128379166126251220703125, -0.3761262595653533935546875,
                          0.112835787236690521240234375, -2.685334347188472747802734375e-2,
                          5.187145434319972991943359375e-3, -7.997613283805549144744873046875e-4,
                          7.80580230639316141605377197265625e-5});
  Value nearZero = l.fma(magnitude, p, magnitude);
  Value bounded = l.atMost(magnitude, 3.95);
  Value g = l.polynomial(
      bounded,
      {-3.0174394487403333187103271484375e-4, 1.1301634311676025390625, 0.63193798065185546875,
       0.1099817752838134765625, -2.6369176805019378662109375e-2, 4.742641933262348175048828125e-3,
       -5.93463773839175701141357421875e-4, 4.569357042782939970493316650390625e-5,
       -1.6202842516577220521867275238037109375e-6});
  Value far = l.sub(l.number(1.0), expInRange(l.neg(g)));
  return l.copySign(l.select(l.fcmp(CmpFPredicate::OLT, magnitude, 1.0), nearZero, far), x);
}

// ---- pow ------------------------------------------------------------------------------------

/// log2 of positive finite doubles that come from f32, relative error 2^-37: an odd polynomial in
/// (m - 1) / (m + 1).
Value MathExpander::log2OfDouble(Lanes &d, Value x) {
  Value bits = d.asInt(x);
  Value exponent = d.rightSigned(d.isub(bits, d.integer(0x3fe6a09e667f3bcd)), 52);
  Value m = d.asFloat(d.isub(bits, d.left(exponent, 52)));
  Value s = d.div(d.sub(m, d.number(1.0)), d.add(m, d.number(1.0)));
  Value p = d.polynomial(d.mul(s, s), {2.88539008179012768096072250045835971832275390625,
                                       0.9617966732853855393869935141992755234241485595703125,
                                       0.57708359644900342200202203457592986524105072021484375,
                                       0.4116719914989968032159595168195664882659912109375,
                                       0.340744217474130584033531476961798034608364105224609375});
  return d.fma(s, p, d.toFloat(exponent));
}

/// 2^x for |x| < 1000, relative error 2^-29.
Value MathExpander::exp2OfDouble(Lanes &d, Value x) {
  Value magic = d.add(x, d.number(0x1.8p52));
  Value rest = d.sub(x, d.sub(magic, d.number(0x1.8p52)));
  Value p = d.polynomial(rest, {1.0, 0.69314720285503861334056660054623149335384368896484375,
                                0.2402264791364135121387590743324835784733295440673828125,
                                5.5503324711697832327672585661408913135528564453125e-2,
                                9.6184373560094550692500803279472165741026401519775390625e-3,
                                1.33988744010399003607492129930278669239563643932342529296875e-3,
                                1.535336237434721507431889531147817251621745526790618896484375e-4});
  return d.asFloat(d.iadd(d.asInt(p), d.left(d.asInt(magic), 52)));
}

/// |x|^y in f64, then the signs and the cases of C's pow.
Value MathExpander::pow(Value x, Value y) {
  Lanes d(builder, l.floatType, 64);
  Value magnitude = l.abs(x);
  auto wide = [&](Value value) { return arith::ExtFOp::create(builder, d.floatType, value); };
  Value logarithm = log2OfDouble(d, wide(magnitude));
  logarithm = d.select(l.fcmp(CmpFPredicate::OEQ, magnitude, 0.0), d.number(-kInf), logarithm);
  logarithm = d.select(l.fcmp(CmpFPredicate::OEQ, magnitude, kInf), d.number(kInf), logarithm);
  Value power = exp2OfDouble(d, d.atLeast(d.atMost(d.mul(wide(y), logarithm), 200.0), -200.0));
  Value result = arith::TruncFOp::create(builder, l.floatType, power);
  result = l.select(l.fcmp(CmpFPredicate::OEQ, magnitude, 1.0), l.number(1.0), result);

  auto isWhole = [&](Value value) {
    Value whole = math::FloorOp::create(builder, value);
    return l.fcmp(CmpFPredicate::OEQ, whole, value);
  };
  Value yIsWhole = isWhole(y);
  Value halfIsWhole = isWhole(l.mul(y, l.number(0.5)));
  Value signIfOdd = l.select(halfIsWhole, l.integer(0), l.bitAnd(l.asInt(x), kSign));
  Value sign = l.select(yIsWhole, signIfOdd, l.integer(0));
  result = l.asFloat(l.bitXor(l.asInt(result), sign));

  Value isNegative =
      l.both(l.fcmp(CmpFPredicate::OLT, x, 0.0), l.fcmp(CmpFPredicate::OGT, x, -kInf));
  // No root of a negative number; y is no NaN where UNE and ORD agree.
  Value noRoot = l.select(yIsWhole, result, l.number(kNan));
  result = l.select(isNegative, noRoot, result);
  result = l.select(l.fcmp(CmpFPredicate::UNO, x, y), l.number(kNan), result);
  result = l.select(l.fcmp(CmpFPredicate::OEQ, y, 0.0), l.number(1.0), result);
  return l.select(l.fcmp(CmpFPredicate::OEQ, x, 1.0), l.number(1.0), result);
}

Value MathExpander::expand() {
  auto operand = [&](unsigned i) { return op->getOperand(i); };
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case([&](math::ExpOp) { return exp(operand(0)); })
      .Case([&](math::Exp2Op) { return exp2(operand(0)); })
      .Case([&](math::ExpM1Op) { return expm1(operand(0)); })
      .Case([&](math::LogOp) { return log(operand(0), Base::E); })
      .Case([&](math::Log2Op) { return log(operand(0), Base::Two); })
      .Case([&](math::Log10Op) { return log(operand(0), Base::Ten); })
      .Case([&](math::Log1pOp) { return log1p(operand(0)); })
      .Case([&](math::SinOp) { return sin(operand(0)); })
      .Case([&](math::CosOp) { return cos(operand(0)); })
      .Case([&](math::TanOp) { return tan(operand(0)); })
      .Case([&](math::TanhOp) { return tanh(operand(0)); })
      .Case([&](math::ErfOp) { return erf(operand(0)); })
      .Case([&](math::PowFOp) { return pow(operand(0), operand(1)); })
      .Case([&](math::FPowIOp) { return pow(operand(0), l.toFloat(operand(1))); })
      .Default([](Operation *) { return Value(); });
}

struct ExpandMathPass : PassWrapper<ExpandMathPass, OperationPass<func::FuncOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ExpandMathPass)

  ExpandMathPass() = default;
  ExpandMathPass(const ExpandMathPass &other) : PassWrapper(other), fixed(other.fixed) {}
  explicit ExpandMathPass(const ExpandMathOptions &options) : fixed(options) {}

  StringRef getArgument() const override { return "expand-math"; }
  StringRef getDescription() const override { return "f32 functions become polynomials"; }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<arith::ArithDialect, LLVM::LLVMDialect, math::MathDialect, scf::SCFDialect,
                    vector::VectorDialect>();
  }

  void runOnOperation() override {
    SmallVector<Operation *> ops;
    getOperation().walk([&](Operation *op) {
      if (isa<math::MathDialect>(op->getDialect()) && op->getNumResults() == 1 &&
          getElementTypeOrSelf(op->getResult(0).getType()).isF32() && !op->hasAttr(kLibrary))
        ops.push_back(op);
    });
    for (Operation *op : ops) {
      Value value = MathExpander(op, fixed.hasScale || scale).expand();
      if (!value)
        continue;
      op->getResult(0).replaceAllUsesWith(value);
      op->erase();
    }
  }

  ExpandMathOptions fixed;
  Option<bool> scale{*this, "scale", llvm::cl::desc("the target scales by powers of two"),
                     llvm::cl::init(false)};
};

} // namespace

std::unique_ptr<Pass> createExpandMathPass(const ExpandMathOptions &options) {
  return std::make_unique<ExpandMathPass>(options);
}

} // namespace tritonrt::compiler
