// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/dialect/tt/TtTypes.h"
#include "compiler/dialect/tt/TtDialect.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

#define GET_TYPEDEF_CLASSES
#include "compiler/dialect/tt/TtTypes.cpp.inc"

namespace tritonrt::tt {

void TtDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "compiler/dialect/tt/TtTypes.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// Predicates
//===----------------------------------------------------------------------===//

bool isIntType(Type type) {
  auto integer = dyn_cast<IntegerType>(type);
  if (!integer || !integer.isSignless())
    return false;
  unsigned width = integer.getWidth();
  return width == 1 || width == 4 || width == 8 || width == 16 || width == 32 || width == 64;
}

bool isFloatType(Type type) {
  return isa<Float8E4M3FNType, Float8E4M3FNUZType, Float8E5M2Type, Float8E5M2FNUZType, Float16Type,
             BFloat16Type, Float32Type, Float64Type>(type);
}

bool isTensor(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !tensor.hasStaticShape())
    return false;
  Type element = tensor.getElementType();
  return isIntType(element) || isFloatType(element) || isa<PointerType>(element);
}

/// The scalar behind a scalar or a well-formed tensor; null for anything else.
static Type scalarOf(Type type) {
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return tensor.hasStaticShape() ? tensor.getElementType() : Type();
  return type;
}

template <typename Predicate> static bool scalarIs(Type type, Predicate predicate) {
  Type scalar = scalarOf(type);
  return scalar && predicate(scalar);
}

bool isIntLike(Type type) { return scalarIs(type, isIntType); }
bool isFloatLike(Type type) { return scalarIs(type, isFloatType); }
bool isBoolLike(Type type) {
  return scalarIs(type, [](Type scalar) { return scalar.isSignlessInteger(1); });
}
bool isI64Like(Type type) {
  return scalarIs(type, [](Type scalar) { return scalar.isSignlessInteger(64); });
}
bool isF32Like(Type type) {
  return scalarIs(type, [](Type scalar) { return scalar.isF32(); });
}
bool isPtrLike(Type type) {
  return scalarIs(type, [](Type scalar) { return isa<PointerType>(scalar); });
}
bool isAnyLike(Type type) {
  return scalarIs(type, [](Type scalar) {
    return isIntType(scalar) || isFloatType(scalar) || isa<PointerType>(scalar);
  });
}

bool isBlockPointer(Type type) {
  auto pointer = dyn_cast<PointerType>(type);
  return pointer && isa<RankedTensorType>(pointer.getPointeeType());
}

//===----------------------------------------------------------------------===//
// Derived types
//===----------------------------------------------------------------------===//

Type elementTypeOf(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? tensor.getElementType() : type;
}

Type withElementType(Type shapeOf, Type element) {
  auto tensor = dyn_cast<RankedTensorType>(shapeOf);
  // An element that no tensor may have (a tensor itself) leaves the shape as it was.
  if (!tensor || !TensorType::isValidElementType(element))
    return tensor ? shapeOf : element;
  return RankedTensorType::get(tensor.getShape(), element, tensor.getEncoding());
}

Type pointeeLike(Type type) {
  auto pointer = dyn_cast<PointerType>(elementTypeOf(type));
  return pointer ? withElementType(type, pointer.getPointeeType()) : type;
}

Type pointerLike(Type type) {
  Type element = elementTypeOf(type);
  if (!isIntType(element) && !isFloatType(element) && !isa<PointerType>(element))
    return type;
  return withElementType(type, PointerType::get(element));
}

Type boolLike(Type type) { return withElementType(type, IntegerType::get(type.getContext(), 1)); }

Type blockBaseType(Type type) {
  auto pointer = dyn_cast<PointerType>(type);
  if (!pointer)
    return type;
  Type element = elementTypeOf(pointer.getPointeeType());
  return PointerType::get(element, pointer.getAddressSpace());
}

//===----------------------------------------------------------------------===//
// !tt.ptr
//===----------------------------------------------------------------------===//

static StringRef spaceName(int space) {
  switch (space) {
  case kDescriptorSpace:
    return "descriptor";
  case kConstantSpace:
    return "constant";
  default:
    return {};
  }
}

static ParseResult parseSpace(AsmParser &parser, int &space) {
  SMLoc where = parser.getCurrentLocation();
  std::string name;
  if (failed(parser.parseOptionalString(&name)))
    return parser.parseInteger(space);
  space = llvm::StringSwitch<int>(name)
              .Case("global", kGlobalSpace)
              .Case("descriptor", kDescriptorSpace)
              .Case("constant", kConstantSpace)
              .Default(-1);
  if (space < 0)
    return parser.emitError(where, "unknown memory space \"")
           << name << "\"; expected \"global\", \"descriptor\", \"constant\" or a number";
  return success();
}

Type PointerType::parse(AsmParser &parser) {
  SMLoc where = parser.getCurrentLocation();
  Type pointee;
  int space = kGlobalSpace;
  if (parser.parseLess() || parser.parseType(pointee))
    return {};
  if (succeeded(parser.parseOptionalComma()) && parseSpace(parser, space))
    return {};
  if (parser.parseGreater())
    return {};
  return parser.getChecked<PointerType>(where, pointee, space);
}

void PointerType::print(AsmPrinter &printer) const {
  printer << "<" << getPointeeType();
  StringRef name = spaceName(getAddressSpace());
  if (!name.empty())
    printer << ", \"" << name << "\"";
  else if (getAddressSpace() != kGlobalSpace)
    printer << ", " << getAddressSpace();
  printer << ">";
}

LogicalResult PointerType::verify(function_ref<InFlightDiagnostic()> emitError, Type pointee,
                                  int space) {
  if (!isIntType(pointee) && !isFloatType(pointee) && !isa<PointerType>(pointee) &&
      !isTensor(pointee))
    return emitError() << "a pointer cannot point to " << pointee
                       << "; integers, floats, pointers and tensors of them expected";
  if (space < 0)
    return emitError() << "memory space " << space << " is negative, expected 0 or more";
  return success();
}

//===----------------------------------------------------------------------===//
// !tt.tensordesc
//===----------------------------------------------------------------------===//

static Type signless(Type type) {
  auto integer = dyn_cast<IntegerType>(type);
  return integer ? IntegerType::get(type.getContext(), integer.getWidth()) : type;
}

Type TensorDescType::getElementType() const { return signless(getStatedType()); }

Type TensorDescType::parse(AsmParser &parser) {
  SMLoc where = parser.getCurrentLocation();
  SmallVector<int64_t> shape;
  Type element;
  Attribute layout;
  if (parser.parseLess() || parser.parseDimensionList(shape, /*allowDynamic=*/false) ||
      parser.parseType(element))
    return {};
  if (succeeded(parser.parseOptionalComma()) && parser.parseAttribute(layout))
    return {};
  if (parser.parseGreater())
    return {};
  if (auto tensor = dyn_cast<RankedTensorType>(element)) {
    if (!shape.empty() || layout) {
      parser.emitError(where, "a descriptor wraps a tensor type or states a shape, not both");
      return {};
    }
    shape.assign(tensor.getShape().begin(), tensor.getShape().end());
    element = tensor.getElementType();
    layout = tensor.getEncoding();
  }
  return parser.getChecked<TensorDescType>(where, shape, element, layout);
}

void TensorDescType::print(AsmPrinter &printer) const {
  printer << "<";
  for (int64_t size : getShape())
    printer << size << "x";
  printer << getStatedType();
  if (getLayout())
    printer << ", " << getLayout();
  printer << ">";
}

LogicalResult TensorDescType::verify(function_ref<InFlightDiagnostic()> emitError,
                                     ArrayRef<int64_t> shape, Type stated, Attribute) {
  Type element = signless(stated);
  if (shape.empty() || shape.size() > 5)
    return emitError() << "a tensor descriptor has 1 to 5 dimensions, got " << shape.size();
  for (int64_t size : shape)
    if (size <= 0 || size > kMaxTensorElements || (size & (size - 1)))
      return emitError() << "a descriptor's block has sizes that are powers of two up to "
                         << kMaxTensorElements << ", got " << size;
  if (!isIntType(element) && !isFloatType(element))
    return emitError() << "a tensor descriptor holds integers or floats, got " << stated;
  return success();
}

} // namespace tritonrt::tt
