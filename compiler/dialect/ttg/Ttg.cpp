// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/dialect/ttg/Ttg.h"

#include "compiler/dialect/tt/TtTypes.h"

using namespace mlir;

#include "compiler/dialect/ttg/TtgDialect.cpp.inc"

namespace tritonrt::ttg {
namespace {

struct InlinerInterface : public DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;
  bool isLegalToInline(Operation *, Region *, bool, IRMapping &) const final { return true; }
};

/// What a barrier orders, by bit.
constexpr StringLiteral kSpaces[] = {"local", "global_read", "global_write", "tensor_read",
                                     "tensor_write"};
constexpr uint32_t kAllSpaces = 31;

} // namespace

void TtgDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "compiler/dialect/ttg/TtgOps.cpp.inc"
      >();
  registerMemDescs();
  addInterfaces<InlinerInterface>();
}

static ParseResult parseSpace(OpAsmParser &parser, uint32_t &spaces) {
  SMLoc where = parser.getCurrentLocation();
  StringRef word;
  if (parser.parseKeyword(&word))
    return failure();
  if (word == "all") {
    spaces = kAllSpaces;
    return success();
  }
  const auto *known = llvm::find(kSpaces, word);
  if (known != std::end(kSpaces))
    spaces |= 1u << (known - std::begin(kSpaces));
  else if (word != "none")
    return parser.emitError(where, "unknown memory of a barrier: '")
           << word
           << "'; local, global_read, global_write, tensor_read, tensor_write, all or none "
              "expected";
  return success();
}

ParseResult BarrierOp::parse(OpAsmParser &parser, OperationState &result) {
  uint32_t spaces = 0;
  do {
    if (parseSpace(parser, spaces))
      return failure();
  } while (succeeded(parser.parseOptionalVerticalBar()));
  result.getOrAddProperties<Properties>().addrSpace = parser.getBuilder().getI32IntegerAttr(spaces);
  return parser.parseOptionalAttrDict(result.attributes);
}

void BarrierOp::print(OpAsmPrinter &printer) {
  uint32_t spaces = getAddrSpace();
  SmallVector<StringRef> words;
  for (auto [bit, word] : llvm::enumerate(kSpaces))
    if (spaces & (1u << bit))
      words.push_back(word);
  printer << ' ';
  if (spaces == kAllSpaces)
    printer << "all";
  else if (words.empty())
    printer << "none";
  else
    llvm::interleave(words, printer, "|");
  printer.printOptionalAttrDict((*this)->getAttrs(), {"addrSpace"});
}

LogicalResult BarrierOp::verify() {
  if (getAddrSpace() & ~kAllSpaces)
    return emitOpError() << "orders unknown memories: " << getAddrSpace() << ", expected 0 to "
                         << kAllSpaces;
  return success();
}

} // namespace tritonrt::ttg

#define GET_OP_CLASSES
#include "compiler/dialect/ttg/TtgOps.cpp.inc"
