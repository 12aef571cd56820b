// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PTX's conversions between types.
#include "compiler/passes/totile/Ptx.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/bit.h"

#include <cmath>

using namespace mlir;

namespace tritonrt::compiler {

using namespace ptx;

/// A float in another float type, which may lie within f32.
Value PtxCode::convertFloat(Value x, Type to, const Instruction &i) {
  Type from = getElementTypeOrSelf(x.getType()), f32 = b.getF32Type();
  if (from != f32 && from != to && from.getIntOrFloatBitWidth() < 32) {
    x = arith::ExtFOp::create(b, loc, shaped(f32), x);
    from = f32;
  }
  if (i.has("satfinite")) {
    auto limit = llvm::APFloat::getLargest(::mlir::cast<FloatType>(to).getFloatSemantics());
    bool lossy = false;
    limit.convert(llvm::APFloat::IEEEsingle(), llvm::APFloat::rmNearestTiesToEven, &lossy);
    auto real = [&](const llvm::APFloat &value) {
      return cast(number(value.bitcastToAPInt().getSExtValue(), 32), f32);
    };
    x = make<arith::MaximumFOp>(make<arith::MinimumFOp>(x, real(limit)), real(llvm::neg(limit)));
  }
  if (from == to)
    return x;
  if (from.getIntOrFloatBitWidth() < to.getIntOrFloatBitWidth())
    return arith::ExtFOp::create(b, loc, shaped(to), x);
  auto narrow = arith::TruncFOp::create(b, loc, shaped(to), x);
  if (i.has("rz"))
    narrow.setRoundingmode(arith::RoundingMode::toward_zero);
  return narrow;
}

/// Pairs: two f32 or the halves of one register become the halves of another.
bool PtxCode::convertPair(const Instruction &i) {
  StringRef toName = i.words[i.words.size() - 2];
  Type to = floatType(b, toName), from = floatType(b, i.type());
  if (!to || !from)
    return false;
  unsigned width = to.getIntOrFloatBitWidth();
  SmallVector<Value> parts;
  if (isPair(i.type())) {
    Value both = i.operands.size() == 2 ? value(i.operands[1], widthOf(i.type())) : Value();
    if (!both)
      return false;
    unpack(both, from.getIntOrFloatBitWidth(), 2, parts);
  } else {
    // The first operand goes into the upper half.
    if (i.operands.size() != 3)
      return false;
    parts = {value(i.operands[2], widthOf(i.type())), value(i.operands[1], widthOf(i.type()))};
    if (!parts[0] || !parts[1])
      return false;
  }
  for (Value &part : parts)
    part = cast(convertFloat(cast(part, from), to, i), b.getIntegerType(width));
  return write(i.operands[0], pack(parts, width, 2 * width));
}

bool PtxCode::convert(const Instruction &i) {
  if (i.words.size() < 3)
    return false;
  StringRef toName = i.words[i.words.size() - 2], fromName = i.type();
  if (!onlyKnown(ArrayRef(i.words).drop_front().drop_back(2),
                 {"rn", "rna", "rz", "rni", "rzi", "rmi", "rpi", "ftz", "sat", "satfinite"}))
    return false;
  if (isPair(toName))
    return convertPair(i);
  if (i.operands.size() != 2)
    return false;
  Value x = value(i.operands[1], widthOf(fromName));
  if (!x)
    return false;
  Type from = floatType(b, fromName), to = floatType(b, toName);
  unsigned bits = widthOf(toName);
  if (toName == "tf32" && i.has("rna")) {
    // Ten bits of fraction, halves away from zero; infinities and NaNs as they are.
    Value rounded =
        make<arith::AndIOp>(make<arith::AddIOp>(x, number(0x1000, 32)), number(-0x2000, 32));
    Value exponent = number(0x7f800000, 32);
    Value isSpecial = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq,
                                            make<arith::AndIOp>(x, exponent), exponent);
    return write(i.operands[0], arith::SelectOp::create(b, loc, isSpecial, x, rounded));
  }
  if (bits == 0)
    return false;
  if (!from && !to)
    return !i.has("sat") && write(i.operands[0], resize(x, bits, isSignedType(fromName)));
  if (!from) {
    Value made = isSignedType(fromName) ? Value(arith::SIToFPOp::create(b, loc, shaped(to), x))
                                        : Value(arith::UIToFPOp::create(b, loc, shaped(to), x));
    return !i.has("rz") && write(i.operands[0], cast(made, b.getIntegerType(bits)));
  }
  Value real = cast(x, from);
  if (i.has("rni"))
    real = math::RoundEvenOp::create(b, loc, real);
  else if (i.has("rzi"))
    real = math::TruncOp::create(b, loc, real);
  else if (i.has("rmi"))
    real = math::FloorOp::create(b, loc, real);
  else if (i.has("rpi"))
    real = math::CeilOp::create(b, loc, real);
  if (to) {
    Value made = convertFloat(real, to, i);
    if (i.has("sat"))
      made = saturate(made);
    return write(i.operands[0], cast(made, b.getIntegerType(bits)));
  }
  return write(i.operands[0], toInteger(real, bits, isSignedType(toName)));
}

/// Numbers beyond the type become its ends, NaN becomes 0.
Value PtxCode::toInteger(Value x, unsigned bits, bool isSigned) {
  Type f64 = b.getF64Type(), f32 = b.getF32Type();
  Type element = getElementTypeOrSelf(x.getType());
  if (element.getIntOrFloatBitWidth() < 32)
    x = arith::ExtFOp::create(b, loc, shaped(f32), x);
  bool isDouble = getElementTypeOrSelf(x.getType()) == f64;
  auto real = [&](double value) {
    int64_t raw = isDouble ? llvm::bit_cast<int64_t>(value)
                           : llvm::bit_cast<int32_t>(static_cast<float>(value));
    return cast(number(raw, isDouble ? 64 : 32), isDouble ? f64 : f32);
  };
  auto is = [&](arith::CmpFPredicate how, Value p, Value q) {
    return arith::CmpFOp::create(b, loc, how, p, q);
  };
  unsigned magnitude = isSigned ? bits - 1 : bits;
  double end = std::ldexp(1.0, static_cast<int>(magnitude)), start = isSigned ? -end : 0;
  Value whole = isSigned ? Value(arith::FPToSIOp::create(b, loc, bitsType(bits), x))
                         : Value(arith::FPToUIOp::create(b, loc, bitsType(bits), x));
  int64_t largest = static_cast<int64_t>(llvm::maskTrailingOnes<uint64_t>(magnitude));
  int64_t smallest = isSigned ? ~largest : 0;
  Value result = arith::SelectOp::create(b, loc, is(arith::CmpFPredicate::OGE, x, real(end)),
                                         number(largest, bits), whole);
  result = arith::SelectOp::create(b, loc, is(arith::CmpFPredicate::OLE, x, real(start)),
                                   number(smallest, bits), result);
  return arith::SelectOp::create(b, loc, is(arith::CmpFPredicate::UNO, x, x), number(0, bits),
                                 result);
}

} // namespace tritonrt::compiler
