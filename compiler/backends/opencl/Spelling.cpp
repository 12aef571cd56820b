// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names of types and exact literals.
#include "compiler/backends/opencl/Emitter.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Error.h"

using namespace mlir;

namespace tritonrt::compiler::opencl {

int64_t lanesOf(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  return vector ? vector.getNumElements() : 1;
}

bool isBool(Type type) { return getElementTypeOrSelf(type).isInteger(1); }

unsigned bitsOf(Type type) {
  type = getElementTypeOrSelf(type);
  return isa<IndexType, mem::PtrType>(type) ? 64 : type.getIntOrFloatBitWidth();
}

static std::string withLanes(llvm::StringRef base, int64_t lanes) {
  return lanes == 1 ? base.str() : (base + llvm::Twine(lanes)).str();
}

std::string intName(unsigned bits, bool isSigned, int64_t lanes) {
  llvm::StringRef base = bits == 8 ? "char" : bits == 16 ? "short" : bits == 32 ? "int" : "long";
  return withLanes(isSigned ? base.str() : ("u" + base).str(), lanes);
}

std::string maskType(unsigned bits, int64_t lanes) {
  return lanes == 1 ? "bool" : intName(bits, /*isSigned=*/true, lanes);
}

std::string fromSigned(Type type, const std::string &text) {
  std::string name = intName(bitsOf(type), /*isSigned=*/false, lanesOf(type));
  return isVector(type) ? "as_" + name + "(" + text + ")" : "(" + name + ")" + bracketed(text);
}

/// Is it a call `name(...)`, or a cast of one, which ends with its own bracket?
static bool endsItself(llvm::StringRef text) {
  llvm::StringRef name = text.take_while([](char c) { return llvm::isAlnum(c) || c == '_'; });
  if (text.size() == name.size())
    return true;
  if (name.empty() || !text.ends_with(")") || text[name.size()] != '(')
    return false;
  int depth = 0;
  for (char c : text.drop_front(name.size()).drop_back()) {
    depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    if (depth == 0)
      return false;
  }
  return true;
}

std::string bracketed(const std::string &text) {
  return endsItself(text) ? text : "(" + text + ")";
}

std::string literal(const llvm::APInt &value) {
  unsigned bits = value.getBitWidth();
  if (bits == 1)
    return value.isZero() ? "false" : "true";
  // Small negative numbers read better in hexadecimal, where they are what they are: bit patterns.
  llvm::SmallString<24> digits;
  bool isPattern = value.isNegative();
  value.toString(digits, isPattern ? 16 : 10, /*Signed=*/false, /*formatAsCLiteral=*/isPattern);
  std::string text = digits.str().lower();
  if (bits == 64)
    return text + "ul";
  if (bits == 32)
    return text + "u";
  return "(" + intName(bits, /*isSigned=*/false) + ")" + text;
}

std::string literal(const llvm::APFloat &value) {
  const llvm::fltSemantics &semantics = value.getSemantics();
  bool isHalf = &semantics == &llvm::APFloat::IEEEhalf();
  bool isDouble = &semantics == &llvm::APFloat::IEEEdouble();
  if (value.isNaN()) {
    llvm::APInt bits = value.bitcastToAPInt();
    std::string name = isHalf ? "half" : isDouble ? "double" : "float";
    return "as_" + name + "(" + literal(bits) + ")";
  }
  std::string prefix = isHalf ? "(half)" : isDouble ? "(double)" : "";
  if (value.isInfinity())
    return "(" + prefix + (value.isNegative() ? "-INFINITY)" : "INFINITY)");

  llvm::APFloat magnitude = value;
  magnitude.clearSign();
  std::string text;
  // A few digits that say the same number exactly are easier to read than hexadecimal.
  llvm::SmallString<24> decimal;
  magnitude.toString(decimal, /*FormatPrecision=*/0, /*FormatMaxPadding=*/8);
  llvm::APFloat wide(llvm::APFloat::IEEEquad()), exact = magnitude;
  bool losesInfo = false;
  exact.convert(llvm::APFloat::IEEEquad(), llvm::APFloat::rmNearestTiesToEven, &losesInfo);
  auto status = wide.convertFromString(decimal, llvm::APFloat::rmNearestTiesToEven);
  if (status && *status == llvm::APFloat::opOK && decimal.size() <= 10 &&
      wide.bitwiseIsEqual(exact)) {
    text = decimal.str().str();
    if (!llvm::StringRef(text).contains('.') && !llvm::StringRef(text).contains('E'))
      text += ".0";
  } else {
    char buffer[64];
    magnitude.convertToHexString(buffer, /*HexDigits=*/0, /*UpperCase=*/false,
                                 llvm::APFloat::rmNearestTiesToEven);
    text = buffer;
  }
  if (!isDouble)
    text += "f";
  if (isHalf)
    text = "(half)" + text;
  return value.isNegative() ? "(-" + text + ")" : text;
}

std::string splat(llvm::StringRef typeName, llvm::StringRef scalar) {
  return ("(" + typeName + ")(" + scalar + ")").str();
}

std::string lane(Type type, llvm::StringRef value, int64_t index) {
  if (!isVector(type))
    return value.str();
  return (value + ".s" + llvm::StringRef("0123456789abcdef").substr(index, 1)).str();
}

std::string identifier(llvm::StringRef text, size_t limit) {
  std::string name;
  for (char c : text.take_front(limit))
    name += llvm::isAlnum(c) ? c : '_';
  return name;
}

} // namespace tritonrt::compiler::opencl
