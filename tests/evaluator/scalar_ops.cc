// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/evaluator/scalar_ops.h"

#include <cmath>
#include <cstring>
#include <limits>

#include "compiler/dialect/tt/TtOps.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/TypeSwitch.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

namespace tritonrt::evaluator {

using llvm::APFloat;
using llvm::APInt;
using mlir::cast;
using mlir::dyn_cast;
using mlir::FloatType;
using mlir::isa;
using mlir::Type;
namespace arith = mlir::arith;
namespace math = mlir::math;

unsigned BitWidth(Type element) {
  return element.isIntOrFloat() ? element.getIntOrFloatBitWidth() : 64;
}

unsigned ByteSize(Type element) { return (BitWidth(element) + 7) / 8; }

static Bits Mask(Bits bits, Type type) {
  unsigned width = BitWidth(type);
  return width == 64 ? bits : bits & ((Bits{1} << width) - 1);
}

int64_t ToSigned(Bits bits, Type type) { return llvm::SignExtend64(bits, BitWidth(type)); }
Bits FromInt(int64_t value, Type type) { return Mask(static_cast<Bits>(value), type); }

static APFloat ToAPFloat(Bits bits, Type type) {
  return APFloat(cast<FloatType>(type).getFloatSemantics(), APInt(BitWidth(type), bits));
}

static Bits Convert(APFloat value, Type type,
                    llvm::RoundingMode mode = llvm::RoundingMode::NearestTiesToEven) {
  bool lost;
  value.convert(cast<FloatType>(type).getFloatSemantics(), mode, &lost);
  return value.bitcastToAPInt().getZExtValue();
}

double ToDouble(Bits bits, Type type) {
  APFloat value = ToAPFloat(bits, type);
  bool lost;
  value.convert(APFloat::IEEEdouble(), llvm::RoundingMode::NearestTiesToEven, &lost);
  return value.convertToDouble();
}

Bits FromDouble(double value, Type type) { return Convert(APFloat(value), type); }

namespace {

/// The operands of one evaluation.
struct In {
  llvm::ArrayRef<Bits> bits;
  llvm::ArrayRef<Type> types;
  Type result;

  int64_t S(unsigned i) const { return ToSigned(bits[i], types[i]); }
  Bits U(unsigned i) const { return bits[i]; }
  double F(unsigned i) const { return ToDouble(bits[i], types[i]); }
  Bits Int(int64_t value) const { return FromInt(value, result); }
  Bits Float(double value) const { return FromDouble(value, result); }
};

bool Compare(arith::CmpIPredicate predicate, const In& in) {
  using P = arith::CmpIPredicate;
  switch (predicate) {
    case P::eq:
      return in.U(0) == in.U(1);
    case P::ne:
      return in.U(0) != in.U(1);
    case P::slt:
      return in.S(0) < in.S(1);
    case P::sle:
      return in.S(0) <= in.S(1);
    case P::sgt:
      return in.S(0) > in.S(1);
    case P::sge:
      return in.S(0) >= in.S(1);
    case P::ult:
      return in.U(0) < in.U(1);
    case P::ule:
      return in.U(0) <= in.U(1);
    case P::ugt:
      return in.U(0) > in.U(1);
    case P::uge:
      return in.U(0) >= in.U(1);
  }
  return false;
}

bool Compare(arith::CmpFPredicate predicate, double a, double b) {
  using P = arith::CmpFPredicate;
  bool unordered = std::isnan(a) || std::isnan(b);
  switch (predicate) {
    case P::AlwaysFalse:
      return false;
    case P::AlwaysTrue:
      return true;
    case P::ORD:
      return !unordered;
    case P::UNO:
      return unordered;
    case P::OEQ:
      return a == b;
    case P::OGT:
      return a > b;
    case P::OGE:
      return a >= b;
    case P::OLT:
      return a < b;
    case P::OLE:
      return a <= b;
    case P::ONE:
      return !unordered && a != b;
    case P::UEQ:
      return unordered || a == b;
    case P::UGT:
      return unordered || a > b;
    case P::UGE:
      return unordered || a >= b;
    case P::ULT:
      return unordered || a < b;
    case P::ULE:
      return unordered || a <= b;
    case P::UNE:
      return unordered || a != b;
  }
  return false;
}

/// -0 is below +0.
double Greater(double a, double b) {
  if (a == b) return std::signbit(a) ? b : a;
  return a > b ? a : b;
}
double Less(double a, double b) {
  if (a == b) return std::signbit(a) ? a : b;
  return a < b ? a : b;
}

double IgnoringNan(double a, double b, double (*pick)(double, double)) {
  if (std::isnan(a)) return b;
  return std::isnan(b) ? a : pick(a, b);
}
double KeepingNan(double a, double b, double (*pick)(double, double)) {
  if (std::isnan(a) || std::isnan(b)) return std::numeric_limits<double>::quiet_NaN();
  return pick(a, b);
}

double Clamp(tt::PropagateNan nan, double x, double low, double high) {
  if (nan == tt::PropagateNan::All && std::isnan(x)) return x;
  return IgnoringNan(IgnoringNan(x, low, Greater), high, Less);
}

/// Truncates; what does not fit the type wraps, as a conversion to i64 and a truncation do.
Bits FloatToInt(const In& in) {
  bool exact;
  llvm::APSInt value(128, /*isUnsigned=*/false);
  ToAPFloat(in.bits[0], in.types[0])
      .convertToInteger(value, llvm::RoundingMode::TowardZero, &exact);
  return in.Int(value.trunc(64).getZExtValue());
}

Bits IntToFloat(const In& in, bool isSigned) {
  APFloat value(cast<FloatType>(in.result).getFloatSemantics());
  value.convertFromAPInt(APInt(BitWidth(in.types[0]), in.bits[0]), isSigned,
                         llvm::RoundingMode::NearestTiesToEven);
  return value.bitcastToAPInt().getZExtValue();
}

std::optional<Bits> Divide(const In& in, bool isSigned, bool remainder) {
  if (in.U(1) == 0) return std::nullopt;
  if (!isSigned) return remainder ? in.U(0) % in.U(1) : in.U(0) / in.U(1);
  // The one quotient that does not fit wraps.
  if (in.S(1) == -1) return remainder ? 0 : in.Int(static_cast<int64_t>(-in.U(0)));
  return in.Int(remainder ? in.S(0) % in.S(1) : in.S(0) / in.S(1));
}

/// Shifts by the width or more have no meaning; they shift everything out here.
Bits Shift(mlir::Operation* op, const In& in) {
  Bits by = in.U(1);
  unsigned width = BitWidth(in.result);
  if (isa<arith::ShRSIOp>(op)) return in.Int(in.S(0) >> std::min<Bits>(by, width - 1));
  if (by >= width) return 0;
  return isa<arith::ShLIOp>(op) ? Mask(in.U(0) << by, in.result) : in.U(0) >> by;
}

Bits HighProduct(const In& in) {
  unsigned __int128 product = static_cast<unsigned __int128>(in.U(0)) * in.U(1);
  return static_cast<Bits>(product >> BitWidth(in.result));
}

std::optional<Bits> Integers(mlir::Operation* op, const In& in) {
  return llvm::TypeSwitch<mlir::Operation*, std::optional<Bits>>(op)
      .Case<arith::AddIOp>([&](auto) { return in.Int(in.U(0) + in.U(1)); })
      .Case<arith::SubIOp>([&](auto) { return in.Int(in.U(0) - in.U(1)); })
      .Case<arith::MulIOp>([&](auto) { return in.Int(in.U(0) * in.U(1)); })
      .Case<arith::DivSIOp>([&](auto) { return Divide(in, true, false); })
      .Case<arith::RemSIOp>([&](auto) { return Divide(in, true, true); })
      .Case<arith::DivUIOp>([&](auto) { return Divide(in, false, false); })
      .Case<arith::RemUIOp>([&](auto) { return Divide(in, false, true); })
      .Case<arith::AndIOp>([&](auto) { return in.U(0) & in.U(1); })
      .Case<arith::OrIOp>([&](auto) { return in.U(0) | in.U(1); })
      .Case<arith::XOrIOp>([&](auto) { return in.U(0) ^ in.U(1); })
      .Case<arith::ShLIOp, arith::ShRSIOp, arith::ShRUIOp>([&](auto) { return Shift(op, in); })
      .Case<arith::MaxSIOp>([&](auto) { return in.Int(std::max(in.S(0), in.S(1))); })
      .Case<arith::MinSIOp>([&](auto) { return in.Int(std::min(in.S(0), in.S(1))); })
      .Case<arith::MaxUIOp>([&](auto) { return std::max(in.U(0), in.U(1)); })
      .Case<arith::MinUIOp>([&](auto) { return std::min(in.U(0), in.U(1)); })
      .Case<arith::CmpIOp>([&](auto cmp) { return Bits{Compare(cmp.getPredicate(), in)}; })
      .Case<arith::ExtSIOp, arith::IndexCastOp>([&](auto) { return in.Int(in.S(0)); })
      .Case<arith::ExtUIOp, arith::TruncIOp, arith::IndexCastUIOp>(
          [&](auto) { return Mask(in.U(0), in.result); })
      .Case<arith::SIToFPOp>([&](auto) { return IntToFloat(in, true); })
      .Case<arith::UIToFPOp>([&](auto) { return IntToFloat(in, false); })
      .Case<math::AbsIOp>([&](auto) { return in.Int(in.S(0) < 0 ? -in.U(0) : in.U(0)); })
      .Case<tt::MulhiUIOp>([&](auto) { return HighProduct(in); })
      .Default([](auto) { return std::nullopt; });
}

std::optional<Bits> Floats(mlir::Operation* op, const In& in) {
  return llvm::TypeSwitch<mlir::Operation*, std::optional<Bits>>(op)
      .Case<arith::AddFOp>([&](auto) { return in.Float(in.F(0) + in.F(1)); })
      .Case<arith::SubFOp>([&](auto) { return in.Float(in.F(0) - in.F(1)); })
      .Case<arith::MulFOp>([&](auto) { return in.Float(in.F(0) * in.F(1)); })
      .Case<arith::DivFOp, tt::PreciseDivFOp, tt::ApproxDivFOp>(
          [&](auto) { return in.Float(in.F(0) / in.F(1)); })
      .Case<arith::RemFOp>([&](auto) { return in.Float(std::fmod(in.F(0), in.F(1))); })
      .Case<arith::NegFOp>([&](auto) { return in.U(0) ^ (Bits{1} << (BitWidth(in.result) - 1)); })
      .Case<arith::MaxNumFOp>(
          [&](auto) { return in.Float(IgnoringNan(in.F(0), in.F(1), Greater)); })
      .Case<arith::MinNumFOp>([&](auto) { return in.Float(IgnoringNan(in.F(0), in.F(1), Less)); })
      .Case<arith::MaximumFOp>(
          [&](auto) { return in.Float(KeepingNan(in.F(0), in.F(1), Greater)); })
      .Case<arith::MinimumFOp>([&](auto) { return in.Float(KeepingNan(in.F(0), in.F(1), Less)); })
      .Case<arith::CmpFOp>(
          [&](auto cmp) { return Bits{Compare(cmp.getPredicate(), in.F(0), in.F(1))}; })
      .Case<arith::ExtFOp, arith::TruncFOp>(
          [&](auto) { return Convert(ToAPFloat(in.U(0), in.types[0]), in.result); })
      .Case<tt::FpToFpOp>([&](tt::FpToFpOp cast) {
        bool towardZero = cast.getRounding() == tt::RoundingMode::RTZ;
        return Convert(
            ToAPFloat(in.U(0), in.types[0]), in.result,
            towardZero ? llvm::RoundingMode::TowardZero : llvm::RoundingMode::NearestTiesToEven);
      })
      .Case<arith::FPToSIOp>([&](auto) { return FloatToInt(in); })
      .Case<arith::FPToUIOp>([&](auto) { return FloatToInt(in); })
      .Case<math::FmaOp>([&](auto) {
        // A double holds the product of two floats exactly, so only the sum is rounded twice.
        return in.result.isF32() ? in.Float(std::fmaf(in.F(0), in.F(1), in.F(2)))
                                 : in.Float(std::fma(in.F(0), in.F(1), in.F(2)));
      })
      .Case<tt::ClampFOp>([&](tt::ClampFOp clamp) {
        return in.Float(Clamp(clamp.getPropagateNan(), in.F(0), in.F(1), in.F(2)));
      })
      .Case<tt::PreciseSqrtOp, math::SqrtOp>([&](auto) { return in.Float(std::sqrt(in.F(0))); })
      .Default([](auto) { return std::nullopt; });
}

std::optional<Bits> Functions(mlir::Operation* op, const In& in) {
  using Function = double (*)(double);
  Function function = llvm::StringSwitch<Function>(op->getName().getStringRef())
                          .Case("math.absf", [](double x) { return std::fabs(x); })
                          .Case("math.exp", [](double x) { return std::exp(x); })
                          .Case("math.exp2", [](double x) { return std::exp2(x); })
                          .Case("math.log", [](double x) { return std::log(x); })
                          .Case("math.log2", [](double x) { return std::log2(x); })
                          .Case("math.sin", [](double x) { return std::sin(x); })
                          .Case("math.cos", [](double x) { return std::cos(x); })
                          .Case("math.erf", [](double x) { return std::erf(x); })
                          .Case("math.tanh", [](double x) { return std::tanh(x); })
                          .Case("math.floor", [](double x) { return std::floor(x); })
                          .Case("math.ceil", [](double x) { return std::ceil(x); })
                          .Case("math.rsqrt", [](double x) { return 1 / std::sqrt(x); })
                          .Default(nullptr);
  if (!function) return std::nullopt;
  return in.Float(function(in.F(0)));
}

}  // namespace

std::optional<Bits> EvaluateScalar(mlir::Operation* op, llvm::ArrayRef<Bits> bits,
                                   llvm::ArrayRef<Type> types, Type result) {
  In in{bits, types, result};
  if (isa<arith::SelectOp>(op)) return in.U(0) ? in.U(1) : in.U(2);
  if (isa<arith::BitcastOp, tt::BitcastOp, tt::IntToPtrOp, tt::PtrToIntOp>(op)) return in.U(0);
  if (isa<tt::AddPtrOp>(op)) {
    auto pointer = cast<tt::PointerType>(result);
    return in.U(0) + in.S(1) * static_cast<int64_t>(ByteSize(pointer.getPointeeType()));
  }
  if (std::optional<Bits> value = Integers(op, in)) return value;
  if (std::optional<Bits> value = Floats(op, in)) return value;
  return Functions(op, in);
}

}  // namespace tritonrt::evaluator
