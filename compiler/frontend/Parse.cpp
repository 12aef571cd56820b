// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/frontend/Parse.h"

#include "compiler/frontend/Bytecode.h"
#include "compiler/frontend/Diagnostics.h"
#include "compiler/frontend/Scan.h"
#include "compiler/frontend/Wording.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/AsmParser/AsmParserState.h"
#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;

namespace tritonrt::compiler {
namespace {

/// Line and column of every offset, found by halving.
class LineTable {
public:
  explicit LineTable(StringRef text) {
    starts.push_back(0);
    for (size_t at = text.find('\n'); at != StringRef::npos; at = text.find('\n', at + 1))
      starts.push_back(at + 1);
  }

  std::pair<unsigned, unsigned> operator()(size_t offset) const {
    size_t line = llvm::upper_bound(starts, offset) - starts.begin();
    return {unsigned(line), unsigned(offset - starts[line - 1] + 1)};
  }

private:
  std::vector<size_t> starts;
};

std::string positioned(StringRef name, StringRef text, size_t offset, StringRef what) {
  auto [line, column] = LineTable(text)(offset);
  return (name + ":" + Twine(line) + ":" + Twine(column) + ": error: " + what).str();
}

/// Gives every op and argument its position in the text, in front of what the text itself states.
class Locator {
public:
  Locator(MLIRContext *context, StringRef name, StringRef text)
      : file(StringAttr::get(context, name)), text(text), lines(text) {}

  void run(const AsmParserState &state) {
    for (const AsmParserState::OperationDefinition &definition : state.getOpDefs())
      place(definition.op, definition.loc.Start);
    for (const AsmParserState::BlockDefinition &definition : state.getBlockDefs())
      for (auto [argument, place] :
           llvm::zip(definition.block->getArguments(), definition.arguments))
        name(argument, place.loc);
  }

private:
  FileLineColLoc position(llvm::SMLoc where) const {
    auto [line, column] = lines(where.getPointer() - text.data());
    return FileLineColLoc::get(file, line, column);
  }

  Location inFront(llvm::SMLoc where, Location stated) const {
    FileLineColLoc here = position(where);
    // Without a stated location the parser's own is in the same file.
    if (auto own = dyn_cast<FileLineColLoc>(stated); own && own.getFilename() == file.getValue())
      return here;
    if (isa<UnknownLoc>(stated))
      return here;
    return FusedLoc::get(file.getContext(), {here, stated});
  }

  void place(Operation *op, llvm::SMLoc where) { op->setLoc(inFront(where, op->getLoc())); }

  void name(BlockArgument argument, llvm::SMRange range) {
    if (!range.isValid())
      return;
    // Only a kernel's parameters have names; a NameLoc would give one to the others.
    Location here = inFront(range.Start, argument.getLoc());
    argument.setLoc(here);
    Block *block = argument.getOwner();
    if (!isa<tt::FuncOp>(block->getParentOp()) || !block->isEntryBlock())
      return;
    StringRef word(range.Start.getPointer(), range.End.getPointer() - range.Start.getPointer());
    word.consume_front("%");
    argument.setLoc(NameLoc::get(StringAttr::get(file.getContext(), word), here));
  }

  StringAttr file;
  StringRef text;
  LineTable lines;
};

/// The dotted name that begins at `begin` of `line`.
StringRef dottedName(StringRef line, size_t begin) {
  return line.substr(begin).take_while(
      [](char c) { return llvm::isAlnum(c) || c == '_' || c == '.' || c == '$'; });
}

/// Where the name of the op begins that the parser reported at `begin`: quoted names are reported
/// at what follows them.
size_t beginOfOp(StringRef line, size_t begin) {
  bool atWord = begin < line.size() && llvm::isAlpha(line[begin]);
  size_t quote = line.take_front(begin).rfind('"');
  if (atWord || quote == StringRef::npos)
    return begin;
  return line.take_front(quote).rfind('"') + 1;
}

/// The parser's words about what it does not know speak of its own options and hooks; the name says
/// more. `message` is as the collector wrote it.
std::string explainUnknown(StringRef message, StringRef text, StringRef name) {
  bool attribute = message.contains("provides no attribute parsing hook") ||
                   message.contains("attribute created with unregistered dialect");
  bool type = message.contains("provides no type parsing hook") ||
              message.contains("type created with unregistered dialect") ||
              message.contains("unknown  type `");
  bool op =
      !attribute && !type &&
      (message.contains("unregistered dialect") || message.contains("not found for custom op") ||
       message.contains("unregistered operation") || message.contains("' is unknown"));
  StringRef position = message;
  unsigned line = 0, column = 0;
  if (!(op || attribute || type) || !position.consume_front(name) || !position.consume_front(":") ||
      position.consumeInteger(10, line) || !position.consume_front(":") ||
      position.consumeInteger(10, column) || line == 0)
    return message.str();
  for (unsigned skipped = 1; skipped < line; ++skipped)
    text = text.split('\n').second;
  StringRef lineText = text.split('\n').first;
  size_t begin = op ? beginOfOp(lineText, column - 1)
                    : lineText.take_front(column).rfind(attribute ? '#' : '!') + 1;
  StringRef found = dottedName(lineText, begin);
  if (!found.contains('.'))
    return message.str();
  StringRef what = op ? "op" : attribute ? "attribute" : "type";
  return (name + ":" + Twine(line) + ":" + Twine(begin + 1) +
          ": error: " + reworded((what + " '" + found + "' is not supported").str()))
      .str();
}

/// Parses `text`, which ends in a NUL, into `parsed`.
LogicalResult parseText(StringRef text, ParsedModule &parsed) {
  MLIRContext *context = parsed.context.get();
  llvm::SourceMgr sources;
  auto buffer = llvm::MemoryBuffer::getMemBuffer(text, parsed.name,
                                                 /*RequiresNullTerminator=*/false);
  StringRef bytes = buffer->getBuffer();
  sources.AddNewSourceBuffer(std::move(buffer), llvm::SMLoc());
  ParserConfig config(context, /*verifyAfterParse=*/false);
  Block block;
  AsmParserState state;
  if (failed(parseAsmSourceFile(sources, &block, config, &state)))
    return failure();
  Locator(context, parsed.name, bytes).run(state);
  auto start = FileLineColLoc::get(context, parsed.name, 1, 1);
  parsed.module =
      mlir::detail::constructContainerOpForParserIfNecessary<ModuleOp>(&block, context, start);
  return success(bool(parsed.module));
}

LogicalResult parseBytecode(StringRef bytes, ParsedModule &parsed) {
  MLIRContext *context = parsed.context.get();
  Block block;
  ParserConfig config(context, /*verifyAfterParse=*/false);
  if (failed(readBytecodeFile(llvm::MemoryBufferRef(bytes, parsed.name), &block, config)))
    return failure();
  auto start = FileLineColLoc::get(context, parsed.name, 1, 1);
  parsed.module =
      mlir::detail::constructContainerOpForParserIfNecessary<ModuleOp>(&block, context, start);
  return success(bool(parsed.module));
}

} // namespace

std::unique_ptr<ParsedModule> parseModule(StringRef input, StringRef name, std::string &error,
                                          const DialectSet &dialects) {
  bool bytecode = looksLikeBytecode(input);
  std::string text;
  if (bytecode) {
    input = openSealedBytecode(input);
    if (input.empty()) {
      error = (name + ": error: bytecode that is damaged or not of this compiler").str();
      return nullptr;
    }
  } else {
    if (std::optional<ScanError> found = scanText(input)) {
      error = positioned(name, input, found->offset, found->text);
      return nullptr;
    }
    // The lexer reads a NUL behind the last byte.
    text = usesOldFp8Name(input) ? withNewFp8Name(input) : input.str();
  }
  auto parsed = std::make_unique<ParsedModule>();
  parsed->name = name.str();
  parsed->context =
      std::make_unique<MLIRContext>(dialects.registry, MLIRContext::Threading::DISABLED);
  // Messages stand for themselves: the op is in the text.
  parsed->context->printOpOnDiagnostic(false);
  DiagnosticCollector collector(parsed->context.get(), name);
  bool ok = succeeded(bytecode ? parseBytecode(input, *parsed) : parseText(text, *parsed)) &&
            succeeded(normalizeModule(*parsed->module)) && succeeded(verify(*parsed->module));
  if (ok) {
    upgradeModule(*parsed->module);
    ok = succeeded(checkModule(*parsed->module, dialects.foreign));
  }
  if (ok)
    return parsed;
  error = explainUnknown(collector.message("the text cannot be read"), text, name);
  // The module goes before the context that it lives in.
  parsed->module = {};
  return nullptr;
}

} // namespace tritonrt::compiler
