// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversions in a direction, reinterpretations, and libdevice's functions of integers.
#include "compiler/math/Dispatch.h"
#include "compiler/math/Exact.h"
#include "compiler/passes/scalars/SmallFloat.h"

using namespace mlir;

namespace tritonrt::mathlib {

namespace {

using Float = Real<32>;
using Double = Real<64>;
using Int = Whole<32>;
using Long = Whole<64>;

template <class To, class Op> To convertTo(Built x, Type element) {
  return {x.c, Op::create(x.c->b, x.typeWith(element), x.value)};
}
Double widened(Built x) { return convertTo<Double, arith::ExtFOp>(x, x.c->b.getF64Type()); }
Long extended(Int x) { return convertTo<Long, arith::ExtSIOp>(x, x.c->b.getI64Type()); }
Long zeroExtended(Int x) { return convertTo<Long, arith::ExtUIOp>(x, x.c->b.getI64Type()); }
Int truncated(Long x) { return convertTo<Int, arith::TruncIOp>(x, x.c->b.getI32Type()); }

template <class R> R wholeIn(R x, Direction direction) {
  switch (direction) {
  case Direction::Nearest:
    return roundEven(x);
  case Direction::Zero:
    return trunc(x);
  case Direction::Down:
    return floor(x);
  case Direction::Up:
    return R::template make<mlir::math::CeilOp>(x);
  }
  llvm_unreachable("unknown direction");
}

/// A number as an integer of `bits`; what is outside becomes the end. NaN becomes 0, but where one
/// of both has 64 bits the integer whose first bit alone is set, as in PTX.
template <class R, unsigned bits, bool isSigned, Direction direction>
Value realToInt(Context &c, ValueRange v) {
  R x = wholeIn(R{&c, v[0]}, direction);
  Type type = x.typeWith(c.b.getIntegerType(bits));
  Whole<bits> result{&c, {}};
  if (isSigned)
    result.value = arith::FPToSIOp::create(c.b, type, x.value);
  else
    result.value = arith::FPToUIOp::create(c.b, type, x.value);
  if (R::kBits == 32 && bits == 32)
    return result.value;
  return select(isNan(x), result.integer(int64_t{-1} << (bits - 1)), result).value;
}

/// A double as the f32 in a direction: narrowing rounds to nearest, and its error is exact.
template <Direction direction> Float narrowedIn(Double x) {
  Float nearest = Float::narrowed(x);
  // Only its sign matters: it may be too small for f32.
  Double wide = x - widened(nearest);
  Float sign = select(wide < 0.0, nearest.number(-1.0), 0.0);
  Float error = select(wide > 0.0, 1.0, sign);
  return directed(nearest, error, abs(x) < kInf, direction);
}
template <Direction direction> Value doubleToFloat(Context &c, ValueRange v) {
  return narrowedIn<direction>(Double{&c, v[0]}).value;
}

/// An integer of 64 bits as a double: the sum of two halves that are exact.
template <bool isSigned, Direction direction> Double longToDoubleIn(Long x) {
  Long high = isSigned ? shiftRightSigned(x, 32) : shiftRight(x, 32);
  Double upper = Double::ofInteger(high) * 0x1p32, lower = Double::ofInteger(x & 0xffffffff);
  return addIn(upper, lower, direction);
}
template <bool isSigned, Direction direction> Value longToDouble(Context &c, ValueRange v) {
  return longToDoubleIn<isSigned, direction>(Long{&c, v[0]}).value;
}
/// Rounding twice in one direction is rounding once; to nearest, the target does it.
template <bool isSigned, Direction direction> Float longToFloatIn(Long x) {
  if (direction != Direction::Nearest)
    return narrowedIn<direction>(longToDoubleIn<isSigned, direction>(x));
  Type f32 = x.c->b.getF32Type();
  return isSigned ? convertTo<Float, arith::SIToFPOp>(x, f32)
                  : convertTo<Float, arith::UIToFPOp>(x, f32);
}
template <bool isSigned, Direction direction> Value longToFloat(Context &c, ValueRange v) {
  return longToFloatIn<isSigned, direction>(Long{&c, v[0]}).value;
}
template <bool isSigned, Direction direction> Value intToFloat(Context &c, ValueRange v) {
  Int x{&c, v[0]};
  Double exact = Double::ofInteger(isSigned ? extended(x) : zeroExtended(x));
  return narrowedIn<direction>(exact).value;
}
template <bool isSigned> Value intToDouble(Context &c, ValueRange v) {
  Int x{&c, v[0]};
  return Double::ofInteger(isSigned ? extended(x) : zeroExtended(x)).value;
}

template <unsigned bits, bool isReal> Value reinterpreted(Context &c, ValueRange v) {
  Type element = isReal ? (bits == 32 ? Type(c.b.getF32Type()) : Type(c.b.getF64Type()))
                        : Type(c.b.getIntegerType(bits));
  return arith::BitcastOp::create(c.b, compiler::withElement(v[0].getType(), element), v[0]);
}

template <class I, class F> Value integers(Context &c, ValueRange v, F f) {
  SmallVector<I, 3> x;
  for (Value value : v)
    x.push_back(I{&c, value});
  return f(x).value;
}

template <class Op> Value binaryOp(Context &c, ValueRange v) { return Op::create(c.b, v[0], v[1]); }
template <class Op> Value unaryOp(Context &c, ValueRange v) { return Op::create(c.b, v[0]); }
template <class I, class Op> Value counted(Context &c, ValueRange v) {
  Value count = Op::create(c.b, v[0]);
  return I::kBits == 64 ? truncated(Long{&c, count}).value : count;
}

/// The place of the lowest one, from 1 on; 0 where there is none.
template <class I> Value firstSet(Context &c, ValueRange v) {
  I x{&c, v[0]};
  I place{&c, mlir::math::CountTrailingZerosOp::create(c.b, v[0])};
  I result = select(x == 0, 0, place + 1);
  if constexpr (I::kBits == 64)
    return truncated(result).value;
  else
    return result.value;
}

/// Neighbours change places, then pairs, then fours ...
template <class I> Value reversed(Context &c, ValueRange v) {
  I x{&c, v[0]};
  for (int step = 1; step < int(I::kBits); step *= 2) {
    uint64_t mask = 0;
    for (int bit = 0; bit < int(I::kBits); ++bit)
      if (!(bit & step))
        mask |= uint64_t{1} << bit;
    x = (shiftRight(x, step) & int64_t(mask)) | ((x & int64_t(mask)) << step);
  }
  return x.value;
}

Value highProductSigned(Context &c, ValueRange v) {
  return arith::MulSIExtendedOp::create(c.b, v[0], v[1]).getHigh();
}
Value highProductUnsigned(Context &c, ValueRange v) {
  return arith::MulUIExtendedOp::create(c.b, v[0], v[1]).getHigh();
}

template <bool isSigned> Value productOf24(Context &c, ValueRange v) {
  auto low = [](Int x) { return isSigned ? shiftRightSigned(x << 8, 8) : x & 0xffffff; };
  return integers<Int>(c, v, [&](auto &x) { return low(x[0]) * low(x[1]); });
}

/// |x - y| + z
template <bool isSigned> Value sumOfDifference(Context &c, ValueRange v) {
  return integers<Int>(c, v, [&](auto &x) {
    Truth less = isSigned ? x[0] < x[1] : unsignedLess(x[0], x[1]);
    return select(less, x[1] - x[0], x[0] - x[1]) + x[2];
  });
}

/// (x + y) / 2, rounded down or up, without the carry's bit getting lost.
template <bool isSigned, bool up> Value halfSum(Context &c, ValueRange v) {
  return integers<Int>(c, v, [&](auto &x) {
    Int differ = x[0] ^ x[1];
    Int half = isSigned ? shiftRightSigned(differ, 1) : shiftRight(differ, 1);
    return up ? (x[0] | x[1]) - half : (x[0] & x[1]) + half;
  });
}

/// Four bytes of the eight of x and y, chosen by the low three bits of the digits of s.
Value permutedBytes(Context &c, ValueRange v) {
  return integers<Int>(c, v, [&](auto &x) {
    Long all = zeroExtended(x[0]) | (zeroExtended(x[1]) << 32);
    Long digits = zeroExtended(x[2]);
    Long result = all.integer(0);
    for (int i = 0; i < 4; ++i) {
      Long place = (shiftRight(digits, 4 * i) & 7) << 3;
      result = result | ((shiftRight(all, place) & 255) << (8 * i));
    }
    return truncated(result);
  });
}

/// Halves as their bits, which is how libdevice hands them over.
Value halfToFloat(Context &c, ValueRange v) {
  const auto *half = compiler::SmallFloat::find(c.b.getF16Type());
  return compiler::decode(c.b, *half, v[0], /*hasHalf=*/false);
}
Value floatToHalf(Context &c, ValueRange v) {
  const auto *half = compiler::SmallFloat::find(c.b.getF16Type());
  return compiler::encode(c.b, *half, v[0], /*towardZero=*/false);
}

Value upperHalf(Context &c, ValueRange v) {
  return truncated(shiftRight(bitsOf(Double{&c, v[0]}), 32)).value;
}
Value lowerHalf(Context &c, ValueRange v) { return truncated(bitsOf(Double{&c, v[0]})).value; }
Value joinedHalves(Context &c, ValueRange v) {
  Long high = zeroExtended(Int{&c, v[0]}) << 32, low = zeroExtended(Int{&c, v[1]});
  return Double::ofBits(high | low).value;
}

} // namespace

llvm::ArrayRef<Function> integerFunctions() {
  static constexpr Function table[] = {
      {"float2int_rn", "fi", realToInt<Float, 32, true, Direction::Nearest>},
      {"float2uint_rn", "fi", realToInt<Float, 32, false, Direction::Nearest>},
      {"float2ll_rn", "fl", realToInt<Float, 64, true, Direction::Nearest>},
      {"float2ull_rn", "fl", realToInt<Float, 64, false, Direction::Nearest>},
      {"double2int_rn", "di", realToInt<Double, 32, true, Direction::Nearest>},
      {"double2uint_rn", "di", realToInt<Double, 32, false, Direction::Nearest>},
      {"double2ll_rn", "dl", realToInt<Double, 64, true, Direction::Nearest>},
      {"double2ull_rn", "dl", realToInt<Double, 64, false, Direction::Nearest>},
      {"double2float_rn", "df", doubleToFloat<Direction::Nearest>},
      {"int2float_rn", "if", intToFloat<true, Direction::Nearest>},
      {"uint2float_rn", "if", intToFloat<false, Direction::Nearest>},
      {"ll2float_rn", "lf", longToFloat<true, Direction::Nearest>},
      {"ll2double_rn", "ld", longToDouble<true, Direction::Nearest>},
      {"ull2float_rn", "lf", longToFloat<false, Direction::Nearest>},
      {"ull2double_rn", "ld", longToDouble<false, Direction::Nearest>},
      {"float2int_rz", "fi", realToInt<Float, 32, true, Direction::Zero>},
      {"float2uint_rz", "fi", realToInt<Float, 32, false, Direction::Zero>},
      {"float2ll_rz", "fl", realToInt<Float, 64, true, Direction::Zero>},
      {"float2ull_rz", "fl", realToInt<Float, 64, false, Direction::Zero>},
      {"double2int_rz", "di", realToInt<Double, 32, true, Direction::Zero>},
      {"double2uint_rz", "di", realToInt<Double, 32, false, Direction::Zero>},
      {"double2ll_rz", "dl", realToInt<Double, 64, true, Direction::Zero>},
      {"double2ull_rz", "dl", realToInt<Double, 64, false, Direction::Zero>},
      {"double2float_rz", "df", doubleToFloat<Direction::Zero>},
      {"int2float_rz", "if", intToFloat<true, Direction::Zero>},
      {"uint2float_rz", "if", intToFloat<false, Direction::Zero>},
      {"ll2float_rz", "lf", longToFloat<true, Direction::Zero>},
      {"ll2double_rz", "ld", longToDouble<true, Direction::Zero>},
      {"ull2float_rz", "lf", longToFloat<false, Direction::Zero>},
      {"ull2double_rz", "ld", longToDouble<false, Direction::Zero>},
      {"float2int_rd", "fi", realToInt<Float, 32, true, Direction::Down>},
      {"float2uint_rd", "fi", realToInt<Float, 32, false, Direction::Down>},
      {"float2ll_rd", "fl", realToInt<Float, 64, true, Direction::Down>},
      {"float2ull_rd", "fl", realToInt<Float, 64, false, Direction::Down>},
      {"double2int_rd", "di", realToInt<Double, 32, true, Direction::Down>},
      {"double2uint_rd", "di", realToInt<Double, 32, false, Direction::Down>},
      {"double2ll_rd", "dl", realToInt<Double, 64, true, Direction::Down>},
      {"double2ull_rd", "dl", realToInt<Double, 64, false, Direction::Down>},
      {"double2float_rd", "df", doubleToFloat<Direction::Down>},
      {"int2float_rd", "if", intToFloat<true, Direction::Down>},
      {"uint2float_rd", "if", intToFloat<false, Direction::Down>},
      {"ll2float_rd", "lf", longToFloat<true, Direction::Down>},
      {"ll2double_rd", "ld", longToDouble<true, Direction::Down>},
      {"ull2float_rd", "lf", longToFloat<false, Direction::Down>},
      {"ull2double_rd", "ld", longToDouble<false, Direction::Down>},
      {"float2int_ru", "fi", realToInt<Float, 32, true, Direction::Up>},
      {"float2uint_ru", "fi", realToInt<Float, 32, false, Direction::Up>},
      {"float2ll_ru", "fl", realToInt<Float, 64, true, Direction::Up>},
      {"float2ull_ru", "fl", realToInt<Float, 64, false, Direction::Up>},
      {"double2int_ru", "di", realToInt<Double, 32, true, Direction::Up>},
      {"double2uint_ru", "di", realToInt<Double, 32, false, Direction::Up>},
      {"double2ll_ru", "dl", realToInt<Double, 64, true, Direction::Up>},
      {"double2ull_ru", "dl", realToInt<Double, 64, false, Direction::Up>},
      {"double2float_ru", "df", doubleToFloat<Direction::Up>},
      {"int2float_ru", "if", intToFloat<true, Direction::Up>},
      {"uint2float_ru", "if", intToFloat<false, Direction::Up>},
      {"ll2float_ru", "lf", longToFloat<true, Direction::Up>},
      {"ll2double_ru", "ld", longToDouble<true, Direction::Up>},
      {"ull2float_ru", "lf", longToFloat<false, Direction::Up>},
      {"ull2double_ru", "ld", longToDouble<false, Direction::Up>},
      {"int2double_rn", "id", intToDouble<true>},
      {"uint2double_rn", "id", intToDouble<false>},
      {"float_as_int", "fi", reinterpreted<32, false>},
      {"float_as_uint", "fi", reinterpreted<32, false>},
      {"int_as_float", "if", reinterpreted<32, true>},
      {"uint_as_float", "if", reinterpreted<32, true>},
      {"double_as_longlong", "dl", reinterpreted<64, false>},
      {"longlong_as_double", "ld", reinterpreted<64, true>},
      {"double2hiint", "di", upperHalf},
      {"double2loint", "di", lowerHalf},
      {"hiloint2double", "iid", joinedHalves},
      {"half2float", "hf", halfToFloat},
      {"float2half_rn", "fh", floatToHalf},
      {"clz_u64", "ll", unaryOp<mlir::math::CountLeadingZerosOp>},
      {"abs", "nn", unaryOp<mlir::math::AbsIOp>},
      {"min", "iii", binaryOp<arith::MinSIOp>},
      {"max", "iii", binaryOp<arith::MaxSIOp>},
      {"umin", "iii", binaryOp<arith::MinUIOp>},
      {"umax", "iii", binaryOp<arith::MaxUIOp>},
      {"llmin", "lll", binaryOp<arith::MinSIOp>},
      {"llmax", "lll", binaryOp<arith::MaxSIOp>},
      {"ullmin", "lll", binaryOp<arith::MinUIOp>},
      {"ullmax", "lll", binaryOp<arith::MaxUIOp>},
      {"clz", "ii", counted<Int, mlir::math::CountLeadingZerosOp>},
      {"clzll", "li", counted<Long, mlir::math::CountLeadingZerosOp>},
      {"popc", "ii", counted<Int, mlir::math::CtPopOp>},
      {"popcll", "li", counted<Long, mlir::math::CtPopOp>},
      {"ffs", "ii", firstSet<Int>},
      {"ffsll", "li", firstSet<Long>},
      {"brev", "ii", reversed<Int>},
      {"brevll", "ll", reversed<Long>},
      {"mulhi", "iii", highProductSigned},
      {"umulhi", "iii", highProductUnsigned},
      {"mul64hi", "lll", highProductSigned},
      {"umul64hi", "lll", highProductUnsigned},
      {"mul24", "iii", productOf24<true>},
      {"umul24", "iii", productOf24<false>},
      {"sad", "iiii", sumOfDifference<true>},
      {"usad", "iiii", sumOfDifference<false>},
      {"hadd", "iii", halfSum<true, false>},
      {"uhadd", "iii", halfSum<false, false>},
      {"rhadd", "iii", halfSum<true, true>},
      {"urhadd", "iii", halfSum<false, true>},
      {"byte_perm", "iiii", permutedBytes},
  };
  return table;
}

} // namespace tritonrt::mathlib
