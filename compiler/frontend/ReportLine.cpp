// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/frontend/ReportLine.h"

#include "compiler/frontend/Parse.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace tritonrt::compiler {

namespace {

/// `text` without bytes that would end a line of metadata, or a word of it if `word`.
std::string escaped(StringRef text, bool word) {
  std::string result;
  for (char c : text) {
    bool plain = llvm::isPrint(c) || static_cast<unsigned char>(c) >= 0x80;
    if (plain && c != '\\' && !(word && c == ' '))
      result += c;
    else
      result += "\\" + llvm::toHex(StringRef(&c, 1), /*LowerCase=*/true);
  }
  return result;
}

/// LINE SOURCE of an op: its line in the text that was compiled, and FILE:LINE of the program that
/// the text was made from, or "-".
std::string positionOf(Operation *op) {
  // The position in the text stands first.
  FileLineColLoc text, source;
  op->getLoc()->walk([&](Location loc) {
    if (auto position = dyn_cast<FileLineColLoc>(loc)) {
      if (!text)
        text = position;
      else if (!source && position.getFilename() != text.getFilename())
        source = position;
    }
    return WalkResult::advance();
  });
  std::string result = std::to_string(text ? text.getLine() : 0) + " ";
  auto file = op->getAttrOfType<StringAttr>("file");
  auto line = op->getAttrOfType<IntegerAttr>("line");
  if (source)
    return result + escaped(source.getFilename().getValue(), true) + ":" +
           std::to_string(source.getLine());
  if (file && line)
    return result + escaped(file.getValue(), true) + ":" + std::to_string(line.getInt());
  return result + "-";
}

/// TYPE:SHAPE of a printed value.
std::string operandText(Type type, bool isSigned) {
  Type element = tt::elementTypeOf(type);
  std::string text;
  if (isa<tt::PointerType>(element)) {
    text = "ptr";
  } else {
    text = scalarName(element);
    if (isa<IntegerType>(element) && !isSigned)
      text[0] = 'u';
  }
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    text += ":" + llvm::join(llvm::map_range(tensor.getShape(),
                                             [](int64_t size) { return std::to_string(size); }),
                             "x");
  return text;
}

std::string printText(tt::PrintOp op) {
  ArrayRef<int32_t> isSigned = op.getIsSigned().value_or(ArrayRef<int32_t>());
  std::string values;
  for (auto [i, type] : llvm::enumerate(op.getArgs().getTypes()))
    values += (i ? "," : "") + operandText(type, isSigned.empty() || isSigned[i] != 0);
  return std::string(" print ") + (op.getHex() ? "1 " : "0 ") + (values.empty() ? "-" : values) +
         " " + escaped(op.getPrefix(), false);
}

} // namespace

std::string waitText(Operation *op) {
  auto position = op->getLoc()->findInstanceOf<FileLineColLoc>();
  // Known by the name that it has in the text.
  StringRef name = op->getName().stripDialect();
  return std::to_string(position ? position.getLine() : 0) + " tt." + name.str();
}

bool isReport(Operation *op) { return isa<tt::PrintOp, tt::AssertOp>(op); }

std::string reportLine(Operation *op) {
  if (auto print = dyn_cast<tt::PrintOp>(op))
    return positionOf(op) + printText(print);
  return positionOf(op) + " assert " + escaped(cast<tt::AssertOp>(op).getMessage(), false);
}

} // namespace tritonrt::compiler
