// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/passes/scalars/SmallFloat.h"

#include "compiler/passes/scalars/Lanes.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tritonrt::compiler {

const SmallFloat *SmallFloat::find(Type type) {
  static const SmallFloat f16 = {16, 10, 15, 0x7bff, 0x7c00, 0x7e00};
  static const SmallFloat bf16 = {16, 7, 127, 0x7f7f, 0x7f80, 0x7fc0};
  static const SmallFloat e4m3fn = {8, 3, 7, 0x7e, 0, 0x7f};
  static const SmallFloat e5m2 = {8, 2, 15, 0x7b, 0x7c, 0x7f};
  static const SmallFloat e4m3fnuz = {8, 3, 8, 0x7f, 0, 0x80};
  static const SmallFloat e5m2fnuz = {8, 2, 16, 0x7f, 0, 0x80};
  static const SmallFloat e4m3b11fnuz = {8, 3, 11, 0x7f, 0, 0x80};
  static const SmallFloat e4m3 = {8, 3, 7, 0x77, 0x78, 0x7f};
  static const SmallFloat e3m4 = {8, 4, 3, 0x6f, 0x70, 0x7f};
  return llvm::TypeSwitch<Type, const SmallFloat *>(type)
      .Case([](Float16Type) { return &f16; })
      .Case([](BFloat16Type) { return &bf16; })
      .Case([](Float8E4M3FNType) { return &e4m3fn; })
      .Case([](Float8E5M2Type) { return &e5m2; })
      .Case([](Float8E4M3FNUZType) { return &e4m3fnuz; })
      .Case([](Float8E5M2FNUZType) { return &e5m2fnuz; })
      .Case([](Float8E4M3B11FNUZType) { return &e4m3b11fnuz; })
      .Case([](Float8E4M3Type) { return &e4m3; })
      .Case([](Float8E3M4Type) { return &e3m4; })
      .Default([](Type) { return nullptr; });
}

namespace {

constexpr uint32_t kSign = 0x80000000u, kInfinity = 0x7f800000u;

Value below(Lanes &l, Value x, uint32_t bound) {
  return l.icmp(arith::CmpIPredicate::ult, x, bound);
}
Value above(Lanes &l, Value x, uint32_t bound) {
  return l.icmp(arith::CmpIPredicate::ugt, x, bound);
}

uint32_t bitsOf(float value) { return llvm::bit_cast<uint32_t>(value); }

/// An f8 by way of f16, which has room for its exponents: the code is the top of an f16's, up to a
/// power of two. Subnormals need no case of their own.
Value decodeByHalf(Lanes &l, const SmallFloat &format, Value code) {
  ImplicitLocOpBuilder &b = l.b;
  Type i16 = withElement(code.getType(), b.getI16Type());
  Type f16 = withElement(code.getType(), b.getF16Type());
  Value magnitude = l.left(l.bitAnd(code, 0x7f), 10 - format.mantissa);
  Value half = l.bitOr(magnitude, l.left(l.bitAnd(code, 0x80), 8));
  Value narrow = arith::TruncIOp::create(b, i16, half);
  Value wide =
      arith::ExtFOp::create(b, l.floatType, Value(arith::BitcastOp::create(b, f16, narrow)));
  return l.mul(wide, l.number(std::ldexp(1.0f, 15 - format.bias)));
}

Value decodeByParts(Lanes &l, const SmallFloat &format, Value code) {
  ImplicitLocOpBuilder &b = l.b;
  unsigned magnitudeBits = format.width - 1, shift = 23 - format.mantissa;
  Value magnitude = l.bitAnd(code, (1u << magnitudeBits) - 1);
  Value widened = l.left(magnitude, shift);
  Value normal = l.iadd(widened, l.integer(uint32_t(127 - format.bias) << 23));
  // A subnormal is a small integer times a power of two, both exact in f32.
  Value integer = arith::SIToFPOp::create(b, l.floatType, magnitude);
  Value scaled = l.mul(integer, l.number(std::ldexp(1.0f, 1 - format.bias - int(format.mantissa))));
  Value result = l.select(below(l, magnitude, 1u << format.mantissa), l.asInt(scaled), normal);
  if (format.infinity)
    result = l.select(below(l, magnitude, format.infinity), result,
                      l.bitOr(widened, l.integer(kInfinity)));
  return l.bitOr(result, l.left(l.bitAnd(code, 1u << magnitudeBits), 31 - magnitudeBits));
}

} // namespace

Value decode(ImplicitLocOpBuilder &b, const SmallFloat &format, Value bits, bool hasHalf) {
  Lanes l(b, bits.getType());
  Value code = arith::ExtUIOp::create(b, l.intType, bits);
  bool isBrain = format.mantissa == 7;
  if (isBrain)
    return l.asFloat(l.left(code, 16));
  bool isHalfsTop = format.width == 8 && format.bias == 15;
  // Four bits of exponent never reach f16's infinity.
  bool fitsHalf = format.width == 8 && format.mantissa == 3 && !format.infinity;
  if (hasHalf && (isHalfsTop || fitsHalf)) {
    Value number = decodeByHalf(l, format, code);
    if (isHalfsTop)
      return number;
    Value magnitude = format.hasOneZero() ? code : l.bitAnd(code, 0x7f);
    Value isNan = l.icmp(arith::CmpIPredicate::eq, magnitude, format.nan);
    return l.select(isNan, l.number(std::numeric_limits<float>::quiet_NaN()), number);
  }
  Value result = decodeByParts(l, format, code);
  if (!format.infinity) {
    Value magnitude = format.hasOneZero() ? code : l.bitAnd(code, 0x7f);
    Value isNan = l.icmp(arith::CmpIPredicate::eq, magnitude, format.nan);
    result = l.select(isNan, l.integer(kInfinity | 0x400000u), result);
  }
  return l.asFloat(result);
}

namespace {

/// bf16 has f32's exponents: its code is the top half.
Value encodeBrain(Lanes &l, Value number, bool towardZero) {
  Value bits = l.asInt(number);
  Value top = l.right(bits, 16);
  Value rounded = top;
  if (!towardZero) {
    Value up = l.iadd(l.integer(0x7fffu), l.bitAnd(top, 1));
    rounded = l.right(l.iadd(bits, up), 16);
  }
  Value isNan = l.fcmp(arith::CmpFPredicate::UNO, number, number);
  return l.select(isNan, l.bitOr(top, l.integer(0x40u)), rounded);
}

/// Magnitudes from the format's least normal number on; the exponent carries where the mantissa
/// rounds up.
Value encodeNormal(Lanes &l, const SmallFloat &format, Value magnitude, bool towardZero) {
  unsigned shift = 23 - format.mantissa;
  Value moved = l.isub(magnitude, l.integer(uint32_t(127 - format.bias) << 23));
  if (towardZero)
    return l.right(moved, shift);
  Value up = l.iadd(l.integer((1u << (shift - 1)) - 1), l.bitAnd(l.right(magnitude, shift), 1));
  return l.right(l.iadd(moved, up), shift);
}

/// Magnitudes below: multiples of the least subnormal, counted.
Value encodeSubnormal(Lanes &l, const SmallFloat &format, Value magnitude, bool towardZero) {
  int exponent = 1 - format.bias - int(format.mantissa);
  if (towardZero) {
    Value count = l.mul(l.asFloat(magnitude), l.number(std::ldexp(1.0f, -exponent)));
    return arith::FPToSIOp::create(l.b, l.intType, count);
  }
  // Added to a number whose last place is the least subnormal, the sum's last bits are the count.
  float magic = std::ldexp(1.0f, exponent + 23);
  Value sum = l.add(l.asFloat(magnitude), l.number(magic));
  return l.isub(l.asInt(sum), l.integer(bitsOf(magic)));
}

} // namespace

Value encode(ImplicitLocOpBuilder &b, const SmallFloat &format, Value number, bool towardZero) {
  Lanes l(b, number.getType());
  Type result = withElement(number.getType(), b.getIntegerType(format.width));
  if (format.mantissa == 7)
    return arith::TruncIOp::create(b, result, encodeBrain(l, number, towardZero));
  Value bits = l.asInt(number);
  Value magnitude = l.bitAnd(bits, ~kSign);
  Value normal = encodeNormal(l, format, magnitude, towardZero);
  Value subnormal = encodeSubnormal(l, format, magnitude, towardZero);
  Value isSmall = below(l, magnitude, bitsOf(std::ldexp(1.0f, 1 - format.bias)));
  Value code = l.select(isSmall, subnormal, normal);
  bool saturates = format.width == 8;
  code = l.unsignedMin(code, saturates || towardZero ? format.most : format.infinity);
  // Towards zero infinity alone stays what it is.
  if (format.infinity && towardZero)
    code = l.select(l.icmp(arith::CmpIPredicate::eq, magnitude, kInfinity),
                    l.integer(format.infinity), code);
  Value isNan = above(l, magnitude, kInfinity);
  Value sign = l.right(l.bitAnd(bits, kSign), 32 - format.width);
  if (format.hasOneZero()) {
    Value isZero = l.icmp(arith::CmpIPredicate::eq, code, 0u);
    code = l.select(isZero, code, l.bitOr(code, sign));
    code = l.select(isNan, l.integer(format.nan), code);
  } else {
    code = l.bitOr(l.select(isNan, l.integer(format.nan), code), sign);
  }
  return arith::TruncIOp::create(b, result, code);
}

Value roundDouble(ImplicitLocOpBuilder &b, Value number, DoubleRounding mode) {
  Lanes l(b, number.getType());
  Value nearest = arith::TruncFOp::create(b, l.floatType, number);
  Value back = arith::ExtFOp::create(b, number.getType(), nearest);
  Value tooFar = l.fcmp(arith::CmpFPredicate::OGT, l.abs(back), l.abs(number));
  Value bits = l.asInt(nearest);
  Value truncated = l.select(tooFar, l.isub(bits, l.integer(1u)), bits);
  if (mode == DoubleRounding::Truncate)
    return l.asFloat(truncated);
  Value inexact = l.fcmp(arith::CmpFPredicate::UNE, back, number);
  return l.asFloat(l.select(inexact, l.bitOr(truncated, l.integer(1u)), truncated));
}

} // namespace tritonrt::compiler
