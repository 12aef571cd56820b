// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Vendors keep copies of the dialect under prefixes of their own. The ops are the same, so they are
// read as tle ops; a vendor's prefix never gets past the parser.
#include "compiler/dialect/tle/Tle.h"

#include "mlir/IR/DialectRegistry.h"

using namespace mlir;

namespace tritonrt::tle {
namespace {

struct Mctle {
  static constexpr StringLiteral kName = "mctle";
};
struct MusaTle {
  static constexpr StringLiteral kName = "musa_tle";
};
struct IluvatarTle {
  static constexpr StringLiteral kName = "iluvatar_tle";
};

std::string plainName(StringRef name) { return ("tle" + name.substr(name.find('.'))).str(); }

/// Parses `musa_tle.x ...` as `tle.x ...`.
ParseResult parseAsTle(OpAsmParser &parser, OperationState &state) {
  MLIRContext *context = parser.getContext();
  auto known = RegisteredOperationName::lookup(plainName(state.name.getStringRef()), context);
  if (!known)
    return parser.emitError(parser.getNameLoc(), "is not supported");
  state.name = *known;
  return known->getParseAssemblyFn()(parser, state);
}

} // namespace

template <typename Vendor> class VendorDialect : public Dialect {
public:
  explicit VendorDialect(MLIRContext *context)
      : Dialect(Vendor::kName, context, TypeID::get<VendorDialect<Vendor>>()) {
    context->getOrLoadDialect<TleDialect>();
    allowUnknownOperations();
  }
  static constexpr StringLiteral getDialectNamespace() { return Vendor::kName; }

  std::optional<ParseOpHook> getParseOperationHook(StringRef) const override { return parseAsTle; }
};

void registerVendorDialects(DialectRegistry &registry) {
  auto insert = [&]<typename Vendor>(Vendor) {
    if (!registry.getDialectAllocator(Vendor::kName))
      registry.insert<VendorDialect<Vendor>>();
  };
  insert(Mctle());
  insert(MusaTle());
  insert(IluvatarTle());
}

static bool isVendorOp(Operation *op) {
  StringRef prefix = op->getName().getDialectNamespace();
  return prefix == Mctle::kName || prefix == MusaTle::kName || prefix == IluvatarTle::kName;
}

LogicalResult adoptVendorOps(ModuleOp module) {
  SmallVector<Operation *> found;
  module->walk([&](Operation *op) {
    if (isVendorOp(op))
      found.push_back(op);
  });
  for (Operation *op : found) {
    std::string name = plainName(op->getName().getStringRef());
    if (!RegisteredOperationName::lookup(name, op->getContext()))
      return op->emitError() << "op '" << op->getName() << "' is not supported";
    OperationState state(op->getLoc(), name);
    state.addOperands(op->getOperands());
    state.addTypes(op->getResultTypes());
    for (NamedAttribute attr : op->getDiscardableAttrs())
      state.addAttribute(attr.getName(), attr.getValue());
    if (auto properties = dyn_cast_if_present<DictionaryAttr>(op->getPropertiesAsAttribute()))
      for (NamedAttribute attr : properties)
        state.addAttribute(attr.getName(), attr.getValue());
    OpBuilder builder(op);
    op->replaceAllUsesWith(builder.create(state));
    op->erase();
  }
  return success();
}

} // namespace tritonrt::tle
