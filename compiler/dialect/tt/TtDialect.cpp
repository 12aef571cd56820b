// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/dialect/tt/TtDialect.h"
#include "compiler/dialect/tt/EnumWord.h"
#include "compiler/dialect/tt/TtOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/Transforms/InliningUtils.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

#include "compiler/dialect/tt/TtDialect.cpp.inc"
#include "compiler/dialect/tt/TtEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "compiler/dialect/tt/TtAttrs.cpp.inc"

namespace tritonrt::tt {
namespace {

/// Any function may be inlined anywhere: `noinline` asks for small code, not for another meaning.
struct TtInlinerInterface : public DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;

  bool isLegalToInline(Operation *, Operation *, bool) const final { return true; }
  bool isLegalToInline(Region *, Region *, bool, IRMapping &) const final { return true; }
  bool isLegalToInline(Operation *, Region *, bool, IRMapping &) const final { return true; }

  void handleTerminator(Operation *op, Block *newDest) const final {}
  void handleTerminator(Operation *op, ValueRange results) const final {
    auto returned = dyn_cast<ReturnOp>(op);
    if (!returned)
      return;
    for (auto [result, value] : llvm::zip_equal(results, returned.getSrcs()))
      result.replaceAllUsesWith(value);
  }
};

} // namespace

void TtDialect::initialize() {
  registerTypes();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "compiler/dialect/tt/TtAttrs.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "compiler/dialect/tt/TtOps.cpp.inc"
      >();
  addInterfaces<TtInlinerInterface>();
}

Operation *TtDialect::materializeConstant(OpBuilder &builder, Attribute value, Type type,
                                          Location loc) {
  return arith::ConstantOp::materialize(builder, value, type, loc);
}

//===----------------------------------------------------------------------===//
// #tt.cache_policy
//===----------------------------------------------------------------------===//

template <typename Enum>
static ParseResult parseEnumField(AsmParser &parser, StringRef field, Enum &value) {
  return failure(parser.parseKeyword(field) || parser.parseEqual() ||
                 parseEnumWord(parser, field, value));
}

Attribute CachePolicyAttr::parse(AsmParser &parser, Type) {
  CacheModifier cache = CacheModifier::None;
  EvictionPolicy evict = EvictionPolicy::Normal;
  if (parser.parseLess() || parseEnumField(parser, "cache_modifier", cache) ||
      parser.parseComma() || parseEnumField(parser, "eviction_policy", evict) ||
      parser.parseGreater())
    return {};
  return get(parser.getContext(), cache, evict);
}

void CachePolicyAttr::print(AsmPrinter &printer) const {
  printer << "<cache_modifier = " << stringifyCacheModifier(getCacheModifier())
          << ", eviction_policy = " << stringifyEvictionPolicy(getEvictionPolicy()) << ">";
}

} // namespace tritonrt::tt
