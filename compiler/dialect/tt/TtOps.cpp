// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Assembly that the declarative format cannot say: texts whose spelling changed between versions.
#include "compiler/dialect/tt/TtOps.h"
#include "compiler/dialect/tt/EnumWord.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/FunctionImplementation.h"

using namespace mlir;

namespace tritonrt::tt {

using Unresolved = OpAsmParser::UnresolvedOperand;

//===----------------------------------------------------------------------===//
// Pieces
//===----------------------------------------------------------------------===//

/// `T -> U`, or `(T) -> U`.
static ParseResult parseSignature(OpAsmParser &parser, Type &from, Type &to) {
  bool parenthesised = succeeded(parser.parseOptionalLParen());
  return failure(parser.parseType(from) || (parenthesised && parser.parseRParen()) ||
                 parser.parseArrow() || parser.parseType(to));
}

static void printSignature(OpAsmPrinter &printer, Operation *, Type from, Type to) {
  printer << from << " -> " << to;
}

/// Takes the enum that the dictionary holds as an integer under `name`, if it is there.
template <typename Enum>
static ParseResult takeEnum(OpAsmParser &parser, SMLoc where, NamedAttrList &attributes,
                            StringRef name, std::optional<Enum> (*symbolize)(uint32_t),
                            std::optional<Enum> &value) {
  Attribute attribute = attributes.erase(name);
  if (!attribute)
    return success();
  auto number = dyn_cast<IntegerAttr>(attribute);
  std::optional<Enum> known;
  if (number && number.getType().isSignlessInteger(32))
    known = symbolize(static_cast<uint32_t>(number.getInt()));
  if (!known)
    return parser.emitError(where, "'") << name << "' has no meaning for the value " << attribute;
  value = *known;
  return success();
}

/// The cache hints of a memory op in all their spellings.
struct CacheHints {
  std::optional<CacheModifier> cache;
  std::optional<EvictionPolicy> evict;

  /// `cacheModifier = ca` and `evictionPolicy = evict_last`, in any order.
  ParseResult parseClauses(OpAsmParser &parser) {
    while (true) {
      if (succeeded(parser.parseOptionalKeyword("cacheModifier"))) {
        if (parser.parseEqual() || parseEnumWord(parser, "cache modifier", cache.emplace()))
          return failure();
      } else if (succeeded(parser.parseOptionalKeyword("evictionPolicy"))) {
        if (parser.parseEqual() || parseEnumWord(parser, "eviction policy", evict.emplace()))
          return failure();
      } else {
        return success();
      }
    }
  }

  /// `cachePolicy`, or the two integers.
  ParseResult take(OpAsmParser &parser, SMLoc where, NamedAttrList &attributes) {
    if (Attribute attribute = attributes.erase("cachePolicy")) {
      auto policy = dyn_cast<CachePolicyAttr>(attribute);
      if (!policy)
        return parser.emitError(where, "'cachePolicy' must be #tt.cache_policy<..>, got ")
               << attribute;
      cache = policy.getCacheModifier();
      evict = policy.getEvictionPolicy();
    }
    return failure(takeEnum<CacheModifier>(parser, where, attributes, "cache",
                                           symbolizeCacheModifier, cache) ||
                   takeEnum<EvictionPolicy>(parser, where, attributes, "evict",
                                            symbolizeEvictionPolicy, evict));
  }

  template <typename Properties> void store(MLIRContext *context, Properties &properties) const {
    properties.cache = CacheModifierAttr::get(context, cache.value_or(CacheModifier::None));
    properties.evict = EvictionPolicyAttr::get(context, evict.value_or(EvictionPolicy::Normal));
  }
};

static void addCachePolicy(NamedAttrList &attributes, MLIRContext *context, CacheModifier cache,
                           EvictionPolicy evict) {
  if (cache != CacheModifier::None || evict != EvictionPolicy::Normal)
    attributes.set("cachePolicy", CachePolicyAttr::get(context, cache, evict));
}

/// Takes an attribute of one class out of the dictionary; an error if it is of another.
template <typename AttrT>
static ParseResult takeAttr(OpAsmParser &parser, SMLoc where, NamedAttrList &attributes,
                            StringRef name, AttrT &value) {
  Attribute attribute = attributes.erase(name);
  if (!attribute)
    return success();
  value = dyn_cast<AttrT>(attribute);
  if (!value)
    return parser.emitError(where, "'") << name << "' has the wrong kind of value: " << attribute
                                        << "; write it as Triton prints it";
  return success();
}

/// The dictionary of an op: what is discardable, and what the caller adds, in one order of names.
static NamedAttrList discardable(Operation *op) {
  return NamedAttrList(op->getDiscardableAttrDictionary());
}

//===----------------------------------------------------------------------===//
// tt.func
//===----------------------------------------------------------------------===//

void FuncOp::build(OpBuilder &builder, OperationState &state, StringRef name, FunctionType type) {
  state.addAttribute(SymbolTable::getSymbolAttrName(), builder.getStringAttr(name));
  state.addAttribute(getFunctionTypeAttrName(state.name), TypeAttr::get(type));
  state.addRegion();
}

ParseResult FuncOp::parse(OpAsmParser &parser, OperationState &result) {
  auto makeType = [](Builder &builder, ArrayRef<Type> arguments, ArrayRef<Type> results,
                     function_interface_impl::VariadicFlag,
                     std::string &) { return builder.getFunctionType(arguments, results); };
  return function_interface_impl::parseFunctionOp(
      parser, result, /*allowVariadic=*/false, getFunctionTypeAttrName(result.name), makeType,
      getArgAttrsAttrName(result.name), getResAttrsAttrName(result.name));
}

void FuncOp::print(OpAsmPrinter &printer) {
  function_interface_impl::printFunctionOp(printer, *this, /*isVariadic=*/false,
                                           getFunctionTypeAttrName(), getArgAttrsAttrName(),
                                           getResAttrsAttrName());
}

//===----------------------------------------------------------------------===//
// tt.get_program_id, tt.get_num_programs: `x : i32`, or `{axis = 0 : i32} : i32`
//===----------------------------------------------------------------------===//

template <typename OpT>
static ParseResult parseProgramOp(OpAsmParser &parser, OperationState &result) {
  SMLoc where = parser.getCurrentLocation();
  StringRef word;
  std::optional<ProgramDim> axis;
  if (succeeded(parser.parseOptionalKeyword(&word))) {
    axis = symbolizeProgramDim(word);
    if (!axis)
      return parser.emitError(where, "expected x, y or z, got '") << word << "'";
  }
  Type type;
  if (parser.parseOptionalAttrDict(result.attributes) ||
      takeEnum<ProgramDim>(parser, where, result.attributes, "axis", symbolizeProgramDim, axis) ||
      parser.parseColonType(type))
    return failure();
  if (!axis)
    return parser.emitError(where, "expected the grid's axis: x, y or z");
  result.getOrAddProperties<typename OpT::Properties>().axis =
      ProgramDimAttr::get(parser.getContext(), *axis);
  result.addTypes(type);
  return success();
}

template <typename OpT> static void printProgramOp(OpAsmPrinter &printer, OpT op) {
  printer << ' ' << stringifyProgramDim(op.getAxis());
  printer.printOptionalAttrDict(op->getAttrs(), {"axis"});
  printer << " : " << op.getType();
}

ParseResult GetProgramIdOp::parse(OpAsmParser &parser, OperationState &result) {
  return parseProgramOp<GetProgramIdOp>(parser, result);
}
void GetProgramIdOp::print(OpAsmPrinter &printer) { printProgramOp(printer, *this); }
ParseResult GetNumProgramsOp::parse(OpAsmParser &parser, OperationState &result) {
  return parseProgramOp<GetNumProgramsOp>(parser, result);
}
void GetNumProgramsOp::print(OpAsmPrinter &printer) { printProgramOp(printer, *this); }

//===----------------------------------------------------------------------===//
// tt.reshape
//===----------------------------------------------------------------------===//

ParseResult ReshapeOp::parse(OpAsmParser &parser, OperationState &result) {
  Unresolved source;
  Type from, to;
  if (parser.parseOperand(source))
    return failure();
  Attribute unit = parser.getBuilder().getUnitAttr();
  auto &properties = result.getOrAddProperties<Properties>();
  while (true) {
    if (succeeded(parser.parseOptionalKeyword("allow_reorder")))
      properties.allow_reorder = unit;
    else if (succeeded(parser.parseOptionalKeyword("efficient_layout")))
      properties.efficient_layout = unit;
    else
      break;
  }
  SMLoc where = parser.getCurrentLocation();
  if (parser.parseOptionalAttrDict(result.attributes))
    return failure();
  for (auto [name, flag] :
       {std::pair<StringRef, Attribute *>("allow_reorder", &properties.allow_reorder),
        std::pair<StringRef, Attribute *>("efficient_layout", &properties.efficient_layout)}) {
    Attribute attribute = result.attributes.erase(name);
    if (!attribute)
      continue;
    auto boolean = dyn_cast<BoolAttr>(attribute);
    if (!boolean && !isa<UnitAttr>(attribute))
      return parser.emitError(where, "'") << name << "' is true, false or a unit";
    *flag = !boolean || boolean.getValue() ? unit : Attribute();
  }
  if (parser.parseColon() || parseSignature(parser, from, to) ||
      parser.resolveOperand(source, from, result.operands))
    return failure();
  result.addTypes(to);
  return success();
}

/// A flag of a reshape is set if it is there and is not the older `false`.
static bool isSet(std::optional<Attribute> flag) {
  if (!flag || !*flag)
    return false;
  auto boolean = dyn_cast<BoolAttr>(*flag);
  return !boolean || boolean.getValue();
}

void ReshapeOp::print(OpAsmPrinter &printer) {
  printer << ' ' << getSrc();
  if (isSet(getAllowReorder()))
    printer << " allow_reorder";
  if (isSet(getEfficientLayout()))
    printer << " efficient_layout";
  printer.printOptionalAttrDict(discardable(*this));
  printer << " : ";
  printSignature(printer, *this, getSrc().getType(), getType());
}

//===----------------------------------------------------------------------===//
// tt.load
//===----------------------------------------------------------------------===//

void LoadOp::build(OpBuilder &builder, OperationState &state, Value ptr, Value mask, Value other) {
  build(builder, state, pointeeLike(ptr.getType()), ptr, mask, other, ArrayRef<int32_t>{},
        PaddingOptionAttr(), CacheModifier::None, EvictionPolicy::Normal, /*isVolatile=*/false);
}

/// After the colon 3.0 and later state the pointer's type, 2.1 the result's. `oldForm` says that
/// the dictionary is one that only 2.1 writes, for a result that is itself a pointer.
static ParseResult parseAccessType(OpAsmParser &parser, bool oldForm, Type &pointer) {
  Type stated;
  if (parser.parseType(stated))
    return failure();
  bool statesPointer = isPtrLike(stated) && (!oldForm || isBlockPointer(stated));
  pointer = statesPointer ? stated : pointerLike(stated);
  return success();
}

ParseResult LoadOp::parse(OpAsmParser &parser, OperationState &result) {
  SmallVector<Unresolved, 3> operands;
  SMLoc where = parser.getCurrentLocation();
  CacheHints hints;
  BoolAttr isVolatile;
  DenseI32ArrayAttr boundary;
  std::optional<PaddingOption> padding;
  NamedAttrList &attributes = result.attributes;
  if (parser.parseOperandList(operands) || hints.parseClauses(parser) ||
      parser.parseOptionalAttrDict(attributes))
    return failure();
  if (operands.empty() || operands.size() > 3)
    return parser.emitError(where, "expected 1 to 3 operands: pointer, mask, other; got ")
           << operands.size();
  bool oldForm = attributes.get("cache") && attributes.get("evict") && attributes.get("isVolatile");
  Type pointer;
  if (hints.take(parser, where, attributes) ||
      takeAttr(parser, where, attributes, "isVolatile", isVolatile) ||
      takeAttr(parser, where, attributes, "boundaryCheck", boundary) ||
      takeEnum<PaddingOption>(parser, where, attributes, "padding", symbolizePaddingOption,
                              padding) ||
      parser.parseColon() || parseAccessType(parser, oldForm, pointer))
    return failure();
  attributes.erase("operandSegmentSizes");
  Type loaded = pointeeLike(pointer);
  // 2.1 states the result of a load through a block pointer too.
  if (succeeded(parser.parseOptionalArrow()) && parser.parseType(loaded))
    return failure();

  MLIRContext *context = parser.getContext();
  auto &properties = result.getOrAddProperties<Properties>();
  hints.store(context, properties);
  properties.isVolatile = isVolatile ? isVolatile : BoolAttr::get(context, false);
  properties.boundaryCheck = boundary ? boundary : DenseI32ArrayAttr::get(context, {});
  if (padding)
    properties.padding = PaddingOptionAttr::get(context, *padding);
  properties.operandSegmentSizes = {1, operands.size() > 1, operands.size() > 2};
  SmallVector<Type, 3> types = {pointer, boolLike(loaded), loaded};
  types.resize(operands.size());
  result.addTypes(loaded);
  return parser.resolveOperands(operands, types, where, result.operands);
}

void LoadOp::print(OpAsmPrinter &printer) {
  printer << ' ';
  printer.printOperands(getOperands());
  NamedAttrList attributes = discardable(*this);
  if (!getBoundaryCheck().empty())
    attributes.set("boundaryCheck", getBoundaryCheckAttr());
  addCachePolicy(attributes, getContext(), getCache(), getEvict());
  if (getIsVolatile())
    attributes.set("isVolatile", getIsVolatileAttr());
  if (getPaddingAttr())
    attributes.set("padding", getPaddingAttr());
  printer.printOptionalAttrDict(attributes.getDictionary(getContext()).getValue());
  printer << " : " << getPtr().getType();
}

//===----------------------------------------------------------------------===//
// tt.store
//===----------------------------------------------------------------------===//

ParseResult StoreOp::parse(OpAsmParser &parser, OperationState &result) {
  SmallVector<Unresolved, 3> operands;
  SMLoc where = parser.getCurrentLocation();
  CacheHints hints;
  DenseI32ArrayAttr boundary;
  Type pointer;
  NamedAttrList &attributes = result.attributes;
  if (parser.parseOperandList(operands) || hints.parseClauses(parser) ||
      parser.parseOptionalAttrDict(attributes))
    return failure();
  if (operands.size() < 2 || operands.size() > 3)
    return parser.emitError(where, "expected 2 or 3 operands: pointer, value, mask; got ")
           << operands.size();
  if (hints.take(parser, where, attributes) ||
      takeAttr(parser, where, attributes, "boundaryCheck", boundary) || parser.parseColon() ||
      parseAccessType(parser, /*oldForm=*/false, pointer))
    return failure();
  // 2.1 states the value's type after a block pointer's.
  Type stored = pointeeLike(pointer);
  if (succeeded(parser.parseOptionalComma()) && parser.parseType(stored))
    return failure();

  auto &properties = result.getOrAddProperties<Properties>();
  hints.store(parser.getContext(), properties);
  properties.boundaryCheck = boundary ? boundary : DenseI32ArrayAttr::get(parser.getContext(), {});
  SmallVector<Type, 3> types = {pointer, stored, boolLike(stored)};
  types.resize(operands.size());
  return parser.resolveOperands(operands, types, where, result.operands);
}

void StoreOp::print(OpAsmPrinter &printer) {
  printer << ' ';
  printer.printOperands(getOperands());
  NamedAttrList attributes = discardable(*this);
  if (!getBoundaryCheck().empty())
    attributes.set("boundaryCheck", getBoundaryCheckAttr());
  addCachePolicy(attributes, getContext(), getCache(), getEvict());
  printer.printOptionalAttrDict(attributes.getDictionary(getContext()).getValue());
  printer << " : " << getPtr().getType();
}

//===----------------------------------------------------------------------===//
// tt.descriptor_load
//===----------------------------------------------------------------------===//

ParseResult DescriptorLoadOp::parse(OpAsmParser &parser, OperationState &result) {
  Unresolved descriptor;
  SmallVector<Unresolved> indices;
  SMLoc where = parser.getCurrentLocation();
  CacheHints hints;
  Type type, loaded;
  if (parser.parseOperand(descriptor) ||
      parser.parseOperandList(indices, OpAsmParser::Delimiter::Square) ||
      hints.parseClauses(parser) || parser.parseOptionalAttrDict(result.attributes) ||
      hints.take(parser, where, result.attributes) || parser.parseColonType(type) ||
      parser.parseArrow() || parser.parseType(loaded))
    return failure();
  hints.store(parser.getContext(), result.getOrAddProperties<Properties>());
  result.addTypes(loaded);
  return failure(
      parser.resolveOperand(descriptor, type, result.operands) ||
      parser.resolveOperands(indices, parser.getBuilder().getI32Type(), result.operands));
}

void DescriptorLoadOp::print(OpAsmPrinter &printer) {
  printer << ' ' << getDesc() << '[';
  printer.printOperands(getIndices());
  printer << ']';
  NamedAttrList attributes = discardable(*this);
  addCachePolicy(attributes, getContext(), getCache(), getEvict());
  printer.printOptionalAttrDict(attributes.getDictionary(getContext()).getValue());
  printer << " : " << getDesc().getType() << " -> " << getType();
}

//===----------------------------------------------------------------------===//
// tt.dot: `, inputPrecision = tf32`, or 2.1's `{allowTF32 = true}`
//===----------------------------------------------------------------------===//

ParseResult DotOp::parse(OpAsmParser &parser, OperationState &result) {
  Unresolved a, b, c;
  Type typeA, typeB, typeC;
  SMLoc where = parser.getCurrentLocation();
  std::optional<InputPrecision> precision;
  BoolAttr allowTF32;
  IntegerAttr imprecise;
  NamedAttrList &attributes = result.attributes;
  if (parser.parseOperand(a) || parser.parseComma() || parser.parseOperand(b) ||
      parser.parseComma() || parser.parseOperand(c))
    return failure();
  if (succeeded(parser.parseOptionalComma()) &&
      (parser.parseKeyword("inputPrecision") || parser.parseEqual() ||
       parseEnumWord(parser, "input precision", precision.emplace())))
    return failure();
  if (parser.parseOptionalAttrDict(attributes) ||
      takeEnum<InputPrecision>(parser, where, attributes, "inputPrecision", symbolizeInputPrecision,
                               precision) ||
      takeAttr(parser, where, attributes, "allowTF32", allowTF32) ||
      takeAttr(parser, where, attributes, "maxNumImpreciseAcc", imprecise) ||
      parser.parseColonType(typeA) || parser.parseStar() || parser.parseType(typeB) ||
      parser.parseArrow() || parser.parseType(typeC))
    return failure();
  if (imprecise && !imprecise.getType().isSignlessInteger(32))
    return parser.emitError(where, "'maxNumImpreciseAcc' is an i32, as 0 : i32");
  if (!precision)
    precision = allowTF32 && allowTF32.getValue() ? InputPrecision::TF32 : InputPrecision::IEEE;
  auto &properties = result.getOrAddProperties<Properties>();
  properties.inputPrecision = InputPrecisionAttr::get(parser.getContext(), *precision);
  properties.maxNumImpreciseAcc = imprecise ? imprecise : parser.getBuilder().getI32IntegerAttr(0);
  result.addTypes(typeC);
  return failure(parser.resolveOperand(a, typeA, result.operands) ||
                 parser.resolveOperand(b, typeB, result.operands) ||
                 parser.resolveOperand(c, typeC, result.operands));
}

void DotOp::print(OpAsmPrinter &printer) {
  printer << ' ';
  printer.printOperands(getOperands());
  if (getInputPrecision() != InputPrecision::IEEE)
    printer << ", inputPrecision = " << stringifyInputPrecision(getInputPrecision());
  NamedAttrList attributes = discardable(*this);
  if (getMaxNumImpreciseAcc() != 0)
    attributes.set("maxNumImpreciseAcc", getMaxNumImpreciseAccAttr());
  printer.printOptionalAttrDict(attributes.getDictionary(getContext()).getValue());
  printer << " : " << getA().getType() << " * " << getB().getType() << " -> " << getType();
}

//===----------------------------------------------------------------------===//
// tt.assert: up to 3.1 with file, function and line, kept as discardable attributes
//===----------------------------------------------------------------------===//

ParseResult AssertOp::parse(OpAsmParser &parser, OperationState &result) {
  Unresolved condition;
  Type type;
  std::string message, file, function;
  Builder &builder = parser.getBuilder();
  if (parser.parseOperand(condition) || parser.parseComma() || parser.parseString(&message))
    return failure();
  if (succeeded(parser.parseOptionalComma())) {
    int32_t line = 0;
    if (parser.parseString(&file) || parser.parseComma() || parser.parseString(&function) ||
        parser.parseComma() || parser.parseInteger(line))
      return failure();
    result.addAttribute("file", builder.getStringAttr(file));
    result.addAttribute("func", builder.getStringAttr(function));
    result.addAttribute("line", builder.getI32IntegerAttr(line));
  }
  if (parser.parseOptionalAttrDict(result.attributes) || parser.parseColonType(type))
    return failure();
  result.getOrAddProperties<Properties>().message = builder.getStringAttr(message);
  return parser.resolveOperand(condition, type, result.operands);
}

void AssertOp::print(OpAsmPrinter &printer) {
  printer << ' ' << getCondition() << ", ";
  printer.printAttributeWithoutType(getMessageAttr());
  printer.printOptionalAttrDict(discardable(*this));
  printer << " : " << getCondition().getType();
}

} // namespace tritonrt::tt

using namespace tritonrt::tt;

#define GET_OP_CLASSES
#include "compiler/dialect/tt/TtOps.cpp.inc"
