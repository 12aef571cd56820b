// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/passes/totile/Ptx.h"

#include "compiler/dialect/mem/Mem.h"
#include "compiler/passes/totile/Translator.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/bit.h"

#include <cmath>

using namespace mlir;

namespace tritonrt::compiler {

using namespace ptx;

unsigned ptx::widthOf(StringRef type) {
  if (type == "pred")
    return 1;
  bool isPair = type.consume_back("x2");
  if (type == "e4m3" || type == "e5m2")
    return isPair ? 16 : 8;
  type.consume_front("b"); // bf16, b32
  if (type.empty() || !StringRef("fusb0123456789").contains(type.front()))
    return 0;
  unsigned bits = 0;
  if (type.ltrim("fus").getAsInteger(10, bits))
    return 0;
  bool exists = bits == 8 || bits == 16 || bits == 32 || bits == 64;
  return !exists || (isPair && bits != 16) ? 0 : isPair ? 2 * bits : bits;
}

bool ptx::isPair(StringRef type) { return type.ends_with("x2"); }

Type ptx::floatType(OpBuilder &b, StringRef type) {
  type.consume_back("x2");
  return llvm::StringSwitch<Type>(type)
      .Case("f16", b.getF16Type())
      .Case("bf16", b.getBF16Type())
      .Case("f32", b.getF32Type())
      .Case("f64", b.getF64Type())
      .Case("e4m3", Float8E4M3FNType::get(b.getContext()))
      .Case("e5m2", Float8E5M2Type::get(b.getContext()))
      .Default(Type());
}

bool ptx::isSignedType(StringRef type) { return type.starts_with("s"); }

bool ptx::onlyKnown(ArrayRef<StringRef> words, ArrayRef<StringRef> known) {
  return llvm::all_of(words, [&](StringRef word) { return llvm::is_contained(known, word); });
}

namespace {

std::string withoutComments(StringRef text) {
  std::string result;
  while (!text.empty()) {
    if (text.consume_front("//")) {
      text = text.drop_until([](char c) { return c == '\n'; });
    } else if (text.consume_front("/*")) {
      size_t end = text.find("*/");
      text = end == StringRef::npos ? StringRef() : text.drop_front(end + 2);
    } else {
      result += text.front();
      text = text.drop_front();
    }
  }
  return result;
}

/// Parts at commas that no braces hold.
void splitOperands(StringRef text, SmallVectorImpl<StringRef> &operands) {
  size_t start = 0;
  int depth = 0;
  for (size_t i = 0; i <= text.size(); ++i) {
    if (i < text.size() && (text[i] == '{' || text[i] == '}'))
      depth += text[i] == '{' ? 1 : -1;
    if (i != text.size() && (text[i] != ',' || depth != 0))
      continue;
    StringRef part = text.slice(start, i).trim();
    if (!part.empty())
      operands.push_back(part);
    start = i + 1;
  }
}

/// The names of a vector of registers of `bits` together: {a, b}. None if they do not fit.
void splitVector(StringRef text, unsigned bits, SmallVectorImpl<StringRef> &names) {
  if (!text.consume_front("{") || !text.consume_back("}"))
    return;
  splitOperands(text, names);
  if ((names.size() != 2 && names.size() != 4) || bits / names.size() < 8)
    names.clear();
}

} // namespace

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

Type PtxCode::shaped(Type element) const {
  return shape.empty() ? element : Type(RankedTensorType::get(shape, element));
}

Value PtxCode::number(int64_t value, unsigned bits) {
  Attribute element =
      b.getIntegerAttr(b.getIntegerType(bits), llvm::APInt(bits, value, true, true));
  if (shape.empty())
    return arith::ConstantOp::create(b, loc, ::mlir::cast<TypedAttr>(element));
  auto type = ::mlir::cast<RankedTensorType>(bitsType(bits));
  return arith::ConstantOp::create(b, loc, DenseElementsAttr::get(type, element));
}

/// The same bits as another type of their width.
Value PtxCode::cast(Value x, Type element) {
  Type type = shaped(element);
  return x.getType() == type ? x : Value(arith::BitcastOp::create(b, loc, type, x));
}

Value PtxCode::resize(Value x, unsigned bits, bool isSigned) {
  unsigned now = getElementTypeOrSelf(x.getType()).getIntOrFloatBitWidth();
  if (now == bits)
    return x;
  if (now > bits)
    return arith::TruncIOp::create(b, loc, bitsType(bits), x);
  if (isSigned)
    return arith::ExtSIOp::create(b, loc, bitsType(bits), x);
  return arith::ExtUIOp::create(b, loc, bitsType(bits), x);
}

void PtxCode::split(Value whole, unsigned bits, SmallVectorImpl<Value> &parts) {
  auto tensor = dyn_cast<RankedTensorType>(whole.getType());
  if (shape.empty() || !tensor) {
    Value all =
        shape.empty() ? whole : Value(tt::SplatOp::create(b, loc, shaped(whole.getType()), whole));
    parts.append(size_t{1} << bits, all);
    return;
  }
  Value line = tt::ReshapeOp::create(b, loc, tensor.clone({tensor.getNumElements()}), whole);
  splitLine(b, loc, line, bits, parts);
}

Value PtxCode::join(ArrayRef<Value> parts, Type type) {
  Value whole = joinLine(b, loc, parts);
  if (auto tensor = dyn_cast<RankedTensorType>(type)) {
    Type bits = getElementTypeOrSelf(whole.getType());
    whole = tt::ReshapeOp::create(b, loc, tensor.clone(bits), whole);
  }
  Type element = getElementTypeOrSelf(type);
  if (element.isInteger(1))
    return arith::TruncIOp::create(b, loc, type, whole);
  return whole.getType() == type ? whole : Value(arith::BitcastOp::create(b, loc, type, whole));
}

Value PtxCode::pack(ArrayRef<Value> elements, unsigned elementBits, unsigned bits) {
  Value result;
  for (auto [i, element] : llvm::enumerate(elements)) {
    Type type = getElementTypeOrSelf(element.getType());
    Value part = isa<FloatType>(type) ? cast(element, b.getIntegerType(elementBits)) : element;
    part = resize(part, std::max(bits, elementBits));
    if (i)
      part = make<arith::ShLIOp>(part, number(i * elementBits, bits));
    result = result ? make<arith::OrIOp>(result, part) : part;
  }
  return resize(result, bits);
}

void PtxCode::unpack(Value bits, unsigned elementBits, unsigned count,
                     SmallVectorImpl<Value> &elements) {
  unsigned width = getElementTypeOrSelf(bits.getType()).getIntOrFloatBitWidth();
  for (unsigned i = 0; i < count; ++i) {
    Value part = i ? make<arith::ShRUIOp>(bits, number(i * elementBits, width)) : bits;
    elements.push_back(resize(part, elementBits));
  }
}

Value PtxCode::value(StringRef name, unsigned bits) {
  if (auto it = registers.find(name); it != registers.end())
    return resize(it->second, bits);
  auto spread = [&](Value scalar) {
    Value sized = scalar;
    if (scalar.getType().getIntOrFloatBitWidth() != bits) {
      Type type = b.getIntegerType(bits);
      sized = scalar.getType().getIntOrFloatBitWidth() > bits
                  ? Value(arith::TruncIOp::create(b, loc, type, scalar))
                  : Value(arith::ExtUIOp::create(b, loc, type, scalar));
    }
    return shape.empty() ? sized
                         : Value(tt::SplatOp::create(b, loc, shaped(sized.getType()), sized));
  };
  if (name == "%globaltimer" || name == "%clock64" || name == "%clock")
    return spread(mem::ClockOp::create(b, loc, b.getI64Type()));
  // Which processor runs a program means nothing here.
  if (name == "%smid")
    return number(0, bits);
  for (uint32_t axis = 0; axis < 3; ++axis) {
    std::string letter(1, "xyz"[axis]);
    if (name == "%ctaid." + letter)
      return spread(mem::ProgramIdOp::create(b, loc, b.getI32Type(), axis));
    if (name == "%nctaid." + letter)
      return spread(mem::NumProgramsOp::create(b, loc, b.getI32Type(), axis));
  }
  uint64_t wide = 0;
  int64_t whole = 0;
  StringRef hex = name;
  bool isFloat = hex.consume_front("0f") || hex.consume_front("0F") || hex.consume_front("0d") ||
                 hex.consume_front("0D");
  if (isFloat && !hex.getAsInteger(16, wide))
    return number(static_cast<int64_t>(wide), bits);
  StringRef digits = name;
  digits.consume_back("U");
  if (!digits.getAsInteger(0, whole))
    return number(whole, bits);
  if (!digits.getAsInteger(0, wide))
    return number(static_cast<int64_t>(wide), bits);
  return {};
}

bool PtxCode::write(StringRef name, Value bits) {
  if (!bits)
    return false;
  if (guard) {
    unsigned width = getElementTypeOrSelf(bits.getType()).getIntOrFloatBitWidth();
    Value old = value(name, width);
    bits = arith::SelectOp::create(b, loc, guard, bits, old ? old : number(0, width));
  }
  registers[name] = bits;
  return true;
}

Value PtxCode::overHalves(ArrayRef<Value> operands, bool pairs,
                          llvm::function_ref<Value(ArrayRef<Value>)> f) {
  if (!pairs)
    return f(operands);
  SmallVector<Value> low, high;
  for (Value operand : operands) {
    SmallVector<Value> halves;
    unpack(operand, 16, 2, halves);
    low.push_back(halves[0]);
    high.push_back(halves[1]);
  }
  return pack({f(low), f(high)}, 16, 32);
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

bool PtxCode::move(const Instruction &i) {
  unsigned bits = widthOf(i.type());
  if (i.words.size() != 2 || i.operands.size() != 2 || bits == 0)
    return false;
  SmallVector<StringRef> parts;
  StringRef from = i.operands[1], to = i.operands[0];
  if (from.starts_with("{")) {
    splitVector(from, bits, parts);
    if (parts.empty())
      return false;
    SmallVector<Value> values;
    for (StringRef part : parts) {
      values.push_back(value(part, bits / parts.size()));
      if (!values.back())
        return false;
    }
    return write(to, pack(values, bits / parts.size(), bits));
  }
  Value moved = value(from, bits);
  if (!moved || !to.starts_with("{"))
    return write(to, moved);
  splitVector(to, bits, parts);
  if (parts.empty())
    return false;
  SmallVector<Value> values;
  unpack(moved, bits / parts.size(), parts.size(), values);
  for (auto [part, half] : llvm::zip_equal(parts, values))
    write(part, half);
  return true;
}

/// Shifts by the width and more give what that many single shifts give.
Value PtxCode::shift(const Instruction &i, Value x, Value by, unsigned bits) {
  bool isSigned = isSignedType(i.type());
  Value most = number(bits - 1, 32), width = number(bits, 32);
  Value beyond = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::uge, by, width);
  Value amount = resize(arith::SelectOp::create(b, loc, beyond, most, by), bits);
  Value moved = i.name() == "shl" ? make<arith::ShLIOp>(x, amount)
                : isSigned        ? make<arith::ShRSIOp>(x, amount)
                                  : make<arith::ShRUIOp>(x, amount);
  if (i.name() == "shr" && isSigned)
    return moved;
  return arith::SelectOp::create(b, loc, beyond, number(0, bits), moved);
}

/// Four bytes of eight; each nibble of the selector names one, with its high bit the sign of it.
Value PtxCode::permute(Value low, Value high, Value selector) {
  Value all =
      make<arith::OrIOp>(resize(low, 64), make<arith::ShLIOp>(resize(high, 64), number(32, 64)));
  Value result = number(0, 32);
  for (unsigned k = 0; k < 4; ++k) {
    Value nibble = make<arith::ShRUIOp>(selector, number(4 * k, 32));
    Value which = make<arith::AndIOp>(nibble, number(7, 32));
    Value amount = resize(make<arith::ShLIOp>(which, number(3, 32)), 64);
    Value byte = resize(make<arith::ShRUIOp>(all, amount), 8);
    Value sign = make<arith::ShRSIOp>(byte, number(7, 8));
    Value wantsSign =
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne,
                              make<arith::AndIOp>(nibble, number(8, 32)), number(0, 32));
    byte = resize(arith::SelectOp::create(b, loc, wantsSign, sign, byte), 32);
    result = make<arith::OrIOp>(result, make<arith::ShLIOp>(byte, number(8 * k, 32)));
  }
  return result;
}

bool PtxCode::logic(const Instruction &i) {
  unsigned bits = widthOf(i.type());
  if (i.words.size() != 2 || bits == 0)
    return false;
  SmallVector<Value> v;
  bool shifts = i.name() == "shl" || i.name() == "shr";
  for (auto [k, operand] : llvm::enumerate(ArrayRef(i.operands).drop_front())) {
    bool isPlain = (shifts && k == 1) || (i.name() == "prmt" && k == 2) ||
                   (i.name() == "lop3" && k == 3) || (i.name() == "bfe" && k > 0) ||
                   (i.name() == "bfi" && k > 1);
    v.push_back(value(operand, isPlain ? 32 : bits));
    if (!v.back())
      return false;
  }
  Value ones = number(-1, bits);
  StringRef name = i.name(), to = i.operands.front();
  if (name == "and" && v.size() == 2)
    return write(to, make<arith::AndIOp>(v[0], v[1]));
  if (name == "or" && v.size() == 2)
    return write(to, make<arith::OrIOp>(v[0], v[1]));
  if (name == "xor" && v.size() == 2)
    return write(to, make<arith::XOrIOp>(v[0], v[1]));
  if (name == "not" && v.size() == 1)
    return write(to, make<arith::XOrIOp>(v[0], ones));
  if (shifts && v.size() == 2)
    return write(to, shift(i, v[0], v[1], bits));
  if (name == "popc" && v.size() == 1)
    return write(to, resize(math::CtPopOp::create(b, loc, v[0]), 32));
  if (name == "clz" && v.size() == 1)
    return write(to, resize(math::CountLeadingZerosOp::create(b, loc, v[0]), 32));
  if (name == "prmt" && v.size() == 3)
    return write(to, permute(v[0], v[1], v[2]));
  int64_t table = 0;
  if (name == "lop3" && v.size() == 4 && !i.operands[4].getAsInteger(0, table)) {
    // A sum of the minterms that the table names.
    Value result = number(0, bits);
    for (unsigned term = 0; term < 8; ++term) {
      if (!(table >> term & 1))
        continue;
      Value all = ones;
      for (unsigned k = 0; k < 3; ++k)
        all =
            make<arith::AndIOp>(all, term >> (2 - k) & 1 ? v[k] : make<arith::XOrIOp>(v[k], ones));
      result = make<arith::OrIOp>(result, all);
    }
    return write(to, result);
  }
  int64_t start = 0, length = 0;
  bool isField = i.operands.size() >= 4 &&
                 !i.operands[i.operands.size() - 2].getAsInteger(0, start) &&
                 !i.operands.back().getAsInteger(0, length) && start >= 0 && length > 0 &&
                 start + length <= int64_t(bits);
  if (name == "bfe" && v.size() == 3 && isField) {
    Value up = make<arith::ShLIOp>(v[0], number(bits - start - length, bits));
    Value down = number(bits - length, bits);
    return write(to, isSignedType(i.type()) ? make<arith::ShRSIOp>(up, down)
                                            : make<arith::ShRUIOp>(up, down));
  }
  if (name == "bfi" && v.size() == 4 && isField) {
    auto mask = static_cast<int64_t>(llvm::maskTrailingOnes<uint64_t>(length) << start);
    Value field =
        make<arith::AndIOp>(make<arith::ShLIOp>(v[0], number(start, bits)), number(mask, bits));
    Value rest = make<arith::AndIOp>(v[1], number(~mask, bits));
    return write(to, make<arith::OrIOp>(field, rest));
  }
  return false;
}

bool PtxCode::multiply(const Instruction &i) {
  unsigned bits = widthOf(i.type());
  bool isSigned = isSignedType(i.type());
  if (i.words.size() != 3 || i.operands.size() < 3 || bits > 32 + 32 * i.has("lo"))
    return false;
  Value x = value(i.operands[1], bits), y = value(i.operands[2], bits);
  if (!x || !y)
    return false;
  Value product;
  unsigned width = bits;
  if (i.has("lo")) {
    product = make<arith::MulIOp>(x, y);
  } else {
    Value wide = make<arith::MulIOp>(resize(x, 2 * bits, isSigned), resize(y, 2 * bits, isSigned));
    if (i.has("wide")) {
      width = 2 * bits;
      product = wide;
    } else if (i.has("hi")) {
      product = resize(make<arith::ShRUIOp>(wide, number(bits, 2 * bits)), bits);
    } else {
      return false;
    }
  }
  if (i.name() == "mul")
    return i.operands.size() == 3 && write(i.operands[0], product);
  Value z = i.operands.size() == 4 ? value(i.operands[3], width) : Value();
  return z && write(i.operands[0], make<arith::AddIOp>(product, z));
}

bool PtxCode::integer(const Instruction &i) {
  unsigned bits = widthOf(i.type());
  bool isSigned = isSignedType(i.type());
  if (i.name() == "mul" || i.name() == "mad")
    return multiply(i);
  if (i.words.size() != 2 || i.operands.size() < 2)
    return false;
  Value x = value(i.operands[1], bits);
  Value y = i.operands.size() == 3 ? value(i.operands[2], bits) : number(0, bits);
  if (!x || !y)
    return false;
  StringRef name = i.name();
  Value result;
  if (name == "add")
    result = make<arith::AddIOp>(x, y);
  else if (name == "sub")
    result = make<arith::SubIOp>(x, y);
  else if (name == "neg")
    result = make<arith::SubIOp>(y, x);
  else if (name == "abs")
    result = math::AbsIOp::create(b, loc, x);
  else if (name == "min")
    result = isSigned ? make<arith::MinSIOp>(x, y) : make<arith::MinUIOp>(x, y);
  else if (name == "max")
    result = isSigned ? make<arith::MaxSIOp>(x, y) : make<arith::MaxUIOp>(x, y);
  else if (name == "div")
    result = isSigned ? make<arith::DivSIOp>(x, y) : make<arith::DivUIOp>(x, y);
  else if (name == "rem")
    result = isSigned ? make<arith::RemSIOp>(x, y) : make<arith::RemUIOp>(x, y);
  return write(i.operands[0], result);
}

bool PtxCode::real(const Instruction &i) {
  Type element = floatType(b, i.type());
  StringRef name = i.name();
  if (!onlyKnown(ArrayRef(i.words).drop_front().drop_back(),
                 {"rn", "ftz", "sat", "approx", "full", "NaN"}))
    return false;
  SmallVector<Value> operands;
  for (StringRef operand : ArrayRef(i.operands).drop_front()) {
    operands.push_back(value(operand, widthOf(i.type())));
    if (!operands.back())
      return false;
  }
  size_t wanted = name == "fma" || name == "mad" ? 3 : name == "neg" || name == "abs" ? 1 : 2;
  if (operands.size() != wanted)
    return false;
  auto compute = [&](ArrayRef<Value> bits) -> Value {
    auto v = llvm::map_to_vector(bits, [&](Value x) { return cast(x, element); });
    Value result;
    if (name == "add")
      result = make<arith::AddFOp>(v[0], v[1]);
    else if (name == "sub")
      result = make<arith::SubFOp>(v[0], v[1]);
    else if (name == "mul")
      result = make<arith::MulFOp>(v[0], v[1]);
    else if (name == "div")
      result = make<arith::DivFOp>(v[0], v[1]);
    else if (name == "fma" || name == "mad")
      result = math::FmaOp::create(b, loc, v[0], v[1], v[2]);
    else if (name == "neg")
      result = arith::NegFOp::create(b, loc, v[0]);
    else if (name == "abs")
      result = math::AbsFOp::create(b, loc, v[0]);
    else if (name == "min")
      result =
          i.has("NaN") ? make<arith::MinimumFOp>(v[0], v[1]) : make<arith::MinNumFOp>(v[0], v[1]);
    else if (name == "max")
      result =
          i.has("NaN") ? make<arith::MaximumFOp>(v[0], v[1]) : make<arith::MaxNumFOp>(v[0], v[1]);
    if (result && i.has("sat"))
      result = saturate(result);
    return result ? cast(result, b.getIntegerType(element.getIntOrFloatBitWidth())) : Value();
  };
  return write(i.operands[0], overHalves(operands, isPair(i.type()), compute));
}

/// Within [0, 1]; NaN becomes 0.
Value PtxCode::saturate(Value x) {
  auto element = ::mlir::cast<FloatType>(getElementTypeOrSelf(x.getType()));
  auto real = [&](double value) {
    unsigned bits = element.getWidth();
    llvm::APFloat number(value);
    bool lossy = false;
    number.convert(element.getFloatSemantics(), llvm::APFloat::rmNearestTiesToEven, &lossy);
    return cast(this->number(number.bitcastToAPInt().getSExtValue(), bits), element);
  };
  return make<arith::MinNumFOp>(make<arith::MaxNumFOp>(x, real(0)), real(1));
}

bool PtxCode::function(const Instruction &i) {
  Type element = floatType(b, i.type());
  if (!element || i.operands.size() != 2 ||
      !onlyKnown(ArrayRef(i.words).drop_front().drop_back(), {"rn", "ftz", "approx"}))
    return false;
  Value x = value(i.operands[1], widthOf(i.type()));
  if (!x)
    return false;
  StringRef name = i.name();
  auto compute = [&](ArrayRef<Value> bits) -> Value {
    Value v = cast(bits.front(), element), result;
    unsigned width = element.getIntOrFloatBitWidth();
    if (name == "ex2")
      result = math::Exp2Op::create(b, loc, v);
    else if (name == "lg2")
      result = math::Log2Op::create(b, loc, v);
    else if (name == "sqrt")
      result = math::SqrtOp::create(b, loc, v);
    else if (name == "rsqrt")
      result = math::RsqrtOp::create(b, loc, v);
    else if (name == "sin")
      result = math::SinOp::create(b, loc, v);
    else if (name == "cos")
      result = math::CosOp::create(b, loc, v);
    else if (name == "tanh")
      result = math::TanhOp::create(b, loc, v);
    else if (name == "rcp") {
      auto one = llvm::APFloat::getOne(::mlir::cast<FloatType>(element).getFloatSemantics());
      result =
          make<arith::DivFOp>(cast(number(one.bitcastToAPInt().getSExtValue(), width), element), v);
    }
    return result ? cast(result, b.getIntegerType(width)) : Value();
  };
  return write(i.operands[0], overHalves(x, isPair(i.type()), compute));
}

bool PtxCode::compare(const Instruction &i) {
  if (i.operands.size() < 3)
    return false;
  unsigned bits = widthOf(i.type());
  Type element = floatType(b, i.type());
  if (i.name() == "selp") {
    if (i.operands.size() != 4)
      return false;
    Value x = value(i.operands[1], bits), y = value(i.operands[2], bits),
          p = value(i.operands[3], 1);
    return x && y && p && write(i.operands[0], arith::SelectOp::create(b, loc, p, x, y));
  }
  if (i.words.size() < 3 || i.operands.size() != 3 ||
      !onlyKnown(ArrayRef(i.words).drop_front(2).drop_back(), {"ftz"}))
    return false;
  StringRef how = i.words[1];
  Value x = value(i.operands[1], bits), y = value(i.operands[2], bits);
  if (!x || !y || bits == 0)
    return false;
  auto test = [&](Value p, Value q) -> Value {
    if (!element) {
      bool isSigned = isSignedType(i.type());
      using P = arith::CmpIPredicate;
      auto predicate = llvm::StringSwitch<std::optional<P>>(how)
                           .Case("eq", P::eq)
                           .Case("ne", P::ne)
                           .Case("lt", isSigned ? P::slt : P::ult)
                           .Case("le", isSigned ? P::sle : P::ule)
                           .Case("gt", isSigned ? P::sgt : P::ugt)
                           .Case("ge", isSigned ? P::sge : P::uge)
                           .Case("lo", P::ult)
                           .Case("ls", P::ule)
                           .Case("hi", P::ugt)
                           .Case("hs", P::uge)
                           .Default(std::nullopt);
      return predicate ? Value(arith::CmpIOp::create(b, loc, *predicate, p, q)) : Value();
    }
    using P = arith::CmpFPredicate;
    auto predicate = llvm::StringSwitch<std::optional<P>>(how)
                         .Case("eq", P::OEQ)
                         .Case("ne", P::ONE)
                         .Case("lt", P::OLT)
                         .Case("le", P::OLE)
                         .Case("gt", P::OGT)
                         .Case("ge", P::OGE)
                         .Case("equ", P::UEQ)
                         .Case("neu", P::UNE)
                         .Case("ltu", P::ULT)
                         .Case("leu", P::ULE)
                         .Case("gtu", P::UGT)
                         .Case("geu", P::UGE)
                         .Case("num", P::ORD)
                         .Case("nan", P::UNO)
                         .Default(std::nullopt);
    if (!predicate)
      return {};
    return arith::CmpFOp::create(b, loc, *predicate, cast(p, element), cast(q, element));
  };
  auto [first, second] = i.operands[0].split('|');
  if (!isPair(i.type())) {
    Value result = test(x, y);
    if (!result || !write(first.trim(), result))
      return false;
    return second.empty() || write(second.trim(), make<arith::XOrIOp>(result, number(-1, 1)));
  }
  SmallVector<Value> xs, ys;
  unpack(x, 16, 2, xs);
  unpack(y, 16, 2, ys);
  Value low = test(xs[0], ys[0]), high = test(xs[1], ys[1]);
  return low && write(first.trim(), low) && write(second.trim(), high);
}

bool PtxCode::special(const Instruction &i) {
  // Launches are ordered by their stream.
  if (i.name() == "griddepcontrol")
    return true;
  if (i.name() != "bar" && i.name() != "barrier" && i.name() != "membar" && i.name() != "fence")
    return false;
  mem::BarrierOp::create(b, loc, mem::Scope::Group, /*local=*/true, /*global=*/true);
  return true;
}

bool PtxCode::execute(const Instruction &i) {
  StringRef name = i.name();
  if (special(i))
    return true;
  if (i.operands.empty())
    return false;
  if (name == "mov")
    return move(i);
  if (name == "setp" || name == "selp")
    return compare(i);
  if (name == "cvt")
    return convert(i);
  if (llvm::is_contained(
          {"and", "or", "xor", "not", "shl", "shr", "popc", "clz", "prmt", "lop3", "bfe", "bfi"},
          name))
    return logic(i);
  if (llvm::is_contained({"ex2", "lg2", "sqrt", "rsqrt", "sin", "cos", "tanh", "rcp"}, name))
    return function(i);
  if (!llvm::is_contained(
          {"add", "sub", "mul", "mad", "fma", "neg", "abs", "min", "max", "div", "rem"}, name))
    return false;
  if (floatType(b, i.type()))
    return real(i);
  return widthOf(i.type()) > 1 && integer(i);
}

bool PtxCode::parse(StringRef text, Instruction &result) {
  result.text = text;
  guard = Value();
  if (text.consume_front("@")) {
    bool negated = text.consume_front("!");
    auto [predicate, rest] = text.split(' ');
    guard = value(predicate, 1);
    if (!guard)
      return false;
    if (negated)
      guard = make<arith::XOrIOp>(guard, number(-1, 1));
    text = rest.trim();
  }
  size_t end = text.find_first_of(" \t\n");
  text.substr(0, end).split(result.words, '.', -1, /*KeepEmpty=*/false);
  splitOperands(end == StringRef::npos ? StringRef() : text.substr(end), result.operands);
  return !result.words.empty();
}

bool PtxCode::run(StringRef text, std::string &problem) {
  std::string clean = withoutComments(text);
  SmallVector<StringRef> statements;
  StringRef(clean).split(statements, ';', -1, /*KeepEmpty=*/false);
  constexpr size_t kMostStatements = 4096;
  if (statements.size() > kMostStatements) {
    problem = "has more than " + std::to_string(kMostStatements) + " instructions";
    return false;
  }
  for (StringRef statement : statements) {
    // Blocks are scopes of names; these are not used twice.
    while (!(statement = statement.trim()).empty() &&
           (statement.front() == '{' || statement.front() == '}'))
      statement = statement.drop_front();
    if (statement.empty() || statement.starts_with(".reg"))
      continue;
    Instruction instruction;
    if (parse(statement, instruction) && execute(instruction))
      continue;
    problem = "holds '" + statement.str() + "', which has no meaning on this target";
    return false;
  }
  return true;
}

} // namespace tritonrt::compiler
